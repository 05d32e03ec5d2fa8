// Handles system messages: some make the client act, the others are shown.

import { idOf } from '../../protocol/index.ts'
import * as outbox from '../outbox/items.ts'
import { answered } from '../outbox/requests.ts'
import { inConversation, type MessageRecord, type State } from '../state/state.ts'
import { closeStreams } from './answers.ts'
import { type EventContext, notice, type Of, type Outcome, type Result, timeOf } from './entries.ts'

const HIGH_LOAD_WAIT = 2_000
const HIGH_LOAD_SPREAD = 3_000
const FIRST_PAUSE = 1_000
const MOST_JOINS = 5
/** After this time without a request, the count of requests to join starts again. */
const JOINS_FORGIVEN = 300_000

type Meaning =
  | 'our-fault'
  | 'high-load'
  | 'unknown-session'
  | 'reconnect'
  | 'no-conversation'
  | 'not-forwarded'

/** Matched case-insensitively. Source: the message protocol, "System messages". */
const MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/^(unknown event type|event type not allowed)/i, 'our-fault'],
  [/high load/i, 'high-load'],
  [/session not found/i, 'unknown-session'],
  [/unable to retrieve session/i, 'reconnect'],
  [/conversation (id )?not found|unable to start a conversation/i, 'no-conversation'],
  [/failed to forward message to live agent/i, 'not-forwarded'],
]

export function system(state: State, event: Of<'EVENT_TYPE_SYSTEM_MESSAGE'>, context: EventContext): Result {
  const { level, message: text, code } = event.payload
  const about = idOf(event.metadata?.custom)
  // The visitor cannot act on a rating that the service refuses.
  const rest = answered(state, about)
  if (rest !== state) return { state: rest, outcome: { error: { code: 'protocol', message: text } } }
  const meaning = MEANINGS.find(([words]) => words.test(text))?.[1]
  const isError = level === 'SYSTEM_MESSAGE_LEVEL_ERROR'
  // Do not act on a replayed system message: the action was taken, or is obsolete.
  if (event.replayed && meaning !== undefined) return { state }
  switch (meaning) {
    case 'our-fault':
      // The visitor cannot act on it, but the message it concerns will never arrive.
      return refused(state, about, { error: { code: 'protocol', message: text } })
    case 'unknown-session':
      return { state, outcome: { session: 'unknown' } }
    case 'reconnect':
      return { state, outcome: { session: 'reconnect' } }
    case 'no-conversation':
      return joinAgain(state, context.now)
    case 'not-forwarded': {
      const item = state.outbox.find((each) => each.id === about)
      if (item) return refused(state, about)
      return about === undefined && inFlight(state) ? asked(state, context) : undelivered(state, about)
    }
    case 'high-load': {
      const waits = about === undefined ? inFlight(state) : state.outbox.some(({ id }) => id === about)
      const next = waits ? asked(state, context, about).state : undelivered(state, about).state
      return notice(next, event, 'system', { text }, timeOf(event, context.wall), { typing: undefined })
    }
    case undefined:
      break
  }
  const next = isError ? { ...refused(closeStreams(state), about).state, typing: undefined } : state
  if (text.trim() === '') return { state: next }
  const kind = isError ? 'error' : code === 'waiting' ? 'queue-message' : 'system'
  return notice(next, event, kind, { text }, timeOf(event, context.wall))
}

const inFlight = (state: State): boolean => state.outbox.some(outbox.isSent)

const refused = (state: State, about: string | undefined, outcome?: Outcome): Result => ({
  state: about === undefined ? state : { ...state, outbox: outbox.failed(state.outbox, about) },
  outcome,
})

/** Handles an overload: after a pause, a replay shows whether the sent message arrived. */
function asked(state: State, { now, random }: EventContext, about?: string): Result {
  const id = about ?? state.outbox.find(outbox.isSent)?.id
  const at = now + HIGH_LOAD_WAIT + random * HIGH_LOAD_SPREAD
  return { state: id ? { ...state, outbox: outbox.hurried(state.outbox, id, at) } : state }
}

/** Handles a message that the service accepted and could not process. */
function undelivered(state: State, about: string | undefined): Result {
  const entry = about === undefined ? newestUnanswered(state) : state.messages.get(about)
  if (entry?.role === 'visitor') entry.content.value = { ...entry.content.value, undelivered: true }
  return { state: { ...state, typing: undefined } }
}

function newestUnanswered({ transcript }: State): MessageRecord | undefined {
  const last = transcript.findLast((entry) => entry.kind !== 'notice')
  return last?.kind === 'message' && last.role === 'visitor' ? last : undefined
}

/** Requests again that the agent joins: after 1 s, then after twice as long each time, up to five times. */
function joinAgain(state: State, now: number): Result {
  const { join, log } = state.conversation
  if (!join.asked && !log.joined && join.notBefore > now) return { state }
  const times = now - join.at > JOINS_FORGIVEN ? 0 : join.times
  if (times >= MOST_JOINS) return { state, outcome: { session: 'exhausted' } }
  const notBefore = now + FIRST_PAUSE * 2 ** Math.max(0, times - 1)
  return {
    state: inConversation(state, {
      join: { ...join, asked: false, times, notBefore },
      log: { ...log, joined: false },
    }),
  }
}
