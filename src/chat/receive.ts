// What an event of the service changes: transcript, streams, agent, handoff, and what the log knows.

import { signal } from '@preact/signals-core'
import { idleWarningLead, idOf, type MessagePayload, type ServerEvent } from '../protocol/index.ts'
import type { Content, NoticeEntry, Role } from './model.ts'
import * as outbox from './outbox.ts'
import type { KeptEntry, KeptMessage, State, Stream } from './state.ts'

/** What the reducer must do beside the change: facts for listeners, and ends of the session. */
export type Aftermath = {
  message?: { key: string; role: Role; text: string }
  delivered?: string
  language?: string
  over?: { expired: boolean; reason: string }
  unknownSession?: true
  error?: { code: string; message: string }
}

type Changed = { state: State; after: Aftermath }
type Of<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>

const HIGH_LOAD_WAIT = 2_000
const HIGH_LOAD_SPREAD = 3_000

/** Takes one event in. Events seen before change nothing. */
export function receive(
  state: State,
  event: ServerEvent,
  now: number,
  wall: number,
  random: number,
): Changed {
  const { log } = state
  if (event.id !== undefined) {
    if (log.seen.has(event.id)) return { state, after: {} }
    log.seen.add(event.id)
  }
  const noted = noteSequence(state, event.sequence, event.replayed, now)
  return apply(noted, event, { now, wall, random })
}

/** Moves the cursor, and notes a hole in live sequences. Also for events that could not be read. */
export function noteSequence(
  state: State,
  sequence: number | undefined,
  replayed: boolean,
  now: number,
): State {
  const { log } = state
  if (sequence === undefined || sequence <= log.cursor) return state
  const hole = !replayed && log.cursor > 0 && sequence > log.cursor + 1 && !log.gap
  const gap = hole ? { after: log.cursor, since: now } : log.gap
  return { ...state, log: { ...log, cursor: sequence, gap } }
}

const assistant = (
  name: string | undefined,
  avatarUrl: string | undefined,
): Pick<State, 'agent' | 'assistant'> => {
  const agent = { name, avatarUrl, live: false }
  return { agent, assistant: agent }
}

type Moment = { now: number; wall: number; random: number }

