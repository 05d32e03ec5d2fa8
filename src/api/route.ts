// How a door of the service is described: what validates it also documents it.

import type { GenericSchema } from 'valibot'

export type Route = {
  method: 'get' | 'post'
  path: string
  summary: string
  /** Header name to what it carries. All are required. */
  headers: Readonly<Record<string, string>>
  /** The JSON body; undefined where there is none. `required: false`: may be left out. */
  body?: { schema: GenericSchema; required: boolean }
  /** Status to what it means and what its body is. */
  responses: Readonly<Record<number, { when: string; schema: GenericSchema }>>
}
