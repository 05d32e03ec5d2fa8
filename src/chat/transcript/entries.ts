// Grows the transcript: finds the place of each entry, and updates the content of messages.

import { signal } from '@preact/signals-core'
import type { Attachment, MessagePayload, ServerEvent } from '../../protocol/index.ts'
import type { Content, NoticeEntry, Role } from '../state/model.ts'
import type { EntryRecord, MessageRecord, State, Stream } from '../state/state.ts'
import { amend, mutableTranscript } from './draft.ts'
import * as logs from './log.ts'
import * as streams from './streams.ts'

/** The consequences of a change for the reducer: public events, and effects on the session. */
export type Outcome = {
  message?: { key: string; role: Role; text: string }
  delivered?: string
  language?: string
  over?: { expired: boolean; reason: string }
  /** The service does not know the session; the socket must be replaced; the agent does not join. */
  session?: 'unknown' | 'reconnect' | 'exhausted'
  error?: { code: string; message: string }
}

export type Result = { state: State; outcome: Outcome }
export type Of<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>
/** `active`: when the event happened, by the monotonic clock. */
export type EventContext = { now: number; wall: number; random: number; activeAt: number }

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

/** Inserts an entry at its place within its session, which is nearly always the end. */
function insert(transcript: readonly EntryRecord[], entry: EntryRecord): readonly EntryRecord[] {
  let index = transcript.length
  for (; index > 0; index--) {
    const before = transcript[index - 1]
    if (!before || before.kind === 'divider' || before.place <= entry.place) break
  }
  const draft = mutableTranscript(transcript)
  draft.splice(index, 0, entry)
  return draft
}

export const placeOf = (event: ServerEvent, state: State): number =>
  event.first_sequence ?? event.sequence ?? state.log.cursor

export const wholeContent = (text: string, from?: Partial<MessagePayload>): Content => ({
  pieces: text === '' ? [] : [text],
  length: text === '' ? 0 : 1,
  complete: true,
  attachments: from?.attachments ?? [],
  callActions: from?.chat_call_actions ?? [],
  ...(from?.stopped && { stopped: true }),
})

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

export const isBlank = (content: Content): boolean =>
  content.length === 0 && content.attachments.length === 0 && content.callActions.length === 0

export const textOf = (content: Content): string => content.pieces.slice(0, content.length).join('')

export const EMPTY: Content = { pieces: [], length: 0, complete: false, attachments: [], callActions: [] }
/** The content after a chunk. Chunks in order are appended in place. */
export function withChunk(
  before: Content,
  grown: streams.Grown,
  complete: boolean,
  attachments: readonly Attachment[],
  join: 'space' | undefined,
): Content {
  const fresh = 'all' in grown || before === EMPTY
  const pieces = fresh ? [] : (before.pieces as string[])
  pieces.push(...streams.joined(pieces, 'all' in grown ? grown.all : grown.add, join))
  const more = attachments.filter(
    ({ content_url }, index) =>
      !before.attachments.some((each) => each.content_url === content_url) &&
      attachments.findIndex((each) => each.content_url === content_url) === index,
  )
  return {
    ...before,
    pieces,
    length: pieces.length,
    complete,
    attachments: more.length > 0 ? [...before.attachments, ...more] : before.attachments,
  }
}

/** Begins an answer in chunks, at the place of its first one. */
export const newAnswer = ({ agent }: State, { key, at, after }: Stream, content: Content): MessageRecord => ({
  kind: 'message',
  key,
  role: 'agent',
  at,
  agentName: agent.name,
  avatarUrl: agent.avatarUrl,
  place: after + 1,
  content: signal(content),
})

/** Completes answers that will not continue: shows their held-back chunks. */
export function closeStreams(state: State): State {
  let next = state
  for (const stream of state.streams.values()) next = closeStream(next, stream)
  return next
}

function closeStream(state: State, stream: Stream): State {
  const entry = state.messages.get(stream.key)
  const grown = streams.show(stream)
  if (entry?.content.peek().complete && 'add' in grown) return state
  const content = withChunk(entry?.content.peek() ?? EMPTY, grown, true, [], state.chunkJoin)
  if (!entry) return isBlank(content) ? state : insertMessage(state, newAnswer(state, stream, content))
  entry.content.value = content
  return state
}

/** After a replay, answers that lack a chunk count as complete; a late chunk is still inserted. */
export function acceptReplay(state: State): State {
  let next = { ...state, log: logs.endReplay(state.log) }
  for (const stream of state.streams.values()) if (stream.last !== undefined) next = closeStream(next, stream)
  return next
}

export function notice(
  state: State,
  event: ServerEvent,
  kind: NoticeEntry['notice'],
  words: { name?: string | undefined; text?: string | undefined },
  at: number,
  changes: Partial<State> = {},
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
  return { state: amend(state, { ...changes, transcript: insert(state.transcript, entry) }), outcome: {} }
}
