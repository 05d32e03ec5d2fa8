// The place of the panel's chat while one ends, or two do.

import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatController } from '../../../../src/embed/frame/chat/chat-controller.ts'
import { ALL_STORES, type ChatSlot, createChatSlot } from '../../../../src/embed/frame/prechat/chat-slot.ts'
import type { Consent } from '../../../../src/embed/frame/prechat/consent.ts'

const PREFIX = 'foyer:shop:'
let consents: boolean
let left: number
let slot: ChatSlot
/** Of each chat, what was done to it, and the answer to its sign-out. */
let chats: { done: string[]; out(): void; fails(): void }[]
const pass = () => new Promise((resolve) => setTimeout(resolve))
const all = () => ALL_STORES

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  consents = true
  left = 0
  chats = []
  slot = createChatSlot(PREFIX, { holds: () => consents } as Consent, create, () => left++)
})
function create(): ChatController {
  const made: (typeof chats)[number] = { done: [], out() {}, fails() {} }
  chats.push(made)
  const note = (what: string) => () => void made.done.push(what)
  return {
    logout() {
      made.done.push('logout')
      return new Promise<void>((resolve, reject) => Object.assign(made, { out: resolve, fails: reject }))
    },
    undraw: note('undraw'),
    dispose: note('dispose'),
  } as Partial<ChatController> as ChatController
}

it('there is one chat, from the consent on, and another one once it is taken away', () => {
  consents = false
  expect(slot.fill()).toBeUndefined()
  consents = true
  const first = slot.fill()
  expect([slot.fill() === first, slot.chat() === first, chats.length]).toEqual([true, true, 1])
  slot.empty()
  expect([slot.chat(), chats[0]?.done]).toEqual([undefined, ['dispose']])
  expect(slot.fill()).not.toBe(first)
})

describe('a chat that is left', () => {
  it.each(['out', 'fails'] as const)(
    'is gone at once, and there is no other before its sign-out is over: %s',
    async (end) => {
      slot.fill()
      slot.leave(all)
      expect([slot.chat(), slot.isLeaving(), slot.fill()]).toEqual([undefined, true, undefined])
      expect(chats[0]?.done).toEqual(['logout', 'undraw'])
      chats[0]?.[end]()
      await pass()
      expect([slot.isLeaving(), left, chats[0]?.done.at(-1)]).toEqual([false, 1, 'dispose'])
      expect(slot.fill()).toBeDefined()
    },
  )

  it.each([
    [0, 1],
    [1, 0],
  ])('with another one is over once both are, in whatever order: %i, %i', async (first, second) => {
    slot.fill()
    slot.leave(all)
    slot.leave(all, true)
    chats[first]?.out()
    await pass()
    expect([slot.isLeaving(), left, slot.fill()]).toEqual([true, 0, undefined])
    chats[second]?.out()
    await pass()
    expect([slot.isLeaving(), left, chats.map(({ done }) => done.at(-1))]).toEqual([
      false,
      1,
      ['dispose', 'dispose'],
    ])
  })

  it('takes with it what it stored, but for the marks of the sign-out and of a consent given meanwhile', async () => {
    for (const store of [localStorage, sessionStorage])
      for (const key of ['session', 'consent', 'signed-out']) store.setItem(PREFIX + key, 'x')
    localStorage.setItem('foyer:other:session', 'x')
    slot.fill()
    let stores: typeof ALL_STORES = []
    slot.leave(() => stores)
    stores = ['localStorage']
    chats[0]?.out()
    await pass()
    const keys = [localStorage, sessionStorage].map((store) => Object.keys(store).sort())
    expect(keys).toEqual([
      ['foyer:other:session', `${PREFIX}consent`, `${PREFIX}signed-out`],
      [`${PREFIX}consent`, `${PREFIX}session`, `${PREFIX}signed-out`],
    ])
  })

  it.each([
    ['an earlier page has stored it', 'session', 1],
    ['there is none', 'signed-out', 0],
  ])('is made for that where %s', async (_, key, count) => {
    localStorage.setItem(PREFIX + key, 'x')
    slot.leave(all)
    expect(chats.map(({ done }) => done[0])).toEqual(Array(count).fill('logout'))
    chats[0]?.out()
    await pass()
    expect([slot.isLeaving(), left]).toEqual([false, 1])
  })
})
