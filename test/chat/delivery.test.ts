// What a visitor and an agent said arrives once and whole, whatever happens to sockets, clocks and services.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Chat } from '../../src/chat/index.ts'
import { createService, createSleepingClock, pass } from './service.ts'

let service: ReturnType<typeof createService>
let clock: ReturnType<typeof createSleepingClock>
let chat: Chat

beforeEach(() => {
  vi.useFakeTimers()
  service = createService()
  clock = createSleepingClock()
  chat = service.page({ clock })
})
afterEach(() => {
  chat.dispose()
  vi.useRealTimers()
})

const screen = (of: Chat = chat) => [
  ...of.transcript.value.map((entry) => {
    if (entry.kind === 'message') return `${entry.role}: ${entry.content.value.pieces.join('')}`
    return entry.kind === 'divider' ? `--- ${entry.reason}` : `* ${entry.notice}`
  }),
  ...of.outbox.value.map((item) => `${item.state}: ${item.text}`),
]
const opened = async () => {
  chat.open()
  await pass(100)
  expect(chat.status.value).toBe('live')
  return service.last()
}
/** How often each text stands in the service's store, over all sessions. */
const copies = () => {
  const count: Record<string, number> = {}
  for (const session of service.sessions.values())
    for (const text of service.stored(session)) count[String(text)] = (count[String(text)] ?? 0) + 1
  return count
}
const said = (text: string) =>
  service.wire.filter((note) => note.direction === 'out' && note.text.includes(`"text":"${text}"`)).length
const chunk = (text: string, index: number | undefined, more: object = {}) =>
  service.publish(service.last(), {
    type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
    payload: { message_id: 'x', text, chunk_index: index, is_complete: false, ...more },
  })
const answer = (key = 'x') => {
  const entry = chat.transcript.value.find((each) => each.kind === 'message' && each.key === key)
  if (entry?.kind !== 'message') throw new Error(`no answer ${key} is shown`)
  return { text: entry.content.value.pieces.join(''), complete: entry.content.value.complete }
}

const SLEEPS = [
  ['counts', 'goes on'],
  ['stands still', 'stands still'],
] as const

