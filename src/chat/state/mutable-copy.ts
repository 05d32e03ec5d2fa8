// Copies the state and the transcript at most once for each event of the reducer. The copies are private until the event is handled, so
// all further changes are made in place: a batch of a replay holds many messages (law L6).

import type { Conversation, EntryRecord, State } from './state.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }
/** Fields of the state; of the conversation, only those that change. */
export type Changes = Partial<Omit<State, 'conversation'>> & { readonly conversation?: Partial<Conversation> }

let ownState: Writable<State> | undefined
let ownConversation: Conversation | undefined
let ownTranscript: EntryRecord[] | undefined

/** Ends an event of the reducer: its copies are published now and must not change any more. */
export function releaseCopies(): void {
  ownState = undefined
  ownConversation = undefined
  ownTranscript = undefined
}

/** Returns the state with these changes. The given state may be changed in place: of it, only fields that did not change may be read afterwards. */
export function amend(state: State, { conversation: changes, ...rest }: Changes): State {
  if (state !== ownState) ownState = { ...state }
  Object.assign(ownState, rest)
  if (changes) {
    if (state.conversation !== ownConversation) ownConversation = { ...state.conversation }
    ownState.conversation = Object.assign(ownConversation, changes)
  }
  return ownState
}

/** Returns a copy of the transcript that may be changed in place until the event is handled. */
export function mutableTranscript(transcript: readonly EntryRecord[]): EntryRecord[] {
  if (transcript !== ownTranscript) ownTranscript = transcript.slice()
  return ownTranscript
}
