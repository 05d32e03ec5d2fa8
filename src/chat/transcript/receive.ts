// Applies one event of the service to the state: agent, handoff, session, ratings. Answers and system messages have files of their own.

import {
  DEFAULT_SESSION_IDLE_SECONDS,
  idleWarningLead,
  idOf,
  type ServerEvent,
} from '../../protocol/index.ts'
import * as outbox from '../outbox/items.ts'
import { answered } from '../outbox/requests.ts'
import type { Handoff } from '../state/model.ts'
import { amend, type Changes } from '../state/mutable-copy.ts'
import { inConversation, type State } from '../state/state.ts'
import { chunk, closeStreams, message } from './answers.ts'
import {
  activity,
  type EventContext,
  insertMessage,
  keyOf,
  newMessage,
  notice,
  type Of,
  placeOf,
  type Result,
  timeOf,
  wholeContent,
} from './entries.ts'
import * as logs from './log.ts'
import { system } from './system.ts'

/** Applies one event. Events seen before only move the cursor. */
export function receive(state: State, event: ServerEvent, context: Omit<EventContext, 'activeAt'>): Result {
  const { now, wall } = context
  const log = logs.note(state.conversation.log, event.sequence, now, event.replayed)
  const next = amend(state, { conversation: { log } })
  if (event.id !== undefined) {
    // A repeated SESSION_END still ends the session.
    const repeated = log.seen.has(event.id)
    if (repeated && event.type !== 'EVENT_TYPE_SESSION_END') return { state: next }
    log.seen.add(event.id)
  }
  return apply(next, event, { ...context, activeAt: activeAt(next, event, now, wall) })
}

/** When an event happened. A replayed event may have happened at any time since the connection was lost. */
function activeAt(
  { activeAt, everLive, lostAt }: State,
  event: ServerEvent,
  now: number,
  wall: number,
): number {
  if (!event.replayed || !everLive) return now
  const age = Math.min(Math.max(0, wall - timeOf(event, wall)), now - (lostAt ?? now))
  return Math.max(activeAt, now - age)
}

function apply(state: State, event: ServerEvent, context: EventContext): Result {
  const { now, wall } = context
  const did = activity(context.activeAt)
  const at = timeOf(event, wall)
  const only = (changes: Changes): Result => ({ state: amend(state, changes) })
  const handOff = (handoff: Handoff): Changes => ({ conversation: { handoff }, ...did })
  switch (event.type) {
    case 'EVENT_TYPE_SESSION_START':
      return only({
        capabilities: event.payload.capabilities,
        conversation: { hasStatus: event.payload.capabilities.session_status },
      })
    case 'EVENT_TYPE_USER_MESSAGE':
      return echo(state, event, context)
    case 'EVENT_TYPE_POLY_AGENT_JOINED': {
      const { agent_name: name, agent_avatar_url: avatarUrl } = event.payload
      const agent = { name, avatarUrl, live: false }
      const log = { ...state.conversation.log, joined: true }
      return only({ conversation: { log, agent }, assistant: agent, ...did })
    }
    case 'EVENT_TYPE_POLY_AGENT_THINKING':
      // A replayed THINKING may be older than its answer.
      return event.replayed ? only({}) : only({ typing: { role: 'agent' }, typingSince: now, ...did })
    case 'EVENT_TYPE_POLY_AGENT_MESSAGE':
      return message(state, event, 'agent', context)
    case 'EVENT_TYPE_LIVE_AGENT_MESSAGE':
      return message(state, event, 'live', context)
    case 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK':
      return chunk(state, event, context)
    case 'EVENT_TYPE_POLY_AGENT_LEFT':
      return only({ typing: undefined, ...did })
    case 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF':
      return only(handOff({ state: 'pending' }))
    case 'EVENT_TYPE_HANDOFF_ACCEPTED':
      return only(handOff({ ...pending(state), queueName: event.payload.queue_name }))
    case 'EVENT_TYPE_HANDOFF_QUEUE_STATUS':
      return only(
        handOff({
          state: 'pending',
          queueName: event.payload.queue_name ?? pending(state).queueName,
          position: event.payload.position_in_queue,
          waitSeconds: event.payload.estimated_wait_seconds,
          message: event.payload.display_message,
        }),
      )
    case 'EVENT_TYPE_SHOW_CSAT_REQUEST':
      return only({ conversation: { csat: { state: 'asked' } } })
    case 'EVENT_TYPE_CSAT_RESPONSE': {
      const { score, comment } = event.payload
      const id = idOf(event.metadata?.custom)
      const rest = answered(state, id)
      // Another rating is on its way: that one counts.
      if (score === undefined || rest.conversation.requests.csat) return { state: rest }
      return { state: inConversation(rest, { csat: { state: 'given', score, comment } }) }
    }
    case 'EVENT_TYPE_USER_FEEDBACK': {
      const { message_id, rating } = event.payload
      const rest = answered(state, idOf(event.metadata?.custom))
      const entry = state.messages.get(message_id)
      if (entry && !rest.conversation.requests.feedback.some(({ messageId }) => messageId === message_id))
        entry.content.value = { ...entry.content.peek(), rating }
      return { state: rest }
    }
    case 'EVENT_TYPE_USER_DECISION':
      return decided(state, event)
    case 'EVENT_TYPE_HANDOFF_FAILED':
      if (event.payload.reason === 'left')
        return notice(state, event, 'queue-left', {}, at, {
          ...handOff({ state: 'none' }),
          typing: undefined,
        })
      return handoffFailed(state, event, at, did)
    case 'EVENT_TYPE_HANDOFF_TIMEOUT':
      return handoffFailed(state, event, at, did)
    case 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED': {
      const { reason, queue_name: queueName, route } = event.payload
      const order = { state: 'client', reason, queueName, route } as const
      return { ...notice(state, event, 'handoff-client', {}, at, handOff(order)), outcome: { order } }
    }
    case 'EVENT_TYPE_LIVE_AGENT_JOINED': {
      const { name, avatar_url } = event.payload.agent
      return notice(state, event, 'live-joined', { name }, at, {
        conversation: { agent: { name, avatarUrl: avatar_url, live: true }, handoff: { state: 'live' } },
        ...did,
      })
    }
    case 'EVENT_TYPE_LIVE_AGENT_TYPING': {
      if (event.replayed) return only({})
      const { agent } = state.conversation
      const name = event.payload.agent_name ?? (agent.live ? agent.name : undefined)
      const typing =
        event.payload.state === 'TYPING_STATE_STARTED' ? { role: 'live' as const, name } : undefined
      return only({ typing, typingSince: now, ...did })
    }
    case 'EVENT_TYPE_LIVE_AGENT_LEFT': {
      const name = event.payload.agent_name ?? state.conversation.agent.name
      return notice(state, event, 'live-left', { name }, at, {
        conversation: { agent: state.assistant, handoff: { state: 'none' } },
        typing: undefined,
        ...did,
      })
    }
    case 'EVENT_TYPE_LANGUAGE_CHANGED': {
      const language = event.payload.language_code
      if (!language) return only({})
      return { state: { ...state, language }, outcome: { language } }
    }
    case 'EVENT_TYPE_SESSION_IDLE_WARNING': {
      const lead =
        idleWarningLead(state.capabilities?.session_idle_seconds ?? DEFAULT_SESSION_IDLE_SECONDS) * 1000
      const { endsAt } = state
      // Our own clock may have warned of an earlier end: the service may know of more.
      return event.replayed || (endsAt && endsAt.at >= now + lead)
        ? only({})
        : only({ endsAt: { at: now + lead, wall: wall + lead } })
    }
    case 'EVENT_TYPE_SESSION_END': {
      const reason = event.payload.reason ?? 'REASON_NATURAL_END'
      return {
        state: {
          ...inConversation(closeStreams(state), { suggestions: [], question: undefined }),
          typing: undefined,
        },
        outcome: { over: { expired: reason === 'REASON_USER_ABANDONED', reason } },
      }
    }
    case 'EVENT_TYPE_SYSTEM_MESSAGE':
      return system(state, event, context)
    case 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN':
      return only(did)
    case 'EVENT_TYPE_USER_END_SESSION':
    case 'EVENT_TYPE_HEARTBEAT':
    case 'EVENT_TYPE_USER_RECEIVED_MESSAGE':
    case 'EVENT_TYPE_USER_READ_MESSAGE':
    case 'EVENT_TYPE_POLY_AGENT_RECEIVED_MESSAGE':
    case 'EVENT_TYPE_POLY_AGENT_READ_MESSAGE':
    case 'EVENT_TYPE_LIVE_AGENT_RECEIVED_MESSAGE':
    case 'EVENT_TYPE_LIVE_AGENT_READ_MESSAGE':
      return { state }
  }
}

