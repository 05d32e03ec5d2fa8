// Sweeps run in one process, however many there are.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/runtime/index.ts'
import { createHeartbeat, createLeases, removeProcess } from '../../src/runtime/jobs/index.ts'
import { handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld } from './world.ts'

const NAMES = ['dusting', 'weeding'] as const
let database: Database

beforeEach(async () => {
  database = await newDatabase()
})
afterEach(() => database.close())

/** The same database, and what was asked of it. */
function counted() {
  const statements: string[] = []
  const own: Database = {
    ...database,
    query(sql, params) {
      statements.push(sql)
      return database.query(sql, params)
    },
    transaction: (run) =>
      database.transaction((tx) =>
        run({
          ...tx,
          query(sql, params) {
            statements.push(sql)
            return tx.query(sql, params)
          },
        }),
      ),
    close: async () => {},
  }
  return { database: own, statements }
}

async function newProcess(processId: string) {
  const clock = handClock()
  const { database: db, statements } = counted()
  const log: string[] = []
  const say = (line: string) => log.push(line)
  const heartbeat = createHeartbeat({
    log: say,
    db,
    processId,
    build: 'build',
    deadAfterSeconds: 15,
    clock,
  })
  await heartbeat.start(false)
  const leases = createLeases({ db, processId, names: NAMES, clock, log: say })
  statements.length = 0
  return {
    clock,
    statements,
    log,
    leases,
    beat: () => heartbeat.beat(async () => {}),
    async holdsAfter(ms: number) {
      await clock.pass(ms)
      return [await leases.holds('dusting'), await leases.holds('weeding')]
    },
  }
}

describe('a lease', () => {
  it('is held by one process, and by the same one each time', async () => {
    const processes = [await newProcess('one'), await newProcess('two'), await newProcess('three')]
    const held = () => Promise.all(processes.map(({ holdsAfter }) => holdsAfter(1_000)))
    const first = await held()
    expect(first.flat().filter((holds) => holds)).toHaveLength(NAMES.length)
    for (let round = 0; round < 5; round++) expect(await held()).toEqual(first)
  })

  it('costs one statement a second, however many leases there are and however often a process asks', async () => {
    const { holdsAfter, statements } = await newProcess('one')
    for (let second = 1; second <= 3; second++) {
      expect(await holdsAfter(1_000)).toEqual([true, true])
      expect(await holdsAfter(0)).toEqual([true, true])
      expect(statements).toHaveLength(second)
    }
  })

  it('that its process holds already is not written again', async () => {
    const { holdsAfter } = await newProcess('one')
    const row = () => database.query('SELECT name, xmin::text, ctid::text FROM foyer.lease ORDER BY name')
    await holdsAfter(1_000)
    const written = await row()
    await holdsAfter(1_000)
    expect(await row()).toEqual(written)
  })

  it('passes to another process once its holder is silent for 15 seconds, and the holder does not get it back', async () => {
    const [paused, other] = [await newProcess('paused'), await newProcess('other')]
    expect(await paused.holdsAfter(1_000)).toEqual([true, true])
    await other.clock.pass(1_000)
    for (let passed = 5_000; passed <= 15_000; passed += 5_000) {
      expect(await other.holdsAfter(5_000)).toEqual([false, false])
      await other.beat()
    }
    expect(await other.holdsAfter(1_000)).toEqual([true, true])
    expect(await paused.holdsAfter(22_000)).toEqual([false, false])
    await paused.beat()
    expect(await paused.holdsAfter(5_000)).toEqual([false, false])
    expect(await other.holdsAfter(1_000)).toEqual([true, true])
    expect(other.log).toEqual([
      'process paused was silent for 15 s and counts as dead: its work goes to others',
      'this process runs “dusting” for all from now on',
      'this process runs “weeding” for all from now on',
    ])
    expect(paused.log).toEqual([
      'process paused was silent for too long and counted as dead: its sockets are registered again',
    ])
  })

  it('is not taken by a process that is not in the list of processes', async () => {
    const { holdsAfter } = await newProcess('one')
    await removeProcess(database, 'one')
    expect(await holdsAfter(1_000)).toEqual([false, false])
  })

  it('passes to another process at once when its holder stops, which takes none from then on', async () => {
    const [stopping, other] = [await newProcess('stopping'), await newProcess('other')]
    expect(await stopping.holdsAfter(1_000)).toEqual([true, true])
    await stopping.leases.stop()
    expect(await stopping.holdsAfter(1_000)).toEqual([false, false])
    expect(await other.holdsAfter(1_000)).toEqual([true, true])
  })

  it('is not given to a process that was asking while it stopped', async () => {
    const { leases, holdsAfter } = await newProcess('stopping')
    const [asked] = await Promise.all([leases.holds('dusting'), leases.stop()])
    expect(asked).toBe(false)
    expect(await database.query('SELECT name FROM foyer.lease')).toEqual([])
    expect(await holdsAfter(1_000)).toEqual([false, false])
  })

  it('that could not be asked for is asked for again a second later', async () => {
    const { leases, clock } = await newProcess('one')
    await database.script('ALTER TABLE foyer.lease RENAME TO lost')
    await expect(leases.holds('dusting')).rejects.toThrow()
    await database.script('ALTER TABLE foyer.lost RENAME TO lease')
    await clock.pass(1_000)
    expect(await leases.holds('dusting')).toBe(true)
  })
})

const SWEEPS = [
  ['idle sessions', /SELECT id FROM foyer\.session WHERE family = /],
  ['waits in the handoff queue', /queued_at <= /],
  ['rates that are over', /DELETE FROM foyer\.rate/],
  ['conversations past their retention', /ended_at < .* LIMIT/s],
  ['calls that waited too long', /foyer\.call WHERE status = 'queued' AND created_at <= /],
  ['calls that ended long ago', /DELETE FROM foyer\.call/],
] as const

it('of two runtimes one sweeps, and the other goes on when it stops', async () => {
  const clocks = [handClock(), handClock()] as const
  const stores = [counted(), counted()] as const
  const open = (n: 0 | 1) => createWorld({ data: { database: stores[n].database }, clock: clocks[n] })
  const worlds = [await open(0), await open(1)] as const
  try {
    const endedLongAgo = () =>
      database.query(
        `INSERT INTO foyer.call (sid, account_id, project_id, connector_id, environment, to_number, metadata, encryption, status, created_at, ended_at)
         VALUES ('OUT-1', 'ws-1', 'PROJECT-1', 'CON-1', 'live', '+15550000001', '{}', 'none', 'success', '2020-01-01', '2020-01-01')`,
      )
    const waits = async (world: (typeof worlds)[number]) => {
      const { client } = await world.chat([], { open: true })
      client.say('desk')
      await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
    }
    const sweepsOf = ({ statements }: { statements: string[] }) =>
      SWEEPS.filter(([, sql]) => statements.some((one) => sql.test(one))).map(([name]) => name)
    const all = SWEEPS.map(([name]) => name)
    await clocks[0].leap(1_000)
    await endedLongAgo()
    await waits(worlds[0])
    // The one without leases first: it finds what there is to sweep.
    for (const n of [1, 0] as const) await clocks[n].leap(300_000)
    expect([sweepsOf(stores[0]), sweepsOf(stores[1])]).toEqual([all, []])
    await worlds[0].close()
    await endedLongAgo()
    await waits(worlds[1])
    await clocks[1].leap(300_000)
    expect(sweepsOf(stores[1])).toEqual(all)
  } finally {
    for (const world of worlds) await world.close()
  }
})
