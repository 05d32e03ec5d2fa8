// Decides the next state of the session, by a table of states and events. The table is total (law L5): each row has a move
// for an event or lists it as ignored; otherwise it does not compile.
//
//            open                entered            opened              replayed
//   idle ──────────▶ entering ──────────▶ connecting ──────▶ replaying ──────▶ live
//                     ▲   │ failed            │ closed           │ closed        │ closed
//                     │   ▼                   ▼                  ▼               ▼
//                     └─ waiting ◀────────────┴──────────────────┴───────────────┘
//                due
//   entering ── told, what the service says of a session whose handshakes it refuses ──▶ entering, or over, or a new session
//   over, with a message unconfirmed:  ──▶ entering the same session once more, for the proof of its replay
//   over, otherwise:                   ──▶ expired or ended ── act or restart ──▶ entering a new session
//   offline ──▶ offline ── online ──▶ waiting        suspend ──▶ suspended
//               offline ── act or wake ──▶ entering ◀── act or wake ── suspended
//   entering ── taken (another tab has a socket of the session, and this one gets none) ──▶ unavailable

import { CLOSE, closeMeaning } from '../../protocol/index.ts'
import type { Cause, EndReason, Session, SessionEvent, Tally } from '../state/session.ts'

/** What a move depends on beside the session's state and the event. */
export type Guards = {
  readonly now: number
  /** From 0 up to 1. */
  readonly random: number
  /** A number never used before. */
  readonly run: number
  readonly visible: boolean
  /** After this many failures in a row only an act of the visitor tries again. */
  readonly mostAttempts: number
  /** Whether another session may be created without an act of the visitor. */
  readonly mayRenew: boolean
  /** The session was idle for so long that it has expired. */
  readonly idledOut: boolean
  /** Messages wait that were never sent; messages were sent and are not confirmed. */
  readonly queued: boolean
  readonly sent: boolean
  /** Events or chunks are missing, or the replay has not ended. */
  readonly incomplete: boolean
  /** The session in which the other tabs of this browser go on, where that is another one. */
  readonly other: string | undefined
}

type Name = Session['name']
type Type = SessionEvent['type']
type In<N extends Name> = Extract<Session, { name: N }>
type On<T extends Type> = Extract<SessionEvent, { type: T }>
type Rule<N extends Name, T extends Type> = (session: In<N>, event: On<T>, guards: Guards) => Session
/** A row: the ignored events, and a move for every other event. */
type Row<N extends Name, Ignored extends Type> = { readonly [T in Exclude<Type, Ignored>]: Rule<N, T> }
type Table = { readonly [N in Name]: { readonly [T in Type]?: Rule<N, T> } }
/** The states in which a session is entered or connected. */
type Attempted = In<'entering' | 'connecting' | 'replaying' | 'live'>
/** Results of an earlier attempt. */
type Late = 'entered' | 'told' | 'failed' | 'refused' | 'opened' | 'replayed' | 'closed'
/** Events that change nothing in a session that is over. */
type WhenOver = Late | 'online' | 'offline' | 'suspend' | 'unknown' | 'over' | 'exhausted' | 'due' | 'taken'

const SPREAD = 5_000
const SLOW = 10_000
const PENALTY = 5_000
const TAKEN_AGAIN = 30_000
const LONGEST_RETRY_AFTER = 300_000
const IMPATIENCE = 1_000
/** A service that asks for a longer wait is overloaded. */
const BUSY = 2_000
const STEADY_AFTER = 5_000
/** After so many refused handshakes in a row other tabs and the service are asked about the session. */
export const REFUSALS_UNTIL_ASKED = 3
/** After handshakes were refused for so long, a session that the service does not tell about may be lost. */
export const REFUSED_LONG = 60_000
/** For a session that has ended, a socket that opens and brings no replay counts as 20 seconds of refusals. */
const UNREPLAYED = REFUSED_LONG / 3
const MOST_UNOPENED = 3

