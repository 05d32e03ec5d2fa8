// Decides which fields of which event the page gets, by one table. Fields that it does not list stay inside, and so do values
// that do not look like their kind, such as words that the service puts into an id or a code.

import type { ChatEvents } from '../../../chat/index.ts'
import type { Exposure } from './config.ts'

type Kind = (value: unknown) => boolean

/** Every word of a union, so that a new one does not compile before it is listed. */
const oneOf =
  <T extends string>(values: Readonly<Record<T, true>>): Kind =>
  (value) =>
    typeof value === 'string' && Object.hasOwn(values, value)
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

/** The fields that the page may get of each event. */
export const EXPOSED: Table = {
  session: { session_id: id, resumed: boolean },
  connection: {
    status: oneOf<ChatEvents['connection']['status']>({
      idle: true,
      connecting: true,
      live: true,
      reconnecting: true,
      offline: true,
      expired: true,
      ended: true,
      unavailable: true,
    }),
  },
  message: {
    message_id: id,
    role: oneOf<ChatEvents['message']['role']>({ visitor: true, agent: true, live: true }),
    length: number,
    text: words,
    name: words,
  },
  delivery: {
    message_id: id,
    state: oneOf<ChatEvents['delivery']['state']>({
      held: true,
      queued: true,
      sent: true,
      failed: true,
      unconfirmed: true,
      delivered: true,
    }),
  },
  unread: { count: number },
  handoff: {
    state: oneOf<ChatEvents['handoff']['state']>({
      none: true,
      pending: true,
      live: true,
      failed: true,
      client: true,
    }),
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
    rating: oneOf<ChatEvents['feedback']['rating']>({ up: true, down: true }),
    comment: words,
  },
  decision: {
    message_id: id,
    decision: oneOf<ChatEvents['decision']['decision']>({ confirm: true, cancel: true }),
  },
  // A reason from the vocabulary is a code; any other is the service's own words.
  end: {
    reason: oneOf({
      REASON_NATURAL_END: true,
      REASON_USER_END: true,
      REASON_USER_ABANDONED: true,
    }),
  },
  error: {
    code: is(/^[a-z]+(-[a-z]+){0,3}$/),
    message: words,
  },
}

export const EVENTS = Object.keys(EXPOSED) as (keyof ChatEvents)[]

/** The fields of an event that the page gets. At level `wire` all of them, for developer tools. */
export function exposedDetail(
  name: keyof ChatEvents,
  detail: object,
  exposure: Exposure,
): Record<string, unknown> {
  if (exposure === 'wire') return { ...detail }
  const fields: Readonly<Record<string, Kind>> = EXPOSED[name]
  const told = Object.entries(detail).filter(([field, value]) => {
    const kind = Object.hasOwn(fields, field) ? fields[field] : undefined
    return kind?.(value) && (kind !== words || exposure === 'messages')
  })
  return Object.fromEntries(told)
}
