import { effect } from '@preact/signals-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Chat, memoryStore } from '../../src/chat/index.ts'
import { createService, createSleepingClock, pass } from './service.ts'

let service: ReturnType<typeof createService>
let chat: Chat

beforeEach(() => {
  vi.useFakeTimers()
  service = createService()
  chat = service.page()
})
afterEach(() => {
  chat.dispose()
  vi.useRealTimers()
})

/** The screen as a person reads it: transcript, then outbox (law L3). */
const screen = (of: Chat = chat) => [
  ...of.transcript.value.map((entry) => {
    if (entry.kind === 'message') return `${entry.role}: ${entry.content.value.pieces.join('')}`
    return entry.kind === 'divider'
      ? `--- ${entry.reason}`
      : `* ${entry.notice} ${entry.text ?? entry.name ?? ''}`.trim()
  }),
  ...of.outbox.value.map((item) => `${item.state}: ${item.text}`),
]

const opened = async () => {
  chat.open()
  chat.setShown(true)
  await pass(100)
  expect(chat.status.value).toBe('live')
}

describe('before the chat is opened', () => {
  it('the chat contacts nobody', async () => {
    await pass(60_000)
    expect(service.requests).toEqual([])
    expect(service.sockets).toEqual([])
    expect(chat.status.value).toBe('idle')
  })
})

describe('a first conversation', () => {
  it('asks for a fresh token, makes a session and asks the agent to join', async () => {
    await opened()
    expect(service.requests.map(({ method, body }) => [method, body])).toEqual([
      ['POST', {}],
      ['POST', { streaming_enabled: true, platform: 'web' }],
    ])
    expect(screen()).toEqual(['agent: Hello!'])
    expect(chat.agent.value).toEqual({ name: 'Ada', avatarUrl: 'https://example.com/ada.png', live: false })
    expect(chat.sessionId.value).toBe(service.last().id)
  })

  it('shows a message in the outbox until its echo moves it into the transcript', async () => {
    await opened()
    chat.send('one')
    expect(screen()).toEqual(['agent: Hello!', 'sent: one'])
    await pass(50)
    expect(screen()).toEqual(['agent: Hello!', 'visitor: one', 'agent: You said one'])
  })

  it('lets what waits behind a message on its way be taken back, and not that one', async () => {
    await opened()
    const ids = [chat.send('one'), chat.send('two'), chat.send('three')]
    expect(screen()).toEqual(['agent: Hello!', 'sent: one', 'queued: two', 'queued: three'])
    for (const id of ids.slice(0, 2)) chat.discard(id ?? '')
    expect(screen()).toEqual(['agent: Hello!', 'sent: one', 'queued: three'])
  })

  it('sends what was written before the connection was there, in order', async () => {
    chat.send('one')
    chat.send('two')
    await pass(200)
    expect(service.stored(service.last())).toEqual(['one', 'two'])
  })

  it('tells of messages, deliveries and the connection', async () => {
    const seen: string[] = []
    chat.on('message', ({ role, text }) => seen.push(`${role} ${text}`))
    chat.on('delivery', ({ state }) => seen.push(state))
    const stop = chat.on('connection', ({ status }) => seen.push(status))
    await opened()
    stop()
    chat.send('hi')
    await pass(50)
    expect(seen).toEqual([
      'connecting',
      'live',
      'agent Hello!',
      'queued',
      'sent',
      'delivered',
      'agent You said hi',
    ])
  })

  it('never lets the token out into the log of the wire or the stores', async () => {
    await opened()
    chat.send('hi')
    await pass(50)
    const kept = JSON.stringify([
      service.wire,
      service.sessionStore.get('session'),
      service.outboxStore.get('outbox'),
    ])
    expect(service.tokens).toHaveLength(1)
    expect(kept).not.toContain('secret-token')
    expect(JSON.stringify(chat)).not.toContain('secret-token')
  })
})

describe('streaming', () => {
  it('grows one message in place and completes it', async () => {
    service.faults.streaming = true
    await opened()
    const entry = chat.transcript.value[0]
    chat.send('a b')
    await pass(50)
    const last = chat.transcript.value.at(-1)
    expect(entry?.kind === 'message' && entry.content.value.complete).toBe(true)
    expect(last?.kind === 'message' && last.content.value.pieces).toEqual(['You ', 'said ', 'a ', 'b'])
  })

  const chunk = (text: string, index: number, more: object = {}) =>
    service.publish(service.last(), {
      type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
      payload: { message_id: 'x', text, chunk_index: index, is_complete: false, ...more },
    })

  it('puts chunks that come out of order back in order, and drops those that repeat', async () => {
    await opened()
    chunk('a', 1)
    chunk('c', 3)
    chunk('a', 1)
    expect(screen().at(-1)).toBe('agent: a')
    chunk('b', 2)
    expect(screen().at(-1)).toBe('agent: abc')
    chunk('', 4, { is_complete: true, response_suggestions: [{ message_text: 'more' }] })
    expect(chat.suggestions.value).toEqual([{ message_text: 'more' }])
  })

  it('keeps what arrived of an answer when another one starts', async () => {
    await opened()
    chunk('half', 1)
    chunk('late', 3)
    service.say(service.last(), 'whole')
    chunk('next', 1, { message_id: 'y' })
    expect(screen().slice(-3)).toEqual(['agent: halflate', 'agent: whole', 'agent: next'])
  })

  it('replaces a half streamed answer by the whole one of a replay, in its place', async () => {
    await opened()
    chunk('Half an', 1)
    const key = chat.transcript.value.at(-1)?.key
    service.publish(service.last(), {
      type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
      payload: { message_id: 'x', text: 'Half an answer, whole.' },
    })
    expect(screen()).toEqual(['agent: Hello!', 'agent: Half an answer, whole.'])
    expect(chat.transcript.value.at(-1)?.key).toBe(key)
  })

  describe('in chunks, where frames are drawn,', () => {
    const frames = new Set<() => void>()
    const draw = () => {
      for (const frame of frames) {
        frames.delete(frame)
        frame()
      }
    }
    beforeEach(async () => {
      frames.clear()
      const frame = (fn: () => void) => {
        frames.add(fn)
        return () => void frames.delete(fn)
      }
      chat = service.page({ clock: { ...createSleepingClock(), frame } })
      await opened()
    })

    it('grows once a frame, by all that came', () => {
      chunk('a', 1)
      draw()
      const entry = chat.transcript.value.at(-1)
      let changes = -1
      const stop = effect(() => {
        if (entry?.kind === 'message') entry.content.value
        changes++
      })
      chunk('b', 2)
      chunk('c', 3)
      chunk('d', 4)
      expect([screen().at(-1), frames.size]).toEqual(['agent: a', 1])
      draw()
      expect([screen().at(-1), changes]).toEqual(['agent: abcd', 1])
      stop()
    })

    it('is complete with its last chunk, without a frame', () => {
      chunk('a', 1)
      chunk('b', 2, { is_complete: true })
      expect([screen().at(-1), frames.size]).toEqual(['agent: ab', 0])
      chunk('c', 1, { message_id: 'y' })
      expect([screen().at(-1), frames.size]).toEqual(['agent: ab', 1])
      draw()
      expect(screen().at(-1)).toBe('agent: c')
    })

    it('asks for no frame once the chat is disposed', () => {
      chunk('a', 1)
      chat.dispose()
      expect(frames.size).toBe(0)
    })

    it('has grown before whatever happens next', async () => {
      chunk('a', 1)
      chat.send('one')
      expect(screen().slice(-2)).toEqual(['agent: a', 'sent: one'])
      await pass(50)
      chunk('b', 1, { message_id: 'y' })
      service.drop()
      await pass(0)
      expect(screen()).toContain('agent: b')
    })
  })

  it('puts a replayed answer where its first chunk stood', async () => {
    await opened()
    const session = service.last()
    const place = session.events.length + 1
    service.publish(session, {
      type: 'EVENT_TYPE_USER_MESSAGE',
      payload: { text: 'meanwhile' },
      metadata: { custom: { client_event_id: 'other-tab' } },
    })
    service.publish(session, {
      type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
      payload: { message_id: 'x', text: 'began before' },
      first_sequence: place - 1,
    })
    expect(screen()).toEqual(['agent: Hello!', 'agent: began before', 'visitor: meanwhile'])
  })

  it('shows no message that has nothing in it', async () => {
    await opened()
    service.say(service.last(), '')
    expect(screen()).toEqual(['agent: Hello!'])
  })
})