const UNTRIED: Tally = {
  fails: 0,
  refusals: 0,
  waited: 0,
  refusedFor: 0,
  unopened: 0,
  denials: 0,
  crowded: false,
  endReason: undefined,
  follows: false,
}

const DELAYS = [1_000, 2_000, 4_000, 8_000, 15_000]
/**
 * Full jitter over 1, 2, 4, 8 and 15 s. Later waits use the upper half (of 30 s while hidden), so that at most a tenth of
 * all clients reconnect in any second after an outage.
 */
export function backoff(fails: number, random: number, visible = true): number {
  const longest = visible ? 15_000 : 30_000
  return fails < DELAYS.length ? random * (DELAYS[fails] ?? 0) : ((1 + random) * longest) / 2
}

/**
 * After the service left all its clients at once, at most a quarter of them come back in any second, however long it is away: their
 * attempts are spread over 5 s, and no client makes its second attempt before all have made their `first`.
 */
const comeback = (first: boolean, random: number): number =>
  first ? random * SPREAD : SPREAD + (random * SPREAD) / 2

/** The ends that the service states: a replay has the reason. */
const ENDS: { readonly [state in 'expired' | 'ended']: EndReason } = {
  expired: { expired: true, reason: 'REASON_USER_ABANDONED' },
  ended: { expired: false, reason: 'REASON_NATURAL_END' },
}
const UNREFUSED = { refusals: 0, refusedFor: 0 }

type WithSession = { readonly sessionId: string | undefined } & Partial<Tally>
const tallyOf = (held: WithSession): Tally => {
  const { fails, refusals, waited, refusedFor, unopened, denials, crowded, endReason, follows } = {
    ...UNTRIED,
    ...held,
  }
  return { fails, refusals, waited, refusedFor, unopened, denials, crowded, endReason, follows }
}

/**
 * What is asked before the next handshake, since a refused one proves nothing: how the session stands, where the service tells
 * (`hasStatus`); elsewhere, for another session.
 */
export function questionOf(session: In<'entering'>, hasStatus: boolean): 'status' | 'another' | undefined {
  const { sessionId, refusals, refusedFor, endReason, unopened } = session
  if (sessionId === undefined) return undefined
  if (hasStatus) return refusals >= REFUSALS_UNTIL_ASKED ? 'status' : undefined
  // A session that has ended is asked for until it counts as lost (`lost`), and one that never opened is as good as another.
  return refusedFor >= REFUSED_LONG && !endReason && unopened < MOST_UNOPENED ? 'another' : undefined
}

const enter = (sessionId: string | undefined, guards: Guards, tally: Tally = UNTRIED): Session => ({
  name: 'entering',
  sessionId,
  run: guards.run,
  ...tally,
})
const enterNew = (_: Session, __: SessionEvent, guards: Guards): Session => enter(undefined, guards)
/** Enters the same session, and forgives all failures. */
const enterAgain = (session: WithSession, _: SessionEvent, guards: Guards): Session =>
  enter(session.sessionId, guards, { ...UNTRIED, endReason: session.endReason })
/** The visitor uses a page that has its session: where the other tabs have gone on, it follows, once it knows what became of its messages. */
const followOthers = <T extends Attempted>(session: T, _: SessionEvent, guards: Guards): Session => {
  if (guards.other === undefined || guards.other === session.sessionId) return session
  if (guards.sent || guards.incomplete) return session.follows ? session : { ...session, follows: true }
  return enter(guards.other, guards)
}
/** The same for a page whose session is over. */
const follow = (session: Session, _: SessionEvent, guards: Guards): Session =>
  guards.other === undefined ? session : enter(guards.other, guards)
/** The visitor comes back to a page without a connection. */
const comeBack = (session: WithSession, _: SessionEvent, guards: Guards): Session =>
  enter(session.sessionId, guards, { ...UNTRIED, endReason: session.endReason, follows: true })
