// Gives an entry of the transcript its key, time and place, and inserts and moves entries.

import { signal } from '@preact/signals-core'
import type { Decision, MessagePayload, ServerEvent } from '../../protocol/index.ts'
import type { Context } from '../state/events.ts'
import type { Content, Handoff, NoticeEntry, Role } from '../state/model.ts'
import { amend, type Changes, mutableTranscript } from '../state/mutable-copy.ts'
import type { EntryRecord, MessageRecord, State } from '../state/state.ts'

/** What a received event asks for beside the new state: public events, and effects on the session. */
export type Outcome = {
  message?: { key: string; role: Role; text: string }
  delivered?: string
  language?: string
  decision?: { message_id: string; decision: Decision }
  /** The page must route the visitor. */
  order?: Extract<Handoff, { state: 'client' }>
  over?: { expired: boolean; reason: string }
  /** The service does not know the session; the socket must be replaced; the agent does not join. */
  session?: 'unknown' | 'reconnect' | 'exhausted'
  error?: { code: string; message: string }
}

export type Result = { state: State; outcome?: Outcome }
export type Of<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>
/** `activeAt`: when the event happened, by the monotonic clock. */
export type EventContext = Omit<Context, 'run'> & { activeAt: number }

/** Records activity: inactivity counts from now on. */
export const activity = (at: number): Pick<State, 'activeAt' | 'slept' | 'endsAt'> => ({
  activeAt: at,
  slept: 0,
  endsAt: undefined,
})

export function timeOf(event: ServerEvent, wall: number): number {
  const time = event.timestamp === undefined ? Number.NaN : Date.parse(event.timestamp)
  return Number.isNaN(time) ? wall : time
}

/** A key that is the same in every replay: the message's id, else the event's, else its place. */
export const keyOf = (event: ServerEvent, state: State, messageId?: string): string =>
  messageId ?? event.id ?? `${state.sessionId}:${event.sequence ?? state.transcript.length}`

export const placeOf = (event: ServerEvent, state: State): number =>
  event.first_sequence ?? event.sequence ?? state.conversation.log.cursor

/** The content of a message that came whole. */
export const wholeContent = (
  text: string,
  from?: Partial<MessagePayload> & Pick<Content, 'confirm'>,
): Content => ({
  pieces: text === '' ? [] : [text],
  length: text === '' ? 0 : 1,
  complete: true,
  attachments: from?.attachments ?? [],
  callActions: from?.chat_call_actions ?? [],
  ...(from?.stopped && { stopped: true }),
  ...(from?.confirm && { confirm: from.confirm }),
})

export const newMessage = (
  fields: Omit<MessageRecord, 'kind' | 'content'>,
  content: Content,
): MessageRecord => ({ kind: 'message', ...fields, content: signal(content) })

/** Inserts an entry at its place within its session, which is nearly always the end. */
function insert(transcript: readonly EntryRecord[], entry: EntryRecord): readonly EntryRecord[] {
  let index = transcript.length
  for (; index > 0; index--) {
    const before = transcript[index - 1]
    if (!before || before.kind === 'divider' || before.place <= entry.place) break
  }
  const copy = mutableTranscript(transcript)
  copy.splice(index, 0, entry)
  return copy
}

export function insertMessage(state: State, entry: MessageRecord): State {
  state.messages.set(entry.key, entry)
  return amend(state, { transcript: insert(state.transcript, entry) })
}

/** Moves a message to the place of an earlier chunk that arrived late. */
export function moveMessage(state: State, key: string, place: number): State {
  const entry = state.messages.get(key)
  if (!entry || entry.place <= place) return state
  const others = state.transcript.filter((each) => each !== entry)
  return insertMessage({ ...state, transcript: others }, { ...entry, place })
}

export function notice(
  state: State,
  event: ServerEvent,
  kind: NoticeEntry['notice'],
  words: { name?: string | undefined; text?: string | undefined },
  at: number,
  changes: Changes = {},
): Result {
  const entry: EntryRecord = {
    kind: 'notice',
    key: keyOf(event, state),
    at,
    notice: kind,
    name: words.name,
    text: words.text,
    place: placeOf(event, state),
  }
  return { state: amend(state, { ...changes, transcript: insert(state.transcript, entry) }) }
}
