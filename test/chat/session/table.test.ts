// The session table by itself: what follows from each event, without a clock, a socket or a service.

import { describe, expect, it } from 'vitest'
import { step } from '../../../src/chat/session/step.ts'
import { backoff, type Guards, next, questionOf } from '../../../src/chat/session/table.ts'
import type { Session, SessionEvent } from '../../../src/chat/state/session.ts'
import { initialState } from '../../../src/chat/state/state.ts'
import { CLOSE, type SessionState } from '../../../src/protocol/index.ts'
import { some } from '../../long.ts'
import { chance } from '../../model/run.ts'
import { UNTRIED } from '../given.ts'

type Name = Session['name']
type Type = SessionEvent['type']

const NOW = 100_000
const facts = (more: Partial<Guards> = {}): Guards => ({
  now: NOW,
  random: 0.5,
  run: 7,
  visible: true,
  mostAttempts: Number.POSITIVE_INFINITY,
  mayRenew: true,
  idledOut: false,
  queued: false,
  sent: false,
  incomplete: false,
  other: undefined,
  ...more,
})
const VERDICT = { expired: true, reason: 'REASON_USER_ABANDONED' }
/** An attempt that failed before. */
const tried = {
  sessionId: 's',
  run: 3,
  fails: 2,
  refusals: 1,
  waited: 0,
  refusedFor: 0,
  unopened: 1,
  denials: 1,
  crowded: false,
  endReason: undefined,
  follows: false,
}

/** One session of each state. */
const STATES: { readonly [N in Name]: Extract<Session, { name: N }> } = {
  idle: { name: 'idle', sessionId: 's' },
  entering: { name: 'entering', ...tried },
  connecting: { name: 'connecting', ...tried },
  replaying: { name: 'replaying', ...tried },
  live: { name: 'live', since: NOW - 1_000, ...tried },
  waiting: { name: 'waiting', since: NOW - 2_000, until: NOW + 9_000, earliest: NOW - 1_000, ...tried },
  offline: { name: 'offline', ...tried },
  suspended: { name: 'suspended', ...tried },
  expired: { name: 'expired', run: 3 },
  ended: { name: 'ended', run: 3, reason: 'REASON_NATURAL_END' },
  unavailable: { name: 'unavailable', cause: 'refused', at: NOW - 1_000, ...tried },
  disposed: { name: 'disposed' },
}
/** One event of each type. */
const EVENTS: { readonly [T in Type]: Extract<SessionEvent, { type: T }> } = {
  open: { type: 'open' },
  act: { type: 'act' },
  restart: { type: 'restart' },
  logout: { type: 'logout' },
  online: { type: 'online' },
  offline: { type: 'offline' },
  wake: { type: 'wake' },
  suspend: { type: 'suspend' },
  entered: { type: 'entered', run: 3, sessionId: 's' },
  told: { type: 'told', run: 3, state: 'unknown' },
  failed: { type: 'failed', run: 3 },
  refused: { type: 'refused', run: 3 },
  opened: { type: 'opened', run: 3 },
  replayed: { type: 'replayed' },
  closed: { type: 'closed', run: 3, code: 1006 },
  unknown: { type: 'unknown' },
  over: { type: 'over', expired: false, reason: 'REASON_NATURAL_END', proven: false },
  exhausted: { type: 'exhausted' },
  taken: { type: 'taken', run: 3 },
  due: { type: 'due' },
  dispose: { type: 'dispose' },
}

/**
 * Every state and every event. A dot: the state itself. `again`: the same session is entered, all attempts forgiven;
 * `back`: so it is, by a visitor who uses this page; `anew`: a new session is entered; `later`: a wait with one failure more; `sooner`: a shorter wait; `soon`: a wait of up to 1 s with no failure counted.
 */
const TABLE = `
            open   act    restart logout online offline wake   suspend   entered    told failed refused     opened    replayed closed unknown over  exhausted   taken       due dispose
idle        again  again  anew    idle   .      .       .      .         .          .    .      .           .         .        .      .       .     .           .           .   disposed
entering    .      .      anew    ended  .      offline .      suspended connecting anew later  unavailable .         .        .      .       ended .           unavailable .   disposed
connecting  .      .      anew    ended  .      offline .      suspended .          .    .      .           replaying .        later  anew    ended .           .           .   disposed
replaying   .      .      anew    ended  .      offline .      suspended .          .    .      .           .         live     later  anew    ended unavailable .           .   disposed
live        .      .      anew    ended  .      offline .      suspended .          .    .      .           .         .        later  anew    ended unavailable .           .   disposed
waiting     sooner sooner anew    ended  sooner offline sooner suspended .          .    .      .           .         .        .      .       ended .           .           .   disposed
offline     back   back   anew    ended  soon   .       back   suspended .          .    .      .           .         .        .      .       ended .           .           .   disposed
suspended   back   back   anew    ended  .      offline back   .         .          .    .      .           .         .        .      .       .     .           .           .   disposed
expired     .      anew   anew    ended  .      .       .      .         .          .    .      .           .         .        .      .       .     .           .           .   disposed
ended       .      .      anew    ended  .      .       .      .         .          .    .      .           .         .        .      .       .     .           .           .   disposed
unavailable back   back   anew    ended  .      .       .      .         .          .    .      .           .         .        .      .       ended .           .           .   disposed
disposed    .      .      .       .      .      .       .      .         .          .    .      .           .         .        .      .       .     .           .           .   .
`
/**
 * What a page does where the other tabs go on in another session, as the visitor uses it. `there`: that one is entered; `later`: it will
 * be, once the own one has told what became of the visitor's messages. The choice behind `again`, `back` and `anew` is made later
 * (choice.ts).
 */
