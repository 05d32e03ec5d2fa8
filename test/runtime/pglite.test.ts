import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openPglite } from '../../src/runtime/database/index.ts'

let folder: string
let database: Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-pglite-'))
  database = await openPglite(folder)
}, 30_000)
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

it('keeps the planner informed of what its tables hold', async () => {
  await database.script('CREATE SCHEMA foyer; CREATE TABLE foyer.many (id integer PRIMARY KEY, word text);')
  await database.query("INSERT INTO foyer.many SELECT n, 'word ' || n FROM generate_series(1, 5000) AS n")
  const known = async () => {
    const [row] = await database.query<{ rows: number }>(
      "SELECT reltuples::integer AS rows FROM pg_class WHERE oid = 'foyer.many'::regclass",
    )
    return row?.rows
  }
  expect(await known()).toBe(-1)
  while ((await known()) === -1) await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await known()).toBe(5_000)
}, 30_000)
