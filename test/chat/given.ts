// Fields of the state and of its conversation side by side, as tests give and read them.

import type { Tally } from '../../src/chat/state/session.ts'
import { type Conversation, newConversation, type State } from '../../src/chat/state/state.ts'

export type Given = Partial<State & Conversation>

const OF_CONVERSATION = new Set(Object.keys(newConversation({ live: false })))

/** The state with these fields, each in its place. */
export function given(state: State, fields: Given): State {
  const { conversation = state.conversation, ...each } = fields
  const changes = Object.entries(each)
  const inside = changes.filter(([name]) => OF_CONVERSATION.has(name))
  const outside = changes.filter(([name]) => !OF_CONVERSATION.has(name))
  return {
    ...state,
    ...Object.fromEntries(outside),
    conversation: { ...conversation, ...Object.fromEntries(inside) },
  }
}

/** What a session counts, before anything of it has failed. */
export const UNTRIED: Tally = {
  fails: 0,
  refusals: 0,
  waited: 0,
  refusedFor: 0,
  unopened: 0,
  denials: 0,
  crowded: false,
  endReason: undefined,
  follows: false,
}

/** All fields of a state. */
export const flat = (state: State): State & Conversation => ({ ...state, ...state.conversation })