const WITH_OTHER = `
            all is confirmed       something is not
            open   act    wake     open   act    wake
idle        again  again  .        again  again  .
entering    there  there  there    later   later   later
connecting  there  there  there    later   later   later
replaying   there  there  there    later   later   later
live        there  there  there    later   later   later
waiting     later   later   later     later   later   later
offline     back   back   back     back   back   back
suspended   back   back   back     back   back   back
expired     there  anew   there    there  anew   there
ended       there  there  there    there  there  there
unavailable back   back   .        back   back   .
disposed    .      .      .        .      .      .
`
const linesOf = (picture: string) =>
  picture
    .trim()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(/ +/)
        .map((cell) => (cell === '.' ? 'itself' : cell)),
    )
const [types = [], ...rows] = linesOf(TABLE)
const CELLS = rows.flatMap(([name = '', ...cells]) =>
  cells.map((cell, index): [string, string, string] => [name, types[index] ?? '', cell]),
)

const [, uses = [], ...pages] = linesOf(WITH_OTHER)
const USES = pages.flatMap(([name = '', ...cells]) =>
  cells.map((cell, index): [string, string, string, string] => [
    name,
    uses[index] ?? '',
    index < uses.length / 2 ? 'all is confirmed' : 'something is not',
    cell,
  ]),
)

/** Where it led, in the words of the tables. */
function told(from: Session, to: Session): string {
  if (to === from) return 'itself'
  if (to.name === from.name && 'follows' in to && to.follows) return 'later'
  if (to.name === 'entering') {
    const { sessionId, run, fails, refusals, unopened, endReason, follows } = to
    expect({ run, endReason: endReason }).toEqual({ run: 7, endReason: undefined })
    if (sessionId === undefined) return 'anew'
    expect({ fails, refusals, unopened }).toEqual(countsOf(UNTRIED))
    if (sessionId === 'other') return 'there'
    return follows ? 'back' : 'again'
  }
  if (to.name !== 'waiting') return to.name
  if (from.name === 'waiting') return to.until < from.until ? 'sooner' : 'a longer wait'
  expect(to.run).toBe(7)
  return to.fails === 3 ? 'later' : to.fails === 0 && to.until < NOW + 1_000 ? 'soon' : 'another wait'
}
const countsOf = ({ fails, refusals, unopened }: Extract<Session, { fails: number }> | typeof UNTRIED) => ({
  fails,
  refusals,
  unopened,
})

describe('the table of states', () => {
  it('has every state and every event, once', () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(STATES))
    expect(types).toEqual(Object.keys(EVENTS))
    expect(CELLS).toHaveLength(Object.keys(STATES).length * Object.keys(EVENTS).length)
  })

  it.each(CELLS)('leads from %s by %s to: %s', (name, type, cell) => {
    const from = STATES[name as Name]
    expect(told(from, next(from, EVENTS[type as Type], facts()))).toBe(cell)
  })

  it('has every state for a visitor who uses one of several tabs', () => {
    expect(pages.map(([name]) => name)).toEqual(Object.keys(STATES))
    expect(USES).toHaveLength(Object.keys(STATES).length * 6)
  })

  it.each(USES)(
    'leads from %s by %s, the others in another session, where %s, to: %s',
    (name, type, what, cell) => {
      const from = STATES[name as Name]
      const unsettled: Partial<Guards>[] =
        what === 'something is not' ? [{ sent: true }, { incomplete: true }] : [{ queued: true }]
      for (const more of unsettled)
        expect(told(from, next(from, EVENTS[type as Type], facts({ other: 'other', ...more })))).toBe(cell)
    },
  )

  it.each(['offline', 'suspended'] as const)(
    'carries session and tally into %s, under a run of its own',
    (name) => {
      const type = name === 'offline' ? 'offline' : 'suspend'
      for (const from of [STATES.entering, STATES.connecting, STATES.replaying, STATES.live, STATES.waiting])
        expect(next(from, { type }, facts())).toEqual({ ...tried, name, run: 7 })
    },
  )

  it('carries a verdict through what interrupts: offline, suspended, unavailable, waiting', () => {
    const from = { ...STATES.live, fails: 0, endReason: VERDICT }
    for (const type of ['offline', 'suspend'] as const)
      expect(next(from, EVENTS[type], facts())).toMatchObject({ endReason: VERDICT })
    expect(next({ ...STATES.entering, endReason: VERDICT }, EVENTS.taken, facts())).toMatchObject({
      name: 'unavailable',
      endReason: VERDICT,
    })
    expect(next(from, EVENTS.closed, facts())).toMatchObject({ name: 'waiting' })
    expect(next({ ...STATES.waiting, endReason: VERDICT, until: NOW }, EVENTS.due, facts())).toMatchObject({
      name: 'entering',
      endReason: VERDICT,
    })
    expect(next({ ...STATES.suspended, endReason: VERDICT }, EVENTS.wake, facts())).toMatchObject({
      sessionId: 's',
      endReason: VERDICT,
    })
  })

  it('forgets the session at a sign-out before anything was contacted', () => {
    expect(next(STATES.idle, EVENTS.logout, facts())).toEqual({ name: 'idle', sessionId: undefined })
  })

  it('keeps nothing of the old session where a new one is asked for', () => {
    for (const name of ['live', 'waiting', 'unavailable', 'suspended'] as const)
      expect(next({ ...STATES[name], endReason: VERDICT }, EVENTS.restart, facts())).toEqual({
        name: 'entering',
        sessionId: undefined,
        run: 7,
        ...UNTRIED,
      })
  })
})

