// Derives all deadlines from the state, so that a single timer, set for the earliest, is enough. When it fires, `tick` does
// what is due.

import { CLOSE, DEFAULT_SESSION_IDLE_SECONDS, idleWarningLead } from '../../protocol/index.ts'
import * as outbox from '../outbox/items.ts'
import type { SessionEvent } from '../state/session.ts'
import { type Conversation, inConversation, type State, streamingKey } from '../state/state.ts'

const PROBE_EVERY = 10_000
export const PROBE_ANSWER = 8_000
/** Time for the echo after the visitor has returned to the page. */
export const PROBE_ANSWER_SOON = 2_000
/** Time without a frame after which a replay is given up: longer each time that this happens. */
const REPLAY_PATIENCE = [5_000, 10_000, 20_000] as const
const MOST_MISSED_ECHOES = 2
const GAP_PATIENCE = 2_000
const THINKING_PATIENCE = 60_000
const TYPING_STOP_AFTER = 5_000
const LONGEST_SOCKET = 2 * 60 * 60 * 1000
const END_ANSWER = 5_000
/**
 * The service decides when a session expires. The client's clock decides only if the service sends nothing for this long, also after the
 * end of the replay, since more of it may follow.
 */
const EXPIRY_GRACE = 2_000
/** Most gaps a minute that cause a new connection. Further ones wait. */
const MOST_GAP_RECONNECTS = 3
export const MINUTE = 60_000
/** Shorter interruptions are not shown. */
const NOTICE_AFTER = 1_500
/** A first connection takes longer: a token, a session and a socket. */
const FIRST_NOTICE_AFTER = 4_000

/** How often a tab tells the others what it has read. */
const TELL_EVERY = 1_000

const NEVER = Number.POSITIVE_INFINITY

export const isConnected = (state: State): boolean =>
  state.session.name === 'live' || state.session.name === 'replaying'

/** True if the visitor looks at the conversation in this page. */
export const isLookedAt = ({ shown, visible }: State): boolean => shown && visible

/** True if the service echoes no heartbeats. */
const echoesNothing = ({ unechoed }: State): boolean => unechoed >= MOST_MISSED_ECHOES

const idleSeconds = (state: State): number =>
  state.capabilities?.session_idle_seconds ?? DEFAULT_SESSION_IDLE_SECONDS

/** Inactivity counts only between visitor and agent, not during a handoff. */
const countsIdle = (state: State): boolean =>
  state.session.name === 'live' && !isHandedOver(state.conversation)
const isHandedOver = ({ handoff }: Conversation): boolean =>
  handoff.state === 'pending' || handoff.state === 'live'

const idleEnd = (state: State): number => state.activeAt - state.slept + idleSeconds(state) * 1000
const lead = (state: State): number => idleWarningLead(idleSeconds(state)) * 1000
/**
 * When the session counts as expired by our clock, if the service receives our frames and sends no end. A warning puts that off
 * once: a service may repeat it on each socket.
 */
const idleTimeoutAt = (state: State): number => {
  const end = idleEnd(state)
  return Math.max(end, Math.min(state.endsAt?.at ?? end, end + lead(state))) + EXPIRY_GRACE
}

/** True if the idle time has passed, connected or not. */
export const isIdleTimedOut = (state: State, now: number): boolean =>
  !isHandedOver(state.conversation) && now >= idleTimeoutAt(state)

/** Milliseconds between probes: at most the service's interval, less while the page is visible. */
function probeInterval(state: State): number {
  const interval = state.capabilities?.heartbeat_interval_seconds
  if (interval === 0) return NEVER
  const upper = (interval ?? 30) * 1000
  return state.visible ? Math.min(PROBE_EVERY, upper) : upper
}

/**
 * True if a session that cannot be asked has expired: the idle time has passed by our clock, or the service has proved nothing for as
 * long, where it is probed. Events of that time reached nobody, and no connection kept a handoff alive.
 */
