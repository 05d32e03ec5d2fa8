// What the other tabs say, an event at a time: what each changes, and what it leaves alone.

import { describe, expect, it } from 'vitest'
import { newItem, sent } from '../../../src/chat/outbox/items.ts'
import * as others from '../../../src/chat/session/others.ts'
import type { Began, Context, Live } from '../../../src/chat/state/events.ts'
import type { Session } from '../../../src/chat/state/session.ts'
import { initialState, type State } from '../../../src/chat/state/state.ts'
import { MAX_SOCKETS_PER_SESSION } from '../../../src/protocol/index.ts'

const NOW = 1_000_000
const NOW_MOMENT: Context = { now: NOW, wall: 0, random: 0.5, run: 7 }
const known = {
  sessionId: 's',
  run: 3,
  fails: 0,
  refusals: 0,
  waited: 0,
  refusedFor: 0,
  unopened: 0,
  denials: 0,
  crowded: false,
  endReason: undefined,
  joins: false,
  insists: undefined,
}
const LIVE: Session = { name: 'live', since: 0, ...known }
const ELSEWHERE: Session = { name: 'elsewhere', cause: 'replaced', ...known }
const START = initialState(0, { sessionId: 's', shared: true })
const NEVER = Number.NEGATIVE_INFINITY
const LOG = { ...START.log, cursor: 5, readable: 5 }
/** A live session, read up to 5. */
const state = (more: Partial<State> = {}, tabs: Partial<State['tabs']> = {}): State => ({
  ...START,
  session: LIVE,
  log: LOG,
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
    others.read(before, { type: 'read', session, sequence }, NOW_MOMENT)
  const unread = state({ unread: 2 }, { readTo: 3 })
  it('is not unread here, where this tab has no more', () => {
    expect(read(unread, 5)).toEqual({ ...change(unread, { readTo: 5, liveAt: NOW }), unread: 0 })
  })
  it('leaves what this tab has beyond it unread', () => {
    expect(read(unread, 4)).toEqual(change(unread, { readTo: 4, liveAt: NOW }))
  })
  it('is never less than was read before', () => {
    expect(read(unread, 2).tabs.readTo).toBe(3)
  })
  it('may be what this tab lacks: it is behind since now', () => {
    expect(read(unread, 7)).toEqual({
      ...change(unread, { readTo: 7, liveAt: NOW, missing: { sequence: 7, since: NOW } }),
      unread: 0,
    })
  })
  it('changes nothing where it is of another session', () => {
    expect(read(unread, 9, 'other')).toBe(unread)
  })
})

const tab = (more: Partial<Live> = {}): Live => ({
  from: 'm',
  session: 's',
  sequence: 5,
  hiddenAt: undefined,
  idleFor: 1_000_000_000,
  isReady: true,
  ...more,
})

describe('another tab that is connected', () => {
  const live = (before: State, more: Partial<Live> = {}, began: Began = 'no') =>
    others.live(before, { type: 'live', live: tab(more), began }, NOW_MOMENT)
  it('is heard of', () => {
    expect(live(state())).toEqual(state({}, { liveAt: NOW }))
  })
  it('changes nothing where it is in another session', () => {
    const before = state()
    expect(live(before, { session: 'other', sequence: 9 }, 'yes')).toBe(before)
  })
  it('may know of something that somebody did later than this tab knows', () => {
    const before = { ...state(), activeAt: NOW - 100_000, slept: 10_000 }
    expect(live(before, { idleFor: 20_000 })).toMatchObject({ activeAt: NOW - 20_000, slept: 0 })
    expect(live(before, { idleFor: 110_000 })).toMatchObject({ activeAt: NOW - 100_000, slept: 10_000 })
  })
  it('may have what this tab lacks: this one is behind, since it first lacked something', () => {
    const behind = (before: State, sequence: number) => live(before, { sequence }).tabs.missing
    expect(behind(state(), 6)).toEqual({ sequence: 6, since: NOW })
    expect(behind(state(), 5)).toBeUndefined()
    const first = { sequence: 6, since: 1 }
    expect(behind(state({}, { missing: first }), 8)).toBe(first)
    // That one has come meanwhile.
    expect(behind(state({}, { missing: { sequence: 5, since: 1 } }), 8)).toEqual({ sequence: 8, since: NOW })
  })
  it('may have begun as the service closed the socket of this one, which is noted', () => {
    const cut = state({}, { cutAt: NOW - 5_000 })
    expect(live(cut, {}, 'yes').tabs).toMatchObject({ beganAt: NOW, replacedAt: [NEVER, NOW - 5_000] })
    expect(live(cut, {}, 'insists').tabs.replacedAt).toEqual([NOW - 5_000, NOW - 5_000])
    expect(live(cut).tabs).toMatchObject({ beganAt: NEVER, replacedAt: [] })
    expect(live(state({}, { cutAt: NOW - 5_001 }), {}, 'yes').tabs).toMatchObject({ replacedAt: [] })
  })
})

