import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { News } from '../../src/runtime/bus/index.ts'
import {
  createHub,
  eventsOf,
  type SharedHub,
  type Told,
  type WireEvent,
} from '../../src/runtime/sessions/hub.ts'

const protocol = readFileSync(resolve(import.meta.dirname, '../../src/protocol/events.ts'), 'utf8')
/** The types of all events of the wire. */
const TYPES = [...new Set(protocol.match(/EVENT_TYPE_\w+/g))]

const summed = (told: Told): string => {
  if ('events' in told) return `${told.events.length} events`
  return 'storedUpTo' in told ? `stored up to ${told.storedUpTo}` : 'resync'
}

const event: WireEvent = { id: '1', type: 'T', sequence: 1, timestamp: '', payload: {} }

describe('the hub', () => {
  it('calls only the listeners of the session', () => {
    const heard: string[] = []
    const hub = createHub()
    hub.subscribe('a', (told) => heard.push(`one ${eventsOf(told).length}`))
    hub.subscribe('a', () => heard.push('two'))
    hub.subscribe('b', () => heard.push('other'))
    hub.publish('a', [event, event])
    hub.publish('nobody', [event])
    expect(heard).toEqual(['one 2', 'two'])
  })

  it('tells what every process finds out for itself to the listeners here alone', () => {
    const heard: string[] = []
    const told: News[] = []
    const hub = createHub({ tell: (news) => told.push(news) })
    hub.subscribe('desk:a', (told) => heard.push(`here ${eventsOf(told).length}`))
    hub.publishHere('desk:a', [{ ...event, sequence: null }])
    expect([heard, told]).toEqual([['here 1'], []])
    hub.publish('desk:a', [{ ...event, sequence: null }])
    expect(told).toHaveLength(1)
  })

  it('calls the other listeners when one fails, now and the next time', () => {
    const heard: string[] = []
    const failures: string[] = []
    const hub = createHub({ failed: (error) => failures.push((error as Error).message) })
    hub.subscribe('a', () => {
      throw new Error('broken')
    })
    hub.subscribe('a', () => heard.push('whole'))
    hub.publish('a', [event])
    hub.publish('a', [event])
    expect(heard).toEqual(['whole', 'whole'])
    expect(failures).toEqual(['broken', 'broken'])
  })

  it('lets a listener unsubscribe during a call, and calls the other listeners', () => {
    const heard: string[] = []
    const hub = createHub()
    const leave = hub.subscribe('a', () => {
      heard.push('once')
      leave()
    })
    hub.subscribe('a', () => heard.push('stays'))
    hub.publish('a', [event])
    hub.publish('a', [event])
    expect(heard).toEqual(['once', 'stays', 'stays'])
  })

  it('unsubscribes no other listener when one unsubscribes twice', () => {
    const heard: string[] = []
    const hub = createHub()
    const leave = hub.subscribe('a', () => heard.push('old'))
    leave()
    hub.subscribe('a', () => heard.push('new'))
    leave()
    hub.publish('a', [event])
    expect(heard).toEqual(['new'])
  })
})

