// What is written for a chat that has not begun: each of it reaches the chat once, and none of it the next visitor.

import { beforeEach, expect, it } from 'vitest'
import type { ChatController } from '../../../../src/embed/frame/chat/chat-controller.ts'
import { createPending, type Pending } from '../../../../src/embed/frame/prechat/pending.ts'

let stored: string
let mayStore: boolean
let pending: Pending
let done: string[]
const chat = {
  send: (text: string) => done.push(`send ${text}`),
  retry: (id: string) => done.push(`retry ${id}`),
  take: (message: object) => done.push(JSON.stringify(message)),
} as Partial<ChatController> as ChatController
beforeEach(() => {
  stored = ''
  mayStore = false
  done = []
  const kept = {
    get: () => stored,
    set(text: string) {
      stored = text
    },
    take: () => '',
    forget() {
      stored = ''
    },
  }
  pending = createPending(kept, () => mayStore)
})
const begins = () => {
  pending.sendBy(chat)
  pending.writeTo(chat)
}

it('all of it goes to the chat that begins, the visitor’s answers first, and nothing to the next one', () => {
  pending.add('before consent')
  mayStore = true
  pending.add('after')
  pending.retry('failed')
  pending.draft('half a wo')
  pending.addFirst('Name: Kim')
  expect([stored, pending.isEmpty()]).toEqual(['["before consent","after"]', false])
  begins()
  expect(done).toEqual([
    'send Name: Kim',
    'retry failed',
    'send before consent',
    'send after',
    '{"type":"draft","text":"half a wo"}',
  ])
  begins()
  expect(done).toHaveLength(5)
  expect([stored, pending.isEmpty()]).toEqual(['', true])
})

it.each<[string, boolean, (to: Pending) => void]>([
  ['a message before consent', false, (to) => to.add('hi')],
  ['a message after it', true, (to) => to.add('hi')],
  ['the answers in a form', true, (to) => to.addFirst('Name: Kim')],
  ['a message to send again', true, (to) => to.retry('failed')],
  ['a draft', true, (to) => to.draft('half a wo')],
])('%s is forgotten with its visitor', (_, may, write) => {
  mayStore = may
  write(pending)
  pending.forget()
  expect([stored, pending.isEmpty()]).toEqual(['', true])
  begins()
  expect(done).toEqual([])
})

it.each<[string, (to: Pending) => void]>([
  ['a message', (to) => to.add('hi')],
  ['a message to send again', (to) => to.retry('failed')],
])('%s is something, also where nothing may be stored, and is sent once', (_, write) => {
  write(pending)
  expect([pending.isEmpty(), stored]).toEqual([false, ''])
  begins()
  begins()
  expect([pending.isEmpty(), done.length]).toEqual([true, 1])
})
