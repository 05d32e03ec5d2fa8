// Reduces every event to a new state, and to the public events for listeners (law L2). The effects of a state (connecting,
// sending, storing) are in chat.ts.

import {
  CLOSE,
  type FeedbackRating,
  type Frame,
  idOf,
  MAX_SCORE,
  type ServerEvent,
} from '../protocol/index.ts'
import * as outbox from './outbox/items.ts'
import {
  answered,
  commentOf,
  giveFeedback,
  leave as leaveQueue,
  noteRequested,
  type Requested,
  rate,
  settled,
  stop,
  unsent,
} from './outbox/requests.ts'
import { type Facts, next, type Session, type SessionEvent } from './session/table.ts'
import {
  closed as closedBy,
  END,
  hasExpired,
  isConnected,
  isRested,
  MINUTE,
  PROBE_ANSWER,
  PROBE_ANSWER_SOON,
  tick,
} from './session/timers.ts'
import type { ChatEvents, DividerEntry } from './state/model.ts'
import { blank, type State } from './state/state.ts'
import { endEvent } from './transcript/draft.ts'
import { type Aftermath, acceptReplay, active, closeStreams } from './transcript/entries.ts'
import * as logs from './transcript/log.ts'
import { receive } from './transcript/receive.ts'

export type Event =
  | { type: 'session'; event: SessionEvent }
  | { type: 'frame'; run: number; frame: Frame }
  /** The history that another tab received of the session that is being left. */
  | { type: 'history'; frame: Frame }
  | { type: 'tick' }
  // what the visitor does
  /** `held`: the site has to allow it. */
  | { type: 'send'; id: string; text: string; held?: boolean }
  | { type: 'released'; id: string }
  | { type: 'typed' }
  | { type: 'retry'; id: string; freshId: string }
  | { type: 'discard'; id: string }
  | { type: 'stop' }
  | { type: 'leave-queue' }
  | { type: 'feedback'; id: string; key: string; rating: FeedbackRating; comment: string | undefined }
  | { type: 'rate'; id: string; score: number; comment: string | undefined }
  | { type: 'keep' }
  | { type: 'end' }
  | { type: 'restart' }
  | { type: 'logout' }
  // what the page says of itself
  | { type: 'wake' }
  /** The machine slept for `ms`, which the monotonic clock did not count. */
  | { type: 'slept'; ms: number }
  | { type: 'suspend' }
  | { type: 'online'; online: boolean }
  | { type: 'visible'; visible: boolean }
  | { type: 'shown'; shown: boolean }
  | { type: 'chunk-join'; join: 'space' }
  // what the visitor does in another tab
  /** It was active, so many ms ago. */
  | { type: 'active'; rested: number }
  | { type: 'read' }
  /** Another tab relies on this connection: probe it. */
  | { type: 'prove' }
  // what went over the wire
  | { type: 'sent'; id: string }
  | { type: 'joined' }
  | { type: 'barrier'; id: string }
  | { type: 'probed'; id: string }
  | { type: 'told'; state: 'STARTED' | 'STOPPED' }
  | { type: 'ending' }
  | Requested
  /** A rating was told after the end, or cannot be. */
  | { type: 'rated'; id: string }

export type Moment = { now: number; wall: number; random: number; run: number }

/** One public event for listeners. */
export type Fact = { [T in keyof ChatEvents]: { type: T; detail: ChatEvents[T] } }[keyof ChatEvents]

export type Reduced = { state: State; facts: Fact[] }

const TYPING_EVERY = 3_000
const FRESH = 1_000
const MOST_RENEWALS = 3
/** So many sessions that were left can be returned to with what was read of them. */
const MOST_LEFT = 8

export function reduce(state: State, event: Event, moment: Moment): Reduced {
  const facts: Fact[] = []
  if (state.session.name === 'disposed') return { state, facts }
  try {
    return { state: settled(change(state, event, moment, facts)), facts }
  } finally {
    endEvent()
  }
}