describe.each(SLEEPS)('a machine that sleeps while its monotonic clock %s', (kind) => {
  /** The connection breaks, and the session is gone when the machine wakes, eight hours later. */
  async function sleepsOver(session: Awaited<ReturnType<typeof opened>>) {
    service.faults.hostDown = true
    service.drop()
    await pass(20)
    clock.sleep(8 * 3_600_000, kind)
    session.gone = true
    service.faults.hostDown = false
  }

  it('sends nothing again that the old session has, however long it slept', async () => {
    const session = await opened()
    service.faults.swallow = 'stored'
    chat.send('taken')
    await pass(20)
    service.faults.swallow = undefined
    service.vanish()
    clock.sleep(601_000, kind)
    service.over(session, 'REASON_USER_ABANDONED')
    await pass(30_000)
    expect(copies()).toEqual({ taken: 1 })
    expect(service.sessions.size).toBe(1)
    expect(screen()).toContain('visitor: taken')
    expect(chat.status.value).toBe('expired')
  })

  it('moves what the old session shows missing, once, into one new session', async () => {
    const session = await opened()
    service.vanish()
    chat.send('never taken')
    await pass(20)
    clock.sleep(601_000, kind)
    service.over(session, 'REASON_USER_ABANDONED')
    await pass(30_000)
    expect(copies()).toEqual({ 'never taken': 1 })
    expect(service.stored(service.last())).toEqual(['never taken'])
    expect(service.sessions.size).toBe(2)
  })

  it('shows an answer that was given meanwhile, before the session is over', async () => {
    // A live service says nothing of inactivity: the client applies the rule by itself.
    service.faults.sessionIdle = undefined
    const session = await opened()
    service.vanish()
    service.say(session, 'given at night')
    clock.sleep(8 * 3_600_000, kind)
    await pass(30_000)
    expect(screen().slice(0, 2)).toEqual(['agent: Hello!', 'agent: given at night'])
    expect(service.sessions.size).toBe(1)
  })

  it('asks the old session first, and counts it as over only after its replay', async () => {
    service.faults.sessionIdle = undefined
    await opened()
    service.vanish()
    service.faults.hostDown = true
    clock.sleep(3_600_000, kind)
    await pass(60_000)
    expect(chat.status.value).toBe('reconnecting')
    service.faults.hostDown = false
    chat.wake()
    await pass(20_000)
    expect(chat.status.value).toBe('expired')
    expect(service.sessions.size).toBeLessThanOrEqual(2)
  })

  it('says that the conversation expired, though the site allows a message as the machine wakes', async () => {
    let allow = (_: boolean) => {}
    chat.dispose()
    chat = service.page({
      clock,
      beforeSend: () =>
        new Promise((answer) => {
          allow = answer
        }),
    })
    const session = await opened()
    chat.send('before the night')
    await pass(20)
    await sleepsOver(session)
    allow(true)
    await pass(30_000)
    expect(screen().slice(0, 2)).toEqual(['agent: Hello!', '--- expired'])
    expect(copies()).toEqual({ 'before the night': 1 })
  })

  it.each<[string, () => unknown, string, string[]]>([
    ['types', () => chat.typed(), 'expired', ['agent: Hello!']],
    [
      'sends',
      () => void chat.send('good morning'),
      'live',
      ['agent: Hello!', '--- expired', 'agent: Hello!'],
    ],
    ['wants to keep the conversation', () => chat.keepAlive(), 'expired', ['agent: Hello!']],
  ])(
    'counts the conversation as expired, not as lost, though the visitor %s as the machine wakes',
    async (_, act, status, shown) => {
      const session = await opened()
      await sleepsOver(session)
      act()
      await pass(30_000)
      expect(chat.status.value).toBe(status)
      expect(screen().slice(0, 3)).toEqual(shown)
    },
  )

  it('makes a session that the visitor waits for, though it had made as many as it may just before', async () => {
    await opened()
    const disown = async () => {
      service.publish(
        service.last(),
        { type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { message: 'Error: Session not found' } },
        false,
      )
      await pass(200)
    }
    for (let count = 0; count < 3; count++) await disown()
    expect(service.sessions.size).toBe(4)
    clock.sleep(60_000, kind)
    await disown()
    expect(chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(5)
  })
})

describe('a session that rested by our own clock', () => {
  it('has rested since the service heard of the typing, not since the visitor typed while it was away', async () => {
    await opened()
    service.faults.hostDown = true
    service.drop()
    await pass(20)
    chat.typed()
    await pass(150_000)
    service.faults.hostDown = false
    await pass(20_000)
    expect(chat.status.value).toBe('live')
    await pass(450_000)
    expect(chat.status.value).toBe('live')
    await pass(160_000)
    expect(chat.status.value).toBe('expired')
  })

  it('is replayed once before it is over, and goes on where a lost event shows that it does', async () => {
    service.faults.sessionIdle = undefined
    const session = await opened()
    await pass(300_000)
    service.publish(
      session,
      { type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', payload: { message_id: 'm', text: 'lost on the way' } },
      true,
      false,
    )
    await pass(303_000)
    expect(screen()).toEqual(['agent: Hello!', 'agent: lost on the way'])
    expect(chat.status.value).toBe('live')
    expect(service.sockets).toHaveLength(2)
    await pass(603_000)
    expect(chat.status.value).toBe('expired')
    expect(service.sockets).toHaveLength(3)
  })
  it.each(SLEEPS)('is over without a warning after a sleep (a clock that %s)', async (kind) => {
    service.faults.sessionIdle = undefined
    await opened()
    await pass(545_000)
    expect(chat.notice.value?.kind).toBe('idle-warning')
    const notices: unknown[] = []
    service.vanish()
    clock.sleep(900_000, kind)
    chat.wake()
    chat.notice.subscribe((notice) => notices.push(notice?.kind))
    await pass(10_000)
    expect(chat.status.value).toBe('expired')
    expect(notices).not.toContain('idle-warning')
  })
  it.each(SLEEPS)(
    'waits behind its replay after a sleep too: more of it may follow (a clock that %s)',
    async (kind) => {
      service.faults.sessionIdle = undefined
      const session = await opened()
      await pass(100_000)
      service.vanish()
      clock.sleep(3_600_000, kind)
      chat.wake()
      for (let waited = 0; waited < 10_000 && service.sockets.length < 2; waited += 10) await pass(10)
      await pass(50)
      expect(service.wire.at(-1)?.text).toBe('live')
      await pass(1_000)
      service.say(session, 'said at night, and sent late')
      await pass(1_500)
      expect(screen()).toEqual(['agent: Hello!', 'agent: said at night, and sent late'])
    },
  )
  it('is over 2 s after it was asked, though no socket lives that long', async () => {
    service.faults.sessionIdle = undefined
    await opened()
    await pass(602_100)
    for (let times = 0; times < 20; times++) {
      await pass(600)
      service.drop()
    }
    expect(chat.status.value).toBe('expired')
  })
  it('is over after two more sockets of a service that warns anew on each', async () => {
    service.faults.sessionIdle = undefined
    const warn = () => service.publish(service.last(), { type: 'EVENT_TYPE_SESSION_IDLE_WARNING' }, false)
    chat = service.page({
      clock,
      onWire: ({ text }) =>
        void (text === 'socket open' && service.sockets.length > 1 && setTimeout(warn, 3)),
    })
    await opened()
    await pass(602_100)
    expect(chat.notice.value?.kind).toBe('idle-warning')
    await pass(598_000)
    expect(chat.status.value).toBe('expired')
    expect(service.sockets).toHaveLength(3)
  })
})

describe('the end of a session', () => {
  /** What the service sends over the last socket: a batch, or the echo of the heartbeat that was sent last. */
  const batch = (...events: object[]) =>
    service.sockets.at(-1)?.receive(JSON.stringify({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events } }))
  const heartbeats = () =>
    service.wire.filter((note) => note.direction === 'out' && note.text.includes('HEARTBEAT'))
  const echo = () =>
    service.sockets
      .at(-1)
      ?.receive(JSON.stringify({ ...JSON.parse(heartbeats().at(-1)?.text ?? '{}'), sequence: null }))

  it('says nothing of what was sent until the replay has come to it, whatever heartbeat is echoed before', async () => {
    const session = await opened()
    service.faults.swallow = 'stored'
    chat.send('taken')
    await pass(20)
    service.faults.swallow = undefined
    service.faults.noBatch = true
    service.over(session, 'REASON_NATURAL_END')
    await pass(100)
    expect(chat.status.value).toBe('reconnecting')
    const [first, ...rest] = session.events
    batch(first ?? {})
    echo()
    await pass(10)
    expect(screen()).toEqual(['agent: Hello!', 'sent: taken'])
    const asked = heartbeats().length
    echo()
    await pass(10)
    expect(heartbeats()).toHaveLength(asked)
    batch(...rest)
    await pass(10)
    expect(chat.status.value).toBe('ended')
    expect(screen()).toEqual(['agent: Hello!', 'visitor: taken', 'agent: You said taken'])
  })

  it.each([
    ['the last part', 'EVENT_TYPE_POLY_AGENT_LEFT'],
    ['a last part that holds nothing readable', 'EVENT_TYPE_OF_TOMORROW'],
  ])(
    'is asked for once more behind %s of the replay, however many parts come behind an echo',
    async (_, type) => {
      const session = await opened()
      for (let count = 0; count < 9; count++) service.say(session, `answer ${count}`)
      await pass(20)
      service.faults.swallow = 'lost'
      chat.send('never taken')
      await pass(20)
      service.faults.swallow = undefined
      service.publish(session, { type, payload: {} })
      await pass(20)
      service.faults.noBatch = true
      service.faults.silentHeartbeats = true
      // Not an event of the history: the replay ends without it.
      const payload = { reason: 'REASON_NATURAL_END' }
      service.publish(session, { type: 'EVENT_TYPE_SESSION_END', payload }, false)
      await pass(100)
      const asked = heartbeats().length
      echo()
      await pass(10)
      for (const event of session.events.slice(0, -1)) {
        batch(event)
        await pass(10)
        expect(heartbeats()).toHaveLength(asked)
      }
      batch(session.events.at(-1) ?? {})
      await pass(10)
      expect(heartbeats()).toHaveLength(asked + 1)
      expect(chat.status.value).toBe('reconnecting')
      echo()
      await pass(10)
      expect(chat.status.value).toBe('ended')
      expect(screen()).toContain('failed: never taken')
    },
  )

  describe.each(['REASON_NATURAL_END', 'REASON_USER_ABANDONED'])('(%s) during a replay', (reason) => {
    /** The message is stored, its echo lost; of the next replay half has come when the session ends. */
    const halfReplayed = async () => {
      const session = await opened()
      service.faults.swallow = 'stored'
      chat.send('taken')
      await pass(20)
      service.faults.swallow = undefined
      service.faults.noBatch = true
      service.faults.silentHeartbeats = true
      service.drop()
      await pass(1_500)
      expect(service.open()).toHaveLength(1)
      const socket = service.sockets.at(-1)
      socket?.receive({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: session.events.slice(0, 1) } })
      service.publish(session, { type: 'EVENT_TYPE_SESSION_END', payload: { reason } }, true, false)
      session.state = 'ended'
      return { session, tellEnd: () => service.sockets.at(-1)?.receive(session.events.at(-1) ?? '') }
    }

    it('proves nothing of what was sent: one more replay does, and nothing is sent twice', async () => {
      const { tellEnd } = await halfReplayed()
      service.faults.noBatch = false
      tellEnd()
      await pass(3_000)
      expect(copies()).toEqual({ taken: 1 })
      expect(screen()).toEqual(['agent: Hello!', 'visitor: taken', 'agent: You said taken'])
    })
    it('hides nothing of what the replay has still to tell, though nothing was sent', async () => {
      const session = await opened()
      service.vanish()
      service.say(session, 'while it was away')
      service.faults.noBatch = true
      service.faults.silentHeartbeats = true
      service.drop()
      await pass(1_500)
      expect(chat.status.value).toBe('reconnecting')
      const [first] = session.events
      service.sockets.at(-1)?.receive({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: [first] } })
      service.faults.noBatch = false
      service.over(session, reason)
      await pass(3_000)
      expect(screen()).toEqual(['agent: Hello!', 'agent: while it was away'])
      expect(chat.status.value).toBe(reason === 'REASON_NATURAL_END' ? 'ended' : 'expired')
    })
    it('that is told anew on each socket is asked for once more, and leaves open what became of it', async () => {
      const { tellEnd } = await halfReplayed()
      const before = service.sockets.length
      tellEnd()
      await pass(1_000)
      expect(service.sockets).toHaveLength(before + 1)
      tellEnd()
      await pass(120_000)
      expect(service.sockets).toHaveLength(before + 1)
      expect(copies()).toEqual({ taken: 1 })
      expect(screen()).toEqual(['agent: Hello!', 'unconfirmed: taken'])
    })
  })
  it('that happens right behind the whole replay proves what was not taken, on the same socket', async () => {
    const session = await opened()
    service.faults.swallow = 'lost'
    chat.send('never taken')
    await pass(20)
    service.faults.swallow = undefined
    service.faults.noBatch = true
    service.drop()
    await pass(1_500)
    const before = service.sockets.length
    batch(...session.events)
    service.over(session, 'REASON_NATURAL_END')
    await pass(1_000)
    expect(chat.status.value).toBe('ended')
    expect(screen()).toEqual(['agent: Hello!', 'failed: never taken'])
    expect(service.sockets).toHaveLength(before)
  })

  it('that went into a dead socket reaches the service though the visitor begins anew at once', async () => {
    const session = await opened()
    service.vanish()
    chat.end()
    await pass(100)
    chat.restart()
    await pass(5_000)
    expect(chat.status.value).toBe('live')
    expect(chat.sessionId.value).not.toBe(session.id)
    expect(session.state).toBe('ended')
    expect(service.open()).toHaveLength(1)
  })

  it('that no replay shows leaves open what became of what was sent', async () => {
    const session = await opened()
    service.faults.swallow = 'stored'
    chat.send('taken')
    await pass(20)
    service.faults.swallow = undefined
    service.faults.noBatch = true
    service.over(session, 'REASON_NATURAL_END')
    const begun = new Set(service.sockets)
    for (let second = 0; second < 90; second++) {
      const socket = service.sockets.at(-1)
      if (socket?.readyState === 1 && !begun.has(socket)) {
        begun.add(socket)
        batch(session.events[0] ?? {})
        echo()
      }
      await pass(1_000)
    }
    expect(chat.status.value).toBe('ended')
    expect(screen()).toEqual(['agent: Hello!', 'unconfirmed: taken'])
  })
})

