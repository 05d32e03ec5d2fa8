// Moves the session to its next state by the table, and updates the rest of the state to match.

import { closeMeaning } from '../../protocol/index.ts'
import * as outbox from '../outbox/items.ts'
import { unsent } from '../outbox/requests.ts'
import type { Context } from '../state/events.ts'
import type { DividerEntry } from '../state/model.ts'
import type { Session, SessionEvent } from '../state/session.ts'
import { inConversation, newConversation, type PendingEnd, type State } from '../state/state.ts'
import { closeStreams } from '../transcript/answers.ts'
import { activity } from '../transcript/entries.ts'
import * as logs from '../transcript/log.ts'
import { otherNamed } from './choice.ts'
import { type Guards, next } from './table.ts'
import { hasExpired, isConnected, isIdleTimedOut, MINUTE } from './timers.ts'

const MOST_RENEWALS = 3
/** So many sessions that were left can be returned to with what was read of them. */
const MOST_LEFT = 8
/** A store names one of the last sessions, if any. */
const MOST_PAST = 50
const NEVER = Number.NEGATIVE_INFINITY
/** What shows that a page that was left is there again. */
const BACK: ReadonlySet<SessionEvent['type']> = new Set(['open', 'act', 'wake', 'restart'])

function guardsFor(state: State, context: Context): Guards {
  const { outbox: box, renewals, capabilities, visible, sessionId } = state
  const { log } = state.conversation
  return {
    now: context.now,
    random: context.random,
    run: context.run,
    visible,
    mostAttempts: capabilities?.max_reconnect_attempts || Number.POSITIVE_INFINITY,
    mayRenew: renewals.filter((at) => at > context.now - MINUTE).length < MOST_RENEWALS,
    idledOut: isIdleTimedOut(state, context.now),
    queued: box.some(({ state }) => state === 'queued'),
    sent: box.some((item) => outbox.isSent(item) && item.session === sessionId),
    incomplete: (log.gap ?? log.missingChunk ?? log.replayed) !== undefined,
    other: otherNamed(state),
  }
}

export function step(state: State, event: SessionEvent, context: Context): State {
  const isBack = state.tabs.away && BACK.has(event.type)
  // A copy of this page may have sent meanwhile what waits here.
  const here = isBack
    ? { ...state, outbox: outbox.unclaimed(state.outbox), tabs: { ...state.tabs, away: false } }
    : state
  return timed(here, stepped(here, event, context), context)
}

/** Keeps since when the chat tries to connect. What takes long stays so over all attempts, whatever session they are for. */
function timed(before: State, after: State, { now }: Context): State {
  if (after.session === before.session) return after
  const { name } = after.session
  if (name === 'entering' || name === 'connecting' || name === 'replaying' || name === 'waiting')
    return { ...after, triedAt: before.triedAt ?? now }
  return { ...after, triedAt: undefined, lostLong: after.lostLong && after.lostAt !== undefined }
}

