// The events of sessions that ended long ago are removed, a few sessions at a time.

import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/runtime/database/index.ts'
import { removeEvents } from '../../src/runtime/sessions/state/event-removal-store.ts'
import { rowsRead } from '../bench/plans.ts'
import { migratedPglite } from '../contract/template.ts'
import { at } from './store-world.ts'

let database: Database
beforeEach(async () => {
  database = await migratedPglite()
})
afterEach(() => database.close())

type Ended = { id: string; ended: number | undefined; turn?: boolean; owner?: string }

async function session({ id, ended, turn = true, owner }: Ended) {
  await database.query(
    `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, ended_at)
     VALUES ($1, 'ws-1', 'PROJECT-1', 'live', 'SMS', $2, $3)`,
    [id, at(0).toISOString(), ended === undefined ? null : at(ended).toISOString()],
  )
  await database.query(
    `INSERT INTO foyer.session (id, family, turn_owner, turn_cause) VALUES ($1, 'messaging', $2, $3)`,
    [id, owner ?? null, owner ? 2 : null],
  )
  await database.query(
    `INSERT INTO foyer.event (session_id, sequence, id, type, payload, created_at)
     SELECT $1, n, $1 || n, CASE n WHEN 2 THEN 'EVENT_TYPE_USER_MESSAGE' ELSE 'EVENT_TYPE_SYSTEM_MESSAGE' END, '{}', $2
     FROM generate_series(1, 3) AS n`,
    [id, at(0).toISOString()],
  )
  if (turn)
    await database.query(
      'INSERT INTO foyer.turn (conversation_id, position, cause, user_input_at) VALUES ($1, 1, 2, $2)',
      [id, at(0).toISOString()],
    )
}

const withEvents = async () =>
  (await database.query<{ id: string }>('SELECT DISTINCT session_id AS id FROM foyer.event ORDER BY id')).map(
    ({ id }) => id,
  )
const turns = async () =>
  (await database.query<{ n: number }>('SELECT count(*)::integer AS n FROM foyer.turn'))[0]?.n

it('events are removed only of sessions that ended before the given time, and their turns stay', async () => {
  await session({ id: 'early', ended: 10 })
  await session({ id: 'late', ended: 20 })
  await session({ id: 'open', ended: undefined })
  expect(await removeEvents(database, at(20), 9)).toBe(1)
  expect(await withEvents()).toEqual(['late', 'open'])
  expect(await turns()).toBe(3)
})

it('events stay of a session with a message that has no turn, and of one whose turn runs', async () => {
  await session({ id: 'logged', ended: 10 })
  await session({ id: 'running', ended: 11, owner: 'one' })
  await session({ id: 'unlogged', ended: 12, turn: false })
  expect(await removeEvents(database, at(20), 9)).toBe(3)
  expect(await withEvents()).toEqual(['running', 'unlogged'])
})

it('sessions lose their events in the order of their ends, and each call goes on where the last one stopped', async () => {
  for (const ended of [5, 1, 4, 2, 3, 3, 3])
    await session({ id: `${(await withEvents()).length} ${ended}`, ended })
  const ends = async () => (await withEvents()).map((id) => Number(id.split(' ')[1])).sort()
  const steps: unknown[] = []
  for (let call = 0; call < 5; call++) steps.push([await removeEvents(database, at(20), 2), await ends()])
  // Three ended in the same instant.
  expect(steps).toEqual([
    [2, [3, 3, 3, 4, 5]],
    [3, [4, 5]],
    [2, []],
    [0, []],
    [0, []],
  ])
  await session({ id: 'later', ended: 6 })
  expect(await removeEvents(database, at(20), 2)).toBe(1)
  expect(await withEvents()).toEqual([])
})

it('a call reads no more sessions than it handles, however many there are', async () => {
  await database.query(
    `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, ended_at)
     SELECT 'c' || n, 'ws-1', 'PROJECT-1', 'live', 'SMS', $1, $1::timestamptz + n * interval '1 s' FROM generate_series(1, 5000) AS n`,
    [at(0).toISOString()],
  )
  await database.query(
    `INSERT INTO foyer.session (id, family) SELECT id, 'messaging' FROM foyer.conversation`,
  )
  await database.query(
    `INSERT INTO foyer.event (session_id, sequence, id, type, payload, created_at)
     SELECT id, n, id || n, 'EVENT_TYPE_SYSTEM_MESSAGE', '{}', $1 FROM foyer.conversation, generate_series(1, 3) AS n`,
    [at(0).toISOString()],
  )
  await database.query('ANALYZE')
  await removeEvents(database, at(9_999), 1_000)
  expect(await rowsRead(database, (over) => removeEvents(over, at(9_999), 10))).toBeLessThan(200)
})