const goOffline = (session: WithSession, _: SessionEvent, guards: Guards): Session => ({
  ...tallyOf(session),
  name: 'offline',
  sessionId: session.sessionId,
  run: guards.run,
})
const suspend = (session: WithSession, _: SessionEvent, guards: Guards): Session => ({
  ...tallyOf(session),
  name: 'suspended',
  sessionId: session.sessionId,
  run: guards.run,
})
const giveUp = (session: WithSession, guards: Guards, cause: Cause = 'gave-up'): Session => ({
  ...tallyOf(session),
  name: 'unavailable',
  sessionId: session.sessionId,
  run: guards.run,
  cause,
  at: guards.now,
})
const exhausted = (session: WithSession, _: SessionEvent, guards: Guards): Session => giveUp(session, guards)
/** Forgets the session after signing out. */
const forget = (_: Session, __: SessionEvent, guards: Guards): Session => ({
  name: 'ended',
  reason: 'REASON_USER_END',
  run: guards.run,
})
const dispose = (): Session => ({ name: 'disposed' })

/** Enters a new session without an act of the visitor, unless there were too many of them. It backs off as the last one did. */
const renew = (session: WithSession, guards: Guards): Session =>
  guards.mayRenew && (session.unopened ?? 0) < MOST_UNOPENED
    ? enter(undefined, guards, { ...tallyOf(session), ...UNREFUSED, endReason: undefined })
    : giveUp({ ...session, sessionId: undefined }, guards)

/** Ends the session. If it expired, waiting messages start a new one at once; otherwise the visitor decides. */
function conclude(
  session: WithSession,
  { expired, reason }: EndReason,
  proven: boolean,
  guards: Guards,
): Session {
  if (session.follows && guards.other !== undefined) return enter(guards.other, guards)
  if (!expired) return { name: 'ended', reason, run: guards.run }
  return guards.queued || (proven && guards.sent)
    ? renew(session, guards)
    : { name: 'expired', run: guards.run }
}
/** Over. What is missing, or not confirmed, is worth asking for once more: the replay is the only proof. */
const close = (
  session: WithSession & { sessionId: string | undefined },
  event: On<'over'>,
  guards: Guards,
): Session =>
  (guards.sent || guards.incomplete) &&
  !event.proven &&
  !event.final &&
  session.sessionId !== undefined &&
  !session.endReason
    ? enter(session.sessionId, guards, {
        ...UNTRIED,
        endReason: { expired: event.expired, reason: event.reason },
        follows: session.follows ?? false,
      })
    : conclude(session, event.proven ? event : (session.endReason ?? event), event.proven, guards)
/** The session is lost: the service does not know it. */
const gone = (session: WithSession, _: SessionEvent, guards: Guards): Session => {
  if (session.endReason) return conclude(session, session.endReason, false, guards)
  return guards.idledOut && !guards.queued ? { name: 'expired', run: guards.run } : renew(session, guards)
}

/** Waits `asked` ms, as the service demands, and `delay` ms more, to spread the clients. */
const wait = (session: WithSession, guards: Guards, tally: Tally, delay: number, asked = 0): Session => ({
  ...tally,
  name: 'waiting',
  sessionId: session.sessionId,
  run: guards.run,
  since: guards.now,
  until: guards.now + asked + delay,
  earliest: guards.now + asked,
  ...(asked >= BUSY && { busy: true }),
})
/** Waits before the next handshake. `first`: the service has just left all its clients. */
const waitAgain = (session: WithSession, guards: Guards, tally: Tally, first = false): Session =>
  wait(
    session,
    guards,
    tally,
    tally.crowded
      ? comeback(first, guards.random)
      : backoff(Math.max(0, tally.fails - 1), guards.random, guards.visible),
  )
const enterAfter = (session: In<'waiting'>, guards: Guards): Session =>
  enter(session.sessionId, guards, { ...tallyOf(session), waited: session.until - session.since })
