// What survives a reload, and what is made of a store that somebody else has written.

import { describe, expect, it } from 'vitest'
import { createStored } from '../../../src/chat/effects/stored.ts'
import { type KeyValue, memoryStore } from '../../../src/chat/index.ts'
import { newItem } from '../../../src/chat/outbox/items.ts'
import type { OutboxRecord } from '../../../src/chat/state/state.ts'

const DAY = 86_400_000
function stores(wall = 0) {
  const [sessions, outboxes] = [memoryStore(), memoryStore()] as [KeyValue, KeyValue]
  const at = { wall }
  const clock = { now: () => 0, wall: () => at.wall, after: () => () => {} }
  return { sessions, outboxes, at, stored: createStored(sessions, outboxes, clock) }
}
const item = (id: string, more: Partial<OutboxRecord> = {}): OutboxRecord => ({
  ...newItem(id, `text of ${id}`, 5, 's'),
  ...more,
})

describe('the session', () => {
  it('is stored for all tabs, with the time', () => {
    const { sessions, stored } = stores(7)
    expect(stored.session()).toBeUndefined()
    stored.saveSession('s')
    expect(sessions.get('session')).toBe('{"id":"s","at":7}')
    expect(stored.session()).toBe('s')
  })
  it.each([
    [0, false],
    [DAY - 1, false],
    [DAY, true],
    [-DAY + 1, false],
    [-DAY, true],
  ])('that was stored %i ms ago is of another day: %s', (ago, old) => {
    const { at, stored } = stores(2 * DAY)
    stored.saveSession('s')
    at.wall += ago
    expect(stored.isOld()).toBe(old)
    expect(stored.session()).toBe('s')
  })
  it('is stored with a mark of its token, which a tab that does not know the token keeps', () => {
    const { sessions, stored } = stores(7)
    stored.saveSession('s', 'm')
    expect(sessions.get('session')).toBe('{"id":"s","at":7,"mark":"m"}')
    stored.saveSession('s')
    expect([stored.session(), stored.markOf('s'), stored.markOf('t')]).toEqual(['s', 'm', undefined])
    stored.saveSession('t')
    expect([stored.session(), stored.markOf('s'), stored.markOf('t')]).toEqual(['t', undefined, undefined])
    sessions.set('session', '{"id":"t","at":7,"mark":5}')
    expect([stored.session(), stored.markOf('t')]).toEqual(['t', undefined])
  })
  it('is stored with whether the service tells how it stands, which belongs to that session alone', () => {
    const { sessions, stored } = stores(7)
    stored.saveStatus('s', true)
    expect(sessions.get('session')).toBeUndefined()
    stored.saveSession('s', 'm')
    expect(stored.hasStatus('s')).toBe(false)
    stored.saveStatus('s', true)
    expect(sessions.get('session')).toBe('{"id":"s","at":7,"mark":"m","hasStatus":true}')
    stored.saveSession('s')
    stored.saveStatus('of another tab', false)
    expect([stored.hasStatus('s'), stored.hasStatus('t'), stored.markOf('s')]).toEqual([true, false, 'm'])
    stored.saveStatus('s', false)
    expect(stored.hasStatus('s')).toBe(false)
    stored.saveStatus('s', true)
    stored.saveSession('t')
    expect([stored.hasStatus('s'), stored.hasStatus('t')]).toEqual([false, false])
    for (const text of [
      '{"id":"t","at":7,"hasStatus":1}',
      '{"id":"t","at":7,"hasStatus":"true"}',
      'null',
      '[',
    ]) {
      sessions.set('session', text)
      expect(stored.hasStatus('t')).toBe(false)
    }
  })
  it('is forgotten by a tab whose it is, and by no other', () => {
    const { stored } = stores()
    stored.saveSession('s')
    for (const other of ['of another tab', undefined]) {
      stored.forgetSession(other)
      expect(stored.session()).toBe('s')
    }
    stored.forgetSession('s')
    expect(stored.session()).toBeUndefined()
  })
  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"id":5,"at":1}',
    '{"id":"","at":1}',
    '{"id":"s"}',
    '{"id":"s","at":"1"}',
  ])('is none where the store holds: %j', (text) => {
    const { sessions, stored } = stores()
    sessions.set('session', text)
    expect(stored.session()).toBeUndefined()
  })
})

