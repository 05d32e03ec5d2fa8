// The session table by itself: what follows from each event, without a clock, a socket or a service.

import { describe, expect, it } from 'vitest'
import { backoff, type Facts, next, type Session, type SessionEvent } from '../../src/chat/session.ts'

const facts = (more: Partial<Facts> = {}): Facts => ({
  now: 100_000,
  random: 0.5,
  run: 7,
  visible: true,
  mostAttempts: Number.POSITIVE_INFINITY,
  mayRenew: true,
  rested: false,
  queued: false,
  sent: false,
  hole: false,
  ...more,
})
const tally = { fails: 0, refusals: 0, unopened: 0, verdict: undefined }
const live: Session = { name: 'live', sessionId: 's', run: 3, since: 90_000, ...tally }
const connecting: Session = { name: 'connecting', sessionId: 's', run: 3, last: false, ...tally }
const closed = (code = 1006, more: object = {}): SessionEvent => ({ type: 'closed', run: 3, code, ...more })
const ended: SessionEvent = { type: 'over', expired: false, reason: 'REASON_NATURAL_END', proven: false }
const expired: SessionEvent = { ...ended, expired: true, reason: 'REASON_USER_ABANDONED' }

describe('a connection that closes', () => {
  it('is made anew after a wait, with no failure counted where it lasted for 5 s', () => {
    expect(next(live, closed(), facts())).toMatchObject({ name: 'waiting', fails: 0, until: 100_500 })
    expect(next({ ...live, since: 99_000 }, closed(), facts())).toMatchObject({ name: 'waiting', fails: 1 })
  })
  it('by the client itself is made anew at once, and counts as no failure however short it was', () => {
    expect(next({ ...live, since: 99_999 }, closed(4002, { own: true }), facts())).toMatchObject({
      name: 'entering',
      fails: 0,
      sessionId: 's',
    })
  })
  it.each([1001, 1011, 1012, 1013])(
    'with %i is spread over 5 s the first time, then waits like any other',
    (code) => {
      expect(next(live, closed(code), facts({ random: 0.9 }))).toMatchObject({ until: 104_500 })
      expect(next({ ...live, since: 99_999, fails: 3 }, closed(code), facts())).toMatchObject({
        until: 104_000,
      })
    },
  )
  it('of another attempt changes nothing', () => {
    expect(next(live, { type: 'closed', run: 2, code: 4001 }, facts())).toBe(live)
  })
})

describe('a session that cannot be asked any more', () => {
  it.each<[string, Session, SessionEvent]>([
    ['4001', live, closed(4001)],
    ['the service’s word', live, { type: 'unknown' }],
    ['a last refusal', { ...connecting, last: true }, closed()],
  ])(
    'by %s is replaced, or over where it had rested, or given up where there were too many',
    (_, from, event) => {
      expect(next(from, event, facts())).toMatchObject({ name: 'entering', sessionId: undefined })
      expect(next(from, event, facts({ rested: true }))).toMatchObject({ name: 'expired' })
      expect(next(from, event, facts({ rested: true, queued: true }))).toMatchObject({ name: 'entering' })
      expect(next(from, event, facts({ mayRenew: false }))).toMatchObject({
        name: 'unavailable',
        cause: 'gave-up',
      })
      expect(next({ ...from, unopened: 3 } as Session, event, facts())).toMatchObject({ name: 'unavailable' })
    },
  )
  it('is not replaced by a refusal that is not the last', () => {
    expect(next({ ...connecting, refusals: 9 }, closed(), facts())).toMatchObject({
      name: 'waiting',
      refusals: 10,
    })
  })
})

describe('a session that is over', () => {
  it('is asked once more where a message is unconfirmed, and not twice', () => {
    const asked = next(live, expired, facts({ sent: true }))
    expect(asked).toMatchObject({ name: 'entering', sessionId: 's', verdict: { expired: true } })
    const replaying = {
      name: 'replaying' as const,
      sessionId: 's',
      run: 3,
      ...tally,
      verdict: { expired: true, reason: 'x' },
    }
    expect(next(replaying, { type: 'replayed' }, facts())).toMatchObject({ name: 'expired' })
    expect(next(replaying, { type: 'replayed' }, facts({ sent: true }))).toMatchObject({
      name: 'entering',
      sessionId: undefined,
    })
    expect(next({ ...replaying, fails: 2 }, closed(), facts({ sent: true }))).toMatchObject({
      name: 'expired',
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
  })
  it('by inactivity is made anew by an act and not by opening or a look', () => {
    const over: Session = { name: 'expired', run: 1 }
    for (const type of ['open', 'wake', 'online', 'due'] as const)
      expect(next(over, { type }, facts())).toBe(over)
    expect(next(over, { type: 'act' }, facts())).toMatchObject({ name: 'entering', sessionId: undefined })
  })
})

describe('the waits', () => {
  it('are spread over 1, 2, 4, 8 and 15 s, then keep to the upper half, longer while hidden', () => {
    expect([0, 1, 2, 3, 4].map((fails) => backoff(fails, 1))).toEqual([1_000, 2_000, 4_000, 8_000, 15_000])
    expect([backoff(9, 0), backoff(9, 1), backoff(9, 0, false), backoff(9, 1, false)]).toEqual([
      7_500, 15_000, 15_000, 30_000,
    ])
  })
  it('bring at most a tenth of a crowd back in any second, once the outage lasts for 30 s', () => {
    const clients = 10_000
    for (const outage of [30, 45, 60, 120]) {
      const back = new Array<number>(16).fill(0)
      for (let client = 0; client < clients; client++) {
        let at = 0
        for (let fails = 0; at < outage * 1_000; fails++) at += backoff(fails, Math.random())
        const second = Math.floor(at / 1_000 - outage)
        back[second] = (back[second] ?? 0) + 1
      }
      expect(Math.max(...back)).toBeLessThan(clients / 10)
      expect(back.reduce((sum, count) => sum + count, 0)).toBe(clients)
      expect(back[15]).toBeLessThan(2)
    }
  })
})
