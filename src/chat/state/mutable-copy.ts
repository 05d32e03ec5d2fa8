// Copies the state and the transcript at most once for each event of the reducer. The copies are private until the event is handled, so
// all further changes are made in place: a batch of a replay holds many messages (law L6).

import type { EntryRecord, State } from './state.ts'

let ownState: State | undefined
let ownTranscript: EntryRecord[] | undefined

/** Ends an event of the reducer: its copies are published now and must not change any more. */
export function releaseCopies(): void {
  ownState = undefined
  ownTranscript = undefined
}

/** Returns the state with these changes. The given state may be changed in place: of it, only fields that did not change may be read afterwards. */
export function amend(state: State, changes: Partial<State>): State {
  if (state !== ownState) ownState = { ...state }
  return Object.assign(ownState, changes)
}

/** Returns a copy of the transcript that may be changed in place until the event is handled. */
export function mutableTranscript(transcript: readonly EntryRecord[]): EntryRecord[] {
  if (transcript !== ownTranscript) ownTranscript = transcript.slice()
  return ownTranscript
}
