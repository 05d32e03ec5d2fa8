// How the tables of the nouns come into a database, and which data is refused.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { saveProject } from '../../src/runtime/accounts/project-store.ts'
import { type Database, DataFolderError, migrate, type Schema } from '../../src/runtime/database/index.ts'
import { schemaState } from '../../src/runtime/database/schema-runner.ts'
import { SCHEMAS } from '../../src/runtime/schemas.ts'
import { migratedPglite } from '../contract/template.ts'
import { PROJECT } from './store-world.ts'

let database: Database
beforeAll(async () => {
  database = await migratedPglite()
})
beforeEach(() => database.script('DROP SCHEMA IF EXISTS foyer CASCADE'))
afterAll(() => database.close())

const lower: Schema = { noun: 'lower', steps: ['CREATE TABLE foyer.lower (id integer PRIMARY KEY);\n'] }
const upper: Schema = {
  noun: 'upper',
  steps: ['CREATE TABLE foyer.upper (lower_id integer REFERENCES foyer.lower);\n'],
}
const steps = async () =>
  (
    await database.query<{ step: string }>(
      "SELECT noun || ' ' || step AS step FROM foyer.addition ORDER BY noun, step",
    )
  ).map(({ step }) => step)

it('the tables of each noun are created once and in order, though several processes start at once', async () => {
  await Promise.all([1, 2, 3].map(() => migrate(database, [lower, upper])))
  expect(await steps()).toEqual(['lower 1', 'upper 1'])
})

it('a database runs the steps that it does not have yet, and keeps its rows', async () => {
  await migrate(database, [lower])
  await database.query('INSERT INTO foyer.lower (id) VALUES (7)')
  const grown = { ...lower, steps: [...lower.steps, 'ALTER TABLE foyer.lower ADD COLUMN word text;\n'] }
  await migrate(database, [grown, upper])
  expect(await steps()).toEqual(['lower 1', 'lower 2', 'upper 1'])
  expect(await database.query('SELECT id, word FROM foyer.lower')).toEqual([{ id: 7, word: null }])
})

it('a database that has every step runs one query', async () => {
  await migrate(database, [lower, upper])
  const asked: string[] = []
  const spied: Database = {
    ...database,
    query(sql, params, options) {
      asked.push(sql)
      return database.query(sql, params, options)
    },
    transaction: () => Promise.reject(new Error('no transaction is needed')),
  }
  await migrate(spied, [lower, upper])
  expect(asked).toHaveLength(1)
  await expect(migrate(spied, [lower, upper, { noun: 'new', steps: ['SELECT 1;\n'] }])).rejects.toThrow()
})

it('no step rewrites a table of an earlier step, however many rows the table holds', async () => {
  const files = async () =>
    new Map(
      (
        await database.query<{ name: string; file: string }>(
          "SELECT relname AS name, pg_relation_filenode(oid)::text AS file FROM pg_class WHERE relnamespace = 'foyer'::regnamespace AND relkind = 'r'",
        )
      ).map(({ name, file }) => [name, file]),
    )
  const longest = Math.max(...SCHEMAS.map(({ steps }) => steps.length))
  expect(longest).toBeGreaterThan(1)
  let before = new Map<string, string>()
  for (let count = 1; count <= longest; count++) {
    await migrate(
      database,
      SCHEMAS.map(({ noun, steps }) => ({ noun, steps: steps.slice(0, count) })),
    )
    const after = await files()
    expect([...before].filter(([name, file]) => after.get(name) !== file)).toEqual([])
    before = after
  }
  expect(before.size).toBeGreaterThan(10)
})

it('canned replies that all projects shared become replies of each project', async () => {
  const steps = (count: number) =>
    SCHEMAS.map((schema) =>
      schema.noun === 'handoff' ? { ...schema, steps: schema.steps.slice(0, count) } : schema,
    )
  await migrate(database, steps(2))
  for (const id of ['PROJECT-1', 'PROJECT-2']) await saveProject(database, { ...PROJECT, id, slug: id })
  await database.query("INSERT INTO foyer.canned_reply (name, words) VALUES ('hours', 'Nine to five')")
  await migrate(database, steps(3))
  expect(
    await database.query('SELECT project_id, name, words FROM foyer.canned_reply ORDER BY project_id'),
  ).toEqual(
    ['PROJECT-1', 'PROJECT-2'].map((project_id) => ({ project_id, name: 'hours', words: 'Nine to five' })),
  )
})

