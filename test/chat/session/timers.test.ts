// All that time does, by itself: when each thing is due, what is done then, and that nothing is done before.

import { signal } from '@preact/signals-core'
import { describe, expect, it } from 'vitest'
import { newItem, sent } from '../../../src/chat/outbox/items.ts'
import { nextDeadline as deadlineAt, isIdleTimedOut, tick } from '../../../src/chat/session/timers.ts'
import type { Session, SessionEvent } from '../../../src/chat/state/session.ts'
import { initialState, type OutboxRecord, type State } from '../../../src/chat/state/state.ts'
import { newStream } from '../../../src/chat/transcript/streams.ts'
import { type Given, given, UNTRIED } from '../given.ts'

const known = { sessionId: 's', run: 3, ...UNTRIED }
const LIVE: Session = { name: 'live', since: 0, ...known }
const REPLAYING: Session = { name: 'replaying', ...known }
const WAITING: Session = { name: 'waiting', since: 0, until: 9_000, earliest: 0, ...known }
const NEVER = Number.POSITIVE_INFINITY
const WALL = 1_800_000_000_000
const HOURS = 3_600_000

const CAPABILITIES = {
  streaming: true,
  max_message_size_bytes: 131_072,
  max_reconnect_attempts: 0,
  heartbeat_interval_seconds: 0,
  session_idle_seconds: 1_000_000,
  csat: false,
  stop: false,
  feedback: false,
  leave_queue: false,
  confirm: false,
  session_status: false,
}
const START = initialState(0, { sessionId: 's' })
const joined = { ...START.conversation.log, joined: true }

/** A live session in which nothing is due but the yearly: it has 11 days until it rests, and is never probed. */
const quiet = (more: Given = {}): State =>
  given(START, { session: LIVE, everLive: true, capabilities: CAPABILITIES, log: joined, ...more })
const capable = (more: object) => ({ capabilities: { ...CAPABILITIES, ...more } })
/** A session of the usual ten minutes. */
const usual = (more: Given = {}): State => quiet({ ...capable({ session_idle_seconds: 600 }), ...more })
const stream = (key: string, complete: boolean): Pick<Given, 'streams' | 'messages'> => ({
  streams: new Map([[key, newStream(key, 0, 0)]]),
  messages: new Map([
    [
      key,
      {
        kind: 'message',
        key,
        role: 'agent',
        at: 0,
        place: 1,
        content: signal({ pieces: ['a'], length: 1, complete, attachments: [], callActions: [] }),
      },
    ],
  ]),
})
const onTheWay = (now: number): readonly OutboxRecord[] =>
  sent([newItem('a', 'hi', 0, 's')], 'a', now, 's', 0)

const nextDeadline = (state: State, now = 0) => deadlineAt(state, now)

const LOST: SessionEvent = { type: 'closed', run: 3, code: 4003 }
/** Proven then. */
const proof = (last: number) => ({ ...START.probe, last })
const OWN: SessionEvent = { type: 'closed', run: 3, code: 4002, own: true }
const RESTED: SessionEvent = { type: 'over', expired: true, reason: 'REASON_USER_ABANDONED', proven: false }
const ENDED: SessionEvent = {
  type: 'over',
  expired: false,
  reason: 'REASON_USER_END',
  proven: false,
  final: true,
  untold: true,
}

type Rule = [string, State, number, { events?: SessionEvent[]; changes?: Given }]
const asked = (batch: boolean) => ({ asked: { id: 'b', answered: false }, batch, frameAt: 1_000 })
const replay = (more: Given = {}) => quiet({ session: REPLAYING, replay: asked(false), ...more })
const probing = { wanted: undefined, asked: { id: 'p', at: 1_000, deadline: 9_000 }, last: 0 }
const gap = { after: 5, since: 1_000, seen: new Set([7]) }
const missingChunk = { key: 'x', after: 5, since: 1_000 }
const typing = { role: 'agent' as const }
const typed = { sent: 'STARTED' as const, sentAt: 0, keyAt: 1_000, want: undefined, notBefore: 0 }
const lost = (session: Session) => quiet({ session, lostAt: 1_000 })

const SHARED = { ...START.tabs, shared: true }
const several = (tabs: Partial<State['tabs']> = {}, more: Given = {}): State =>
  quiet({ ...more, tabs: { ...SHARED, ...tabs } })
