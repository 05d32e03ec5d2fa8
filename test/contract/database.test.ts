// What both drivers promise the stores, on the store the suite runs on.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Transaction } from '../../src/runtime/database/index.ts'
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
  it.skipIf(storeKind !== 'postgres')(
    'may stand still for 10 s, and leaves its connection as it was',
    async () => {
      const limit = async ({ query }: Pick<Transaction, 'query'>) =>
        (
          await query<{ limit: string }>(
            "SELECT current_setting('idle_in_transaction_session_timeout') AS limit",
          )
        )[0]?.limit
      const before = await limit(database)
      expect(before).not.toBe('10s')
      expect(await database.transaction(limit)).toBe('10s')
      for (let connection = 0; connection < 20; connection++) expect(await limit(database)).toBe(before)
    },
  )

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

  it('rejects with the failure of its commit, and stores nothing', async () => {
    await database.script('CREATE TABLE late (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED)')
    const failing = database.transaction(async (tx) => {
      tx.send(INSERT, [1, 'kept?'])
      tx.send('INSERT INTO late VALUES (1), (1)')
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await notes()).toEqual([])
  })

  it('rejects with the first failure, which its code has not waited for, and stores nothing', async () => {
    const failing = database.transaction(async (tx) => {
      tx.send(INSERT, [1, 'kept?'])
      void tx.query('SELECT 1 / 0')
      void tx.query('SELECT * FROM nowhere')
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(await notes()).toEqual([])
  })

  it('rolls back after the statements under way', async () => {
    const failing = database.transaction(async (tx) => {
      void tx.query('SELECT pg_sleep(0.1)')
      tx.send(INSERT, [1, 'kept?'])
      throw new Error('on second thoughts')
    })
    await expect(failing).rejects.toThrow('on second thoughts')
    expect(await notes()).toEqual([])
  })

  it.each([
    ['committed', async () => {}],
    ['rolled back', () => Promise.reject(new Error('no'))],
  ])('takes no statement once it is %s', async (_, end) => {
    let kept: Transaction | undefined
    await database
      .transaction(async (tx) => {
        kept = tx
        await tx.query('SELECT 1')
        return end()
      })
      .catch(() => {})
    await expect(async () => kept?.query(INSERT, [1, 'late'])).rejects.toThrow('ended')
    expect(() => kept?.send(INSERT, [1, 'late'])).toThrow('ended')
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

  it('that could not be encoded can be run again, in a transaction too', async () => {
    const length = (text: unknown) => database.query('SELECT length($1::text) AS n', [text], prepared)
    const circular: { self?: unknown } = {}
    circular.self = circular
    for (let round = 0; round < 2; round++) {
      await expect(length(circular)).rejects.toThrow(TypeError)
      expect(await length('two')).toEqual([{ n: 3 }])
      const failing = database.transaction(async (tx) => {
        tx.send(INSERT, [1, 'kept?'], prepared)
        tx.send(INSERT, [2, circular], prepared)
      })
      await expect(failing).rejects.toThrow(TypeError)
      expect(await notes()).toEqual([])
    }
  })

  it('has a name that no other process uses', async () => {
    const other = await newDatabase()
    try {
      const namesOf = async (one: Database) => {
        await one.query('SELECT 1 AS one', [], prepared)
        const rows = await one.query<{ name: string }>('SELECT name FROM pg_prepared_statements')
        return rows.map(({ name }) => name)
      }
      const names = [...(await namesOf(database)), ...(await namesOf(other))]
      expect(names.length).toBeGreaterThan(1)
      expect(new Set(names).size).toBe(names.length)
    } finally {
      await other.close()
    }
  })
})

describe('a stale prepared statement', () => {
  let table = ''
  let shapes = ''
  const OLD = [{ a: 1 }]
  const NEW = [{ a: 1, b: 'new' }]
  const alter = () => database.script(`ALTER TABLE ${table} ADD b text DEFAULT 'new'`)
  beforeEach(async () => {
    table = `shape_${randomUUID().slice(0, 8)}`
    shapes = `SELECT * FROM ${table}`
    await database.script(`CREATE TABLE ${table} (a integer); INSERT INTO ${table} VALUES (1)`)
    // Several connections, if there are several, have parsed it.
    const rows = await Promise.all(
      Array.from({ length: 3 }, () =>
        database.transaction(async (tx) => {
          await tx.query('SELECT pg_sleep(0.05)')
          return tx.query(shapes, [], prepared)
        }),
      ),
    )
    expect(rows).toEqual([OLD, OLD, OLD])
  })

  it('is parsed again when its columns have changed', async () => {
    await alter()
    for (let round = 0; round < 4; round++) expect(await database.query(shapes, [], prepared)).toEqual(NEW)
  })

  it('is parsed again when the connection has lost it', async () => {
    await database.script('DEALLOCATE ALL')
    for (let round = 0; round < 4; round++) expect(await database.query(shapes, [], prepared)).toEqual(OLD)
  })

  it('lets its transaction run once more, from the beginning, and store everything once', async () => {
    await alter()
    let runs = 0
    const seen = await database.transaction(async (tx) => {
      runs++
      tx.send(INSERT, [1, 'once'])
      const rows = await tx.query(shapes, [], prepared)
      tx.send(INSERT, [2, 'once'])
      return rows
    })
    expect(seen).toEqual(NEW)
    expect(runs).toBe(2)
    expect(await notes()).toEqual([
      { id: 1, text: 'once' },
      { id: 2, text: 'once' },
    ])
    await database.script('DELETE FROM slip')
  })

  it('fails its transaction when the code has read rows before, and none after that', async () => {
    await alter()
    let runs = 0
    const reading = () =>
      database.transaction(async (tx) => {
        runs++
        await tx.query('SELECT 1')
        tx.send(INSERT, [1, 'kept?'])
        return tx.query(shapes, [], prepared)
      })
    await expect(reading()).rejects.toMatchObject({ code: '0A000' })
    expect(runs).toBe(1)
    expect(await notes()).toEqual([])
    expect(await reading()).toEqual(NEW)
    await database.script('DELETE FROM slip')
  })

  it.runIf(storeKind === 'postgres')('ends its connection', async () => {
    const ours = async () =>
      (
        await database.query<{ pid: number }>(
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'foyer'",
        )
      ).map(({ pid }) => pid)
    const before = await ours()
    await alter()
    await database.query(shapes, [], prepared)
    await expect
      .poll(async () => {
        const now = await ours()
        return before.every((pid) => now.includes(pid))
      })
      .toBe(false)
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
