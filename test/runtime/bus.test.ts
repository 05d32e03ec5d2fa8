// What one process tells the others, over a link whose texts are read, kept back and repeated by hand.

import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Meter, noMeter } from '../../src/api/index.ts'
import { type BusLink, createBus, type News } from '../../src/runtime/bus/index.ts'
import { createSigner } from '../../src/runtime/bus/signature.ts'

const KEY = 'the key of this database'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Links that share a wire: each text reaches all of them, in order, unless the wire is down. */
function createWire(mostBytes = 7_500, tellsAway = false, lookMs?: number) {
  const ends: { heard: (text: string) => void; lost: () => void }[] = []
  const texts: string[] = []
  let down = false
  const link = (): BusLink => ({
    mostBytes,
    ...(tellsAway && { isAway: () => down }),
    ...(lookMs !== undefined && { lookMs }),
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
  const bus = createBus({ link: wire.link(), key: KEY, processId, meter, log: (line) => log.push(line) })
  bus.count({ count: others, strangers: 0 })
  await bus.open({ heard: (news) => heard.push(news), gap: () => heard.push('gap') })
  await vi.advanceTimersByTimeAsync(0)
  return { bus, heard, log, counts }
}

type Joined = Awaited<ReturnType<typeof join>>

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
    one.bus.count({ count: 0, strangers: 0 })
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

  it('tells events that are not stored also where nothing is stored', async () => {
    const { one, other } = await two()
    for (const _ of [1, 2]) {
      one.bus.publish(typing)
      await vi.advanceTimersByTimeAsync(5)
    }
    expect(other.heard).toEqual([typing, typing])
  })

  it('has the others look at everything where there are more news than a text may hold', async () => {
    const { one, other } = await two(10_000_000)
    for (const count of [10_000, 10_001]) {
      other.heard.length = 0
      for (let n = 0; n < count; n++) one.bus.publish({ topic: `${n}`, sequence: 1 })
      await vi.advanceTimersByTimeAsync(5)
      if (count > 10_000) expect(other.heard).toEqual(['gap'])
      else expect(other.heard).toHaveLength(count)
    }
    expect(other.log).toEqual([])
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
    // Each heartbeat says again how many there are.
    for (let beats = 0; beats < 5; beats++) {
      one.bus.count({ count: 1, strangers: 0 })
      await vi.advanceTimersByTimeAsync(4_000)
    }
    expect(one.heard).toHaveLength(6)
    one.bus.count({ count: 0, strangers: 0 })
    await vi.advanceTimersByTimeAsync(10_000)
    one.heard.length = 0
    await vi.advanceTimersByTimeAsync(10_000)
    expect(one.heard).toEqual([])
  })

  describe('over a link that tells whether it is away', () => {
    /** How often a process looks at everything within a minute and a half. */
    async function looks(change: (bus: Joined['bus'], wire: ReturnType<typeof createWire>) => void) {
      const wire = createWire(7_500, true)
      const { bus, heard } = await join(wire, 'one', 2)
      change(bus, wire)
      heard.length = 0
      await vi.advanceTimersByTimeAsync(90_000)
      return heard.length
    }

    it.each<[string, Parameters<typeof looks>[0], number]>([
      ['once a minute', () => {}, 1],
      ['every five seconds while it is away', (_, wire) => wire.setDown(true), 18],
      [
        'every five seconds while a process of another build is there',
        (bus) => bus.count({ count: 2, strangers: 1 }),
        18,
      ],
      ['not at all while it is alone', (bus) => bus.count({ count: 0, strangers: 0 }), 0],
    ])('looks %s', async (_, change, times) => {
      expect(await looks(change)).toBe(times)
    })

    it('looks as often as the link says, if it says so', async () => {
      const { heard } = await join(createWire(7_500, true, 30_000), 'one', 2)
      heard.length = 0
      await vi.advanceTimersByTimeAsync(90_000)
      expect(heard).toHaveLength(3)
    })

    it('looks at once when there are fewer processes, and not when there are more', async () => {
      const { bus, heard } = await join(createWire(7_500, true), 'one', 2)
      heard.length = 0
      bus.count({ count: 3, strangers: 0 })
      expect(heard).toEqual([])
      bus.count({ count: 2, strangers: 0 })
      bus.count({ count: 2, strangers: 0 })
      expect(heard).toEqual(['gap'])
    })
  })

  it('looks at everything every five seconds too where no link connects the processes', async () => {
    const heard: string[] = []
    const bus = createBus({ key: KEY, processId: 'one', log: () => {} })
    await bus.open({ heard: () => {}, gap: () => heard.push('gap') })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toEqual([])
    bus.count({ count: 1, strangers: 0 })
    bus.publish({ topic: 'a', sequence: 1 })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toEqual(['gap', 'gap'])
    await bus.close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toHaveLength(2)
  })

  describe('on a link that takes its time', () => {
    /** Each text is sent when the test says so. */
    async function slow() {
      const sent: { text: string; done: () => void }[] = []
      let lose = () => {}
      const link: BusLink = {
        mostBytes: 7_500,
        async open(_, lost) {
          lose = lost
        },
        send: (text) => new Promise<void>((done) => sent.push({ text, done })),
        close: async () => {},
      }
      const bus = createBus({ link, key: KEY, processId: 'one', log: () => {} })
      bus.count({ count: 1, strangers: 0 })
      await bus.open({ heard: () => {}, gap: () => {} })
      const signer = createSigner(KEY)
      const newsOf = (index: number) => JSON.parse(signer.open(sent[index]?.text ?? '') ?? '{}').news
      return { bus, sent, newsOf, lose: () => lose() }
    }
    it('has one text under way, and gathers meanwhile what the next one tells', async () => {
      const { bus, sent, newsOf } = await slow()
      sent[0]?.done()
      for (let sequence = 1; sequence <= 50; sequence++) {
        bus.publish({ topic: 'a', sequence })
        await vi.advanceTimersByTimeAsync(5)
      }
      expect(sent).toHaveLength(2)
      expect(newsOf(1)).toEqual([['a', 1]])
      sent[1]?.done()
      await vi.advanceTimersByTimeAsync(5)
      expect(sent).toHaveLength(3)
      expect(newsOf(2)).toEqual([['a', 50]])
    })
    it('tells a gap once it can, before what came after it', async () => {
      const wire = createWire()
      const { bus } = await join(wire, 'one', 1)
      wire.texts.length = 0
      for (const end of wire.ends) end.lost()
      for (const end of wire.ends) end.lost()
      bus.publish({ topic: 'a', sequence: 1 })
      await vi.advanceTimersByTimeAsync(5)
      const kinds = wire.texts.map((text) => JSON.parse(createSigner(KEY).open(text) ?? '{}').kind)
      expect(kinds).toEqual(['gap', 'gap', 'news'])
    })
    it('goes on where a text fails before it is under way', async () => {
      let failures = 0
      const link: BusLink = {
        mostBytes: 7_500,
        open: async () => {},
        send() {
          failures++
          throw new Error('broken')
        },
        close: async () => {},
      }
      const bus = createBus({ link, key: KEY, processId: 'one', log: () => {} })
      bus.count({ count: 1, strangers: 0 })
      await bus.open({ heard: () => {}, gap: () => {} })
      for (let sequence = 1; sequence <= 3; sequence++) {
        bus.publish({ topic: 'a', sequence })
        await vi.advanceTimersByTimeAsync(5)
      }
      expect(failures).toBe(4)
      await bus.close()
    })
    it('sends one more text before it closes, however much was gathered', async () => {
      const { bus, sent, newsOf } = await slow()
      sent[0]?.done()
      bus.publish({ topic: 'a', sequence: 1 })
      await vi.advanceTimersByTimeAsync(5)
      for (let sequence = 2; sequence <= 9; sequence++) bus.publish({ topic: 'a', sequence })
      let closed = false
      const closing = bus.close().then(() => {
        closed = true
      })
      sent[1]?.done()
      await vi.advanceTimersByTimeAsync(5)
      expect(newsOf(2)).toEqual([['a', 9]])
      expect(closed).toBe(false)
      sent[2]?.done()
      await closing
      expect(sent).toHaveLength(3)
    })
    it('sends nothing more once its link is closed, also where a gap was due and news were gathered', async () => {
      const { bus, sent, lose } = await slow()
      lose()
      bus.publish({ topic: 'a', sequence: 1 })
      const closing = bus.close()
      sent[0]?.done()
      await vi.advanceTimersByTimeAsync(5)
      sent[1]?.done()
      await closing
      await vi.advanceTimersByTimeAsync(60_000)
      expect(sent).toHaveLength(2)
    })
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

  it('looks at nothing once it is closed, whatever it still hears or is told', async () => {
    const { wire, one, other } = await two()
    const closed = await join(wire, 'closed', 1)
    await closed.bus.close()
    closed.heard.length = 0
    one.bus.count({ count: 0, strangers: 0 })
    await one.bus.close()
    one.heard.length = 0
    other.bus.publish({ topic: 'a', sequence: 1 })
    await vi.advanceTimersByTimeAsync(5)
    for (const { heard } of wire.ends) heard('not signed')
    closed.bus.count({ count: 0, strangers: 0 })
    await vi.advanceTimersByTimeAsync(120_000)
    const looks = ({ heard }: Joined) => heard.filter((news) => news === 'gap')
    expect([one, closed].map(looks)).toEqual([[], []])
  })

  it('is heard however fast its texts follow each other, also after its clock was set back', async () => {
    const { one, other } = await two()
    const heard = (sequence: number) => ({ topic: 'a', sequence })
    for (const [sequence, back] of [
      [1, 0],
      [2, 5],
      [3, 5],
      [4, 1_000],
    ] as const) {
      one.bus.publish(heard(sequence))
      await vi.advanceTimersByTimeAsync(5)
      vi.setSystemTime(Date.now() - back)
    }
    expect(other.heard).toEqual([1, 2, 3, 4].map(heard))
    expect(other.log).toEqual([])
  })

  it('signs each text within its bytes', async () => {
    const { wire, one, other } = await two(300)
    const lengths: number[] = []
    for (const letter of ['a', 'é']) {
      for (let length = 1; length < 200; length++) {
        other.heard.length = 0
        one.bus.publish({ topic: letter.repeat(length), sequence: 1 })
        await vi.advanceTimersByTimeAsync(5)
        lengths.push(Buffer.byteLength(wire.texts.at(-1) ?? ''))
        expect(other.heard).toHaveLength(1)
      }
      expect(other.heard).toEqual(['gap'])
    }
    expect(Math.max(...lengths)).toBe(300)
    expect(other.log).toEqual([])
  })
})

describe('a text that this process does not take', () => {
  const news = (...pieces: unknown[]) => JSON.stringify({ from: 'x', kind: 'news', news: pieces })

  it.each([
    'no JSON',
    '',
    '{}',
    news(['a', 1]),
    news(['a', [{ type: 'typing' }]]),
    '{"from":"x","kind":"gap","news":[]}',
    `{"from":"x","at":${Date.now()},"kind":"gap","news":[],"sig":"${'x'.repeat(43)}"}`,
    `{"from":"x","at":${Date.now()},"kind":"gap","news":[],"sig":"${'é'.repeat(43)}"}`,
  ])('since nobody signed it is a gap, and the log says so without repeating it: %s', async (text) => {
    const { wire, one } = await two()
    wire.ends[0]?.heard(text)
    expect(one.heard).toEqual(['gap'])
    expect(one.log).toEqual([
      expect.stringMatching(
        /^the bus carried a text that no process of this version sends.*several-processes/,
      ),
    ])
  })

  it.each([
    '{"news":[["a",0]]}',
    '{"news":[["a",1.5]]}',
    '{"news":[["a",[1]]]}',
    `{"news":[["${'a'.repeat(201)}",1]]}`,
    '{"kind":"other"}',
    '{"at":"now"}',
    '{"at":null}',
    '{"from":1}',
  ])('since it has another form is a gap, whoever signed it: %s', async (text) => {
    const { wire, one } = await two()
    const whole = { from: 'x', at: Date.now(), kind: 'news', news: [['a', 1]], ...JSON.parse(text) }
    wire.ends[0]?.heard(createSigner(KEY).sign(JSON.stringify(whole)))
    expect(one.heard).toEqual(['gap'])
  })

  it('may differ in a single character from one that it takes', async () => {
    const { wire, one, other } = await two()
    other.bus.publish({ topic: 'a', sequence: 1 })
    await vi.advanceTimersByTimeAsync(5)
    expect(one.heard).toEqual([{ topic: 'a', sequence: 1 }])
    const [text = ''] = wire.texts
    const { bus: third, heard } = await join(wire, 'third', 1)
    const end = wire.ends.at(-1)
    for (let at = 0; at < text.length; at++) {
      const changed = String.fromCharCode(text.charCodeAt(at) ^ 1)
      end?.heard(text.slice(0, at) + changed + text.slice(at + 1))
      end?.heard(text.slice(0, at) + text.slice(at + 1))
    }
    expect(heard).toEqual(['gap'])
    end?.heard(text)
    expect(heard).toEqual(['gap', { topic: 'a', sequence: 1 }])
    await third.close()
  })

  it('may be signed by the key of another database', async () => {
    const { wire, one } = await two()
    const body = JSON.stringify({ from: 'x', at: Date.now(), kind: 'news', news: [['a', 1]] })
    wire.ends[0]?.heard(createSigner('the key of another').sign(body))
    expect(one.heard).toEqual(['gap'])
  })

  /** What the other one said, and then a second process that was there too. */
  async function recorded() {
    const { wire, one, other } = await two()
    for (const sequence of [1, 2, 3]) {
      other.bus.publish({ topic: 'a', sequence })
      other.bus.publish(typing)
      await vi.advanceTimersByTimeAsync(5)
    }
    const texts = [...wire.texts]
    expect(texts).toHaveLength(3)
    expect(one.heard).toHaveLength(6)
    one.heard.length = 0
    return { wire, one, other, texts, repeat: (text = '') => wire.ends[0]?.heard(text) }
  }

  it('is each that it has heard before, in any order', async () => {
    const { one, other, texts, repeat } = await recorded()
    for (const text of [...texts, ...texts.toReversed()]) repeat(text)
    expect(one.heard).toEqual(['gap'])
    expect(one.log).toEqual([expect.stringMatching(/^the bus carried a text twice/)])
    other.bus.publish({ topic: 'a', sequence: 4 })
    await vi.advanceTimersByTimeAsync(5)
    expect(one.heard).toEqual(['gap', { topic: 'a', sequence: 4 }])
  })

  it.each([
    { later: 61_000, taken: false },
    { later: 59_000, taken: true },
  ])('is one from $later ms ago, at a process that has just started: $taken', async ({ later, taken }) => {
    const { wire, texts } = await recorded()
    await vi.advanceTimersByTimeAsync(later)
    const { heard } = await join(wire, 'third', 1)
    wire.ends.at(-1)?.heard(texts[0] ?? '')
    expect(heard).toEqual(taken ? [{ topic: 'a', sequence: 1 }, typing] : ['gap'])
  })

  it('is one that was heard before, also once nothing of its process was heard for a long time', async () => {
    const { one, texts, repeat } = await recorded()
    one.bus.count({ count: 0, strangers: 0 })
    await vi.advanceTimersByTimeAsync(600_000)
    // Heard of a third one, what is known of the silent one is forgotten.
    const body = JSON.stringify({ from: 'third', at: Date.now(), kind: 'news', news: [['a', 1]] })
    repeat(createSigner(KEY).sign(body))
    one.heard.length = 0
    for (const text of texts) repeat(text)
    expect(one.heard).toEqual(['gap'])
  })

  it('is told apart by its process: clocks differ, and one that is silent is forgotten alone', async () => {
    const { wire, one } = await two()
    const text = (from: string, ago: number) =>
      createSigner(KEY).sign(JSON.stringify({ from, at: Date.now() - ago, kind: 'news', news: [[from, 1]] }))
    const hear = (text: string) => {
      one.heard.length = 0
      wire.ends[0]?.heard(text)
      return one.heard
    }
    expect(hear(text('early', 0))).toEqual([{ topic: 'early', sequence: 1 }])
    expect(hear(text('late', 30_000))).toEqual([{ topic: 'late', sequence: 1 }])
    await vi.advanceTimersByTimeAsync(40_000)
    const kept = text('third', 0)
    expect(hear(kept)).toEqual([{ topic: 'third', sequence: 1 }])
    // Those that were heard a minute ago are forgotten by now.
    await vi.advanceTimersByTimeAsync(30_000)
    expect(hear(text('late', 0))).toEqual([{ topic: 'late', sequence: 1 }])
    expect(hear(kept)).toEqual(['gap'])
  })

  it('is one from a clock that is more than a minute ahead, which the log says', async () => {
    const { one, repeat } = await recorded()
    for (const [ahead, taken] of [
      [61_000, false],
      [59_000, true],
    ] as const) {
      one.heard.length = 0
      const body = { from: 'ahead', at: Date.now() + ahead, kind: 'news', news: [['a', 9]] }
      repeat(createSigner(KEY).sign(JSON.stringify(body)))
      expect(one.heard).toEqual([taken ? { topic: 'a', sequence: 9 } : 'gap'])
    }
    expect(one.log).toEqual([expect.stringMatching(/clocks of processes differ/)])
  })

  it('makes it look at most once a second, the last time after the last of them, and leaves a line a minute', async () => {
    const { wire, one } = await two()
    one.bus.count({ count: 0, strangers: 0 })
    const looks = () => one.heard.length
    let last = 0
    for (let step = 0; step < 2_000; step++) {
      wire.ends[0]?.heard(`garbage ${step}`)
      one.bus.count({ count: 0, strangers: 0 })
      last = looks()
      await vi.advanceTimersByTimeAsync(37)
    }
    // 74 seconds.
    expect(looks()).toBeLessThanOrEqual(75)
    expect(looks()).toBeGreaterThan(70)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(looks()).toBe(last + 1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(looks()).toBe(last + 1)
    expect(one.log).toHaveLength(2)
    wire.ends[0]?.heard('garbage')
    expect(looks()).toBe(last + 2)
    expect(one.log).toHaveLength(3)
  })
})

describe('a process of the version before, which signs nothing', () => {
  /** How it reads a text. */
  const Text = v.object({ from: v.string(), kind: v.picklist(['news', 'gap']), news: v.array(v.unknown()) })

  it('understands what this one says', async () => {
    const { wire, one } = await two()
    one.bus.publish({ topic: 'a', sequence: 2 })
    one.bus.publish(typing)
    await vi.advanceTimersByTimeAsync(5)
    expect(v.parse(Text, JSON.parse(wire.texts[0] ?? ''))).toEqual({
      from: 'one',
      kind: 'news',
      news: [
        ['a', 2],
        ['desk:a', [{ type: 'typing' }]],
      ],
    })
  })

  it('is known as soon as it starts, and what it says is found within a second', async () => {
    const wire = createWire()
    const one = await join(wire, 'one', 0)
    wire.texts.length = 0
    wire.ends[0]?.heard('{"from":"old","kind":"gap","news":[]}')
    one.bus.publish({ topic: 'a', sequence: 1 })
    await vi.advanceTimersByTimeAsync(5)
    expect(wire.texts).toHaveLength(1)
    one.heard.length = 0
    wire.ends[0]?.heard('{"from":"old","kind":"news","news":[["a",2]]}')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.heard).toEqual(['gap'])
  })
})
