// Keeps the messages of the visitor that the service has not confirmed. Each item names the session it was written for. The
// head is sent while the session is live (law L4); an echo removes an item; an item is resent only after a replay that does
// not contain it (law L9).

import { type ClientEvent, customId } from '../../protocol/index.ts'
import type { Refusal } from '../state/model.ts'
import type { OutboxRecord } from '../state/state.ts'

type Outbox = readonly OutboxRecord[]

/** Limits of the messages that wait while the chat cannot send. */
export const MOST_ITEMS = 50
export const MOST_BYTES = 262_144
/** Stored bytes of an item beside its text. */
const ITEM_BYTES = 256
const MOST_TRIES = 2
const ECHO_AFTER = 10_000

export const newItem = (id: string, text: string, at: number, session: string | undefined): OutboxRecord => ({
  id,
  text,
  at,
  session,
  state: 'queued',
  tries: 0,
  after: 0,
  echoBy: 0,
})

/** The frame that carries a message. */
export const messageFrame = (id: string, text: string): ClientEvent => ({
  type: 'EVENT_TYPE_USER_MESSAGE',
  payload: { text },
  metadata: customId(id),
})

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Why a text is refused, if it is. `most`: the largest frame, in bytes. */
export function refusalOf(outbox: Outbox, id: string, text: string, most: number): Refusal | undefined {
  if (text === '') return { reason: 'empty' }
  const beside = bytesOf(JSON.stringify(messageFrame(id, '')))
  const needed = bytesOf(JSON.stringify(text)) - 2
  if (beside + needed > most) return { reason: 'too-long', bytes: needed, limit: most - beside }
  if (outbox.length >= MOST_ITEMS) return { reason: 'full' }
  const used = outbox.reduce((sum, item) => sum + bytesOf(JSON.stringify(item.text)) + ITEM_BYTES, 0)
  return used + needed + ITEM_BYTES > MOST_BYTES ? { reason: 'full' } : undefined
}

const isHeld = (item: OutboxRecord): boolean => item.state === 'held'
export const isWaiting = (item: OutboxRecord): boolean =>
  item.state === 'queued' || item.state === 'sent' || isHeld(item)
export const isSent = (item: OutboxRecord): boolean => item.state === 'sent'

/** The item to send in `session` now: the first that waits for it, unless that is unconfirmed or held. */
export function head(outbox: Outbox, session: string | undefined): OutboxRecord | undefined {
  const first = outbox.find((item) => isWaiting(item) && item.session === session)
  return first?.state === 'queued' ? first : undefined
}

/** The same outbox where nothing changes. */
function change(outbox: Outbox, to: (item: OutboxRecord) => OutboxRecord): Outbox {
  const changed = outbox.map(to)
  return changed.every((item, index) => item === outbox[index]) ? outbox : changed
}
const changeOne = (outbox: Outbox, id: string, to: (item: OutboxRecord) => OutboxRecord): Outbox =>
  change(outbox, (item) => (item.id === id ? to(item) : item))

/** An item at its end, since what is sent again comes after what was sent before it failed. */
export function again(
  outbox: Outbox,
  id: string,
  freshId: string,
  at: number,
  session: string | undefined,
): Outbox {
  const item = outbox.find((each) => each.id === id)
  if (!item || isWaiting(item)) return outbox
  // A message that failed keeps its id, so that a service which did take it takes it once. What may have
  // arrived in a session that is gone is a new message.
  const nextId = item.state === 'failed' ? item.id : freshId
  return [...without(outbox, id), newItem(nextId, item.text, at, session)]
}

/** The site allows a held item: it is queued if it `goes` into the current session, and fails otherwise. */
export const released = (outbox: Outbox, id: string, goes: boolean): Outbox =>
  changeOne(outbox, id, (item) => (isHeld(item) ? { ...item, state: goes ? 'queued' : 'failed' } : item))

/** Notes that the site is being asked about an item. */
export const asked = (outbox: Outbox, id: string): Outbox =>
  changeOne(outbox, id, (item) => (item.asked ? item : { ...item, asked: true }))

/** Until it is claimed again, a loaded item may be that of another page. */
export const unclaimed = (outbox: Outbox): Outbox => outbox.map((item) => ({ ...item, unclaimed: true }))
export const claimed = (outbox: Outbox, id: string): Outbox =>
  changeOne(outbox, id, ({ unclaimed: _, ...item }) => item)

