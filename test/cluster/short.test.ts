// Three processes on one PostgreSQL, a bus that loses, delays and doubles, and one process that is killed: nothing is lost, doubled or
// reordered, and every message is answered once.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { tell } from '../model/counts.ts'
import { openWorld, type World } from './world.ts'

const RATE = 50
const SECONDS = Number(process.env.FOYER_TEST_CLUSTER_SECONDS) || (isLong ? 60 : 30)
const PROCESSES = 3

let world: World
beforeAll(async () => {
  world = await openWorld({ processes: PROCESSES, visitors: 25, settings: { lossy: true } })
}, 300_000)
afterAll(() => world?.close())

const pass = (share: number) => new Promise((resolve) => setTimeout(resolve, SECONDS * share * 1_000))

it('three processes with a bad bus lose, double and reorder nothing while one of them is killed', {
  timeout: 600_000,
}, async () => {
  await world.spread()
  world.talk(RATE)
  await pass(0.4)
  const calm = world.takeDelays()
  const [victim] = world.processes
  expect(await victim?.stop('SIGKILL')).toBeNull()
  await pass(0.2)
  await victim?.start()
  await pass(0.4)
  const { apologies, ...verdict } = await world.settle()
  expect(verdict).toEqual({ lost: [], doubled: [], reordered: [], unanswered: [], anew: [] })
  // The verdict would have named a visitor who begins anew.
  world.people[0]?.visitor.chat.restart()
  await expect.poll(world.anew).toEqual([expect.stringMatching('visitor 0')])
  // What the visitors could say while a third of them was away.
  expect(world.said()).toBeGreaterThan(RATE * SECONDS * 0.8)
  const median = (sorted: readonly number[]) =>
    sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY
  // News that is not lost crosses at once, also on a busy machine; what is lost is found within seconds.
  expect(median(calm.second) - median(calm.own)).toBeLessThan(1_000)
  const dropped = world.processes.map((each) => each.dropped)
  expect(Math.min(...dropped)).toBeGreaterThan(0)
  expect(calm.second.at(-1)).toBeGreaterThan(100)
  tell(
    `${PROCESSES} processes, ${world.said()} messages in ${SECONDS} s, one kill -9, a bus that lost ${dropped.reduce((sum, each) => sum + each)} texts: 0 lost, 0 doubled, 0 reordered, each answered once (${apologies} by an apology, ${world.again()} sent again); echoed in ${median(calm.own).toFixed(0)} ms at the median, to a second device at another process ${median(calm.second).toFixed(0)} ms at the median, ${calm.second.at(-1)?.toFixed(0)} ms at most`,
  )
})
