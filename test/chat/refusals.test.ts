// Handshakes that are refused while HTTP works: what keeps the conversation, what ends it, and what is asked meanwhile.

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

/** A conversation whose socket has just been cut, and whose handshakes are refused from now on. */
async function refused() {
  chat.open()
  await pass(200)
  chat.send('before')
  await pass(200)
  expect(chat.status.value).toBe('live')
  const session = service.last()
  service.faults.refuseSockets = true
  service.drop()
  service.requests.length = 0
  return session
}
/** Handshakes are taken again, and the page has had time to try. */
async function healed() {
  service.faults.refuseSockets = false
  await pass(31_000)
}
const dividers = () =>
  chat.transcript.value.flatMap((entry) => (entry.kind === 'divider' ? [entry.reason] : []))
const asked = (method: string, path: string) =>
  service.requests.filter((each) => each.method === method && new URL(each.url).pathname.startsWith(path))
    .length
const questions = () => asked('GET', '/api/v1/sessions/')
const made = () => asked('POST', '/api/v1/sessions')

/** What may answer in place of a service that tells how a session stands, and proves nothing. */
const UNPROVEN: [string, () => Response | Promise<Response>][] = [
  ['404', () => service.json({ error: 'not found' }, 404)],
  ['405', () => service.json({ error: 'method not allowed' }, 405)],
  ['429', () => service.json({ state: 'unknown' }, 429, { 'retry-after': '3' })],
  ['500', () => service.json({ state: 'unknown' }, 500)],
  ['503', () => service.json({ state: 'expired' }, 503)],
  ['a page', () => new Response('<html>Please log in</html>')],
  ['another word', () => service.json({ state: 'gone' })],
  ['half an answer', () => new Response('{"state":"unknown"')],
  ['too much', () => service.json({ state: 'unknown', more: 'x'.repeat(70_000) })],
  ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
  [
    'an answer after 11 s',
    () => new Promise((answer) => setTimeout(() => answer(service.json({ state: 'unknown' })), 11_000)),
  ],
]

describe('a session whose handshakes are refused', () => {
  it.each([2, 8, 15, 40, 90, 600])(
    'goes on after %i s, and has what was written meanwhile once',
    async (seconds) => {
      const session = await refused()
      await pass(1_000)
      chat.send('meanwhile')
      await pass(seconds * 1_000 - 1_000)
      await healed()
      expect(chat.status.value).toBe('live')
      expect(chat.sessionId.value).toBe(session.id)
      expect(service.stored(session)).toEqual(['before', 'meanwhile'])
      expect(service.sessions.size).toBe(1)
      expect(dividers()).toEqual([])
      expect(made()).toBe(0)
    },
  )

  it.each(UNPROVEN)('goes on after minutes in which the service says %s', async (_, answer) => {
    const session = await refused()
    service.faults.status = answer
    await pass(180_000)
    expect(questions()).toBeGreaterThan(1)
    await healed()
    expect(chat.status.value).toBe('live')
    expect(chat.sessionId.value).toBe(session.id)
    expect(service.sessions.size).toBe(1)
    expect(dividers()).toEqual([])
  })

  it('is asked about after three refusals, and then after three more', async () => {
    await refused()
    const before = service.sockets.length
    for (const count of [1, 2, 3]) {
      while (questions() < count) await pass(1)
      expect(service.sockets.length - before).toBe(3 * count)
    }
  })

  it('is not asked about after fewer than three refusals, nor for being cut', async () => {
    await refused()
    while (service.sockets.at(-1)?.readyState !== 3 || service.sockets.length < 3) await pass(1)
    await healed()
    for (let cut = 0; cut < 5; cut++) {
      service.drop()
      await pass(10_000)
    }
    expect(questions()).toBe(0)
  })

  it('costs the service 65 handshakes and 22 questions in ten minutes at most, and nothing else', async () => {
    await refused()
    const before = service.sockets.length
    await pass(600_000)
    expect(service.sockets.length - before).toBeGreaterThan(30)
    expect(service.sockets.length - before).toBeLessThanOrEqual(65)
    expect(questions()).toBeLessThanOrEqual(22)
    expect(service.requests.length).toBe(questions())
  })

  it('is asked about no more than every third handshake, and these come once a second, while the visitor types', async () => {
    await refused()
    const before = service.sockets.length
    for (let key = 0; key < 600; key++) {
      chat.typed()
      await pass(100)
    }
    expect(service.sockets.length - before).toBeLessThanOrEqual(61)
    expect(questions()).toBeLessThanOrEqual(20)
    expect(service.requests.length).toBe(questions())
  })

  it('waits for one of its ten places, which are taken for minutes, and is there when one is free', async () => {
    const session = await refused()
    chat.send('while all are taken')
    await pass(160_000)
    expect(chat.sessionId.value).toBe(session.id)
    service.faults.refuseSockets = false
    await pass(15_100)
    expect(chat.status.value).toBe('live')
    expect(service.stored(session)).toEqual(['before', 'while all are taken'])
    expect(service.sessions.size).toBe(1)
  })
})