/** Where the site is asked no more. */
export const unheld = (item: OutboxRecord): OutboxRecord =>
  isHeld(item) ? { ...item, state: 'queued' } : item

/** Notes that an item was sent in `session`, whose highest known sequence is `after`. */
export const sent = (outbox: Outbox, id: string, now: number, session: string | undefined, after: number) =>
  changeOne(outbox, id, (item) => ({
    ...item,
    state: 'sent',
    session,
    after,
    echoBy: now + ECHO_AFTER,
    tries: item.tries + 1,
  }))

export const failed = (outbox: Outbox, id: string): Outbox =>
  changeOne(outbox, id, (item) => ({ ...item, state: 'failed' }))
export const without = (outbox: Outbox, id: string): Outbox =>
  outbox.some((item) => item.id === id) ? outbox.filter((item) => item.id !== id) : outbox

/** Waits for the echo of the sent item at most until `at`; then a replay decides. */
export const hurried = (outbox: Outbox, id: string, at: number): Outbox =>
  changeOne(outbox, id, (item) => (isSent(item) ? { ...item, echoBy: at } : item))

/**
 * The item that an echo without metadata confirms: of those in flight with the same text, the one that was sent last before
 * the echo, since any echo of that one confirms an earlier one too. One that was given up in this session may still prove
 * to have arrived.
 */
export const echoedBy = (
  outbox: Outbox,
  text: string,
  sequence: number | undefined,
  session?: string | undefined,
) =>
  sentLast(
    outbox.filter(
      (item) =>
        (isSent(item) || (item.state === 'unconfirmed' && item.session === session)) &&
        item.text.trim() === text.trim() &&
        (sequence ?? item.after + 1) > item.after,
    ),
  )?.id

/** The first of those that were sent after the highest sequence. */
const sentLast = <T extends { readonly after: number }>(sent: readonly T[]): T | undefined =>
  sent.reduce<T | undefined>((last, item) => (last && last.after >= item.after ? last : item), undefined)

/** After a replay that does not contain the sent items: resends them under the same id, or gives up after two tries. */
export const missing = (outbox: Outbox): Outbox =>
  change(outbox, (item) =>
    isSent(item) ? { ...item, state: item.tries >= MOST_TRIES ? 'failed' : 'queued' } : item,
  )

/** Waits for the echoes of what was sent before a connection without proof. */
export const awaited = (outbox: Outbox, now: number): Outbox =>
  change(outbox, (item) => (isSent(item) ? { ...item, echoBy: now + ECHO_AFTER } : item))

/** Marks sent items as unconfirmed: the visitor decides whether to resend them. */
export const doubtful = (outbox: Outbox): Outbox =>
  change(outbox, (item) => (isSent(item) ? { ...item, state: 'unconfirmed' } : item))

/** The lowest sequence after which an unconfirmed message was sent; Infinity: there is none. */
export const sentAfter = (outbox: Outbox): number =>
  Math.min(...outbox.filter(isSent).map(({ after }) => after), Number.POSITIVE_INFINITY)

/** The first message on the wire. */
export const onItsWay = (outbox: Outbox): OutboxRecord | undefined => outbox.find(isSent)

/**
 * The session `over` is over. Messages that were never sent, or that its replay (`proven`) shows missing, go into the next session if it `moves`,
 * else they fail. The visitor decides about messages of which no replay proves anything. A held message that was written for an
 * earlier session stays held.
 */
export const settled = (outbox: Outbox, over: string | undefined, moves: boolean, proven: boolean): Outbox =>
  change(outbox, (item) => {
    if (!isWaiting(item)) return item
    if (item.tries > 0 && !proven) return { ...item, state: 'unconfirmed' }
    if (isHeld(item) && !(moves && item.session === over)) return item
    return moves
      ? { ...item, state: isHeld(item) ? 'held' : 'queued', session: undefined, tries: 0 }
      : { ...item, state: 'failed' }
  })

/** The page entered `session`: messages written for another session are not sent into it automatically. */
export const adopted = (outbox: Outbox, session: string): Outbox =>
  change(outbox, (item) => {
    if (!isWaiting(item) || item.session === session) return item
    if (item.session === undefined) return { ...item, session }
    if (isHeld(item)) return item
    return { ...item, state: isSent(item) ? 'unconfirmed' : 'failed' }
  })
