// Converts the query of a URL to typed values and back, by the schema of the values.

import * as v from 'valibot'
import { describeIssue } from './values.ts'

type Entries = v.ObjectEntries
export type QueryOutcome<T> = { values: T } | { error: string }

/** The kind of value below `optional` and pipes. */
function kindOf(schema: v.GenericSchema): string {
  const { type } = schema
  if (type === 'optional') return kindOf((schema as unknown as { wrapped: v.GenericSchema }).wrapped)
  return type
}

/**
 * Reads and checks a query. Unknown parameters are ignored; a repeated parameter is refused unless its schema is
 * an array.
 */
export function readQuery<E extends Entries>(
  schema: v.ObjectSchema<E, undefined>,
  query: URLSearchParams,
): QueryOutcome<v.InferOutput<v.ObjectSchema<E, undefined>>> {
  const rawValues: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(schema.entries)) {
    const givenValues = query.getAll(name)
    if (givenValues.length === 0) continue
    // PostgreSQL cannot store NUL in text.
    if (givenValues.some((value) => value.includes('\0')))
      return { error: `${name} must be text without NUL` }
    const schemaKind = kindOf(entry as v.GenericSchema)
    if (schemaKind === 'array') rawValues[name] = givenValues
    else if (givenValues.length > 1) return { error: `${name} was given more than once` }
    else rawValues[name] = coerce(schemaKind, givenValues[0] ?? '')
  }
  const parsed = v.safeParse(schema, rawValues)
  return parsed.success ? { values: parsed.output } : { error: describeIssue(parsed.issues[0]) }
}

/** A value that cannot be converted stays text, and the schema refuses it with its own message. */
function coerce(schemaKind: string, text: string): unknown {
  if (schemaKind === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (schemaKind === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}

/** Writes values as a query. Spaces become `%20`, never `+`; undefined values are omitted. */
export function writeQuery(values: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(values).flatMap(([name, value]) => {
    const all = Array.isArray(value) ? value : value === undefined ? [] : [value]
    return all.map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`)
  })
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}
