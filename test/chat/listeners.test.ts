// Code of the page that throws: a listener, a subscriber of a signal, a hook. The engine goes on as if it had returned, and the page's
// console has the error.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Chat, ChatEvents, ChatOptions } from '../../src/chat/index.ts'
import { createService, pass } from './service.ts'

let service: ReturnType<typeof createService>
let chat: Chat
/** The page's console: what a task of the page threw and nobody caught. */
let uncaught: unknown[]

beforeEach(() => {
  vi.useFakeTimers()
  uncaught = []
  vi.stubGlobal('queueMicrotask', (task: () => void) => {
    try {
      task()
    } catch (error) {
      uncaught.push(error)
    }
  })
  service = createService()
})
afterEach(() => {
  chat.dispose()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const fault = () => {
  throw new Error('a fault of the page')
}
const EVENTS: (keyof ChatEvents)[] = ['session', 'connection', 'message', 'delivery', 'unread', 'end']
const SIGNALS = ['status', 'transcript', 'outbox', 'agent', 'typing', 'unread', 'suggestions'] as const

type Page = [string, Partial<ChatOptions>, (chat: Chat) => void]
const PAGES: Page[] = [
  ...EVENTS.map((name): Page => [`a listener of ${name}`, {}, (of) => void of.on(name, fault)]),
  // It throws from its second call on: the first one is the subscription itself.
  ...SIGNALS.map(
    (name): Page => [
      `a subscriber of ${name}`,
      {},
      (of) => {
        let calls = 0
        of[name].subscribe(() => calls++ > 0 && fault())
      },
    ],
  ),
  ['the hook for the wire', { onWire: fault }, () => {}],
]

describe('code of the page that throws', () => {
  it.each(PAGES)('neither stops nor doubles anything: %s', async (_, options, listen) => {
    chat = service.page(options)
    listen(chat)
    const heard: string[] = []
    chat.on('delivery', ({ state }) => heard.push(state))
    chat.on('connection', ({ status }) => heard.push(status))
    chat.open()
    await pass(100)
    expect(chat.status.value).toBe('live')
    const ids = [chat.send('one'), chat.send('two')]
    expect(ids).toEqual([expect.any(String), expect.any(String)])
    expect(chat.outbox.value.map(({ state }) => state)).toEqual(['sent', 'queued'])
    await pass(200)
    chat.end()
    await pass(30_000)
    expect(service.stored(service.last())).toEqual(['one', 'two'])
    expect(chat.outbox.value).toEqual([])
    expect(chat.status.value).toBe('ended')
    // Another listener hears everything, in order.
    const moves = [
      'connecting',
      'live',
      'queued',
      'sent',
      'queued',
      'delivered',
      'sent',
      'delivered',
      'ended',
    ]
    expect(heard).toEqual(moves)
    expect(uncaught.length).toBeGreaterThan(0)
    expect(uncaught).toEqual(uncaught.map(() => new Error('a fault of the page')))
  })

  it.each(PAGES)(
    'leaves no socket and no timer behind the end of the page: %s',
    async (_, options, listen) => {
      chat = service.page(options)
      listen(chat)
      chat.open()
      await pass(100)
      chat.send('one')
      chat.dispose()
      await pass(10)
      expect(service.open()).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('may be its own store: the visitor’s words are sent as with a store that keeps nothing', async () => {
    const broken = { get: fault, set: fault, remove: fault }
    chat = service.page({ sessionStore: broken, outboxStore: broken })
    chat.open()
    await pass(100)
    chat.send('hello?')
    await pass(200)
    expect(service.stored(service.last())).toEqual(['hello?'])
    expect(chat.outbox.value).toEqual([])
    expect(uncaught).toContainEqual(new Error('a fault of the page'))
  })

  it('is told of a sign-out, which is finished all the same', async () => {
    chat = service.page({ onSignedOut: fault })
    chat.open()
    await pass(100)
    service.faults.hostDown = true
    service.drop()
    await pass(10)
    chat.send('a secret')
    expect(service.outboxStore.get('outbox')).toContain('a secret')
    const done = chat.logout()
    await pass(100)
    await done
    expect(service.outboxStore.get('outbox')).toBeUndefined()
    expect(service.requests.at(-1)?.method).toBe('DELETE')
    expect(uncaught).toEqual([new Error('a fault of the page')])
  })
})