const live: Session = { name: 'live', sessionId: 's', run: 3, since: 90_000, ...UNTRIED }
const connecting: Session = { name: 'connecting', sessionId: 's', run: 3, ...UNTRIED }
const replaying: Session = { name: 'replaying', sessionId: 's', run: 3, ...UNTRIED }
const entering: Session = { name: 'entering', sessionId: 's', run: 3, ...UNTRIED }
const waiting: Session = {
  ...UNTRIED,
  name: 'waiting',
  sessionId: 's',
  run: 3,
  since: 98_000,
  until: 109_000,
  earliest: 0,
}
const closed = (code = 1006, more: object = {}): SessionEvent => ({ type: 'closed', run: 3, code, ...more })
const entered = (more: object = {}): SessionEvent => ({ type: 'entered', run: 3, sessionId: 's', ...more })
const ended: SessionEvent = { type: 'over', expired: false, reason: 'REASON_NATURAL_END', proven: false }
const expired: SessionEvent = { ...ended, ...VERDICT }

describe('an answer of another attempt', () => {
  it.each<[Type, Session]>([
    ['entered', entering],
    ['told', entering],
    ['failed', entering],
    ['refused', entering],
    ['opened', connecting],
    ['closed', connecting],
    ['closed', replaying],
    ['closed', live],
  ])('changes nothing: %s', (type, from) => {
    for (const run of [2, 4]) {
      const event = { ...EVENTS[type], run } as SessionEvent
      expect(next(from, event, facts())).toBe(from)
    }
  })
})

describe('a session that was entered', () => {
  it('is connected to with the attempts so far, and counted where it was made just now', () => {
    expect(next(STATES.entering, entered(), facts())).toMatchObject({
      name: 'connecting',
      ...countsOf(tried),
    })
    expect(next(STATES.entering, entered({ fresh: true }), facts())).toMatchObject({ unopened: 2, fails: 2 })
  })
  it('as another one replaces the old only where one more may be made, and never for a verdict', () => {
    const other = entered({ sessionId: 'other', fresh: true })
    const ofAnotherTab = entered({ sessionId: 'other' })
    expect(next(entering, ofAnotherTab, facts({ mayRenew: false }))).toMatchObject({ name: 'connecting' })
    expect(next(entering, other, facts())).toMatchObject({ name: 'connecting', sessionId: 'other' })
    expect(next(entering, other, facts({ mayRenew: false }))).toMatchObject({
      name: 'unavailable',
      sessionId: undefined,
      cause: 'gave-up',
    })
    const asked = { ...entering, endReason: VERDICT }
    expect(next(asked, other, facts({ sent: true }))).toEqual({ name: 'expired', run: 7 })
    expect(next(asked, entered(), facts())).toMatchObject({ name: 'connecting', endReason: VERDICT })
    // A session that nobody had before replaces none.
    expect(next({ ...entering, sessionId: undefined }, other, facts({ mayRenew: false }))).toMatchObject({
      name: 'connecting',
    })
  })
  it('and opened forgives refusals and unopened sessions, and not the failures', () => {
    const opened = next({ ...STATES.connecting, refusedFor: 9_000 }, EVENTS.opened, facts())
    expect(opened).toEqual({
      name: 'replaying',
      ...tried,
      refusals: 0,
      refusedFor: 0,
      unopened: 0,
      denials: 0,
    })
  })
  it('is live from now on, once its replay is over', () => {
    expect(next(STATES.replaying, EVENTS.replayed, facts())).toEqual({ ...tried, name: 'live', since: NOW })
  })
})

describe('a token or session that is not to be had', () => {
  const failed = (retryAfter?: number): SessionEvent => ({ type: 'failed', run: 3, retryAfter })
  it('is asked for again after a wait that grows', () => {
    expect(next(entering, failed(), facts())).toMatchObject({
      name: 'waiting',
      fails: 1,
      until: NOW + 500,
      earliest: NOW,
    })
    expect(next({ ...entering, fails: 3 }, failed(), facts())).toMatchObject({
      fails: 4,
      until: NOW + 4_000,
    })
    expect(next({ ...entering, fails: 9 }, failed(), facts({ visible: false }))).toMatchObject({
      until: NOW + 22_500,
    })
  })
  it('is asked for not before the time that the answer names, but within 5 minutes of it', () => {
    expect(next(entering, failed(20_000), facts())).toMatchObject({
      until: NOW + 20_500,
      earliest: NOW + 20_000,
    })
    expect(next(entering, failed(9_000_000), facts())).toMatchObject({
      until: NOW + 300_500,
      earliest: NOW + 300_000,
    })
  })
  it('is busy where the answer names a time worth speaking of, and only then', () => {
    const busy = (retryAfter?: number) =>
      (next(entering, failed(retryAfter), facts()) as { busy?: boolean }).busy
    expect([busy(), busy(1_999), busy(2_000)]).toEqual([undefined, undefined, true])
  })
  it('is given up after the most attempts that the service allows', () => {
    const most = facts({ mostAttempts: 3 })
    expect(next({ ...entering, fails: 2 }, failed(), most)).toMatchObject({ name: 'waiting', fails: 3 })
    expect(next({ ...entering, fails: 3 }, failed(), most)).toMatchObject({
      name: 'unavailable',
      cause: 'gave-up',
      sessionId: 's',
      at: NOW,
    })
  })
  it('is asked for over a minute of waits where only a verdict is wanted', () => {
    const asked = { ...entering, fails: 9, waited: 9_000, endReason: VERDICT }
    expect(next({ ...asked, refusedFor: 50_999 }, failed(), facts())).toMatchObject({
      name: 'waiting',
      refusedFor: 59_999,
    })
    expect(next({ ...asked, refusedFor: 51_000 }, failed(), facts())).toEqual({ name: 'expired', run: 7 })
  })
  it('ends a row of refusals, unless only a verdict is wanted', () => {
    const refused = { refusals: 2, refusedFor: 40_000 }
    expect(next({ ...entering, ...refused }, failed(), facts())).toMatchObject({ refusals: 0, refusedFor: 0 })
    const asked = { ...entering, ...refused, endReason: VERDICT }
    expect(next(asked, failed(), facts())).toMatchObject(refused)
  })
  it('is given up where it is refused, with the cause, but for one slow attempt', () => {
    const refused = next(entering, EVENTS.refused, facts())
    expect(refused).toMatchObject({ name: 'unavailable', cause: 'refused', again: 115_000 })
    expect(next(refused, EVENTS.due, facts({ now: 114_999 }))).toBe(refused)
    const again = next(refused, EVENTS.due, facts({ now: 115_000 }))
    expect(again).toMatchObject({ name: 'entering', sessionId: 's', denials: 1 })
    const last = next(again, { type: 'refused', run: 7 }, facts())
    expect(last).toMatchObject({ name: 'unavailable', cause: 'refused' })
    expect(last).not.toHaveProperty('again')
    // Each attempt of the visitor may be followed by one.
    const asked = next(last, EVENTS.open, facts())
    expect(next(asked, { type: 'refused', run: 7 }, facts())).toHaveProperty('again')
    expect(next({ ...entering, endReason: VERDICT }, EVENTS.refused, facts())).toMatchObject({
      name: 'expired',
    })
  })
})

