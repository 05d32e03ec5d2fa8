// The tour's handoff, over the real desk: a person who is played takes the conversation, answers, and gives it back.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { playTourPerson, tourWords, withTour } from '../../demo/server/tour/index.ts'
import { createGuide, type Guide } from '../../src/agents/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { createWorld, isWhole } from './world.ts'

type World = Awaited<ReturnType<typeof createWorld>>
type Client = Awaited<ReturnType<World['connect']>>

let folder: string
let guide: Guide
let clock: HandClock
let world: World
let stop = () => {}
const play = () => {
  stop = playTourPerson({ desk: world.desk, clock, log: (line) => world.log.push(line) })
}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-tour-'))
  writeFileSync(join(folder, 'hours.md'), '# Hours\n\nFrom nine to five.\n')
  guide = await createGuide({ folder, handsOff: true, log: () => {} })
  clock = handClock()
  world = await createWorld({ clock, agent: withTour(guide) })
  play()
})
afterAll(async () => {
  stop()
  await world.close()
  guide.close()
  rmSync(folder, { recursive: true })
})

/** Lets time go by until the test holds. */
async function passUntil(holds: () => unknown): Promise<void> {
  for (let step = 0; step < 2_000 && !holds(); step++) {
    await clock.pass(50)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(holds()).toBeTruthy()
}
const types = (client: Client) => client.events().map(({ type }) => type)
const person = (client: Client) =>
  client
    .events()
    .flatMap(({ type, payload }) => (type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE' ? [payload.text] : []))
/** A visitor whom the agent hands off. It speaks at its own pace, by the clock. */
async function handedOff(request = 'A handoff') {
  const token = await world.accessToken()
  const sessionId = await world.session(token, { streaming_enabled: false })
  const client = await world.connect(sessionId, token)
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
  await passUntil(() => client.events().some(isWhole))
  client.say(request)
  await passUntil(() => types(client).includes('EVENT_TYPE_HANDOFF_QUEUE_STATUS'))
  return client
}

it('the tour shows a place in the queue, a person who joins and writes, and the way back to the agent', async () => {
  const client = await handedOff()
  await passUntil(() => person(client).includes(tourWords.sarahHello))
  expect(types(client)).toContain('EVENT_TYPE_LIVE_AGENT_TYPING')
  client.say('Do you read this?')
  await passUntil(() => person(client).includes(tourWords.sarahEcho('Do you read this?')))
  client.say('back to the assistant.')
  await passUntil(() => types(client).includes('EVENT_TYPE_LIVE_AGENT_LEFT'))
  expect(person(client)).toEqual([
    tourWords.sarahHello,
    tourWords.sarahEcho('Do you read this?'),
    tourWords.sarahBye,
  ])
  client.say('next')
  await passUntil(() => types(client).includes('EVENT_TYPE_CLIENT_HANDOFF_REQUIRED'))
})

it('the tour is over when the visitor leaves the queue before the person comes', async () => {
  const client = await handedOff()
  client.send('EVENT_TYPE_USER_LEAVE_QUEUE')
  await client.event('EVENT_TYPE_HANDOFF_FAILED')
  await clock.pass(20_000)
  expect(types(client)).not.toContain('EVENT_TYPE_LIVE_AGENT_JOINED')
  expect(await world.desk.entries()).toEqual([])
})

it('the tour goes on after a restart, and leaves conversations of others alone', async () => {
  const client = await handedOff()
  await passUntil(() => person(client).length === 1)
  stop()
  client.say('nobody hears this')
  const other = await handedOff('I want to talk to a person')
  await clock.pass(20_000)
  expect(person(client)).toHaveLength(1)
  play()
  await world.desk.entries()
  await clock.pass(50)
  client.say('bye')
  await passUntil(() => types(client).includes('EVENT_TYPE_LIVE_AGENT_LEFT'))
  expect(types(other)).not.toContain('EVENT_TYPE_LIVE_AGENT_JOINED')
  expect(world.log.filter((line) => line.includes('person of the tour'))).toEqual([])
})
