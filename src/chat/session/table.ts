// Decides the next state of the session, by a table of states and events. The table is total (law L5): each row has a move
// for an event or lists it as ignored; otherwise it does not compile.
//
//            open                entered            opened              replayed
//   idle ──────────▶ entering ──────────▶ connecting ──────▶ replaying ──────▶ live
//                     ▲   │ failed            │ closed           │ closed        │ closed
//                     │   ▼                   ▼                  ▼               ▼
//                     └─ waiting ◀────────────┴──────────────────┴───────────────┘
//                due
//   over, with a message unconfirmed:  ──▶ entering the same session once more, for the verdict of its replay
//   over, otherwise:                   ──▶ expired or ended ── act or restart ──▶ entering a new session
//   offline ──▶ offline ── online ──▶ waiting        suspend ──▶ suspended
//               offline ── act or wake ──▶ entering ◀── act or wake ── suspended

import { closeMeaning } from '../../protocol/index.ts'

/** Why a session has ended. */
export type Verdict = { readonly expired: boolean; readonly reason: string }

/** The results of the attempts so far. */
type Tally = {
  /** Attempts in a row that did not lead to a steady connection. */
  readonly fails: number
  /** Handshakes in a row that never opened. */
  readonly refusals: number
  /** Sessions in a row that were created and never opened. After a few of them the chat gives up. */
  readonly unopened: number
  /** Attempts in a row that BFF or chat host refused. The first is followed by a slow one, since a refusal may last for seconds. */
  readonly denials: number
  /** The service left all its clients at once, and no connection was steady since: they come back spread over a longer time. */
  readonly crowded: boolean
  /** The session has ended; one more replay shows which unconfirmed messages arrived. */
  readonly verdict: Verdict | undefined
}

/** `sessionId` undefined: create a new session. `run`: the number of the attempt. */
type Attempt = { readonly sessionId: string | undefined; readonly run: number } & Tally
type Known = Attempt & { readonly sessionId: string }

export type Session =
  | { readonly name: 'idle'; readonly sessionId: string | undefined }
  | ({ readonly name: 'entering' } & Attempt)
  /** `last`: the chat host is up and refuses this session; after one more refusal the session is lost. */
  | ({ readonly name: 'connecting'; readonly last: boolean } & Known)
  | ({ readonly name: 'replaying' } & Known)
  /** `since`: when it became live. After 5 s earlier failures are forgiven. */
  | ({ readonly name: 'live'; readonly since: number } & Known)
  /**
   * `earliest`: no act of the visitor starts the attempt before it, since the service asked for this wait. `busy`: it asked for one
   * that is long enough to say so.
   */
  | ({
      readonly name: 'waiting'
      readonly until: number
      readonly earliest: number
      readonly busy?: true
    } & Attempt)
  | ({ readonly name: 'offline' } & Attempt)
  /** The page is being left or frozen: no socket, no timer. */
  | ({ readonly name: 'suspended' } & Attempt)
  | { readonly name: 'expired'; readonly run: number }
  | { readonly name: 'ended'; readonly run: number; readonly reason: string }
  /** `again`: when the next attempt is made: the slow one, or one that the visitor asked for too soon. */
  | ({
      readonly name: 'unavailable'
      readonly cause: Cause
      readonly at: number
      readonly again?: number
    } & Attempt)
  | { readonly name: 'disposed' }

/** `refused`: by the BFF. `gave-up`: after too many failed attempts. */
export type Cause = 'refused' | 'gave-up'

