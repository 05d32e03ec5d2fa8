// Handles what the other tabs of this browser say (law L10). Each has a socket of its own; what they did with the conversation comes from
// the service.

import * as outbox from '../outbox/items.ts'
import type { Context, Event } from '../state/events.ts'
import type { State } from '../state/state.ts'
import { activity } from '../transcript/entries.ts'

type Of<T extends Event['type']> = Extract<Event, { type: T }>

export const named = (state: State, { session, why, from }: Of<'named'>): State =>
  state.named?.session === session && why === undefined ? state : { ...state, named: { session, why, from } }

export const activeElsewhere = (state: State, { idleFor }: Of<'active'>, { now }: Context): State => ({
  ...state,
  ...activity(Math.max(state.activeAt - state.slept, now - idleFor)),
})

export function read(state: State, { session, sequence }: Of<'read'>): State {
  if (session !== state.sessionId) return state
  const told = { ...state, tabs: { ...state.tabs, readTo: Math.max(state.tabs.readTo, sequence) } }
  return sequence < state.conversation.log.cursor || state.unread === 0 ? told : { ...told, unread: 0 }
}

export const claimed = (state: State, { id }: Of<'claimed'>): State => ({
  ...state,
  outbox: outbox.claimed(state.outbox, id),
})

/** This page is a copy of another one, which sends the message. */
export const copied = (state: State, { id }: Of<'copied'>): State => ({
  ...state,
  outbox: outbox.without(state.outbox, id),
})
