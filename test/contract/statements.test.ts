// What one exchange costs the database: its transactions and statements, counted where they enter the driver.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Agent, Database } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { chunkedText, createWorld, isWhole } from './world.ts'

/** Answers in one piece, or in two with a pause between them. */
const agent: Agent = {
  name: 'Terse',
  async *act(turn) {
    if (turn.text === 'desk') return yield { type: 'handoff', queueName: 'support' }
    yield { type: 'text', text: `You said ${turn.text}. ` }
    if (turn.text === 'pause') {
      await turn.sleep(500)
      yield { type: 'text', text: 'And that was all.' }
    }
    if (turn.text === 'finish') yield { type: 'finish', suggestions: [{ message_text: 'More' }] }
  },
}

let world: Awaited<ReturnType<typeof createWorld>>
let clock: HandClock
const counted = { transactions: 0, statements: [] as string[] }
/** Statements and transactions that the database has not answered yet. */
let open = 0
async function during<T>(work: Promise<T>): Promise<T> {
  open++
  try {
    return await work
  } finally {
    open--
  }
}

beforeAll(async () => {
  const inner = await newDatabase()
  const database: Database = {
    ...inner,
    query(sql, params) {
      counted.statements.push(sql)
      return during(inner.query(sql, params))
    },
    transaction(run) {
      counted.transactions++
      return during(
        inner.transaction((tx) =>
          run({
            query(sql, params) {
              counted.statements.push(sql)
              return tx.query(sql, params)
            },
            send(sql, params) {
              counted.statements.push(sql)
              tx.send(sql, params)
            },
          }),
        ),
      )
    },
  }
  clock = handClock()
  world = await createWorld({ data: { database }, agent, clock })
})
afterAll(() => world.close())

const reset = () => {
  counted.transactions = 0
  counted.statements = []
}
beforeEach(reset)

async function joined(streaming_enabled: boolean) {
  const joining = await world.joined({ streaming_enabled })
  await settled()
  reset()
  return joining.client
}
type Client = Awaited<ReturnType<typeof joined>>

