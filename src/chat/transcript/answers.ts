// Shows what the agent and live agents say: whole messages, and answers in chunks (see streams.ts). Counts unread messages.

import type { Attachment, MessagePayload, ServerEvent } from '../../protocol/index.ts'
import type { Content, Role } from '../state/model.ts'
import { amend } from '../state/mutable-copy.ts'
import { inConversation, type Log, type MessageRecord, type State, type Stream } from '../state/state.ts'
import {
  activity,
  type EventContext,
  insertMessage,
  keyOf,
  moveMessage,
  newMessage,
  type Of,
  type Outcome,
  placeOf,
  type Result,
  timeOf,
  wholeContent,
} from './entries.ts'
import * as logs from './log.ts'
import * as streams from './streams.ts'

const EMPTY: Content = { pieces: [], length: 0, complete: false, attachments: [], callActions: [] }

const isBlank = (content: Content): boolean =>
  content.length === 0 && content.attachments.length === 0 && content.callActions.length === 0

const textOf = (content: Content): string => content.pieces.slice(0, content.length).join('')

/** Handles a whole message. It replaces the chunks of the same message, in their place. */
export function message(
  state: State,
  event: Of<'EVENT_TYPE_POLY_AGENT_MESSAGE'> | Of<'EVENT_TYPE_LIVE_AGENT_MESSAGE'>,
  role: 'agent' | 'live',
  context: EventContext,
): Result {
  const { payload } = event
  const key = keyOf(event, state, payload.message_id)
  const confirm = confirmOf(state, key, payload)
  const content = wholeContent(payload.text, { ...payload, confirm })
  const present = state.messages.get(key)
  const before = present?.content.value
  const over = payload.end_conversation ? { over: { expired: false, reason: 'REASON_NATURAL_END' } } : {}
  const same = before !== undefined && textOf(before) === payload.text
  // Known already under another event id: a replay begins one event back.
  if (same && before.complete && !state.conversation.streams.has(key)) return { state, outcome: over }
  state.conversation.streams.delete(key)
  state.conversation.withoutFirst.delete(key)
  const base = amend(state, {
    conversation: {
      log: withoutMissingChunk(state.conversation.log, key),
      suggestions: confirm ? [] : payload.response_suggestions,
      ...(confirm && { question: questionAfter(state, event, key, confirm) }),
    },
    typing: undefined,
    ...activity(context.activeAt),
  })
  if (present && before) {
    // Keep the streamed pieces if their text is the same, so that the screen does not change.
    const shown = same ? { ...content, pieces: before.pieces, length: before.length } : content
    present.content.value = before.rating ? { ...shown, rating: before.rating } : shown
    const placed = moveMessage(base, key, placeOf(event, state))
    if (before.complete) return { state: placed, outcome: over }
    const outcome = { ...over, ...messageOutcome(key, role, payload.text) }
    return { state: same ? placed : countUnread(placed, event, key), outcome }
  }
  if (isBlank(content)) return { state: base, outcome: over }
  const fields = {
    key,
    role,
    at: timeOf(event, context.wall),
    agentName: payload.agent_name ?? state.conversation.agent.name,
    avatarUrl: payload.avatar_url ?? state.conversation.agent.avatarUrl,
    place: placeOf(event, state),
  }
  // A stream that stopped when another message came is over as far as anybody knows: its links work then.
  const shown = insertMessage(closeStreams(base), newMessage(fields, content))
  return {
    // Phone buttons may follow an answer as a message of their own, without text.
    state: payload.text === '' ? shown : countUnread(shown, event, key),
    outcome: { ...over, ...messageOutcome(key, role, payload.text) },
  }
}

/** The question of a message, where the service takes a decision about it. */
function confirmOf(
  { capabilities, conversation }: State,
  key: string,
  { confirm }: MessagePayload,
): Content['confirm'] {
  if (!capabilities?.confirm || confirm?.id !== key) return undefined
  return { ...confirm, decision: conversation.decided.get(key) }
}

/** The open question once this one has come. One that comes late closes none that was asked after it. */
function questionAfter(
  state: State,
  event: ServerEvent,
  key: string,
  confirm: NonNullable<Content['confirm']>,
): string | undefined {
  const { question = key } = state.conversation
  const open = state.messages.get(question)
  if (question !== key && open && open.place > placeOf(event, state)) return question
  return confirm.decision ? undefined : key
}

