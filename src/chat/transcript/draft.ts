// Keeps the copies that one event of the reducer has made. Nobody else knows them yet, so what follows in the same event changes them in
// place: a batch of a replay holds many messages, and state and transcript are copied once for all of them (law L6).

import type { EntryRecord, State } from '../state/state.ts'

let ownState: State | undefined
let ownTranscript: EntryRecord[] | undefined

/** After each event of the reducer: what was made belongs to its state from here on, stays as it is, and is held here no more. */
export function releaseCopies(): void {
  ownState = undefined
  ownTranscript = undefined
}

/** The state with these changes. The one given is used up: it may be the same object. */
export function amend(state: State, changes: Partial<State>): State {
  if (state !== ownState) ownState = { ...state }
  return Object.assign(ownState, changes)
}

/** A copy of the transcript to change in place. */
export function mutableTranscript(transcript: readonly EntryRecord[]): EntryRecord[] {
  if (transcript !== ownTranscript) ownTranscript = transcript.slice()
  return ownTranscript
}
