// The agent of docs/agents.md, which yields each event that there is.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Agent } from '../../src/runtime/index.ts'
import { createWorld } from './world.ts'

const page = readFileSync('docs/agents.md', 'utf8')
const [, type = ''] = /```ts\ntype AgentEvent =\n([\s\S]*?)```/.exec(page) ?? []
const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? []

let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  const { agent } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
    agent: Agent
  }
  world = await createWorld({ agent })
})
afterAll(() => world.close())

it('the example yields every event of the type', () => {
  const named = [...type.matchAll(/type: '([\w-]+)'/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(9)
  expect(named.filter((name) => !code.includes(`type: '${name}'`))).toEqual([])
})

it.each([
  ['deutsch', 'EVENT_TYPE_LANGUAGE_CHANGED'],
  ['confirm', 'EVENT_TYPE_POLY_AGENT_MESSAGE'],
  ['system', 'EVENT_TYPE_SYSTEM_MESSAGE'],
  ['understood', 'EVENT_TYPE_POLY_AGENT_MESSAGE'],
  ['metric', 'EVENT_TYPE_POLY_AGENT_MESSAGE'],
  ['remember', 'EVENT_TYPE_POLY_AGENT_MESSAGE'],
  ['handoff', 'EVENT_TYPE_HANDOFF_ACCEPTED'],
  ['route', 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED'],
  ['end', 'EVENT_TYPE_SESSION_END'],
  ['goodbye', 'EVENT_TYPE_SESSION_END'],
])('the example runs: to %s the visitor gets %s', async (text, type) => {
  const { client } = await world.chat([], { open: true })
  const before = client.events().length
  client.say(text)
  await client.until(() =>
    client
      .events()
      .slice(before)
      .some((event) => event.type === type),
  )
  expect(world.log).toEqual([])
})