function change(state: State, event: Event, moment: Moment, facts: Fact[]): State {
  const { now, wall } = moment
  switch (event.type) {
    case 'session':
      return step(state, event.event, moment)
    case 'frame':
      return frame(state, event, moment, facts)
    case 'history': {
      const begun = { ...state, log: logs.startReplay(state.log) }
      return acceptReplay(event.frame.events.reduce((at, each) => receive(at, each, moment).state, begun))
    }
    case 'tick':
      return ticked(state, moment)

    case 'send': {
      // A message after the end starts a new session.
      const open = reopened(state, moment)
      const item = outbox.newItem(event.id, event.text, wall, writtenFor(open))
      const added = event.held ? { ...item, state: 'held' as const } : item
      const suggestions = event.held ? open.suggestions : []
      const own = { ...open.own, want: open.own.told === 'STARTED' ? ('STOPPED' as const) : undefined }
      return acted({ ...open, outbox: [...open.outbox, added], suggestions, own }, moment)
    }
    case 'released': {
      const item = state.outbox.find(({ id }) => id === event.id)
      const goes = state.session.name !== 'ended' && item?.session === writtenFor(state)
      const box = outbox.released(state.outbox, event.id, goes)
      if (box === state.outbox) return state
      return goes ? needed({ ...state, outbox: box, suggestions: [] }, moment) : { ...state, outbox: box }
    }
    case 'typed': {
      const due = state.own.told === 'STOPPED' || now - state.own.toldAt >= TYPING_EVERY
      const free = now - state.own.toldAt >= TYPING_EVERY
      const own = { ...state.own, keyAt: now, want: due && free ? ('STARTED' as const) : state.own.want }
      return acted({ ...state, own }, moment)
    }
    case 'retry': {
      const entry = state.messages.get(event.id)
      if (entry?.content.peek().undelivered) {
        entry.content.value = { ...entry.content.peek(), undelivered: false }
        const text = entry.content.peek().pieces.join('')
        return change(state, { type: 'send', id: event.freshId, text }, moment, facts)
      }
      const item = state.outbox.find(({ id }) => id === event.id)
      if (!item) return state
      // It is sent as soon as it can be: the visitor asks for that.
      if (outbox.isWaiting(item)) return acted(state, moment)
      const open = reopened(state, moment)
      const box = outbox.again(open.outbox, event.id, event.freshId, wall, writtenFor(open))
      return acted({ ...open, outbox: box }, moment)
    }
    case 'discard':
      return { ...state, outbox: outbox.without(state.outbox, event.id) }
    case 'stop':
      return stop(state)
    case 'leave-queue':
      return leaveQueue(state)
    case 'feedback': {
      const comment = commentOf(event.comment)
      const rated = giveFeedback(state, event.id, event.key, event.rating, comment)
      const detail = {
        message_id: event.key,
        rating: event.rating,
        ...(comment !== undefined && { comment }),
      }
      if (rated !== state) facts.push({ type: 'feedback', detail })
      return rated
    }
    case 'rate': {
      const { score } = event
      if (!Number.isInteger(score) || score < 0 || score > MAX_SCORE) return state
      const comment = commentOf(event.comment)
      const given = { score, ...(comment !== undefined && { comment }) }
      const rated = rate(state, event.id, given)
      if (rated !== state) facts.push({ type: 'csat', detail: given })
      return rated
    }
    case 'keep':
      return {
        ...state,
        ...(isRested(state, now) ? {} : active(now)),
        own: { ...state.own, keyAt: now, want: 'STARTED' },
      }
    case 'end':
      return state.session.name === 'live'
        ? { ...state, ending: state.ending ?? { sent: false, at: now } }
        : step(state, END, moment)
    case 'restart':
      return step(state, { type: 'restart' }, moment)
    case 'logout':
      return forgotten(step(state, { type: 'logout' }, moment))

    case 'wake':
      return wake(state, moment)
    case 'slept':
      // A proof from before the sleep does not count any more, nor what was made long before.
      return wake(
        {
          ...state,
          slept: state.slept + event.ms,
          soundAt: state.soundAt - event.ms,
          renewals: state.renewals.map((at) => at - event.ms),
          probe: { ...state.probe, last: Number.NEGATIVE_INFINITY },
        },
        moment,
      )
    case 'suspend':
      return step(state, { type: 'suspend' }, moment)
    case 'online':
      return step(state, { type: event.online ? 'online' : 'offline' }, moment)
    case 'visible':
      return event.visible ? wake({ ...state, visible: true }, moment) : { ...state, visible: false }
    case 'chunk-join':
      return { ...state, chunkJoin: event.join }
    case 'shown':
      return { ...state, shown: event.shown, ...(event.shown && { unread: 0, counted: new Set() }) }

    case 'active':
      return { ...state, ...active(Math.max(state.activeAt - state.slept, now - event.rested)) }
    case 'read':
      return state.unread === 0 ? state : { ...state, unread: 0 }

    case 'prove':
      return proven(state)

    case 'sent':
      return {
        ...state,
        outbox: outbox.sent(state.outbox, event.id, now, state.sessionId, state.log.cursor),
        ...active(now),
      }
    case 'joined':
      return { ...state, join: { asked: true, times: state.join.times + 1, at: now, notBefore: 0 } }
    case 'barrier':
      return state.replay
        ? { ...state, replay: { ...state.replay, asked: { id: event.id, answered: false } } }
        : state
    case 'probed': {
      const patience = state.probe.wanted ?? 0
      return {
        ...state,
        probe: {
          ...state.probe,
          wanted: undefined,
          asked: { id: event.id, at: now, deadline: now + patience, soon: patience === PROBE_ANSWER_SOON },
        },
      }
    }
    case 'told':
      return {
        ...state,
        ...active(now),
        own: { ...state.own, told: event.state, toldAt: now, want: undefined },
      }
    case 'requested':
      return noteRequested(state, event)
    case 'rated':
      return answered(state, event.id)
    case 'ending':
      return state.ending ? { ...state, ending: { ...state.ending, sent: true } } : state
  }
}

