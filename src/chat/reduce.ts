// Everything that happens, in one place (law L2): an event comes in, a new state goes out, and with it the
// facts that listeners are told. What follows from a state (connecting, sending, storing) is in chat.ts.

import type { Drop, ServerEvent } from '../protocol/index.ts'
import type { ChatEvents, DividerEntry } from './model.ts'
import * as outbox from './outbox.ts'
import { type Aftermath, closeStreams, noteSequence, receive } from './receive.ts'
import { next, type Session, type SessionEvent } from './session.ts'
import { NEW_LOG, type State } from './state.ts'
import { isConnected, over, PROBE_ANSWER_SOON, tick } from './timers.ts'

export type Event =
  | { type: 'session'; event: SessionEvent }
  | { type: 'frame'; run: number; events: readonly ServerEvent[]; drops: readonly Drop[] }
  | { type: 'tick' }
  // what the visitor does
  | { type: 'send'; id: string; text: string }
  | { type: 'typed' }
  | { type: 'retry'; id: string; freshId: string }
  | { type: 'discard'; id: string }
  | { type: 'keep' }
  | { type: 'end' }
  | { type: 'restart' }
  | { type: 'logout' }
  // what the page says of itself
  | { type: 'wake' }
  | { type: 'online'; online: boolean }
  | { type: 'visible'; visible: boolean }
  | { type: 'shown'; shown: boolean }
  // what went over the wire
  | { type: 'sent'; id: string }
  | { type: 'joined' }
  | { type: 'barrier'; id: string }
  | { type: 'probed'; id: string }
  | { type: 'told'; state: 'STARTED' | 'STOPPED' }
  | { type: 'ending' }

export type Moment = { now: number; wall: number; random: number; run: number }

/** One fact for listeners. */
export type Fact = { [T in keyof ChatEvents]: { type: T; detail: ChatEvents[T] } }[keyof ChatEvents]

export type Reduced = { state: State; facts: Fact[] }

const TYPING_EVERY = 3_000

export function reduce(state: State, event: Event, moment: Moment): Reduced {
  const facts: Fact[] = []
  if (state.session.name === 'disposed') return { state, facts }
  return { state: change(state, event, moment, facts), facts }
}

function change(state: State, event: Event, moment: Moment, facts: Fact[]): State {
  const { now, wall } = moment
  switch (event.type) {
    case 'session':
      return step(state, event.event, moment)
    case 'frame':
      return frame(state, event, moment, facts)
    case 'tick':
      return ticked(state, moment)

    case 'send': {
      // To speak after the end is to start anew.
      const open = state.session.name === 'ended' ? step(state, { type: 'restart' }, moment) : state
      const item = outbox.newItem(event.id, event.text, wall)
      const fits =
        fitsFrame(open, event.text) && open.outbox.filter(outbox.isWaiting).length < outbox.MAX_WAITING
      if (!fits)
        facts.push({
          type: 'error',
          detail: {
            code: 'not-sent',
            message: 'The message is too long, or too many messages wait to be sent',
          },
        })
      const added = [...open.outbox, fits ? item : { ...item, state: 'failed' as const }]
      const own = { ...open.own, want: open.own.told === 'STARTED' ? ('STOPPED' as const) : undefined }
      return acted({ ...open, outbox: added, suggestions: [], own }, moment)
    }
    case 'typed': {
      const due = state.own.told === 'STOPPED' || now - state.own.toldAt >= TYPING_EVERY
      const free = now - state.own.toldAt >= TYPING_EVERY
      const own = { ...state.own, keyAt: now, want: due && free ? ('STARTED' as const) : state.own.want }
      const { name } = state.session
      const woken = wake({ ...state, own, activeAt: now, endsAt: undefined }, moment)
      return name === 'expired' || name === 'idle' ? step(woken, { type: 'act' }, moment) : woken
    }
    case 'retry':
      return acted({ ...state, outbox: outbox.again(state.outbox, event.id, event.freshId, wall) }, moment)
    case 'discard':
      return { ...state, outbox: outbox.without(state.outbox, event.id) }
    case 'keep':
      return {
        ...state,
        activeAt: now,
        endsAt: undefined,
        own: { ...state.own, keyAt: now, want: 'STARTED' },
      }
    case 'end':
      return isConnected(state)
        ? { ...state, ending: { sent: false, at: now } }
        : step(state, over(state, false, 'REASON_USER_END'), moment)
    case 'restart':
      return step(state, { type: 'restart' }, moment)
    case 'logout':
      return forgotten(step(state, over(state, false, 'REASON_USER_END'), moment))

    case 'wake':
      return wake(state, moment)
    case 'online':
      return step({ ...state, online: event.online }, { type: event.online ? 'online' : 'offline' }, moment)
    case 'visible':
      return event.visible ? wake({ ...state, visible: true }, moment) : { ...state, visible: false }
    case 'shown':
      return { ...state, shown: event.shown, unread: event.shown ? 0 : state.unread }

    case 'sent':
      return { ...state, outbox: outbox.sent(state.outbox, event.id, now), activeAt: now, endsAt: undefined }
    case 'joined':
      return { ...state, joinAsked: true }
    case 'barrier':
      return { ...state, barrier: { id: event.id, at: now, quietSince: now, slow: false } }
    case 'probed': {
      const patience = state.probe.wanted ?? 0
      return {
        ...state,
        probe: {
          ...state.probe,
          wanted: undefined,
          asked: { id: event.id, at: now, deadline: now + patience },
        },
      }
    }
    case 'told':
      return { ...state, own: { ...state.own, told: event.state, toldAt: now, want: undefined } }
    case 'ending':
      return state.ending ? { ...state, ending: { ...state.ending, sent: true } } : state
  }
}