describe('a connection that closes', () => {
  it('is made anew after a wait, with no failure counted where it lasted for 5 s', () => {
    expect(next(live, closed(), facts())).toMatchObject({ name: 'waiting', fails: 0, until: 100_500 })
    expect(next({ ...live, since: 95_000, fails: 4 }, closed(), facts())).toMatchObject({ fails: 0 })
    expect(next({ ...live, since: 95_001 }, closed(), facts())).toMatchObject({ name: 'waiting', fails: 1 })
  })
  it('by the client itself is made anew at once, and counts as no failure however short it was', () => {
    expect(next({ ...live, since: 99_999, fails: 2 }, closed(4002, { own: true }), facts())).toMatchObject({
      name: 'entering',
      fails: 0,
      sessionId: 's',
    })
    // Before it was live there is nothing better to be had.
    expect(next(replaying, closed(4002, { own: true }), facts())).toMatchObject({ name: 'waiting', fails: 1 })
  })
  it.each([1001, 1011, 1012, 1013])(
    'with %i is spread over 5 s, and what fails then over 5 to 7.5 s, until a connection lasts for 5 s',
    (code) => {
      const first = next(live, closed(code), facts({ random: 0.9 }))
      expect(first).toMatchObject({ until: 104_500, crowded: true })
      for (const fails of [1, 3, 9]) {
        const crowded = { ...UNTRIED, fails, crowded: true }
        const later = { name: 'waiting', crowded: true, fails: fails + 1, until: 106_250 }
        expect(next({ ...live, since: 99_999, ...crowded }, closed(code), facts())).toMatchObject(later)
        expect(next({ ...connecting, ...crowded }, closed(), facts())).toMatchObject(later)
        expect(next({ ...entering, ...crowded }, { type: 'failed', run: 3 }, facts())).toMatchObject(later)
      }
      const steady = { ...live, since: 95_000, crowded: true }
      expect(next(steady, closed(), facts())).toMatchObject({ until: 100_500, crowded: false })
      expect(next(steady, closed(code), facts())).toMatchObject({ until: 102_500, crowded: true })
    },
  )
  it('by a service that left all its clients is made anew within a second for the visitor who acts', () => {
    const left = next(live, closed(1001), facts({ random: 0.9 }))
    expect(next(left, EVENTS.act, facts())).toMatchObject({ until: 101_000 })
  })
  it('with 1008 is made anew after 5 to 10 s, and not before', () => {
    expect(next(live, closed(1008), facts())).toMatchObject({ earliest: 105_000, until: 107_500 })
  })
  it.each([1000, 1005, 1006, 1009, 4000, 4002, 4999])('with %i is a cut like any other', (code) => {
    expect(next(live, closed(code), facts())).toMatchObject({
      name: 'waiting',
      until: 100_500,
      earliest: 100_000,
    })
  })
  it('before it opened counts as a refusal, after it opened as none', () => {
    expect(next({ ...connecting, refusals: 1 }, closed(), facts())).toMatchObject({ refusals: 2, fails: 1 })
    expect(next(replaying, closed(), facts())).toMatchObject({ refusals: 0, fails: 1 })
    expect(next(live, closed(), facts())).toMatchObject({ refusals: 0 })
  })
  it('is not made anew after the most attempts that the service allows', () => {
    const most = facts({ mostAttempts: 2 })
    expect(next({ ...connecting, fails: 1 }, closed(), most)).toMatchObject({ name: 'waiting' })
    expect(next({ ...connecting, fails: 2 }, closed(), most)).toMatchObject({
      name: 'unavailable',
      cause: 'gave-up',
    })
  })
  it('waits for longer while nobody looks', () => {
    expect(next({ ...connecting, fails: 9 }, closed(), facts({ visible: false }))).toMatchObject({
      until: 122_500,
    })
  })
})

