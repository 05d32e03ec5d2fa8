// A process on a machine whose clock is wrong: it goes by the database's time, by which all processes go.

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sharedClock } from '../../src/runtime/clock.ts'
import { type Database, systemClock } from '../../src/runtime/index.ts'
import { createHeartbeat, removeProcess } from '../../src/runtime/jobs/index.ts'
import { newDatabase } from './store.ts'
import { createWorld } from './world.ts'

/** More than a session may rest. */
const AHEAD_MS = 660_000
const SWEEP = /FROM foyer\.session WHERE family = /

let inner: Database
let aheadMs = AHEAD_MS
let sweeps = 0
type World = Awaited<ReturnType<typeof createWorld>>
let wrong: World
let right: World
const machine = { now: () => systemClock.now() + aheadMs, after: systemClock.after }
const clock = sharedClock(machine)
beforeAll(async () => {
  inner = await newDatabase()
  const database: Database = { ...inner, close: async () => {} }
  const counting: Database = {
    ...database,
    query(sql, ...rest) {
      if (SWEEP.test(sql)) sweeps++
      return inner.query(sql, ...rest)
    },
  }
  // The first takes the leases: it ends what rests, for both.
  wrong = await createWorld({
    data: { database: counting },
    clock,
    settings: { retentionDays: 1 },
  })
  while (sweeps === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  right = await createWorld({ data: { database }, clock: systemClock })
})
afterAll(async () => {
  await wrong?.close()
  await right?.close()
  await inner?.close()
})

async function sweepsPass(): Promise<void> {
  const from = sweeps
  while (sweeps < from + 3) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** A chat at the other process goes on while the clock is as wrong as `makeWrong` made it. */
async function goesOn(makeWrong = () => {}): Promise<void> {
  const { client, sessionId } = await right.joined({ streaming_enabled: false })
  makeWrong()
  await sweepsPass()
  expect(await inner.query('SELECT ended_at FROM foyer.conversation WHERE id = $1', [sessionId])).toEqual([
    { ended_at: null },
  ])
  client.say('still here')
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text === 'You said still here')
}

it('a process whose clock is wrong ends no chat of another process, and says so', async () => {
  await goesOn()
  const lines = wrong.log.filter((line) => line.includes('clock'))
  expect(lines).toEqual([
    expect.stringMatching(/^the clock of this machine is 6(59|60|61) s ahead of the database's/),
  ])
  expect(right.log.filter((line) => line.includes('clock'))).toEqual([])
})

it.each([AHEAD_MS, -AHEAD_MS])(
  'a process ends no chat when its clock is set by %d ms, before the database corrects it',
  (by) =>
    goesOn(() => {
      aheadMs += by
    }),
)

it('a process tells its time in whole milliseconds, and does not change it from beat to beat', async () => {
  const machine = { now: () => systemClock.now() + 7_000.5, after: systemClock.after }
  const clock = sharedClock(machine)
  const heartbeat = createHeartbeat({
    build: 'build',
    db: inner,
    processId: 'jittery',
    deadAfterSeconds: 15,
    clock,
  })
  await heartbeat.start(false)
  const ahead = clock.ahead()
  expect(Number.isInteger(ahead)).toBe(true)
  expect(ahead).toBeGreaterThan(6_000)
  for (let beat = 0; beat < 5; beat++) await heartbeat.beat(async () => {})
  expect(clock.ahead()).toBe(ahead)
  await removeProcess(inner, 'jittery')
})

it('a process whose clock is wrong dates what it stores by the database’s time', async () => {
  // The database corrects what another test has set.
  await vi.waitFor(() => expect(Math.abs(clock.ahead() - aheadMs)).toBeLessThan(AHEAD_MS / 2))
  const { client } = await wrong.joined({ streaming_enabled: false })
  client.say('when?')
  const echo = await client.event('EVENT_TYPE_USER_MESSAGE')
  expect(Math.abs(Date.parse(echo.timestamp) - Date.now())).toBeLessThan(AHEAD_MS / 2)
})

it('a process erases no conversation when its clock is set by three days, before the database corrects it', async () => {
  const { sessionId } = await right.joined({ streaming_enabled: false })
  expect(await right.runtime.expire(sessionId)).toBe(true)
  aheadMs += 3 * 86_400_000
  await sweepsPass()
  expect(await inner.query('SELECT id FROM foyer.conversation WHERE id = $1', [sessionId])).toHaveLength(1)
})
