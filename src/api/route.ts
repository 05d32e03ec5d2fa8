// Describes endpoints: the same schemas validate requests and generate the API description.

import type { GenericSchema, ObjectEntries, ObjectSchema } from 'valibot'

export type Route = {
  method: 'get' | 'post'
  /** Parameters in braces: `/v1/{account_id}/…`. */
  path: string
  summary: string
  /** Header name to its meaning. All are required. `{prefix}` stands for the configured header prefix. */
  headers: Readonly<Record<string, string>>
  /** The query, by its typed values; `readQuery` reads them from the URL. */
  query?: ObjectSchema<ObjectEntries, undefined>
  /** The JSON body; undefined if there is none. `required: false`: the body may be omitted. */
  body?: { schema: GenericSchema; required: boolean }
  /**
   * Status to its meaning and the schema of its body; without a schema the body is empty. `headers`: name to meaning of those that only
   * some answers have.
   */
  responses: Readonly<
    Record<number, { when: string; schema?: GenericSchema; headers?: Readonly<Record<string, string>> }>
  >
}

/** Whether a path has this form: a parameter in braces stands for one part of it. */
export const hasForm = (form: string, path: string): boolean => {
  const parts = form.split('/')
  const given = path.split('/')
  return (
    parts.length === given.length &&
    parts.every((part, index) => (part.startsWith('{') ? given[index] !== '' : part === given[index]))
  )
}