describe('a connection that drops', () => {
  it('comes back to the same session from its cursor, with nothing lost or doubled', async () => {
    await opened()
    chat.send('one')
    await pass(50)
    service.drop()
    service.say(service.last(), 'said meanwhile')
    await pass(3_000)
    expect(chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
    expect(service.sockets.at(-1)?.cursor).toBeGreaterThan(1)
    expect(screen()).toEqual([
      'agent: Hello!',
      'visitor: one',
      'agent: You said one',
      'agent: said meanwhile',
    ])
  })

  it.each(['lost', 'stored'] as const)(
    'sends a message exactly once when it was %s as the socket dropped',
    async (swallow) => {
      await opened()
      service.faults.swallow = swallow
      chat.send('once')
      await pass(20)
      service.faults.swallow = undefined
      service.drop()
      await pass(3_000)
      expect(service.stored(service.last())).toEqual(['once'])
      expect(screen().filter((line) => line.includes('once'))).toEqual([
        'visitor: once',
        'agent: You said once',
      ])
    },
  )

  it('is shown to the visitor only when it lasts', async () => {
    await opened()
    service.faults.hostDown = true
    service.drop()
    await pass(1_400)
    expect(chat.notice.value).toBeUndefined()
    await pass(200)
    expect(chat.notice.value).toEqual({ kind: 'reconnecting' })
    service.faults.hostDown = false
    await pass(10_000)
    expect(chat.notice.value).toBeUndefined()
    expect(chat.status.value).toBe('live')
  })

  it('is noticed by an unanswered heartbeat, within 20 s', async () => {
    await opened()
    service.faults.swallow = 'stored'
    const before = service.sockets.length
    let waited = 0
    for (; service.sockets.length === before; waited++) await pass(1)
    service.faults.swallow = undefined
    expect(waited).toBeLessThanOrEqual(20_000)
    await pass(1_000)
    expect(chat.status.value).toBe('live')
  })

  it('is noticed within 2 s when somebody comes back to look', async () => {
    await opened()
    await pass(5_000)
    service.faults.swallow = 'stored'
    const before = service.sockets.length
    chat.wake()
    await pass(2_100)
    service.faults.swallow = undefined
    await pass(1_500)
    expect(service.sockets.length).toBe(before + 1)
    expect(chat.status.value).toBe('live')
  })

  it('is tried a bounded number of times while the host does not answer', async () => {
    await opened()
    service.faults.hostDown = true
    service.drop()
    const before = service.sockets.length
    await pass(60_000)
    const tries = service.sockets.length - before
    expect(tries).toBeGreaterThanOrEqual(4)
    expect(tries).toBeLessThanOrEqual(10)
    await pass(60_000)
    expect(service.sockets.length - before - tries).toBeLessThanOrEqual(6)
  })

  it('keeps the session where it opens once the host answers again', async () => {
    await opened()
    const old = service.last().id
    service.faults.hostDown = true
    service.drop()
    await pass(120_000)
    service.faults.hostDown = false
    await pass(15_100)
    expect(chat.status.value).toBe('live')
    expect(chat.sessionId.value).toBe(old)
    expect(screen()).toEqual(['agent: Hello!'])
  })

  it('gets a new session when the service closes with 4001', async () => {
    await opened()
    service.drop(4001)
    await pass(500)
    expect(service.sessions.size).toBe(2)
  })

  it('waits while the browser says that it is offline and nobody acts, and comes back at once after', async () => {
    await opened()
    chat.setOnline(false)
    expect(chat.notice.value).toEqual({ kind: 'offline' })
    const before = [service.sockets.length, service.requests.length]
    await pass(120_000)
    expect([service.sockets.length, service.requests.length]).toEqual(before)
    chat.setOnline(true)
    await pass(1_500)
    expect(chat.status.value).toBe('live')
  })

  it.each<[string, (failed: string) => void]>([
    ['writes', () => chat.send('later')],
    ['types', () => chat.typed()],
    ['sends again what failed', (failed) => chat.retry(failed)],
    ['comes back to the page', () => chat.wake()],
    ['opens the chat', () => chat.open()],
  ])('tries when the visitor %s, though the browser says that it is offline', async (_, act) => {
    await opened()
    service.ignore('too late')
    const failed = chat.send('too late') ?? ''
    await pass(100)
    // Neither this socket nor the next one has it.
    await pass(30_000)
    expect(screen().at(-1)).toBe('failed: too late')
    service.ignore(undefined)
    chat.setOnline(false)
    expect(chat.status.value).toBe('offline')
    act(failed)
    await pass(500)
    expect(chat.status.value).toBe('live')
  })

  it('tries at most once a second for a visitor who types while there is no network', async () => {
    await opened()
    chat.setOnline(false)
    service.faults.hostDown = true
    const before = service.sockets.length
    for (let keys = 0; keys < 100; keys++) {
      chat.typed()
      await pass(100)
    }
    expect(service.sockets.length - before).toBeGreaterThan(5)
    expect(service.sockets.length - before).toBeLessThanOrEqual(11)
    expect(chat.notice.value).toEqual({ kind: 'offline' })
    chat.setOnline(true)
    await pass(2_000)
    expect(chat.notice.value).toEqual({ kind: 'reconnecting' })
  })
})

describe('an echo that does not come', () => {
  it('leads to a new connection, whose replay tells that the message is missing, which is sent once more', async () => {
    await opened()
    service.faults.swallow = 'lost'
    chat.send('again')
    await pass(100)
    service.faults.swallow = undefined
    const before = service.sockets.length
    await pass(9_800)
    expect(service.sockets.length).toBe(before)
    await pass(400)
    expect(service.sockets.length).toBe(before + 1)
    expect(service.stored(service.last())).toEqual(['again'])
  })
})

describe('a hole in the sequences', () => {
  it('is replayed once from before it, then accepted', async () => {
    await opened()
    const session = service.last()
    const cursor = session.events.length
    service.publish(session, { type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: 'de' } })
    const last = session.events.at(-1)
    if (last) last.sequence = cursor + 5
    service.sockets.at(-1)?.receive(JSON.stringify({ ...last, id: 'hole', sequence: cursor + 5 }))
    const before = service.sockets.length
    await pass(1_900)
    expect(service.sockets.length).toBe(before)
    await pass(1_500)
    expect(service.sockets.length).toBe(before + 1)
    expect(service.sockets.at(-1)?.cursor).toBe(cursor + 1)
    await pass(60_000)
    expect(service.sockets.length).toBe(before + 1)
  })
})

