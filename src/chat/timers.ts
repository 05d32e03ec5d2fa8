// All that time does. Each deadline is read off the state, so that one timer, set for the earliest, is
// enough; when it fires, `tick` does what is due. Nothing here waits by itself.

import { CLOSE, DEFAULT_SESSION_IDLE_SECONDS, idleWarningLead } from '../protocol/index.ts'
import * as outbox from './outbox.ts'
import type { SessionEvent } from './session.ts'
import type { State } from './state.ts'

const PROBE_EVERY = 10_000
const PROBE_ANSWER = 8_000
/** How long the echo may take when somebody just came back to look. */
export const PROBE_ANSWER_SOON = 2_000
const BARRIER_ANSWER = 5_000
const BARRIER_QUIET = 2_000
const GAP_PATIENCE = 2_000
const THINKING_PATIENCE = 60_000
const TYPING_REST = 5_000
const LONGEST_SOCKET = 2 * 60 * 60 * 1000
const END_ANSWER = 5_000
/** The service's clock decides; ours only where it stays silent. */
const EXPIRY_GRACE = 2_000
/** A short interruption is nobody's business. */
const NOTICE_AFTER = 1_500

const NEVER = Number.POSITIVE_INFINITY

export const isConnected = (state: State): boolean =>
  state.session.name === 'live' || state.session.name === 'replaying'

const idleSeconds = (state: State): number =>
  state.capabilities?.session_idle_seconds ?? DEFAULT_SESSION_IDLE_SECONDS

/** A handoff may take as long as it takes: inactivity counts only between visitor and agent. */
const countsIdle = (state: State): boolean =>
  state.session.name === 'live' && state.handoff.state !== 'pending' && state.handoff.state !== 'live'

const idleEnd = (state: State): number => state.activeAt + idleSeconds(state) * 1000

/** How often the connection is probed: the service's interval at most, more often while somebody looks. */
function probeInterval(state: State): number {
  const interval = state.capabilities?.heartbeat_interval_seconds
  if (interval === 0) return NEVER
  const upper = (interval ?? 30) * 1000
  return state.visible ? Math.min(PROBE_EVERY, upper) : upper
}

type Deadlines = Record<
  | 'wait'
  | 'barrier'
  | 'probe'
  | 'answer'
  | 'echo'
  | 'head'
  | 'gap'
  | 'typing'
  | 'rest'
  | 'warn'
  | 'expire'
  | 'renew'
  | 'end'
  | 'notice',
  number
>

/** When each thing is due, by the monotonic clock. */
function deadlines(state: State): Deadlines {
  const { session, barrier, probe, log, own, ending } = state
  const live = session.name === 'live'
  const connected = isConnected(state)
  const waiting = state.outbox.find(outbox.isWaiting)
  const warnAt = idleEnd(state) - idleWarningLead(idleSeconds(state)) * 1000
  return {
    wait: session.name === 'waiting' ? session.until : NEVER,
    barrier: barrier
      ? barrier.slow
        ? barrier.quietSince + BARRIER_QUIET
        : barrier.at + BARRIER_ANSWER
      : NEVER,
    probe: live && !probe.asked && probe.wanted === undefined ? probe.last + probeInterval(state) : NEVER,
    answer: connected && probe.asked ? probe.asked.deadline : NEVER,
    echo:
      live && !probe.asked && probe.wanted === undefined ? (outbox.echoDue(state.outbox) ?? NEVER) : NEVER,
    head: live && waiting?.state === 'queued' && waiting.notBefore > 0 ? waiting.notBefore : NEVER,
    gap: live && log.gap ? log.gap.since + GAP_PATIENCE : NEVER,
    typing: state.typing ? state.typingSince + THINKING_PATIENCE : NEVER,
    rest: live && own.told === 'STARTED' && !own.want ? own.keyAt + TYPING_REST : NEVER,
    warn: countsIdle(state) && state.endsAt === undefined ? warnAt : NEVER,
    expire: countsIdle(state) ? Math.max(idleEnd(state), state.endsAt?.at ?? 0) + EXPIRY_GRACE : NEVER,
    renew: live && !state.typing && state.streams.size === 0 ? session.since + LONGEST_SOCKET : NEVER,
    end: ending ? ending.at + END_ANSWER : NEVER,
    notice: state.lostAt !== undefined && !state.lostLong && !live ? state.lostAt + NOTICE_AFTER : NEVER,
  }
}

/** When `tick` is to be called next; Infinity: never. */
export function nextDeadline(state: State): number {
  return Math.min(...Object.values(deadlines(state)))
}

export type Ticked = { state: State; events: SessionEvent[]; barrierPassed: boolean }

/** Does all that is due at `now`. */
export function tick(state: State, now: number, wall: number): Ticked {
  const due = deadlines(state)
  const is = (name: keyof Deadlines) => due[name] <= now
  const events: SessionEvent[] = []
  let next = state
  let barrierPassed = false

  if (is('wait')) events.push({ type: 'due' })
  if (is('barrier') && state.barrier) {
    if (state.barrier.slow) barrierPassed = true
    else next = { ...next, barrier: { ...state.barrier, slow: true } }
  }
  if (is('probe') || is('echo')) next = { ...next, probe: { ...next.probe, wanted: PROBE_ANSWER } }
  // The last act for this socket: whoever still listens to it is told that it is gone.
  if (is('answer')) events.push(closed(state, CLOSE.networkLost))
  const waiting = state.outbox.find(outbox.isWaiting)
  if (is('head') && waiting) next = { ...next, outbox: outbox.postponed(next.outbox, waiting.id, 0) }
  if (is('gap') && state.log.gap) {
    if (state.log.gapAsked === state.log.gap.after) next = { ...next, log: { ...next.log, gap: undefined } }
    else {
      // Once more from before the hole; what comes then is accepted as it is.
      const { after } = state.log.gap
      next = { ...next, log: { ...next.log, cursor: after, gap: undefined, gapAsked: after } }
      events.push(closed(state, CLOSE.forced))
    }
  }
  if (is('typing')) next = { ...next, typing: undefined }
  if (is('rest')) next = { ...next, own: { ...next.own, want: 'STOPPED' } }
  if (is('warn')) next = { ...next, endsAt: { at: idleEnd(state), wall: wall + idleEnd(state) - now } }
  if (is('notice')) next = { ...next, lostLong: true }
  if (is('expire')) events.push(over(state, true, 'REASON_USER_ABANDONED'))
  if (is('renew')) events.push(closed(state, CLOSE.forced))
  if (is('end')) events.push(over(state, false, 'REASON_USER_END'))
  return { state: next, events, barrierPassed }
}

/** The connection as it stands is given up. */
export function closed(state: State, code: number): SessionEvent {
  return { type: 'closed', run: 'run' in state.session ? state.session.run : -1, code }
}

export function over(state: State, expired: boolean, reason: string): SessionEvent {
  return { type: 'over', expired, reason, pending: state.outbox.some(outbox.isWaiting) }
}
