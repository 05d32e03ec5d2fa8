// Copies one embedded database into another: what a folder moves into a PostgreSQL server.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CopyProgress, copyTables, hasTables } from '../../src/runtime/admin/index.ts'
import { openPglite, runSteps } from '../../src/runtime/database/index.ts'
import type { Database } from '../../src/runtime/index.ts'
import { SCHEMAS } from '../../src/runtime/schemas.ts'
import { everyRow } from '../contract/store.ts'
import { migratedPglite } from '../contract/template.ts'

/** More than two batches. */
const MANY = 1_201

let source: Database
let target: Database
beforeAll(async () => {
  ;[source, target] = await Promise.all([migratedPglite(), openPglite(undefined)])
})
afterAll(() => Promise.all([source.close(), target.close()]))

const copy = (report: (progress: CopyProgress) => void = () => {}) =>
  target.transaction(async (to) => {
    await runSteps(to, SCHEMAS)
    return source.transaction((from) => copyTables(from, to, report))
  })
/** All rows of all tables, whatever their order. */
const rowsOf = async (database: Database) => {
  const tables = JSON.parse(await everyRow(database)) as { row: object }[][]
  return tables.map((rows) => rows.map(({ row }) => JSON.stringify(row)).sort()).sort()
}

it('a database without tables of Foyer has none, whatever else it holds', async () => {
  expect([await hasTables(source), await hasTables(target)]).toEqual([true, false])
  await target.script('CREATE TABLE public.other (id integer); CREATE SCHEMA foyer')
  expect(await hasTables(target)).toBe(false)
})

it('a copy that fails leaves nothing behind', async () => {
  await source.query("INSERT INTO foyer.setting (key, value) VALUES ('one', 'secret')")
  await expect(
    copy(() => {
      throw new Error('stopped')
    }),
  ).rejects.toThrow('stopped')
  expect(await hasTables(target)).toBe(false)
})

it('a copy that lacks rows is not kept', async () => {
  const lossy = target.transaction(async (to) => {
    await runSteps(to, SCHEMAS)
    await to.query(
      `CREATE FUNCTION foyer.lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    )
    await to.query(
      'CREATE TRIGGER lose BEFORE INSERT ON foyer.setting FOR EACH ROW EXECUTE FUNCTION foyer.lose()',
    )
    return source.transaction((from) => copyTables(from, to, () => {}))
  })
  await expect(lossy).rejects.toThrow('The table setting has 1 rows in the folder and 0 in the database')
  expect(await hasTables(target)).toBe(false)
})

it('a copy has every row of every table with all that is hard to write, in batches, and numbers go on where they were', async () => {
  const hard = `'"\\ \t\n(,) {} é 😀 $1 '' null`
  await source.query(
    `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, metrics)
     VALUES ('c', $1, '', 'live', 'WEBCHAT', '2026-01-02 03:04:05.678901+00', 'null')`,
    [hard],
  )
  await source.query(
    `INSERT INTO foyer.session (id, family, token_id, attributes) VALUES ('c', 'chat', 't', $1)`,
    [JSON.stringify({ [hard]: [hard, null, 1e-7, 12345678901234567890n.toString()] })],
  )
  await source.query(
    `INSERT INTO foyer.event (session_id, sequence, id, type, payload, created_at)
     SELECT 'c', n, 'e' || n, 't', jsonb_build_object('text', $1::text, 'n', n), now() FROM generate_series(1, ${MANY}) AS n`,
    [hard],
  )
  await source.query(
    `INSERT INTO foyer.transcript (conversation_id, config, words) VALUES ('c', 'english', to_tsvector('english', $1))`,
    [`it's a "quoted" word ${hard}`],
  )
  await source.query(
    `INSERT INTO foyer.embedding (conversation_id, model, numbers) VALUES ('c', 'm', '{0.1,-1e-30,3.4028235e38}')`,
  )
  await source.query(
    `INSERT INTO foyer.delivery (id, session_id, message, created_at, due_at)
     SELECT 'd' || n, 'c', '{}', now(), now() FROM generate_series(1, 3) AS n`,
  )
  const seen: CopyProgress[] = []
  const { rows } = await copy((progress) => seen.push(progress))
  const copied = await rowsOf(target)
  expect(copied).toEqual(await rowsOf(source))
  const steps = await target.query('SELECT 1 FROM foyer.migration UNION ALL SELECT 1 FROM foyer.addition')
  expect(rows).toBe(copied.flat().length - steps.length)
  expect(seen.filter(({ table }) => table === 'event')).toEqual(
    [500, 1_000, MANY].map((done) => ({ table: 'event', copied: done, rows: MANY })),
  )
  const [next] = await target.query<{ position: string }>(
    `INSERT INTO foyer.delivery (id, session_id, message, created_at, due_at)
     VALUES ('next', 'c', '{}', now(), now()) RETURNING position`,
  )
  expect(Number(next?.position)).toBe(4)
})