describe('the answers of the others', () => {
  const answered = (before: State, ...live: Live[]) =>
    others.answered(before, { type: 'answered', live, id: 'me' }, NOW_MOMENT)
  const asking = { asking: true }

  describe('to a tab without a socket', () => {
    const without = state({ session: ELSEWHERE }, asking)
    it('leave it where it is while one is connected', () => {
      expect(answered(without, tab({ hiddenAt: 0 }))).toEqual(change(without, { asking: false }))
    })
    it('bring it back where words wait in it, to take the socket in turn with the other tab', () => {
      const outbox = [newItem('a', 'hi', 0, 's')]
      expect(answered({ ...without, outbox }, tab()).session.name).toBe('entering')
      const failed = [{ ...newItem('a', 'hi', 0, 's'), state: 'failed' as const }]
      expect(answered({ ...without, outbox: failed }, tab()).session.name).toBe('elsewhere')
    })
    it('bring it back where the session has fewer sockets than it takes: one more refusal proves that it has not', () => {
      const full = { ...without, session: { ...ELSEWHERE, cause: 'full' as const } }
      const live = (count: number) => Array.from({ length: count }, (_, at) => tab({ from: `${at}` }))
      const most = MAX_SOCKETS_PER_SESSION
      expect(answered(full, ...live(most)).session).toBe(full.session)
      expect(answered(full, ...live(most), tab({ session: 'other' })).session).toBe(full.session)
      expect(answered(full, ...live(most - 1)).session).toMatchObject({ name: 'entering', refusals: 2 })
    })
    it.each<[string, Live[]]>([
      ['nobody is connected', []],
      ['others are connected to another session only', [tab({ session: 'other' })]],
    ])('bring it back where %s', (_, live) => {
      const after = answered(without, ...live)
      expect(after.session).toMatchObject({
        name: 'entering',
        sessionId: 's',
        joins: false,
        insists: undefined,
      })
      expect(after.tabs.asking).toBe(false)
    })
    it('leave it where it is if one is connected to any session, and it has none', () => {
      const sessionless = {
        ...without,
        session: { ...ELSEWHERE, sessionId: undefined },
        sessionId: undefined,
      }
      expect(answered(sessionless, tab({ session: 'other' })).session.name).toBe('elsewhere')
      expect(answered(sessionless).session.name).toBe('entering')
    })
  })

  describe('to a live tab that has been hidden for 6 minutes', () => {
    const HIDDEN = NOW - 360_000
    const hidden = state({ visible: false }, { ...asking, hiddenAt: HIDDEN })
    it.each<[string, Partial<Live>, boolean]>([
      ['a visible one', {}, true],
      ['a visible one that has not read the replay yet', { isReady: false }, false],
      ['one that was seen more than a second later', { hiddenAt: HIDDEN + 1_001 }, true],
      [
        'one that was hidden together with it, and comes first by its id',
        { hiddenAt: HIDDEN + 1_000, from: 'a' },
        true,
      ],
      [
        'one that was hidden together with it, and comes last by its id',
        { hiddenAt: HIDDEN + 1_000, from: 'z' },
        false,
      ],
      [
        'one that was hidden just before it, and comes first by its id',
        { hiddenAt: HIDDEN - 1_000, from: 'a' },
        true,
      ],
      ['one that was seen more than a second earlier', { hiddenAt: HIDDEN - 1_001, from: 'a' }, false],
      ['a visible one of another session', { session: 'other' }, false],
    ])('%s takes its place: %s', (_, more, yields) => {
      const after = answered(hidden, tab({ hiddenAt: HIDDEN - 2_000 }), tab(more))
      expect(after.tabs.asking).toBe(false)
      expect(after.session).toMatchObject(yields ? { name: 'elsewhere', cause: 'hidden' } : LIVE)
    })
    it.each<[string, Partial<State>]>([
      ['waits for a person', { handoff: { state: 'pending' } }],
      ['talks to a person', { handoff: { state: 'live' } }],
      ['ends the session', { endRequest: { sent: true, at: 0 } }],
      ['has words that are not confirmed', { outbox: [newItem('a', 'hi', 0, 's')] }],
      ['has asked for something', { requests: { ...START.requests, leave: { sent: true } } }],
    ])('nobody takes the place of one that %s', (_, more) => {
      expect(answered({ ...hidden, ...more }, tab()).session).toBe(LIVE)
    })
    it('a failed message keeps no socket', () => {
      const outbox = [{ ...newItem('a', 'hi', 0, 's'), state: 'failed' as const }]
      expect(answered({ ...hidden, outbox }, tab()).session.name).toBe('elsewhere')
    })
  })

  it('show a live tab that the service closes neither of two sockets', () => {
    const replaced = state({}, { ...asking, replacedAt: [NOW - 9_000, NOW - 1_000] })
    expect(answered(replaced, tab()).tabs.replacedAt).toEqual([])
    expect(answered(replaced).tabs.replacedAt).toEqual([NOW - 9_000, NOW - 1_000])
    expect(answered(replaced, tab({ session: 'other' })).tabs.replacedAt).toHaveLength(2)
  })
  it('change nothing for a tab that is seen again, or not connected', () => {
    const seen = state({}, asking)
    expect(answered(seen, tab())).toEqual(change(seen, { asking: false }))
    const entering = state({ session: { name: 'entering', ...known } }, { ...asking, hiddenAt: 0 })
    expect(answered(entering, tab()).session).toBe(entering.session)
  })
})

describe('a tab that is asked for its socket', () => {
  const give = (before: State) => others.give(before, { type: 'give' }, NOW_MOMENT)
  it('gives it, and comes back by itself only where nobody sees it', () => {
    expect(give(state()).session).toMatchObject({ name: 'elsewhere', cause: 'full', sessionId: 's' })
    expect(give(state({ visible: false })).session).toMatchObject({ name: 'elsewhere', cause: 'hidden' })
  })
  it('keeps it while an echo is to come', () => {
    const before = state({ outbox: sent([newItem('a', 'hi', 0, 's')], 'a', NOW, 's', 5) })
    expect(give(before)).toBe(before)
    expect(give(state({ outbox: [newItem('a', 'hi', 0, 's')] })).session.name).toBe('elsewhere')
  })
  it('has nothing to give while it is not live', () => {
    for (const session of [{ name: 'replaying', ...known } as Session, ELSEWHERE]) {
      const before = state({ session })
      expect(give(before)).toBe(before)
    }
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