/** Shortens a wait, to at most one attempt a second. */
const hurry = (session: In<'waiting'>, _: SessionEvent, guards: Guards): In<'waiting'> => {
  const until = Math.max(session.earliest, Math.min(session.until, guards.now + IMPATIENCE))
  return until < session.until ? { ...session, until } : session
}
/** The visitor comes back to a page that waits. */
const hurryBack = (session: In<'waiting'>, event: SessionEvent, guards: Guards): Session => {
  const hurried = hurry(session, event, guards)
  return session.follows || guards.other === undefined ? hurried : { ...hurried, follows: true }
}

/** For how long handshakes are refused after one more attempt that failed. */
const refusedForAfter = (session: Attempted, isRefused: boolean): number => {
  const { endReason, refusals, refusedFor, waited } = session
  if (endReason) return refusedFor + waited + (session.name === 'replaying' ? UNREPLAYED : 0)
  return isRefused && refusals > 0 ? refusedFor + waited : refusedFor
}
/** True if a session that has ended was asked for its replay for so long that nothing more is known of it. */
const isAskedLong = ({ endReason, refusedFor }: Tally): boolean =>
  endReason !== undefined && refusedFor >= REFUSED_LONG

/** Handles a connection that was lost or never opened, by the meaning of its close code (protocol/close.ts). */
function lost(
  session: In<'connecting' | 'replaying' | 'live'>,
  event: On<'closed'>,
  guards: Guards,
): Session {
  if (event.run !== session.run) return session
  const steady = session.name === 'live' && (event.own || guards.now - session.since >= STEADY_AFTER)
  const meaning = closeMeaning(event.code)
  const wasCrowded = session.crowded && !steady
  // A handshake that got no answer is no refusal: it may have met a process, or a network, that stands still.
  const isRefused = session.name === 'connecting' && event.code !== CLOSE.networkLost
  const tally: Tally = {
    ...tallyOf(session),
    crowded: wasCrowded || meaning === 'spread',
    fails: steady ? 0 : session.fails + 1,
    refusals: session.refusals + (isRefused ? 1 : 0),
    refusedFor: refusedForAfter(session, isRefused),
  }
  if (event.own && session.name === 'live') return enter(session.sessionId, guards, tally)
  if (isAskedLong(tally)) return gone(session, event, guards)
  if (tally.fails > guards.mostAttempts) return giveUp(session, guards)
  // Asks at once: the handshake that was refused just now tells whether the refusals go on while HTTP works.
  if (isRefused && tally.refusedFor >= REFUSED_LONG) return enter(session.sessionId, guards, tally)
  switch (meaning) {
    case 'renew':
      return gone(session, event, guards)
    case 'later':
      return wait(session, guards, tally, guards.random * PENALTY, PENALTY)
    case 'spread':
    case 'reconnect':
    case 'oversize':
      return waitAgain(session, guards, tally, tally.crowded && !wasCrowded)
  }
}

/** The moves by which a visitor or a page leaves any session. */
const LEFT = { restart: enterNew, logout: forget, dispose }
/** The same in each state that has, or tries for, a session. */
const HELD = { ...LEFT, suspend, over: close }
const ATTEMPTED = { ...HELD, offline: goOffline }
/** The visitor uses the page while it connects, or is connected. */
const USED = { open: followOthers, act: followOthers, wake: followOthers }
/** The visitor uses a page that does neither. */
const UNUSED = { open: comeBack, act: comeBack, wake: comeBack }

const idle: Row<
  'idle',
  Late | 'online' | 'offline' | 'wake' | 'suspend' | 'unknown' | 'over' | 'exhausted' | 'due' | 'taken'
> = {
  open: enterAgain,
  act: enterAgain,
  restart: enterNew,
  logout: () => ({ name: 'idle', sessionId: undefined }),
  dispose,
}