/** Passes a session event to the table, and updates the rest of the state for the new session state. */
function stepped(state: State, event: SessionEvent, context: Context): State {
  const before = state.session
  const session = next(before, event, guardsFor(state, context))
  if (session === before) return state
  // The same attempt, only used in another way: its socket and its replay go on.
  if (
    session.name === before.name &&
    'follows' in session &&
    'follows' in before &&
    session.run === before.run
  )
    return { ...state, session }
  let after: State = { ...state, session }
  if (isConnected(state) && !isConnected(after)) after = disconnected(after, event, context)
  // The visitor asks for what was given up: one more session may be made for it.
  if (before.name === 'unavailable') after = { ...after, renewals: after.renewals.slice(1 - MOST_RENEWALS) }
  switch (session.name) {
    case 'entering':
    case 'unavailable': {
      const stays =
        session.sessionId !== undefined &&
        (session.sessionId === after.sessionId || after.sessionId === undefined)
      return stays ? after : leave(after, before, event, context)
    }
    case 'connecting': {
      const { sessionId } = session
      if (sessionId !== after.sessionId) {
        if (after.sessionId !== undefined) after = leave(after, before, event, context)
        after = {
          ...returned(after, sessionId),
          sessionId,
          ...activity(context.now),
          aliveAt: context.now,
          tabs: { ...after.tabs, told: { sequence: 0, at: NEVER }, readTo: 0 },
        }
      }
      const past = new Set(after.past)
      const known = past.delete(sessionId) ? past : after.past
      return {
        ...after,
        past: known,
        // What other tabs have named meanwhile is joined at the next act.
        named: sessionId === state.sessionId ? after.named : { session: sessionId },
        outbox: outbox.adopted(after.outbox, sessionId),
      }
    }
    case 'replaying':
      return {
        ...inConversation(after, { log: logs.startReplay(after.conversation.log) }),
        aliveAt: context.now,
        replay: { asked: undefined, batch: false, frameAt: context.now },
      }
    case 'live':
      return {
        ...inConversation(after, { stalls: 0 }),
        everLive: true,
        lostAt: undefined,
        // A service that announces its idle time has just confirmed the session: the machine slept for less than that, or a
        // clock was set.
        slept: after.capabilities?.session_idle_seconds === undefined ? after.slept : 0,
        replay: undefined,
        outbox: isProof(event) ? outbox.missing(after.outbox) : outbox.awaited(after.outbox, context.now),
        unproven: isProof(event) ? undefined : outbox.onItsWay(after.outbox)?.id,
        confirmedAt: isIdleTimedOut(state, Math.min(state.confirmedAt, state.probe.last))
          ? state.confirmedAt
          : context.now,
        probe: { wanted: undefined, asked: undefined, last: context.now },
      }
    case 'expired':
    case 'ended':
      return {
        ...inConversation(closeStreams(after), {
          suggestions: [],
          handoff: { state: 'none' },
          endRequest: undefined,
        }),
        outbox: outbox.settled(after.outbox, after.sessionId, session.name === 'expired', isProof(event)),
        lostAt: undefined,
        pendingEnd: pendingEndOf(after.sessionId, event, before),
      }
    default:
      return after
  }
}

/** True if a replay has shown every message that the service accepted. */
const isProof = (event: SessionEvent): boolean =>
  (event.type === 'replayed' && !event.unproven) || (event.type === 'over' && event.proven)
/** The session may still be running, and no sound socket is there to tell it that it ends. */
const isUntold = (event: SessionEvent, { name }: Session): boolean =>
  event.type === 'over'
    ? event.untold === true
    : (event.type === 'logout' || event.type === 'restart') &&
      name !== 'live' &&
      name !== 'expired' &&
      name !== 'ended'

/** What the service is still to learn of the end of a session: it does not know of one that it did not send itself. */
function pendingEndOf(
  session: string | undefined,
  event: SessionEvent,
  before: Session,
  isEnding = false,
): PendingEnd | undefined {
  const leaves = event.type === 'logout' || event.type === 'restart'
  const now = leaves && (before.name === 'live' || before.name === 'replaying')
  const later = isUntold(event, before) || isEnding
  if (session === undefined || !(now || later)) return undefined
  return { session, now, later, asks: event.type !== 'logout' }
}

/** The service refuses the last frame for its size: the message that was sent over this socket fails. */
function withoutOversize({ outbox: box, replay, unproven }: State, code: number): State['outbox'] {
  const last = outbox.onItsWay(box)
  const isOversize = closeMeaning(code) === 'oversize' && replay === undefined
  return isOversize && last && last.id !== unproven ? outbox.failed(box, last.id) : box
}

/** Resets the fields that belong to one socket. */
function disconnected(state: State, event: SessionEvent, { now }: Context): State {
  const { log, join, requests } = state.conversation
  return {
    ...inConversation(state, {
      log: logs.cutReplay(log),
      join: { ...join, asked: false },
      requests: unsent(requests),
    }),
    outbox: event.type === 'closed' ? withoutOversize(state, event.code) : state.outbox,
    lostAt: state.lostAt ?? now,
    replay: undefined,
    typing: undefined,
    endsAt: undefined,
    probe: { ...state.probe, wanted: undefined, asked: undefined },
    typed: { ...state.typed, sent: 'STOPPED', want: undefined },
  }
}

