// Which acts of a visitor begin a new chat, and so have what stands before one first.

import { type Signal, signal } from '@preact/signals-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Chat, ChatStatus } from '../../src/chat/index.ts'
import { guardNewChats, type Renewal } from '../../src/embed/renew.ts'

let status: Signal<ChatStatus>
let stands: boolean
let asked: string[]
let written: string[]
let renewals: Renewal[]
let chat: Pick<Chat, 'open' | 'restart' | 'send' | 'typed' | 'retry' | 'refusal' | 'status'>

beforeEach(() => {
  status = signal<ChatStatus>('idle')
  stands = true
  asked = []
  written = []
  renewals = []
  const ask = (name: string) => (text?: string) => {
    asked.push([name, text].filter(Boolean).join(' '))
    return 'id'
  }
  chat = {
    status,
    open: ask('open'),
    restart: ask('restart'),
    send: ask('send'),
    typed: ask('typed'),
    retry: ask('retry'),
    refusal: (text) => (text === '' ? { reason: 'empty' } : undefined),
  }
  const keeps = { add: (text: string) => void written.push(text) } as Parameters<typeof guardNewChats>[2]
  guardNewChats(
    chat as Chat,
    () => stands,
    keeps,
    (renewal) => void renewals.push(renewal),
  )
  chat.open()
  asked = []
})

describe.each(['ended', 'expired', 'idle'] as const)('a chat that is %s', (over) => {
  beforeEach(() => {
    status.value = over
  })

  it('keeps what is written, and begins anew with it', () => {
    chat.typed()
    chat.send('hello')
    chat.send('')
    expect([asked, written, renewals.length]).toEqual([['send'], ['hello'], 1])
    renewals[0]?.begin()
    expect(asked).toEqual(['send', 'restart'])
  })

  it('sends a message again in the next one', () => {
    chat.retry('one')
    expect(asked).toEqual([])
    renewals[0]?.resend?.()
    expect(asked).toEqual(['retry one'])
  })

  it('begins at once where nothing stands before it', () => {
    stands = false
    chat.typed()
    chat.send('hello')
    chat.retry('one')
    chat.restart()
    expect([asked, renewals]).toEqual([['typed', 'send hello', 'retry one', 'restart'], []])
  })

  it('can be gone back to where it has words', () => {
    chat.restart()
    expect(renewals.map(({ back }) => back)).toEqual([over !== 'idle'])
  })
})

it.each(['connecting', 'live', 'reconnecting', 'offline', 'unavailable', 'elsewhere'] as const)(
  'a chat that is %s is written to as it is',
  (now) => {
    status.value = now
    chat.open()
    chat.typed()
    chat.send('hello')
    chat.retry('one')
    expect([asked, renewals]).toEqual([['open', 'typed', 'send hello', 'retry one'], []])
  },
)