/** The session that a message written now is for; undefined: the next one. */
const writtenFor = ({ session, sessionId }: State): string | undefined =>
  session.name === 'expired' ? undefined : sessionId

const reopened = (state: State, moment: Moment): State =>
  state.session.name === 'ended' ? step(state, { type: 'restart' }, moment) : state

/** Handles an act of the visitor. After the idle time an act does not extend the session, of which only the service knows whether it goes on. */
const acted = (state: State, moment: Moment): State =>
  needed(isRested(state, moment.now) ? state : { ...state, ...active(moment.now) }, moment)

/** The connection is needed now. */
function needed(state: State, moment: Moment): State {
  const after = hurry(step(state, { type: 'act' }, moment), moment)
  // Keystrokes come many a second: do not probe a connection that answered within the last second.
  return moment.now - after.probe.last < FRESH ? after : proven(after)
}

/** Probes the connection with a heartbeat. A slow connection is not a dead one, so the echo has time. */
function proven(state: State): State {
  const { session, probe } = state
  if (session.name !== 'live' || probe.asked || probe.wanted !== undefined) return state
  return { ...state, probe: { ...probe, wanted: PROBE_ANSWER } }
}

/** Ends a wait early. */
const hurry = (state: State, moment: Moment): State => step(state, { type: 'wake' }, moment)

/** Handles a return to the page: probes the connection, with a short time for the echo. */
function wake(state: State, moment: Moment): State {
  const after = hurry(state, moment)
  if (after.session.name !== 'live') return after
  const { probe, endsAt } = after
  // Nobody is warned of an end that is past.
  const woken = { ...after, endsAt: endsAt && endsAt.wall > moment.wall ? endsAt : undefined }
  if (!probe.asked) return { ...woken, probe: { ...probe, wanted: PROBE_ANSWER_SOON } }
  const deadline = Math.min(probe.asked.deadline, moment.now + PROBE_ANSWER_SOON)
  return { ...woken, probe: { ...probe, asked: { ...probe.asked, deadline, soon: true } } }
}

function ticked(state: State, moment: Moment): State {
  const { state: next, events, passed } = tick(state, moment.now, moment.wall)
  const after = passed ? replayed(next, moment, true) : next
  return events.reduce((at, event) => step(at, event, moment), after)
}

