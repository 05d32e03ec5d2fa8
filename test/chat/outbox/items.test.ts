// The outbox by itself: what is taken, what is sent when, and what becomes of it once a session is over.

import { describe, expect, it } from 'vitest'
import * as outbox from '../../../src/chat/outbox/items.ts'
import type { OutboxRecord } from '../../../src/chat/state/state.ts'

type Item = OutboxRecord
const item = (id: string, more: Partial<Item> = {}): Item => ({
  ...outbox.newItem(id, `text of ${id}`, 5, 's'),
  ...more,
})
const queued = item('q')
const onTheWay = item('w', { state: 'sent', tries: 1, after: 7, echoBy: 10_000 })
const failed = item('f', { state: 'failed', tries: 2 })
const unconfirmed = item('u', { state: 'unconfirmed', tries: 1 })
const held = item('h', { state: 'held' })
const all = [queued, onTheWay, failed, unconfirmed, held]
const states = (box: readonly Item[]) => Object.fromEntries(box.map(({ id, state }) => [id, state]))

describe('a message', () => {
  it('begins as waiting, in the session it was written for, never sent', () => {
    expect(outbox.newItem('a', 'hi', 5, undefined)).toEqual({
      id: 'a',
      text: 'hi',
      at: 5,
      session: undefined,
      state: 'queued',
      tries: 0,
      after: 0,
      echoBy: 0,
    })
  })
  it('goes over the wire with its id under both names', () => {
    expect(outbox.messageFrame('a', 'hi')).toEqual({
      type: 'EVENT_TYPE_USER_MESSAGE',
      payload: { text: 'hi' },
      metadata: { custom: { client_event_id: 'a', local_id: 'a' } },
    })
  })
  it('that was sent knows where, how often, what was known then, and waits 10 s for its echo', () => {
    const [first] = outbox.sent([queued], 'q', 1_000, 'other', 7)
    expect(first).toMatchObject({ state: 'sent', session: 'other', tries: 1, after: 7, echoBy: 11_000 })
    const [second] = outbox.sent(first ? [first] : [], 'q', 2_000, 's', 9)
    expect(second).toMatchObject({ tries: 2, after: 9, echoBy: 12_000 })
  })
})

describe('a text', () => {
  const bytes = (id: string, text: string) =>
    new TextEncoder().encode(JSON.stringify(outbox.messageFrame(id, text))).length
  it('is not taken where there is nothing in it', () => {
    expect(outbox.refusalOf([], 'a', '', 1_000)).toEqual({ reason: 'empty' })
  })
  it.each([
    ['letters', 'a'],
    ['letters of two bytes', 'é'],
    ['characters that JSON writes as two', '"'],
    ['characters of four bytes', '👋'],
  ])('is taken up to the very byte of the largest frame, and not one more: %s', (_, unit) => {
    const most = bytes('id', unit.repeat(50))
    expect(outbox.refusalOf([], 'id', unit.repeat(50), most)).toBeUndefined()
    const refusal = outbox.refusalOf([], 'id', unit.repeat(51), most)
    const each = bytes('id', unit) - bytes('id', '')
    expect(refusal).toEqual({ reason: 'too-long', bytes: 51 * each, limit: 50 * each })
  })
  it('is not taken where 50 messages wait, whatever became of them', () => {
    const box = Array.from({ length: 49 }, (_, index) => item(`${index}`, { state: 'failed' }))
    expect(outbox.refusalOf(box, 'a', 'hi', 1_000)).toBeUndefined()
    expect(outbox.refusalOf([...box, queued], 'a', 'hi', 1_000)).toEqual({ reason: 'full' })
  })
  it('is not taken where 256 KiB wait, counted as they are stored', () => {
    const held = [item('a', { text: 'x'.repeat(100_000) }), item('b', { text: '"'.repeat(50_000) })]
    const most = 1_000_000
    // Texts between quotes, and 256 bytes for each item.
    const left = 262_144 - (100_002 + 256) - (100_002 + 256) - 256
    expect(outbox.refusalOf(held, 'c', 'x'.repeat(left), most)).toBeUndefined()
    expect(outbox.refusalOf(held, 'c', 'x'.repeat(left + 1), most)).toEqual({ reason: 'full' })
  })
  it('too long for a frame is said to be so, whatever else is wrong', () => {
    const box = Array.from({ length: 50 }, (_, index) => item(`${index}`))
    expect(outbox.refusalOf(box, 'a', 'x'.repeat(2_000), 1_000)).toMatchObject({ reason: 'too-long' })
  })
})

