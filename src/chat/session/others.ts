// Handles what the other tabs of this browser say (law L10). Each has a socket of its own; what they did with the conversation comes from
// the service.

import { MAX_SOCKETS_PER_SESSION } from '../../protocol/index.ts'
import * as outbox from '../outbox/items.ts'
import type { Context, Event, Live } from '../state/events.ts'
import type { State } from '../state/state.ts'
import { activity } from '../transcript/entries.ts'
import { paired, step } from './step.ts'
import { yieldAt } from './timers.ts'

/** Tabs that were hidden within this time were hidden at once. */
const TOGETHER = 1_000

type Of<T extends Event['type']> = Extract<Event, { type: T }>

const change = (state: State, tabs: Partial<State['tabs']>): State => ({
  ...state,
  tabs: { ...state.tabs, ...tabs },
})

/** Another tab has read or received all up to `sequence`. */
function noteMissing(state: State, sequence: number, now: number): State {
  const { log, tabs } = state
  const isKnown = tabs.missing !== undefined && tabs.missing.sequence > log.cursor
  return sequence <= log.cursor || isKnown ? state : change(state, { missing: { sequence, since: now } })
}

export const named = (state: State, { session, why, from }: Of<'named'>): State =>
  state.named?.session === session && why === undefined ? state : { ...state, named: { session, why, from } }

export const activeElsewhere = (state: State, { idleFor }: Of<'active'>, { now }: Context): State => ({
  ...state,
  ...activity(Math.max(state.activeAt - state.slept, now - idleFor)),
})

export function read(state: State, { session, sequence }: Of<'read'>, { now }: Context): State {
  if (session !== state.sessionId) return state
  const readTo = Math.max(state.tabs.readTo, sequence)
  const told = change(noteMissing(state, sequence, now), { readTo, liveAt: now })
  return sequence < state.log.cursor || state.unread === 0 ? told : { ...told, unread: 0 }
}

export function live(state: State, { live, began }: Of<'live'>, { now }: Context): State {
  if (live.session !== state.sessionId) return state
  const told = change(noteMissing(state, live.sequence, now), { liveAt: now })
  const at = now - (live.idleFor ?? Number.POSITIVE_INFINITY)
  const seen = at > state.activeAt - state.slept ? { ...told, ...activity(at) } : told
  return began === 'no' ? seen : { ...seen, tabs: paired({ ...seen.tabs, beganAt: now }, began) }
}

/** Handles the answers of the connected tabs: a hidden tab gives up its socket, and a tab without a socket connects if it is alone. */
export function answered(state: State, { live, id }: Of<'answered'>, context: Context): State {
  const after = change(state, { asking: false })
  const { session, sessionId, tabs } = state
  const here = live.filter((each) => sessionId === undefined || each.session === sessionId)
  if (session.name === 'elsewhere') {
    const isFree =
      here.length === 0 ||
      (session.cause === 'full' && here.length < MAX_SOCKETS_PER_SESSION) ||
      // Words that wait here take the socket in turn with the other tab.
      (session.cause === 'replaced' && state.outbox.some(outbox.isWaiting))
    return isFree ? step(after, { type: 'free' }, context) : after
  }
  if (session.name !== 'live' || here.length === 0) return after
  // Both are connected: the service does not close the older socket.
  const both = change(after, { replacedAt: [] })
  return yieldAt(state) <= context.now &&
    here.some((each) => isBetter(each, { from: id, hiddenAt: tabs.hiddenAt ?? context.now }))
    ? step(both, { type: 'yield', cause: 'hidden' }, context)
    : both
}

/** Of two tabs the one that was seen last keeps its socket; their clocks differ by what a message takes. */
const isBetter = (one: Live, other: { from: string; hiddenAt: number }): boolean => {
  if (!one.isReady || one.hiddenAt === undefined) return one.isReady
  const later = one.hiddenAt - other.hiddenAt
  return Math.abs(later) > TOGETHER ? later > 0 : one.from < other.from
}

/** Gives the socket to another tab, unless something was sent over it whose echo is still to come. */
export const give = (state: State, _: Of<'give'>, context: Context): State =>
  state.session.name === 'live' && !state.outbox.some(outbox.isSent)
    ? step(state, { type: 'yield', cause: state.visible ? 'full' : 'hidden' }, context)
    : state

export const claimed = (state: State, { id }: Of<'claimed'>): State => ({
  ...state,
  outbox: outbox.claimed(state.outbox, id),
})

/** This page is a copy of another one, which sends the message. */
export const copied = (state: State, { id }: Of<'copied'>): State => ({
  ...state,
  outbox: outbox.without(state.outbox, id),
})
