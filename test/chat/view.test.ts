// What the states of the session table look like from outside: one status, and at most one notice.

import { signal } from '@preact/signals-core'
import { describe, expect, it } from 'vitest'
import type { ChatStatus, Notice } from '../../src/chat/index.ts'
import { initialState, type State } from '../../src/chat/state/state.ts'
import { createView, publicEventsOf } from '../../src/chat/view.ts'
import { UNTRIED } from './given.ts'

type Session = State['session']
const known = { sessionId: 's', run: 1, ...UNTRIED }
const SESSIONS: { readonly [N in Session['name']]: Extract<Session, { name: N }> } = {
  idle: { name: 'idle', sessionId: 's' },
  entering: { name: 'entering', ...known },
  connecting: { name: 'connecting', ...known },
  replaying: { name: 'replaying', ...known },
  live: { name: 'live', since: 0, ...known },
  waiting: { name: 'waiting', since: 0, until: 9, earliest: 0, ...known },
  offline: { name: 'offline', ...known },
  suspended: { name: 'suspended', ...known },
  expired: { name: 'expired', run: 1 },
  ended: { name: 'ended', run: 1, reason: 'REASON_NATURAL_END' },
  unavailable: { name: 'unavailable', cause: 'refused', at: 0, ...known },
  disposed: { name: 'disposed' },
}
const state = (session: Session, more: Partial<State> = {}): State => ({
  ...initialState(0, { sessionId: 's' }),
  session,
  ...more,
})
const view = (session: Session, more: Partial<State> = {}) => createView(signal(state(session, more)))

describe('the status', () => {
  it.each<[Session['name'], ChatStatus, ChatStatus]>([
    ['idle', 'idle', 'idle'],
    ['entering', 'connecting', 'reconnecting'],
    ['connecting', 'connecting', 'reconnecting'],
    ['replaying', 'connecting', 'reconnecting'],
    ['waiting', 'connecting', 'reconnecting'],
    ['suspended', 'connecting', 'reconnecting'],
    ['live', 'live', 'live'],
    ['offline', 'offline', 'offline'],
    ['expired', 'expired', 'expired'],
    ['ended', 'ended', 'ended'],
    ['unavailable', 'unavailable', 'unavailable'],
    ['disposed', 'idle', 'idle'],
  ])('of %s is %s before the page was ever connected, and %s after', (name, before, after) => {
    expect(view(SESSIONS[name]).status.value).toBe(before)
    expect(view(SESSIONS[name], { everLive: true }).status.value).toBe(after)
  })
  it('of a new session is a first connection, whatever was before it', () => {
    const entering: Session = { ...SESSIONS.entering, sessionId: undefined }
    expect(view(entering, { everLive: true, sessionId: undefined }).status.value).toBe('connecting')
  })
})

it.each(Object.values(SESSIONS))(
  'a replay arrives in the state replaying, and in no other: $name',
  (session) => {
    expect(view(session).replaying.value).toBe(session.name === 'replaying')
  },
)