describe('a jump of the wall clock alone', () => {
  it('asks the service for the session of the page before, whatever day the clock says it is', async () => {
    const session = await opened()
    chat.send('before')
    await pass(50)
    chat.dispose()
    clock.sleep(90_000_000, 'stands still')
    chat = service.page({ clock })
    await opened()
    expect(chat.sessionId.value).toBe(session.id)
    expect(screen()).toContain('visitor: before')
  })

  it('says nothing of a lost session to a visitor who comes back another day', async () => {
    await opened()
    chat.dispose()
    service.faults.noCookie = true
    clock.sleep(90_000_000, 'stands still')
    chat = service.page({ clock })
    await opened()
    expect(service.sessions.size).toBe(2)
    expect(screen()).toEqual(['agent: Hello!'])
  })

  it('ends no session whose socket proves that it outlived it', async () => {
    service.faults.sessionIdle = undefined
    await opened()
    clock.sleep(86_400_000, 'stands still')
    await pass(60_000)
    expect(chat.status.value).toBe('live')
    expect(service.sockets).toHaveLength(1)
  })
})

describe('a jump of the wall clock while the socket is dead', () => {
  it('ends no session that the service still has, and says', async () => {
    const session = await opened()
    service.vanish()
    clock.sleep(86_400_000, 'stands still')
    await pass(30_000)
    expect(chat.status.value).toBe('live')
    service.say(session, 'still here')
    expect(screen()).toEqual(['agent: Hello!', 'agent: still here'])
  })
})

describe('an item of the outbox', () => {
  it.each([
    ['sent', 'unconfirmed', 'stored'],
    ['never sent', 'failed', undefined],
  ] as const)(
    'that was %s is %s in another tab’s session, and goes there only by hand',
    async (_, state, swallow) => {
      await opened()
      service.faults.swallow = swallow
      if (swallow === undefined) {
        service.faults.hostDown = true
        service.drop()
      }
      chat.send('for the first session')
      await pass(20)
      chat.dispose()
      Object.assign(service.faults, { swallow: undefined, hostDown: false })
      const other = service.page({ outboxStore: undefined })
      other.restart()
      await pass(100)
      expect(service.sessions.size).toBe(2)
      const copiesBefore = copies()
      const back = service.page()
      back.open()
      await pass(500)
      expect(back.sessionId.value).toBe(other.sessionId.value)
      expect(back.outbox.value.map((item) => item.state)).toEqual([state])
      expect(copies()).toEqual(copiesBefore)
      back.retry(back.outbox.value[0]?.id ?? '')
      await pass(50)
      expect(service.stored(service.last())).toEqual(['for the first session'])
      other.dispose()
      back.dispose()
    },
  )
})

describe('a replay', () => {
  it('is not over before a batch arrived, whatever the echo says', async () => {
    const session = await opened()
    service.faults.swallow = 'stored'
    chat.send('taken')
    await pass(20)
    service.faults.swallow = undefined
    service.faults.noBatch = true
    service.drop()
    await pass(1_000)
    expect(chat.status.value).toBe('reconnecting')
    expect(said('taken')).toBe(1)
    service.faults.noBatch = false
    await pass(30_000)
    expect(chat.status.value).toBe('live')
    expect(said('taken')).toBe(1)
    expect(service.stored(session)).toEqual(['taken'])
  })

  it('that does not come is waited for 5 s, then 10 s, then 20 s, from the beginning', async () => {
    await opened()
    service.faults.noBatch = true
    service.drop()
    const lives: number[] = []
    const cursors: number[] = []
    for (let socket = 0; socket < 4; socket++) {
      const before = service.sockets.length
      while (service.sockets.length === before) await pass(10)
      const latest = service.sockets.at(-1)
      cursors.push(latest?.cursor ?? -1)
      let life = 0
      while (latest?.readyState !== 3) {
        await pass(10)
        life += 10
      }
      lives.push(Math.round(life / 1_000))
    }
    expect(lives).toEqual([5, 10, 20, 20])
    expect(cursors.slice(1)).toEqual([0, 0, 0])
  })

  it('begins one event back, so that it always holds one; that one is neither new nor news', async () => {
    const session = await opened()
    chat.send('one')
    await pass(50)
    const [unread, facts] = [chat.unread.value, [] as string[]]
    chat.on('message', ({ text }) => facts.push(text))
    service.drop()
    await pass(3_000)
    expect(service.sockets.at(-1)?.cursor).toBe(session.events.length - 1)
    expect(chat.status.value).toBe('live')
    expect([chat.unread.value, facts]).toEqual([unread, []])
  })

  it('that holds an event of an unknown type alone is over at once, each time', async () => {
    const session = await opened()
    service.publish(session, { type: 'EVENT_TYPE_FROM_TOMORROW' })
    await pass(50)
    for (let times = 0; times < 3; times++) {
      service.drop()
      await pass(2_000)
      expect(chat.status.value).toBe('live')
      await pass(10_000)
    }
    service.say(session, 'behind it')
    await pass(3_000)
    expect(screen()).toEqual(['agent: Hello!', 'agent: behind it'])
    expect(service.sockets).toHaveLength(4)
  })

  it('whose echo comes before its history is asked for its end again', async () => {
    const session = await opened()
    service.faults.swallow = 'stored'
    chat.send('taken')
    await pass(20)
    service.faults.swallow = undefined
    service.faults.noBatch = true
    service.drop()
    await pass(1_500)
    const socket = service.sockets.at(-1)
    expect(chat.status.value).toBe('reconnecting')
    socket?.receive({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: session.events } })
    await pass(50)
    expect(chat.status.value).toBe('live')
    expect(said('taken')).toBe(1)
  })

  it.each([
    ['another id', 'reconnecting', { custom: { client_event_id: 'of somebody else' } }],
    ['no id at all', 'live', undefined],
  ])(
    'ends by the echo of its own heartbeat: after one with %s the chat is %s',
    async (_, status, metadata) => {
      await opened()
      service.faults.silentHeartbeats = true
      service.drop()
      await pass(1_500)
      service.sockets.at(-1)?.receive({ type: 'EVENT_TYPE_HEARTBEAT', ...(metadata && { metadata }) })
      expect(chat.status.value).toBe(status)
    },
  )
})

