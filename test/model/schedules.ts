// Random schedules, and how one is written down.

import fc from 'fast-check'
import { command, profile } from './commands.ts'
import type { Schedule } from './run.ts'

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.nat(2 ** 30),
  profile,
  commands: fc.array(command, { minLength: 60, maxLength: 200, size: 'max' }),
})

/** As it is kept: one line. */
export const written = ({ seed, profile, commands }: Schedule): string =>
  JSON.stringify({ seed, profile, commands: commands.map((each) => [each.op, each.tab, each.n, each.after]) })

export function read(text: string): Schedule {
  const { seed, profile, commands } = JSON.parse(text) as Omit<Schedule, 'commands'> & {
    commands: [string, number, number, number][]
  }
  return { seed, profile, commands: commands.map(([op, tab, n, after]) => ({ op, tab, n, after })) }
}