function frame(state: State, event: Extract<Event, { type: 'frame' }>, moment: Moment, facts: Fact[]): State {
  // Ignore frames of a socket that was given up: the next replay has their events.
  if (!isConnected(state) || !('run' in state.session) || state.session.run !== event.run) return state
  const { run } = event
  const { events, drops } = event.frame
  let next = state
  for (const each of events) {
    if (!('run' in next.session) || next.session.run !== run) return next
    if (each.type === 'EVENT_TYPE_HEARTBEAT') next = heartbeat(next, each, moment)
    else {
      const { state: received, after } = receive(next, each, moment)
      next = follow(received, after, each, moment, facts)
    }
  }
  for (const drop of [...drops].sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0)))
    next = { ...next, log: logs.noteDrop(next.log, drop.sequence, moment.now) }
  return event.frame.batch ? batched(next, event.frame, moment) : next
}

/** Handles the end of a batch. It proves something only with a readable event: every replay holds one (`resumeFrom`). */
function batched(state: State, { events }: Frame, { now }: Moment): State {
  const { replay } = state
  if (!replay) return state
  const batch = replay.batch || events.length > 0
  // An echo before the end of the history does not mark it: send another heartbeat, behind its last part where that is known.
  const asked = replay.asked?.answered && batch && !isCutShort(state) ? undefined : replay.asked
  return { ...state, replay: { asked, batch, heardAt: now } }
}

/** The echo of a heartbeat: the end of the replay, or the proof that the connection lives. */
function heartbeat(state: State, event: ServerEvent, moment: Moment): State {
  const id = idOf(event.metadata?.custom)
  const { replay, probe } = state
  // Without metadata the echo can only belong to the heartbeat that was sent.
  const isFor = (asked: { id: string } | undefined) =>
    asked !== undefined && (id === undefined || id === asked.id)
  if (replay) {
    if (!replay.asked || replay.asked.answered || !isFor(replay.asked)) return state
    const heard = { ...state, silent: 0 }
    if (replay.batch && !isCutShort(state)) return replayed(heard, moment)
    return { ...heard, replay: { ...replay, asked: { ...replay.asked, answered: true } } }
  }
  if (!isFor(probe.asked)) return state
  // This echo may have waited here while the machine slept: the one before it says that the session goes on.
  const soundAt = Math.max(state.soundAt, probe.last)
  // The connection survived, so the machine did not sleep that long.
  const heard = { ...probe, asked: undefined, last: moment.now }
  return { ...state, slept: 0, soundAt, silent: 0, doubted: undefined, probe: heard }
}

/**
 * The session is over and its replay has not come to what is known to be its end: a service may echo heartbeats between two
 * batches. Of a session that goes on nobody knows the end.
 */
const isCutShort = ({ session, log }: State): boolean =>
  session.name === 'replaying' && session.verdict !== undefined && (log.replayed ?? 0) < log.cursor

const replayed = (state: State, moment: Moment, unproven = false): State =>
  step(acceptReplay(state), { type: 'replayed', unproven }, moment)

function follow(state: State, after: Aftermath, event: ServerEvent, moment: Moment, facts: Fact[]): State {
  const isNews = !event.replayed || state.everLive
  if (after.delivered)
    facts.push({ type: 'delivery', detail: { message_id: after.delivered, state: 'delivered' } })
  if (after.message && isNews) {
    const { key, role, text } = after.message
    facts.push({ type: 'message', detail: { message_id: key, role, length: text.length, text } })
  }
  if (after.language) facts.push({ type: 'language', detail: { language_code: after.language } })
  if (after.error) facts.push({ type: 'error', detail: after.error })
  if (after.session === 'reconnect') return step(state, closedBy(state, CLOSE.networkLost), moment)
  if (after.session) return step(state, { type: after.session }, moment)
  // An end that happens during a replay proves nothing of what the replay has still to tell.
  const { replayed } = state.log
  const proven = replayed !== undefined && (event.replayed === true || event.sequence === replayed + 1)
  if (after.over) return step(state, { type: 'over', ...after.over, proven }, moment)
  return state
}