/** The visitor did something: whatever is missing for it is to be had, and now. */
function acted(state: State, moment: Moment): State {
  const active = { ...state, activeAt: moment.now, endsAt: undefined }
  return wake(step(active, { type: 'act' }, moment), moment)
}

/** Somebody is looking: a wait is cut short, a connection has to prove itself soon. */
function wake(state: State, moment: Moment): State {
  const woken = step(state, { type: 'wake' }, moment)
  if (woken.session.name !== 'live') return woken
  const { probe } = woken
  const soon = moment.now + PROBE_ANSWER_SOON
  if (probe.asked) {
    const deadline = Math.min(probe.asked.deadline, Math.max(soon, probe.asked.at + PROBE_ANSWER_SOON))
    return { ...woken, probe: { ...probe, asked: { ...probe.asked, deadline } } }
  }
  // Keystrokes come many a second; a connection that answered in the last two is fine.
  if (moment.now - probe.last < PROBE_ANSWER_SOON) return woken
  return { ...woken, probe: { ...probe, wanted: PROBE_ANSWER_SOON } }
}

function fitsFrame(state: State, text: string): boolean {
  const room = (state.capabilities?.max_message_size_bytes ?? 131_072) - 512
  return new TextEncoder().encode(JSON.stringify(text)).length <= room
}

function ticked(state: State, moment: Moment): State {
  const { state: next, events, barrierPassed } = tick(state, moment.now, moment.wall)
  const passed = barrierPassed ? replayed(next, moment) : next
  return events.reduce((at, event) => step(at, event, moment), passed)
}

function frame(state: State, event: Extract<Event, { type: 'frame' }>, moment: Moment, facts: Fact[]): State {
  // A frame of a socket that was let go: what it says comes again on the next.
  if (!isConnected(state) || !('run' in state.session) || state.session.run !== event.run) return state
  let next = state.barrier ? { ...state, barrier: { ...state.barrier, quietSince: moment.now } } : state
  for (const drop of event.drops) next = noteSequence(next, drop.sequence, false, moment.now)
  for (const each of event.events) {
    if (each.type === 'EVENT_TYPE_HEARTBEAT') next = heartbeat(next, each, moment)
    else {
      const { state: after, after: aftermath } = receive(next, each, moment.now, moment.wall, moment.random)
      next = follow(after, aftermath, each, moment, facts)
    }
  }
  return next
}

/** The echo of a heartbeat: the end of the replay, or the proof that the connection lives. */
function heartbeat(state: State, event: ServerEvent, moment: Moment): State {
  const custom = event.metadata?.custom
  const id = custom?.client_event_id ?? custom?.local_id
  // A service that echoes no metadata can only mean the one that was sent.
  const isFor = (asked: { id: string } | undefined) =>
    asked !== undefined && (id === undefined || id === asked.id)
  if (isFor(state.barrier)) return replayed(state, moment)
  const { asked } = state.probe
  if (!asked || !isFor(asked)) return state
  // What was overdue when it was asked is not there: it is sent once more, under the same id.
  const box = outbox.unseen(state.outbox, outbox.overdueAt(asked.at))
  return { ...state, outbox: box, probe: { ...state.probe, asked: undefined, last: moment.now } }
}

const replayed = (state: State, moment: Moment): State => step(state, { type: 'replayed' }, moment)