describe('a service that echoes no heartbeat', () => {
  const mute = () => {
    service.faults.silentHeartbeats = true
  }
  /** A connected chat with one message that the dying socket took, and a new one that goes live without proof. */
  const unproven = async (swallow: 'lost' | 'stored') => {
    await opened()
    service.faults.swallow = swallow
    chat.send('perhaps')
    await pass(20)
    service.faults.swallow = undefined
    mute()
    service.drop()
    while (chat.status.value !== 'live') await pass(10)
  }

  it('is talked to after two silent heartbeats, and over one connection from then on', async () => {
    mute()
    chat.open()
    chat.send('one')
    await pass(14_000)
    expect(chat.status.value).toBe('connecting')
    await pass(4_000)
    expect(chat.status.value).toBe('live')
    expect(service.sockets).toHaveLength(2)
    await pass(300_000)
    chat.wake()
    chat.send('two')
    await pass(300_000)
    expect(service.sockets).toHaveLength(2)
    expect(copies()).toEqual({ one: 1, two: 1 })
    expect(screen()).toEqual([
      'agent: Hello!',
      'visitor: one',
      'agent: You said one',
      'visitor: two',
      'agent: You said two',
    ])
  })

  it('is sent nothing again by itself that was sent before: it is unconfirmed after 10 s, and the rest goes on', async () => {
    await unproven('lost')
    chat.send('later')
    await pass(9_900)
    expect(screen()).toEqual(['agent: Hello!', 'sent: perhaps', 'queued: later'])
    await pass(200)
    expect(screen()).toEqual([
      'agent: Hello!',
      'visitor: later',
      'agent: You said later',
      'unconfirmed: perhaps',
    ])
    const sockets = service.sockets.length
    await pass(300_000)
    expect(service.sockets).toHaveLength(sockets)
    expect(said('perhaps')).toBe(1)
    expect(copies()).toEqual({ later: 1 })
    chat.retry(chat.outbox.value[0]?.id ?? '')
    await pass(1_000)
    expect(copies()).toEqual({ later: 1, perhaps: 1 })
  })

  it('shows in its history what it has stored', async () => {
    await unproven('stored')
    expect(screen()).toEqual(['agent: Hello!', 'visitor: perhaps', 'agent: You said perhaps'])
    expect(copies()).toEqual({ perhaps: 1 })
  })

  it('may still say within 10 s that it has the message', async () => {
    await unproven('lost')
    await pass(5_000)
    const { id, text } = chat.outbox.value[0] ?? {}
    const metadata = { custom: { client_event_id: id ?? '' } }
    service.publish(service.last(), { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text }, metadata })
    await pass(60_000)
    expect(screen()).toEqual(['agent: Hello!', 'visitor: perhaps'])
    expect(said('perhaps')).toBe(1)
  })

  it.each(['lost', 'stored'] as const)(
    'is asked over another connection for a message without an echo (%s), which is not sent again',
    async (swallow) => {
      mute()
      await pass(1)
      chat.open()
      while (chat.status.value !== 'live') await pass(10)
      const sockets = service.sockets.length
      service.faults.swallow = swallow
      chat.send('perhaps')
      await pass(20)
      service.faults.swallow = undefined
      await pass(60_000)
      expect(service.sockets).toHaveLength(sockets + 1)
      expect(said('perhaps')).toBe(1)
      expect(chat.status.value).toBe('live')
      expect(screen().filter((line) => line.endsWith(': perhaps'))).toEqual([
        swallow === 'lost' ? 'unconfirmed: perhaps' : 'visitor: perhaps',
      ])
    },
  )

  it('is live again after one silent heartbeat once that is known', async () => {
    await unproven('lost')
    await pass(30_000)
    const sockets = service.sockets.length
    service.drop()
    await pass(6_100)
    expect(chat.status.value).toBe('live')
    expect(service.sockets).toHaveLength(sockets + 1)
  })

  it('is no longer taken for one once it echoes: then silence means a dead connection', async () => {
    await unproven('lost')
    service.faults.silentHeartbeats = false
    await pass(60_000)
    const sockets = service.sockets.length
    service.vanish()
    await pass(20_000)
    expect(service.sockets.length).toBeGreaterThan(sockets)
    expect(chat.status.value).toBe('live')
  })

  it('is not live where its history does not come either', async () => {
    service.faults.noBatch = true
    mute()
    chat.open()
    await pass(600_000)
    expect(chat.status.value).toBe('connecting')
  })

  it('is not one where the second heartbeat is echoed: its replay proves what is missing', async () => {
    await opened()
    service.faults.swallow = 'lost'
    chat.send('perhaps')
    await pass(20)
    service.faults.swallow = undefined
    mute()
    service.drop()
    await pass(4_000)
    service.faults.silentHeartbeats = false
    await pass(5_000)
    expect(said('perhaps')).toBe(2)
    expect(copies()).toEqual({ perhaps: 1 })
    expect(screen()).toEqual(['agent: Hello!', 'visitor: perhaps', 'agent: You said perhaps'])
  })

  it.each(['REASON_NATURAL_END', 'REASON_USER_ABANDONED'])(
    'leaves open what became of a message where its end (%s) is not in its history',
    async (reason) => {
      await unproven('lost')
      const payload = { reason }
      service.publish(service.last(), { type: 'EVENT_TYPE_SESSION_END', payload }, false)
      await pass(300_000)
      expect(said('perhaps')).toBe(1)
      expect(screen().filter((line) => line.endsWith(': perhaps'))).toEqual(['unconfirmed: perhaps'])
      expect(chat.status.value).toBe(reason === 'REASON_NATURAL_END' ? 'ended' : 'expired')
    },
  )

  it('proves by a history with its end what it has not stored, and that moves into the next session', async () => {
    await unproven('lost')
    service.over(service.last(), 'REASON_USER_ABANDONED')
    await pass(60_000)
    expect(copies()).toEqual({ perhaps: 1 })
    expect(service.sessions.size).toBe(2)
    expect(chat.outbox.value).toEqual([])
  })
})

describe('a token', () => {
  it('that is used up for a connection after a day is asked for again', async () => {
    service.faults.sessionIdle = 200_000
    const session = await opened()
    const before = service.requests.length
    clock.sleep(86_300_000, 'counts')
    service.drop()
    await pass(3_000)
    expect(service.requests).toHaveLength(before)
    expect(chat.status.value).toBe('live')
    clock.sleep(71_000, 'counts')
    service.drop()
    await pass(3_000)
    expect(service.requests.slice(before).map(({ body }) => body)).toEqual([{ resume: true }])
    expect(chat.sessionId.value).toBe(session.id)
  })
})