describe('a wait', () => {
  it('is over when it is due, and not before; the tally goes on', () => {
    expect(next(waiting, EVENTS.due, facts({ now: 108_999 }))).toBe(waiting)
    expect(next({ ...STATES.waiting, until: NOW }, EVENTS.due, facts())).toEqual({
      ...tried,
      name: 'entering',
      waited: 2_000,
      run: 7,
    })
  })
  it.each(['open', 'act', 'online', 'wake'] as const)(
    'is cut to 1 s by %s, never to before what the service asked for, and never made longer',
    (type) => {
      expect(next(waiting, { type }, facts())).toEqual({ ...waiting, until: 101_000 })
      const asked = { ...waiting, earliest: 105_000 }
      expect(next(asked, { type }, facts())).toEqual({ ...asked, until: 105_000 })
      const short = { ...waiting, until: 100_700 }
      expect(next(short, { type }, facts())).toBe(short)
    },
  )
  it('for the network ends within a second of its return', () => {
    expect(next(STATES.offline, EVENTS.online, facts({ random: 0.9 }))).toMatchObject({
      name: 'waiting',
      sessionId: 's',
      fails: 0,
      refusals: 1,
      until: 100_900,
    })
  })
})

describe('a row of refused handshakes', () => {
  const due = (from: Partial<Extract<Session, { name: 'waiting' }>> = {}, now = 109_000) =>
    next({ ...waiting, ...from } as Session, EVENTS.due, facts({ now }))
  const refusedAfter = (waited: number, more: object = {}) =>
    next({ ...connecting, waited, ...more } as Session, closed(), facts())
  it('counts each wait for as long as it was meant to be, however long the machine slept', () => {
    expect(due()).toMatchObject({ waited: 11_000 })
    expect(due({}, 9_000_000)).toMatchObject({ waited: 11_000 })
    const cut = next(waiting, EVENTS.act, facts({ now: 98_500 }))
    expect(next(cut, EVENTS.due, facts({ now: 99_500 }))).toMatchObject({ waited: 1_500 })
  })
  it('lasts for the waits between the refusals', () => {
    expect(refusedAfter(9_000)).toMatchObject({ refusals: 1, refusedFor: 0 })
    expect(refusedAfter(9_000, { refusals: 1 })).toMatchObject({ refusals: 2, refusedFor: 9_000 })
    const hung = { ...connecting, waited: 9_000, refusals: 2, refusedFor: 9_000 }
    expect(next(hung, closed(CLOSE.networkLost), facts())).toMatchObject({ refusals: 2, refusedFor: 9_000 })
  })
  it('has the question asked at once after the refusal that makes it a minute, and begins anew behind it', () => {
    const long = { refusals: 8, refusedFor: 51_000 }
    expect(refusedAfter(8_999, long)).toMatchObject({ name: 'waiting', refusedFor: 59_999 })
    const asking = refusedAfter(9_000, long)
    expect(asking).toMatchObject({ name: 'entering', sessionId: 's', refusedFor: 60_000, fails: 1 })
    // No handshake more is tried than without the question.
    expect(next(asking, { type: 'entered', run: 7, sessionId: 's' }, facts())).toMatchObject({
      name: 'waiting',
      refusals: 0,
      refusedFor: 0,
      until: NOW + 500,
    })
  })
  it('ends with a socket that opens, unless only a verdict is wanted', () => {
    const refused = { ...connecting, refusals: 2, refusedFor: 40_000 }
    expect(next(refused, EVENTS.opened, facts())).toMatchObject({ refusals: 0, refusedFor: 0 })
    expect(next({ ...refused, endReason: VERDICT }, EVENTS.opened, facts())).toMatchObject({
      refusals: 0,
      refusedFor: 40_000,
    })
  })

  type Asking = Extract<Session, { name: 'entering' }>
  const asking = (more: Partial<Asking> = {}) => ({ ...(entering as Asking), ...more })
  it('has the service asked about the session after three, where it tells', () => {
    const asks = (refusals: number) => questionOf(asking({ refusals, refusedFor: 600_000 }), true)
    expect([0, 1, 2, 3, 9].map(asks)).toEqual([undefined, undefined, undefined, 'status', 'status'])
    expect(questionOf(asking({ refusals: 3, endReason: VERDICT }), true)).toBe('status')
    expect(questionOf(asking({ refusals: 3, sessionId: undefined }), true)).toBeUndefined()
  })
  it('has the service asked for another session after a minute, where it does not tell', () => {
    const asks = (more: Partial<Asking>) =>
      questionOf(asking({ refusals: 9, refusedFor: 60_000, ...more }), false)
    expect(asks({})).toBe('another')
    expect(asks({ refusedFor: 59_999 })).toBeUndefined()
    expect(asks({ endReason: VERDICT })).toBeUndefined()
    expect(asks({ sessionId: undefined })).toBeUndefined()
    // Three that never opened in a row: the fourth would not either.
    expect([asks({ unopened: 2 }), asks({ unopened: 3 })]).toEqual(['another', undefined])
  })

  const refused = { refusals: 3, refusedFor: 40_000 }
  const told = (state: SessionState | undefined, more: Partial<Asking> = {}, guards: Partial<Guards> = {}) =>
    next(asking({ ...refused, ...more }), { type: 'told', run: 3, state }, facts(guards))
  it.each(['active', undefined] as const)('begins anew where the service says: %s', (state) => {
    expect(told(state)).toEqual(asking())
  })
  it.each(['expired', 'ended'] as const)('goes on for the replay of a session that is %s', (state) => {
    for (const guards of [{}, { queued: true }, { sent: true }, { idledOut: true }])
      expect(told(state, {}, guards)).toMatchObject({
        ...asking(),
        endReason: { expired: state === 'expired' },
      })
    // That is asked for over a minute alone, whatever the service says meanwhile.
    expect(told(state, { endReason: VERDICT })).toEqual(
      asking({ ...refused, refusals: 0, endReason: VERDICT }),
    )
  })
  it('goes on for a replay where nothing is proven, and takes a verdict back where the session goes on', () => {
    expect(told(undefined, { endReason: VERDICT })).toEqual(
      asking({ ...refused, refusals: 0, endReason: VERDICT }),
    )
    expect(told('active', { endReason: VERDICT })).toEqual(asking())
  })
  it('is a loss where the service does not know the session, and a verdict stands', () => {
    expect(told('unknown')).toMatchObject({ name: 'entering', sessionId: undefined, refusals: 0 })
    expect(told('unknown', { endReason: VERDICT })).toEqual({ name: 'expired', run: 7 })
    expect(told('unknown', { endReason: VERDICT }, { queued: true })).toMatchObject({ sessionId: undefined })
    expect(told('unknown', { endReason: { expired: false, reason: 'x' } })).toMatchObject({ name: 'ended' })
  })
})

