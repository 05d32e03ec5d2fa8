// What frames hold, and in which order they come.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { some } from '../long.ts'
import { complete, count, createFaultWorld, type FaultWorld, screen } from './world.ts'

let world: FaultWorld
beforeAll(async () => {
  world = await createFaultWorld()
})
afterEach(() => world.calm())
afterAll(() => world.close())

const SLOW = ['agent: Hello there', 'visitor: slow', 'agent: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ']
const isChunk = (frame: string) => frame.includes('MESSAGE_CHUNK') && !frame.includes('EVENT_BATCH')
const opened = () => world.gateway.sockets.length

/** What the service would say next, made up. */
function inject(frame: string | Buffer, options = {}) {
  const socket = world.gateway.open().at(-1)
  if (!socket) throw new Error('no socket is open')
  socket.send(frame, options)
}
let ids = 0
const event = (type: string, payload: object, more: object = {}) =>
  JSON.stringify({
    type: `EVENT_TYPE_${type}`,
    payload,
    id: `made-up-${++ids}`,
    timestamp: '2027-01-15T08:00:00.000Z',
    ...more,
  })

/** An answer has a chunk for each write of its service: ten words make more than these. */
const FEW = 4

describe('an answer', () => {
  it('whose events come twice is shown once', async () => {
    const page = await world.live()
    world.gateway.onDown((frame) => [frame, frame])
    page.chat.send('slow')
    await world.until(() => count(page.chat, '10, ') === 1 && complete(page.chat))
    expect(world.gateway.struck.down).toBeGreaterThanOrEqual(FEW)
    expect(screen(page.chat)).toEqual(SLOW)
  })

  it.each(some([2, 4, 50], 3, 1))(
    'whose events come out of order, %s at a time, is shown in order',
    async (window) => {
      const page = await world.live()
      let held: string[] = []
      let swapped = 0
      world.gateway.onDown((frame, socket) => {
        if (!isChunk(frame)) return undefined
        held.push(frame)
        swapped++
        const flush = () => {
          for (const each of held.splice(0).reverse()) socket.send(each)
        }
        if (held.length >= window) flush()
        else if (held.length === 1) setTimeout(flush, 1_000)
        return []
      })
      page.chat.send('slow')
      await world.until(() => count(page.chat, '10, ') === 1 && complete(page.chat))
      expect(swapped).toBeGreaterThanOrEqual(FEW)
      expect(screen(page.chat)).toEqual(SLOW)
      held = []
    },
  )

  it.each(some([1, 2, FEW - 1], 3, 1))(
    'without its event %s is whole after one reconnect',
    async (missing) => {
      const page = await world.live()
      const before = opened()
      let seen = 0
      let lost = 0
      world.gateway.onDown((frame) => {
        if (!isChunk(frame) || ++seen !== missing) return undefined
        lost++
        return []
      })
      page.chat.send('slow')
      await world.until(() => lost === 1)
      await world.until(() => screen(page.chat).join() === SLOW.join() && complete(page.chat))
      expect(opened() - before).toBe(1)
    },
  )

  it('is shown once though the cursor is ahead of the service', async () => {
    const page = await world.live()
    world.gateway.onDown((frame) => {
      if (frame.includes('EVENT_BATCH')) return undefined
      return [frame.replace(/"sequence":(\d+)/, (_, digits) => `"sequence":${Number(digits) + 1_000}`)]
    })
    page.chat.send('slow')
    await world.until(() => count(page.chat, '10, ') === 1 && complete(page.chat), 60_000)
    expect(world.gateway.struck.down).toBeGreaterThanOrEqual(FEW)
    world.gateway.calm()
    world.proxy.reset()
    page.chat.send('and then')
    await world.until(() => count(page.chat, 'You said and then') === 1)
    await world.until(() => complete(page.chat))
    for (const line of SLOW) expect(count(page.chat, line)).toBe(1)
  })

  it.each(
    some<[string, string]>(
      [
        ['a text', '"7"'],
        ['a fraction', '7.5'],
        ['negative', '-7'],
        ['too large', '9007199254740993'],
        ['missing', 'null'],
      ],
      2,
    ),
  )('with a sequence that is %s is shown once, also after a reconnect', async (_, sequence) => {
    const page = await world.live()
    let changed = 0
    world.gateway.onDown((frame) => {
      if (!isChunk(frame)) return undefined
      changed++
      return [frame.replace(/"sequence":\d+/, `"sequence":${sequence}`)]
    })
    page.chat.send('slow')
    await world.until(() => count(page.chat, '10, ') === 1)
    expect(changed).toBeGreaterThanOrEqual(FEW)
    world.gateway.calm()
    world.proxy.reset()
    page.chat.send('and then')
    await world.until(() => count(page.chat, 'You said and then') === 1 && complete(page.chat))
    for (const line of SLOW) expect(count(page.chat, line)).toBe(1)
  })

  it('among events of a newer service is shown, and they are passed by', async () => {
    const page = await world.live()
    const before = opened()
    world.gateway.onDown((frame) =>
      isChunk(frame)
        ? [
            event('FROM_NEXT_YEAR', { x: 1 }, { id: `new-${Math.random()}` }),
            frame.replace('{', '{"extra":{"a":[1]},'),
          ]
        : undefined,
    )
    page.chat.send('slow')
    await world.until(() => count(page.chat, '10, ') === 1 && complete(page.chat))
    expect(world.gateway.struck.down).toBeGreaterThanOrEqual(FEW)
    expect(screen(page.chat)).toEqual(SLOW)
    expect(opened()).toBe(before)
  })

  it('interleaved with another, repeated behind its end and without chunks is shown whole', async () => {
    const page = await world.live()
    const chunk = (message_id: string, text: string, chunk_index: number, is_complete = false) =>
      event('POLY_AGENT_MESSAGE_CHUNK', { message_id, text, chunk_index, is_complete })
    inject(chunk('x', 'x1 ', 1))
    inject(chunk('y', 'y1 ', 1))
    inject(chunk('x', 'x2', 2, true))
    inject(chunk('y', 'y2', 2, true))
    inject(chunk('x', 'x2', 2, true))
    inject(chunk('x', 'late', 3))
    inject(chunk('z', '', 1, true))
    await world.until(() => count(page.chat, 'y1 y2') === 1)
    await world.until(() => count(page.chat, 'x1 x2') === 1 && complete(page.chat))
  })
})