describe('a half-open socket', () => {
  it('is noticed within 20 s while visible, also where the next one is half-open too', async () => {
    await opened()
    service.vanish()
    let waited = 0
    for (const before = service.sockets.length; service.sockets.length === before; waited += 10)
      await pass(10)
    expect(waited).toBeLessThanOrEqual(20_000)
    while (service.open().length === 0) await pass(1)
    service.vanish()
    waited = 0
    for (const before = service.sockets.length; service.sockets.length === before; waited += 10)
      await pass(10)
    expect(waited).toBeLessThanOrEqual(8_000)
  })

  it.each([10, 500, 1_500, 4_000])(
    'is noticed within 3 s of a look, %i ms after it last answered',
    async (after) => {
      await opened()
      await pass(after)
      service.vanish()
      const before = service.sockets.length
      chat.wake()
      await pass(1_000)
      chat.wake()
      await pass(2_000)
      expect(service.sockets.length).toBe(before + 1)
    },
  )
})

describe('an answer without its last but one piece', () => {
  it('counts as complete after a replay that lacks it too, and takes it should it come', async () => {
    service.faults.autoReply = false
    await opened()
    chunk('one ', 1)
    chunk('three', 3, { is_complete: true })
    await pass(5_000)
    expect(answer()).toEqual({ text: 'one three', complete: true })
    chunk('two ', 2)
    await pass(10_000)
    expect(answer()).toEqual({ text: 'one two three', complete: true })
  })
})

describe('an answer whose beginning was lost', () => {
  it.each(['in pieces', 'whole'])('moves to its place once the replay brings it %s', async (form) => {
    service.faults.autoReply = false
    const session = await opened()
    service.vanish()
    const type = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
    const first = service.publish(session, {
      type,
      payload: { message_id: 'x', text: 'one ', chunk_index: 1, is_complete: false },
    })
    for (const socket of service.open()) socket.dead = false
    service.say(session, 'another')
    const second = chunk('two ', 2)
    chunk('next', 1, { message_id: 'y', is_complete: true })
    await pass(50)
    expect(screen().slice(1)).toEqual(['agent: another', 'agent: two ', 'agent: next'])
    if (form === 'whole') {
      session.events.splice(session.events.indexOf(first), 1)
      session.events.splice(session.events.indexOf(second), 1, {
        ...second,
        type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
        payload: { message_id: 'x', text: 'one two ' },
        id: 'whole',
        first_sequence: first.sequence ?? 0,
      })
    } else chunk('', 3, { is_complete: true })
    await pass(10_000)
    expect(screen().slice(1)).toEqual(['agent: one two ', 'agent: another', 'agent: next'])
  })
})

describe('a sound line that takes 4 s there and back', () => {
  it('is left alone by the visitor who types and sends', async () => {
    await opened()
    const before = service.sockets.length
    service.faults.slowLine = 4_000
    await pass(1_500)
    for (const text of ['one', 'two', 'three']) {
      chat.typed()
      await pass(300)
      chat.send(text)
      await pass(1_000)
      chat.typed()
      await pass(2_200)
    }
    await pass(20_000)
    expect(service.sockets.length).toBe(before)
    expect(copies()).toEqual({ one: 1, two: 1, three: 1 })
    expect(chat.outbox.value).toEqual([])
  })

  it('is noticed within 9 s of a keystroke once it is dead', async () => {
    await opened()
    const before = service.sockets.length
    await pass(5_000)
    service.vanish()
    chat.typed()
    await pass(9_000)
    expect(service.sockets.length).toBeGreaterThan(before)
  })
})

describe('a hole in the sequences', () => {
  const tear = (which = '') => {
    const session = service.last()
    const missed = service.publish(
      session,
      {
        type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
        payload: { message_id: `missed${which}`, text: `missed${which}` },
      },
      true,
      false,
    )
    service.say(session, 'behind it')
    return missed
  }

  it('is read from before it, whatever ends the connection', async () => {
    const session = await opened()
    const before = session.events.length
    tear()
    service.drop()
    await pass(3_000)
    expect(service.sockets.at(-1)?.cursor).toBeLessThanOrEqual(before)
    expect(screen()).toEqual(['agent: Hello!', 'agent: missed', 'agent: behind it'])
  })

  it('costs one reconnect, at once, which is no failure', async () => {
    const session = await opened()
    await pass(200)
    tear()
    const sockets = service.sockets.length
    await pass(2_100)
    expect(service.sockets.length).toBe(sockets + 1)
    expect(chat.status.value).toBe('live')
    expect(screen()).toEqual(['agent: Hello!', 'agent: missed', 'agent: behind it'])
    service.say(session, 'and on')
    service.drop()
    await pass(1_100)
    expect(chat.status.value).toBe('live')
    await pass(60_000)
    expect(service.sockets.length).toBe(sockets + 2)
  })

  it('that fills by itself costs nothing', async () => {
    await opened()
    const missed = tear()
    await pass(500)
    service.sockets.at(-1)?.receive(missed)
    await pass(30_000)
    expect(service.sockets).toHaveLength(1)
    expect(screen()).toEqual(['agent: Hello!', 'agent: missed', 'agent: behind it'])
  })

  it('is not opened by what cannot be read, and what it told is no cursor', async () => {
    const session = await opened()
    const highest = session.events.length
    for (const frame of [
      { type: 'EVENT_TYPE_FROM_TOMORROW', id: 'a', timestamp: 'b', sequence: 9_000 },
      { type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', sequence: 8_000, payload: {} },
    ])
      service.sockets.at(-1)?.receive(frame)
    await pass(3_000)
    expect(service.sockets).toHaveLength(1)
    service.drop()
    service.say(session, 'meanwhile')
    await pass(3_000)
    expect(service.sockets.at(-1)?.cursor).toBeLessThanOrEqual(highest)
    expect(screen()).toEqual(['agent: Hello!', 'agent: meanwhile'])
  })

  it('made by a readable event with a wild sequence leaves no trace behind', async () => {
    const session = await opened()
    const event = {
      id: 'wild',
      type: 'EVENT_TYPE_LANGUAGE_CHANGED',
      sequence: 9_000,
      timestamp: new Date().toISOString(),
    }
    service.sockets.at(-1)?.receive({ ...event, payload: { language_code: 'de' } })
    await pass(3_000)
    service.drop()
    service.say(session, 'meanwhile')
    await pass(3_000)
    expect(screen()).toEqual(['agent: Hello!', 'agent: meanwhile'])
    expect(service.sockets).toHaveLength(3)
  })

  it('at every turn costs three reconnects in a minute, no more, and all is shown in the end', async () => {
    await opened()
    const sockets = service.sockets.length
    for (let hole = 0; hole < 15; hole++) {
      tear(` ${hole}`)
      await pass(4_000)
    }
    expect(service.sockets.length - sockets).toBe(3)
    expect(chat.status.value).toBe('live')
    await pass(10_000)
    expect(service.sockets.length - sockets).toBe(4)
    expect(screen()).toEqual([
      'agent: Hello!',
      ...Array.from({ length: 15 }, (_, hole) => [`agent: missed ${hole}`, 'agent: behind it']).flat(),
    ])
  })

  it('is not seen where a replay repeats events that are known', async () => {
    const session = await opened()
    chat.send('one')
    await pass(50)
    service.sockets.at(-1)?.receive({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: session.events } })
    service.say(session, 'next')
    await pass(30_000)
    expect(service.sockets).toHaveLength(1)
  })
})

