// Whom the function of an operator is asked for, how often, and what counts as no answer.

import { expect, it } from 'vitest'
import type { Agent, AgentFor, Served } from '../../src/runtime/index.ts'
import { createAgents } from '../../src/runtime/turns/agents.ts'
import { handClock } from '../contract/clock.ts'

const served = (number: number, more: Partial<Served> = {}): Served => ({
  accountId: 'ws-1',
  projectId: 'PROJECT-1',
  connectorId: `CON-${number}`,
  environment: 'live',
  ...more,
})
const named = (name: string): Agent => ({ name, async *act() {} })

/** A function whose answers a test gives by hand, in any order. */
function asking() {
  const asked: (Served & { answer(agent: unknown): void; fail(error: unknown): void })[] = []
  const agentFor: AgentFor = (served) =>
    new Promise((resolve, reject) =>
      asked.push({ ...served, answer: (agent) => resolve(agent as Agent), fail: reject }),
    )
  const clock = handClock()
  return { asked, clock, agents: createAgents(agentFor, clock) }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('one agent answers for all, and is known at once', async () => {
  const agent = named('One')
  const agents = createAgents(agent, handClock())
  expect(await agents.of(served(1))).toBe(agent)
  expect(agents.known(served(2))).toBe(agent)
})

it('a function is asked once for each account, project, connector and environment, however many wait', async () => {
  const { asked, agents } = asking()
  const waiting = [agents.of(served(1)), agents.of(served(1)), agents.of(served(2))]
  await settled()
  expect(asked).toHaveLength(2)
  expect(agents.known(served(1))).toBeUndefined()
  asked[1]?.answer(named('Two'))
  asked[0]?.answer(named('One'))
  expect((await Promise.all(waiting)).map(({ name }) => name)).toEqual(['One', 'One', 'Two'])
  expect(agents.known(served(1))?.name).toBe('One')
  await agents.of(served(1))
  expect(asked).toHaveLength(2)
  for (const more of [
    { environment: 'sandbox' },
    { projectId: 'PROJECT-2' },
    { accountId: 'ws-2' },
    { connectorId: undefined },
  ]) {
    void agents.of(served(1, more))
    await settled()
    expect(asked.at(-1)).toMatchObject(more)
  }
})

it.each<[string, (ask: { answer(agent: unknown): void; fail(error: unknown): void }) => void, string]>([
  ['an error', (ask) => ask.fail(new Error('no such client')), 'no such client'],
  ['something that is no error', (ask) => ask.fail('no'), 'unknown error'],
  ['undefined', (ask) => ask.answer(undefined), 'is not an agent'],
  ['an agent without a name', (ask) => ask.answer({ act: () => {} }), 'is not an agent'],
  ['an agent with an empty name', (ask) => ask.answer({ name: '', act: () => {} }), 'is not an agent'],
  [
    'an agent with a field that is misspelt',
    (ask) => ask.answer({ ...named('A'), answer: 'ai' }),
    'did you mean answers?',
  ],
  ['an agent that cannot act', (ask) => ask.answer({ name: 'Statue' }), 'is not an agent'],
])('%s is not kept: the error says for whom, and the next call asks again', async (_, give, said) => {
  const { asked, agents } = asking()
  const first = agents.of(served(1))
  await settled()
  if (asked[0]) give(asked[0])
  await expect(first).rejects.toThrow(said)
  await expect(first).rejects.toThrow('connector CON-1 of project PROJECT-1, environment live')
  const second = agents.of(served(1))
  await settled()
  asked[1]?.answer(named('Late'))
  expect((await second).name).toBe('Late')
})

it('a function that throws at once is no more than one that rejects, and a phone’s error names the project alone', async () => {
  const agents = createAgents(() => {
    throw new Error('broken')
  }, handClock())
  await expect(agents.of(served(1, { connectorId: undefined }))).rejects.toThrow(
    'there is none for project PROJECT-1, environment live: broken',
  )
})

it('a function that does not answer for 30 s is asked again, and what it says later counts for nothing', async () => {
  const { asked, clock, agents } = asking()
  const first = agents.of(served(1))
  first.catch(() => {})
  await clock.pass(29_900)
  expect(asked).toHaveLength(1)
  await clock.pass(200)
  await expect(first).rejects.toThrow('did not answer within 30 s')
  const second = agents.of(served(1))
  await settled()
  asked[0]?.answer(named('Too late'))
  await settled()
  expect(agents.known(served(1))).toBeUndefined()
  asked[1]?.answer(named('In time'))
  expect((await second).name).toBe('In time')
})

it('of more than 10,000 the one that was used longest ago is forgotten', async () => {
  const asked: string[] = []
  const agents = createAgents(({ connectorId = '' }) => {
    asked.push(connectorId)
    return named(connectorId)
  }, handClock())
  for (let number = 1; number <= 10_000; number++) await agents.of(served(number))
  await agents.of(served(1))
  await agents.of(served(10_001))
  expect([agents.known(served(1))?.name, agents.known(served(2))]).toEqual(['CON-1', undefined])
  expect(asked).toHaveLength(10_001)
  await agents.of(served(2))
  expect(asked.slice(10_000)).toEqual(['CON-10001', 'CON-2'])
})
