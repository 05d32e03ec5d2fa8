// The ten places of a session: a handshake takes that of a socket which has been silent for too long, at whichever process it is.

import { afterEach, describe, expect, it } from 'vitest'
import type { BusLink, Database } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { interposed } from './interposed.ts'
import { newDatabase, storeKind } from './store.ts'
import { createWorld } from './world.ts'

type World = Awaited<ReturnType<typeof createWorld>>
type Client = Awaited<ReturnType<World['connect']>>

const PLACES = 10
const TRY_LATER = 1013

let close = async () => {}
afterEach(() => close())

/** Processes on one database, whose time goes by together, and a bus between them that can lose its texts. */
async function processes(count: number) {
  const inner = await newDatabase()
  const ends = new Map<HandClock, { hear(text: string): void; lost(): void }>()
  let losing = false
  let broken: RegExp | undefined
  const between = interposed(inner)
  const database: Database = {
    ...between.database,
    query: (sql, params) =>
      broken?.test(sql)
        ? Promise.reject(new Error('the store is away'))
        : between.database.query(sql, params),
    close: async () => {},
  }
  const linkOf = (clock: HandClock): BusLink => ({
    mostBytes: 7_500,
    lookMs: 3_600_000,
    async open(hear, lost) {
      ends.set(clock, { hear, lost })
    },
    async send(text) {
      if (!losing) for (const { hear } of ends.values()) setImmediate(() => hear(text))
    },
    async close() {
      ends.delete(clock)
    },
  })
  const clocks = Array.from({ length: count }, () => handClock())
  const worlds: World[] = []
  for (const clock of clocks)
    worlds.push(await createWorld({ data: { database }, clock, bus: linkOf(clock) }))
  close = async () => {
    broken = undefined
    for (const world of worlds) await world.close()
    await inner.close()
  }
  const [first] = worlds as [World, ...World[]]
  const token = await first.accessToken()
  const sessionId = await first.session(token)
  const at = (n: number) => worlds[n] ?? first

  return {
    database: inner,
    /** All ten sockets, at one process. */
    async fill(n = 0): Promise<Client[]> {
      const clients: Client[] = []
      while (clients.length < PLACES) clients.push(await at(n).connect(sessionId, token))
      return clients
    },
    /** Time goes by for all processes, or for these: at once, but for the last second. */
    async pass(seconds: number, of: readonly number[] = worlds.map((_, n) => n)) {
      for (const n of of) await clocks[n]?.leap((seconds - 1) * 1_000)
      for (const n of of) await clocks[n]?.pass(1_000)
    },
    /** 101, or the status with which one more socket is refused. */
    async handshake(n = 0): Promise<number | undefined> {
      const client = await at(n)
        .connect(sessionId, token)
        .catch(() => undefined)
      return client ? 101 : (await at(n).refusal({ session_id: sessionId, access_token: token })).status
    },
    loseTexts: () => {
      losing = true
    },
    /** The process notices that texts may be missing. */
    gap(n: number) {
      const clock = clocks[n]
      if (clock) ends.get(clock)?.lost()
    },
    /** It is killed, as far as the others can see. */
    kill(n: number) {
      const clock = clocks[n]
      if (clock) ends.delete(clock)
    },
    afterStatement: between.after,
    breakStore: (statements: RegExp | undefined) => {
      broken = statements
    },
    rows: async () =>
      (await inner.query('SELECT 1 FROM foyer.socket WHERE session_id = $1', [sessionId])).length,
  }
}

let beats = 0
/** Says that the client lives, and waits until the service has heard it. */
async function beat(client: Client): Promise<void> {
  const local_id = `beat-${beats++}`
  client.send('EVENT_TYPE_HEARTBEAT', {}, { local_id })
  await client.event('EVENT_TYPE_HEARTBEAT', ({ metadata }) => metadata?.custom.local_id === local_id)
}
const beatAll = (clients: readonly Client[]) => Promise.all(clients.map(beat))
const isOpen = ({ socket }: Client) => socket.readyState === socket.OPEN