function factsFor(state: State, moment: Moment): Facts {
  const { outbox: box, renewals, capabilities, visible, sessionId, log } = state
  return {
    now: moment.now,
    random: moment.random,
    run: moment.run,
    visible,
    mostAttempts: capabilities?.max_reconnect_attempts || Number.POSITIVE_INFINITY,
    mayRenew: renewals.filter((at) => at > moment.now - MINUTE).length < MOST_RENEWALS,
    rested: isRested(state, moment.now),
    queued: box.some(({ state }) => state === 'queued'),
    sent: box.some((item) => outbox.isSent(item) && item.session === sessionId),
    hole: (log.gap ?? log.torn ?? log.replayed) !== undefined,
  }
}

const step = (state: State, event: SessionEvent, moment: Moment): State =>
  timed(state, stepped(state, event, moment), moment)

/** Keeps since when the chat tries to connect. What takes long stays so over all attempts, whatever session they are for. */
function timed(before: State, after: State, { now }: Moment): State {
  if (after.session === before.session) return after
  const { name } = after.session
  if (name === 'entering' || name === 'connecting' || name === 'replaying' || name === 'waiting')
    return { ...after, triedAt: before.triedAt ?? now, lostLong: before.lostLong || after.lostLong }
  return { ...after, triedAt: undefined, lostLong: after.lostLong && after.lostAt !== undefined }
}

