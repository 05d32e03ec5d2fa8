// An erased conversation has no sockets: whoever erases it, and whichever process holds them, they close with 4001 and say nothing more.

import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createCommands } from '../../src/runtime/commands.ts'
import { type BusLink, type Database, systemClock } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld, isWhole } from './world.ts'

type World = Awaited<ReturnType<typeof createWorld>>

let database: Database
const open: World[] = []
beforeAll(async () => {
  database = await newDatabase()
})
afterEach(async () => {
  for (const world of open.splice(0)) await world.close()
})
afterAll(() => database?.close())

/** Links that carry everything to each other. `lookMs`: how often those look that have others. */
function createWire(lookMs = 3_600_000): () => BusLink {
  const hearers = new Set<(text: string) => void>()
  return () => ({
    mostBytes: 7_500,
    lookMs,
    open: async (heard) => void hearers.add(heard),
    async send(text) {
      for (const heard of hearers) heard(text)
    },
    close: async () => {},
  })
}

async function start(bus?: BusLink): Promise<{ world: World; clock: HandClock }> {
  const clock = handClock()
  const world = await createWorld({ data: { database: { ...database, close: async () => {} } }, clock, bus })
  open.push(world)
  return { world, clock }
}
/** Two processes, and a chat that has a socket at each of them. */
async function startTwo(lookMs?: number) {
  const wire = createWire(lookMs)
  const { world: near, clock } = await start(wire())
  const { world: far } = await start(wire())
  const { sessionId, token, client } = await near.joined()
  const second = await far.connect(sessionId, token, '0')
  await second.until(() => second.events().some(isWhole))
  return { near, far, clock, sessionId, token, clients: [client, second] }
}
/** A command of the operator without a running server. */
const commandLine = () =>
  createCommands({ database, region: 'local', now: systemClock.now, uuid: () => randomUUID() })
const bySql = (id: string) => database.query('DELETE FROM foyer.conversation WHERE id = $1', [id])

it('a command closes the sockets of the conversation at all processes at once, and those of no other', async () => {
  const { near, far, sessionId, token, clients } = await startTwo()
  const other = await far.joined()
  const said = clients.map(({ frames }) => frames.length)
  expect(await near.runtime.commands.eraseConversation(sessionId)).toBe(true)
  for (const client of clients) expect(await client.closed()).toBe(4001)
  expect(clients.map(({ frames }) => frames.length)).toEqual(said)
  for (const world of [near, far])
    expect(await world.refusal({ session_id: sessionId, access_token: token })).toMatchObject({
      status: 404,
      error: 'session not found',
    })
  other.client.say('still here', 'still-1')
  await other.client.event(
    'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
    ({ payload }) => payload.is_complete === true && payload.chunk_index !== 1,
  )
  expect(await database.query('SELECT 1 FROM foyer.socket WHERE session_id = $1', [sessionId])).toEqual([])
})

it('an answer that is being given ends with its conversation, and nothing of it is stored', async () => {
  const { near, far, clock, sessionId, clients } = await startTwo()
  clients[0]?.say('wait', 'wait-1')
  await clients[1]?.event('EVENT_TYPE_USER_MESSAGE')
  await far.runtime.commands.eraseConversation(sessionId)
  for (const client of clients) expect(await client.closed()).toBe(4001)
  await clock.pass(61_000)
  await near.runtime.drain(60_000)
  expect(await database.query('SELECT 1 FROM foyer.conversation WHERE id = $1', [sessionId])).toEqual([])
  expect(near.log.filter((line) => line.includes('failed'))).toEqual([])
})

it('retention closes the socket of an ended chat that waits for a rating', async () => {
  const { near, far, sessionId, token } = await startTwo()
  await near.runtime.expire(sessionId)
  const [{ sequence } = { sequence: 0 }] = await database.query<{ sequence: number }>(
    'SELECT max(sequence) AS sequence FROM foyer.event WHERE session_id = $1',
    [sessionId],
  )
  const rating = await far.connect(sessionId, token, String(sequence))
  await rating.until(() => rating.frames.length > 0)
  expect(rating.socket.readyState).toBe(rating.socket.OPEN)
  expect(await near.runtime.commands.eraseEndedBefore(new Date(4e12), 100)).toBeGreaterThan(0)
  expect(await rating.closed()).toBe(4001)
})

it.each([
  { who: 'a command without a server', erase: (id: string) => commandLine().eraseConversation(id) },
  { who: 'somebody in the database', erase: bySql },
])('what $who erases is found by each of several processes as it looks', async ({ erase }) => {
  const { sessionId, clients } = await startTwo(100)
  await erase(sessionId)
  for (const client of clients) expect(await client.closed()).toBe(4001)
})

it('what somebody else erases is found with the next heartbeat by a process that is alone', async () => {
  const { world, clock } = await start()
  const { sessionId, client } = await world.joined()
  await bySql(sessionId)
  await clock.pass(5_000)
  expect(await client.closed()).toBe(4001)
})

it('a message in a conversation that is gone is the last of its socket, before anybody looks', async () => {
  const { sessionId, clients } = await startTwo()
  await bySql(sessionId)
  clients[0]?.say('anybody?', 'anybody-1')
  for (const client of clients) expect(await client.closed()).toBe(4001)
  expect(await database.query('SELECT 1 FROM foyer.event WHERE session_id = $1', [sessionId])).toEqual([])
})
