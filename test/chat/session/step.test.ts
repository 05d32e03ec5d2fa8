// What a step of the session changes beside the session: which ends the service is still to learn, and what stays as it is for a visitor
// who uses one of several tabs.

import { describe, expect, it } from 'vitest'
import { newItem, sent } from '../../../src/chat/outbox/items.ts'
import { step } from '../../../src/chat/session/step.ts'
import { END } from '../../../src/chat/session/timers.ts'
import type { Context } from '../../../src/chat/state/events.ts'
import type { Session, SessionEvent } from '../../../src/chat/state/session.ts'
import { initialState, type PendingEnd, type State } from '../../../src/chat/state/state.ts'
import { flat, type Given, given, UNTRIED } from '../given.ts'

const NOW = 100_000
const moment = (now = NOW): Context => ({ now, wall: 0, random: 0.5, run: 7 })
const known = {
  sessionId: 's',
  run: 3,
  ...UNTRIED,
}
const SESSIONS = {
  idle: { name: 'idle', sessionId: 's' },
  entering: { name: 'entering', ...known },
  connecting: { name: 'connecting', ...known },
  replaying: { name: 'replaying', ...known },
  live: { name: 'live', since: 0, ...known },
  waiting: { name: 'waiting', since: 0, until: NOW, earliest: 0, ...known },
  expired: { name: 'expired', run: 3 },
  ended: { name: 'ended', run: 3, reason: 'x' },
} satisfies { [N in Session['name']]?: Extract<Session, { name: N }> }
const START = initialState(0, { sessionId: 's', shared: true })
const state = (session: Session, more: Given = {}): State => given(START, { session, ...more })
const MESSAGE: State['transcript'][number] = {
  kind: 'notice',
  key: 'n',
  at: 0,
  place: 1,
  notice: 'system',
  name: undefined,
  text: 'hi',
}
/** A page that has been trying to connect. */
const trying = (session: Session, more: Given): State => state(session, { triedAt: 5, ...more })

describe('the end of a session', () => {
  const RESTART: SessionEvent = { type: 'restart' }
  const LOGOUT: SessionEvent = { type: 'logout' }
  const TOLD: SessionEvent = { type: 'over', expired: false, reason: 'x', proven: true }
  const live = { session: 's', now: true, later: false }
  const later = { session: 's', now: false, later: true }
  const both = { session: 's', now: true, later: true }
  it.each<[string, Session, SessionEvent, PendingEnd | undefined]>([
    ['by a restart is said over the socket that is open', SESSIONS.live, RESTART, { ...live, asks: true }],
    [
      'by a restart during a replay is said again later: nothing has proven the socket',
      SESSIONS.replaying,
      RESTART,
      { ...both, asks: true },
    ],
    ['by a restart in a wait is said later', SESSIONS.waiting, RESTART, { ...later, asks: true }],
    [
      'by a restart of an earlier page’s session is said later',
      SESSIONS.idle,
      RESTART,
      { ...later, asks: true },
    ],
    ['by a sign-out asks for no token', SESSIONS.live, LOGOUT, { ...live, asks: false }],
    ['by a sign-out in a wait asks for no token', SESSIONS.waiting, LOGOUT, { ...later, asks: false }],
    ['that the service did not confirm is said later', SESSIONS.live, END, { ...later, asks: true }],
    ['that the service told is not said', SESSIONS.live, TOLD, undefined],
    ['before a restart is not said again', SESSIONS.ended, RESTART, undefined],
    ['by inactivity before a restart is not said', SESSIONS.expired, RESTART, undefined],
    ['before a sign-out is not said again', SESSIONS.ended, LOGOUT, undefined],
  ])('%s', (_, session, event, owed) => {
    expect(step(state(session), event, moment()).pendingEnd).toEqual(owed)
  })
  it('that was asked for, and is not confirmed before a restart, is said later too', () => {
    const endRequest = { sent: true, at: 0 }
    expect(step(state(SESSIONS.live, { endRequest }), RESTART, moment()).pendingEnd).toEqual({
      ...both,
      asks: true,
    })
  })
  it('is owed to no session where there was none', () => {
    const none = state({ ...SESSIONS.entering, sessionId: undefined }, { sessionId: undefined })
    expect(step(none, LOGOUT, moment()).pendingEnd).toBeUndefined()
    expect(step(none, RESTART, moment()).pendingEnd).toBeUndefined()
  })
})