/** Handles a decision that the service stored: the first about its question. */
function decided(state: State, { payload }: Of<'EVENT_TYPE_USER_DECISION'>): Result {
  const { confirm_id: id, decision } = payload
  const { decided, question } = state.conversation
  if (decided.has(id)) return { state }
  decided.set(id, decision)
  const entry = state.messages.get(id)
  const content = entry?.content.peek()
  if (entry && content?.confirm)
    entry.content.value = { ...content, confirm: { ...content.confirm, decision } }
  return {
    state: question === id ? amend(state, { conversation: { question: undefined } }) : state,
    outcome: { decision: { message_id: id, decision } },
  }
}

const handoffFailed = (
  state: State,
  event: Of<'EVENT_TYPE_HANDOFF_FAILED'> | Of<'EVENT_TYPE_HANDOFF_TIMEOUT'>,
  at: number,
  did: Partial<State>,
): Result => {
  const { reason } = event.payload
  return notice(state, event, 'handoff-failed', { text: reason }, at, {
    conversation: { handoff: { state: 'failed', reason } },
    typing: undefined,
    ...did,
  })
}

const pending = ({ conversation: { handoff } }: State) =>
  handoff.state === 'pending' ? handoff : { state: 'pending' as const }

/** Handles the echo of a visitor's message: moves it from the outbox to the transcript in one step (law L3). */
function echo(state: State, event: Of<'EVENT_TYPE_USER_MESSAGE'>, context: EventContext): Result {
  const { text, message_id } = event.payload
  const id =
    idOf(event.metadata?.custom) ??
    outbox.echoedBy(state.outbox, text, event.sequence, state.sessionId) ??
    // The page that this one may be a copy of has just sent it.
    (event.replayed
      ? undefined
      : state.outbox.find((item) => item.unclaimed && item.text.trim() === text.trim())?.id)
  const key = id ?? keyOf(event, state, message_id)
  const rest = id === undefined ? state.outbox : outbox.without(state.outbox, id)
  const outcome = rest === state.outbox || id === undefined ? {} : { delivered: id }
  const base = amend(state, {
    outbox: rest,
    conversation: { suggestions: [] },
    ...activity(context.activeAt),
  })
  if (state.messages.has(key)) return { state: base, outcome }
  const fields = {
    key,
    role: 'visitor',
    at: timeOf(event, context.wall),
    place: placeOf(event, state),
  } as const
  return { state: insertMessage(base, newMessage(fields, wholeContent(text))), outcome }
}
