// Whom a process takes for dead, and what it thinks of its clock, beat by beat: the database is a table of one row, the time is turned by hand.

import { expect, it } from 'vitest'
import { type Clock, sharedClock } from '../../src/runtime/clock.ts'
import type { Queries } from '../../src/runtime/database/index.ts'
import { createHeartbeat } from '../../src/runtime/jobs/index.ts'

async function createWorld() {
  const log: string[] = []
  /** The machine's time; how far it is ahead of the database's; how long the database takes. */
  const time = { now: 1_000_000, ahead: 0, answerMs: 0 }
  let former: Date | undefined
  let judged = 0
  let registered = 0
  const clock = sharedClock({ now: () => time.now, after: () => () => {} } satisfies Clock)
  const db: Queries = {
    async query<T>(sql: string) {
      if (sql.includes('DELETE')) {
        judged++
        return []
      }
      time.now += time.answerMs
      const seen = new Date(time.now - time.ahead)
      const row = { seen_at: seen, former: former ?? null, count: 2, strangers: 1 }
      former = seen
      return [row] as T[]
    },
  }
  const heartbeat = createHeartbeat({
    ...{ db, processId: 'one', build: 'build', deadAfterSeconds: 15, clock },
    log: (line) => log.push(line),
  })
  await heartbeat.start(false)
  return {
    time,
    clock,
    log,
    registered: () => registered,
    remove: () => {
      former = undefined
    },
    /** Beats so many seconds later. Resolves to whether others were judged. */
    async beat(seconds: number): Promise<boolean> {
      time.now += seconds * 1_000
      const before = judged
      expect(await heartbeat.beat(async () => void registered++)).toEqual({ count: 2, strangers: 1 })
      return judged > before
    },
  }
}

it('a process judges others once it has beaten in time for 15 s, anew after each late beat and each removal', async () => {
  const { beat, remove, registered, log } = await createWorld()
  const round = async () => [await beat(5), await beat(5), await beat(5), await beat(7.5)]
  expect(await round()).toEqual([false, false, true, true])
  for (const times of [1, 2]) {
    expect(await beat(7.6)).toBe(false)
    expect(await round()).toEqual([false, false, true, true])
    remove()
    expect(await beat(5)).toBe(false)
    expect(registered()).toBe(times)
    expect(await round()).toEqual([false, false, true, true])
    expect([registered(), log.length]).toEqual([times, times])
  }
})

it('a wrong clock is told once, and once more where it was right meanwhile', async () => {
  const { beat, time, log } = await createWorld()
  for (const times of [1, 2]) {
    for (const ahead of [6_000, 6_000, 7_000]) {
      time.ahead = ahead
      await beat(5)
    }
    expect(log).toHaveLength(times)
    time.ahead = 0
    await beat(5)
  }
})

it('each beat makes the clock sure, also where it corrects nothing, and one that was answered late does not', async () => {
  const { beat, time, clock } = await createWorld()
  time.ahead = 1_000
  await beat(5)
  expect(clock.ahead()).toBe(1_000)
  for (let beats = 0; beats < 5; beats++) {
    time.ahead = 1_000 + 50 * beats
    await beat(5)
    expect([clock.ahead(), clock.isSure()]).toEqual([1_000, true])
  }
  Object.assign(time, { ahead: 3_000, answerMs: 2_001 })
  for (let beats = 0; beats < 3; beats++) await beat(5)
  expect([clock.ahead(), clock.isSure()]).toEqual([1_000, false])
  time.answerMs = 2_000
  await beat(5)
  expect([clock.ahead(), clock.isSure()]).toEqual([2_000, true])
})
