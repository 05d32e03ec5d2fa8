// Random schedules, and how one is written down.

import fc from 'fast-check'
import { command, profile } from './commands.ts'
import type { Schedule } from './run.ts'

const OPENS_A_TAB: ReadonlySet<string> = new Set(['new-tab', 'duplicate'])

/** `tabs`: whether the visitor opens more than one. */
export const schedules = (tabs: 'one' | 'several'): fc.Arbitrary<Schedule> =>
  fc.record({
    seed: fc.nat(2 ** 30),
    profile,
    commands: fc.array(tabs === 'several' ? command : command.filter(({ op }) => !OPENS_A_TAB.has(op)), {
      minLength: 60,
      maxLength: 200,
      size: 'max',
    }),
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