export type SessionEvent =
  /** The visitor opened the chat, or asked to try again. */
  | { readonly type: 'open' }
  /** The visitor typed or sent a message: the connection is needed now. */
  | { readonly type: 'act' }
  | { readonly type: 'restart' }
  /** The visitor signed out: nothing of this session is kept. */
  | { readonly type: 'logout' }
  | { readonly type: 'online' }
  | { readonly type: 'offline' }
  /** The page got the focus, or the machine woke up: try now. */
  | { readonly type: 'wake' }
  | { readonly type: 'suspend' }
  /** `proven`: the chat host has just created a session, so it is up. `fresh`: `sessionId` is new. */
  | {
      readonly type: 'entered'
      readonly run: number
      readonly sessionId: string
      readonly fresh?: boolean
      readonly proven?: boolean
      /** Why the session is a new one, if another tab knows. */
      readonly reason?: 'expired' | 'ended' | 'restarted' | 'lost' | undefined
    }
  /** Token or session are temporarily unavailable. `retryAfter`: milliseconds, if the answer has it. */
  | { readonly type: 'failed'; readonly run: number; readonly retryAfter?: number | undefined }
  /** Token or session are refused permanently. */
  | { readonly type: 'refused'; readonly run: number }
  /** `guest`: another tab owns the socket. */
  | { readonly type: 'opened'; readonly run: number; readonly guest?: boolean }
  /** `unproven`: the service echoes no heartbeat, so that nothing shows whether its replay is whole. */
  | { readonly type: 'replayed'; readonly unproven?: boolean }
  /** `own`: the client closed a working connection to open a better one. */
  | { readonly type: 'closed'; readonly run: number; readonly code: number; readonly own?: boolean }
  /** The service does not know the session. */
  | { readonly type: 'unknown' }
  /** Ended by the service, the visitor or inactivity. `proven`: a replay shows which messages arrived. `final`: no replay can.
   * `untold`: the service does not know it. */
  | ({
      readonly type: 'over'
      readonly proven: boolean
      readonly final?: boolean
      readonly untold?: boolean
    } & Verdict)
  /** The service sends no replay in this session, after all attempts. */
  | { readonly type: 'exhausted' }
  /** The transport changed: to this tab's own socket, or to another tab. */
  | { readonly type: 'moved' }
  /** A wait is over. */
  | { readonly type: 'due' }
  | { readonly type: 'dispose' }

/** The facts for a decision, beside state and event. */
export type Facts = {
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
  readonly rested: boolean
  /** Messages wait that were never sent; messages were sent and are not confirmed. */
  readonly queued: boolean
  readonly sent: boolean
  /** Something that was said is missing, or a replay has not told all of it. */
  readonly hole: boolean
}

type Name = Session['name']
type Type = SessionEvent['type']
type In<N extends Name> = Extract<Session, { name: N }>
type On<T extends Type> = Extract<SessionEvent, { type: T }>
type Rule<N extends Name, T extends Type> = (session: In<N>, event: On<T>, facts: Facts) => Session
/** A row: the ignored events, and a move for every other event. */
type Row<N extends Name, Ignored extends Type> = { readonly [T in Exclude<Type, Ignored>]: Rule<N, T> }
type Table = { readonly [N in Name]: { readonly [T in Type]?: Rule<N, T> } }
/** Results of an earlier attempt. */
type Late = 'entered' | 'failed' | 'refused' | 'opened' | 'replayed' | 'closed'

const SPREAD = 5_000
const SLOW = 10_000
const PENALTY = 5_000
const LONGEST_RETRY_AFTER = 300_000
const IMPATIENCE = 1_000
const STEADY_AFTER = 5_000
/** After this many refused handshakes in a row, ask the chat host for a session to prove that it is up. */
export const REFUSALS_UNTIL_PROOF = 3
const MOST_ASKED = 3
const MOST_UNOPENED = 3

