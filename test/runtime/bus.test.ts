// What one process tells the others, over a link whose texts are read, kept back and repeated by hand.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Meter, noMeter } from '../../src/api/index.ts'
import { type BusLink, createBus, type News } from '../../src/runtime/bus/index.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Links that share a wire: each text reaches all of them, in order, unless the wire is down. */
function createWire(mostBytes = 7_500) {
  const ends: { heard: (text: string) => void; lost: () => void }[] = []
  const texts: string[] = []
  let down = false
  const link = (): BusLink => ({
    mostBytes,
    async open(heard, lost) {
      ends.push({ heard, lost })
    },
    async send(text) {
      if (down) throw new Error('down')
      texts.push(text)
      for (const end of ends) end.heard(text)
    },
    close: async () => {},
  })
  return {
    link,
    texts,
    ends,
    setDown: (is: boolean) => {
      down = is
    },
  }
}

async function join(wire: ReturnType<typeof createWire>, processId: string, others: number) {
  const log: string[] = []
  const heard: (News | 'gap')[] = []
  const counts: Record<string, number> = {}
  const meter: Meter = {
    ...noMeter,
    count(name, by, ...[labels]) {
      const key = `${name} ${Object.values(labels ?? {}).join(' ')}`
      counts[key] = (counts[key] ?? 0) + by
    },
  }
  const bus = createBus({ link: wire.link(), processId, meter, log: (line) => log.push(line) })
  bus.count(others)
  await bus.open({ heard: (news) => heard.push(news), gap: () => heard.push('gap') })
  await vi.advanceTimersByTimeAsync(0)
  return { bus, heard, log, counts }
}

async function two(mostBytes?: number) {
  const wire = createWire(mostBytes)
  const one = await join(wire, 'one', 0)
  const other = await join(wire, 'other', 1)
  one.heard.length = 0
  wire.texts.length = 0
  return { wire, one, other }
}

const typing = { topic: 'desk:a', events: [{ type: 'typing' }] }

describe('the bus', () => {
  it('counts the news that it sends and hears, and the gaps that it tells and notices', async () => {
    const { wire, one, other } = await two()
    one.bus.publish({ topic: 'a', sequence: 1 })
    one.bus.publish({ topic: 'a', sequence: 2 })
    one.bus.publish(typing)
    await vi.advanceTimersByTimeAsync(5)
    expect(one.counts).toEqual({
      'foyer_bus_gaps_total told': 1,
      'foyer_bus_gaps_total noticed': 1,
      'foyer_bus_news_total sent': 2,
    })
    // It sent nothing itself, and the other was there before it.
    expect(other.counts).toEqual({ 'foyer_bus_gaps_total told': 1, 'foyer_bus_news_total received': 2 })
    for (const end of wire.ends) end.lost()
    await vi.advanceTimersByTimeAsync(0)
    expect(other.counts['foyer_bus_gaps_total noticed']).toBe(2)
  })

  it('sends nothing while no other process is known', async () => {
    const wire = createWire()
    const { bus } = await join(wire, 'one', 0)
    wire.texts.length = 0
    bus.publish({ topic: 'a', sequence: 1 })
    bus.publish(typing)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(wire.texts).toEqual([])
  })

  it('makes a process known as soon as it starts, and has the others look at everything', async () => {
    const wire = createWire()
    const one = await join(wire, 'one', 0)
    const other = await join(wire, 'other', 1)
    expect(one.heard).toEqual(['gap'])
    one.bus.publish({ topic: 'a', sequence: 1 })
    await vi.advanceTimersByTimeAsync(5)
    expect(other.heard).toEqual([{ topic: 'a', sequence: 1 }])
  })

  it('is silent again once the heartbeat counts no other', async () => {
    const { wire, one } = await two()
    one.bus.count(0)
    one.bus.publish({ topic: 'a', sequence: 1 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(wire.texts).toEqual([])
    expect(one.heard).toEqual([])
  })

  it('gathers for 5 ms: one text, of each topic the last sequence, and every event that is not stored', async () => {
    const { wire, one, other } = await two()
    one.bus.publish({ topic: 'a', sequence: 2 })
    one.bus.publish(typing)
    one.bus.publish({ topic: 'a', sequence: 3 })
    one.bus.publish({ topic: 'b', sequence: 7 })
    one.bus.publish({ topic: 'a', sequence: 1 })
    one.bus.publish(typing)
    await vi.advanceTimersByTimeAsync(4)
    expect(other.heard).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(wire.texts).toHaveLength(1)
    expect(other.heard).toEqual([{ topic: 'a', sequence: 3 }, { topic: 'b', sequence: 7 }, typing, typing])
    await vi.advanceTimersByTimeAsync(100)
    expect(wire.texts).toHaveLength(1)
  })

  it('hears nothing of itself', async () => {
    const { one } = await two()
    one.bus.publish({ topic: 'a', sequence: 1 })
    await vi.advanceTimersByTimeAsync(5)
    expect(one.heard).toEqual([])
  })

  it('has the others look at everything where the news do not fit into one text', async () => {
    const { wire, one, other } = await two(200)
    for (let n = 0; n < 20; n++) one.bus.publish({ topic: `a session with a long name ${n}`, sequence: 1 })
    await vi.advanceTimersByTimeAsync(5)
    expect(other.heard).toEqual(['gap'])
    expect(wire.texts.every((text) => text.length <= 200)).toBe(true)
  })

  it('after a cut, both sides look at everything', async () => {
    const { wire, one, other } = await two()
    wire.setDown(true)
    one.bus.publish({ topic: 'a', sequence: 1 })
    await vi.advanceTimersByTimeAsync(5)
    wire.setDown(false)
    wire.ends[0]?.lost()
    await vi.advanceTimersByTimeAsync(0)
    expect(one.heard).toEqual(['gap'])
    expect(other.heard).toEqual(['gap'])
  })

  it('looks at everything every five seconds, since news may be lost, unless it is alone', async () => {
    const { one, other } = await two()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([one.heard, other.heard]).toEqual([
      ['gap', 'gap'],
      ['gap', 'gap'],
    ])
    one.bus.count(0)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(one.heard).toHaveLength(2)
  })

  it('looks at everything every five seconds too where no link connects the processes', async () => {
    const heard: string[] = []
    const bus = createBus({ processId: 'one', log: () => {} })
    await bus.open({ heard: () => {}, gap: () => heard.push('gap') })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toEqual([])
    bus.count(1)
    bus.publish({ topic: 'a', sequence: 1 })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toEqual(['gap', 'gap'])
    await bus.close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toHaveLength(2)
  })

  it('sends what is gathered before it closes, and nothing later', async () => {
    const { wire, one, other } = await two()
    one.bus.publish({ topic: 'a', sequence: 1 })
    await one.bus.close()
    expect(other.heard).toEqual([{ topic: 'a', sequence: 1 }])
    one.bus.publish({ topic: 'a', sequence: 2 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(wire.texts).toHaveLength(1)
  })

  it.each([
    'no JSON',
    '{}',
    '{"from":"x","kind":"news","news":[["a",0]]}',
    '{"from":"x","kind":"news","news":[["a",1.5]]}',
    '{"from":"x","kind":"news","news":[["a",[1]]]}',
    `{"from":"x","kind":"news","news":[["${'a'.repeat(201)}",1]]}`,
    '{"from":"x","kind":"other","news":[]}',
  ])('ignores %s, and says so without repeating it', async (text) => {
    const { wire, one } = await two()
    wire.ends[0]?.heard(text)
    expect(one.heard).toEqual([])
    expect(one.log).toEqual(['ignored a malformed message on the bus'])
  })
})
