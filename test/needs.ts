// Programs beside Node that a test needs, and where they are.

import { pathOf } from '../scripts/programs.mjs'

const missing = (process.env.FOYER_TEST_MISSING ?? '').split(',')

/** True where `npm test` found one of the programs missing and could not install it. It then skips the tests that need the program, and says so. */
export const lacks = (...programs: readonly string[]): boolean =>
  programs.some((program) => missing.includes(program))

/** The path of a program. Throws where it is not here. */
export function programOf(name: string): string {
  const path = pathOf(name)
  if (!path) throw new Error(`${name} is not here: \`npm test\`, run as root, installs it`)
  return path
}
