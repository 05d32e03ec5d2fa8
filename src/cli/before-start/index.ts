// Runs the commands that come before a start: `foyer-server check` and `foyer-server move`.

import { readArguments } from '../arguments.ts'
import { environmentFor } from '../try-out.ts'
import { CHECK_HELP, check } from './check.ts'
import { MOVE_HELP, type MoveCommandOptions, move } from './move.ts'

export type BeforeStartOptions = MoveCommandOptions & {
  args: readonly string[]
  /** The folder of the built files. */
  built: string
}

/** Whether the arguments are one of these commands. */
export const isBeforeStart = ([name]: readonly string[]): boolean => name === 'check' || name === 'move'

/** Resolves to the exit code. */
export async function runBeforeStart({ args, env, built, ...options }: BeforeStartOptions): Promise<number> {
  const [name, ...rest] = args
  const given = readArguments(rest)
  const { help, folder: documents } = given
  if (name === 'check') {
    if (help) options.print(CHECK_HELP)
    else if (!(await check({ ...options, env: environmentFor(env, given), documents, built }))) return 1
  } else if (help || documents !== undefined) options.print(MOVE_HELP)
  else await move({ ...options, env })
  return 0
}