describe('a visitor who uses a page while the other tabs are in another session', () => {
  const unconfirmed = sent([newItem('a', 'hi', 0, 's')], 'a', NOW - 9_000, 's', 0)
  const other = { named: { session: 'other', why: undefined }, outbox: unconfirmed }
  const acts = (before: State) => step(before, { type: 'act' }, moment())
  const PAGES: [string, State][] = [
    [
      'a live one',
      state(SESSIONS.live, {
        ...other,
        probe: { wanted: undefined, asked: { id: 'p', at: NOW - 1, deadline: NOW + 1 }, last: 0 },
        stalls: 1,
      }),
    ],
    [
      'one that replays',
      trying(SESSIONS.replaying, {
        ...other,
        log: { ...START.conversation.log, replayed: 4 },
        replay: { asked: { id: 'b', answered: false }, batch: true, frameAt: NOW - 1 },
      }),
    ],
    ['one that connects', trying(SESSIONS.connecting, other)],
    ['one that enters', trying(SESSIONS.entering, other)],
  ]
  it.each(PAGES)('changes nothing but that it joins them later: %s', (_, before) => {
    const joined = acts(before)
    expect(joined).toEqual({ ...before, session: { ...before.session, follows: true } })
    expect(acts(joined)).toBe(joined)
  })
})