const RULES: Rule[] = [
  ['a wait is over when it says', quiet({ session: WAITING }), 9_000, { events: [{ type: 'due' }] }],
  [
    'what was given up is tried again when the visitor asked for it too soon',
    quiet({ session: { name: 'unavailable', cause: 'refused', at: 8_000, again: 9_000, ...known } }),
    9_000,
    { events: [{ type: 'due' }] },
  ],
  [
    'a socket without history is closed after 5 s',
    replay(),
    6_000,
    { events: [LOST], changes: { stalls: 1 } },
  ],
  [
    'a second socket without history is closed after 10 s',
    replay({ stalls: 1 }),
    11_000,
    { events: [LOST], changes: { stalls: 2 } },
  ],
  [
    'a third socket without history is closed after 20 s',
    replay({ stalls: 2 }),
    21_000,
    { events: [LOST], changes: { stalls: 3 } },
  ],
  [
    'a socket without any batch is closed, however often there was one',
    replay({ stalls: 9 }),
    21_000,
    { events: [LOST], changes: { stalls: 10 } },
  ],
  [
    'a first socket that does not tell the end of its replay is closed too, and counted as silent',
    replay({ replay: asked(true) }),
    6_000,
    { events: [LOST], changes: { stalls: 1, unechoed: 1 } },
  ],
  [
    'a socket that cannot tell the end of its replay yet is closed, and not counted as silent',
    replay({ unechoed: 1, replay: { ...asked(true), asked: { id: 'b', answered: true } } }),
    6_000,
    { events: [LOST], changes: { stalls: 1 } },
  ],
  [
    'the agent is asked to join again when its pause is over',
    quiet({ log: START.conversation.log, join: { asked: false, times: 1, at: 0, notBefore: 4_000 } }),
    4_000,
    { changes: { join: { asked: false, times: 1, at: 0, notBefore: 0 } } },
  ],
  [
    'a connection is probed every 10 s while somebody looks',
    quiet({ ...capable({ heartbeat_interval_seconds: 30 }), probe: { ...START.probe, last: 1_000 } }),
    11_000,
    { changes: { probe: { wanted: 8_000, asked: undefined, last: 1_000 } } },
  ],
  [
    'a connection is probed as seldom as the service says while nobody does',
    quiet({ ...capable({ heartbeat_interval_seconds: 30 }), visible: false }),
    30_000,
    { changes: { probe: { wanted: 8_000, asked: undefined, last: 0 } } },
  ],
  [
    'a connection is probed as often as the service says',
    quiet(capable({ heartbeat_interval_seconds: 4 })),
    4_000,
    { changes: { probe: { wanted: 8_000, asked: undefined, last: 0 } } },
  ],
  [
    'a connection is probed every 30 s where the service does not say, and nobody looks',
    quiet({ capabilities: undefined, visible: false }),
    30_000,
    { changes: { probe: { wanted: 8_000, asked: undefined, last: 0 } } },
  ],
  [
    'a connection that does not answer its probe is lost',
    quiet({ probe: probing }),
    9_000,
    { events: [LOST] },
  ],
  [
    'an echo that is 10 s late is for a replay to tell',
    quiet({ outbox: onTheWay(1_000) }),
    11_000,
    { events: [OWN] },
  ],
  [
    'a hole is mended after 2 s',
    quiet({ log: { ...joined, gap } }),
    3_000,
    { events: [OWN], changes: { gapReconnects: [3_000] } },
  ],
  [
    'an answer that lacks a piece is mended after 2 s',
    quiet({ log: { ...joined, missingChunk } }),
    3_000,
    { events: [OWN], changes: { gapReconnects: [3_000] } },
  ],
  [
    'of a hole and a torn answer the older one counts',
    quiet({ log: { ...joined, gap, missingChunk: { ...missingChunk, since: 400 } } }),
    2_400,
    { events: [OWN], changes: { gapReconnects: [2_400] } },
  ],
  [
    'whoever types is taken to have stopped after 60 s',
    quiet({ typing, typingSince: 1_000 }),
    61_000,
    { changes: { typing: undefined } },
  ],
  [
    'the visitor has stopped typing 5 s after the last key',
    quiet({ typed }),
    6_000,
    { changes: { typed: { ...typed, want: 'STOPPED' } } },
  ],
  [
    'the visitor is warned a minute before ten have passed',
    usual({ activeAt: 1_000, probe: { ...START.probe, last: 0 } }),
    541_000,
    { changes: { endsAt: { at: 601_000, wall: WALL + 60_000 } } },
  ],
  [
    'the visitor is warned a tenth of the time before its end where that is shorter',
    quiet(capable({ session_idle_seconds: 400 })),
    360_000,
    { changes: { endsAt: { at: 400_000, wall: WALL + 40_000 } } },
  ],
  [
    'the visitor is warned at least 20 s before its end',
    quiet(capable({ session_idle_seconds: 100 })),
    80_000,
    { changes: { endsAt: { at: 100_000, wall: WALL + 20_000 } } },
  ],
  [
    'the visitor is warned after half of the time where that is less than 40 s',
    quiet(capable({ session_idle_seconds: 30 })),
    15_000,
    { changes: { endsAt: { at: 30_000, wall: WALL + 15_000 } } },
  ],
  [
    'time slept counts as rested',
    usual({ activeAt: 300_000, slept: 100_000 }),
    740_000,
    { changes: { endsAt: { at: 800_000, wall: WALL + 60_000 } } },
  ],
  [
    'a session that rested is replayed once more, 2 s after its end',
    usual({ endsAt: { at: 600_000, wall: 0 } }),
    602_000,
    { events: [OWN] },
  ],
  [
    'a session that rested is replayed once more, though the service proved just now that it hears',
    usual({ endsAt: { at: 600_000, wall: 0 }, probe: { ...START.probe, last: 602_000 } }),
    602_000,
    { events: [OWN] },
  ],
  [
    'a session that rested is over once a replay of later, and 2 s behind it, showed nothing of it',
    usual({ confirmedAt: 602_000, endsAt: { at: 600_000, wall: 0 }, probe: proof(602_000) }),
    604_000,
    { events: [RESTED] },
  ],
  [
    'the end that the service named counts, where it is later',
    usual({ confirmedAt: 652_000, endsAt: { at: 650_000, wall: 0 }, probe: proof(652_000) }),
    654_000,
    { events: [RESTED] },
  ],
  [
    'an end that the service names ever later counts up to a minute after our own',
    usual({ confirmedAt: 662_000, endsAt: { at: 700_000, wall: 0 }, probe: proof(662_000) }),
    664_000,
    { events: [RESTED] },
  ],
  [
    'our own end counts, where the service named an earlier one',
    usual({ confirmedAt: 602_000, endsAt: { at: 500_000, wall: 0 }, probe: proof(602_000) }),
    604_000,
    { events: [RESTED] },
  ],
  ['a socket is made anew after 2 hours', quiet(), 2 * HOURS, { events: [OWN] }],
  [
    'a socket is made anew after 2 hours, though an answer was left open that is complete',
    quiet(stream('x', true)),
    2 * HOURS,
    { events: [OWN] },
  ],
  [
    'an end that the service does not confirm is one after 5 s',
    quiet({ endRequest: { sent: true, at: 1_000 } }),
    6_000,
    { events: [ENDED] },
  ],
  [
    'an interruption is told after 1.5 s',
    lost({ name: 'entering', ...known }),
    2_500,
    { changes: { lostLong: true } },
  ],
  [
    'a first connection that takes long is told after 4 s, in whatever step',
    { ...START, session: { name: 'connecting', ...known }, triedAt: 1_000 },
    5_000,
    { changes: { lostLong: true } },
  ],
  [
    'an interruption is told by when it began, not by when an attempt did',
    { ...lost(WAITING), triedAt: 2_400 },
    2_500,
    { changes: { lostLong: true } },
  ],
  ['an interruption is told in a wait too', lost(WAITING), 2_500, { changes: { lostLong: true } }],
  [
    'a tab tells the others what was read in it, once a second',
    several({ told: { sequence: 3, at: 1_000 } }, { shown: true, log: { ...joined, cursor: 5 } }),
    2_000,
    { changes: { tabs: { ...SHARED, told: { sequence: 5, at: 2_000 } } } },
  ],
]

