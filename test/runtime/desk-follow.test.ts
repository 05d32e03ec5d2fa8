// What a live agent who follows a conversation hears: the events of the desk's own project, from the first on, until the undo.

import { expect, it } from 'vitest'
import { createDesks, type DeskOptions } from '../../src/runtime/handoff/desk.ts'
import { createHub, type WireEvent } from '../../src/runtime/sessions/hub.ts'

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
