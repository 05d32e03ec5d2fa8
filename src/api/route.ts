// How a door of the service is described: what validates it also documents it.

import type { GenericSchema, ObjectEntries, ObjectSchema } from 'valibot'

export type Route = {
  method: 'get' | 'post'
  /** Parameters in braces: `/v1/{account_id}/…`. */
  path: string
  summary: string
  /** Header name to what it carries. All are required. `{prefix}` stands for the service's own word. */
  headers: Readonly<Record<string, string>>
  /** The query, by its typed values; `readQuery` reads them off the address. */
  query?: ObjectSchema<ObjectEntries, undefined>
  /** The JSON body; undefined where there is none. `required: false`: may be left out. */
  body?: { schema: GenericSchema; required: boolean }
  /** Status to what it means and what its body is; no schema: the body is empty. */
  responses: Readonly<Record<number, { when: string; schema?: GenericSchema }>>
}