describe('a deadline', () => {
  it.each(RULES)('%s', (_, state, at, { events = [], changes = {} }) => {
    expect(nextDeadline(state, at - 1)).toBe(at)
    const early = tick(state, at - 1, WALL - 1)
    expect(early).toEqual({ state, events: [], passed: false })
    expect(early.state).toBe(state)
    const due = tick(state, at, WALL)
    expect(due.events).toEqual(events)
    expect(due.passed).toBe(false)
    expect(due.state).toEqual(given(state, changes))
  })

  it.each(RULES)(
    'that was missed is met when the machine runs again: %s',
    (_, state, at, { events = [] }) => {
      expect(tick(state, at + 1, WALL).events).toEqual(expect.arrayContaining(events))
    },
  )
})

/** What keeps a deadline from being there at all. */
const NOT: [string, State][] = [
  ['before anything was contacted', START],
  ['in a page that is left or frozen', { ...lost(WAITING), session: { name: 'suspended', ...known } }],
  [
    'while a page is frozen, though a session was at its end',
    usual({ session: { name: 'suspended', ...known }, endRequest: { sent: true, at: 0 } }),
  ],
  ['after a chat was disposed of', { ...START, session: { name: 'disposed' } }],
  ['once a session is over', usual({ session: { name: 'expired', run: 3 } })],
  ['where a first connection was told', { ...START, session: REPLAYING, triedAt: 1_000, lostLong: true }],
  ['where an interruption was told', { ...lost({ name: 'offline', ...known }), lostLong: true }],
]
const AT_TWO_HOURS: [string, State][] = [
  [
    'a join that was asked for',
    quiet({ log: START.conversation.log, join: { asked: true, times: 1, at: 0, notBefore: 5 } }),
  ],
  ['a join of an agent that is there', quiet({ join: { asked: false, times: 1, at: 0, notBefore: 5 } })],
  [
    'a probe of a connection that is to be probed, or is being probed',
    quiet({ ...capable({ heartbeat_interval_seconds: 30 }), probe: { ...START.probe, wanted: 8_000 } }),
  ],
  [
    'a message that waits, or has failed',
    quiet({ outbox: [newItem('a', 'hi', 0, 's'), { ...newItem('b', 'hi', 0, 's'), state: 'failed' }] }),
  ],
  ['an interruption that is over', lost(LIVE)],
  ['a rest that the service is told of already', quiet({ typed: { ...typed, want: 'STOPPED' } })],
  ['a rest of a visitor who is known to rest', quiet({ typed: { ...typed, sent: 'STOPPED' } })],
  [
    'what nobody has read',
    several({ told: { sequence: 3, at: 0 } }, { shown: true, visible: false, log: { ...joined, cursor: 5 } }),
  ],
  [
    'what was told',
    several({ told: { sequence: 5, at: 0 } }, { shown: true, log: { ...joined, cursor: 5 } }),
  ],
  [
    'inactivity, while the queue of a handoff goes on',
    usual({ handoff: { state: 'pending' }, probe: { ...START.probe, last: 900_000 } }),
  ],
  [
    'inactivity, while a person answers',
    usual({ handoff: { state: 'live' }, probe: { ...START.probe, last: 900_000 } }),
  ],
]