describe('a session that cannot be asked any more', () => {
  it.each<[string, Session, SessionEvent]>([
    ['4001', live, closed(4001)],
    ['4001 in the replay', replaying, closed(4001)],
    ['the service’s word', live, { type: 'unknown' }],
    ['the service’s answer', entering, { type: 'told', run: 3, state: 'unknown' }],
  ])(
    'by %s is replaced, or over where it had rested, or given up where there were too many',
    (_, from, event) => {
      expect(next(from, event, facts())).toMatchObject({ name: 'entering', sessionId: undefined, fails: 0 })
      expect(next({ ...from, unopened: 2 } as Session, event, facts())).toMatchObject({
        name: 'entering',
        unopened: 2,
      })
      expect(next(from, event, facts({ idledOut: true }))).toMatchObject({ name: 'expired' })
      expect(next(from, event, facts({ idledOut: true, queued: true }))).toMatchObject({
        name: 'entering',
      })
      expect(next(from, event, facts({ mayRenew: false }))).toMatchObject({
        name: 'unavailable',
        cause: 'gave-up',
        sessionId: undefined,
      })
      expect(next({ ...from, unopened: 3 } as Session, event, facts())).toMatchObject({ name: 'unavailable' })
    },
  )
  it('is replaced by one that backs off as it did, and is refused as often before it is asked about', () => {
    const endReason = { expired: true, reason: 'x' }
    const from = { ...STATES.entering, fails: 4, refusals: 3, refusedFor: 9_000 }
    const counts = { fails: 4, refusals: 0, refusedFor: 0 }
    expect(next(from, EVENTS.told, facts())).toMatchObject({ name: 'entering', ...counts })
    const made = { type: 'entered', run: 3, sessionId: 'other', fresh: true } as const
    expect(next(from, made, facts())).toMatchObject({ name: 'connecting', sessionId: 'other', ...counts })
    expect(next({ ...from, endReason }, EVENTS.told, facts({ queued: true }))).toMatchObject({
      name: 'entering',
      sessionId: undefined,
      endReason: undefined,
    })
  })

  it('is not replaced by a handshake without an answer, which is no refusal', () => {
    const hung = closed(CLOSE.networkLost)
    expect(next({ ...connecting, refusals: 2 }, hung, facts())).toMatchObject({
      name: 'waiting',
      sessionId: 's',
      refusals: 2,
    })
  })
  it('is not replaced by a refusal, however often and for however long', () => {
    for (const refusedFor of [0, 60_000, 600_000])
      expect(next({ ...connecting, refusals: 9, refusedFor }, closed(), facts())).toMatchObject({
        sessionId: 's',
        refusals: 10,
      })
  })
  it('is over where only its verdict was wanted, and what was sent proves nothing', () => {
    const asked = { ...live, endReason: VERDICT }
    expect(next(asked, closed(4001), facts({ sent: true }))).toMatchObject({ name: 'expired' })
    expect(next(asked, closed(4001), facts({ queued: true }))).toMatchObject({ name: 'entering' })
    const stopped = { ...live, endReason: { expired: false, reason: 'x' } }
    expect(next(stopped, closed(4001), facts({ queued: true }))).toEqual({
      name: 'ended',
      reason: 'x',
      run: 7,
    })
  })
})