describe('an echo', () => {
  it('that comes 12 s late has the message sent no second time', async () => {
    const session = await opened()
    service.faults.lateEchoes = 12_000
    service.faults.noIds = true
    chat.send('slowly')
    await pass(40_000)
    expect(said('slowly')).toBe(1)
    expect(service.stored(session)).toEqual(['slowly'])
    expect(screen().filter((line) => line.includes('slowly'))).toEqual(['visitor: slowly'])
  })

  it('that never comes fails the message after two tries, each behind a replay, and holds up no other', async () => {
    const session = await opened()
    service.ignore('ignored')
    const first = chat.send('ignored') ?? ''
    chat.send('behind')
    await pass(40_000)
    expect(said('ignored')).toBe(2)
    expect(chat.outbox.value).toMatchObject([{ id: first, state: 'failed' }])
    expect(service.stored(session)).toEqual(['behind'])
    service.ignore(undefined)
    chat.retry(first)
    await pass(100)
    expect(service.stored(session)).toEqual(['behind', 'ignored'])
    expect(chat.outbox.value).toEqual([])
  })

  it('without metadata confirms the message with its text, if it is younger than the sending', async () => {
    service.faults.bareEchoes = true
    service.faults.noIds = true
    const session = await opened()
    chat.send('same')
    await pass(50)
    chat.send('same')
    await pass(50)
    expect(service.stored(session)).toEqual(['same', 'same'])
    expect(screen().filter((line) => line.endsWith(': same'))).toEqual(['visitor: same', 'visitor: same'])
    service.faults.swallow = 'lost'
    chat.send('same')
    await pass(20)
    chat.dispose()
    service.faults.swallow = undefined
    // The next page sees two echoes with this text, both older than the message.
    const second = service.page()
    second.open()
    await pass(200)
    expect(service.stored(session)).toEqual(['same', 'same', 'same'])
    expect(second.outbox.value).toEqual([])
    second.dispose()
  })
})

describe('an answer in pieces', () => {
  it('is whole where two answers interleave', async () => {
    await opened()
    chunk('a', 1)
    chunk('A', 1, { message_id: 'y' })
    chunk('b', 2)
    chunk('B', 2, { message_id: 'y' })
    chunk('c', 3, { is_complete: true })
    chunk('C', 3, { message_id: 'y', is_complete: true })
    expect([answer('x'), answer('y')]).toEqual([
      { text: 'abc', complete: true },
      { text: 'ABC', complete: true },
    ])
  })

  it('whose last piece overtakes is complete only once the others came', async () => {
    await opened()
    chunk('a', 1)
    chunk('c', 3, { is_complete: true })
    expect(answer()).toEqual({ text: 'a', complete: false })
    chunk('b', 2)
    expect(answer()).toEqual({ text: 'abc', complete: true })
    await pass(10_000)
    expect(service.sockets).toHaveLength(1)
  })

  it('that ends with a hole is asked for once more, then taken as it is', async () => {
    await opened()
    chunk('a', 1)
    chunk('c', 3, { is_complete: true })
    await pass(2_500)
    expect(service.sockets).toHaveLength(2)
    expect(answer()).toEqual({ text: 'ac', complete: true })
    await pass(30_000)
    expect(service.sockets).toHaveLength(2)
  })

  it('that was closed because another began takes what comes late, in its place', async () => {
    await opened()
    chunk('a', 1)
    chunk('c', 3)
    chunk('A', 1, { message_id: 'y' })
    expect(answer()).toEqual({ text: 'ac', complete: true })
    chunk('b', 2)
    expect(answer().text).toBe('abc')
    chunk('d', 4, { is_complete: true })
    expect(answer()).toEqual({ text: 'abcd', complete: true })
  })

  it.each([
    [[0, 1, 2], 'abc'],
    [[1, 0, 2], 'bac'],
    [[2, 1, 0], 'cba'],
  ])('counts from 0 or from 1, whichever is seen first (%s)', async (order, text) => {
    await opened()
    for (const [at, index] of order.entries()) chunk('abc'[at] ?? '', index)
    chunk('!', 3, { is_complete: true })
    expect(answer()).toEqual({ text: `${text}!`, complete: true })
  })

  it('without a message id belongs to one message until it is complete, and then to the next', async () => {
    await opened()
    for (const words of [
      ['one ', 'two'],
      ['three ', 'four'],
      ['five ', 'six'],
    ])
      for (const [at, text] of words.entries())
        chunk(text, at + 1, { message_id: undefined, is_complete: at === 1 })
    expect(screen().slice(1)).toEqual(['agent: one two', 'agent: three four', 'agent: five six'])
  })

  it('adds its attachments up by address, and keeps the last suggestions that are any', async () => {
    await opened()
    const file = (content_url: string) => ({ content_type: 'ATTACHMENT_CONTENT_TYPE_URL', content_url })
    chunk('a', 1, {
      attachments: [file('https://example.com/1')],
      response_suggestions: [{ message_text: 'A' }],
    })
    chunk('b', 2, {
      attachments: [file('https://example.com/1'), file('https://example.com/2')],
      response_suggestions: [{ message_text: 'B' }],
    })
    chunk('', 3, { is_complete: true })
    const entry = chat.transcript.value.at(-1)
    expect(
      entry?.kind === 'message' && entry.content.value.attachments.map((each) => each.content_url),
    ).toEqual(['https://example.com/1', 'https://example.com/2'])
    expect(chat.suggestions.value).toEqual([{ message_text: 'B' }])
  })

  it('is joined by one space where the site asks for it and the service leaves it out', async () => {
    chat.dispose()
    chat = service.page({ clock, chunkJoin: 'space' })
    await opened()
    for (const [at, text] of ['One', 'two', ' three ', 'four', '', '\nfive'].entries()) chunk(text, at + 1)
    chunk('', 7, { is_complete: true })
    expect(answer().text).toBe('One two three four\nfive')
  })

  it('is joined by a space as soon as the BFF has said so', async () => {
    chat.dispose()
    chat = service.page({ clock, chunkJoin: Promise.resolve('space' as const) })
    await opened()
    for (const [at, text] of ['One', 'two'].entries()) chunk(text, at + 1)
    chunk('', 3, { is_complete: true })
    expect(answer().text).toBe('One two')
  })

  it('goes on after a cut, byte for byte, wherever it was cut', async () => {
    const words = ['The ', 'quick ', '\u{1f98a} ', 'jumps ', 'over ', 'it.']
    await opened()
    for (let cut = 0; cut <= words.length; cut++) {
      const message_id = `cut-${cut}`
      for (const [at, text] of words.entries()) {
        if (at === cut) {
          service.drop()
          await pass(cut % 2 === 0 ? 0 : 1_500)
        }
        chunk(text, at + 1, { message_id, is_complete: at === words.length - 1 })
      }
      while (chat.status.value !== 'live') await pass(100)
      await pass(6_000)
      expect(answer(message_id)).toEqual({ text: words.join(''), complete: true })
    }
  })
})

describe('a proxy that answers 502', () => {
  it('does not cost the conversation, however long', async () => {
    const session = await opened()
    service.faults.proxy = true
    service.drop()
    await pass(300_000)
    service.faults.proxy = false
    await pass(15_100)
    expect(chat.status.value).toBe('live')
    expect(chat.sessionId.value).toBe(session.id)
    expect(screen()).toEqual(['agent: Hello!'])
    expect(service.sessions.size).toBe(1)
  })
})