describe('what a step takes back', () => {
  const { log, requests } = START.conversation
  const rated = { id: 'r', comment: undefined, sent: true }
  /** Of each field, what it holds in the middle of a conversation, over a line that was lost before. */
  const USED: Given = {
    everLive: true,
    lostAt: 40,
    lostLong: true,
    triedAt: 50,
    typing: { role: 'agent' },
    endsAt: { at: NOW + 1, wall: 1 },
    replay: { asked: { id: 'b', answered: true }, batch: true, frameAt: 1 },
    probe: { wanted: 5, asked: { id: 'p', at: 1, deadline: 2, soon: true }, last: 7 },
    typed: { sent: 'STARTED', sentAt: 3, keyAt: 4, want: 'STARTED', notBefore: 9 },
    unproven: 'm',
    slept: 60,
    tabs: { ...START.tabs, readTo: 9, told: { sequence: 4, at: 5 } },
    join: { asked: true, times: 2, at: 5, notBefore: 6 },
    requests: {
      stop: { messageId: 'm', sent: true },
      leave: { sent: true },
      decision: { id: 'd', confirmId: 'q', decision: 'confirm', sent: true },
      csat: { ...rated, score: 1 },
      feedback: [{ ...rated, messageId: 'm', rating: 'up' }],
    },
    stalls: 2,
    suggestions: [{ message_text: 'Yes' }],
    handoff: { state: 'live' },
    endRequest: { sent: true, at: 8 },
    log: { ...log, cursor: 3, replayed: 2 },
  }
  const CLOSED: SessionEvent = { type: 'closed', run: 3, code: 1006 }
  const over = { type: 'over', expired: false, reason: 'x', proven: true } as const
  const entered: SessionEvent = { type: 'entered', run: 3, sessionId: 'other', fresh: false }
  const ended: Given = {
    suggestions: [],
    handoff: { state: 'none' },
    endRequest: undefined,
    lostAt: undefined,
    lostLong: false,
    triedAt: undefined,
  }
  const unsaid = {
    stop: { sent: false },
    leave: { sent: false },
    decision: { sent: false },
    csat: { sent: false },
    feedback: [{ sent: false }],
  }
  it.each<[string, Session, SessionEvent, object, Given?]>([
    [
      'as a connection is lost',
      SESSIONS.live,
      CLOSED,
      {
        lostAt: 40,
        typing: undefined,
        endsAt: undefined,
        replay: undefined,
        probe: { wanted: undefined, asked: undefined, last: 7 },
        typed: { sent: 'STOPPED', want: undefined, keyAt: 4 },
        join: { asked: false, times: 2 },
        requests: unsaid,
        log: { replayed: undefined },
      },
    ],
    ['as a connection is lost that was sound', SESSIONS.live, CLOSED, { lostAt: NOW }, { lostAt: undefined }],
    [
      'as a replay shows all',
      SESSIONS.replaying,
      { type: 'replayed', unproven: false },
      {
        stalls: 0,
        lostAt: undefined,
        lostLong: false,
        triedAt: undefined,
        replay: undefined,
        unproven: undefined,
        probe: { wanted: undefined, asked: undefined, last: NOW },
        // The service said nothing of its idle time: the machine may have slept for longer.
        slept: 60,
      },
    ],
    ['as a session ends', SESSIONS.live, over, ended],
    ['as a session expires', SESSIONS.live, { ...over, expired: true }, ended],
    [
      'as a session is left for another one',
      SESSIONS.entering,
      entered,
      {
        sessionId: 'other',
        lostAt: undefined,
        stalls: 0,
        suggestions: [],
        handoff: { state: 'none' },
        endRequest: undefined,
        requests,
        aliveAt: NOW,
        slept: 0,
        endsAt: undefined,
        tabs: { readTo: 0, told: { sequence: 0 } },
        left: new Map([['s', expect.anything()]]),
      },
      { transcript: [MESSAGE] },
    ],
  ])('%s is all that was of it', (_, session, event, expected, more) => {
    const after = step(state(session, { ...USED, ...more }), event, moment())
    expect(flat(after)).toMatchObject(expected)
  })

  it('of a session that was left is what it was asked for last', () => {
    const before = state(SESSIONS.entering, { ...USED, transcript: [MESSAGE] })
    const { conversation } = step(before, entered, moment()).left.get('s') ?? {}
    expect(conversation).toMatchObject({ endRequest: undefined, log: { replayed: undefined } })
    expect(conversation?.handoff).toEqual({ state: 'live' })
  })

  it('once the chat has its connection is since when it tried, and not between two attempts', () => {
    const tried = step(state(SESSIONS.connecting, USED), CLOSED, moment())
    expect([tried.triedAt, tried.lostLong]).toEqual([50, true])
  })
})

describe('a session that is over', () => {
  const { log } = START.conversation
  const sentIn = (session: string) => sent([newItem('m', 'hi', 0, session)], 'm', 0, session, 0)
  const over: SessionEvent = { type: 'over', expired: false, reason: 'x', proven: false }
  it.each<[string, string, Given]>([
    ['once more where a message of it is not confirmed', 'entering', { outbox: sentIn('s') }],
    ['no more for a message of another one', 'ended', { outbox: sentIn('older') }],
    [
      'once more where events are missing',
      'entering',
      { log: { ...log, gap: { after: 1, since: 0, seen: new Set<number>() } } },
    ],
    [
      'once more where a chunk is missing',
      'entering',
      { log: { ...log, missingChunk: { key: 'k', after: 1, since: 0 } } },
    ],
    ['once more where its replay has not ended', 'entering', { log: { ...log, replayed: 0 } }],
    ['no more where nothing is missing', 'ended', {}],
  ])('is asked for %s', (_, name, fields) => {
    expect(step(state(SESSIONS.replaying, fields), over, moment()).session.name).toBe(name)
  })
})

describe('a session that the service does not know', () => {
  it.each<[string, number[]]>([
    ['entering', [NOW - 3, NOW - 2]],
    ['unavailable', [NOW - 3, NOW - 2, NOW - 1]],
    ['entering', [NOW - 60_000, NOW - 2, NOW - 1]],
  ])('is %s after others were made at %j', (name, renewals) => {
    const { session } = step(state(SESSIONS.live, { renewals }), { type: 'unknown' }, moment())
    expect(session.name).toBe(name)
  })
})