it('a conversation with a live agent whom an agent simulated becomes the agent’s, and its inactivity counts', async () => {
  const steps = (count: number) =>
    SCHEMAS.map((schema) =>
      schema.noun === 'sessions' ? { ...schema, steps: schema.steps.slice(0, count) } : schema,
    )
  await migrate(database, steps(4))
  await saveProject(database, { ...PROJECT, id: 'PROJECT-1', slug: 'PROJECT-1' })
  for (const mode of ['handoff', 'live', 'queued', 'desk'])
    await database.query(
      `WITH opened AS (INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at)
         VALUES ($1, 'ws-1', 'PROJECT-1', 'sandbox', 'WEBCHAT', now()) RETURNING id)
       INSERT INTO foyer.session (id, family, mode, live_agent, token_id)
       SELECT $1, 'chat', $1, '{"id": "sarah", "name": "Sarah"}', '' FROM opened`,
      [mode],
    )
  await migrate(database, SCHEMAS)
  const sessions = await database.query(
    'SELECT id, mode, live_agent IS NULL AS alone, idle_since IS NOT NULL AS idles FROM foyer.session ORDER BY id',
  )
  expect(sessions).toEqual([
    { id: 'desk', mode: 'desk', alone: false, idles: false },
    { id: 'handoff', mode: 'agent', alone: true, idles: true },
    { id: 'live', mode: 'agent', alone: true, idles: true },
    { id: 'queued', mode: 'queued', alone: false, idles: false },
  ])
})

it('a step that fails leaves nothing behind', async () => {
  const broken: Schema = { noun: 'broken', steps: ['CREATE TABLE foyer.broken (id nonsense);\n'] }
  await expect(migrate(database, [lower, broken])).rejects.toThrow('nonsense')
  expect(await database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'foyer'")).toEqual([])
})

it('the data of an earlier build is refused with one sentence, and left unchanged', async () => {
  await database.script('CREATE SCHEMA foyer; CREATE TABLE foyer.migration (step integer PRIMARY KEY);')
  const error = await migrate(database, SCHEMAS).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DataFolderError)
  expect(error).toMatchObject({ reason: 'other-build', message: expect.stringContaining('earlier build') })
  expect((error as Error).message.match(/[.!?](\s|$)/g)).toHaveLength(1)
  const tables = await database.query(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'foyer'",
  )
  expect(tables).toHaveLength(1)
})

it('a build goes on with a database to which a later build has only added, and starts again', async () => {
  const grown = { ...upper, steps: [...upper.steps, 'CREATE TABLE foyer.more (id integer);\n'] }
  await migrate(database, [lower, grown])
  await migrate(database, [lower, upper])
  // Its own next step runs beside those that it does not know.
  const other = { ...lower, steps: [...lower.steps, 'CREATE TABLE foyer.other (id integer);\n'] }
  await migrate(database, [other, upper])
  const tables = await database.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'foyer'::regnamespace AND relkind = 'r' ORDER BY 1",
  )
  expect(tables.map(({ name }) => name)).toEqual(['addition', 'lower', 'migration', 'more', 'other', 'upper'])
})

it('the data of a build that recorded all its steps in one table are older, or later', async () => {
  const recorded = (...nouns: string[]) => ({
    async query<T>(sql: string) {
      if (sql.includes('foyer.addition')) throw new Error('no such table')
      return nouns.map((noun) => ({ noun, step: 1, required: true })) as T[]
    },
  })
  const schemas = ['one', 'two'].map((noun): Schema => ({ noun, steps: ['SELECT 1'] }))
  expect(await schemaState(recorded('one'), schemas)).toBe('older')
  expect(await schemaState(recorded('one', 'two'), schemas)).toBe('current')
  expect(await schemaState(recorded('one', 'two', 'three'), schemas)).toBe('later')
})

it('the data of a later build is refused if it has a step that every build must know', async () => {
  const steps = [...upper.steps, 'ALTER TABLE foyer.upper RENAME TO over;\n']
  await migrate(database, [lower, upper])
  await migrate(database, [lower, { ...upper, steps, required: 2 }])
  await expect(migrate(database, [lower, upper])).rejects.toThrow('later build')
})

it('release 0.1.0 finds the steps that it refuses if it does not know them, and no others', async () => {
  await migrate(database, SCHEMAS)
  const required = await database.query<{ noun: string; steps: number }>(
    'SELECT noun, count(*)::integer AS steps FROM foyer.migration GROUP BY noun',
  )
  expect(Object.fromEntries(required.map(({ noun, steps }) => [noun, steps]))).toEqual({
    ...{ jobs: 1, accounts: 1, conversations: 2, sessions: 6, messaging: 1, calls: 1, handoff: 3 },
  })
})

it('a step that is not required takes nothing away that a build before it uses', () => {
  const takesAway = /DROP (TABLE|COLUMN)|RENAME|SET NOT NULL|COLUMN \w+ TYPE|ADD (CHECK|CONSTRAINT|UNIQUE)/i
  const isWrong = (clause: string) =>
    takesAway.test(clause) || (/ADD COLUMN.*NOT NULL/is.test(clause) && !/DEFAULT/i.test(clause))
  for (const { noun, steps, required = 0 } of SCHEMAS)
    for (const [index, step] of steps.slice(required).entries())
      expect(step.split(/[,;]/).filter(isWrong), `step ${required + index + 1} of ${noun}`).toEqual([])
})