function apply(state: State, event: ServerEvent, moment: Moment): Changed {
  const { now, wall } = moment
  const at = timeOf(event, wall)
  const only = (changes: Partial<State>): Changed => ({ state: { ...state, ...changes }, after: {} })
  switch (event.type) {
    case 'EVENT_TYPE_SESSION_START':
      return only({ capabilities: event.payload.capabilities })
    case 'EVENT_TYPE_USER_MESSAGE':
      return echo(state, event, moment)
    case 'EVENT_TYPE_POLY_AGENT_JOINED':
      return only({
        log: { ...state.log, joined: true },
        ...assistant(event.payload.agent_name, event.payload.agent_avatar_url),
        activeAt: now,
      })
    case 'EVENT_TYPE_POLY_AGENT_THINKING':
      // A replay may hold one whose answer is long here.
      return event.replayed ? only({}) : only({ typing: { role: 'agent' }, typingSince: now, activeAt: now })
    case 'EVENT_TYPE_POLY_AGENT_MESSAGE':
      return message(state, event, 'agent', moment)
    case 'EVENT_TYPE_LIVE_AGENT_MESSAGE':
      return message(state, event, 'live', moment)
    case 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK':
      return chunk(state, event, moment)
    case 'EVENT_TYPE_POLY_AGENT_LEFT':
      return only({ typing: undefined, activeAt: now })
    case 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF':
      return notice(state, event, 'handoff', {}, at, {
        handoff: { state: 'pending' },
        activeAt: now,
        endsAt: undefined,
      })
    case 'EVENT_TYPE_HANDOFF_ACCEPTED':
      return only({
        handoff: { ...pending(state), queueName: event.payload.queue_name },
        activeAt: now,
      })
    case 'EVENT_TYPE_HANDOFF_QUEUE_STATUS':
      return only({
        handoff: {
          state: 'pending',
          queueName: event.payload.queue_name ?? pending(state).queueName,
          position: event.payload.position_in_queue,
          waitSeconds: event.payload.estimated_wait_seconds,
          message: event.payload.display_message,
        },
        activeAt: now,
      })
    case 'EVENT_TYPE_HANDOFF_FAILED':
    case 'EVENT_TYPE_HANDOFF_TIMEOUT':
      return notice(state, event, 'handoff-failed', { text: event.payload.reason }, at, {
        handoff: { state: 'failed', reason: event.payload.reason },
        typing: undefined,
        activeAt: now,
      })
    case 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED':
      return notice(state, event, 'handoff-client', {}, at, {
        handoff: {
          state: 'client',
          reason: event.payload.reason,
          queueName: event.payload.queue_name,
          route: event.payload.route,
        },
        activeAt: now,
      })
    case 'EVENT_TYPE_LIVE_AGENT_JOINED': {
      const { name, avatar_url } = event.payload.agent
      return notice(state, event, 'live-joined', { name }, at, {
        agent: { name, avatarUrl: avatar_url, live: true },
        handoff: { state: 'live' },
        activeAt: now,
      })
    }
    case 'EVENT_TYPE_LIVE_AGENT_TYPING': {
      if (event.replayed) return only({})
      const name = event.payload.agent_name ?? (state.agent.live ? state.agent.name : undefined)
      const typing =
        event.payload.state === 'TYPING_STATE_STARTED' ? { role: 'live' as const, name } : undefined
      return only({ typing, typingSince: now, activeAt: now })
    }
    case 'EVENT_TYPE_LIVE_AGENT_LEFT':
      return notice(state, event, 'live-left', { name: event.payload.agent_name ?? state.agent.name }, at, {
        agent: state.assistant,
        handoff: { state: 'none' },
        typing: undefined,
        activeAt: now,
      })
    case 'EVENT_TYPE_LANGUAGE_CHANGED': {
      const language = event.payload.language_code
      if (!language) return only({})
      return { state: { ...state, language }, after: { language } }
    }
    case 'EVENT_TYPE_SESSION_IDLE_WARNING': {
      const lead = idleWarningLead(state.capabilities?.session_idle_seconds ?? 600)
      return event.replayed
        ? only({})
        : only({ endsAt: state.endsAt ?? { at: now + lead * 1000, wall: wall + lead * 1000 } })
    }
    case 'EVENT_TYPE_SESSION_END': {
      const reason = event.payload.reason ?? 'REASON_NATURAL_END'
      return {
        state: { ...closeStreams(state), typing: undefined, suggestions: [] },
        after: { over: { expired: reason === 'REASON_USER_ABANDONED', reason } },
      }
    }
    case 'EVENT_TYPE_SYSTEM_MESSAGE':
      return system(state, event, moment)
    case 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN':
      return only({ activeAt: now })
    case 'EVENT_TYPE_USER_END_SESSION':
    case 'EVENT_TYPE_HEARTBEAT':
    case 'EVENT_TYPE_CSAT_RESPONSE':
    case 'EVENT_TYPE_SHOW_CSAT_REQUEST':
    case 'EVENT_TYPE_USER_RECEIVED_MESSAGE':
    case 'EVENT_TYPE_USER_READ_MESSAGE':
    case 'EVENT_TYPE_POLY_AGENT_RECEIVED_MESSAGE':
    case 'EVENT_TYPE_POLY_AGENT_READ_MESSAGE':
    case 'EVENT_TYPE_LIVE_AGENT_RECEIVED_MESSAGE':
    case 'EVENT_TYPE_LIVE_AGENT_READ_MESSAGE':
      return { state, after: {} }
  }
}

const pending = (state: State) =>
  state.handoff.state === 'pending' ? state.handoff : { state: 'pending' as const }

function timeOf(event: ServerEvent, wall: number): number {
  const time = event.timestamp === undefined ? Number.NaN : Date.parse(event.timestamp)
  return Number.isNaN(time) ? wall : time
}

/** A key that no replay changes: the message's own id, else the event's, else its place. */
const keyOf = (event: ServerEvent, state: State, messageId?: string): string =>
  messageId ?? event.id ?? `${state.sessionId}:${event.sequence ?? state.transcript.length}`

/** Puts an entry where its place says, within its session. Nearly always that is the end. */
function insert(transcript: readonly KeptEntry[], entry: KeptEntry): readonly KeptEntry[] {
  let index = transcript.length
  for (; index > 0; index--) {
    const before = transcript[index - 1]
    if (!before || before.kind === 'divider' || before.place <= entry.place) break
  }
  return [...transcript.slice(0, index), entry, ...transcript.slice(index)]
}

const placeOf = (event: ServerEvent, state: State): number =>
  event.first_sequence ?? event.sequence ?? state.log.cursor

