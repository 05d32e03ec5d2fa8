// What the log says of an agent that is broken in code: where it threw, and what it should have been.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Agent } from '../../src/runtime/index.ts'
import { createWorld } from './world.ts'

/** What `act` does, by the words of the visitor. */
const ACTS: Readonly<Record<string, () => unknown>> = {
  'forgot the star': async () => 'Hello',
  'forgot the star, and threw': async () => {
    throw new Error('late')
  },
  'returned nothing': () => undefined,
  'returned a list': () => [{ type: 'text', text: 'Hello' }],
}

const agent: Agent = {
  name: 'Broken',
  act(turn) {
    const act = ACTS[turn.text]
    if (act) return act() as never
    if (turn.text === 'throws at once') throw new Error('no such tool')
    return (async function* () {
      if (turn.trigger === 'join') return yield { type: 'text', text: 'Hello.' } as const
      if (turn.text === 'no error') throw 'gone'
      yield { type: 'text', text: 'One moment. ' } as const
      throw new TypeError(`cannot read "${turn.text}" with 4111 1111 1111 1111\n    at /etc/hosts:1:1`)
    })()
  },
}

let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  world = await createWorld({ agent })
})
afterAll(() => world.close())

/** The line of the log once the agent has heard this. */
async function lineAfter(text: string): Promise<{ line: string | undefined; sessionId: string }> {
  const { client, sessionId } = await world.joined()
  client.say(text)
  await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
  const line = world.log.find((each) => each.includes(sessionId))
  return { line, sessionId }
}

it.each(Object.keys(ACTS))('an act that %s is told to be an async generator', async (text) => {
  const { line, sessionId } = await lineAfter(text)
  expect(line).toBe(
    `the agent failed in the conversation ${sessionId}: its act returned no stream of events: it has to be an async generator, async *act(turn) { … }`,
  )
})

it('what an agent throws stands there with its file and line, masked and without the visitor’s words', async () => {
  const { line, sessionId } = await lineAfter('my secret words')
  expect(line).toMatch(
    new RegExp(
      `^the agent failed in the conversation ${sessionId}: cannot read "…" with •••• •••• •••• 1111\\n    at /etc/hosts:1:1 \\(/\\S+/broken-agent\\.test\\.ts:\\d+:\\d+\\)$`,
    ),
  )
})

it('what an agent throws before it yields stands there as well', async () => {
  const { line } = await lineAfter('throws at once')
  expect(line).toMatch(/: no such tool \(\/\S+\/broken-agent\.test\.ts:\d+:\d+\)$/)
})

it('what is thrown and is no error has no place', async () => {
  const { line } = await lineAfter('no error')
  expect(line).toMatch(/: unknown error$/)
})
