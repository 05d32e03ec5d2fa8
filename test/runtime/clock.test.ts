// How far a machine's clock may be off before the operator is told, and for how long its time is believed. What is repeated, waited for and
// asked by a clock.

import { describe, expect, it } from 'vitest'
import { atMost, atMostEvery, every, sharedClock, sleep, wrongClock } from '../../src/runtime/clock.ts'
import { type HandClock, handClock } from '../contract/clock.ts'

/** Resolves once what has been settled is known to all who wait for it. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

it.each([
  [0, undefined],
  [5_000, undefined],
  [-5_000, undefined],
  [5_001, "5 s ahead of the database's"],
  [660_400, "660 s ahead of the database's"],
  [-61_000, "61 s behind the database's"],
])('of a clock that is %s ms ahead the operator is told: %s', (aheadMs, words) => {
  expect(wrongClock(aheadMs)).toBe(words)
})

it('a shared clock is sure of its time from a correction on, for as long as that is to be believed', () => {
  let machine = 1_000_000
  const clock = sharedClock({ now: () => machine, after: () => () => {} })
  expect(clock.isSure()).toBe(false)
  clock.correct(-250, 15_000)
  for (const [passed, isSure] of [
    [0, true],
    [15_000, true],
    [15_001, false],
    // A clock that was set, by however little it went back.
    [-1, false],
    [660_000, false],
  ] as const) {
    machine = 1_000_000 + passed
    expect([passed, clock.isSure()]).toEqual([passed, isSure])
    expect(clock.now()).toBe(machine + 250)
  }
  clock.correct(0, 20_000)
  expect([clock.isSure(), clock.now() - machine, clock.ahead()]).toEqual([true, 0, 0])
  machine += 20_000
  expect(clock.isSure()).toBe(true)
})

describe('who asks at most every so often', () => {
  const world = () => {
    const clock = handClock()
    const asked: { answer(text: string): void; fail(): void }[] = []
    const ask = atMostEvery(
      clock,
      5_000,
      () =>
        new Promise<string>((answer, reject) => {
          asked.push({ answer, fail: () => reject(new Error('away')) })
        }),
    )
    return { clock, asked, ask }
  }

  it('is answered together with others, and anew each time that the answer is that old', async () => {
    const { clock, asked, ask } = world()
    const both = [ask(), ask()]
    await clock.pass(4_999)
    both.push(ask())
    expect(asked).toHaveLength(1)
    asked[0]?.answer('first')
    expect(await Promise.all(both)).toEqual(['first', 'first', 'first'])
    await clock.pass(1)
    const later = ask()
    asked[1]?.answer('second')
    expect(await later).toBe('second')
    await clock.pass(4_999)
    expect(await ask()).toBe('second')
    await clock.pass(1)
    void ask()
    expect(asked).toHaveLength(3)
  })

  it('asks anew after a failure, and where the clock was set back', async () => {
    const { clock, asked, ask } = world()
    const first = ask()
    asked[0]?.fail()
    await expect(first).rejects.toThrow('away')
    await clock.pass(5_000)
    void ask()
    expect(asked).toHaveLength(2)
    await clock.leap(-5_000)
    void ask()
    expect(asked).toHaveLength(3)
  })
})

describe('what is repeated', () => {
  it('runs again so long after its end, however often, and also after a failure', async () => {
    const clock = handClock()
    const begun: number[] = []
    const ends: (() => void)[] = []
    const stop = every(clock, 7, () => {
      begun.push(clock.now() - 1_800_000_000_000)
      return new Promise((resolve) => {
        ends.push(resolve)
      })
    })
    const end = async () => {
      ends.at(-1)?.()
      await settled()
    }
    await clock.pass(6)
    expect(begun).toEqual([])
    await clock.pass(20)
    expect(begun).toEqual([7])
    await end()
    await clock.pass(7)
    await end()
    await clock.pass(7)
    expect(begun).toEqual([7, 33, 40])
    stop()
    await end()
    await clock.pass(100)
    expect(begun).toHaveLength(3)
  })

  it('does not run once it was stopped', async () => {
    const clock = handClock()
    let runs = 0
    const stop = every(clock, 7, async () => void runs++)
    await clock.pass(7)
    await settled()
    stop()
    await clock.pass(100)
    expect(runs).toBe(1)
  })
})

describe('a wait', () => {
  it.each([
    ['ends with its time', async (clock: HandClock) => clock.pass(10), 'ended'],
    ['ends when its signal aborts', async (_: HandClock, abort: AbortController) => abort.abort(), 'why'],
    [
      'ends with its time, and not again by its signal',
      async (clock: HandClock, abort: AbortController) => {
        await clock.pass(10)
        abort.abort()
      },
      'ended',
    ],
    ['goes on before its time', async (clock: HandClock) => clock.pass(9), 'waits'],
  ])('%s', async (_, act, expected) => {
    const clock = handClock()
    const abort = new AbortController()
    let state = 'waits'
    const waiting = sleep(clock, 10, abort.signal, 'why').then(
      () => {
        state = 'ended'
      },
      (error: Error) => {
        state = error.message
      },
    )
    await act(clock, abort)
    await settled()
    expect(state).toBe(expected)
    abort.abort()
    await clock.pass(10)
    await waiting
  })

  it('does not begin where its signal has aborted', async () => {
    await expect(sleep(handClock(), 10, AbortSignal.abort(), 'why')).rejects.toThrow('why')
  })

  it('for work ends with the work, and with its time at the latest', async () => {
    const clock = handClock()
    const ended: string[] = []
    let done = () => {}
    const work = new Promise<void>((resolve) => {
      done = resolve
    })
    for (const [name, ms] of [
      ['short', 10],
      ['long', 20],
    ] as const)
      void atMost(clock, ms, work).then(() => ended.push(name))
    await clock.pass(9)
    await settled()
    expect(ended).toEqual([])
    await clock.pass(1)
    await settled()
    expect(ended).toEqual(['short'])
    done()
    await settled()
    expect(ended).toEqual(['short', 'long'])
  })
})