export const hasExpired = (state: State, now: number): boolean =>
  isIdleTimedOut(state, now) ||
  now >= state.aliveAt + Math.max(idleSeconds(state) * 1000, probeInterval(state))

/** The earliest time of the next reconnect that closes a gap: at most three a minute. */
const nextGapReconnect = ({ gapReconnects }: State): number =>
  (gapReconnects.at(-MOST_GAP_RECONNECTS) ?? -NEVER) + MINUTE

/** When the chat reconnects to close a gap. */
const gapReconnectAt = (state: State): number => {
  const { log } = state.conversation
  const since = Math.min(log.gap?.since ?? NEVER, log.missingChunk?.since ?? NEVER) + GAP_PATIENCE
  return Math.max(since, nextGapReconnect(state))
}
const noticeAt = ({ lostAt, triedAt }: State): number =>
  lostAt !== undefined ? lostAt + NOTICE_AFTER : (triedAt ?? NEVER) + FIRST_NOTICE_AFTER

type Deadlines = Record<
  | 'wait'
  | 'replay'
  | 'join'
  | 'probe'
  | 'answer'
  | 'echo'
  | 'gap'
  | 'typing'
  | 'typed'
  | 'pause'
  | 'warn'
  | 'ask'
  | 'expire'
  | 'renew'
  | 'end'
  | 'notice'
  | 'tell',
  number
>

const waitsUntil = (session: State['session']): number | undefined =>
  session.name === 'waiting' ? session.until : session.name === 'unavailable' ? session.again : undefined

/** When each thing is due, by the monotonic clock. */
function deadlines(state: State, now: number): Deadlines {
  const { session, replay, probe, typed, tabs } = state
  const { log, endRequest, join, stalls } = state.conversation
  const live = session.name === 'live'
  const connected = isConnected(state)
  const mayProbe = live && !probe.asked && probe.wanted === undefined
  const warnAt = idleEnd(state) - lead(state)
  const counts = countsIdle(state)
  const idleTimeout = counts ? idleTimeoutAt(state) : NEVER
  // A sleep takes back every proof from before it.
  const confirmedAt = live ? Math.min(state.confirmedAt, probe.last) : -NEVER
  return {
    wait: waitsUntil(session) ?? NEVER,
    replay: replay ? replay.frameAt + (REPLAY_PATIENCE[stalls] ?? REPLAY_PATIENCE[2]) : NEVER,
    join: live && !log.joined && !join.asked ? join.notBefore || NEVER : NEVER,
    probe: mayProbe ? probe.last + probeInterval(state) : NEVER,
    answer: connected && probe.asked ? probe.asked.deadline : NEVER,
    echo: live ? (outbox.onItsWay(state.outbox)?.echoBy ?? NEVER) : NEVER,
    gap: live ? gapReconnectAt(state) : NEVER,
    typing: state.typing ? state.typingSince + THINKING_PATIENCE : NEVER,
    typed: live && typed.want ? typed.notBefore || NEVER : NEVER,
    pause: live && typed.sent === 'STARTED' && !typed.want ? typed.keyAt + TYPING_STOP_AFTER : NEVER,
    warn: counts && state.endsAt === undefined && now < idleEnd(state) ? warnAt : NEVER,
    ask: mayProbe && confirmedAt < idleTimeout ? idleTimeout : NEVER,
    expire: confirmedAt >= idleTimeout ? confirmedAt + EXPIRY_GRACE : NEVER,
    renew:
      live && !state.typing && streamingKey(state) === undefined ? session.since + LONGEST_SOCKET : NEVER,
    end: endRequest ? endRequest.at + END_ANSWER : NEVER,
    notice: state.lostLong || live ? NEVER : noticeAt(state),
    tell: live && isLookedAt(state) && log.cursor > tabs.told.sequence ? tabs.told.at + TELL_EVERY : NEVER,
  }
}