const entering: Row<
  'entering',
  'online' | 'opened' | 'replayed' | 'closed' | 'unknown' | 'exhausted' | 'due'
> = {
  told: (session, event, guards) => {
    if (event.run !== session.run) return session
    const { endReason } = session
    switch (event.state) {
      case 'active':
        return { ...session, ...UNREFUSED, endReason: undefined }
      case 'expired':
      case 'ended':
        // Its replay has what was said meanwhile: the session still takes sockets.
        return endReason
          ? { ...session, refusals: 0 }
          : { ...session, ...UNREFUSED, endReason: ENDS[event.state] }
      case 'unknown':
        return gone(session, event, guards)
      case undefined:
        return endReason ? { ...session, refusals: 0 } : { ...session, ...UNREFUSED }
    }
  },
  entered: (session, event, guards) => {
    if (event.run !== session.run) return session
    const { sessionId, fresh = false } = event
    const replaced = session.sessionId !== undefined && session.sessionId !== sessionId
    // The session's token is lost, and with it the session.
    if (replaced && session.endReason) return conclude(session, session.endReason, false, guards)
    if (replaced && fresh && !guards.mayRenew) return giveUp({ ...session, sessionId: undefined }, guards)
    // No other session was to be had. The handshake was refused just now: the next one has its time.
    if (session.refusedFor >= REFUSED_LONG && !session.endReason && !replaced)
      return waitAgain(session, guards, { ...tallyOf(session), ...UNREFUSED })
    const tally = replaced ? { ...session, ...UNREFUSED } : session
    return { ...tally, name: 'connecting', sessionId, unopened: session.unopened + (fresh ? 1 : 0) }
  },
  failed: (session, event, guards) => {
    if (event.run !== session.run) return session
    const refused = session.endReason ? { refusedFor: refusedForAfter(session, false) } : UNREFUSED
    const tally = { ...tallyOf(session), ...refused, fails: session.fails + 1 }
    if (isAskedLong(tally)) return gone(session, event, guards)
    if (tally.fails > guards.mostAttempts) return giveUp(session, guards)
    const asked = Math.min(event.retryAfter ?? 0, LONGEST_RETRY_AFTER)
    const { crowded, fails } = session
    const delay = crowded ? comeback(false, guards.random) : backoff(fails, guards.random, guards.visible)
    return wait(session, guards, tally, delay, asked)
  },
  refused: (session, event, guards) => {
    if (event.run !== session.run) return session
    if (session.endReason) return gone(session, event, guards)
    const denied = giveUp({ ...session, denials: session.denials + 1 }, guards, 'refused')
    return session.denials > 0 ? denied : { ...denied, again: guards.now + (1 + guards.random) * SLOW }
  },
  ...USED,
  // Another tab may close meanwhile: then the session has a socket for this page.
  taken: (session, event, guards) =>
    event.run === session.run ? { ...giveUp(session, guards), again: guards.now + TAKEN_AGAIN } : session,
  ...ATTEMPTED,
}

const connecting: Row<
  'connecting',
  'online' | 'entered' | 'told' | 'failed' | 'refused' | 'replayed' | 'exhausted' | 'due' | 'taken'
> = {
  opened: (session, event) => {
    if (event.run !== session.run) return session
    const refusedFor = session.endReason ? session.refusedFor : 0
    return { ...session, name: 'replaying', refusals: 0, refusedFor, unopened: 0, denials: 0 }
  },
  closed: lost,
  ...USED,
  ...ATTEMPTED,
  unknown: gone,
}

const replaying: Row<
  'replaying',
  'online' | 'entered' | 'told' | 'failed' | 'refused' | 'opened' | 'due' | 'taken'
> = {
  replayed: (session, event, guards) => {
    if (session.endReason) return conclude(session, session.endReason, !event.unproven, guards)
    const joined = session.follows ? followOthers(session, event, guards) : session
    if (joined.name === 'entering') return joined
    return { ...session, name: 'live', since: guards.now, follows: false }
  },
  closed: lost,
  ...USED,
  ...ATTEMPTED,
  unknown: gone,
  exhausted,
}