/** Our own message came back: out of the outbox and into the transcript, in one step (law L3). */
function echo(state: State, event: Of<'EVENT_TYPE_USER_MESSAGE'>, { now, wall }: Moment): Changed {
  const id = idOf(event.metadata?.custom)
  const key = id ?? keyOf(event, state, event.payload.message_id)
  const rest = id === undefined ? state.outbox : outbox.without(state.outbox, id)
  const base = { ...state, outbox: rest, suggestions: [], activeAt: now, endsAt: undefined }
  if (state.messages.has(key)) return { state: base, after: {} }
  const entry: KeptMessage = {
    kind: 'message',
    key,
    role: 'visitor',
    at: timeOf(event, wall),
    place: placeOf(event, state),
    content: signal(said(event.payload.text)),
  }
  return {
    state: { ...base, ...kept(state, entry) },
    after: id !== undefined && rest !== state.outbox ? { delivered: id } : {},
  }
}

const said = (text: string, from?: Partial<MessagePayload>): Content => ({
  pieces: text === '' ? [] : [text],
  length: text === '' ? 0 : 1,
  complete: true,
  attachments: from?.attachments ?? [],
  callActions: from?.chat_call_actions ?? [],
})

function kept(state: State, entry: KeptMessage): Pick<State, 'transcript'> {
  state.messages.set(entry.key, entry)
  return { transcript: insert(state.transcript, entry) }
}

const isBlank = (content: Content): boolean =>
  content.length === 0 && content.attachments.length === 0 && content.callActions.length === 0

/** A whole message. It replaces one that was half streamed, in its place. */
function message(
  state: State,
  event: Of<'EVENT_TYPE_POLY_AGENT_MESSAGE'> | Of<'EVENT_TYPE_LIVE_AGENT_MESSAGE'>,
  role: 'agent' | 'live',
  { now, wall }: Moment,
): Changed {
  const { payload } = event
  const key = keyOf(event, state, payload.message_id)
  const content = said(payload.text, payload)
  const present = state.messages.get(key)
  const streams = new Map(state.streams)
  streams.delete(key)
  let next: State = {
    ...state,
    streams,
    typing: undefined,
    activeAt: now,
    endsAt: undefined,
    suggestions: payload.response_suggestions,
  }
  if (present) {
    // The streamed text is kept as it is where it says the same: nothing on the screen moves.
    const same = textOf(present.content.value) === payload.text
    present.content.value = same
      ? { ...content, pieces: present.content.value.pieces, length: present.content.value.length }
      : content
  } else if (!isBlank(content)) {
    next = {
      ...next,
      ...kept(next, {
        kind: 'message',
        key,
        role,
        at: timeOf(event, wall),
        agentName: payload.agent_name ?? state.agent.name,
        avatarUrl: payload.avatar_url ?? state.agent.avatarUrl,
        place: placeOf(event, state),
        content: signal(content),
      }),
    }
  }
  const after: Aftermath =
    isBlank(content) || present?.content.value.complete === false ? {} : news(key, role, payload.text)
  if (payload.end_conversation) after.over = { expired: false, reason: 'REASON_NATURAL_END' }
  return { state: present || isBlank(content) ? next : counted(next, event), after }
}

const news = (key: string, role: Role, text: string): Aftermath => ({ message: { key, role, text } })

/** What came while nobody looked. The history that a page begins with was seen before. */
const counted = (state: State, event: ServerEvent): State =>
  state.shown || (event.replayed && !state.everLive) ? state : { ...state, unread: state.unread + 1 }

const textOf = (content: Content): string => content.pieces.slice(0, content.length).join('')

/**
 * One piece of an answer. Nothing here looks at what came before it (law L6): the piece is put behind the
 * others, in place, and the message's own signal says so.
 */
function chunk(
  state: State,
  event: Of<'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'>,
  { now, wall }: Moment,
): Changed {
  const { payload } = event
  const key = payload.message_id ?? 'unnamed'
  const present = state.messages.get(key)
  if (present?.content.value.complete) return { state, after: {} }
  let next = state
  let stream = state.streams.get(key)
  if (!stream) {
    stream = { id: key, next: 1, early: new Map() }
    // A new answer ends the one before it: what arrived of that is kept.
    next = { ...closeStreams(next), streams: new Map([[key, stream]]) }
  }
  const texts = inOrder(stream, payload.chunk_index, payload.text)
  if (payload.is_complete) texts.push(...leftOver(stream))
  const done = payload.is_complete
  const said = texts.filter((text) => text !== '')
  next = { ...next, activeAt: now, endsAt: undefined }
  if (next.typing && (said.length > 0 || done)) next = { ...next, typing: undefined }

  let entry = next.messages.get(key)
  if (!entry && (said.length > 0 || payload.attachments.length > 0)) {
    entry = {
      kind: 'message',
      key,
      role: 'agent',
      at: timeOf(event, wall),
      agentName: state.agent.name,
      avatarUrl: state.agent.avatarUrl,
      place: placeOf(event, state),
      content: signal<Content>({ pieces: [], length: 0, complete: false, attachments: [], callActions: [] }),
    }
    next = counted({ ...next, ...kept(next, entry), suggestions: [] }, event)
  }
  if (entry) {
    const { value } = entry.content
    const pieces = value.pieces as string[]
    pieces.push(...said)
    entry.content.value = {
      ...value,
      length: pieces.length,
      complete: done,
      attachments: payload.attachments.length > 0 ? payload.attachments : value.attachments,
    }
  }
  if (!done) return { state: next, after: {} }
  const streams = new Map(next.streams)
  streams.delete(key)
  return {
    state: { ...next, streams, suggestions: payload.response_suggestions },
    after: entry ? news(key, 'agent', textOf(entry.content.value)) : {},
  }
}