describe('a session that is over', () => {
  it('is asked once more where a message is unconfirmed, and not twice', () => {
    const asked = next({ ...live, fails: 2, refusals: 2 } as Session, expired, facts({ sent: true }))
    expect(asked).toEqual({ name: 'entering', sessionId: 's', run: 7, ...UNTRIED, endReason: VERDICT })
    const verdict = { ...replaying, endReason: { expired: true, reason: 'x' } }
    expect(next(verdict, { type: 'replayed' }, facts())).toMatchObject({ name: 'expired' })
    expect(next(verdict, { type: 'replayed' }, facts({ sent: true }))).toMatchObject({
      name: 'entering',
      sessionId: undefined,
    })
    // A socket that opened and brought no replay counts for 20 s.
    const refused = { ...connecting, endReason: verdict.endReason }
    for (const [from, most] of [
      [{ ...verdict, fails: 9 }, 40_000],
      [{ ...refused, fails: 9 }, 60_000],
    ] as const) {
      const later = (refusedFor: number) => next({ ...from, refusedFor }, closed(), facts({ sent: true }))
      expect(later(most - 1)).toMatchObject({ name: 'waiting' })
      expect(later(most)).toMatchObject({ name: 'expired' })
    }
    expect(next(verdict, ended, facts({ sent: true }))).toMatchObject({ name: 'expired' })
  })
  it('is over without a proof where its replay had none: what was sent starts no new one', () => {
    const verdict = { ...replaying, endReason: { expired: true, reason: 'x' } }
    const event: SessionEvent = { type: 'replayed', unproven: true }
    expect(next(verdict, event, facts({ sent: true }))).toMatchObject({ name: 'expired' })
    expect(next(verdict, event, facts({ queued: true }))).toMatchObject({ name: 'entering' })
    expect(next(replaying, event, facts())).toMatchObject({ name: 'live', since: NOW })
  })
  it('is asked once more where something that was said is missing', () => {
    expect(next(live, ended, facts({ incomplete: true }))).toMatchObject({ name: 'entering', sessionId: 's' })
    expect(next(live, ended, facts())).toMatchObject({ name: 'ended' })
  })
  it.each<[string, Partial<Extract<SessionEvent, { type: 'over' }>>]>([
    ['its replay was read', { proven: true }],
    ['it is not worth asking', { final: true }],
  ])('is not asked once more where %s', (_, more) => {
    const event = { ...ended, ...more } as SessionEvent
    expect(next(live, event, facts({ sent: true }))).toMatchObject({ name: 'ended' })
  })
  it('is not asked where there is none', () => {
    expect(next({ ...entering, sessionId: undefined }, ended, facts({ sent: true }))).toMatchObject({
      name: 'ended',
    })
  })
  it('by its end stays so, whatever waits; by inactivity goes on at once where something waits', () => {
    expect(next(live, ended, facts({ queued: true }))).toMatchObject({
      name: 'ended',
      reason: 'REASON_NATURAL_END',
    })
    expect(next(live, expired, facts())).toMatchObject({ name: 'expired' })
    expect(next(live, expired, facts({ queued: true }))).toMatchObject({
      name: 'entering',
      sessionId: undefined,
    })
    const proven = { ...expired, proven: true } as SessionEvent
    expect(next(live, proven, facts({ sent: true }))).toMatchObject({
      name: 'entering',
      sessionId: undefined,
    })
  })
  it('by inactivity is made anew by an act and not by opening or a look', () => {
    const over: Session = { name: 'expired', run: 1 }
    for (const type of ['open', 'wake', 'online', 'due'] as const)
      expect(next(over, { type }, facts())).toBe(over)
    expect(next(over, { type: 'act' }, facts())).toMatchObject({ name: 'entering', sessionId: undefined })
  })
})

describe('a page of several', () => {
  it('that gets no socket while another one has its own is unavailable, keeps its session, and tries again after half a minute', () => {
    const refused = { ...STATES.entering, refusals: 3 }
    const taken = next(refused, EVENTS.taken, facts())
    expect(taken).toMatchObject({
      name: 'unavailable',
      cause: 'gave-up',
      sessionId: 's',
      again: NOW + 30_000,
    })
    expect(next(taken, EVENTS.due, facts({ now: NOW + 29_999 }))).toBe(taken)
    // One more refusal, and the others are asked again.
    const again = next(taken, EVENTS.due, facts({ now: NOW + 30_000 }))
    expect(again).toMatchObject({ name: 'entering', sessionId: 's', refusals: 2, follows: false })
    expect(next(refused, { type: 'taken', run: 2 }, facts())).toBe(refused)
  })

  it('keeps that it is used through attempts and interruptions', () => {
    const used = { follows: true }
    expect(next({ ...STATES.entering, ...used }, EVENTS.entered, facts())).toMatchObject(used)
    expect(next({ ...STATES.connecting, ...used }, EVENTS.opened, facts())).toMatchObject(used)
    expect(next({ ...STATES.replaying, ...used }, EVENTS.closed, facts())).toMatchObject(used)
    expect(next({ ...STATES.entering, ...used }, EVENTS.failed, facts())).toMatchObject(used)
    expect(next({ ...STATES.waiting, ...used, until: NOW }, EVENTS.due, facts())).toMatchObject(used)
    for (const type of ['offline', 'suspend'] as const)
      expect(next({ ...STATES.waiting, ...used }, { type }, facts())).toMatchObject(used)
  })

  it('that was to join the others goes there when its replay has told what became of its messages', () => {
    const follows = { ...STATES.replaying, follows: true }
    const other = facts({ other: 'other' })
    expect(next(follows, EVENTS.replayed, other)).toMatchObject({ name: 'entering', sessionId: 'other' })
    expect(next(STATES.replaying, EVENTS.replayed, other)).toMatchObject({ name: 'live', sessionId: 's' })
    expect(next(follows, EVENTS.replayed, facts())).toMatchObject({ name: 'live', sessionId: 's' })
  })

  it('that was to join the others goes there when its own session is over; one that was not says that it is', () => {
    const over = (from: Session, event: SessionEvent) => next(from, event, facts({ other: 'other' }))
    const asked = { ...replaying, endReason: VERDICT }
    const there = { name: 'entering', sessionId: 'other', endReason: undefined }
    for (const event of [ended, expired]) {
      expect(over({ ...live, follows: true }, event)).toMatchObject(there)
      expect(over(live, event)).toMatchObject({ name: event === ended ? 'ended' : 'expired' })
    }
    expect(over({ ...asked, follows: true }, EVENTS.replayed)).toMatchObject(there)
    expect(over({ ...asked, follows: true }, EVENTS.unknown)).toMatchObject(there)
    expect(over(asked, EVENTS.replayed)).toMatchObject({ name: 'expired' })
  })

  it('that was to join the others asks its own session once more where a message of it is not confirmed', () => {
    const both = facts({ other: 'other', sent: true })
    expect(next({ ...live, follows: true }, expired, both)).toEqual({
      ...UNTRIED,
      name: 'entering',
      sessionId: 's',
      run: 7,
      endReason: VERDICT,
      follows: true,
    })
  })

  it('that waits is used from the first act on, and waits no longer than any other', () => {
    const other = facts({ other: 'other' })
    expect(next(waiting, EVENTS.act, other)).toEqual({ ...waiting, follows: true, until: NOW + 1_000 })
    const joining = { ...waiting, follows: true, until: NOW + 500 }
    expect(next(joining, EVENTS.act, other)).toBe(joining)
  })
})