describe('the head', () => {
  it.each<[string, Item[], Item | undefined]>([
    ['the first that waits', [queued, item('r')], queued],
    ['nothing while one is on its way', [onTheWay, queued], undefined],
    ['nothing while the site is asked about one before it', [held, queued], undefined],
    ['what waits before one that the site is asked about', [failed, queued, held], queued],
    ['what waits behind those that are given up', [failed, unconfirmed, queued], queued],
    ['what waits before one that is on its way', [queued, onTheWay], queued],
    [
      'what waits behind one that was held in a session before',
      [item('o', { session: 'r', state: 'held' }), queued],
      queued,
    ],
    ['nothing that was written for another session', [item('o', { session: 'r' })], undefined],
    ['nothing where nothing waits', [failed, unconfirmed], undefined],
    ['nothing where there is nothing', [], undefined],
  ])('is %s', (_, box, expected) => expect(outbox.head(box, 's')).toBe(expected))

  it('waits, for the site too, or is on its way; what is given up does neither', () => {
    expect(all.map(outbox.isWaiting)).toEqual([true, true, false, false, true])
    expect(all.map(outbox.isSent)).toEqual([false, true, false, false, false])
  })
})

/** What each happening makes of an item in each state. */
const MOVES: [string, (box: readonly Item[]) => readonly Item[], Record<string, string>][] = [
  [
    'a replay that does not show it',
    outbox.missing,
    { q: 'queued', w: 'queued', f: 'failed', u: 'unconfirmed', h: 'held' },
  ],
  [
    'a replay that proves nothing',
    outbox.doubtful,
    { q: 'queued', w: 'unconfirmed', f: 'failed', u: 'unconfirmed', h: 'held' },
  ],
  [
    'inactivity, with proof',
    (box) => outbox.settled(box, 's', true, true),
    { q: 'queued', w: 'queued', f: 'failed', u: 'unconfirmed', h: 'held' },
  ],
  [
    'inactivity, without proof',
    (box) => outbox.settled(box, 's', true, false),
    { q: 'queued', w: 'unconfirmed', f: 'failed', u: 'unconfirmed', h: 'held' },
  ],
  [
    'an end, with proof',
    (box) => outbox.settled(box, 's', false, true),
    { q: 'failed', w: 'failed', f: 'failed', u: 'unconfirmed', h: 'held' },
  ],
  [
    'an end, without proof',
    (box) => outbox.settled(box, 's', false, false),
    { q: 'failed', w: 'unconfirmed', f: 'failed', u: 'unconfirmed', h: 'held' },
  ],
  [
    'a page of the same session',
    (box) => outbox.adopted(box, 's'),
    { q: 'queued', w: 'sent', f: 'failed', u: 'unconfirmed', h: 'held' },
  ],
  [
    'a page of another session',
    (box) => outbox.adopted(box, 'other'),
    { q: 'failed', w: 'unconfirmed', f: 'failed', u: 'unconfirmed', h: 'held' },
  ],
]

describe('an item of each state', () => {
  it.each(MOVES)('has the state of the table after %s', (_, move, expected) => {
    expect(states(move(all))).toEqual(expected)
  })
  it('that was sent once goes into no other session without proof, though a replay did not show it', () => {
    const again = item('a', { tries: 1 })
    expect(states(outbox.settled([again], 's', true, false))).toEqual({ a: 'unconfirmed' })
    expect(states(outbox.settled([again], 's', true, true))).toEqual({ a: 'queued' })
  })
  it.each(MOVES)('stays the same value where nothing changes: after %s', (_, move) => {
    const rest = [failed, unconfirmed]
    expect(move(rest)).toBe(rest)
    const [, , left] = move(all)
    expect(left).toBe(failed)
  })
})

describe('what the site is asked about', () => {
  it('waits for its turn once that is allowed, and is not sent where its session is not that of now', () => {
    expect(states(outbox.released(all, 'h', true))).toEqual({ ...states(all), h: 'queued' })
    expect(states(outbox.released(all, 'h', false))).toEqual({ ...states(all), h: 'failed' })
  })
  it.each(['q', 'w', 'f', 'u', 'nobody'])(
    'is nothing that does not wait for its answer, and nothing that is not there: %s',
    (id) => {
      expect(outbox.released(all, id, true)).toBe(all)
    },
  )
  it('keeps its session, except that inactivity takes it from there into the next', () => {
    const sessionOf = (box: readonly Item[]) => box.map(({ session }) => session)
    expect(sessionOf(outbox.adopted([held], 'other'))).toEqual(['s'])
    expect(sessionOf(outbox.settled([held], 's', false, true))).toEqual(['s'])
    expect(sessionOf(outbox.settled([held], 's', true, true))).toEqual([undefined])
    expect(sessionOf(outbox.settled([held], 'other', true, true))).toEqual(['s'])
  })
  it('waits for its turn where the site is asked no more, and nothing else changes', () => {
    expect(outbox.unheld(held)).toEqual({ ...held, state: 'queued' })
    for (const each of [queued, onTheWay, failed, unconfirmed]) expect(outbox.unheld(each)).toBe(each)
  })
})