/** Passes a session event to the table, and updates the rest of the state for the new session state. */
function stepped(state: State, event: SessionEvent, moment: Moment): State {
  const before = state.session
  const session = next(before, event, factsFor(state, moment))
  if (session === before) return state
  let after: State = { ...state, session }
  if (isConnected(state) && !isConnected(after)) after = disconnected(after, moment)
  // The visitor asks for what was given up: one more session may be made for it.
  if (before.name === 'unavailable') after = { ...after, renewals: after.renewals.slice(1 - MOST_RENEWALS) }
  switch (session.name) {
    case 'entering':
    case 'unavailable':
      return session.sessionId === undefined ? leave(after, before, event, moment) : after
    case 'connecting': {
      const { sessionId } = session
      if (sessionId !== after.sessionId) {
        if (after.sessionId !== undefined) after = leave(after, before, event, moment)
        after = { ...returned(after, sessionId), sessionId, ...active(moment.now), soundAt: moment.now }
      }
      return { ...after, outbox: outbox.adopted(after.outbox, sessionId) }
    }
    case 'replaying':
      return {
        ...after,
        guest: event.type === 'opened' && event.guest === true,
        soundAt: moment.now,
        replay: { asked: undefined, batch: false, heardAt: moment.now },
        log: logs.startReplay(after.log),
      }
    case 'live':
      return {
        ...after,
        everLive: true,
        lostAt: undefined,
        lostLong: false,
        // A service with a rule of its own has just said that the session goes on: the machine slept for less than the idle
        // time, or a clock was set.
        slept: after.capabilities?.session_idle_seconds === undefined ? after.slept : 0,
        replay: undefined,
        stalls: 0,
        outbox: isProof(event) ? outbox.missing(after.outbox) : outbox.awaited(after.outbox, moment.now),
        doubted: isProof(event) ? undefined : outbox.onItsWay(after.outbox)?.id,
        askedAt: isRested(state, Math.min(state.askedAt, state.probe.last)) ? state.askedAt : moment.now,
        probe: { wanted: undefined, asked: undefined, last: moment.now },
      }
    case 'expired':
    case 'ended':
      return {
        ...closeStreams(after),
        outbox: outbox.settled(after.outbox, after.sessionId, session.name === 'expired', isProof(event)),
        suggestions: [],
        handoff: { state: 'none' },
        lostAt: undefined,
        lostLong: false,
        ending: undefined,
        // The service does not know of an end that it did not send itself.
        owed: isUntold(event, before) ? after.sessionId : undefined,
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

/** Resets the fields that belong to one socket. */
function disconnected(state: State, { now }: Moment): State {
  return {
    ...state,
    lostAt: state.lostAt ?? now,
    replay: undefined,
    log: logs.cutReplay(state.log),
    join: { ...state.join, asked: false },
    typing: undefined,
    endsAt: undefined,
    probe: { ...state.probe, wanted: undefined, asked: undefined },
    own: { ...state.own, told: 'STOPPED', want: undefined },
    requests: unsent(state.requests),
  }
}

/** Removes all data of the visitor, for the next person at this browser. */
function forgotten(state: State): State {
  return {
    ...state,
    ...blank(),
    sessionId: undefined,
    transcript: [],
    left: new Map(),
    messages: new Map(),
    outbox: [],
    unread: 0,
    agent: { live: false },
    assistant: { live: false },
    renewals: [],
  }
}

/** Leaves a session: its transcript stays above a divider with the reason. */
function leave(state: State, before: Session, event: SessionEvent, moment: Moment): State {
  const reason = dividerReason(state, before, event, moment)
  const moves = reason === 'expired' || reason === 'lost'
  const box = outbox.settled(state.outbox, state.sessionId, moves, isProof(event))
  const asked =
    event.type === 'open' ||
    event.type === 'act' ||
    event.type === 'restart' ||
    (event.type === 'entered' && !event.fresh)
  const renewals = state.renewals.filter((at) => at > moment.now - MINUTE)
  if (state.sessionId === undefined) return { ...state, outbox: box }
  const closed = closeStreams(state)
  const { sessionId, log, streams, headless, unnamed, agent, csat } = state
  const divider: DividerEntry = { kind: 'divider', key: `divider:${moment.run}`, at: moment.wall, reason }
  const left = {
    divider: divider.key,
    // A tab that has read nothing of a session does not know whether the session expired, and names no reason to the other tabs.
    reason: reason === 'lost' && log.cursor === 0 ? undefined : reason,
    log: logs.endReplay(log),
    streams,
    headless,
    unnamed,
    agent,
    csat,
  }
  return {
    ...closed,
    ...blank(),
    sessionId: undefined,
    // A page that shows nothing yet says all the same that the conversation it was to carry on is lost.
    transcript:
      closed.transcript.length === 0 && (reason !== 'lost' || state.old)
        ? closed.transcript
        : [...closed.transcript, { ...divider, place: Number.POSITIVE_INFINITY }],
    left: new Map([...state.left, [sessionId, left] as const].slice(-MOST_LEFT)),
    outbox: box,
    agent: state.assistant,
    lostAt: undefined,
    lostLong: false,
    renewals: asked ? renewals : [...renewals, moment.now],
    // An end that is not confirmed may have gone into a dead socket.
    owed: isUntold(event, before) || state.ending ? state.sessionId : undefined,
  }
}

/** Returns to a session that was left, but goes on: its part of the transcript moves to the end, without its divider. */
function returned(state: State, sessionId: string): State {
  const { transcript } = state
  const { divider, reason: _, ...kept } = state.left.get(sessionId) ?? {}
  const at = transcript.findIndex(({ kind, key }) => kind === 'divider' && key === divider)
  if (at < 0) return state
  const from = transcript.findLastIndex((entry, index) => index < at && entry.kind === 'divider') + 1
  const left = new Map(state.left)
  left.delete(sessionId)
  return {
    ...state,
    ...kept,
    left,
    transcript: [...transcript.slice(0, from), ...transcript.slice(at + 1), ...transcript.slice(from, at)],
  }
}

function dividerReason(
  state: State,
  before: Session,
  event: SessionEvent,
  { now }: Moment,
): DividerEntry['reason'] {
  const verdict = event.type === 'over' ? event : 'verdict' in before ? before.verdict : undefined
  if (before.name === 'expired' || verdict?.expired) return 'expired'
  if (before.name === 'ended' || verdict) return 'ended'
  if (event.type === 'restart') return 'restarted'
  if (event.type === 'entered' && event.reason) return event.reason
  return hasExpired(state, now) && state.everLive ? 'expired' : 'lost'
}