describe('nothing is due', () => {
  it.each(NOT)('%s', (_, state) => {
    expect(nextDeadline(state)).toBe(NEVER)
  })
  it.each(AT_TWO_HOURS)('for %s', (_, state) => {
    expect(nextDeadline(state)).toBe(2 * HOURS)
  })
  it('of what belongs to a live session, while it is not', () => {
    const all: Given = {
      log: { ...START.conversation.log, gap, missingChunk },
      join: { asked: false, times: 1, at: 0, notBefore: 5 },
      outbox: onTheWay(0),
      typed,
      ...capable({ heartbeat_interval_seconds: 30, session_idle_seconds: 600 }),
    }
    for (const session of [
      { name: 'entering', ...known },
      { ...WAITING, until: NEVER },
    ] as Session[])
      expect(nextDeadline(quiet({ ...all, session }))).toBe(NEVER)
    expect(nextDeadline(quiet({ ...all, session: REPLAYING, replay: asked(true) }))).toBe(6_000)
  })
  it('to make a socket anew while an answer comes or somebody types', () => {
    expect(nextDeadline(quiet(stream('x', false)))).toBeGreaterThan(2 * HOURS)
    expect(nextDeadline(quiet({ typing, typingSince: 8_000_000 }))).toBe(8_060_000)
  })
  it('to probe while a probe is on its way', () => {
    const state = quiet({ ...capable({ heartbeat_interval_seconds: 1 }), probe: probing })
    expect(nextDeadline(state)).toBe(9_000)
  })
})