describe('an eleventh socket', () => {
  it('takes the place of the one that has been silent longest, once that is over 150 s, and of no other', async () => {
    const { fill, pass, handshake, rows } = await processes(1)
    const clients = await fill()
    const lively = clients.slice(4)
    // The fourth has said nothing from the beginning, the third for 10 s less, and so on.
    const silent = clients.slice(0, 4).toReversed()
    for (const n of [1, 2, 3]) {
      await pass(10)
      await beatAll([...silent.slice(n), ...lively])
    }
    await pass(100)
    await beatAll(lively)
    await pass(20)
    expect(await handshake()).toBe(429)
    await pass(1)
    expect(await handshake()).toBe(101)
    expect(await silent[0]?.closed()).toBe(TRY_LATER)
    expect(await handshake()).toBe(429)
    await pass(40)
    for (const n of [1, 2, 3]) {
      expect(silent.slice(n).every(isOpen)).toBe(true)
      expect(await handshake()).toBe(101)
      expect(await silent[n]?.closed()).toBe(TRY_LATER)
    }
    expect(await handshake()).toBe(429)
    await beatAll(lively)
    expect(await rows()).toBe(PLACES)
  })

  it('takes no place of another where one is free, however long that one is silent', async () => {
    const { fill, pass, handshake, rows } = await processes(1)
    const clients = await fill()
    clients.pop()?.socket.close()
    await expect.poll(rows).toBe(PLACES - 1)
    await pass(300)
    expect(await handshake()).toBe(101)
    await beatAll(clients)
    expect(await rows()).toBe(PLACES)
  })

  it.each([
    ['a heartbeat', beat],
    [
      'a ping',
      (client: Client) =>
        new Promise<void>((resolve) => {
          client.socket.once('pong', () => resolve())
          client.socket.ping()
        }),
    ],
    [
      'a frame that the service does not know',
      async (client: Client) => {
        const errors = () => client.events().filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE').length
        const before = errors()
        client.socket.send('nonsense')
        await client.until(() => errors() > before)
      },
    ],
  ])('is refused while each of the ten has said something within 150 s: %s', async (_, says) => {
    const { fill, pass, handshake } = await processes(1)
    const clients = await fill()
    for (let round = 0; round < 3; round++) {
      await pass(149)
      await Promise.all(clients.map(says))
    }
    expect(await handshake()).toBe(429)
    expect(clients.every(isOpen)).toBe(true)
  })

  it('is refused where the silent socket has been heard again', async () => {
    const { fill, pass, handshake } = await processes(1)
    const clients = await fill()
    await pass(160)
    await beatAll(clients)
    await pass(1)
    expect(await handshake()).toBe(429)
    expect(clients.every(isOpen)).toBe(true)
    await pass(151)
    expect(await handshake()).toBe(101)
  })

  it('takes a place also where the store did not take what the process said of silent sockets at first', async () => {
    const { fill, pass, handshake, breakStore } = await processes(1)
    await fill()
    breakStore(/UPDATE foyer\.socket/)
    await pass(151)
    expect(await handshake()).toBe(429)
    breakStore(undefined)
    await pass(1)
    expect(await handshake()).toBe(101)
  })

  it('takes no place of a socket that was heard again while the store was away', async () => {
    const { fill, pass, handshake, breakStore } = await processes(1)
    const clients = await fill()
    await pass(151)
    breakStore(/UPDATE foyer\.socket/)
    await beatAll(clients)
    await pass(1)
    breakStore(undefined)
    await pass(1)
    expect(await handshake()).toBe(429)
    expect(clients.every(isOpen)).toBe(true)
  })
})