describe('a message that is too large for the service', () => {
  const closed: SessionEvent = { type: 'closed', run: 3, code: 1009 }
  it.each<[string, string, Given]>([
    ['fails where it was sent last', 'failed', {}],
    ['is another one, where this was sent over the socket before', 'sent', { unproven: 'm' }],
    [
      'is another one, where the history is not here yet',
      'sent',
      { replay: { asked: undefined, batch: false, frameAt: 0 } },
    ],
  ])('%s', (_, fate, fields) => {
    const outbox = sent([newItem('m', 'hi', 0, 's')], 'm', 0, 's', 0)
    const after = step(state(SESSIONS.live, { outbox, ...fields }), closed, moment())
    expect(after.outbox).toMatchObject([{ id: 'm', state: fate }])
  })
})

describe('a session that is entered', () => {
  const entered = (more: object = {}): SessionEvent => ({ type: 'entered', run: 3, sessionId: 's', ...more })
  it('is one that this tab has not left', () => {
    const before = state(SESSIONS.entering, {
      named: { session: 'other', why: 'lost' },
      past: new Set(['s', 'older']),
    })
    const after = step(before, entered(), moment())
    // What the others have named meanwhile is joined at the next act.
    expect(after.named).toEqual({ session: 'other', why: 'lost' })
    expect(after.past).toEqual(new Set(['older']))
  })
  it('instead of another one leaves that in the past, with the reason that the other tabs gave', () => {
    const before = state(SESSIONS.entering, {
      named: { session: 'other', why: 'restarted' },
      tabs: { ...START.tabs, readTo: 9, told: { sequence: 4, at: 0 } },
    })
    const after = step(before, entered({ sessionId: 'other' }), moment())
    expect(after).toMatchObject({
      sessionId: 'other',
      named: { session: 'other' },
      past: new Set(['s']),
    })
    expect(after.tabs).toMatchObject({ readTo: 0, told: { sequence: 0 } })
  })
})

describe('the reason for which a session was left', () => {
  const reasonIn = ({ transcript }: State) => {
    const divider = transcript.find(({ kind }) => kind === 'divider')
    return divider?.kind === 'divider' ? divider.reason : undefined
  }
  const left = (named: State['named']) =>
    reasonIn(
      step(state(SESSIONS.entering, { named }), { type: 'entered', run: 3, sessionId: 'other' }, moment()),
    )
  it('is the one that the tab has told which left the same session', () => {
    expect(left({ session: 'other', why: 'lost', from: 's' })).toBe('lost')
    // Nothing is shown that a divider could stand below.
    expect(left({ session: 'other', why: 'restarted', from: 's' })).toBeUndefined()
  })
  it('is what this tab knows, where the other one has left another session', () => {
    expect(left({ session: 'other', why: 'restarted', from: 'older' })).toBe('lost')
    expect(left({ session: 'other' })).toBe('lost')
  })
})

describe('a page that was left', () => {
  const waits = newItem('m', 'hi', 0, 's')
  const away = state(
    { name: 'suspended', ...known },
    { outbox: [waits], tabs: { ...START.tabs, away: true } },
  )
  it.each(['open', 'act', 'wake', 'restart'] as const)(
    'is back by %s, and has to claim what waits in it',
    (type) => {
      const { tabs, outbox } = step(away, { type }, moment())
      expect([tabs.away, outbox.map(({ unclaimed }) => unclaimed)]).toEqual([false, [true]])
    },
  )
  it.each(['online', 'offline', 'due', 'taken'] as const)('is still away by %s', (type) => {
    const { tabs, outbox } = step(away, { type, run: 3 }, moment())
    expect([tabs.away, outbox]).toEqual([true, [waits]])
  })
  it('claims nothing anew where it was never left', () => {
    const here = state(SESSIONS.live, { outbox: [waits] })
    expect(step(here, { type: 'wake' }, moment()).outbox).toEqual([waits])
  })
})
