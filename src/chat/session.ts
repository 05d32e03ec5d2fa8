// The session table: every state a session can be in, every thing that can happen to it, and what follows.
// It is total (law L5): a new state or a new happening does not compile until every pair has an answer.
//
//            open                entered            opened              replayed
//   idle ──────────▶ entering ──────────▶ connecting ──────▶ replaying ──────▶ live
//                     ▲   │ failed            │ closed           │ closed        │ closed
//                     │   ▼                   ▼                  ▼               ▼
//                     └─ waiting ◀────────────┴──────────────────┴───────────────┘
//                due
//   from anywhere in a session:  over ──▶ expired or ended ── act or restart ──▶ entering, with a new session
//                                offline ──▶ offline ── online ──▶ entering

import { type CloseMeaning, closeMeaning } from '../protocol/index.ts'

/** How often a connection failed in a row, and how often the host answered HTTP while it did. */
type Trouble = {
  /** Attempts in a row that did not lead to a steady connection. */
  readonly fails: number
  /** Handshakes in a row that were refused by a host that does answer: the session or its token is not wanted. */
  readonly refusals: number
}

/** `sessionId` undefined: a new session is to be made. `run` tells one attempt from the next. */
export type Session =
  | { readonly name: 'idle'; readonly sessionId: string | undefined }
  | ({ readonly name: 'entering'; readonly sessionId: string | undefined; readonly run: number } & Trouble)
  | ({ readonly name: 'connecting'; readonly sessionId: string; readonly run: number } & Trouble)
  | ({ readonly name: 'replaying'; readonly sessionId: string; readonly run: number } & Trouble)
  | ({
      readonly name: 'live'
      readonly sessionId: string
      readonly run: number
      /** When it became live: what lasts 5 s forgives earlier failures. */
      readonly since: number
    } & Trouble)
  | ({
      readonly name: 'waiting'
      readonly sessionId: string | undefined
      readonly run: number
      readonly until: number
      /** No impatience brings the attempt forward to before this: the service asked for the time. */
      readonly earliest: number
    } & Trouble)
  | { readonly name: 'offline'; readonly sessionId: string | undefined; readonly run: number }
  | { readonly name: 'expired'; readonly run: number }
  | { readonly name: 'ended'; readonly reason: string; readonly run: number }
  | { readonly name: 'unavailable'; readonly sessionId: string | undefined; readonly run: number }
  | { readonly name: 'disposed' }

export type SessionEvent =
  /** The visitor opened the chat, or asked to try again. */
  | { readonly type: 'open' }
  /** The visitor typed or sent: whatever is missing is to be had now. */
  | { readonly type: 'act' }
  | { readonly type: 'restart' }
  | { readonly type: 'online' }
  | { readonly type: 'offline' }
  /** Focus, typing, a wake from sleep: worth a look now. */
  | { readonly type: 'wake' }
  | { readonly type: 'entered'; readonly run: number; readonly sessionId: string }
  /** Token or session were not to be had, for now. `retryAfter` in ms, where the answer named it. */
  | { readonly type: 'failed'; readonly run: number; readonly retryAfter?: number | undefined }
  /** Token or session are refused for good. */
  | { readonly type: 'refused'; readonly run: number }
  | { readonly type: 'opened'; readonly run: number }
  | { readonly type: 'replayed' }
  /** `answered`: the handshake failed though the host does answer HTTP. */
  | { readonly type: 'closed'; readonly run: number; readonly code: number; readonly answered?: boolean }
  /** The service does not know the session. */
  | { readonly type: 'unknown-session' }
  /** Ended by the service, the visitor or inactivity. */
  | { readonly type: 'over'; readonly expired: boolean; readonly reason: string; readonly pending: boolean }
  /** A wait is over. */
  | { readonly type: 'due' }
  | { readonly type: 'dispose' }

/** What a decision may look at beside state and event. */
export type Facts = {
  readonly now: number
  /** From 0 up to 1. */
  readonly random: number
  /** A number never used before. */
  readonly run: number
  /** After so many failures in a row only an act of the visitor tries again. */
  readonly mostAttempts: number
}

type Name = Session['name']
type In<N extends Name> = Extract<Session, { name: N }>
type On<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>
type Rule<N extends Name, T extends SessionEvent['type']> = (
  session: In<N>,
  event: On<T>,
  facts: Facts,
) => Session
type Table = { readonly [N in Name]: { readonly [T in SessionEvent['type']]: Rule<N, T> } }

