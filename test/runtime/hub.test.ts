import { describe, expect, it } from 'vitest'
import { createHub, type WireEvent } from '../../src/runtime/sessions/hub.ts'

const event: WireEvent = { id: '1', type: 'T', sequence: 1, timestamp: '', payload: {} }

describe('the hub', () => {
  it('calls only the listeners of the session', () => {
    const heard: string[] = []
    const hub = createHub()
    hub.subscribe('a', (events) => heard.push(`one ${events.length}`))
    hub.subscribe('a', () => heard.push('two'))
    hub.subscribe('b', () => heard.push('other'))
    hub.publish('a', [event, event])
    hub.publish('nobody', [event])
    expect(heard).toEqual(['one 2', 'two'])
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
  const transient: WireEvent = { ...event, sequence: null }
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
    const heard: unknown[] = []
    const listen = (topic: string) =>
      hub.subscribe(topic, (events, sequence) => heard.push([topic, events.length, sequence]))
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

  it('hears of each sequence once, and never of one that is known here', () => {
    const { hub, heard, listen } = createShared()
    listen('a')
    hub.heard({ topic: 'a', sequence: 3 })
    hub.heard({ topic: 'a', sequence: 3 })
    hub.heard({ topic: 'a', sequence: 2 })
    hub.publish('a', [{ ...event, sequence: 4 }])
    hub.heard({ topic: 'a', sequence: 4 })
    expect(heard).toEqual([
      ['a', 0, 3],
      ['a', 1, undefined],
    ])
  })

  it('hears events that are not stored, but nothing that is no event', () => {
    const { hub, heard, listen, told } = createShared()
    listen('a')
    hub.heard({ topic: 'a', events: [transient, { type: 'T' }, event] })
    expect(heard).toEqual([['a', 1, undefined]])
    expect(told).toEqual([])
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
      ['queue:1', 0, undefined],
      ['b', 0, 5],
    ])
    stored.a = 4
    hub.gap()
    await settled()
    expect(heard.slice(2)).toEqual([
      ['queue:1', 0, undefined],
      ['a', 0, 4],
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