describe('a session that the service says is over', () => {
  it.each([
    ['expired', 'expired'],
    ['ended', 'ended'],
  ] as const)(
    '(%s) has its last words on the screen, and its end by what the service says',
    async (state, status) => {
      const session = await refused()
      service.say(session, 'the last word')
      service.over(session, state === 'expired' ? 'REASON_USER_ABANDONED' : 'REASON_NATURAL_END')
      await pass(20_000)
      expect(questions()).toBeGreaterThan(0)
      expect(chat.status.value).toBe('reconnecting')
      await healed()
      expect(chat.status.value).toBe(status)
      expect(
        chat.transcript.value.some(
          (each) => each.kind === 'message' && each.content.value.pieces.join('') === 'the last word',
        ),
      ).toBe(true)
      chat.restart()
      await pass(1_000)
      expect(dividers()).toEqual([state])
      expect(service.sessions.size).toBe(2)
    },
  )

  it('is over by what the service says, though it gives no replay for a minute', async () => {
    for (const state of ['expired', 'ended'] as const) {
      chat.dispose()
      service = createService()
      chat = service.page({ clock })
      const session = await refused()
      service.over(session, state === 'expired' ? 'REASON_USER_ABANDONED' : 'REASON_NATURAL_END')
      await pass(50_000)
      expect(chat.status.value).toBe('reconnecting')
      await pass(60_000)
      expect(chat.status.value).toBe(state)
      expect(made()).toBe(0)
    }
  })

  it.each([
    ['unknown', (session: { gone?: boolean }) => Object.assign(session, { gone: true })],
    ['401', () => Object.assign(service.faults, { refuseTokens: true })],
  ])('(%s) is lost, and replaced at once', async (_, lose) => {
    const session = await refused()
    chat.send('meanwhile')
    lose(session)
    while (made() === 0) await pass(1)
    expect(questions()).toBe(1)
    expect(service.sockets.filter(({ url }) => url.includes(session.id))).toHaveLength(4)
    service.faults.refuseSockets = false
    await pass(5_000)
    expect(chat.status.value).toBe('live')
    expect(dividers()).toEqual(['lost'])
    expect(service.stored(service.last())).toEqual(['meanwhile'])
    expect(service.sessions.size).toBe(2)
  })

  it('is told the same after a reload, before its first socket opens', async () => {
    const session = await refused()
    chat.dispose()
    chat = service.page({ clock })
    session.gone = true
    chat.open()
    await pass(15_000)
    expect(questions()).toBe(1)
    service.faults.refuseSockets = false
    await pass(5_000)
    expect(chat.sessionId.value).toBe(service.last().id)
    expect(service.sessions.size).toBe(2)
  })
})

