// The clock of the contract tests: what was taken back does not happen.

import { expect, it } from 'vitest'
import { handClock } from './clock.ts'

it.each(['pass', 'leap'] as const)(
  'a timer that was taken back does not fire as the clock goes on by a %s',
  async (how) => {
    const clock = handClock()
    const fired: string[] = []
    const stop = clock.after(20, () => fired.push('taken back'))
    clock.after(10, () => fired.push('kept'))
    stop()
    await clock[how](30)
    expect(fired).toEqual(['kept'])
  },
)

it.each(['pass', 'leap'] as const)(
  'a timer that another one takes back as it fires does not fire by a %s',
  async (how) => {
    const clock = handClock()
    const fired: string[] = []
    clock.after(10, () => {
      fired.push('first')
      stop()
    })
    const stop = clock.after(10, () => fired.push('taken back'))
    await clock[how](30)
    expect(fired).toEqual(['first'])
  },
)