/** Removes all data of the visitor, for the next person at this browser. */
export function forgotten(state: State): State {
  return {
    ...state,
    conversation: newConversation({ live: false }),
    named: undefined,
    past: left(state),
    sessionId: undefined,
    transcript: [],
    left: new Map(),
    messages: new Map(),
    outbox: [],
    unread: 0,
    assistant: { live: false },
    renewals: [],
  }
}

const left = ({ past, sessionId }: State): State['past'] =>
  sessionId === undefined ? past : new Set([...past, sessionId].slice(-MOST_PAST))

/** Leaves a session: its transcript stays above a divider with the reason. */
function leave(state: State, before: Session, event: SessionEvent, context: Context): State {
  const reason = dividerReason(state, before, event, context)
  const moves = reason === 'expired' || reason === 'lost'
  const box = outbox.settled(state.outbox, state.sessionId, moves, isProof(event))
  const asked =
    event.type === 'open' ||
    event.type === 'act' ||
    event.type === 'restart' ||
    (event.type === 'entered' && !event.fresh)
  const renewals = state.renewals.filter((at) => at > context.now - MINUTE)
  if (state.sessionId === undefined) return { ...state, outbox: box }
  const closed = closeStreams(state)
  const { sessionId } = state
  const divider: DividerEntry = { kind: 'divider', key: `divider:${context.run}`, at: context.wall, reason }
  // Nothing of it was shown: the line above tells how the one before it was left.
  const isEmpty = closed.transcript.at(-1)?.kind === 'divider'
  const { conversation } = closed
  const kept = {
    divider: divider.key,
    conversation: { ...conversation, log: logs.endReplay(conversation.log), endRequest: undefined },
  }
  return {
    ...closed,
    conversation: newConversation(state.assistant),
    sessionId: undefined,
    // A page that shows no messages yet still says that the conversation it should continue is lost.
    transcript:
      isEmpty || (closed.transcript.length === 0 && (reason !== 'lost' || state.old))
        ? closed.transcript
        : [...closed.transcript, { ...divider, place: Number.POSITIVE_INFINITY }],
    left: isEmpty ? state.left : new Map([...state.left, [sessionId, kept] as const].slice(-MOST_LEFT)),
    outbox: box,
    lostAt: undefined,
    renewals: asked ? renewals : [...renewals, context.now],
    past: left(state),
    // An end that is not confirmed may have gone into a dead socket.
    pendingEnd: pendingEndOf(sessionId, event, before, conversation.endRequest !== undefined),
  }
}

/** Returns to a session that was left, but goes on: its part of the transcript moves to the end, without its divider. */
function returned(state: State, sessionId: string): State {
  const { transcript } = state
  const { divider, conversation } = state.left.get(sessionId) ?? {}
  const at = transcript.findIndex(({ kind, key }) => kind === 'divider' && key === divider)
  if (at < 0 || !conversation) return state
  const from = transcript.findLastIndex((entry, index) => index < at && entry.kind === 'divider') + 1
  const left = new Map(state.left)
  left.delete(sessionId)
  return {
    ...state,
    conversation,
    left,
    transcript: [...transcript.slice(0, from), ...transcript.slice(at + 1), ...transcript.slice(from, at)],
  }
}

function dividerReason(
  state: State,
  before: Session,
  event: SessionEvent,
  { now }: Context,
): DividerEntry['reason'] {
  const endReason = event.type === 'over' ? event : 'endReason' in before ? before.endReason : undefined
  if (before.name === 'expired' || endReason?.expired) return 'expired'
  if (before.name === 'ended' || endReason) return 'ended'
  if (event.type === 'restart') return 'restarted'
  const { named, sessionId } = state
  if (named?.why && named.from === sessionId && otherNamed(state)) return named.why
  return hasExpired(state, now) && state.everLive ? 'expired' : 'lost'
}