const FIRST_DELAY = 1_000
const LONGEST_DELAY = 30_000
const LATER_DELAY = 5_000
const LONGEST_RETRY_AFTER = 300_000
const IMPATIENCE = 1_000
const STEADY_AFTER = 5_000
const REFUSALS_UNTIL_NEW = 3

const NO_TROUBLE: Trouble = { fails: 0, refusals: 0 }

/** Full jitter: anywhere between nothing and the doubled delay, so that a crowd does not come back as one. */
export function backoff(fails: number, random: number): number {
  return random * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(fails, 10))
}

const stay = <S extends Session>(session: S): Session => session
const enter = (sessionId: string | undefined, facts: Facts, trouble: Trouble = NO_TROUBLE): Session => ({
  name: 'entering',
  sessionId,
  run: facts.run,
  fails: trouble.fails,
  refusals: trouble.refusals,
})
const enterNew = (_: Session, __: SessionEvent, facts: Facts): Session => enter(undefined, facts)
const enterAgain = (session: { sessionId: string | undefined }, _: SessionEvent, facts: Facts): Session =>
  enter(session.sessionId, facts)
const goOffline = (session: { sessionId: string | undefined }, _: SessionEvent, facts: Facts): Session => ({
  name: 'offline',
  sessionId: session.sessionId,
  run: facts.run,
})
const goOver = (_: Session, event: On<'over'>, facts: Facts): Session => {
  // What still waits to be sent goes into a new session at once.
  if (event.expired && event.pending) return enter(undefined, facts)
  return event.expired
    ? { name: 'expired', run: facts.run }
    : { name: 'ended', reason: event.reason, run: facts.run }
}
const dispose = (): Session => ({ name: 'disposed' })

/** Tried often enough: from here on somebody has to ask for it. */
const giveUp = (sessionId: string | undefined, facts: Facts): Session => ({
  name: 'unavailable',
  sessionId,
  run: facts.run,
})

/** Waits for `asked` ms because the service said so, and for `delay` ms more because others come back too. */
const wait = (
  sessionId: string | undefined,
  trouble: Trouble,
  delay: number,
  facts: Facts,
  asked = 0,
): Session => ({
  name: 'waiting',
  sessionId,
  run: facts.run,
  until: facts.now + asked + delay,
  earliest: facts.now + asked,
  fails: trouble.fails,
  refusals: trouble.refusals,
})
/** Somebody is looking: soon, but never more than once a second. */
const hurry = (session: In<'waiting'>, _: SessionEvent, facts: Facts): Session => ({
  ...session,
  until: Math.max(session.earliest, Math.min(session.until, facts.now + IMPATIENCE)),
})

/** A connection was lost or never came to be. What the code means is said in protocol/close.ts. */
function lost(session: In<'connecting' | 'replaying' | 'live'>, event: On<'closed'>, facts: Facts): Session {
  if (event.run !== session.run) return session
  const steady = session.name === 'live' && facts.now - session.since >= STEADY_AFTER
  const trouble: Trouble = {
    fails: steady ? 0 : session.fails + 1,
    refusals: session.name === 'connecting' ? (event.answered ? session.refusals + 1 : 0) : 0,
  }
  if (trouble.refusals >= REFUSALS_UNTIL_NEW) return enter(undefined, facts, { ...trouble, refusals: 0 })
  if (trouble.fails > facts.mostAttempts) return giveUp(session.sessionId, facts)
  const meaning: CloseMeaning = closeMeaning(event.code)
  switch (meaning) {
    case 'renew':
      return enter(undefined, facts)
    case 'later':
      return wait(session.sessionId, trouble, facts.random * LATER_DELAY, facts, LATER_DELAY)
    case 'spread':
      return wait(session.sessionId, trouble, facts.random * LATER_DELAY, facts)
    case 'reconnect':
    case 'oversize':
      return wait(session.sessionId, trouble, backoff(Math.max(0, trouble.fails - 1), facts.random), facts)
  }
}

