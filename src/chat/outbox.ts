// What the visitor sent and the service has not confirmed. The head is sent while the session is live
// (law L4); an echo with our id takes an item out; nothing else does but the visitor.

import type { OutboxItem } from './model.ts'

export type OutboxRecord = OutboxItem & {
  /** How often it went over the wire. */
  readonly tries: number
  /** When it last did, by the monotonic clock. */
  readonly sentAt: number
  /** Not before this (the service asked for time), by the monotonic clock. */
  readonly notBefore: number
}

type Outbox = readonly OutboxRecord[]

/** Bounds what a page may pile up while it cannot send. */
export const MAX_WAITING = 50
const MAX_TRIES = 4
const ECHO_AFTER = 10_000

export const newItem = (id: string, text: string, at: number): OutboxRecord => ({
  id,
  text,
  at,
  state: 'queued',
  tries: 0,
  sentAt: 0,
  notBefore: 0,
})

export const isWaiting = (item: OutboxRecord): boolean => item.state === 'queued' || item.state === 'sent'

/** The item to send now: the first that waits, unless one is on its way or asked for time. */
export function head(outbox: Outbox, now: number): OutboxRecord | undefined {
  const first = outbox.find(isWaiting)
  return first?.state === 'queued' && first.notBefore <= now ? first : undefined
}

const change = (outbox: Outbox, id: string, to: Partial<OutboxRecord>): Outbox =>
  outbox.some((item) => item.id === id)
    ? outbox.map((item) => (item.id === id ? { ...item, ...to } : item))
    : outbox

/** An item at its end, since what is sent again comes after what was sent before it failed. */
export function again(outbox: Outbox, id: string, freshId: string, at: number): Outbox {
  const item = outbox.find((each) => each.id === id)
  if (!item || isWaiting(item)) return outbox
  // A refused message keeps its id, so that a service which did take it takes it once. A session that is
  // gone cannot have seen the id: its message may as well be new.
  return [
    ...outbox.filter((each) => each.id !== id),
    newItem(item.state === 'failed' ? item.id : freshId, item.text, at),
  ]
}

export const sent = (outbox: Outbox, id: string, now: number): Outbox => {
  const item = outbox.find((each) => each.id === id)
  return item ? change(outbox, id, { state: 'sent', sentAt: now, tries: item.tries + 1 }) : outbox
}

export const failed = (outbox: Outbox, id: string): Outbox => change(outbox, id, { state: 'failed' })
export const postponed = (outbox: Outbox, id: string, notBefore: number): Outbox =>
  change(outbox, id, { state: 'queued', notBefore })
export const without = (outbox: Outbox, id: string): Outbox =>
  outbox.some((item) => item.id === id) ? outbox.filter((item) => item.id !== id) : outbox

/** The replay is over and did not show them: what was on the wire is to be sent again, under the same id. */
export function unseen(outbox: Outbox, isMissing: (item: OutboxRecord) => boolean = () => true): Outbox {
  if (!outbox.some((item) => item.state === 'sent' && isMissing(item))) return outbox
  return outbox.map((item) =>
    item.state === 'sent' && isMissing(item)
      ? { ...item, state: item.tries >= MAX_TRIES ? ('failed' as const) : ('queued' as const) }
      : item,
  )
}

/** When the echo of what is on the wire is overdue; undefined where nothing is. */
export const echoDue = (outbox: Outbox): number | undefined => {
  const item = outbox.find((each) => each.state === 'sent')
  return item && item.sentAt + ECHO_AFTER
}

/** Items whose echo was already overdue at `at`. */
export const overdueAt = (at: number) => (item: OutboxRecord) => item.sentAt + ECHO_AFTER <= at

/**
 * The session is gone. What was never sent moves to the next one. What was sent and not confirmed moves
 * too if the session expired (stored, it would have kept it alive), else it is for the visitor to decide.
 */
export function moved(outbox: Outbox, expired: boolean): Outbox {
  if (!outbox.some((item) => item.tries > 0 || item.state === 'sent')) return outbox
  return outbox.map((item) => {
    if (!isWaiting(item)) return item
    if (item.tries === 0 || expired) return { ...item, state: 'queued' as const, tries: 0, notBefore: 0 }
    return { ...item, state: 'unconfirmed' as const }
  })
}