const live: Row<
  'live',
  'online' | 'entered' | 'told' | 'failed' | 'refused' | 'opened' | 'replayed' | 'due' | 'taken'
> = {
  closed: lost,
  ...USED,
  ...ATTEMPTED,
  unknown: gone,
  exhausted,
}

const waiting: Row<'waiting', Late | 'unknown' | 'exhausted' | 'taken'> = {
  due: (session, _, guards) => (guards.now >= session.until ? enterAfter(session, guards) : session),
  open: hurryBack,
  act: hurryBack,
  online: hurry,
  wake: hurryBack,
  ...ATTEMPTED,
}

const offline: Row<'offline', Late | 'offline' | 'unknown' | 'exhausted' | 'due' | 'taken'> = {
  // The browser may be wrong: an act of the visitor makes an attempt all the same.
  ...UNUSED,
  online: (session, _, guards) =>
    wait(session, guards, { ...tallyOf(session), fails: 0, crowded: false }, backoff(0, guards.random)),
  ...HELD,
}

const suspended: Row<
  'suspended',
  Late | 'online' | 'suspend' | 'unknown' | 'over' | 'exhausted' | 'due' | 'taken'
> = {
  ...UNUSED,
  ...LEFT,
  offline: goOffline,
}

// Opening only shows the panel: an idle tab must not create sessions.
const expired: Row<'expired', WhenOver> = {
  act: enterNew,
  open: follow,
  wake: follow,
  ...LEFT,
}

const ended: Row<'ended', WhenOver> = {
  act: follow,
  open: follow,
  wake: follow,
  ...LEFT,
}

const unavailable: Row<
  'unavailable',
  Late | 'online' | 'offline' | 'wake' | 'suspend' | 'unknown' | 'exhausted' | 'taken'
> = {
  open: comeBack,
  // Keystrokes come many a second: an attempt follows the one before after a second.
  act: (session, event, guards) => {
    const again = session.at + IMPATIENCE
    if (guards.now >= again) return comeBack(session, event, guards)
    // If the BFF refuses this attempt too, a slow one follows, as it follows the first refusal.
    return again < (session.again ?? Number.POSITIVE_INFINITY) ? { ...session, again, denials: 0 } : session
  },
  due: (session, _, guards) => {
    const { sessionId, denials, endReason, again = Number.POSITIVE_INFINITY } = session
    // One more refusal shows that the session still has no socket for this tab.
    const refusals = Math.min(session.refusals, REFUSALS_UNTIL_ASKED - 1)
    const refusedFor = Math.min(session.refusedFor, REFUSED_LONG - 1)
    return guards.now >= again
      ? enter(sessionId, guards, { ...UNTRIED, refusals, refusedFor, denials, endReason })
      : session
  },
  ...LEFT,
  over: close,
}

const disposed: Row<
  'disposed',
  | Late
  | 'open'
  | 'act'
  | 'restart'
  | 'logout'
  | 'online'
  | 'offline'
  | 'wake'
  | 'suspend'
  | 'unknown'
  | 'over'
  | 'exhausted'
  | 'due'
  | 'dispose'
  | 'taken'
> = {}

/** The whole table. */
const TABLE: Table = {
  idle,
  entering,
  connecting,
  replaying,
  live,
  waiting,
  offline,
  suspended,
  expired,
  ended,
  unavailable,
  disposed,
}

/** The next state. Returns the same value if the event changes nothing. */
export function next(session: Session, event: SessionEvent, guards: Guards): Session {
  const moves: { readonly [T in Type]?: (s: never, e: never, f: Guards) => Session } = TABLE[session.name]
  return moves[event.type]?.(session as never, event as never, guards) ?? session
}