describe('the end', () => {
  it('leaves nothing that waits for ever', async () => {
    const session = await opened()
    service.faults.hostDown = true
    service.drop()
    chat.send('too late')
    service.faults.hostDown = false
    service.over(session, 'REASON_NATURAL_END')
    await pass(3_000)
    expect(screen()).toEqual(['agent: Hello!', 'failed: too late'])
    chat.retry(chat.outbox.value[0]?.id ?? '')
    await pass(200)
    expect(service.stored(service.last())).toEqual(['too late'])
    expect(chat.outbox.value).toEqual([])
  })

  it.each(['end', 'restart', 'logout'] as const)(
    'by %s reaches the service also from an interruption',
    async (act) => {
      const session = await opened()
      service.faults.hostDown = true
      service.drop()
      await pass(100)
      void chat[act]()
      if (act === 'end') expect(chat.status.value).toBe('ended')
      await pass(2_000)
      expect(session.state).toBe('active')
      service.faults.hostDown = false
      await pass(20_000)
      expect(session.state).toBe('ended')
    },
  )
})

describe('the last word of a session that was left while nobody could be reached', () => {
  it('is said anew from behind what the attempt before has read', async () => {
    const session = await opened()
    const known = session.events.at(-1)?.sequence ?? 0
    service.faults.hostDown = true
    service.drop()
    await pass(100)
    chat.end()
    service.say(session, 'meanwhile')
    service.say(session, 'and more')
    // The service takes nothing any more, and closes behind its history.
    session.state = 'ended'
    service.faults.hostDown = false
    const before = service.sockets.length
    await pass(20_000)
    const cursors = service.sockets.slice(before).map(({ cursor }) => cursor)
    expect(cursors.slice(0, 2)).toEqual([known, known + 2])
  })

  it('waits until the next session is there, lest both ask at once', async () => {
    const session = await opened()
    service.faults.hostDown = true
    service.drop()
    await pass(100)
    const before = [service.requests.length, service.sockets.length]
    chat.restart()
    await pass(30_000)
    expect(service.requests.length).toBeGreaterThan((before[0] ?? 0) + 4)
    expect(service.sockets).toHaveLength(before[1] ?? 0)
    service.faults.hostDown = false
    await pass(30_000)
    expect(chat.status.value).toBe('live')
    expect(session.state).toBe('ended')
  })
})

describe('a chat that was given up', () => {
  beforeEach(async () => {
    service.faults.capabilities = { max_reconnect_attempts: 3 }
    await opened()
    service.faults.hostDown = true
    service.drop()
    chat.send('once')
    await pass(120_000)
    expect(chat.notice.value).toEqual({ kind: 'unavailable', cause: 'gave-up' })
    service.faults.hostDown = false
  })

  it('asks nothing of anybody by itself, whoever comes back to look', async () => {
    const before = [service.requests.length, service.sockets.length]
    for (const back of [() => chat.wake(), () => chat.setOnline(true), () => chat.setVisible(true)]) {
      back()
      await pass(120_000)
    }
    expect([service.requests.length, service.sockets.length]).toEqual(before)
    expect(chat.status.value).toBe('unavailable')
  })

  it.each([
    ['the visitor tries again', () => chat.open()],
    ['the visitor types', () => chat.typed()],
    ['the visitor sends another message', () => void chat.send('then')],
  ])('is back in the same session within 2 s where %s, with what was written sent once', async (_, act) => {
    const { value: id } = chat.sessionId
    act()
    await pass(2_000)
    expect(chat.status.value).toBe('live')
    expect(chat.sessionId.value).toBe(id)
    expect(copies()).toMatchObject({ once: 1 })
    expect(chat.outbox.value).toEqual([])
  })

  it('has all its attempts again after it was tried anew', async () => {
    service.faults.hostDown = true
    const before = service.sockets.length
    chat.open()
    await pass(120_000)
    expect(chat.status.value).toBe('unavailable')
    expect(service.sockets.length - before).toBe(4)
  })
})

describe('a service that is broken or hostile', () => {
  const system = (message: string) =>
    service.publish(
      service.last(),
      { type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message } },
      false,
    )

  it.each(['4001', 'Error: Session not found'])(
    'and says %s to each session gets four sessions in a minute',
    async (how) => {
      await opened()
      for (let step = 0; step < 300; step++) {
        if (how === '4001') service.drop(4001)
        else if (service.open().length > 0) system(how)
        await pass(100)
      }
      expect(service.sessions.size).toBeLessThanOrEqual(4)
      expect(chat.status.value).toBe('unavailable')
      const before = service.sessions.size
      chat.open()
      await pass(200)
      expect(chat.status.value).toBe('live')
      // One more, for the visitor who asks; not a whole round of them.
      for (let step = 0; step < 100; step++) {
        if (how === '4001') service.drop(4001)
        else if (service.open().length > 0) system(how)
        await pass(100)
      }
      expect(service.sessions.size).toBeLessThanOrEqual(before + 2)
      expect(chat.status.value).toBe('unavailable')
    },
  )

  it('and knows no conversation is asked to join five times, 1, 2, 4 and 8 s apart', async () => {
    const session = await opened()
    const joins = () =>
      session.events.filter((event) => event.type === 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN').length
    const at: number[] = []
    for (let step = 0, seen = 1; step < 600; step++) {
      if (chat.status.value === 'live') system('Error: Conversation not found')
      await pass(100)
      if (joins() > seen) {
        seen = joins()
        at.push(step)
      }
    }
    expect(joins()).toBe(5)
    expect(chat.status.value).toBe('unavailable')
    const gaps = at.map((step, index) => step - (at[index - 1] ?? 0))
    for (const [index, seconds] of [1, 2, 4, 8].entries())
      expect(Math.abs((gaps[index] ?? 0) - 10 * seconds)).toBeLessThanOrEqual(2)
  })

  it.each(['We are under high load, please wait', 'Failed to forward message to live agent'])(
    'and says "%s" after the echo has the newest message marked, which can be sent anew',
    async (words) => {
      service.faults.autoReply = false
      const session = await opened()
      chat.send('first')
      await pass(50)
      service.say(session, 'answered')
      const id = chat.send('second') ?? ''
      await pass(50)
      service.publish(session, { type: 'EVENT_TYPE_POLY_AGENT_THINKING' }, false)
      system(words)
      const marked = () =>
        chat.transcript.value.flatMap((entry) =>
          entry.kind === 'message' && entry.content.value.undelivered
            ? entry.content.value.pieces.join('')
            : [],
        )
      expect(marked()).toEqual(['second'])
      expect(chat.typing.value).toBeUndefined()
      chat.retry(id)
      await pass(50)
      expect(marked()).toEqual([])
      expect(service.stored(session)).toEqual(['first', 'second', 'second'])
    },
  )
})