const UNTRIED: Tally = {
  fails: 0,
  refusals: 0,
  unopened: 0,
  denials: 0,
  crowded: false,
  verdict: undefined,
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

type Held = { readonly sessionId: string | undefined } & Partial<Tally>
const tallyOf = (held: Held): Tally => {
  const { fails = 0, refusals = 0, unopened = 0, denials = 0, crowded = false, verdict } = held
  return { fails, refusals, unopened, denials, crowded, verdict }
}

const enter = (sessionId: string | undefined, facts: Facts, tally: Tally = UNTRIED): Session => ({
  name: 'entering',
  sessionId,
  run: facts.run,
  ...tally,
})
const enterNew = (_: Session, __: SessionEvent, facts: Facts): Session => enter(undefined, facts)
/** Enters the same session, and forgives all failures. */
const enterAgain = (session: Held, _: SessionEvent, facts: Facts): Session =>
  enter(session.sessionId, facts, { ...UNTRIED, verdict: session.verdict })
const goOffline = (session: Held, _: SessionEvent, facts: Facts): Session => ({
  ...tallyOf(session),
  name: 'offline',
  sessionId: session.sessionId,
  run: facts.run,
})
const suspend = (session: Held, _: SessionEvent, facts: Facts): Session => ({
  ...tallyOf(session),
  name: 'suspended',
  sessionId: session.sessionId,
  run: facts.run,
})
const giveUp = (session: Held, facts: Facts, cause: Cause = 'gave-up'): Session => ({
  ...tallyOf(session),
  name: 'unavailable',
  sessionId: session.sessionId,
  run: facts.run,
  cause,
  at: facts.now,
})
const exhausted = (session: Held, _: SessionEvent, facts: Facts): Session => giveUp(session, facts)
/** Forgets the session after signing out. */
const forget = (_: Session, __: SessionEvent, facts: Facts): Session => ({
  name: 'ended',
  reason: 'REASON_USER_END',
  run: facts.run,
})
const dispose = (): Session => ({ name: 'disposed' })

/** Enters a new session without an act of the visitor, unless there were too many of them. It backs off as the last one did. */
const renew = (session: Held, facts: Facts): Session =>
  facts.mayRenew && (session.unopened ?? 0) < MOST_UNOPENED
    ? enter(undefined, facts, { ...tallyOf(session), refusals: 0, verdict: undefined })
    : giveUp({ ...session, sessionId: undefined }, facts)

/** Ends the session. If it expired, waiting messages start a new one at once; otherwise the visitor decides. */
function conclude(session: Held, { expired, reason }: Verdict, proven: boolean, facts: Facts): Session {
  if (!expired) return { name: 'ended', reason, run: facts.run }
  return facts.queued || (proven && facts.sent) ? renew(session, facts) : { name: 'expired', run: facts.run }
}
/** Over. What is missing, or not confirmed, is worth asking for once more: the replay is the only proof. */
const close = (
  session: Held & { sessionId: string | undefined },
  event: On<'over'>,
  facts: Facts,
): Session =>
  (facts.sent || facts.hole) &&
  !event.proven &&
  !event.final &&
  session.sessionId !== undefined &&
  !session.verdict
    ? enter(session.sessionId, facts, {
        ...UNTRIED,
        verdict: { expired: event.expired, reason: event.reason },
      })
    : conclude(session, session.verdict ?? event, event.proven, facts)
/** The session is lost: the service does not know it. */
const gone = (session: Held, _: SessionEvent, facts: Facts): Session => {
  if (session.verdict) return conclude(session, session.verdict, false, facts)
  return facts.rested && !facts.queued ? { name: 'expired', run: facts.run } : renew(session, facts)
}

/** A service that asks for a longer wait is overloaded. */
const BUSY = 2_000
/** Waits `asked` ms, as the service demands, and `delay` ms more, to spread the clients. */
const wait = (session: Held, facts: Facts, tally: Tally, delay: number, asked = 0): Session => ({
  ...tally,
  name: 'waiting',
  sessionId: session.sessionId,
  run: facts.run,
  until: facts.now + asked + delay,
  earliest: facts.now + asked,
  ...(asked >= BUSY && { busy: true }),
})
/** Shortens a wait, to at most one attempt a second. */
const hurry = (session: In<'waiting'>, _: SessionEvent, facts: Facts): Session => {
  const until = Math.max(session.earliest, Math.min(session.until, facts.now + IMPATIENCE))
  return until < session.until ? { ...session, until } : session
}

/** Handles a connection that was lost or never opened, by the meaning of its close code (protocol/close.ts). */
function lost(session: In<'connecting' | 'replaying' | 'live'>, event: On<'closed'>, facts: Facts): Session {
  if (event.run !== session.run) return session
  const steady = session.name === 'live' && (event.own || facts.now - session.since >= STEADY_AFTER)
  const meaning = closeMeaning(event.code)
  const wasCrowded = session.crowded && !steady
  const tally: Tally = {
    ...tallyOf(session),
    crowded: wasCrowded || meaning === 'spread',
    fails: steady ? 0 : session.fails + 1,
    refusals: session.name === 'connecting' ? session.refusals + 1 : 0,
  }
  if (event.own && session.name === 'live') return enter(session.sessionId, facts, tally)
  if (session.name === 'connecting' && session.last) return gone(session, event, facts)
  if (session.verdict && tally.fails >= MOST_ASKED) return gone(session, event, facts)
  if (tally.fails > facts.mostAttempts) return giveUp(session, facts)
  switch (meaning) {
    case 'renew':
      return gone(session, event, facts)
    case 'later':
      return wait(session, facts, tally, facts.random * PENALTY, PENALTY)
    case 'spread':
    case 'reconnect':
    case 'oversize':
      if (tally.crowded) return wait(session, facts, tally, comeback(!wasCrowded, facts.random))
      return wait(session, facts, tally, backoff(Math.max(0, tally.fails - 1), facts.random, facts.visible))
  }
}

const idle: Row<
  'idle',
  Late | 'online' | 'offline' | 'wake' | 'suspend' | 'unknown' | 'over' | 'exhausted' | 'due' | 'moved'
> = {
  open: enterAgain,
  act: enterAgain,
  restart: enterNew,
  logout: () => ({ name: 'idle', sessionId: undefined }),
  dispose,
}

const entering: Row<
  'entering',
  'open' | 'act' | 'online' | 'wake' | 'opened' | 'replayed' | 'closed' | 'unknown' | 'exhausted' | 'due'
> = {
  entered: (session, event, facts) => {
    if (event.run !== session.run) return session
    const { sessionId, fresh = false, proven: last = false } = event
    const replaced = session.sessionId !== undefined && session.sessionId !== sessionId
    // The session's token is lost, and with it the session.
    if (replaced && session.verdict) return conclude(session, session.verdict, false, facts)
    if (replaced && fresh && !facts.mayRenew) return giveUp({ ...session, sessionId: undefined }, facts)
    return { ...session, name: 'connecting', sessionId, unopened: session.unopened + (fresh ? 1 : 0), last }
  },
  failed: (session, event, facts) => {
    if (event.run !== session.run) return session
    const tally = { ...tallyOf(session), fails: session.fails + 1 }
    if (session.verdict && tally.fails >= MOST_ASKED) return gone(session, event, facts)
    if (tally.fails > facts.mostAttempts) return giveUp(session, facts)
    const asked = Math.min(event.retryAfter ?? 0, LONGEST_RETRY_AFTER)
    const { crowded, fails } = session
    const delay = crowded ? comeback(false, facts.random) : backoff(fails, facts.random, facts.visible)
    return wait(session, facts, tally, delay, asked)
  },
  refused: (session, event, facts) => {
    if (event.run !== session.run) return session
    if (session.verdict) return gone(session, event, facts)
    const denied = giveUp({ ...session, denials: session.denials + 1 }, facts, 'refused')
    return session.denials > 0 ? denied : { ...denied, again: facts.now + (1 + facts.random) * SLOW }
  },
  moved: enterAgain,
  restart: enterNew,
  logout: forget,
  offline: goOffline,
  suspend,
  over: close,
  dispose,
}

const connecting: Row<
  'connecting',
  'open' | 'act' | 'online' | 'wake' | 'entered' | 'failed' | 'refused' | 'replayed' | 'exhausted' | 'due'
> = {
  opened: (session, event) => {
    if (event.run !== session.run) return session
    const { last: _, ...rest } = session
    return { ...rest, name: 'replaying', refusals: 0, unopened: 0, denials: 0 }
  },
  closed: lost,
  moved: enterAgain,
  restart: enterNew,
  logout: forget,
  offline: goOffline,
  suspend,
  unknown: gone,
  over: close,
  dispose,
}

const replaying: Row<
  'replaying',
  'open' | 'act' | 'online' | 'wake' | 'entered' | 'failed' | 'refused' | 'opened' | 'due'
> = {
  replayed: (session, event, facts) =>
    session.verdict
      ? conclude(session, session.verdict, !event.unproven, facts)
      : { ...session, name: 'live', since: facts.now },
  closed: lost,
  moved: enterAgain,
  restart: enterNew,
  logout: forget,
  offline: goOffline,
  suspend,
  unknown: gone,
  over: close,
  exhausted,
  dispose,
}

const live: Row<
  'live',
  'open' | 'act' | 'online' | 'wake' | 'entered' | 'failed' | 'refused' | 'opened' | 'replayed' | 'due'
> = {
  closed: lost,
  moved: enterAgain,
  restart: enterNew,
  logout: forget,
  offline: goOffline,
  suspend,
  unknown: gone,
  over: close,
  exhausted,
  dispose,
}

const waiting: Row<'waiting', Late | 'unknown' | 'exhausted'> = {
  due: (session, _, facts) =>
    facts.now >= session.until ? enter(session.sessionId, facts, tallyOf(session)) : session,
  open: hurry,
  act: hurry,
  online: hurry,
  wake: hurry,
  moved: enterAgain,
  restart: enterNew,
  logout: forget,
  offline: goOffline,
  suspend,
  over: close,
  dispose,
}

const offline: Row<'offline', Late | 'offline' | 'unknown' | 'exhausted' | 'due' | 'moved'> = {
  // The browser may be wrong: an act of the visitor makes an attempt all the same.
  open: enterAgain,
  act: enterAgain,
  wake: enterAgain,
  online: (session, _, facts) =>
    wait(session, facts, { ...tallyOf(session), fails: 0, crowded: false }, backoff(0, facts.random)),
  restart: enterNew,
  logout: forget,
  suspend,
  over: close,
  dispose,
}

const suspended: Row<
  'suspended',
  Late | 'online' | 'suspend' | 'unknown' | 'over' | 'exhausted' | 'due' | 'moved'
> = {
  wake: enterAgain,
  open: enterAgain,
  act: enterAgain,
  restart: enterNew,
  logout: forget,
  offline: goOffline,
  dispose,
}

// Opening only shows the panel: an idle tab must not create sessions.
const expired: Row<
  'expired',
  | Late
  | 'open'
  | 'online'
  | 'offline'
  | 'wake'
  | 'suspend'
  | 'unknown'
  | 'over'
  | 'exhausted'
  | 'due'
  | 'moved'
> = { act: enterNew, restart: enterNew, logout: forget, dispose }

const ended: Row<
  'ended',
  | Late
  | 'open'
  | 'act'
  | 'online'
  | 'offline'
  | 'wake'
  | 'suspend'
  | 'unknown'
  | 'over'
  | 'exhausted'
  | 'due'
  | 'moved'
> = { restart: enterNew, logout: forget, dispose }

const unavailable: Row<
  'unavailable',
  Late | 'online' | 'offline' | 'wake' | 'suspend' | 'unknown' | 'exhausted' | 'moved'
> = {
  open: enterAgain,
  // Keystrokes come many a second: an attempt follows the one before after a second.
  act: (session, event, facts) => {
    const again = session.at + IMPATIENCE
    if (facts.now >= again) return enterAgain(session, event, facts)
    // What the visitor asked for may be followed by a slow attempt, as the first one was.
    return again < (session.again ?? Number.POSITIVE_INFINITY) ? { ...session, again, denials: 0 } : session
  },
  due: (session, _, facts) => {
    const { sessionId, denials, verdict, again = Number.POSITIVE_INFINITY } = session
    return facts.now >= again ? enter(sessionId, facts, { ...UNTRIED, denials, verdict }) : session
  },
  restart: enterNew,
  logout: forget,
  over: close,
  dispose,
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
  | 'moved'
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
export function next(session: Session, event: SessionEvent, facts: Facts): Session {
  const moves: { readonly [T in Type]?: (s: never, e: never, f: Facts) => Session } = TABLE[session.name]
  return moves[event.type]?.(session as never, event as never, facts) ?? session
}