/** Handles one chunk of an answer (see streams.ts). */
export function chunk(
  state: State,
  event: Of<'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'>,
  context: EventContext,
): Result {
  const { payload } = event
  const key = payload.message_id ?? state.conversation.unnamed ?? `chunks:${event.id}`
  let stream = state.conversation.streams.get(key)
  const known = state.messages.get(key)
  if (!stream && known?.content.value.complete) {
    // Its chunks are counted from 0 after all: this one goes before the others.
    if (payload.chunk_index !== 0 || !state.conversation.withoutFirst.delete(key)) return { state }
    known.content.value = withFirstChunk(known.content.value, payload.text)
    return { state: moveMessage(state, key, placeOf(event, state)) }
  }
  const before = (event.sequence ?? state.conversation.log.cursor + 1) - 1
  // A new answer ends the one before it, whose chunks are shown as far as they arrived.
  const base = stream ? state : closeStreams(state)
  if (stream) stream.after = Math.min(stream.after, before)
  else {
    stream = streams.newStream(key, before, timeOf(event, context.wall))
    state.conversation.streams.set(key, stream)
  }
  const grown = streams.grow(stream, payload.chunk_index, payload.text, payload.is_complete)
  if (payload.response_suggestions.length > 0) stream.suggestions = payload.response_suggestions
  const done = streams.isWhole(stream)
  if (done) state.conversation.streams.delete(key)
  if (done && !stream.texts.has(0)) state.conversation.withoutFirst.add(key)
  const unnamed = payload.message_id ? state.conversation.unnamed : payload.is_complete ? undefined : key

  const entry = state.messages.get(key)
  const grownBy = withChunk(entry?.content.value ?? EMPTY, grown, done, payload.attachments, state.chunkJoin)
  const changed = payload.stopped ? { ...grownBy, stopped: true } : grownBy
  const speaks = payload.text !== '' || done
  let next = noteActivity(base, unnamed, context.activeAt)
  if (next.typing && speaks) next = amend(next, { typing: undefined })
  const { log } = next.conversation
  if (done)
    next = amend(next, {
      conversation: { suggestions: stream.suggestions, log: withoutMissingChunk(log, key) },
    })
  else if (stream.last !== undefined && !state.conversation.log.missingChunk)
    // The answer claims to be complete and lacks a chunk: request one replay.
    next = amend(next, {
      conversation: { log: { ...log, missingChunk: { key, after: stream.after, since: context.now } } },
    })
  const outcome = done && changed.length > 0 ? messageOutcome(key, 'agent', textOf(changed)) : {}
  if (entry) {
    const hasMore = changed.length > entry.content.value.length
    entry.content.value = changed
    const placed = moveMessage(next, key, stream.after + 1)
    return { state: hasMore ? countUnread(placed, event, key) : placed, outcome }
  }
  if (isBlank(changed)) return { state: next }
  const shown = insertMessage(next, newAnswer(next, stream, changed))
  return {
    state: countUnread(done ? shown : amend(shown, { conversation: { suggestions: [] } }), event, key),
    outcome,
  }
}

/** The content after a chunk. Chunks in order are appended in place. */
function withChunk(
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

const withFirstChunk = (content: Content, text: string): Content => ({
  ...content,
  pieces: [text, ...content.pieces],
  length: content.length + 1,
})

/** Begins an answer in chunks, at the place of its first one. */
function newAnswer(
  { conversation: { agent } }: State,
  { key, at, after }: Stream,
  content: Content,
): MessageRecord {
  const { name: agentName, avatarUrl } = agent
  return newMessage({ key, role: 'agent', at, agentName, avatarUrl, place: after + 1 }, content)
}

/** Completes answers that will not continue, and shows their buffered chunks. */
export function closeStreams(state: State): State {
  let next = state
  for (const stream of state.conversation.streams.values()) next = closeStream(next, stream)
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
  let next = inConversation(state, { log: logs.endReplay(state.conversation.log) })
  for (const stream of state.conversation.streams.values())
    if (stream.last !== undefined) next = closeStream(next, stream)
  return next
}

/** Only the first of the many chunks in one frame changes the state here. */
const noteActivity = (state: State, unnamed: string | undefined, at: number): State =>
  state.conversation.unnamed === unnamed &&
  state.activeAt === at &&
  state.slept === 0 &&
  state.endsAt === undefined
    ? state
    : amend(state, { conversation: { unnamed }, ...activity(at) })

const withoutMissingChunk = (log: Log, key: string): Log =>
  log.missingChunk?.key === key ? { ...log, missingChunk: undefined } : log

const messageOutcome = (key: string, role: Role, text: string): Outcome => ({ message: { key, role, text } })

/**
 * Counts a message as unread, once, if its text arrives while the panel is closed, or came while it was on an earlier page: the first replay
 * counts beyond what was read there.
 */
const countUnread = (state: State, event: ServerEvent, key: string): State =>
  state.shown ||
  state.counted.has(key) ||
  (event.replayed && !state.everLive && state.tabs.readTo === 0) ||
  // The visitor has read it in another tab, or on an earlier page.
  (event.sequence ?? Number.POSITIVE_INFINITY) <= state.tabs.readTo
    ? state
    : amend(state, { unread: state.unread + 1, counted: new Set(state.counted).add(key) })
