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
    const hub = createHub((error) => failures.push((error as Error).message))
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
