// What both drivers promise the stores, on the store the suite runs on.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/runtime/index.ts'
import { newDatabase, storeKind } from './store.ts'

let database: Database
beforeAll(async () => {
  database = await newDatabase()
  await database.script('CREATE TABLE slip (id integer PRIMARY KEY, text text)')
})
afterAll(() => database.close())

const notes = () => database.query('SELECT id, text FROM slip ORDER BY id')
const INSERT = 'INSERT INTO slip (id, text) VALUES ($1, $2)'
const prepared = { prepared: true }

describe('a transaction', () => {
  it('runs its statements in the order of the calls', async () => {
    const seen = await database.transaction(async (tx) => {
      tx.send(INSERT, [1, 'first'])
      const [before, , after] = await Promise.all([
        tx.query('SELECT text FROM slip'),
        tx.query("UPDATE slip SET text = 'second'"),
        tx.query('SELECT text FROM slip'),
      ])
      tx.send('DELETE FROM slip')
      return [before, after]
    })
    expect(seen).toEqual([[{ text: 'first' }], [{ text: 'second' }]])
    expect(await notes()).toEqual([])
  })

  it.each([
    ['unprepared', {}],
    ['prepared', prepared],
  ])('rejects with the failure of a sent statement, and stores nothing: %s', async (_, options) => {
    for (let round = 0; round < 2; round++) {
      const failing = database.transaction(async (tx) => {
        tx.send(INSERT, [1, 'kept?'], options)
        tx.send(INSERT, [1, 'again'], options)
        tx.send(INSERT, [2, 'behind'], options)
      })
      await expect(failing).rejects.toMatchObject({ code: '23505' })
      expect(await notes()).toEqual([])
    }
  })

  it('rejects a query with the failure of an earlier statement, and sends nothing more', async () => {
    let further = false
    const failing = database.transaction(async (tx) => {
      tx.send('SELECT 1 / 0')
      await tx.query('SELECT 1')
      further = true
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(further).toBe(false)
  })

  it('rejects with a failure that its code ignores, and stores nothing', async () => {
    const failing = database.transaction(async (tx) => {
      tx.send(INSERT, [1, 'kept?'])
      await tx.query('SELECT 1 / 0').catch(() => {})
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(await notes()).toEqual([])
  })

  it('stores nothing when its own code throws', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.query(INSERT, [1, 'stored'])
      tx.send(INSERT, [2, 'sent'])
      throw new Error('on second thoughts')
    })
    await expect(failing).rejects.toThrow('on second thoughts')
    expect(await notes()).toEqual([])
  })
})

it('a value that cannot be encoded fails only the statements of its own transaction', async () => {
  const circular: { self?: unknown } = {}
  circular.self = circular
  for (const value of [circular, { id: 1n }]) {
    await expect(database.query('SELECT $1::jsonb AS data', [value])).rejects.toThrow(TypeError)
    const failing = database.transaction(async (tx) => {
      tx.send(INSERT, [1, 'kept?'])
      tx.send(INSERT, [2, value])
    })
    await expect(failing).rejects.toThrow(TypeError)
    expect(await notes()).toEqual([])
  }
})

it('an empty statement has no rows', async () => {
  expect(await database.query('')).toEqual([])
  const rows = await database.transaction((tx) =>
    Promise.all([tx.query(' -- '), tx.query('SELECT 1 AS one')]),
  )
  expect(rows).toEqual([[], [{ one: 1 }]])
})

it('a row that cannot be decoded fails only the statements of its own transaction', async () => {
  const { MACADDR } = pg.types.builtins
  const usual = pg.types.getTypeParser(MACADDR)
  pg.types.setTypeParser(MACADDR, () => {
    throw new RangeError('unreadable')
  })
  const rows = "SELECT '08:00:2b:01:02:03'::macaddr FROM generate_series(1, 2)"
  await expect(database.query(rows)).rejects.toThrow('unreadable')
  const failing = database.transaction(async (tx) => {
    tx.send(INSERT, [1, 'kept?'])
    await tx.query(rows)
  })
  await expect(failing).rejects.toThrow('unreadable')
  pg.types.setTypeParser(MACADDR, usual)
  expect(await notes()).toEqual([])
})

describe('a prepared statement', () => {
  it('accepts other values each time, and returns the rows of its own columns', async () => {
    const echo = (value: unknown) =>
      database.query('SELECT $1::text AS text, $2::jsonb AS data, $3::timestamptz AS at', [
        ...[value, JSON.stringify({ value }), '2026-01-31T12:00:00Z'],
      ])
    for (let round = 0; round < 12; round++) {
      const at = new Date('2026-01-31T12:00:00Z')
      expect(await echo(`${round}`)).toEqual([{ text: `${round}`, data: { value: `${round}` }, at }])
      const rows = await database.query('SELECT $1::integer AS n, $2::text AS none', [round, null], prepared)
      expect(rows).toEqual([{ n: round, none: null }])
    }
  })

  it('that failed can be run again', async () => {
    const divide = (by: number) => database.query('SELECT 6 / $1::integer AS n', [by], prepared)
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    expect(await divide(2)).toEqual([{ n: 3 }])
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    expect(await divide(3)).toEqual([{ n: 2 }])
  })

  it('fails once when its columns change, and then returns the new columns', async () => {
    await database.script('CREATE TABLE shape (a integer); INSERT INTO shape VALUES (1)')
    const shapes = () => database.query('SELECT * FROM shape', [], prepared)
    for (let round = 0; round < 2; round++) expect(await shapes()).toEqual([{ a: 1 }])
    await database.script("ALTER TABLE shape ADD b text DEFAULT 'new'")
    await expect(shapes()).rejects.toMatchObject({ code: '0A000' })
    for (let round = 0; round < 2; round++) expect(await shapes()).toEqual([{ a: 1, b: 'new' }])
  })

  it('fails once when the connection has lost it', async () => {
    const one = () => database.query('SELECT 1 AS one', [], prepared)
    for (let round = 0; round < 2; round++) expect(await one()).toEqual([{ one: 1 }])
    const [own] = await database.query<{ name: string }>(
      "SELECT name FROM pg_prepared_statements WHERE statement = 'SELECT 1 AS one'",
    )
    await database.script(`DEALLOCATE "${own?.name}"`)
    await expect(one()).rejects.toMatchObject({ code: '26000' })
    for (let round = 0; round < 2; round++) expect(await one()).toEqual([{ one: 1 }])
  })
})

it.runIf(storeKind === 'postgres')('a broken connection fails only its own transaction', async () => {
  const broken = database.transaction(async (tx) => {
    await tx.query(INSERT, [1, 'lost'])
    const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await database.query('SELECT pg_terminate_backend($1)', [own?.pid])
    await tx.query('SELECT 1')
  })
  await expect(broken).rejects.toThrow()
  expect(await notes()).toEqual([])
})
