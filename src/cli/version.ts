// Reads the version of the package that holds a built file.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `built`: the folder of the built file. */
export const readVersion = (built: string): string =>
  (JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as { version: string }).version