describe('a reload', () => {
  it('asks for the same token and shows the same session again', async () => {
    await opened()
    chat.send('one')
    await pass(50)
    chat.dispose()
    const second = service.page()
    second.open()
    await pass(200)
    expect(second.sessionId.value).toBe(service.last().id)
    expect(service.sessions.size).toBe(1)
    expect(service.requests.at(-1)?.body).toEqual({ resume: true })
    expect(service.sockets.at(-1)?.cursor).toBe(0)
    expect(screen(second)).toEqual(['agent: Hello!', 'visitor: one', 'agent: You said one'])
    second.dispose()
  })

  it.each(['lost', 'stored'] as const)(
    'delivers a message that was %s in the moment of the reload exactly once',
    async (swallow) => {
      await opened()
      service.faults.swallow = swallow
      chat.send('once')
      await pass(20)
      chat.dispose()
      service.faults.swallow = undefined
      const second = service.page()
      second.open()
      await pass(500)
      expect(service.stored(service.last())).toEqual(['once'])
      expect(second.outbox.value).toEqual([])
      second.dispose()
    },
  )

  it('makes a new session where the browser lost the cookie, and says what may not have arrived', async () => {
    await opened()
    service.faults.swallow = 'stored'
    chat.send('perhaps')
    await pass(20)
    chat.dispose()
    service.faults.swallow = undefined
    service.faults.noCookie = true
    const second = service.page()
    second.open()
    await pass(500)
    expect(service.sessions.size).toBe(2)
    expect(second.outbox.value.map(({ state, text }) => `${state}: ${text}`)).toEqual([
      'unconfirmed: perhaps',
    ])
    second.retry(second.outbox.value[0]?.id ?? '')
    await pass(100)
    expect(service.stored(service.last())).toEqual(['perhaps'])
    second.dispose()
  })

  it.each(['is forgotten by the service', 'has lost its cookie'])(
    'moves what was never sent into the next session, where its own %s since',
    async (how) => {
      await opened()
      service.faults.hostDown = true
      service.drop()
      await pass(10)
      chat.send('written in a tunnel')
      await pass(10)
      // The page is left in order: nobody else has the message.
      chat.suspend()
      chat.dispose()
      service.faults.hostDown = false
      if (how === 'has lost its cookie') service.faults.noCookie = true
      else service.last().gone = true
      await pass(3_600_000)
      const second = service.page()
      second.open()
      await pass(30_000)
      expect(service.stored(service.last())).toEqual(['written in a tunnel'])
      expect(second.outbox.value).toEqual([])
      second.dispose()
    },
  )

  it('leaves the session that another tab began meanwhile', async () => {
    await opened()
    service.sessionStore.set('session', JSON.stringify({ id: 'of-another-tab', at: Date.now() }))
    service.over(service.last(), 'REASON_USER_END')
    await pass(50)
    expect(service.sessionStore.get('session')).toContain('of-another-tab')
  })

  it.each(['REASON_USER_ABANDONED', 'REASON_NATURAL_END'])(
    'makes no session and takes no question away as its own is over (%s), where a page that it cannot hear went on and is gone',
    async (reason) => {
      await opened()
      const own = service.last()
      service.sessionStore.remove('session')
      const other = service.page({ outboxStore: memoryStore() })
      other.open()
      await pass(100)
      other.dispose()
      service.last().gone = true
      service.publish(own, { type: 'EVENT_TYPE_SHOW_CSAT_REQUEST' })
      await pass(60_000)
      service.over(own, reason)
      await pass(60_000)
      expect(service.sessions.size).toBe(2)
      expect(chat.status.value).toBe(reason === 'REASON_NATURAL_END' ? 'ended' : 'expired')
      expect(chat.csat.value).toEqual({ state: 'asked' })
    },
  )

  it('in the moment of a sign-out in another tab shows nothing of the visitor before', async () => {
    await opened()
    service.faults.swallow = 'lost'
    chat.send('of the one before')
    await pass(10)
    chat.dispose()
    service.faults.swallow = undefined
    chat = service.page()
    chat.open()
    service.sessionStore.set('signed-out', 'elsewhere')
    service.tokens.length = 0
    await pass(3_000)
    expect(screen()).toEqual([])
    expect(service.stored(service.last())).toEqual([])
  })

  it('finds the session of another tab, though this one was ended before it had any', async () => {
    const other = service.page({ outboxStore: memoryStore() })
    other.open()
    await pass(50)
    service.faults.bff = () => service.json({ error: 'down' }, 503)
    chat.open()
    await pass(20)
    chat.end()
    expect(chat.status.value).toBe('ended')
    expect(service.page().carriesOn()).toBe(true)
    other.dispose()
  })

  it('copes with stores that hold anything', async () => {
    service.sessionStore.set('session', '{"id":5,"at":"x"}')
    const nonsense = [
      null,
      5,
      { id: 'a' },
      { id: 'c', text: '', state: 'queued' },
      { id: 'd', text: 'x', state: 'from tomorrow' },
      { id: 5, text: 'x', state: 'queued' },
      { id: 'e', text: { hostile: 1 }, state: 'queued' },
    ]
    const kept = { id: 'b', text: 'kept', state: 'queued', tries: 'x', after: -1, session: 5, at: 'x' }
    service.outboxStore.set('outbox', JSON.stringify({ items: [...nonsense, kept] }))
    const second = service.page()
    second.open()
    await pass(200)
    expect(second.status.value).toBe('live')
    expect(screen(second)).toEqual(['agent: Hello!', 'visitor: kept', 'agent: You said kept'])
    second.dispose()
    for (const text of ['{', 'null', '[]', '{"items":5}', '']) {
      service.outboxStore.set('outbox', text)
      expect(service.page().outbox.value).toEqual([])
    }
  })
})

