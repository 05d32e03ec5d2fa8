// The runner by itself: what another party does in the very moment in which it waits for a claim or for a job.

import { expect, it } from 'vitest'
import { createRunner, type Runner, type Work } from '../../src/runtime/jobs/runner.ts'

/** Work whose claims and runs the test answers, one by one, in the order in which they were asked. */
function createByHand({ atOnce = 4, again = true } = {}) {
  const claims: { held: readonly string[]; answer(job?: string): void; fail(): void }[] = []
  const runs = new Map<string, { signal: AbortSignal; end(): void; fail(): void }>()
  const failures: string[] = []
  const work: Work<string> = {
    name: 'a test',
    atOnce,
    again,
    idOf: (job) => job,
    claim: (held) =>
      new Promise((answer, reject) =>
        claims.push({ held: [...held], answer, fail: () => reject(new Error('no')) }),
      ),
    run: (job, signal) =>
      new Promise((end, reject) => runs.set(job, { signal, end, fail: () => reject(new Error('no')) })),
  }
  const clock = { now: () => 0, after: () => () => {} } as never
  const runner: Runner<string> = createRunner(work, { clock, logFailure: (what) => failures.push(what) })
  return { runner, claims, runs, failures }
}
/** All that is due by now has happened. */
const rest = () => new Promise((resolve) => setTimeout(resolve))

it('a task between claims knows the job that was claimed while it waited', async () => {
  const { runner, claims, runs } = createByHand()
  runner.claimDue()
  await rest()
  const told: (readonly string[])[] = []
  const task = runner.betweenClaims(async (held) => void told.push(held))
  await rest()
  // The claim that was in progress takes a job, and finds no other.
  claims[0]?.answer('a')
  await rest()
  expect(told).toEqual([])
  claims[1]?.answer()
  await task
  expect(told).toEqual([['a']])
  expect([...runs.keys()]).toEqual(['a'])
})

it('a claim that is asked for during a task begins once the task has ended, also where the task fails', async () => {
  const { runner, claims } = createByHand()
  let fail: (error: Error) => void = () => {}
  const taking = new Promise<void>((_, reject) => {
    fail = reject
  })
  const task = runner.betweenClaims(() => taking)
  const failed = expect(task).rejects.toThrow('no')
  await rest()
  runner.claimDue()
  await rest()
  expect(claims).toEqual([])
  fail(new Error('no'))
  await failed
  await rest()
  expect(claims).toHaveLength(1)
})

it('a job under the same id runs once the one before has ended, and is waited for as well', async () => {
  const { runner, runs } = createByHand({ again: false })
  runner.start('a')
  await rest()
  const first = runs.get('a')
  let settled = false
  const waits = runner.settled('a').then(() => {
    settled = true
  })
  runner.start('a')
  await rest()
  expect(runs.get('a')).toBe(first)
  first?.end()
  await rest()
  expect(settled).toBe(false)
  expect(runs.get('a')).not.toBe(first)
  expect(await runner.betweenClaims(async (held) => [...held])).toEqual(['a'])
  runs.get('a')?.end()
  await waits
  expect(await runner.betweenClaims(async (held) => [...held])).toEqual([])
})

it('as many jobs run as may at once, those that were claimed elsewhere among them, and one more once one has ended', async () => {
  const { runner, claims, runs } = createByHand({ atOnce: 2 })
  runner.start('elsewhere')
  runner.claimDue()
  await rest()
  claims[0]?.answer('a')
  await rest()
  expect(claims).toHaveLength(1)
  runs.get('a')?.end()
  await rest()
  expect(claims.map(({ held }) => held)).toEqual([['elsewhere'], ['elsewhere']])
  claims[1]?.answer()
})

it.each([true, false])('the end of a job claims others if its kind says so: %s', async (again) => {
  const { runner, claims, runs } = createByHand({ again })
  for (const job of ['a', 'b']) {
    runner.start(job)
    await rest()
    runs.get(job)?.end()
    await rest()
    claims.at(-1)?.answer()
  }
  expect(claims).toHaveLength(again ? 2 : 0)
})

it('a claim that fails is logged, and jobs are claimed again with the next call, also after a second failure', async () => {
  const { runner, claims, failures } = createByHand()
  for (const tries of [1, 2, 3]) {
    runner.claimDue()
    await rest()
    expect(claims).toHaveLength(tries)
    claims.at(-1)?.fail()
    await rest()
    expect(failures).toHaveLength(tries)
  }
})

it('a runner that drains waits also for a job that is started meanwhile', async () => {
  const { runner, runs } = createByHand()
  runner.start('a')
  let drained = false
  const end = runner.drain().then(() => {
    drained = true
  })
  await rest()
  runner.start('b')
  await rest()
  runs.get('a')?.end()
  await rest()
  expect(drained).toBe(false)
  runs.get('b')?.end()
  await end
})

it('a job that fails is logged, and others are claimed all the same with the next call', async () => {
  const { runner, claims, runs, failures } = createByHand()
  runner.start('a')
  await rest()
  runs.get('a')?.fail()
  await rest()
  expect([failures, claims]).toEqual([['a test failed'], []])
  runner.claimDue()
  await rest()
  expect(claims[0]?.held).toEqual([])
})

it('a job that is claimed while the runner begins to drain is run to its end, and waited for', async () => {
  const { runner, claims, runs } = createByHand()
  runner.claimDue()
  await rest()
  let drained = false
  const end = runner.drain().then(() => {
    drained = true
  })
  claims[0]?.answer('late')
  await rest()
  expect([drained, runs.get('late')?.signal.aborted]).toEqual([false, false])
  runs.get('late')?.end()
  await end
  expect(claims).toHaveLength(1)
})

it('a job that is claimed while the runner stops is aborted from its first moment', async () => {
  const { runner, claims, runs } = createByHand()
  runner.claimDue()
  await rest()
  void runner.stop(1_000)
  claims[0]?.answer('late')
  await rest()
  expect(runs.get('late')?.signal.aborted).toBe(true)
  runs.get('late')?.end()
})