/** The texts that are now in order. A chunk without a number is taken as the next. */
function inOrder(stream: Stream, index: number | undefined, text: string): string[] {
  if (index !== undefined && index < stream.next) return []
  if (index !== undefined && index > stream.next) {
    stream.early.set(index, text)
    return []
  }
  const texts = [text]
  stream.next++
  for (
    let early = stream.early.get(stream.next);
    early !== undefined;
    early = stream.early.get(stream.next)
  ) {
    texts.push(early)
    stream.early.delete(stream.next)
    stream.next++
  }
  return texts
}

function leftOver(stream: Stream): string[] {
  const texts = [...stream.early.entries()].sort(([a], [b]) => a - b).map(([, text]) => text)
  stream.early.clear()
  return texts
}

/** Answers that will not go on: what is held back of them is shown, and they count as complete. */
export function closeStreams(state: State): State {
  if (state.streams.size === 0) return state
  for (const stream of state.streams.values()) {
    const entry = state.messages.get(stream.id)
    if (!entry) continue
    const { value } = entry.content
    const pieces = value.pieces as string[]
    pieces.push(...leftOver(stream))
    entry.content.value = { ...value, length: pieces.length, complete: true }
  }
  return { ...state, streams: new Map() }
}

function notice(
  state: State,
  event: ServerEvent,
  kind: NoticeEntry['notice'],
  words: { name?: string | undefined; text?: string | undefined },
  at: number,
  changes: Partial<State> = {},
): Changed {
  const entry: KeptEntry = {
    kind: 'notice',
    key: keyOf(event, state),
    at,
    notice: kind,
    name: words.name,
    text: words.text,
    place: placeOf(event, state),
  }
  return { state: { ...state, ...changes, transcript: insert(state.transcript, entry) }, after: {} }
}

/** Texts that a client acts on; all others are shown. Source: the message protocol, "System messages". */
function system(
  state: State,
  event: Of<'EVENT_TYPE_SYSTEM_MESSAGE'>,
  { now, wall, random }: Moment,
): Changed {
  const { level, message: text } = event.payload
  const words = text.toLowerCase()
  const about = idOf(event.metadata?.custom)
  if (words.startsWith('unknown event type') || words.startsWith('event type not allowed')) {
    // Our own fault: nothing that a visitor could act on, but a message it was about will never arrive.
    const box = about === undefined ? state.outbox : outbox.failed(state.outbox, about)
    return { state: { ...state, outbox: box }, after: { error: { code: 'protocol', message: text } } }
  }
  if (words.includes('high load')) {
    const first = about ?? state.outbox.find((item) => item.state === 'sent')?.id
    const until = now + HIGH_LOAD_WAIT + random * HIGH_LOAD_SPREAD
    return {
      state: first ? { ...state, outbox: outbox.postponed(state.outbox, first, until) } : state,
      after: {},
    }
  }
  if (words.includes('session not found')) return { state, after: { unknownSession: true } }
  if (words.includes('conversation not found') || words.includes('conversation id not found'))
    return { state: { ...state, joinAsked: false, log: { ...state.log, joined: false } }, after: {} }
  if (words.includes('failed to forward message to live agent')) {
    const last = about ?? state.outbox.find((item) => item.state === 'sent')?.id
    return { state: last ? { ...state, outbox: outbox.failed(state.outbox, last) } : state, after: {} }
  }
  const isError = level === 'SYSTEM_MESSAGE_LEVEL_ERROR'
  const box = isError && about !== undefined ? outbox.failed(state.outbox, about) : state.outbox
  const changes: Partial<State> = { outbox: box, typing: isError ? undefined : state.typing }
  const base = isError ? closeStreams(state) : state
  if (text.trim() === '') return { state: { ...base, ...changes }, after: {} }
  return notice(base, event, isError ? 'error' : 'system', { text }, timeOf(event, wall), changes)
}
