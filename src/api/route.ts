// Describes endpoints: the same schemas validate requests and generate the API description.

import type { GenericSchema, ObjectEntries, ObjectSchema } from 'valibot'

export type Route = {
  /** The method of the client that asks this endpoint; its first word is the part of the API. */
  name: string
  method: 'get' | 'post'
  /** Parameters in braces: `/v1/{account_id}/…`. */
  path: string
  summary: string
  /** What callers prove themselves by, and what it has to be. */
  credential: { name: keyof typeof CREDENTIALS; is: string }
  /** Other headers: name to meaning. All are required. */
  headers?: Readonly<Record<string, string>>
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

/** Headers of credentials. `{prefix}` stands for the configured header prefix. */
export const CREDENTIALS = {
  connectorToken: 'X-Token',
  accessToken: 'Authorization',
  apiKey: 'x-api-key',
  messagingKey: 'X-{prefix}-Auth-Token',
  callingToken: 'X-{prefix}-Auth-Token',
} as const

/** Whether a path has this form: a parameter in braces stands for one part of it. */
export const hasForm = (form: string, path: string): boolean => {
  const parts = form.split('/')
  const given = path.split('/')
  return (
    parts.length === given.length &&
    parts.every((part, index) => (part.startsWith('{') ? given[index] !== '' : part === given[index]))
  )
}