describe('the notice', () => {
  const endsAt = { at: 60_000, wall: 1_060_000 }
  it.each<[string, Session, Partial<State>, Notice | undefined]>([
    ['of a live chat is none', SESSIONS.live, {}, undefined],
    [
      'of a chat that ends soon says when',
      SESSIONS.live,
      { endsAt },
      { kind: 'idle-warning', endsAt: 1_060_000 },
    ],
    ['says nothing of an end while not connected', SESSIONS.waiting, { endsAt }, undefined],
    ['of a short interruption is none', SESSIONS.waiting, { lostAt: 5, everLive: true }, undefined],
    [
      'of a longer interruption is that the chat reconnects, in whatever step',
      SESSIONS.replaying,
      { lostAt: 5, lostLong: true, everLive: true },
      { kind: 'reconnecting' },
    ],
    [
      'of a first connection is none, however often it failed',
      { ...SESSIONS.waiting, fails: 5 },
      {},
      undefined,
    ],
    [
      'of a first connection that takes long says so, while it waits',
      { ...SESSIONS.waiting, fails: 2 },
      { lostLong: true },
      { kind: 'reconnecting' },
    ],
    [
      'of a first connection that takes long says so, while an attempt is under way',
      SESSIONS.entering,
      { lostLong: true },
      { kind: 'reconnecting' },
    ],
    [
      'of an interruption that failed often, and is short, is none',
      { ...SESSIONS.waiting, fails: 2 },
      { lostAt: 5, everLive: true },
      undefined,
    ],
    [
      'of a service that asks for a wait is that it is busy',
      { ...SESSIONS.waiting, busy: true },
      {},
      { kind: 'busy' },
    ],
    [
      'of a busy service comes before the one of a chat that reconnects',
      { ...SESSIONS.waiting, busy: true },
      { lostAt: 5, lostLong: true },
      { kind: 'busy' },
    ],
    [
      'of a page without a network says so',
      SESSIONS.offline,
      { lostLong: true, lostAt: 5 },
      { kind: 'offline' },
    ],
    ...(['entering', 'connecting', 'replaying', 'waiting', 'suspended'] as const).map(
      (name): [string, Session, Partial<State>, Notice | undefined] => [
        `of a page without a network says so, though the page tries all the same: ${name}`,
        { ...SESSIONS[name], busy: true } as Session,
        { lostLong: true, lostAt: 5, online: false },
        { kind: 'offline' },
      ],
    ),
    [
      'of a page that is connected, whatever the browser says, is none',
      SESSIONS.live,
      { online: false },
      undefined,
    ],
    [
      'of a refusal says who',
      SESSIONS.unavailable,
      { lostLong: true },
      { kind: 'unavailable', cause: 'refused' },
    ],
    [
      'of a chat that was given up says so',
      { ...SESSIONS.unavailable, cause: 'gave-up' },
      {},
      { kind: 'unavailable', cause: 'gave-up' },
    ],
    ['of a chat that is over is none', SESSIONS.expired, { endsAt }, undefined],
  ])('%s', (_, session, more, notice) => {
    expect(view(session, more).notice.value).toEqual(notice)
  })
})

describe('a change', () => {
  it('tells the end once, with its reason', () => {
    const ends = (before: Session, after: Session) =>
      publicEventsOf(state(before), state(after)).filter(({ type }) => type === 'end')
    expect(ends(SESSIONS.live, SESSIONS.ended)).toEqual([
      { type: 'end', detail: { reason: 'REASON_NATURAL_END' } },
    ])
    expect(ends(SESSIONS.live, SESSIONS.expired)).toEqual([
      { type: 'end', detail: { reason: 'REASON_USER_ABANDONED' } },
    ])
    expect(ends(SESSIONS.ended, { ...SESSIONS.ended, run: 2 })).toEqual([])
    expect(ends(SESSIONS.expired, { ...SESSIONS.expired, run: 2 })).toEqual([])
  })
  it('tells how many messages are unread each time the number changes, and only then', () => {
    const unread = (before: number, after: number) =>
      publicEventsOf(
        state(SESSIONS.live, { unread: before }),
        state(SESSIONS.live, { unread: after }),
      ).filter(({ type }) => type === 'unread')
    expect(unread(0, 2)).toEqual([{ type: 'unread', detail: { count: 2 } }])
    expect(unread(2, 0)).toEqual([{ type: 'unread', detail: { count: 0 } }])
    expect(unread(2, 2)).toEqual([])
  })
  it('tells each message whose state is another one, and no other', () => {
    const item = (id: string, to: 'queued' | 'sent') =>
      ({ id, text: 'x', at: 0, state: to, session: 's', tries: 0, after: 0, echoBy: 0 }) as const
    const before = state(SESSIONS.live, { outbox: [item('a', 'queued'), item('b', 'queued')] })
    const after = { ...before, outbox: [item('a', 'sent'), item('b', 'queued'), item('c', 'queued')] }
    expect(publicEventsOf(before, after)).toEqual([
      { type: 'delivery', detail: { message_id: 'a', state: 'sent' } },
      { type: 'delivery', detail: { message_id: 'c', state: 'queued' } },
    ])
  })
})
