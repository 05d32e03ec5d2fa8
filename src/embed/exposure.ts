// Decides which fields of which event the page gets, by one table. Fields that it does not list stay inside, and so do values
// that do not look like their kind, such as words that the service puts into an id or a code.

import type { ChatEvents } from '../chat/index.ts'
import type { Exposure } from './config.ts'

type Kind = (value: unknown) => boolean

const oneOf =
  (...values: readonly string[]): Kind =>
  (value) =>
    values.includes(value as string)
const is =
  (pattern: RegExp): Kind =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const number: Kind = (value) => typeof value === 'number'
const boolean: Kind = (value) => typeof value === 'boolean'
const id = is(/^[\w.:-]{1,128}$/)
/** Words that the service or a person wrote: the page gets them from level `messages` on. */
const words: Kind = (value) => typeof value === 'string'

/** All fields of an event, in any of its states. */
type FieldOf<T> = T extends unknown ? keyof T & string : never
type Table = {
  readonly [E in keyof ChatEvents]: {
    readonly [F in FieldOf<ChatEvents[E]>]: Kind
  }
}

const TABLE: Table = {
  session: { session_id: id, resumed: boolean },
  connection: {
    status: oneOf('idle', 'connecting', 'live', 'reconnecting', 'offline', 'expired', 'ended', 'unavailable'),
  },
  message: {
    message_id: id,
    role: oneOf('visitor', 'agent', 'live'),
    length: number,
    text: words,
  },
  delivery: {
    message_id: id,
    state: oneOf('held', 'queued', 'sent', 'failed', 'unconfirmed', 'delivered'),
  },
  unread: { count: number },
  handoff: {
    state: oneOf('none', 'pending', 'live', 'failed', 'client'),
    position: number,
    waitSeconds: number,
    queueName: words,
    message: words,
    reason: words,
    route: words,
  },
  suggestion: { text: words },
  language: { language_code: is(/^[a-z]{2,3}(-[a-z\d]{1,8}){0,4}$/i) },
  csat: { score: number, comment: words },
  feedback: {
    message_id: id,
    rating: oneOf('up', 'down'),
    comment: words,
  },
  // A reason from the vocabulary is a code; any other is the service's own words.
  end: { reason: oneOf('REASON_NATURAL_END', 'REASON_USER_END', 'REASON_USER_ABANDONED') },
  error: {
    code: is(/^[a-z]+(-[a-z]+){0,3}$/),
    message: words,
  },
}

export const EVENTS = Object.keys(TABLE) as (keyof ChatEvents)[]

/** The fields of an event that the page gets. At level `wire` all of them, for developer tools. */
export function exposedDetail(
  name: keyof ChatEvents,
  detail: object,
  exposure: Exposure,
): Record<string, unknown> {
  if (exposure === 'wire') return { ...detail }
  const fields: Readonly<Record<string, Kind>> = TABLE[name]
  const told = Object.entries(detail).filter(([field, value]) => {
    const kind = Object.hasOwn(fields, field) ? fields[field] : undefined
    return kind?.(value) && (kind !== words || exposure === 'messages')
  })
  return Object.fromEntries(told)
}
