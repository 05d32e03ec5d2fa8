// What a tab keeps of a visitor's writing, by the marks of the sign-outs in a store that may fail.

import { expect, it } from 'vitest'
import { createStored } from '../../../../src/chat/effects/stored.ts'
import { memoryStore } from '../../../../src/chat/index.ts'
import { createStoredText, SIGNED_OUT } from '../../../../src/embed/frame/chat/stored-text.ts'

/** A tab's store, and the one of all tabs, which may give nothing for a while. */
function stores(mark?: string) {
  const [tab, shared] = [memoryStore(), memoryStore()]
  if (mark) shared.set('signed-out', mark)
  const at = { denied: false }
  const sessions = { ...shared, get: (key: string) => (at.denied ? undefined : shared.get(key)) }
  return { tab, shared, at, open: () => createStoredText(tab, 'draft', sessions) }
}

it('a stored text outlives a store that gives nothing while the text is read', () => {
  const { tab, at, open } = stores('earlier')
  const kept = open()
  kept.set('half')
  at.denied = true
  expect(kept.get()).toBe('half')
  expect(tab.get('draft')).toContain('half')
  at.denied = false
  expect(kept.get()).toBe('half')
  expect(open().get()).toBe('half')
})

it('a stored text outlives a store that gives nothing while the text is written', () => {
  const { at, open } = stores('earlier')
  const kept = open()
  at.denied = true
  kept.set(`${kept.get()}half`)
  at.denied = false
  expect(kept.get()).toBe('half')
  expect(open().get()).toBe('half')
})

it('a stored text outlives a page that is loaded and left while the store gives nothing, and is not shown there', () => {
  const { at, open } = stores('earlier')
  open().set('half')
  at.denied = true
  const blind = open()
  expect(blind.get()).toBe('')
  blind.set('')
  expect(blind.take()).toBe('')
  at.denied = false
  expect(blind.get()).toBe('half')
  expect(open().get()).toBe('half')
})

it('a stored text is not kept where the store had not told yet whose it is: it may be that of somebody who signed out since', () => {
  const { tab, at, open } = stores('earlier')
  at.denied = true
  const blind = open()
  blind.set('of whom?')
  expect(blind.get()).toBe('of whom?')
  at.denied = false
  expect(blind.get()).toBe('')
  expect(tab.get('draft')).toBeUndefined()
})

it('a stored text goes by the mark that the engine leaves at a sign-out', () => {
  const shared = memoryStore()
  const clock = { now: () => 0, wall: () => 0, after: () => () => {} }
  createStored(shared, memoryStore(), clock).signOut('later')
  expect(shared.get(SIGNED_OUT)).toBe('later')
})

it('a stored text is removed once a sign-out is heard of by a page that could not read it', () => {
  const { tab, shared, at, open } = stores('earlier')
  open().set('of Ana alone')
  at.denied = true
  const blind = open()
  shared.set('signed-out', 'later')
  at.denied = false
  expect(blind.get()).toBe('')
  expect(tab.get('draft')).toBeUndefined()
})

it.each([undefined, 'earlier'])(
  'a stored text is dropped once somebody has signed out, after the mark %s',
  (mark) => {
    const { tab, shared, open } = stores(mark)
    const kept = open()
    kept.set('of Ana alone')
    shared.set('signed-out', 'later')
    expect(kept.get()).toBe('')
    expect(tab.get('draft')).toBeUndefined()
    kept.set('of the next')
    expect(open().get()).toBe('of the next')
  },
)

it('a stored text is dropped where a sign-out was heard of after the store had given nothing', () => {
  const { tab, shared, at, open } = stores('earlier')
  const kept = open()
  kept.set('of Ana alone')
  at.denied = true
  expect(kept.get()).toBe('of Ana alone')
  shared.set('signed-out', 'later')
  at.denied = false
  expect(kept.get()).toBe('')
  expect(tab.get('draft')).toBeUndefined()
})

it('a stored text is removed by a page that finds the text of a visitor who has signed out', () => {
  const { tab, shared, open } = stores('earlier')
  open().set('of Ana alone')
  shared.set('signed-out', 'later')
  expect(open().get()).toBe('')
  expect(tab.get('draft')).toBeUndefined()
})

it('a stored text is given once by take', () => {
  const { tab, open } = stores()
  open().set('half')
  const kept = open()
  expect(kept.take()).toBe('half')
  expect(kept.take()).toBe('')
  expect(tab.get('draft')).toBeUndefined()
})

it('a stored text is removed at a sign-out by a page that could not read it, whatever the store says later', () => {
  const { tab, at, open } = stores('earlier')
  open().set('of Ana alone')
  at.denied = true
  const blind = open()
  blind.forget()
  expect(tab.get('draft')).toBeUndefined()
  at.denied = false
  expect([blind.get(), open().get()]).toEqual(['', ''])
})

it('a stored text is removed at a sign-out by a page that has read it, for good', () => {
  const { tab, open } = stores('earlier')
  const kept = open()
  kept.set('of Ana alone')
  kept.forget()
  expect([kept.get(), tab.get('draft')]).toEqual(['', undefined])
  kept.set('of the next')
  expect(open().get()).toBe('of the next')
})