describe('an eleventh socket at another process', () => {
  it('takes the place of a silent one, whose process hears of it and closes it', async () => {
    const { fill, pass, handshake, rows } = await processes(2)
    const clients = await fill(0)
    await pass(120)
    await beatAll(clients.slice(1))
    await pass(31)
    expect(await handshake(1)).toBe(101)
    expect(await clients[0]?.closed()).toBe(TRY_LATER)
    expect(await handshake(1)).toBe(429)
    await beatAll(clients.slice(1))
    expect(await rows()).toBe(PLACES)
  })

  it('takes a place though the word of it is lost: the process of the silent socket looks, and closes it', async () => {
    const { fill, pass, handshake, loseTexts, gap, rows } = await processes(2)
    const clients = await fill(0)
    await pass(120)
    await beatAll(clients.slice(1))
    await pass(31)
    loseTexts()
    expect(await handshake(1)).toBe(101)
    await pass(30)
    expect(clients.every(isOpen)).toBe(true)
    gap(0)
    expect(await clients[0]?.closed()).toBe(TRY_LATER)
    await beatAll(clients.slice(1))
    expect(await rows()).toBe(PLACES)
  })

  it('takes a place though the word of it is lost: the silent socket is closed when it is heard again', async () => {
    const { fill, pass, handshake, loseTexts, rows } = await processes(2)
    const clients = await fill(0)
    await pass(151)
    loseTexts()
    expect(await handshake(1)).toBe(101)
    await beatAll(clients)
    await pass(1)
    const left = () => clients.filter(isOpen)
    await expect.poll(() => left().length).toBe(PLACES - 1)
    await beatAll(left())
    expect(await rows()).toBe(PLACES)
    expect(await handshake(1)).toBe(429)
  })

  it('takes the place of a silent one whose process is dead and not missed yet', async () => {
    const { fill, pass, handshake, kill, rows } = await processes(2)
    await fill(0)
    await pass(151)
    kill(0)
    await pass(10, [1])
    expect(await handshake(1)).toBe(101)
    expect(await rows()).toBe(PLACES)
  })

  it.each([
    { silent: 1, answers: [101, 429] },
    { silent: 2, answers: [101, 101] },
  ])('is one of two at once: of $silent silent ones each takes another', async ({ silent, answers }) => {
    const { fill, pass, handshake, rows } = await processes(3)
    const clients = await fill(0)
    await pass(120)
    await beatAll(clients.slice(silent))
    await pass(31)
    const both = await Promise.all([handshake(1), handshake(2)])
    expect(both.toSorted()).toEqual(answers)
    for (const client of clients.slice(0, silent)) expect(await client.closed()).toBe(TRY_LATER)
    await beatAll(clients.slice(silent))
    expect(await rows()).toBe(PLACES)
  })

  it('takes a place before the process of the silent socket knows that the silence is stored', async () => {
    const { fill, pass, handshake, afterStatement } = await processes(2)
    const clients = await fill(0)
    await pass(120)
    await beatAll(clients.slice(1))
    const between = afterStatement(/UPDATE foyer\.socket/, async () => {
      expect(await handshake(1)).toBe(101)
      expect(await clients[0]?.closed()).toBe(TRY_LATER)
    })
    await pass(31)
    await between
    await beatAll(clients.slice(1))
  })

  it.runIf(storeKind === 'postgres')(
    'takes no place of a socket that is heard again at that very moment',
    async () => {
      const { fill, pass, handshake, database } = await processes(2)
      const clients = await fill(0)
      await pass(120)
      await beatAll(clients.slice(1))
      await pass(31)
      const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM foyer.socket%'`
      const asked = await database.transaction(async (tx) => {
        await tx.query('UPDATE foyer.socket SET silent_since = NULL')
        const answer = handshake(1)
        await expect.poll(() => database.query(waiting)).toHaveLength(1)
        return { answer }
      })
      expect(await asked.answer).toBe(429)
      expect(clients.every(isOpen)).toBe(true)
    },
  )

  it('takes a place also after the process of the silent sockets was removed by mistake and came back', async () => {
    const { fill, pass, handshake, gap, afterStatement, database, rows } = await processes(2)
    const clients = await fill(0)
    // Its client does not answer the close.
    clients[0]?.socket.pause()
    await pass(10)
    await beatAll(clients.slice(1))
    await pass(110)
    await beatAll(clients.slice(2))
    await pass(41)
    const looked = afterStatement(/unnest\(\$2::text\[\]\) AS k/, () => {})
    expect(await handshake(1)).toBe(101)
    await looked
    await database.query('DELETE FROM foyer.process')
    gap(0)
    await pass(6)
    await beatAll(clients.slice(2))
    expect(await rows()).toBe(PLACES)
    expect(isOpen(clients[1] as Client)).toBe(true)
    expect(await handshake(1)).toBe(101)
    expect(await clients[1]?.closed()).toBe(TRY_LATER)
    expect(await handshake(1)).toBe(429)
    expect(await rows()).toBe(PLACES)
  })
})