describe('a refused token', () => {
  it('is asked for again when the visitor types, at most once a second', async () => {
    let asked = 0
    service.faults.bff = () => {
      asked++
      return service.json({ error: 'not now' }, 404)
    }
    chat.open()
    await pass(100)
    expect(chat.notice.value).toEqual({ kind: 'unavailable', cause: 'refused' })
    for (let key = 0; key < 50; key++) {
      chat.typed()
      await pass(100)
    }
    expect(asked).toBeLessThanOrEqual(6)
    service.faults.bff = undefined
    await pass(1_000)
    chat.typed()
    await pass(100)
    expect(chat.status.value).toBe('live')
  })

  it('that came a moment ago is asked for again for what is written at once', async () => {
    service.faults.bff = () => service.json({ error: 'not now' }, 404)
    chat.open()
    await pass(100)
    expect(chat.status.value).toBe('unavailable')
    service.faults.bff = undefined
    chat.send('at once')
    expect(chat.status.value).toBe('unavailable')
    await pass(1_500)
    expect(service.stored(service.last())).toEqual(['at once'])
  })

  it.each([
    [
      'a date by a clock that is wrong',
      (wall: number) => ({ 'retry-after': new Date(wall + 86_400_000).toUTCString() }),
      62_000,
    ],
    [
      'a date by the clock of its own answer',
      (wall: number) => ({
        'retry-after': new Date(wall + 86_405_000).toUTCString(),
        date: new Date(wall + 86_400_000).toUTCString(),
      }),
      7_000,
    ],
    ['far too many seconds', () => ({ 'retry-after': '1000000000' }), 302_000],
    ['nonsense', () => ({ 'retry-after': 'soon' }), 2_000],
  ])('with %s as Retry-After is waited for within reason', async (_, headers, most) => {
    service.faults.bff = () => service.json({}, 429, headers(clock.wall()))
    chat.open()
    await pass(50)
    service.faults.bff = undefined
    await pass(most)
    expect(chat.status.value).toBe('live')
  })
})

describe('a session that the service forgot', () => {
  it('is replaced within 15 s', async () => {
    const session = await opened()
    session.gone = true
    service.drop()
    await pass(15_000)
    expect(chat.status.value).toBe('live')
    expect(chat.sessionId.value).not.toBe(session.id)
    expect(service.sessions.size).toBe(2)
  })

  it('is over, and no new one is made, where it had rested for too long anyway', async () => {
    service.faults.sessionIdle = undefined
    const session = await opened()
    service.vanish()
    clock.sleep(8 * 3_600_000, 'counts')
    session.gone = true
    await pass(60_000)
    expect(chat.status.value).toBe('expired')
    chat.typed()
    chat.typed()
    await pass(100)
    expect(chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(2)
    expect(screen()).toEqual(['agent: Hello!', '--- expired', 'agent: Hello!'])
  })
})

describe('a message that is too large for the service', () => {
  const tooLarge = async () => {
    await opened()
    service.ignore('too large')
    chat.send('too large')
    chat.send('small')
    await pass(20)
  }
  it('fails as the service closes the socket for it, and is not sent again; the next one goes out', async () => {
    await tooLarge()
    service.drop(1009)
    expect(screen()).toEqual(['agent: Hello!', 'failed: too large', 'queued: small'])
    await pass(5_000)
    expect(screen().at(-1)).toBe('failed: too large')
    expect(service.stored(service.last())).toEqual(['small'])
    const sent = service.wire.filter(
      ({ direction, text }) => direction === 'out' && text.includes('too large'),
    )
    expect(sent).toHaveLength(1)
  })
  it('is none that was sent over an earlier socket, nor one that waits', async () => {
    await tooLarge()
    service.faults.noBatch = true
    service.drop()
    await pass(1_000)
    expect(chat.status.value).toBe('reconnecting')
    service.drop(1009)
    expect(screen()).toEqual(['agent: Hello!', 'sent: too large', 'queued: small'])
  })
  it('is shown as delivered where it was taken all the same', async () => {
    await opened()
    service.faults.swallow = 'stored'
    chat.send('taken')
    await pass(20)
    service.faults.swallow = undefined
    service.drop(1009)
    expect(screen()).toEqual(['agent: Hello!', 'failed: taken'])
    await pass(5_000)
    expect(chat.outbox.value).toEqual([])
    expect(service.stored(service.last())).toEqual(['taken'])
  })
})

describe('what is not taken', () => {
  it('has nothing in it but whitespace', async () => {
    await opened()
    for (const text of ['', '   ', '\n\t ']) {
      expect(chat.send(text)).toBeUndefined()
      expect(chat.refusal(text)).toEqual({ reason: 'empty' })
    }
    expect(chat.outbox.value).toEqual([])
    chat.send('  trimmed \n')
    await pass(50)
    expect(service.stored(service.last())).toEqual(['trimmed'])
  })

  it('is larger than the service takes in bytes; the limit is named, and one byte less is taken', async () => {
    service.faults.capabilities = { max_message_size_bytes: 2_000 }
    await opened()
    const refusal = chat.refusal('\u{1f98a}'.repeat(600))
    if (refusal?.reason !== 'too-long') throw new Error('it is taken')
    expect(refusal.bytes).toBe(2_400)
    const errors: string[] = []
    chat.on('error', ({ code }) => errors.push(code))
    expect(chat.send('é'.repeat(Math.floor(refusal.limit / 2) + 1))).toBeUndefined()
    expect(errors).toEqual(['not-sent'])
    const fits = 'x'.repeat(refusal.limit)
    expect(chat.send(fits)).toBeDefined()
    const frames = service.wire.filter((note) => note.direction === 'out' && note.text.includes(fits))
    expect(frames.map(({ text }) => new TextEncoder().encode(text).length)).toEqual([2_000])
    await pass(50)
    expect(service.stored(service.last())).toEqual([fits])
  })

  it.each([
    ['the 51st message', 'x', 50],
    ['a message beyond 256 KiB', 'x'.repeat(100_000), 2],
  ])('is %s that waits; what was taken before is stored and sent', async (_, text, most) => {
    await opened()
    service.faults.hostDown = true
    service.drop()
    for (let item = 0; item < most; item++) expect(chat.send(text)).toBeDefined()
    expect(chat.refusal(text)).toEqual({ reason: 'full' })
    expect(chat.send(text)).toBeUndefined()
    expect(chat.outbox.value).toHaveLength(most)
    chat.dispose()
    service.faults.hostDown = false
    const second = service.page()
    expect(second.outbox.value).toHaveLength(most)
    second.open()
    await pass(2_000)
    expect(service.stored(service.last())).toHaveLength(most)
    second.dispose()
  })
})

describe('a page that is left or frozen', () => {
  it('lets go of the socket and every timer, and is back with one when somebody looks', async () => {
    await opened()
    chat.suspend()
    expect(service.open()).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
    service.say(service.last(), 'meanwhile')
    chat.wake()
    chat.wake()
    await pass(100)
    expect(chat.status.value).toBe('live')
    expect(screen()).toEqual(['agent: Hello!', 'agent: meanwhile'])
    expect(service.open()).toHaveLength(1)
  })

  it('sends what was on its way once', async () => {
    const session = await opened()
    chat.send('one')
    chat.suspend()
    await pass(50)
    chat.wake()
    await pass(200)
    expect(service.stored(session)).toEqual(['one'])
    expect(chat.outbox.value).toEqual([])
  })
})

describe('Enter in the very moment of the end', () => {
  it.each([-50, -5, 0, 5, 50])('(%i ms after it) is delivered once', async (offset) => {
    const session = await opened()
    await pass(600_000 + offset - 100)
    setTimeout(
      () => session.state === 'active' && service.over(session, 'REASON_USER_ABANDONED'),
      100 - offset,
    )
    await pass(100)
    chat.send('just now')
    await pass(5_000)
    expect(copies()).toEqual({ 'just now': 1 })
    expect(chat.outbox.value).toEqual([])
  })
})