/** The time of the next `tick`, as it looks at `now`; Infinity: never. */
export function nextDeadline(state: State, now: number): number {
  const { name } = state.session
  if (name === 'suspended' || name === 'disposed') return NEVER
  return Math.min(...Object.values(deadlines(state, now)))
}

/** `passed`: the replay counts as over without a proof. */
type Ticked = { state: State; events: SessionEvent[]; passed: boolean }

/** Does all that is due at `now`. */
export function tick(state: State, now: number, wall: number): Ticked {
  const due = deadlines(state, now)
  const is = (name: keyof Deadlines) => due[name] <= now
  const events: SessionEvent[] = []
  let next = state
  let passed = false

  if (is('wait')) events.push({ type: 'due' })
  if (is('replay')) {
    const unechoed =
      state.replay?.batch && !state.replay.asked?.answered ? state.unechoed + 1 : state.unechoed
    next = inConversation({ ...next, unechoed }, { stalls: state.conversation.stalls + 1 })
    passed = unechoed > state.unechoed && echoesNothing(next)
    if (!passed) events.push(closed(state, CLOSE.networkLost))
  }
  if (is('join')) next = inConversation(next, { join: { ...next.conversation.join, notBefore: 0 } })
  if (is('probe')) next = { ...next, probe: { ...next.probe, wanted: PROBE_ANSWER } }
  if (is('answer') && echoesNothing(state))
    // Nothing proves that the connection lives, and nothing that it does not: a message without an echo will show it.
    next = { ...next, probe: { wanted: undefined, asked: undefined, last: state.probe.asked?.at ?? now } }
  else if (is('answer')) {
    events.push(closed(state, CLOSE.networkLost))
    // Whoever came back to the page waits for the next connection too, not for the back-off.
    if (state.probe.asked?.soon) events.push({ type: 'wake' })
  }
  if (is('echo')) {
    // Without an echo, only a replay shows whether the message arrived; where that proves nothing, the visitor decides.
    if (outbox.onItsWay(state.outbox)?.id === state.unproven)
      next = { ...next, outbox: outbox.doubtful(next.outbox) }
    else events.push(ownClose(state))
  }
  if (is('gap')) {
    // Replay once more from before the gap, and accept the result.
    next = { ...next, gapReconnects: [...state.gapReconnects, now].slice(-MOST_GAP_RECONNECTS) }
    events.push(ownClose(state))
  }
  if (is('typing')) next = { ...next, typing: undefined }
  if (is('typed')) next = { ...next, typed: { ...next.typed, notBefore: 0 } }
  if (is('pause')) next = { ...next, typed: { ...next.typed, want: 'STOPPED', notBefore: 0 } }
  if (is('warn')) next = { ...next, endsAt: { at: idleEnd(state), wall: wall + idleEnd(state) - now } }
  if (is('notice')) next = { ...next, lostLong: true }
  if (is('expire'))
    events.push({ type: 'over', expired: true, reason: 'REASON_USER_ABANDONED', proven: false })
  // A lost event may tell that the session goes on: the service is asked before its end.
  if (is('renew') || is('ask')) events.push(ownClose(state))
  if (is('end')) events.push(END)
  if (is('tell')) {
    const told = { sequence: state.conversation.log.cursor, at: now }
    next = { ...next, tabs: { ...next.tabs, told } }
  }
  return { state: next, events, passed }
}

/** The visitor ends the session, and the service does not know it. */
export const END: SessionEvent = {
  type: 'over',
  expired: false,
  reason: 'REASON_USER_END',
  proven: false,
  final: true,
  untold: true,
}
/** Gives the connection up. */
export function closed(state: State, code: number): SessionEvent & { type: 'closed' } {
  return { type: 'closed', run: 'run' in state.session ? state.session.run : -1, code }
}
/** Replaces a working connection by a better one. */
export const ownClose = (state: State): SessionEvent => ({ ...closed(state, CLOSE.forced), own: true })