describe('the hub with other processes', () => {
  const transient: WireEvent = { ...event, type: 'EVENT_TYPE_POLY_AGENT_THINKING', sequence: null }
  function createShared(stored: Record<string, number> = {}) {
    const told: unknown[] = []
    const asked: string[][] = []
    const failures: unknown[] = []
    const hub = createHub({
      tell: (news) => told.push(news),
      async lastSequences(ids) {
        asked.push([...ids])
        return ids.flatMap((id) => (stored[id] === undefined ? [] : [{ id, sequence: stored[id] }]))
      },
      failed: (error) => failures.push(error),
    })
    const heard: unknown[][] = []
    const listen = (topic: string) =>
      hub.subscribe(
        topic,
        (told) => heard.push([topic, summed(told)]),
        () => heard.push([topic, 'gone']),
      )
    return { hub, told, asked, heard, listen, failures, stored }
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('tells them the last sequence of stored events, and the events that are not stored', () => {
    const { hub, told } = createShared()
    hub.publish('a', [{ ...event, sequence: 3 }, transient, { ...event, sequence: 4 }])
    hub.publish('a', [transient])
    expect(told).toEqual([
      { topic: 'a', sequence: 4 },
      { topic: 'a', events: [transient] },
      { topic: 'a', events: [transient] },
    ])
  })

  it('asks the store about a sequence that it hears of, and tells the listeners once what the store has', async () => {
    const { hub, asked, heard, listen, stored } = createShared({ a: 3, other: 9 })
    listen('a')
    for (const topic of ['a', 'a', 'other']) hub.heard({ topic, sequence: 3 })
    await settled()
    expect(heard).toEqual([['a', 'stored up to 3']])
    expect(new Set(asked.flat())).toEqual(new Set(['a']))
    stored.a = 4
    hub.publish('a', [{ ...event, sequence: 4 }])
    hub.heard({ topic: 'a', sequence: 4 })
    await settled()
    expect(heard.slice(1)).toEqual([['a', '1 events']])
  })

  it('is not deafened by a sequence that the store does not have', async () => {
    const { hub, heard, listen, stored } = createShared({ a: 3 })
    listen('a')
    hub.heard({ topic: 'a', sequence: Number.MAX_SAFE_INTEGER })
    await settled()
    stored.a = 4
    hub.heard({ topic: 'a', sequence: 4 })
    await settled()
    expect(heard).toEqual([
      ['a', 'stored up to 3'],
      ['a', 'stored up to 4'],
    ])
  })

  it('asks one question at a time, about all that it heard of meanwhile', async () => {
    const answers: (() => void)[] = []
    const asked: string[][] = []
    const hub = createHub({
      lastSequences(ids) {
        asked.push([...ids])
        return new Promise((resolve) => answers.push(() => resolve(ids.map((id) => ({ id, sequence: 9 })))))
      },
    })
    for (const id of ['a', 'b']) hub.subscribe(id, () => {})
    for (let sequence = 1; sequence < 100; sequence++)
      for (const topic of ['a', 'b']) hub.heard({ topic, sequence })
    expect(asked).toEqual([['a']])
    answers.shift()?.()
    await settled()
    expect(asked).toEqual([['a'], ['b', 'a']])
  })

  // All others are stored, or answer one socket.
  const published = /(THINKING|AGENT_TYPING|USER_TYPING|IDLE_WARNING)$/
  it.each(TYPES.map((type) => ({ type, taken: published.test(type) })))(
    'takes $type from another process as an event: $taken',
    ({ type, taken }) => {
      const { hub, heard, listen, told } = createShared()
      listen('a')
      hub.heard({ topic: 'a', events: [{ ...transient, type }, { type }, { ...event, type }] })
      expect(heard).toEqual(taken ? [['a', '1 events']] : [])
      expect(told).toEqual([])
    },
  )

  it('looks at a session that something happened to, here and at the others', async () => {
    const [here, there] = [createShared({ a: 3 }), createShared({ a: 3 })]
    for (const { listen } of [here, there]) listen('a')
    here.hub.look('a')
    for (const news of here.told) there.hub.heard(news as News)
    await settled()
    for (const { heard, asked } of [here, there]) {
      expect(asked).toEqual([['a']])
      expect(heard).toEqual([['a', 'stored up to 3']])
    }
    expect(there.told).toEqual([])
  })

  it.each<[string, (hub: SharedHub) => void]>([
    ['a look', (hub) => hub.look('a')],
    ['news of it', (hub) => hub.heard({ topic: 'a', sequence: 4 })],
    ['a gap', (hub) => hub.gap()],
    ['a look at all sessions', (hub) => hub.lookAtSessions()],
  ])(
    'tells its listeners that a session is gone, once %s has shown it, and no others',
    async (_, happens) => {
      const { hub, heard, listen, stored } = createShared({ a: 3, b: 3 })
      for (const topic of ['a', 'b', 'queue:1']) listen(topic)
      hub.gap()
      await settled()
      heard.length = 0
      delete stored.a
      happens(hub)
      await settled()
      expect(heard.filter(([topic]) => topic !== 'queue:1')).toEqual([['a', 'gone']])
    },
  )

  it('takes no session for gone while the store is away', async () => {
    const heard: string[] = []
    const hub = createHub({ lastSequences: () => Promise.reject(new Error('away')) })
    hub.subscribe(
      'a',
      () => heard.push('told'),
      () => heard.push('gone'),
    )
    hub.gap()
    await settled()
    expect(heard).toEqual([])
  })

  it('after a gap asks for the sequences of its sessions, once, and wakes other topics', async () => {
    const { hub, heard, listen, asked, stored } = createShared({ a: 3, b: 5 })
    for (const topic of ['a', 'b', 'queue:1']) listen(topic)
    hub.publish('a', [{ ...event, sequence: 3 }])
    heard.length = 0
    hub.gap()
    await settled()
    expect(asked).toEqual([['a', 'b']])
    expect(heard).toEqual([
      ['queue:1', 'resync'],
      ['b', 'stored up to 5'],
    ])
    stored.a = 4
    hub.gap()
    await settled()
    expect(heard.slice(2)).toEqual([
      ['queue:1', 'resync'],
      ['a', 'stored up to 4'],
    ])
  })

  it('asks once more for gaps that come while it asks, and goes on after a failure', async () => {
    const asked: (() => void)[] = []
    const failures: unknown[] = []
    const hub = createHub({
      lastSequences: () =>
        new Promise((_, reject) => asked.push(() => reject(new Error('the store is away')))),
      failed: (error) => failures.push((error as Error).message),
    })
    hub.subscribe('a', () => {})
    hub.gap()
    hub.gap()
    hub.gap()
    expect(asked).toHaveLength(1)
    asked[0]?.()
    await settled()
    expect(asked).toHaveLength(2)
    asked[1]?.()
    await settled()
    hub.gap()
    expect(asked).toHaveLength(3)
    expect(failures).toEqual(['the store is away', 'the store is away'])
  })

  it('asks nothing after a gap without sessions', () => {
    const { hub, asked } = createShared()
    hub.gap()
    expect(asked).toEqual([])
  })
})