function follow(state: State, after: Aftermath, event: ServerEvent, moment: Moment, facts: Fact[]): State {
  const isNews = !event.replayed || state.everLive
  if (after.delivered) facts.push({ type: 'delivery', detail: { id: after.delivered, state: 'delivered' } })
  if (after.message && isNews) {
    const { key, role, text } = after.message
    facts.push({ type: 'message', detail: { message_id: key, role, length: text.length, text } })
  }
  if (after.language) facts.push({ type: 'language', detail: { language_code: after.language } })
  if (after.error) facts.push({ type: 'error', detail: after.error })
  if (after.unknownSession) return step(state, { type: 'unknown-session' }, moment)
  if (after.over) return step(state, over(state, after.over.expired, after.over.reason), moment)
  return state
}

/** Asks the table, and does to the rest of the state what the change of the session means for it. */
function step(state: State, event: SessionEvent, moment: Moment): State {
  const session = next(state.session, event, {
    ...moment,
    mostAttempts: state.capabilities?.max_reconnect_attempts || Number.POSITIVE_INFINITY,
  })
  if (session === state.session) return state
  const before = state.session
  let after: State = { ...state, session }

  if (isConnected(state) && !isConnected(after))
    after = { ...disconnected(after), lostAt: moment.now, lostLong: false }
  switch (session.name) {
    case 'entering':
      if (session.sessionId === undefined) after = leave(after, before, event, moment)
      break
    case 'connecting':
      if (session.sessionId !== after.sessionId) {
        after = after.sessionId === undefined ? after : leave(after, before, event, moment)
        after = { ...after, sessionId: session.sessionId, activeAt: moment.now }
      }
      break
    case 'live':
      after = {
        ...after,
        everLive: true,
        lostAt: undefined,
        lostLong: false,
        barrier: undefined,
        outbox: outbox.unseen(after.outbox),
        probe: { wanted: undefined, asked: undefined, last: moment.now },
      }
      break
    case 'expired':
    case 'ended':
      after = {
        ...closeStreams(after),
        outbox: outbox.moved(after.outbox, session.name === 'expired'),
        suggestions: [],
        handoff: { state: 'none' },
        lostAt: undefined,
        lostLong: false,
        ending: undefined,
      }
      break
    default:
      break
  }
  return after
}

/** What holds for one socket only. */
function disconnected(state: State): State {
  return {
    ...state,
    barrier: undefined,
    joinAsked: false,
    typing: undefined,
    endsAt: undefined,
    probe: { ...state.probe, wanted: undefined, asked: undefined },
    own: { ...state.own, told: 'STOPPED', want: undefined },
  }
}

/** Nothing of the visitor is left, for the next person at this browser. */
function forgotten(state: State): State {
  const { session } = state
  return {
    ...state,
    session:
      session.name === 'idle' || session.name === 'unavailable'
        ? { ...session, sessionId: undefined }
        : session,
    sessionId: undefined,
    transcript: [],
    streams: new Map(),
    messages: new Map(),
    outbox: [],
    log: NEW_LOG(),
    suggestions: [],
    handoff: { state: 'none' },
    typing: undefined,
    unread: 0,
  }
}

/** The old session is left behind: its transcript stays above a line that says why. */
function leave(state: State, before: Session, event: SessionEvent, moment: Moment): State {
  const expired = before.name === 'expired' || (event.type === 'over' && event.expired)
  const box = outbox.moved(state.outbox, expired)
  if (state.sessionId === undefined) return { ...state, outbox: box }
  const divider: DividerEntry = {
    kind: 'divider',
    key: `divider:${moment.run}`,
    at: moment.wall,
    reason: dividerReason(before, event, expired),
  }
  const closed = closeStreams(state)
  return {
    ...closed,
    sessionId: undefined,
    // A page that shows nothing yet says all the same that the conversation it was to carry on is lost.
    transcript:
      closed.transcript.length === 0 && divider.reason !== 'lost'
        ? closed.transcript
        : [...closed.transcript, { ...divider, place: Number.POSITIVE_INFINITY }],
    outbox: box,
    log: NEW_LOG(),
    agent: closed.assistant,
    suggestions: [],
    handoff: { state: 'none' },
    typing: undefined,
    ending: undefined,
    endsAt: undefined,
    lostAt: undefined,
    lostLong: false,
  }
}

function dividerReason(before: Session, event: SessionEvent, expired: boolean): DividerEntry['reason'] {
  if (expired) return 'expired'
  if (before.name === 'ended') return 'ended'
  return event.type === 'restart' ? 'restarted' : 'lost'
}