describe('what was given up', () => {
  it('is tried again for the visitor who types, before the slow attempt', () => {
    const refused = { ...STATES.unavailable, at: NOW - 500, again: NOW + 9_500 }
    expect(next(refused, EVENTS.act, facts())).toEqual({ ...refused, again: NOW + 500, denials: 0 })
  })
  it('is tried again by the visitor who types a second later, and not by every key', () => {
    const asked = next({ ...STATES.unavailable, at: NOW - 999 }, EVENTS.act, facts())
    expect(asked).toEqual({ ...STATES.unavailable, at: NOW - 999, again: NOW + 1, denials: 0 })
    expect(next(asked, EVENTS.suspend, facts())).toBe(asked)
    expect(next(asked, EVENTS.act, facts())).toBe(asked)
    expect(next(asked, EVENTS.due, facts())).toBe(asked)
    expect(next(asked, EVENTS.due, facts({ now: NOW + 1 }))).toMatchObject({ name: 'entering', fails: 0 })
    expect(next(STATES.unavailable, EVENTS.act, facts())).toMatchObject({ name: 'entering', fails: 0 })
    expect(next({ ...STATES.unavailable, at: NOW }, EVENTS.open, facts())).toMatchObject({ name: 'entering' })
  })
})

describe('the waits', () => {
  it('are spread over 1, 2, 4, 8 and 15 s, then keep to the upper half, longer while hidden', () => {
    expect([0, 1, 2, 3, 4].map((fails) => backoff(fails, 1))).toEqual([1_000, 2_000, 4_000, 8_000, 15_000])
    expect([0, 1, 2, 3, 4].map((fails) => backoff(fails, 0, false))).toEqual([0, 0, 0, 0, 0])
    expect([backoff(9, 0), backoff(9, 1), backoff(9, 0, false), backoff(9, 1, false)]).toEqual([
      7_500, 15_000, 15_000, 30_000,
    ])
    expect(backoff(5, 0)).toBe(7_500)
  })
  it.each([1001, 1011, 1012, 1013])(
    'bring at most a quarter of 1,000 clients back in any second after a service left them with %i, however long it is away',
    (code) => {
      for (const outage of some([0, 1, 2, 4, 8, 15, 20, 30, 60, 120], 3)) {
        const random = chance(code + outage)
        const back = new Map<number, number>()
        for (let client = 0; client < 1_000; client++) {
          let session = next(live, closed(code), facts({ random: random() }))
          for (let at = NOW; ; ) {
            if (session.name !== 'waiting') throw new Error(`${session.name} instead of waiting`)
            at = session.until
            const now = facts({ now: at, random: random() })
            const { run } = next(session, EVENTS.due, now) as { run: number }
            session = next(next(session, EVENTS.due, now), { ...entered(), run } as SessionEvent, now)
            if (at >= NOW + outage * 1_000) {
              const second = Math.floor((at - NOW) / 1_000) - outage
              back.set(second, (back.get(second) ?? 0) + 1)
              break
            }
            session = next(session, { ...closed(), run } as SessionEvent, now)
            // After a minute of refusals another session is asked for, in vain.
            if (session.name === 'entering')
              session = next(session, { ...entered(), run: session.run } as SessionEvent, now)
          }
        }
        expect(Math.max(...back.values()), `away for ${outage} s`).toBeLessThanOrEqual(250)
        // The last is back 7.5 s after the service.
        expect(Math.max(...back.keys()), `away for ${outage} s`).toBeLessThan(8)
      }
    },
  )
  it('bring at most a tenth of a crowd back in any second, once the outage lasts for 30 s', () => {
    const clients = 10_000
    // The same crowd in every run: a second sees 9.3 % at most, and chance alone adds 1 % now and then.
    const random = chance(7)
    for (const outage of [30, 45, 60, 120]) {
      const back = new Array<number>(16).fill(0)
      for (let client = 0; client < clients; client++) {
        let at = 0
        for (let fails = 0; at < outage * 1_000; fails++) at += backoff(fails, random())
        const second = Math.floor(at / 1_000 - outage)
        back[second] = (back[second] ?? 0) + 1
      }
      expect(Math.max(...back)).toBeLessThan(clients / 10)
      expect(back.reduce((sum, count) => sum + count, 0)).toBe(clients)
      expect(back[15]).toBeLessThan(2)
    }
  })
})

it.each([
  ['a chunk', { missingChunk: { key: 'x', after: 3, since: 0 } }],
  ['an event', { gap: { after: 3, since: 0 } }],
])('a session that ends while %s is missing is asked for once more', (_, missing) => {
  const state = initialState(0, { sessionId: 's' })
  const log = { ...state.conversation.log, cursor: 9, readable: 9, ...missing }
  const live = { ...state, session: STATES.live, conversation: { ...state.conversation, log } }
  const over = { type: 'over', expired: false, reason: 'REASON_NATURAL_END', proven: false } as const
  const { session } = step(live as never, over as never, { now: 1, wall: 1, random: 0.5, run: 2 } as never)
  expect(session.name).toBe('entering')
})
