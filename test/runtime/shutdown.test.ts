// The end of a runtime: everything is stopped, once, and the database last.

import { expect, it } from 'vitest'
import { createShutdown, type ShutdownOptions } from '../../src/runtime/shutdown.ts'
import { type HandClock, handClock } from '../contract/clock.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Parts that record what is asked of them, and are done when a test says so. */
function parts() {
  const clock: HandClock = handClock()
  const asked: string[] = []
  const waiting = new Map<string, () => void>()
  const held = new Set<string>()
  const act = (name: string) => () => {
    asked.push(name)
    if (!held.has(name)) return Promise.resolve()
    return new Promise<void>((resolve) => waiting.set(name, resolve))
  }
  const part = (name: string) => ({
    drain: act(`${name} drains`),
    stop: act(`${name} stops`),
    close: act(`${name} closes`),
    settled: act(`${name} settles`),
    query: act(`${name} forgets the process`),
  })
  const names = ['calls', 'turns', 'messaging', 'sockets', 'embedder', 'indexer', 'queue', 'bus', 'database']
  const shutdown = createShutdown({
    ...Object.fromEntries(names.map((name) => [name, part(name)])),
    ...{ clock, processId: 'one', stopPeriodic: act('jobs stop') },
  } as unknown as ShutdownOptions)
  return {
    ...{ clock, asked, shutdown },
    hold(...each: string[]) {
      for (const name of each) held.add(name)
    },
    async done(name: string) {
      held.delete(name)
      waiting.get(name)?.()
      await settled()
    },
  }
}
const CLAIMERS = ['calls drains', 'turns drains', 'messaging drains']

it('everything that runs is stopped before the database is closed, however often that is asked', async () => {
  const { asked, shutdown, hold, done } = parts()
  const before = ['calls stops', 'turns stops', 'messaging stops', 'sockets stops', 'jobs stop']
  const after = ['embedder stops', 'indexer stops', 'queue settles', 'bus closes']
  hold(...before, ...after)
  const closing = [shutdown.close(), shutdown.close()]
  await settled()
  expect(asked.toSorted()).toEqual(before.toSorted())
  for (const [n, name] of [...before, ...after].entries()) {
    expect(asked).toHaveLength(n < before.length ? before.length : n + 1)
    await done(name)
  }
  await Promise.all([...closing, shutdown.close()])
  expect(asked.slice(before.length)).toEqual([...after, 'database forgets the process', 'database closes'])
})

it('jobs that begin while the sockets close are waited for too', async () => {
  const { asked, shutdown, hold, done } = parts()
  let drained = false
  hold('sockets drains')
  void shutdown.drain(60_000).then(() => {
    drained = true
  })
  await settled()
  expect(asked.toSorted()).toEqual([...CLAIMERS, 'sockets drains'].toSorted())
  hold('turns drains')
  await done('sockets drains')
  expect([asked.slice(4).toSorted(), drained]).toEqual([CLAIMERS.toSorted(), false])
  await done('turns drains')
  expect(drained).toBe(true)
})

it.each([...CLAIMERS, 'sockets drains'])(
  'a drain waits for what still runs until its time is over: %s',
  async (name) => {
    const { clock, shutdown, hold } = parts()
    let drained = false
    hold(name)
    void shutdown.drain(60_000).then(() => {
      drained = true
    })
    await clock.pass(59_999)
    await settled()
    expect(drained).toBe(false)
    await clock.pass(1)
    await settled()
    expect(drained).toBe(true)
  },
)
