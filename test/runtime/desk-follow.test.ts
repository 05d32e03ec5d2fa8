// What a live agent who follows a conversation hears: the events of the desk's own project, from the first on, until the undo.

import { expect, it } from 'vitest'
import { createDesks, type DeskOptions } from '../../src/runtime/handoff/desk.ts'
import { createHub, type Told, type WireEvent } from '../../src/runtime/sessions/hub.ts'

/** A desk whose look for the conversation ends by hand. */
function following(listener: (text: unknown) => void = () => {}) {
  const heard: unknown[] = []
  const log: string[] = []
  let found = (_: object | undefined) => {}
  let failed = (_: Error) => {}
  const finding = new Promise<object | undefined>((resolve, reject) => {
    found = resolve
    failed = reject
  })
  const hub = createHub()
  const options = {
    hub,
    sessions: { find: () => finding },
    logFailure: (what: string, error: unknown) => log.push(`${what}: ${(error as Error).message}`),
  }
  const undo = createDesks(options as unknown as DeskOptions)('PROJECT-1').follow('a', (events) => {
    for (const { payload } of events) {
      listener(payload.text)
      heard.push(payload.text)
    }
  })
  return {
    ...{ heard, log, undo },
    say: (text: string) => hub.publish('a', [{ sequence: null, payload: { text } } as unknown as WireEvent]),
    async find(projectId: string | undefined) {
      found(projectId === undefined ? undefined : { conversation: { projectId } })
      await new Promise((resolve) => setImmediate(resolve))
    },
    async fail() {
      failed(new Error('no database'))
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('events that come before the conversation is known arrive in their order', async () => {
  const { heard, say, find } = following()
  say('one')
  say('two')
  expect(heard).toEqual([])
  await find('PROJECT-1')
  say('three')
  await find('PROJECT-1')
  expect(heard).toEqual(['one', 'two', 'three'])
})

it.each([
  ['of another project', 'PROJECT-2'],
  ['that does not exist', undefined],
])('nothing is heard of a conversation %s', async (_, projectId) => {
  const { heard, say, find } = following()
  say('one')
  await find(projectId)
  say('two')
  await find(projectId)
  expect(heard).toEqual([])
})

it('nothing is heard after the undo, not even what came before it', async () => {
  const { heard, undo, say, find } = following()
  say('one')
  undo()
  say('two')
  await find('PROJECT-1')
  expect(heard).toEqual([])
})

it('a conversation that cannot be looked up is not followed, and the log says so', async () => {
  const { heard, log, say, fail } = following()
  say('one')
  await fail()
  expect(heard).toEqual([])
  expect(log).toEqual(['could not follow a conversation: no database'])
})

it('a listener that throws is logged, and hears the next event', async () => {
  const { heard, log, say, find } = following((text) => {
    if (text === 'one') throw new Error('not this one')
  })
  say('one')
  say('two')
  await find('PROJECT-1')
  expect(heard).toEqual(['two'])
  expect(log).toEqual(['could not follow a conversation: not this one'])
})

/** A desk that follows a conversation of two stored events, and reads of its store two more at a time. */
function reading(listener: (sequences: (number | null)[]) => void = () => {}) {
  const event = (sequence: number | null) => ({ sequence, payload: {} }) as unknown as WireEvent
  let stored = 2
  const heard: (number | null)[][] = []
  const listeners: ((told: Told) => void)[] = []
  const replay = async (_: string, after: number) => {
    const events = [after + 1, after + 2].filter((sequence) => sequence <= stored).map(event)
    return { events, more: after + events.length < stored }
  }
  const options = {
    hub: {
      subscribe(_: string, hear: (told: Told) => void) {
        listeners.push(hear)
        return () => {}
      },
    },
    sessions: { find: async () => ({ conversation: { projectId: 'PROJECT-1' }, nextSequence: 3 }), replay },
    logFailure: (what: string, error: unknown) => heard.push([`${what}: ${error}` as never]),
  }
  const undo = createDesks(options as unknown as DeskOptions)('PROJECT-1').follow('a', (events) => {
    const sequences = events.map(({ sequence }) => sequence)
    heard.push(sequences)
    listener(sequences)
  })
  return {
    undo,
    heard,
    /** Tells of events that this process stored, or that another one stored up to some sequence. */
    async tell(told: { events: (number | null)[] } | { storedUpTo: number } | { resync: true }) {
      if ('storedUpTo' in told) stored = Math.max(stored, told.storedUpTo)
      if ('events' in told) stored = Math.max(stored, ...told.events.map(Number))
      for (const hear of listeners.slice(0, 1))
        hear('events' in told ? { events: told.events.map(event) } : told)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('each stored event comes once and in order, whichever process stored it and however often that is told', async () => {
  const { tell, heard } = reading()
  await tell({ storedUpTo: 6 })
  await tell({ events: [7] })
  await tell({ events: [null] })
  await tell({ events: [7, 8] })
  await tell({ storedUpTo: 8 })
  await tell({ events: [11] })
  await tell({ events: [12] })
  expect(heard).toEqual([[3, 4], [5, 6], [7], [null], [8], [9, 10], [11], [12]])
})

it('what was stored after the look for the conversation, and told to nobody here, is read with the first that is told', async () => {
  const { tell, heard } = reading()
  await tell({ events: [5] })
  expect(heard).toEqual([[3, 4], [5]])
})

it('who may have missed something is told so', async () => {
  const { tell, heard } = reading()
  await tell({ resync: true })
  expect(heard).toEqual([[]])
})

it('nothing is heard after the undo, not even the rest of what is being read', async () => {
  const { tell, heard, undo } = reading(() => undo())
  await tell({ storedUpTo: 8 })
  await tell({ events: [9] })
  expect(heard).toEqual([[3, 4]])
})