describe('the outbox', () => {
  it('comes back as it was, but for the deadline of its echo, which is of another clock', () => {
    const { stored } = stores()
    const box = [
      item('h', { state: 'held' }),
      item('q'),
      item('w', { state: 'sent', tries: 1, after: 7, echoBy: 99 }),
      item('f', { state: 'failed', tries: 2 }),
      item('u', { state: 'unconfirmed', session: undefined }),
    ]
    stored.saveOutbox(box)
    expect(stored.outbox()).toEqual(box.map((each) => ({ ...each, echoBy: 0 })))
  })
  it('does not say whose a message is: a page that loads it has to find out', () => {
    const { stored } = stores()
    stored.saveOutbox([item('q', { unclaimed: true, asked: true })])
    expect(stored.outbox()).toEqual([item('q')])
  })
  it('leaves nothing behind once it is empty', () => {
    const { outboxes, stored } = stores()
    stored.saveOutbox([item('q')])
    stored.saveOutbox([])
    expect(outboxes.get('outbox')).toBeUndefined()
    expect(stored.outbox()).toEqual([])
  })
  it('of a visitor who has signed out since is nobody’s', () => {
    const { stored } = stores()
    stored.saveOutbox([item('q')])
    stored.saveSession('of another tab')
    stored.signOut('mark')
    expect(stored.signedOut()).toBe('mark')
    expect(stored.session()).toBeUndefined()
    expect(stored.outbox()).toEqual([])
    // A tab that has not heard of it stores them again.
    stored.saveOutbox([item('q')])
    expect(stored.outbox()).toEqual([])
    stored.saveOutbox([])
    stored.saveOutbox([item('of the next')])
    expect(stored.outbox()).toHaveLength(1)
  })
  it.each([
    ['took the mark', 'mark', ['of the next']],
    ['did not take the mark', undefined, ['of the next']],
    ['has a later mark', 'later', []],
  ])('of the next visitor outlives a store that gave nothing at a sign-out and %s', (_, last, kept) => {
    const { sessions, outboxes } = stores()
    let denied = true
    const failing: KeyValue = { ...sessions, get: (key) => (denied ? undefined : sessions.get(key)) }
    const clock = { now: () => 0, wall: () => 0, after: () => () => {} }
    const stored = createStored(failing, outboxes, clock)
    stored.saveOutbox([item('of Ana')])
    if (last) sessions.set('signed-out', last)
    stored.forgetOutbox('mark')
    expect(outboxes.get('outbox')).toBeUndefined()
    stored.saveOutbox([item('of the next')])
    denied = false
    expect(stored.outbox().map(({ id }) => id)).toEqual(kept)
    // Once the store gives a mark, that one counts.
    stored.saveOutbox([])
    stored.saveOutbox([item('later still')])
    expect(stored.outbox()).toHaveLength(1)
  })
  it('outlives a store that gave nothing as two visitors signed out, and took the mark of the first', () => {
    const { sessions, outboxes } = stores()
    let denied = true
    const failing: KeyValue = { ...sessions, get: (key) => (denied ? undefined : sessions.get(key)) }
    const stored = createStored(failing, outboxes, { now: () => 0, wall: () => 0, after: () => () => {} })
    sessions.set('signed-out', 'first')
    stored.forgetOutbox('first')
    stored.forgetOutbox('second')
    denied = false
    stored.saveOutbox([item('of the next')])
    expect(stored.outbox()).toHaveLength(1)
    sessions.set('signed-out', 'third')
    expect(stored.outbox()).toEqual([])
  })
  it('names the last fifty sign-outs that were heard of while the store gave nothing', () => {
    const { sessions, outboxes } = stores()
    const failing: KeyValue = { ...sessions, get: () => undefined }
    const stored = createStored(failing, outboxes, { now: () => 0, wall: () => 0, after: () => () => {} })
    for (let count = 0; count < 60; count++) stored.forgetOutbox(`mark ${count}`)
    stored.saveOutbox([item('of the next')])
    expect(JSON.parse(outboxes.get('outbox') ?? '').also).toEqual(
      Array.from({ length: 50 }, (_, index) => `mark ${index + 10}`),
    )
  })
  it('is stored under the mark that the store gives, and not also under one that was heard of', () => {
    const { sessions, stored } = stores()
    sessions.set('signed-out', 'earlier')
    stored.forgetOutbox('mark')
    stored.saveOutbox([item('q')])
    expect(stored.outbox()).toHaveLength(1)
    stored.signOut('mark')
    expect(stored.outbox()).toEqual([])
  })
  it('outlives a store that gave nothing for a while', () => {
    const { sessions, outboxes } = stores()
    let denied = false
    const failing: KeyValue = { ...sessions, get: (key) => (denied ? undefined : sessions.get(key)) }
    const clock = { now: () => 0, wall: () => 0, after: () => () => {} }
    failing.set('signed-out', 'mark')
    const stored = createStored(failing, outboxes, clock)
    denied = true
    stored.saveOutbox([])
    denied = false
    stored.saveOutbox([item('q')])
    expect(stored.outbox()).toHaveLength(1)
  })
  it('is read up to 50 messages, in their order', () => {
    const { outboxes, stored } = stores()
    const items = Array.from({ length: 60 }, (_, at) => item(`${at}`))
    outboxes.set('outbox', JSON.stringify({ items }))
    expect(stored.outbox().map(({ id }) => id)).toEqual(items.slice(0, 50).map(({ id }) => id))
  })
  it.each<[string, unknown]>([
    ['nothing', null],
    ['no object', 'q'],
    ['without an id', { ...item('q'), id: undefined }],
    ['with an empty id', { ...item('q'), id: '' }],
    ['without words', { ...item('q'), text: '' }],
    ['with words that are no text', { ...item('q'), text: ['x'] }],
    ['that no outbox could hold', { ...item('q'), text: 'x'.repeat(262_145) }],
    ['in a state that there is none', { ...item('q'), state: 'delivered' }],
  ])('drops an item that is %s, and keeps the others', (_, bad) => {
    const { outboxes, stored } = stores()
    outboxes.set('outbox', JSON.stringify({ items: [item('a'), bad, item('b')] }))
    expect(stored.outbox().map(({ id }) => id)).toEqual(['a', 'b'])
  })
  it.each([-1, 1.5, Number.MAX_VALUE, '7', null])('takes a count that cannot be one as 0: %s', (count) => {
    const { outboxes, stored } = stores()
    outboxes.set(
      'outbox',
      JSON.stringify({ items: [{ ...item('a'), at: count, tries: count, after: count }] }),
    )
    expect(stored.outbox()).toMatchObject([{ at: 0, tries: 0, after: 0 }])
  })
})
