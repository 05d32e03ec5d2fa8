// A search right after much was said finds all of it, or says that it does not.

import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { SearchParameters } from '../../src/client/parameters.ts'
import type { Database } from '../../src/runtime/index.ts'
import { handClock } from './clock.ts'
import { newDatabase, storeKind } from './store.ts'
import { createWorld } from './world.ts'

const START = 1_800_000_000_000
const MANY = 300
const SEARCH = {
  ...{ account_id: 'larkspur', project_id: 'shop', client_env: 'sandbox', query_type: 'transcript' },
  ...{ query: 'zeppelin', start_time: '2027-01-14T00:00:00Z', end_time: '2027-01-16T00:00:00Z' },
} as const satisfies SearchParameters

let close = async () => {}
afterEach(() => close())

/** A service, and its client. `before` runs before each statement of its database. */
async function service(before: (sql: string, time: { passed: number }) => void = () => {}) {
  const inner = await newDatabase()
  const hand = handClock(START)
  const time = { passed: 0 }
  const database: Database = {
    ...inner,
    query(sql, params, options) {
      before(sql, time)
      return inner.query(sql, params, options)
    },
    transaction: (run) =>
      inner.transaction((tx) =>
        run({
          query(sql, params, options) {
            before(sql, time)
            return tx.query(sql, params, options)
          },
          send(sql, params, options) {
            before(sql, time)
            tx.send(sql, params, options)
          },
        }),
      ),
  }
  const clock = { ...hand, now: () => hand.now() + time.passed }
  const world = await createWorld({ clock, data: { database }, headerPrefix: 'Larkspur' })
  close = world.close
  const client = createClient({ apiUrl: world.base, apiKey: 'all-key', headerPrefix: 'Larkspur' })
  return { world, client, inner }
}

/** Open conversations that have just said something, the first one the newest. */
async function say(database: Database, count: number): Promise<string[]> {
  await database.query(
    `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, unindexed)
     SELECT 'said-' || n, 'ws-test0001', 'PROJECT-test0001', 'sandbox', 'WEBCHAT', $1::timestamptz - n * interval '1 second', true
     FROM generate_series(1, $2::integer) AS n`,
    [new Date(START).toISOString(), count],
  )
  await database.query(
    `INSERT INTO foyer.turn (conversation_id, position, cause, user_input, user_input_at)
     SELECT id, 1, 1, 'a zeppelin', $1 FROM foyer.conversation WHERE id LIKE 'said-%'`,
    [new Date(START).toISOString()],
  )
  return Array.from({ length: count }, (_, n) => `said-${n + 1}`)
}

describe('a search right after much was said', () => {
  it('finds all of it', async () => {
    const { client, inner } = await service()
    const said = await say(inner, MANY)
    const page = await client.conversations.search(SEARCH)
    expect(page.conversations.map(({ id }) => id)).toEqual(said)
    expect(page).not.toHaveProperty('incomplete')
  })

  it('finds the newest of it where two seconds are too short for all, and says so on its first page', async () => {
    const { world, client, inner } = await service((sql, time) => {
      // An index takes 20 ms.
      if (sql.includes('INSERT INTO foyer.transcript')) time.passed += 20
    })
    const said = await say(inner, 250)
    const ids = ({ conversations }: { conversations: { id: string }[] }) => conversations.map(({ id }) => id)
    const first = await client.conversations.search(SEARCH)
    expect(ids(first)).toEqual(said.slice(0, 100))
    expect(first.incomplete).toBe(true)

    const second = await client.conversations.search({ ...SEARCH, limit: 150 })
    expect(ids(second)).toEqual(said.slice(0, 150))
    expect(second.incomplete).toBe(true)
    const rest = await client.conversations.search({ ...SEARCH, cursor: second.cursor ?? '' })
    expect(ids(rest)).toEqual(said.slice(150, 200))
    expect(rest).not.toHaveProperty('incomplete')

    const third = await world.get(
      `/v3/larkspur/shop/conversations?client_env=sandbox&query_type=transcript&query=zeppelin&start_time=${SEARCH.start_time}&end_time=${SEARCH.end_time}`,
    )
    expect(ids((await third.json()) as { conversations: { id: string }[] })).toEqual(said)
    expect(third.headers.has('x-larkspur-search-incomplete')).toBe(false)
  })

  it('waits for a conversation that another transaction holds', async () => {
    let seen = () => {}
    // The embedded store has one connection: there the search waits with its first statement.
    const waits = storeKind === 'postgres' ? 'lock_timeout' : ''
    const { client, inner } = await service((sql) => {
      if (sql.includes(waits)) seen()
    })
    const said = await say(inner, 3)
    let locked = () => {}
    const lock = new Promise<void>((resolve) => {
      locked = resolve
    })
    const waiting = new Promise<void>((resolve) => {
      seen = resolve
    })
    const holding = inner.transaction(async (tx) => {
      await tx.query("SELECT 1 FROM foyer.conversation WHERE id = 'said-2' FOR UPDATE")
      locked()
      await waiting
    })
    await lock
    const found = client.conversations.search(SEARCH)
    await holding
    const page = await found
    expect(page.conversations.map(({ id }) => id)).toEqual(said)
    expect(page).not.toHaveProperty('incomplete')
  })

  it('says that it lacks a conversation that another transaction holds for too long', async () => {
    const { client, inner } = await service()
    const said = await say(inner, 3)
    let locked = () => {}
    let release = () => {}
    const lock = new Promise<void>((resolve) => {
      locked = resolve
    })
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const holding = inner.transaction(async (tx) => {
      await tx.query("SELECT 1 FROM foyer.conversation WHERE id = 'said-2' FOR UPDATE")
      locked()
      await released
    })
    await lock
    // The embedded store has one connection, so that nothing there waits for a lock.
    if (storeKind !== 'postgres') release()
    const page = await client.conversations.search(SEARCH)
    release()
    await holding
    const expected = storeKind === 'postgres' ? ['said-1', 'said-3'] : said
    expect(page.conversations.map(({ id }) => id)).toEqual(expected)
    expect(page.incomplete).toBe(storeKind === 'postgres' ? true : undefined)
  })
})