describe('the earliest deadline', () => {
  it('is the next, and is met alone', () => {
    const state = quiet({
      outbox: onTheWay(0),
      typing,
      typingSince: 0,
      typed: { ...typed, keyAt: 0 },
    })
    expect(nextDeadline(state)).toBe(5_000)
    const ticked = tick(state, 5_000, WALL)
    expect(ticked.events).toEqual([])
    expect(ticked.state.typing).toBe(typing)
    expect(nextDeadline(ticked.state)).toBe(10_000)
  })
  it('may be one of several that are due at once: all are met', () => {
    const state = quiet({
      typing,
      typingSince: 0,
      typed: { ...typed, keyAt: 0 },
      outbox: onTheWay(0),
    })
    const ticked = tick(state, 60_000, WALL)
    expect(ticked.events).toEqual([OWN])
    expect(ticked.state).toMatchObject({ typing: undefined, typed: { want: 'STOPPED' } })
  })
})

describe('a replay', () => {
  it('whose history came and whose end is not told for the second time counts as over', () => {
    const state = replay({ stalls: 1, unechoed: 1, replay: asked(true) })
    expect(nextDeadline(state)).toBe(11_000)
    const ticked = tick(state, 11_000, WALL)
    expect(ticked).toMatchObject({
      passed: true,
      events: [],
      state: { conversation: { stalls: 2 }, unechoed: 2 },
    })
  })
})

describe('a hole', () => {
  it('is mended three times in a minute; a fourth waits until the first of them is a minute ago', () => {
    const holed = (gapReconnects: readonly number[]) =>
      quiet({ gapReconnects, log: { ...joined, gap: { ...gap, since: 58_000 } } })
    const mended = [10_000, 20_000, 50_000]
    expect(nextDeadline(holed(mended))).toBe(70_000)
    expect(tick(holed(mended), 69_999, WALL)).toMatchObject({
      events: [],
      state: { conversation: { log: { gap: {} } } },
    })
    expect(tick(holed(mended), 70_000, WALL)).toMatchObject({
      events: [OWN],
      state: { gapReconnects: [20_000, 50_000, 70_000] },
    })
    expect(nextDeadline(holed(mended.slice(1)))).toBe(60_000)
  })
})

describe('a session', () => {
  const at = 602_000
  it('counts as rested 2 s after ten minutes without anybody, connected or not', () => {
    for (const session of [LIVE, WAITING, { name: 'entering', ...known } as Session]) {
      expect(isIdleTimedOut(usual({ session }), at - 1)).toBe(false)
      expect(isIdleTimedOut(usual({ session }), at)).toBe(true)
    }
  })
  it('counts as rested by the rule where the service does not name a time', () => {
    const state = quiet({ capabilities: undefined })
    expect([isIdleTimedOut(state, at - 1), isIdleTimedOut(state, at)]).toEqual([false, true])
  })
  it('does not while a handoff goes on or a person is there, and does after', () => {
    expect(isIdleTimedOut(usual({ handoff: { state: 'pending' } }), at)).toBe(false)
    expect(isIdleTimedOut(usual({ handoff: { state: 'live' } }), at)).toBe(false)
    for (const state of ['none', 'failed', 'client'] as const)
      expect(isIdleTimedOut(usual({ handoff: { state } }), at)).toBe(true)
  })
  it('is warned and ended by the clock where a handoff has failed or is for the page', () => {
    for (const state of ['none', 'failed', 'client'] as const)
      expect(nextDeadline(usual({ handoff: { state } }))).toBe(540_000)
  })
  it('is neither warned twice nor asked again while it is asked', () => {
    const endsAt = { at: 600_000, wall: 0 }
    expect(nextDeadline(usual({ endsAt, probe: { ...START.probe, wanted: 8_000 } }))).toBe(2 * HOURS)
    expect(nextDeadline(usual({ endsAt, probe: { ...probing, last: 0 } }))).toBe(9_000)
  })
  it('is not warned any more once its time is over, as after a sleep', () => {
    expect(nextDeadline(usual(), 599_999)).toBe(540_000)
    expect(nextDeadline(usual(), 600_000)).toBe(at)
    expect(tick(usual(), 600_000, WALL).state.endsAt).toBeUndefined()
  })
  it('whose last replay came before its end is replayed again at its end', () => {
    const endsAt = { at: 600_000, wall: 0 }
    const state = usual({ confirmedAt: 601_999, endsAt, probe: proof(601_999) })
    expect(tick(state, at, WALL).events).toEqual([OWN])
  })
})