const ENTERING: Table['entering'] = {
  open: stay,
  act: stay,
  restart: enterNew,
  online: stay,
  offline: goOffline,
  wake: stay,
  entered: (session, event) =>
    event.run === session.run ? { ...session, name: 'connecting', sessionId: event.sessionId } : session,
  failed: (session, event, facts) => {
    if (event.run !== session.run) return session
    const trouble = { fails: session.fails + 1, refusals: session.refusals }
    if (trouble.fails > facts.mostAttempts) return giveUp(session.sessionId, facts)
    const asked = Math.min(event.retryAfter ?? 0, LONGEST_RETRY_AFTER)
    return wait(session.sessionId, trouble, backoff(session.fails, facts.random), facts, asked)
  },
  refused: (session, event) =>
    event.run === session.run
      ? { name: 'unavailable', sessionId: session.sessionId, run: session.run }
      : session,
  opened: stay,
  replayed: stay,
  closed: stay,
  'unknown-session': stay,
  over: goOver,
  due: stay,
  dispose,
}

/** The whole table. Rows are states, cells what each happening leads to. */
const TABLE: Table = {
  idle: {
    open: enterAgain,
    act: enterAgain,
    restart: enterNew,
    online: stay,
    offline: stay,
    wake: stay,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: stay,
    replayed: stay,
    closed: stay,
    'unknown-session': stay,
    over: stay,
    due: stay,
    dispose,
  },
  entering: ENTERING,
  connecting: {
    open: stay,
    act: stay,
    restart: enterNew,
    online: stay,
    offline: goOffline,
    wake: stay,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: (session, event) =>
      event.run === session.run ? { ...session, name: 'replaying', refusals: 0 } : session,
    replayed: stay,
    closed: lost,
    'unknown-session': enterNew,
    over: goOver,
    due: stay,
    dispose,
  },
  replaying: {
    open: stay,
    act: stay,
    restart: enterNew,
    online: stay,
    offline: goOffline,
    wake: stay,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: stay,
    replayed: (session, _, facts) => ({ ...session, name: 'live', since: facts.now }),
    closed: lost,
    'unknown-session': enterNew,
    over: goOver,
    due: stay,
    dispose,
  },
  live: {
    open: stay,
    act: stay,
    restart: enterNew,
    online: stay,
    offline: goOffline,
    wake: stay,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: stay,
    replayed: stay,
    closed: lost,
    'unknown-session': enterNew,
    over: goOver,
    due: stay,
    dispose,
  },
  waiting: {
    open: hurry,
    act: hurry,
    restart: enterNew,
    online: hurry,
    offline: goOffline,
    wake: hurry,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: stay,
    replayed: stay,
    closed: stay,
    'unknown-session': enterNew,
    over: goOver,
    due: (session, _, facts) =>
      facts.now >= session.until ? enter(session.sessionId, facts, session) : session,
    dispose,
  },
  offline: {
    // The browser's word is a hint: an act of the visitor tries all the same.
    open: enterAgain,
    act: stay,
    restart: enterNew,
    online: (session, _, facts) => wait(session.sessionId, NO_TROUBLE, backoff(0, facts.random), facts),
    offline: stay,
    wake: stay,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: stay,
    replayed: stay,
    closed: stay,
    'unknown-session': stay,
    over: goOver,
    due: stay,
    dispose,
  },
  expired: {
    // Opening only shows: an idle tab must not create sessions for ever.
    open: stay,
    act: enterNew,
    restart: enterNew,
    online: stay,
    offline: stay,
    wake: stay,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: stay,
    replayed: stay,
    closed: stay,
    'unknown-session': stay,
    over: stay,
    due: stay,
    dispose,
  },
  ended: {
    open: stay,
    act: stay,
    restart: enterNew,
    online: stay,
    offline: stay,
    wake: stay,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: stay,
    replayed: stay,
    closed: stay,
    'unknown-session': stay,
    over: stay,
    due: stay,
    dispose,
  },
  unavailable: {
    open: enterAgain,
    act: enterAgain,
    restart: enterNew,
    online: stay,
    offline: stay,
    wake: stay,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: stay,
    replayed: stay,
    closed: stay,
    'unknown-session': stay,
    over: stay,
    due: stay,
    dispose,
  },
  disposed: {
    open: stay,
    act: stay,
    restart: stay,
    online: stay,
    offline: stay,
    wake: stay,
    entered: stay,
    failed: stay,
    refused: stay,
    opened: stay,
    replayed: stay,
    closed: stay,
    'unknown-session': stay,
    over: stay,
    due: stay,
    dispose: stay,
  },
}

/** What follows when `event` happens to `session`. The same value where nothing does. */
export function next(session: Session, event: SessionEvent, facts: Facts): Session {
  const rule = TABLE[session.name][event.type] as (s: Session, e: SessionEvent, f: Facts) => Session
  return rule(session, event, facts)
}