it('that a service tells how its sessions stand is stored with the next connection, where the store took nothing before', async () => {
  let isFull = true
  const { get, set, remove } = service.sessionStore
  chat.dispose()
  chat = service.page({
    clock,
    sessionStore: {
      get,
      remove,
      set: (key, value) => void ((isFull && value.includes('hasStatus')) || set(key, value)),
    },
  })
  chat.open()
  await pass(200)
  expect(get('session')).not.toContain('hasStatus')
  isFull = false
  chat.reconnect()
  await pass(1_000)
  expect(get('session')).toContain('"hasStatus":true')
})

describe('a session of a service that does not tell how it stands', () => {
  beforeEach(() => {
    service.faults.status = 'none'
  })

  it.each([2, 8, 15, 40])('goes on after %i s of refused handshakes', async (seconds) => {
    const session = await refused()
    await pass(seconds * 1_000)
    await healed()
    expect(chat.sessionId.value).toBe(session.id)
    expect(service.sessions.size).toBe(1)
    expect([made(), questions()]).toEqual([0, 0])
  })

  it('is replaced after a minute of refusals, by one session that is made once, and after a reload as well', async () => {
    for (const reload of [false, true]) {
      chat.dispose()
      service = createService()
      service.faults.status = 'none'
      chat = service.page({ clock })
      const session = await refused()
      if (reload) {
        chat.dispose()
        chat = service.page({ clock })
        chat.open()
      }
      const begun = clock.now()
      while (made() === 0) await pass(10)
      expect(clock.now() - begun).toBeGreaterThanOrEqual(60_000)
      expect(clock.now() - begun).toBeLessThanOrEqual(80_000)
      await pass(100)
      expect(chat.sessionId.value).toBe(service.last().id)
      await pass(30_000)
      expect(made()).toBe(1)
      expect(questions()).toBe(0)
      await healed()
      expect(chat.status.value).toBe('live')
      expect(chat.sessionId.value).toBe(service.last().id)
      expect(chat.sessionId.value).not.toBe(session.id)
      expect(dividers()).toEqual(['lost'])
    }
  })

  it('stays where the host makes no other, and asks for one again a minute later at the earliest', async () => {
    for (const answer of [
      () => service.json({ error: 'no' }, 500),
      () => service.json({ error: 'no' }, 403),
      () => new Response('<html>'),
    ]) {
      chat.dispose()
      service = createService()
      service.faults.status = 'none'
      chat = service.page({ clock })
      const session = await refused()
      service.faults.host = answer
      while (made() === 0) await pass(10)
      const first = clock.now()
      while (made() === 1) await pass(10)
      expect(clock.now() - first).toBeGreaterThanOrEqual(60_000)
      await healed()
      expect(chat.status.value).toBe('live')
      expect(chat.sessionId.value).toBe(session.id)
      expect(dividers()).toEqual([])
    }
  })

  it.each([
    ['nothing is reached', 'hostDown'],
    ['a proxy answers for the host', 'proxy'],
  ] as const)('goes on after an outage of any length in which %s', async (_, outage) => {
    for (let seconds = 60; seconds < 160; seconds += 3) {
      chat.dispose()
      service = createService()
      service.faults.status = 'none'
      chat = service.page({ clock })
      const session = await refused()
      service.faults.refuseSockets = false
      service.faults[outage] = true
      await pass(seconds * 1_000)
      service.faults[outage] = false
      await pass(31_000)
      expect(chat.status.value).toBe('live')
      expect(chat.sessionId.value).toBe(session.id)
      expect(service.sessions.size).toBe(1)
    }
  })

  it('has three others made at most, however long it lasts', async () => {
    await refused()
    await pass(1_800_000)
    expect(made()).toBe(3)
  })

  it.each(['counts', 'stands still'] as const)(
    'is not replaced for a time that the machine slept through, where its clock %s',
    async (kind) => {
      const session = await refused()
      await pass(10_000)
      for (let night = 0; night < 3; night++) {
        clock.sleep(8 * 3_600_000, kind)
        chat.wake()
        await pass(6_000)
      }
      expect(made()).toBe(0)
      await healed()
      expect(chat.sessionId.value).toBe(session.id)
      expect(service.sessions.size).toBe(1)
    },
  )
})