/** The database has answered all, and nothing has gone to it for a while. */
async function settled() {
  for (let before = -1; open > 0 || before !== counted.statements.length; ) {
    before = counted.statements.length
    for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
async function answered(client: Client, text: string) {
  const before = client.events().filter(isWhole).length
  client.say(text, crypto.randomUUID())
  await client.until(() => client.events().filter(isWhole).length > before)
  await settled()
}

it('a process that has nothing to do asks the database at most six times a second', async () => {
  await settled()
  reset()
  await clock.pass(10_000)
  await settled()
  expect(counted.statements.length).toBeLessThanOrEqual(60)
  // Whether anything is due is asked each second all the same.
  expect(counted.statements.length).toBeGreaterThanOrEqual(10)
})

describe('one exchange', () => {
  it.each(['a message', 'finish'])(
    'without streaming takes 2 transactions and 8 statements, for the text “%s”',
    async (text) => {
      const client = await joined(false)
      await answered(client, text)
      expect(counted.transactions).toBe(2)
      expect(counted.statements.length).toBeLessThanOrEqual(8)
      expect(client.events().findLast(isWhole)?.payload.text).toBe(`You said ${text}. `)
    },
  )

  it('takes one transaction more for each earlier write when it is streamed', async () => {
    const client = await joined(true)
    client.say('pause', 'id-pause')
    await client.event('EVENT_TYPE_USER_MESSAGE')
    await settled()
    await clock.pass(30)
    await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK', ({ payload }) => payload.is_complete === false)
    await settled()
    expect(counted.transactions).toBe(2)
    await clock.pass(500)
    await client.until(() => client.events().filter(isWhole).length > 1)
    await settled()
    expect(counted.transactions).toBe(3)
    const stored = counted.statements.filter((sql) => /INSERT INTO foyer\.event/.test(sql))
    expect(stored).toHaveLength(3)
  })
})

it('an input that arrived meanwhile is answered without a search for it', async () => {
  const client = await joined(false)
  client.say('pause', 'id-first')
  client.say('second', 'id-second')
  await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'second')
  await settled()
  reset()
  await clock.pass(500)
  await client.until(() =>
    client.events().some(({ payload }) => String(payload.text ?? '').startsWith('You said second')),
  )
  const looks = counted.statements.filter((sql) => /last_input > answered/.test(sql))
  expect(looks).toEqual([])
})

it('the handoff queue is listed in one statement, however many visitors wait', async () => {
  for (let waiting = 1; waiting <= 3; waiting++) {
    const client = await joined(false)
    client.say('desk')
    await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
    await settled()
    reset()
    expect(await world.desk.entries()).toHaveLength(waiting)
    expect(counted.statements).toHaveLength(1)
  }
})

describe('sockets without a word', () => {
  let beats = 0
  async function beat(client: Client) {
    const local_id = `beat-${beats++}`
    client.send('EVENT_TYPE_HEARTBEAT', {}, { local_id })
    await client.event('EVENT_TYPE_HEARTBEAT', ({ metadata }) => metadata?.custom.local_id === local_id)
  }
  /** The statements that name sockets, while these seconds go by. */
  async function ofSockets(seconds: number) {
    await settled()
    reset()
    await clock.leap((seconds - 1) * 1_000)
    await clock.pass(1_000)
    await settled()
    // The sweep of idle sessions looks for chats with a live agent, whatever sockets there are.
    return counted.statements.filter((sql) => sql.includes('foyer.socket') && !sql.includes('foyer.session'))
  }

  it('take one statement when they fall silent and one when they are heard again, however many; heartbeats take none', async () => {
    // Those of the other tests.
    await ofSockets(151)
    const clients: Client[] = []
    for (let count = 0; count < 20; count++) clients.push(await joined(false))
    for (let round = 0; round < 3; round++) {
      expect(await ofSockets(60)).toEqual([])
      reset()
      await Promise.all(clients.map(beat))
      expect(counted.statements).toEqual([])
    }
    expect(await ofSockets(149)).toEqual([])
    expect(await ofSockets(2)).toHaveLength(1)
    expect(await ofSockets(30)).toEqual([])
    await Promise.all(clients.map(beat))
    expect(await ofSockets(2)).toHaveLength(1)
    expect(await ofSockets(2)).toEqual([])
  })
})

it('a handshake takes 4 statements, and one more where it takes the place of a silent socket', async () => {
  const token = await world.accessToken()
  const sessionId = await world.session(token)
  const handshakes: number[] = []
  for (let count = 0; count < 11; count++) {
    if (count === 10) {
      await clock.leap(150_000)
      await clock.pass(1_000)
    }
    await settled()
    reset()
    const client = await world.connect(sessionId, token)
    handshakes.push(counted.statements.findIndex((sql) => sql.startsWith('INSERT INTO foyer.socket')) + 1)
    await client.event('EVENT_TYPE_SESSION_START')
  }
  expect(handshakes).toEqual([...Array(10).fill(4), 5])
})

it('a second in which nothing happens takes at most 14 statements and one transaction', async () => {
  await settled()
  reset()
  await clock.pass(1_000)
  await settled()
  expect(counted.statements.length).toBeLessThanOrEqual(14)
  expect(counted.transactions).toBeLessThanOrEqual(1)
})

it('a streamed answer counts as activity every ten seconds and at its end, and stores a row for each write', async () => {
  const own = handClock()
  const store = await newDatabase()
  let paused = () => {}
  let goOn = () => {}
  const pause = () => new Promise<void>((resolve) => (paused = resolve))
  let pausing = pause()
  const agent: Agent = {
    name: 'Patient',
    async *act(turn) {
      if (turn.trigger === 'join') return
      for (let second = 0; second < 28; second++) {
        for (let word = 0; word < 5; word++) yield { type: 'text', text: `word ${second}.${word} ` }
        const told = new Promise<void>((resolve) => (goOn = resolve))
        paused()
        await told
      }
    },
  }
  const world = await createWorld({ data: { database: store }, agent, clock: own })
  try {
    const token = await world.accessToken()
    const client = await world.connect(await world.session(token, { streaming_enabled: true }), token)
    client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await client.event('EVENT_TYPE_POLY_AGENT_JOINED')
    client.say('go on')
    const active = new Set<string>()
    let rows = 0
    const begun = own.now()
    for (let second = 0; second < 28; second++) {
      await pausing
      pausing = pause()
      // Not a beat of the clock.
      await own.pass(900)
      // The last word is held back: it may go on.
      while (!chunkedText(client).includes(`word ${second}.3`)) {
        await own.pass(100)
        await new Promise((resolve) => setImmediate(resolve))
      }
      const [session] = await store.query<{ idle_since: Date; rows: number }>(
        `SELECT idle_since, (SELECT count(*)::integer FROM foyer.event
           WHERE type = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK') AS rows FROM foyer.session`,
      )
      active.add(String(session?.idle_since))
      rows = session?.rows ?? 0
      goOn()
    }
    // The question, and once in ten seconds.
    expect(active.size).toBeGreaterThanOrEqual(3)
    expect(active.size - 1).toBeLessThanOrEqual((own.now() - begun) / 10_000)
    expect(rows).toBe(28)
  } finally {
    await world.close()
  }
})
