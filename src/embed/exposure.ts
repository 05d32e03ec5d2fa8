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
/** Words that the service or a person wrote. */
const words: Kind = (value) => typeof value === 'string'

/** All fields of an event, in any of its states. */
type FieldOf<T> = T extends unknown ? keyof T & string : never
type Table = {
  readonly [E in keyof ChatEvents]: {
    readonly [F in FieldOf<ChatEvents[E]>]: readonly [from: 'none' | 'messages', kind: Kind]
  }
}

const TABLE: Table = {
  session: { session_id: ['none', id], resumed: ['none', boolean] },
  connection: {
    status: [
      'none',
      oneOf('idle', 'connecting', 'live', 'reconnecting', 'offline', 'expired', 'ended', 'unavailable'),
    ],
  },
  message: {
    message_id: ['none', id],
    role: ['none', oneOf('visitor', 'agent', 'live')],
    length: ['none', number],
    text: ['messages', words],
  },
  delivery: {
    message_id: ['none', id],
    state: ['none', oneOf('held', 'queued', 'sent', 'failed', 'unconfirmed', 'delivered')],
  },
  unread: { count: ['none', number] },
  handoff: {
    state: ['none', oneOf('none', 'pending', 'live', 'failed', 'client')],
    position: ['none', number],
    waitSeconds: ['none', number],
    queueName: ['messages', words],
    message: ['messages', words],
    reason: ['messages', words],
    route: ['messages', words],
  },
  suggestion: { text: ['messages', words] },
  language: { language_code: ['none', is(/^[a-z]{2,3}(-[a-z\d]{1,8}){0,4}$/i)] },
  csat: { score: ['none', number], comment: ['messages', words] },
  feedback: {
    message_id: ['none', id],
    rating: ['none', oneOf('up', 'down')],
    comment: ['messages', words],
  },
  // A reason from the vocabulary is a code; any other is the service's own words.
  end: { reason: ['none', oneOf('REASON_NATURAL_END', 'REASON_USER_END', 'REASON_USER_ABANDONED')] },
  error: {
    code: ['none', is(/^[a-z]+(-[a-z]+){0,3}$/)],
    message: ['messages', words],
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
  const fields: Readonly<Record<string, readonly [Exposure, Kind]>> = TABLE[name]
  const told = Object.entries(detail).filter(([field, value]) => {
    const [from, kind] = (Object.hasOwn(fields, field) && fields[field]) || []
    return kind?.(value) && (from === 'none' || exposure === 'messages')
  })
  return Object.fromEntries(told)
}