describe('a frame', () => {
  const BAD: readonly string[] = [
    '',
    'null',
    '[]',
    '3',
    '"text"',
    '{',
    '{"type":',
    '{"type":null}',
    '{"type":{}}',
    '{"type":"EVENT_TYPE_EVENT_BATCH"}',
    '{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":{}}}',
    '{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[1,null,[],{}]}}',
    '{"type":"EVENT_TYPE_USER_MESSAGE"}',
    '{"type":"EVENT_TYPE_POLY_AGENT_MESSAGE","payload":[]}',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `{"type":"EVENT_TYPE_SYSTEM_MESSAGE","payload":{"a":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}}`,
  ]
  it('that makes no sense is dropped, and the connection goes on', async () => {
    const page = await world.live()
    const before = opened()
    for (const frame of BAD) inject(frame)
    page.chat.send('all the same')
    await world.until(() => count(page.chat, 'You said all the same') === 1)
    expect(opened()).toBe(before)
    expect(page.wire.filter((line) => line.includes('note dropped')).length).toBeGreaterThanOrEqual(FEW)
    expect(screen(page.chat)).toEqual([
      'agent: Hello there',
      'visitor: all the same',
      'agent: You said all the same',
    ])
  })

  it('of the visitor that is larger than the service takes is refused before it is sent', async () => {
    const page = await world.live()
    const before = world.gateway.struck.up ?? 0
    const sent: number[] = []
    world.gateway.onUp((frame) => {
      sent.push(frame.length)
      return undefined
    })
    page.chat.send('é'.repeat(70_000))
    page.chat.send('short')
    await world.until(() => count(page.chat, 'You said short') === 1)
    expect(Math.max(...sent)).toBeLessThan(10_000)
    expect(count(page.chat, 'visitor: é')).toBe(0)
    expect(world.gateway.struck.up ?? 0).toBe(before)
  })

  it('of 2 MiB does not stop the chat', async () => {
    const page = await world.live()
    inject(event('POLY_AGENT_MESSAGE', { message_id: 'huge', text: 'x'.repeat(2 * 2 ** 20) }))
    page.chat.send('still here')
    await world.until(() => count(page.chat, 'You said still here') === 1)
  })

  it('that is binary is ignored, one in fragments is read, and pings are answered', async () => {
    const page = await world.live()
    const before = opened()
    const socket = world.gateway.open().at(-1)
    let pongs = 0
    socket?.on('pong', () => pongs++)
    inject(Buffer.from(event('POLY_AGENT_MESSAGE', { message_id: 'binary', text: 'binary' })), {
      binary: true,
    })
    const text = event('POLY_AGENT_MESSAGE', { message_id: 'parts', text: 'in parts' })
    inject(text.slice(0, 30), { fin: false })
    inject(text.slice(30), { fin: true })
    for (let times = 0; times < 200; times++) socket?.ping()
    // One pong may answer several pings.
    await world.until(() => pongs >= 10)
    await world.until(() => count(page.chat, 'agent: in parts') === 1)
    expect(count(page.chat, 'agent: binary')).toBe(0)
    expect(opened()).toBe(before)
  })

  it('with an object for a text shows nothing of it, and changes no prototype', async () => {
    const page = await world.live()
    inject(event('POLY_AGENT_MESSAGE', { message_id: 'node', text: { type: 'b', props: { children: 'x' } } }))
    inject(
      '{"type":"EVENT_TYPE_POLY_AGENT_MESSAGE","id":"made-up","timestamp":"2027-01-15T08:00:00Z","payload":{"message_id":"p","text":"plain","__proto__":{"polluted":1}}}',
    )
    inject(
      '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":["a"]},"metadata":{"custom":{"__proto__":{"x":"y"}}}}',
    )
    inject('{"type":"constructor","payload":{}}')
    await world.until(() => count(page.chat, 'agent: plain') === 1)
    expect(screen(page.chat)).toEqual(['agent: Hello there', 'agent: plain'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it.each(
    some(
      [
        'flags 🇨🇭🇯🇵 and a family 👩‍👩‍👧‍👦 in **bold**',
        'combining é́́ and مرحبا in one line',
        `${'👍🏽'.repeat(200)} end`,
      ],
      3,
    ),
  )('keeps every character of %s', async (text) => {
    const page = await world.live()
    world.proxy.set({ slice: 3 })
    page.chat.send(text)
    await world.until(() => count(page.chat, `agent: You said ${text}`) === 1 && complete(page.chat))
    expect(count(page.chat, `visitor: ${text}`)).toBe(1)
    expect(world.proxy.struck.slice).toBeGreaterThanOrEqual(1)
  })
})

describe('an echo', () => {
  it.each([
    ['twice', (frame: string) => [frame, frame]],
    ['never', () => []],
  ])('that comes %s leaves the message there once', async (_, change) => {
    const page = await world.live()
    let struck = 0
    world.gateway.onDown((frame) => {
      if (!frame.includes('USER_MESSAGE') || frame.includes('EVENT_BATCH')) return undefined
      struck++
      return change(frame)
    })
    page.chat.send('echo')
    await world.until(
      () => count(page.chat, 'visitor: echo') === 1 && count(page.chat, 'You said echo') === 1,
      60_000,
    )
    expect(struck).toBeGreaterThanOrEqual(1)
    expect(count(page.chat, 'echo')).toBe(2)
  })

  it('that comes 6 s late leaves the message there once', async () => {
    const page = await world.live()
    let struck = 0
    world.gateway.onDown((frame, socket) => {
      if (!frame.includes('USER_MESSAGE') || frame.includes('EVENT_BATCH')) return undefined
      struck++
      setTimeout(() => socket.readyState === 1 && socket.send(frame), 6_000)
      return []
    })
    page.chat.send('echo')
    await world.until(() => count(page.chat, 'visitor: echo') === 1, 60_000)
    await world.rest(8_000)
    expect(struck).toBeGreaterThanOrEqual(1)
    expect(count(page.chat, 'echo')).toBe(2)
  })
})