describe('a disposed chat', () => {
  it('takes nothing from the next visitor, of whom it hears late', () => {
    const out = vi.fn()
    chat = service.page({ onSignedOut: out })
    chat.dispose()
    service.sessionStore.set('signed-out', 'mark')
    service.outboxStore.set('outbox', 'of the next visitor')
    chat.setVisible(true)
    expect(out).not.toHaveBeenCalled()
    expect(service.outboxStore.get('outbox')).toBe('of the next visitor')
  })
})

describe('a site with steps before a chat', () => {
  let asked: string[]
  const begin = () => {
    asked = []
    chat = service.page({ mayBegin: ({ type }) => asked.push(type) === 0 })
  }
  const ended = async (reason: string) => {
    begin()
    await opened()
    service.over(service.last(), reason)
  }
  it.each<[string, string[], () => unknown]>([
    ['before the first one', ['send', 'typed', 'retry', 'restart'], begin],
    [
      'where one of an earlier page is carried on',
      ['restart'],
      () => {
        service.sessionStore.set('session', JSON.stringify({ id: 'earlier', at: Date.now() }))
        begin()
      },
    ],
    [
      'in a running one',
      ['restart'],
      () => {
        begin()
        return opened()
      },
    ],
    ['after the end', ['send', 'typed', 'retry', 'restart'], () => ended('REASON_NATURAL_END')],
    ['after the expiry', ['send', 'typed', 'retry', 'restart'], () => ended('REASON_USER_ABANDONED')],
  ])('is asked about each act that begins another one, and no other: %s', async (_, held, arrive) => {
    await arrive()
    const before = service.sessions.size
    const status = chat.status.value
    chat.restart()
    expect(chat.status.value).toBe(status)
    chat.send('hi')
    chat.typed()
    chat.retry('of an earlier one')
    await pass(100)
    expect(asked.toSorted()).toEqual(held.toSorted())
    if (held.includes('send')) expect(service.sessions.size).toBe(before)
  })
})

