import { beforeEach, describe, expect, it } from 'vitest'
import { createMaintenance } from '../../src/runtime/database/pglite-maintenance.js'

const MIB = 1024 * 1024

/** A database that counts changes and log bytes, as PostgreSQL's statistics do. */
let tables: { name: string; changes: number; rows: number }[]
let written: number
let ran: string[]
let time: number
let maintenance: ReturnType<typeof createMaintenance>

beforeEach(() => {
  tables = []
  written = 0
  ran = []
  time = 1_000_000
  maintenance = createMaintenance(
    {
      async query(sql) {
        if (sql.includes('pg_current_wal_lsn')) return { rows: [{ lsn: String(written) }] }
        return { rows: [...tables].sort((a, b) => b.changes - a.changes) }
      },
      async exec(sql) {
        ran.push(sql)
        // A checkpoint writes its own record.
        if (sql === 'CHECKPOINT') written += 200
        for (const table of tables) if (sql.includes(`"${table.name}"`)) table.changes = 0
      },
    },
    () => time,
  )
})

const vacuum = (name: string) => `VACUUM (ANALYZE) foyer."${name}"`

/** A statement every `gap` ms changes a row of the table, and every 1.3 seconds it is time to tidy. */
async function load(seconds: number, gap: number, table: { changes: number }): Promise<void> {
  let tick = time + 1_300
  for (const until = time + seconds * 1_000; time < until; time += gap) {
    maintenance.asked()
    table.changes++
    if (time < tick) continue
    tick += 1_300
    await maintenance.tidy()
  }
}

describe('vacuuming', () => {
  it('a table is vacuumed in a pause once 1,000 rows and a fifth of the table have changed', async () => {
    const table = { name: 'event', changes: 2_000, rows: 5_000 }
    tables = [table]
    maintenance.asked()
    time += 51
    await maintenance.tidy()
    expect(ran).toEqual([])
    table.changes++
    await maintenance.tidy()
    expect(ran).toEqual([vacuum('event')])
  })

  it.each([
    [50, []],
    [51, [vacuum('event')]],
  ])('%i ms after the last statement, these statements run: %j', async (ms, runs) => {
    tables = [{ name: 'event', changes: 1_001, rows: 0 }]
    maintenance.asked()
    time += ms
    await maintenance.tidy()
    expect(ran).toEqual(runs)
  })

  it('a table waits under load until it has 20 times as many changes', async () => {
    const table = { name: 'event', changes: 20_000, rows: 0 }
    tables = [table]
    maintenance.asked()
    await maintenance.tidy()
    expect(ran).toEqual([])
    table.changes++
    await maintenance.tidy()
    expect(ran).toEqual([vacuum('event')])
  })

  it('a table is vacuumed twice in four minutes of 200 changes a second', async () => {
    const table = { name: 'event', changes: 0, rows: 0 }
    tables = [table]
    await load(240, 5, table)
    expect(ran).toEqual([vacuum('event'), vacuum('event')])
  })

  it('one table is vacuumed at a time, the one with the most changes first', async () => {
    tables = [
      { name: 'turn', changes: 3_000, rows: 0 },
      { name: 'event', changes: 4_000, rows: 0 },
      { name: 'rate', changes: 10, rows: 0 },
    ]
    for (let round = 0; round < 3; round++) await maintenance.tidy()
    expect(ran).toEqual([vacuum('event'), vacuum('turn')])
  })

  it('a table large enough to need more changes leaves its place to the next', async () => {
    tables = [
      { name: 'event', changes: 4_000, rows: 100_000 },
      { name: 'turn', changes: 3_000, rows: 0 },
    ]
    await maintenance.tidy()
    expect(ran).toEqual([vacuum('turn')])
  })
})

describe('a checkpoint', () => {
  it.each([
    ['does not run while nothing is written', 0, 60_000, 0],
    ['waits for 30 s while less than 16 MiB are written', MIB, 29_999, 0],
    ['runs after 30 s', 1, 30_000, 1],
    ['waits for 16 MiB within 30 s', 16 * MIB - 1, 1_000, 0],
    ['runs after 16 MiB', 16 * MIB, 1_000, 1],
  ])('%s', async (_, bytes, ms, times) => {
    written = bytes
    time += ms
    await maintenance.checkpoint()
    expect(ran).toEqual(Array.from({ length: times }, () => 'CHECKPOINT'))
  })

  it('counts the time from the last checkpoint', async () => {
    for (let round = 0; round < 4; round++) {
      written += 1
      time += 20_000
      await maintenance.checkpoint()
    }
    expect(ran).toEqual(['CHECKPOINT', 'CHECKPOINT'])
  })

  it('counts the bytes from the last checkpoint, and not those of its own', async () => {
    for (const bytes of [16 * MIB, MIB, 15 * MIB]) {
      written += bytes
      time += 1_000
      await maintenance.checkpoint()
      expect(ran).toHaveLength(bytes === 15 * MIB ? 2 : 1)
    }
    time += 60_000
    await maintenance.checkpoint()
    expect(ran).toHaveLength(2)
  })
})
