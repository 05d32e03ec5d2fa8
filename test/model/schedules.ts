// Random schedules, and how one is written down.

import fc from 'fast-check'
import { type Command, command, OPENS_A_TAB, profile } from './commands.ts'
import type { Schedule } from './run.ts'
import type { Profile } from './service.ts'

/** Commands that stand for what no real service, network or browser does. Of the mishaps, only a lost echo is real. */
const UNREAL: ReadonlySet<string> = new Set([
  ...['hostile', 'mangle', 'wild', 'cookie', 'storage', 'forget', 'status', 'clock', 'leave-sending'],
])
const isReal = ({ op, n }: Command): boolean => !UNREAL.has(op) && (op !== 'mishap' || n % 8 === 1)

/** `tabs`: whether the visitor opens more than one. `isRealistic`: with what a real service does alone. */
export const schedules = (tabs: 'one' | 'several', isRealistic = false): fc.Arbitrary<Schedule> =>
  fc.record({
    seed: fc.nat(2 ** 30),
    profile,
    commands: fc.array(
      command.filter(
        (each) => (tabs === 'several' || !OPENS_A_TAB.has(each.op)) && (!isRealistic || isReal(each)),
      ),
      { minLength: 60, maxLength: 200, size: 'max' },
    ),
  })

/** What the runtime is, in the words of the double. */
export const RUNTIME: Profile = {
  dedupe: true,
  metadata: true,
  idleSeconds: 600,
  heartbeatSeconds: 30,
  hasStatus: true,
  streaming: true,
  wholeReplay: true,
  batch: 1_000,
  batchDelay: 0,
  hasty: false,
  firstIndex: 1,
  named: true,
  shuffled: false,
}

/** What only the double can be told to do. */
const OF_THE_DOUBLE: ReadonlySet<string> = new Set([
  ...['say', 'say-two', 'say-cut', 'say-live', 'handoff', 'agent-ends', 'end-sending', 'mishap', 'forget'],
  ...['hostile', 'wild', 'clock', 'hide-all', 'type-elsewhere', 'status'],
])

/** More than a quarter of an hour: each second of it is work for the runtime. */
const isLong = (op: string, n: number): boolean =>
  (op === 'sleep' && n % 7 > 3) || (op === 'idle' && n % 4 > 0)

/** For the real runtime. */
export const onRuntime: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.nat(2 ** 30),
  profile: fc.constant(RUNTIME),
  commands: fc.array(
    command.filter(({ op, n }) => !OF_THE_DOUBLE.has(op) && !isLong(op, n)),
    { minLength: 80, maxLength: 110, size: 'max' },
  ),
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