describe('a site that is asked about each message before it is sent', () => {
  let asked: { text: string; answer(allowed: boolean): void }[]
  const beforeSend = ({ text }: { text: string }) =>
    new Promise<boolean>((answer) => void asked.push({ text, answer }))
  const texts = () => asked.map(({ text }) => text)
  beforeEach(async () => {
    asked = []
    chat = service.page({ beforeSend })
    await opened()
  })

  it('is asked once, and what follows waits with it, in order', async () => {
    chat.send('one')
    chat.send('two')
    await pass(100)
    expect(screen()).toEqual(['agent: Hello!', 'held: one', 'held: two'])
    asked[1]?.answer(true)
    await pass(100)
    expect(screen()).toEqual(['agent: Hello!', 'held: one', 'queued: two'])
    asked[0]?.answer(true)
    await pass(100)
    expect(service.stored(service.last())).toEqual(['one', 'two'])
    expect(texts()).toEqual(['one', 'two'])
    expect(chat.outbox.value).toEqual([])
  })

  it('ends a wait for the next attempt by its answer, and asks a quiet connection for a sign of life', async () => {
    const heartbeats = () =>
      service.wire.filter(({ direction, text }) => direction === 'out' && text.includes('HEARTBEAT')).length
    chat.send('one')
    await pass(3_000)
    const before = heartbeats()
    asked[0]?.answer(true)
    await pass(100)
    expect(heartbeats()).toBe(before + 1)
    chat.send('two')
    await pass(3_000)
    service.faults.hostDown = true
    service.drop()
    await pass(40_000)
    service.faults.hostDown = false
    asked[1]?.answer(true)
    await pass(2_000)
    expect(screen()).toContain('visitor: two')
  })

  it('keeps a message out, which is nowhere then, with the suggestions that it answered', async () => {
    service.say(service.last(), 'Well?', { response_suggestions: [{ message_text: 'Yes' }] })
    chat.send('no')
    asked[0]?.answer(false)
    await pass(100)
    expect(screen()).toEqual(['agent: Hello!', 'agent: Well?'])
    expect(chat.suggestions.value).toHaveLength(1)
    expect(service.stored(service.last())).toEqual([])
    chat.send('yes')
    asked[1]?.answer(true)
    await pass(1)
    expect(chat.suggestions.value).toEqual([])
  })

  it('is asked once, also where another frame goes out in the same moment', async () => {
    chat.dispose()
    const out: string[] = []
    chat = service.page({
      beforeSend,
      onWire: ({ direction, text }) => direction === 'out' && out.push(text),
    })
    await opened()
    chat.typed()
    await pass(100)
    // The visitor stops typing with the message: the frame that says so goes out as the site is asked.
    chat.send('one')
    await pass(6_000)
    expect(texts()).toEqual(['one'])
    expect(out.filter((text) => text.includes('TYPING_STATE_STOPPED'))).toHaveLength(1)
  })

  it('keeps none out by failing to answer', async () => {
    chat.dispose()
    chat = service.page({ beforeSend: () => Promise.reject(new Error('of the site')) })
    await opened()
    chat.send('one')
    await pass(100)
    expect(service.stored(service.last())).toEqual(['one'])
  })

  it.each([
    [
      'throwing',
      () => {
        throw new Error('of the site')
      },
    ],
    ['answering at once, without a promise', (() => true) as never],
  ])('keeps none out by %s', async (_, beforeSend) => {
    chat.dispose()
    chat = service.page({ beforeSend })
    await opened()
    chat.send('one')
    await pass(100)
    expect(service.stored(service.last())).toEqual(['one'])
  })

  it('that allows what is not sent any more leaves the suggestions of the next conversation', async () => {
    chat.send('late')
    chat.restart()
    await pass(500)
    service.say(service.last(), 'Well?', { response_suggestions: [{ message_text: 'Yes' }] })
    asked[0]?.answer(true)
    await pass(100)
    expect(screen().at(-1)).toBe('failed: late')
    expect(chat.suggestions.value).toHaveLength(1)
  })

  it('that answers once the chat is disposed starts no timer', async () => {
    chat.send('late')
    await pass(100)
    chat.dispose()
    await pass(5_000)
    expect(vi.getTimerCount()).toBe(0)
    asked[0]?.answer(true)
    await pass(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not asked by a chat that was disposed before it began', async () => {
    chat.send('kept')
    chat.dispose()
    service.page({ beforeSend }).dispose()
    await pass(0)
    expect(texts()).toEqual(['kept'])
  })

  it('is asked again after a reload, once the chat is opened, if it had not answered', async () => {
    chat.send('kept')
    await pass(100)
    chat.dispose()
    chat = service.page({ beforeSend })
    chat.setVisible(false)
    expect(texts()).toEqual(['kept'])
    await opened()
    expect(texts()).toEqual(['kept', 'kept'])
    asked[0]?.answer(false)
    asked[1]?.answer(true)
    await pass(100)
    expect(service.stored(service.last())).toEqual(['kept'])
  })

  it('holds nothing on a page that does not ask it', async () => {
    chat.send('kept')
    chat.dispose()
    chat = service.page()
    await opened()
    expect(service.stored(service.last())).toEqual(['kept'])
  })

  it('that never answers for a conversation that was left holds up nothing in the next', async () => {
    chat.send('late')
    chat.restart()
    await pass(500)
    chat.send('two')
    asked[1]?.answer(true)
    await pass(100)
    expect(service.stored(service.last())).toEqual(['two'])
    expect(screen().at(-1)).toBe('held: late')
  })

  it('that answers once the conversation after that of the message expired sends it nowhere', async () => {
    chat.send('late')
    chat.restart()
    await pass(500)
    service.over(service.last(), 'REASON_USER_ABANDONED')
    await pass(100)
    expect(chat.status.value).toBe('expired')
    asked[0]?.answer(true)
    await pass(1_000)
    expect(screen().at(-1)).toBe('failed: late')
    expect([...service.sessions.values()].flatMap((each) => service.stored(each))).toEqual([])
  })

  it('that answers as the conversation of the message expired sends it into the next', async () => {
    chat.send('late')
    service.over(service.last(), 'REASON_USER_ABANDONED')
    await pass(100)
    asked[0]?.answer(true)
    await pass(1_000)
    expect(service.sessions.size).toBe(2)
    expect(service.stored(service.last())).toEqual(['late'])
  })

  it.each(['end', 'restart'] as const)(
    'that answers after `%s` leaves the message to the visitor, who is not asked for again',
    async (act) => {
      chat.send('late')
      chat[act]()
      await pass(100)
      expect(screen().at(-1)).toBe('held: late')
      asked[0]?.answer(true)
      await pass(100)
      expect(screen().at(-1)).toBe('failed: late')
      chat.retry(chat.outbox.value[0]?.id ?? '')
      await pass(500)
      expect(service.stored(service.last())).toEqual(['late'])
      expect(texts()).toEqual(['late'])
    },
  )

  it('that answers after the session expired has the message sent in the next one', async () => {
    chat.send('late')
    service.over(service.last(), 'REASON_USER_ABANDONED')
    await pass(100)
    expect(chat.status.value).toBe('expired')
    expect(service.sessions.size).toBe(1)
    asked[0]?.answer(true)
    await pass(500)
    expect(service.sessions.size).toBe(2)
    expect(service.stored(service.last())).toEqual(['late'])
  })

  it('has no word about what the visitor has signed out of, or taken back', async () => {
    chat.send('taken back')
    chat.discard(chat.outbox.value[0]?.id ?? '')
    chat.send('of the one before')
    void chat.logout()
    await pass(100)
    for (const { answer } of asked) answer(true)
    await pass(500)
    expect(screen()).toEqual([])
    expect([...service.sessions.values()].flatMap((session) => service.stored(session))).toEqual([])
  })
})

describe('inactivity', () => {
  it('warns a minute before the end, and one act keeps the session', async () => {
    await opened()
    await pass(540_000)
    expect(chat.notice.value).toEqual({ kind: 'idle-warning', endsAt: expect.any(Number) })
    chat.keepAlive()
    expect(chat.notice.value).toBeUndefined()
    await pass(530_000)
    expect(chat.status.value).toBe('live')
  })

  it('expires by our own clock where the service says nothing, and keeps the transcript', async () => {
    await opened()
    await pass(605_000)
    expect(chat.status.value).toBe('expired')
    expect(screen()).toEqual(['agent: Hello!'])
    expect(service.open()).toEqual([])
  })

  it('makes no new session until the visitor types, then moves the words into it', async () => {
    await opened()
    await pass(605_000)
    chat.open()
    chat.wake()
    await pass(60_000)
    expect(service.sessions.size).toBe(1)
    chat.typed()
    await pass(100)
    expect(service.sessions.size).toBe(2)
    chat.send('still here')
    await pass(100)
    expect(screen()).toEqual([
      'agent: Hello!',
      '--- expired',
      'agent: Hello!',
      'visitor: still here',
      'agent: You said still here',
    ])
  })

  it('moves a message that was on its way as the session expired, once', async () => {
    await opened()
    service.faults.swallow = 'lost'
    chat.send('just now')
    await pass(20)
    service.faults.swallow = undefined
    service.over(service.last(), 'REASON_USER_ABANDONED')
    await pass(500)
    expect(service.sessions.size).toBe(2)
    expect(service.stored(service.last())).toEqual(['just now'])
  })

  it('does not count while a person is present or awaited', async () => {
    await opened()
    const before = chat.agent.value
    expect(before).toMatchObject({ name: 'Ada', live: false })
    service.publish(service.last(), { type: 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF' })
    await pass(1_000_000)
    expect(chat.status.value).toBe('live')
    service.publish(service.last(), {
      type: 'EVENT_TYPE_LIVE_AGENT_JOINED',
      payload: { agent: { name: 'Sarah' } },
    })
    await pass(1_000_000)
    expect(chat.status.value).toBe('live')
    expect(chat.agent.value).toMatchObject({ name: 'Sarah', live: true })
    service.publish(service.last(), { type: 'EVENT_TYPE_LIVE_AGENT_LEFT' })
    await pass(50)
    expect(chat.agent.value).toEqual(before)
    await pass(605_000)
    expect(chat.status.value).toBe('expired')
  })
})

describe('the end', () => {
  it('comes by the visitor, and a new chat starts below a line', async () => {
    await opened()
    chat.end()
    await pass(50)
    expect(chat.status.value).toBe('ended')
    expect(service.last().state).toBe('ended')
    chat.restart()
    await pass(100)
    expect(screen()).toEqual(['agent: Hello!', '--- ended', 'agent: Hello!'])
  })

  it('comes by a message of the agent', async () => {
    await opened()
    service.say(service.last(), 'Goodbye', { end_conversation: true })
    expect(chat.status.value).toBe('ended')
    expect(screen()).toEqual(['agent: Hello!', 'agent: Goodbye'])
  })

  it('is declared after 5 s where the service does not answer', async () => {
    await opened()
    service.faults.swallow = 'lost'
    chat.end()
    await pass(5_100)
    expect(chat.status.value).toBe('ended')
  })

  it('of a session whose replay does not show a message leaves it to the visitor, as not sent', async () => {
    await opened()
    service.faults.swallow = 'lost'
    chat.send('perhaps')
    await pass(20)
    service.faults.swallow = undefined
    service.over(service.last(), 'REASON_NATURAL_END')
    await pass(100)
    expect(chat.status.value).toBe('ended')
    expect(screen()).toEqual(['agent: Hello!', 'failed: perhaps'])
    expect(service.sessions.size).toBe(1)
  })

  it('lets a restart end the running session first', async () => {
    await opened()
    const first = service.last()
    chat.restart()
    await pass(100)
    expect(service.sessions.size).toBe(2)
    expect(first.state).toBe('ended')
    expect(service.last().state).toBe('active')
    expect(screen()).toEqual(['agent: Hello!', '--- restarted', 'agent: Hello!'])
    // Over its own socket: no other is opened to say so.
    await pass(5_000)
    expect(service.sockets).toHaveLength(2)
    // And only that one: the next has its own.
    chat.suspend()
    await pass(100)
    expect(service.last().state).toBe('active')
  })
})

describe('a first connection that takes long', () => {
  /** What a request without an answer comes to. */
  const silence = () =>
    new Promise<Response>((_, give) =>
      setTimeout(() => give(new DOMException('The request took too long', 'AbortError')), 10_000),
    )
  it.each([
    ['gives no answer', silence],
    ['fails', () => new Response('', { status: 500 })],
  ])('is spoken of from 4 s on until it is there, where the BFF %s', async (_, bff) => {
    service.faults.bff = bff
    chat.send('Hello')
    const notices: unknown[] = []
    chat.notice.subscribe((notice) => notices.push(notice?.kind))
    await pass(3_900)
    expect(notices).toEqual([undefined])
    await pass(200)
    expect(notices).toEqual([undefined, 'reconnecting'])
    // Over several attempts, and whatever the visitor does.
    await pass(45_000)
    chat.wake()
    await pass(45_000)
    expect(notices).toEqual([undefined, 'reconnecting'])
    expect(chat.status.value).toBe('connecting')
    expect(chat.outbox.value).toMatchObject([{ text: 'Hello', state: 'queued' }])
    service.faults.bff = undefined
    await pass(30_000)
    expect(notices).toEqual([undefined, 'reconnecting', undefined])
    expect(service.stored(service.last())).toEqual(['Hello'])
  })

  it('counts from its first attempt, and anew after the visitor has tried again', async () => {
    service.faults.bff = () => service.json({ error: 'This origin may not ask' }, 403)
    chat.open()
    await pass(10_000)
    expect(chat.notice.value).toEqual({ kind: 'unavailable', cause: 'refused' })
    service.faults.bff = silence
    chat.open()
    await pass(3_900)
    expect(chat.notice.value).toBeUndefined()
    await pass(200)
    expect(chat.notice.value).toEqual({ kind: 'reconnecting' })
  })

  it('does not flicker when a socket opens and closes at once', async () => {
    service.faults.refuseSockets = true
    chat.open()
    const notices: unknown[] = []
    chat.notice.subscribe((notice) => notices.push(notice?.kind))
    await pass(60_000)
    expect(notices).toEqual([undefined, 'reconnecting'])
    service.faults.refuseSockets = false
    await pass(30_000)
    expect(notices).toEqual([undefined, 'reconnecting', undefined])
  })
})

describe('the token endpoint', () => {
  it('is asked again with growing pauses while it fails', async () => {
    service.faults.bff = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
    chat.open()
    await pass(60_000)
    expect(chat.status.value).toBe('connecting')
    expect(chat.notice.value).toEqual({ kind: 'reconnecting' })
    expect(service.requests.length).toBeLessThanOrEqual(10)
    service.faults.bff = undefined
    await pass(31_000)
    expect(chat.status.value).toBe('live')
  })

  it('is left in peace for as long as Retry-After says, whoever is impatient', async () => {
    service.faults.bff = () => service.json({ error: 'slow down' }, 429, { 'retry-after': '60' })
    chat.send('patience')
    await pass(100)
    for (let second = 0; second < 59; second++) {
      chat.wake()
      await pass(1_000)
    }
    expect(service.requests).toHaveLength(1)
    service.faults.bff = undefined
    await pass(3_000)
    expect(service.stored(service.last())).toEqual(['patience'])
  })

  describe.each([401, 403, 404])('that answers %i for some seconds', (status) => {
    it.each(['bff', 'host'] as const)(
      'at the first contact (%s) is asked once more by itself, and gets what was written',
      async (who) => {
        service.faults[who] = () => service.json({ error: 'not yet' }, status)
        chat.open()
        await pass(100)
        chat.send('meanwhile')
        await pass(100)
        expect(chat.status.value).toBe('unavailable')
        await pass(5_000)
        service.faults[who] = undefined
        await pass(16_000)
        expect(chat.status.value).toBe('live')
        expect(service.stored(service.last())).toEqual(['meanwhile'])
        expect(service.sessions.size).toBe(1)
      },
    )
  })

  it.each([
    ['is sent again', (id: string) => chat.retry(id)],
    ['is typed behind', () => chat.typed()],
  ])('that refuses for a while is asked again when a message that waits %s', async (_, act) => {
    service.faults.bff = () => service.json({ error: 'not yet' }, 403)
    const id = chat.send('meanwhile') ?? ''
    await pass(600_000)
    expect(chat.status.value).toBe('unavailable')
    service.faults.bff = undefined
    act(id)
    await pass(200)
    expect(service.stored(service.last())).toEqual(['meanwhile'])
  })

  it('that refuses for good is asked once more, and then not until the visitor does', async () => {
    service.faults.bff = () => service.json({ error: 'This origin may not ask' }, 403)
    chat.open()
    await pass(600_000)
    expect(service.requests).toHaveLength(2)
    expect(chat.status.value).toBe('unavailable')
    service.faults.bff = undefined
    chat.open()
    await pass(100)
    expect(chat.status.value).toBe('live')
  })

  it.each([
    ['no JSON', () => new Response('<html>', { status: 200 })],
    ['no token', () => new Response('{"expires_in":5,"chat_url":"https://chat.example.com"}')],
    ['a list', () => new Response('[]')],
    ['null', () => new Response('null')],
  ])('that answers %s counts as failing, never as an answer', async (_, answer) => {
    service.faults.bff = answer
    chat.open()
    await pass(3_000)
    expect(chat.status.value).toBe('connecting')
  })
})

describe('typing', () => {
  const told = () =>
    service.wire
      .filter((note) => note.direction === 'out' && note.text.includes('TYPING'))
      .map((note) => note.text.match(/STATE_(\w+)/)?.[1])

  it('of the visitor is told at most every 3 s, and its rest after 5 s', async () => {
    await opened()
    for (let key = 0; key < 8; key++) {
      chat.typed()
      await pass(500)
    }
    expect(told()).toEqual(['STARTED', 'STARTED'])
    await pass(5_000)
    expect(told()).toEqual(['STARTED', 'STARTED', 'STOPPED'])
  })

  it('of the visitor ends with the message, and is told only where its beginning was', async () => {
    await opened()
    chat.send('pasted')
    await pass(50)
    expect(told()).toEqual([])
    chat.typed()
    await pass(50)
    chat.send('typed')
    await pass(6_000)
    expect(told()).toEqual(['STARTED', 'STOPPED'])
  })

  it('of the visitor is told late where the last was told less than 3 s before, and not after its message', async () => {
    await opened()
    chat.typed()
    await pass(50)
    chat.send('typed')
    await pass(50)
    // A few quick keys.
    chat.typed()
    await pass(2_500)
    expect(told()).toEqual(['STARTED', 'STOPPED'])
    await pass(700)
    expect(told()).toEqual(['STARTED', 'STOPPED', 'STARTED'])
    await pass(6_000)
    expect(told()).toEqual(['STARTED', 'STOPPED', 'STARTED', 'STOPPED'])
    await pass(3_000)
    chat.typed()
    await pass(50)
    chat.send('once')
    await pass(50)
    chat.typed()
    await pass(50)
    chat.send('twice')
    await pass(6_000)
    expect(told().slice(4)).toEqual(['STARTED', 'STOPPED'])
  })

  it('of the agent is shown from thinking to the answer, or for 60 s', async () => {
    service.faults.autoReply = false
    await opened()
    service.publish(service.last(), { type: 'EVENT_TYPE_POLY_AGENT_THINKING' }, false)
    expect(chat.typing.value).toEqual({ role: 'agent' })
    service.say(service.last(), 'here')
    expect(chat.typing.value).toBeUndefined()
    service.publish(service.last(), { type: 'EVENT_TYPE_POLY_AGENT_THINKING' }, false)
    await pass(60_000)
    expect(chat.typing.value).toBeUndefined()
  })
})

describe('system messages', () => {
  const system = (message: string, custom?: Record<string, string>) =>
    service.publish(
      service.last(),
      {
        type: 'EVENT_TYPE_SYSTEM_MESSAGE',
        payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message },
        ...(custom && { metadata: { custom } }),
      },
      false,
    )

  it('that a visitor can read are shown', async () => {
    await opened()
    system('Sorry, I encountered an error. Please try again.')
    expect(screen().at(-1)).toBe('* error Sorry, I encountered an error. Please try again.')
  })

  it('about our own frames are told to developers and not shown', async () => {
    await opened()
    const errors: string[] = []
    chat.on('error', ({ code }) => errors.push(code))
    system('Event type not allowed: EVENT_TYPE_USER_MESSAGE')
    expect(errors).toEqual(['protocol'])
    expect(screen()).toEqual(['agent: Hello!'])
  })

  it('about a high load have the message sent again after 2 to 5 s', async () => {
    await opened()
    service.faults.swallow = 'lost'
    const id = chat.send('busy') ?? ''
    await pass(20)
    service.faults.swallow = undefined
    system('We are under high load at the moment', { client_event_id: id })
    await pass(1_900)
    expect(service.stored(service.last())).toEqual([])
    await pass(3_200)
    expect(service.stored(service.last())).toEqual(['busy'])
  })

  it('about an unknown session get a new one', async () => {
    await opened()
    system('Error: Session not found')
    await pass(200)
    expect(service.sessions.size).toBe(2)
  })

  it('about an unknown conversation ask the agent to join again', async () => {
    await opened()
    const joins = () =>
      service.last().events.filter((event) => event.type === 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN').length
    expect(joins()).toBe(1)
    system('Error: Conversation not found')
    await pass(900)
    expect(joins()).toBe(1)
    await pass(200)
    expect(joins()).toBe(2)
  })

  it('about a message that reached no live agent let the visitor send it again', async () => {
    await opened()
    service.faults.swallow = 'lost'
    const id = chat.send('for Sarah') ?? ''
    await pass(20)
    service.faults.swallow = undefined
    system('Failed to forward message to live agent', { client_event_id: id })
    expect(screen().at(-1)).toBe('failed: for Sarah')
    chat.retry(id)
    await pass(50)
    expect(service.stored(service.last())).toEqual(['for Sarah'])
  })
})

describe('suggestions', () => {
  it('are those of the last message, and gone once anything is sent', async () => {
    await opened()
    service.say(service.last(), 'Choose', {
      response_suggestions: [{ message_text: 'A' }, { nonsense: true }],
    })
    expect(chat.suggestions.value).toEqual([{ message_text: 'A' }])
    chat.send('B')
    expect(chat.suggestions.value).toEqual([])
  })
})

describe('what came unseen', () => {
  it('is counted until the panel is shown', async () => {
    await opened()
    chat.setShown(false)
    service.say(service.last(), 'one')
    service.say(service.last(), 'two')
    expect(chat.unread.value).toBe(2)
    chat.setShown(true)
    expect(chat.unread.value).toBe(0)
  })

  it.each([
    ['in this page', () => chat.logout()],
    [
      'in another tab',
      () => {
        service.sessionStore.set('signed-out', 'there')
        chat.wake()
      },
    ],
  ])(
    'is nothing any more once the visitor has signed out %s, and the page is told so',
    async (_, signOut) => {
      await opened()
      chat.setShown(false)
      service.say(service.last(), 'for one person')
      expect(chat.unread.value).toBe(1)
      const counts: number[] = []
      chat.on('unread', ({ count }) => counts.push(count))
      void signOut()
      await pass(100)
      expect(chat.unread.value).toBe(0)
      expect(counts).toEqual([0])
    },
  )
})

describe('a sign-out in another tab, of which this page heard nothing', () => {
  it.each<[string, () => unknown]>([
    ['is opened', () => chat.open()],
    ['is written in', () => chat.send('of the next person')],
    ['is come back to', () => chat.wake()],
    ['is seen', () => chat.setVisible(true)],
  ])('counts as soon as the page %s', async (_, act) => {
    await opened()
    const first = service.last()
    service.sessionStore.set('signed-out', 'there')
    act()
    expect(screen().filter((line) => line.startsWith('agent'))).toEqual([])
    await pass(500)
    expect(service.stored(first)).toEqual([])
  })
})

describe('a sign-out whose mark no store took', () => {
  /** A browser that had a sign-out before; its store can deny everything, or take nothing more. */
  async function signedIn() {
    const inner = memoryStore()
    inner.set('signed-out', 'earlier')
    const at: { fails?: 'denied' | 'full' | undefined } = {}
    const sessionStore = {
      get: (key: string) => (at.fails === 'denied' ? undefined : inner.get(key)),
      set: (key: string, value: string) => void (at.fails || inner.set(key, value)),
      remove: (key: string) => void (at.fails === 'denied' || inner.remove(key)),
    }
    chat = service.page({ sessionStore, outboxStore: memoryStore() })
    await opened()
    return { at, inner }
  }

  it('does not sign out the next visitor once the store gives an earlier mark back', async () => {
    const { at } = await signedIn()
    at.fails = 'denied'
    void chat.logout()
    await pass(50)
    chat.restart()
    await pass(100)
    service.faults.swallow = 'lost'
    chat.send('waits')
    at.fails = undefined
    chat.setVisible(true)
    await pass(10)
    expect(chat.status.value).toBe('live')
    expect(screen()).toEqual(['agent: Hello!', 'sent: waits'])
  })

  it('leaves the next visitor their first session where the store is full', async () => {
    const { at } = await signedIn()
    at.fails = 'full'
    void chat.logout()
    await pass(50)
    chat.restart()
    await pass(1_000)
    expect(chat.status.value).toBe('live')
  })

  it('is followed by those of others, each of which counts once', async () => {
    const { at, inner } = await signedIn()
    at.fails = 'full'
    void chat.logout()
    await pass(50)
    const next = async () => {
      chat.restart()
      await pass(1_000)
      expect(chat.status.value).toBe('live')
    }
    for (const mark of ['second', 'third']) {
      await next()
      inner.set('signed-out', mark)
      chat.setVisible(true)
      expect([chat.status.value, ...screen()]).toEqual(['ended'])
    }
    await next()
    inner.set('signed-out', 'second')
    chat.setVisible(true)
    expect(chat.status.value).toBe('live')
  })
})

describe('a disposed chat', () => {
  it('leaves no socket and no timer, and does nothing any more', async () => {
    await opened()
    chat.dispose()
    expect(service.open()).toEqual([])
    await pass(20_000)
    expect(vi.getTimerCount()).toBe(0)
    chat.send('nothing')
    chat.open()
    await pass(10_000)
    expect(service.sockets).toHaveLength(1)
  })
  it('tries no more to tell the service of an end', async () => {
    await opened()
    const first = service.last()
    first.gone = true
    service.drop()
    chat.restart()
    await pass(10_000)
    expect(chat.status.value).toBe('live')
    const tries = () => service.sockets.filter(({ url }) => url.includes(`${first.id}&`)).length
    const before = tries()
    expect(before).toBeGreaterThan(2)
    chat.dispose()
    await pass(60_000)
    expect(tries()).toBe(before)
    expect(vi.getTimerCount()).toBe(0)
  })
})
