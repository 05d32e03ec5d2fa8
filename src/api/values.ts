// Reads the values that several parts of the API share: times, phone numbers, names of environments.

import * as v from 'valibot'

export const ENVIRONMENTS = ['sandbox', 'pre-release', 'live'] as const
/** The service's own word in header names. */
export const DEFAULT_HEADER_PREFIX = 'Svc'
export const REGIONS = ['us-1', 'uk-1', 'euw-1'] as const

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+\- ]\d{2}:?\d{2})?$/i

// An offset can move a time outside the years with four digits; it is then clamped to the first or last instant.
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Milliseconds since 1970 of an ISO 8601 date-time; without an offset it is UTC. A space before an offset is
 * read as a plus: a plus that is not escaped in a URL arrives as a space. Undefined if the text is not a date-time.
 */
export function readDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '00', fraction = '0', offset = 'Z'] = match
  const zone = /^z$/i.test(offset) ? 'Z' : offset.replace(' ', '+').replace(/(\d{2}):?(\d{2})$/, '$1:$2')
  const millis = fraction.padEnd(3, '0').slice(0, 3)
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${zone}`)
  // `Date` turns the 31st of a short month into the 1st of the next; such a date is not valid.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number.isNaN(time) || Number(day) > lastDay ? undefined : Math.min(LAST, Math.max(FIRST, time))
}

/** ISO 8601 date-time, as text. */
export const DateTime = v.pipe(
  v.string(),
  v.check((text) => readDateTime(text) !== undefined, 'must be an ISO 8601 date-time'),
  v.metadata({ format: 'date-time' }),
)

/**
 * A time of an answer. It is described as what this service sends; the client takes any text, so that another service's time does not
 * make the whole answer unreadable.
 */
export const AnswerTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }))

/** A whole number of an answer. It is described as what this service sends; the client takes any number. */
export const WholeNumber = v.pipe(v.number(), v.metadata({ type: 'integer' }))

/** Whether a request says that its body is JSON. */
export const isJson = (type: string | null | undefined): boolean =>
  /^application\/json\s*(;|$)/i.test(type ?? '')

/** Removes the separators that people put between the digits of a number. */
export const compactNumber = (number: string): string => number.replace(/[\s().-]/g, '')

/** A phone number in E.164 format. */
export const E164 = /^\+[1-9]\d{6,14}$/

/** One line that says which field is wrong, and how. */
export function describeIssue(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue as v.BaseIssue<unknown> & { path?: never }) ?? 'body'
  if (issue.kind === 'schema' && issue.received === 'undefined') return `${path} is missing`
  return `${path}: ${issue.message}`
}