describe('what goes into the next session', () => {
  it('belongs to none yet, and is as good as new', () => {
    expect(outbox.settled([queued, onTheWay], 's', true, true)).toMatchObject([
      { session: undefined, tries: 0 },
      { session: undefined, tries: 0 },
    ])
  })
  it('belongs to that once it is entered, and to no other', () => {
    const next = item('n', { session: undefined })
    expect(outbox.adopted([next], 'new')).toMatchObject([{ session: 'new', state: 'queued' }])
  })
})

describe('a message that a replay does not show', () => {
  it('is sent a second time under its id, and is given up after that', () => {
    const [once] = outbox.missing([onTheWay])
    expect(once).toMatchObject({ id: 'w', state: 'queued', tries: 1, session: 's' })
    expect(outbox.missing([{ ...onTheWay, tries: 2 }])).toMatchObject([{ state: 'failed' }])
  })
})

describe('what is sent again', () => {
  const again = (id: string, box: readonly Item[] = all) => outbox.again(box, id, 'fresh', 99, 'now')
  it('keeps its id where it failed: a service that took it after all takes it once', () => {
    expect(again('f').at(-1)).toEqual(outbox.newItem('f', 'text of f', 99, 'now'))
  })
  it('has a new id where it may have arrived in a session that is gone', () => {
    expect(again('u').at(-1)).toEqual(outbox.newItem('fresh', 'text of u', 99, 'now'))
  })
  it('goes behind all that was sent before', () => {
    expect(again('f').map(({ id }) => id)).toEqual(['q', 'w', 'u', 'h', 'f'])
  })
  it.each(['q', 'w', 'h', 'nobody'])(
    'is nothing that still waits, and nothing that is not there: %s',
    (id) => {
      expect(again(id)).toBe(all)
    },
  )
})

describe('an echo', () => {
  const box = [queued, item('w', { state: 'sent', text: ' hello ', after: 7 }), item('v', { text: 'hello' })]
  it.each<[string, string, number | undefined, string | undefined]>([
    ['of the text that is on its way', 'hello', 8, 'w'],
    ['with whitespace around it', '  hello\n', 8, 'w'],
    ['without a sequence', 'hello', undefined, 'w'],
    ['that is as old as what was known when it was sent', 'hello', 7, undefined],
    ['of another text', 'hell', 8, undefined],
    ['of what only waits', 'text of q', 8, undefined],
  ])('%s (%j, sequence %s) confirms the message: %s', (_, text, sequence, expected) => {
    expect(outbox.echoedBy(box, text, sequence)).toBe(expected)
  })
  it('without metadata confirms the message that was sent last before it, of several with the same text', () => {
    const early = { ...onTheWay, id: 'early', after: 3 }
    const late = { ...onTheWay, id: 'late', after: 6 }
    const box = [early, late]
    expect(outbox.echoedBy(box, early.text, 7)).toBe('late')
    expect(outbox.echoedBy(box, early.text, 5)).toBe('early')
    expect(outbox.echoedBy([early, { ...early, id: 'twin' }], early.text, 5)).toBe('early')
  })
  it('is due for the first that is on its way', () => {
    expect(outbox.onItsWay([queued, onTheWay])?.echoBy).toBe(10_000)
    expect(outbox.onItsWay([queued, failed, unconfirmed])).toBeUndefined()
  })
  it('is waited for no longer than the service asks, where it is on its way', () => {
    expect(outbox.hurried([onTheWay], 'w', 3_000)).toMatchObject([{ echoBy: 3_000, state: 'sent' }])
    const waits = [queued]
    expect(outbox.hurried(waits, 'q', 3_000)).toBe(waits)
  })
})

describe('what is refused or taken out', () => {
  it('is the one that was meant, and no other', () => {
    expect(states(outbox.failed(all, 'w'))).toMatchObject({ q: 'queued', w: 'failed', u: 'unconfirmed' })
    expect(outbox.without(all, 'w').map(({ id }) => id)).toEqual(['q', 'f', 'u', 'h'])
  })
  it('changes nothing where it is not there', () => {
    expect(outbox.without(all, 'nobody')).toBe(all)
    expect(outbox.failed(all, 'nobody')).toBe(all)
  })
})
