// What the other tabs say, an event at a time: what each changes, and what it leaves alone.

import { describe, expect, it } from 'vitest'
import { newItem } from '../../../src/chat/outbox/items.ts'
import * as others from '../../../src/chat/session/others.ts'
import type { Context } from '../../../src/chat/state/events.ts'
import type { Session } from '../../../src/chat/state/session.ts'
import { initialState, type State } from '../../../src/chat/state/state.ts'
import { UNTRIED } from '../given.ts'

const NOW = 1_000_000
const NOW_MOMENT: Context = { now: NOW, wall: 0, random: 0.5, run: 7 }
const known = {
  sessionId: 's',
  run: 3,
  ...UNTRIED,
}
const LIVE: Session = { name: 'live', since: 0, ...known }
const START = initialState(0, { sessionId: 's', shared: true })
const LOG = { ...START.conversation.log, cursor: 5, readable: 5 }
/** A live session, read up to 5. */
const state = (more: Partial<State> = {}, tabs: Partial<State['tabs']> = {}): State => ({
  ...START,
  session: LIVE,
  conversation: { ...START.conversation, log: LOG },
  ...more,
  tabs: { ...START.tabs, ...tabs },
})
const change = (before: State, tabs: Partial<State['tabs']>) => ({
  ...before,
  tabs: { ...before.tabs, ...tabs },
})

describe('the session that another tab names', () => {
  const named = (before: State['named'], session: string, why?: 'lost' | 'expired') =>
    others.named(state({ named: before }), { type: 'named', session, why, from: why && 's' }).named
  it('is the one in which the tabs go on, with the reason that was given', () => {
    expect(named(undefined, 'other')).toEqual({ session: 'other' })
    expect(named({ session: 's', why: undefined }, 'other', 'lost')).toEqual({
      session: 'other',
      why: 'lost',
      from: 's',
    })
  })
  it('gets a reason from whoever knows one, and loses none to whoever does not', () => {
    expect(named({ session: 'other' }, 'other', 'expired')?.why).toBe('expired')
    expect(named({ session: 'other', why: 'lost' }, 'other', 'expired')?.why).toBe('expired')
    expect(named({ session: 'other', why: 'lost' }, 'other')?.why).toBe('lost')
  })
  it('changes nothing where it is known', () => {
    const before = state({ named: { session: 'other', why: 'lost' } })
    expect(others.named(before, { type: 'named', session: 'other' })).toBe(before)
  })
})

describe('a visitor who is active in another tab', () => {
  const there = (more: Partial<State>, idleFor: number) =>
    others.activeElsewhere(state(more), { type: 'active', idleFor }, NOW_MOMENT)
  it('is active here since then, and warned no more', () => {
    const warned = { activeAt: 5, slept: 3, endsAt: { at: 9, wall: 9 } }
    expect(there(warned, 2_000)).toMatchObject({ activeAt: NOW - 2_000, slept: 0, endsAt: undefined })
  })
  it('was active here later, which counts, without the sleep of the machine', () => {
    expect(there({ activeAt: NOW - 500 }, 2_000).activeAt).toBe(NOW - 500)
    expect(there({ activeAt: NOW - 500, slept: 1_000 }, 2_000).activeAt).toBe(NOW - 1_500)
    expect(there({ activeAt: NOW - 500, slept: 9_000 }, 2_000).activeAt).toBe(NOW - 2_000)
  })
})

describe('what was read in another tab', () => {
  const read = (before: State, sequence: number, session = 's') =>
    others.read(before, { type: 'read', session, sequence })
  const unread = state({ unread: 2 }, { readTo: 3 })
  it('is not unread here, where this tab has no more', () => {
    expect(read(unread, 5)).toEqual({ ...change(unread, { readTo: 5 }), unread: 0 })
  })
  it('leaves what this tab has beyond it unread', () => {
    expect(read(unread, 4)).toEqual(change(unread, { readTo: 4 }))
  })
  it('is never less than was read before', () => {
    expect(read(unread, 2).tabs.readTo).toBe(3)
  })
  it('may be what this tab lacks, which is not unread when it comes', () => {
    expect(read(unread, 7)).toEqual({ ...change(unread, { readTo: 7 }), unread: 0 })
  })
  it('changes nothing where it is of another session', () => {
    expect(read(unread, 9, 'other')).toBe(unread)
  })
})

describe('a message that another page may have too', () => {
  const item = (id: string, more: object = { unclaimed: true }) => ({ ...newItem(id, 'hi', 0, 's'), ...more })
  const before = state({ outbox: [item('p'), item('q'), item('new', {})] })
  it('is this page’s once it has the lock, and no other with it', () => {
    expect(others.claimed(before, { type: 'claimed', id: 'p' })).toEqual({
      ...before,
      outbox: [item('p', {}), item('q'), item('new', {})],
    })
  })
  it('is dropped where another page has the lock, and no other with it', () => {
    expect(others.copied(before, { type: 'copied', id: 'p' })).toEqual({
      ...before,
      outbox: [item('q'), item('new', {})],
    })
  })
})
