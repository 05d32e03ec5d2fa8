// What a socket is sent: a store and a line that are moved on by hand.

import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../src/runtime/sessions/hub.ts'
import { createFeed, type Page } from '../../src/runtime/sessions/socket/feed.ts'

const KIB = 1024

const stored = (sequence: number, text = `${sequence}`, type = 'EVENT_TYPE_USER_MESSAGE'): WireEvent => ({
  id: `id-${sequence}`,
  type,
  sequence,
  timestamp: '2026-01-01T00:00:00.000Z',
  payload: { text },
})
const transient = (type: string): WireEvent => ({ ...stored(0, '', type), sequence: null })
const END = 'EVENT_TYPE_SESSION_END'

/** `pageSize`: events a page. The reader takes frames only when told to. */
function world({ events = [] as WireEvent[], cursor = 0, pageSize = 1_000 } = {}) {
  const store = [...events]
  const frames: string[] = []
  const untaken: (() => void)[] = []
  const failures: string[] = []
  const reads: number[] = []
  let backlog = 0
  let mostWaiting = 0
  let closed: number | undefined
  let readFails: Error | undefined
  let beforeRead = async () => {}
  let behindRead = () => {}
  const feed = createFeed({
    cursor,
    async read(after): Promise<Page> {
      reads.push(after)
      await beforeRead()
      if (readFails) throw readFails
      const next = store.filter(({ sequence }) => (sequence ?? 0) > after)
      const page = { events: next.slice(0, pageSize), more: next.length > pageSize }
      behindRead()
      return page
    },
    sink: {
      isOpen: () => closed === undefined,
      backlog: () => backlog,
      send(text, taken) {
        frames.push(text)
        if (taken) {
          untaken.push(taken)
          mostWaiting = Math.max(mostWaiting, untaken.length)
        } else backlog += text.length
      },
      close: (code) => {
        closed ??= code
      },
    },
    head: () => ({ id: 'batch', type: 'EVENT_TYPE_EVENT_BATCH', sequence: null, timestamp: 'now' }),
    failed: (error) => failures.push((error as Error).message),
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  async function take(): Promise<boolean> {
    await settle()
    const next = untaken.shift()
    next?.()
    await settle()
    return next !== undefined
  }
  return {
    feed,
    frames,
    reads,
    failures,
    settle,
    /** The reader takes one frame of those that wait for it. */
    take,
    async takeAll() {
      while (await take());
    },
    /** As another process, or this one, stores an event and tells the hub. */
    add(event: WireEvent, tell = true) {
      if (event.sequence !== null) store.push(event)
      if (tell) feed.deliver(event)
    },
    closed: () => closed,
    mostWaiting: () => mostWaiting,
    hangUp: () => {
      closed = 1006
    },
    failReads(message: string | undefined) {
      readFails = message === undefined ? undefined : new Error(message)
    },
    onRead(run: () => Promise<void>) {
      beforeRead = run
    },
    /** Once the next page is read, and before the feed has it. */
    onceRead(run: () => void) {
      behindRead = () => {
        behindRead = () => {}
        run()
      }
    },
    setBacklog(bytes: number) {
      backlog = bytes
    },
    /** What came, batches opened. */
    came: () =>
      frames
        .map((text) => JSON.parse(text) as WireEvent)
        .flatMap((frame) =>
          frame.type === 'EVENT_TYPE_EVENT_BATCH' ? (frame.payload.events as WireEvent[]) : [frame],
        )
        .map(({ sequence, type }) => sequence ?? type),
  }
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('the replay', () => {
  it('is one batch, even without events', async () => {
    const { feed, frames, takeAll } = world({ events: [stored(1)], cursor: 1 })
    const done = feed.replay()
    await takeAll()
    expect(await done).toBe(true)
    expect(frames.map((text) => JSON.parse(text))).toEqual([
      {
        id: 'batch',
        type: 'EVENT_TYPE_EVENT_BATCH',
        sequence: null,
        timestamp: 'now',
        payload: { events: [] },
      },
    ])
  })

  it('comes in batches of at most 16 KiB, or of one event', async () => {
    const events = [
      ...range(1, 200).map((n) => stored(n, 'é'.repeat(200))),
      stored(201, 'x'.repeat(20 * KIB)),
      stored(202),
    ]
    const { feed, frames, takeAll, came } = world({ events })
    void feed.replay()
    await takeAll()
    expect(came()).toEqual(range(1, 202))
    for (const text of frames) {
      const single = (JSON.parse(text).payload.events as unknown[]).length === 1
      if (!single) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * KIB)
    }
    // Well filled: no batch of one where two would have fitted.
    expect(frames.length).toBeLessThan(12)
  })

  it('reads the next page and writes the next frame only when the reader has taken the one before', async () => {
    const events = range(1, 40).map((n) => stored(n, 'x'.repeat(10 * KIB)))
    const { feed, frames, reads, take, takeAll, mostWaiting, came } = world({ events, pageSize: 10 })
    const done = feed.replay()
    for (let count = 0; count < 9; count++) await take()
    expect(frames).toHaveLength(10)
    expect(reads).toEqual([0])
    await take()
    expect(reads).toEqual([0, 10])
    await takeAll()
    expect(await done).toBe(true)
    expect(mostWaiting()).toBe(1)
    expect(came()).toEqual(range(1, 40))
  })

  it('never closes a slow reader, however long the replay: the backlog limit is for live events', async () => {
    const events = range(1, 400).map((n) => stored(n, 'x'.repeat(10 * KIB)))
    const { feed, takeAll, closed, came } = world({ events, pageSize: 50 })
    void feed.replay()
    await takeAll()
    expect(closed()).toBeUndefined()
    expect(came()).toEqual(range(1, 400))
  })

  it('that ends with SESSION_END closes the socket once the reader has taken everything', async () => {
    const { feed, take, closed, takeAll } = world({ events: [stored(1), stored(2, '', END)] })
    const done = feed.replay()
    await Promise.resolve()
    expect(closed()).toBeUndefined()
    await take()
    await takeAll()
    expect(await done).toBe(false)
    expect(closed()).toBe(1000)
  })

  it('closes the socket also when SESSION_END is on a page before the last', async () => {
    const events = [stored(1), stored(2, '', END), stored(3), stored(4)]
    const { feed, takeAll, closed } = world({ events, pageSize: 1 })
    const done = feed.replay()
    await takeAll()
    expect(await done).toBe(false)
    expect(closed()).toBe(1000)
  })

  it('stops when the reader disconnects, and reads no further page', async () => {
    const events = range(1, 40).map((n) => stored(n, 'x'.repeat(10 * KIB)))
    const { feed, reads, take, takeAll, hangUp, frames } = world({ events, pageSize: 10 })
    const done = feed.replay()
    await take()
    hangUp()
    await takeAll()
    expect(await done).toBe(false)
    expect(reads).toEqual([0])
    expect(frames).toHaveLength(2)
  })

  it('reports a failed read once, and limits the events that wait after the failure', async () => {
    const { feed, failReads, failures, settle, frames } = world()
    failReads('the store is away')
    expect(await feed.replay()).toBe(false)
    for (const n of range(1, 1_000)) feed.deliver(stored(n, 'x'.repeat(KIB)))
    await settle()
    expect(failures).toEqual(['the store is away'])
    expect(frames).toEqual([])
  })
})

describe('a live event', () => {
  it('waits until the replay is written, keeps its place, and is not sent twice', async () => {
    const { feed, add, takeAll, came, onRead, reads } = world({ events: range(1, 3).map((n) => stored(n)) })
    onRead(async () => add(stored(4)))
    const done = feed.replay()
    onRead(async () => {})
    add(transient('EVENT_TYPE_POLY_AGENT_THINKING'))
    add(stored(5), false)
    feed.deliver(stored(5))
    await takeAll()
    expect(await done).toBe(true)
    const sequences = came().filter((each) => typeof each === 'number')
    expect(sequences).toEqual(range(1, 5))
    expect(reads).toHaveLength(1)
  })

  it('is read from the store, in its place, when too many events wait', async () => {
    const { feed, add, settle, takeAll, came, reads } = world({ events: [stored(1)] })
    const done = feed.replay()
    await settle()
    for (const n of range(2, 100)) {
      add(stored(n, 'x'.repeat(2 * KIB)))
      add(transient('EVENT_TYPE_POLY_AGENT_THINKING'))
    }
    await takeAll()
    expect(await done).toBe(true)
    // What is not stored was dropped with the others, from the 33rd on.
    expect(came()).toEqual(range(1, 100))
    expect(reads.length).toBe(2)
    add(stored(101))
    expect(came().at(-1)).toBe(101)
  })

  it('is read from the store again when too many events wait a second time', async () => {
    const { feed, add, take, takeAll, came } = world({ events: [stored(1)] })
    const done = feed.replay()
    await take()
    for (const n of range(2, 60)) add(stored(n, 'x'.repeat(2 * KIB)))
    await take()
    await take()
    for (const n of range(61, 120)) add(stored(n, 'x'.repeat(2 * KIB)))
    await takeAll()
    await done
    expect(came()).toEqual(range(1, 120))
  })

  it('is held again once those that were too many are read, and in each later wait for the store', async () => {
    const { feed, add, settle, takeAll, came, reads, onceRead } = world({ events: [stored(1)] })
    void feed.replay()
    await settle()
    for (const n of range(2, 60)) add(stored(n, 'x'.repeat(2 * KIB)))
    onceRead(() => add(stored(61, 'x'.repeat(50 * KIB))))
    await takeAll()
    expect(reads).toEqual([0, 1])
    for (const n of [62, 64, 66]) {
      add(stored(n), false)
      add(stored(n + 1, 'x'.repeat(50 * KIB)))
      await takeAll()
    }
    expect(came()).toEqual(range(1, 67))
    expect(reads).toEqual([0, 1, 61, 63, 65])
  })

  it('is read from the store where too many come just as a page was read', async () => {
    const { feed, add, takeAll, came, onceRead } = world({ events: [stored(1)] })
    onceRead(() => {
      for (const n of range(2, 60)) add(stored(n, 'x'.repeat(2 * KIB)))
    })
    void feed.replay()
    await takeAll()
    expect(came()).toEqual(range(1, 60))
  })

  it('is sent at once, and a second delivery of the event is dropped', async () => {
    const { feed, add, takeAll, came, reads } = world({ events: [stored(1)] })
    void feed.replay()
    await takeAll()
    add(stored(2))
    feed.deliver(stored(2))
    feed.deliver(stored(1))
    feed.reach(2)
    add(transient('EVENT_TYPE_POLY_AGENT_THINKING'))
    expect(came()).toEqual([1, 2, 'EVENT_TYPE_POLY_AGENT_THINKING'])
    expect(reads).toHaveLength(1)
  })

  it('waits for an earlier event that the hub did not deliver and the feed reads from the store', async () => {
    const { feed, add, takeAll, came, reads } = world({ events: [stored(1)] })
    void feed.replay()
    await takeAll()
    add(stored(2), false)
    add(stored(3))
    add(stored(4))
    feed.deliver(stored(2))
    await takeAll()
    expect(came()).toEqual([1, 2, 3, 4])
    expect(reads).toEqual([0, 1])
    add(stored(5), false)
    add(stored(6))
    await takeAll()
    expect(came()).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('is sent after one read of the store when its predecessor is missing there too', async () => {
    const { feed, takeAll, came, reads } = world({ events: [stored(1)] })
    void feed.replay()
    await takeAll()
    feed.deliver(stored(7))
    await takeAll()
    expect(came()).toEqual([1, 7])
    expect(reads).toHaveLength(2)
  })

  it('closes a socket with 1 MiB of backlog, and nothing is sent after that', async () => {
    const { feed, add, takeAll, frames, closed, setBacklog } = world({ events: [stored(1)] })
    void feed.replay()
    await takeAll()
    setBacklog(1024 * KIB)
    add(stored(2))
    expect(closed()).toBeUndefined()
    setBacklog(1024 * KIB + 1)
    add(stored(3))
    expect(closed()).toBe(1013)
    const before = frames.length
    add(stored(4))
    feed.write(transient('EVENT_TYPE_HEARTBEAT'))
    expect(frames).toHaveLength(before)
  })

  it('closes the socket if it is SESSION_END', async () => {
    const { feed, add, takeAll, came, closed } = world({ events: [stored(1)] })
    void feed.replay()
    await takeAll()
    add(stored(2, '', END))
    add(stored(3))
    expect(came()).toEqual([1, 2])
    expect(closed()).toBe(1000)
  })

  it('closes the socket if it is SESSION_END and had to wait for the replay', async () => {
    const { feed, add, takeAll, came, closed } = world({ events: [stored(1)] })
    const done = feed.replay()
    await Promise.resolve()
    await Promise.resolve()
    add(stored(2, '', END))
    await takeAll()
    expect(came()).toEqual([1, 2])
    expect(closed()).toBe(1000)
    expect(await done).toBe(false)
  })

  it('fails the socket once when the store cannot be read', async () => {
    const { feed, add, takeAll, failReads, failures, came } = world({ events: [stored(1)] })
    void feed.replay()
    await takeAll()
    failReads('the store is away')
    add(stored(3))
    add(stored(5))
    await takeAll()
    expect(failures).toEqual(['the store is away'])
    expect(came()).toEqual([1])
  })
})

describe('what another process stores', () => {
  it('is read from the store, once, and sent before later events', async () => {
    const { feed, add, takeAll, came, reads } = world({ events: [stored(1)] })
    void feed.replay()
    await takeAll()
    add(stored(2), false)
    add(stored(3), false)
    feed.reach(3)
    feed.reach(3)
    add(stored(4))
    await takeAll()
    feed.reach(2)
    await takeAll()
    expect(came()).toEqual([1, 2, 3, 4])
    expect(reads).toEqual([0, 1])
  })

  it('is not missed when it comes while the store is read', async () => {
    const { feed, add, takeAll, came, reads } = world({ events: [stored(1)] })
    void feed.replay()
    // The first page is read already, and waits for the reader.
    await new Promise((resolve) => setImmediate(resolve))
    add(stored(2), false)
    feed.reach(2)
    await takeAll()
    expect(came()).toEqual([1, 2])
    expect(reads).toEqual([0, 1])
  })

  it('is not missed when it is stored just as a page was read', async () => {
    const { feed, add, takeAll, came, onceRead } = world({ events: [stored(1)] })
    onceRead(() => {
      add(stored(2), false)
      feed.reach(2)
    })
    void feed.replay()
    await takeAll()
    expect(came()).toEqual([1, 2])
  })

  it('is asked for once where a sequence was sent only, and never stored', async () => {
    const { feed, add, takeAll, came, reads } = world({ events: [stored(1)] })
    void feed.replay()
    await takeAll()
    feed.reach(2)
    await takeAll()
    feed.reach(2)
    await takeAll()
    expect(reads).toEqual([0, 1])
    add(stored(3))
    await takeAll()
    expect(came()).toEqual([1, 3])
  })

  it('closes the socket if the session has ended', async () => {
    const { feed, add, takeAll, came, closed } = world({ events: [stored(1)] })
    void feed.replay()
    await takeAll()
    add(stored(2, '', END), false)
    feed.reach(2)
    await takeAll()
    expect(came()).toEqual([1, 2])
    expect(closed()).toBe(1000)
  })
})
