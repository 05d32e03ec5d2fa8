// Keeps the connectors of the file of FOYER_CONNECTORS: looks at the file every few seconds while requests come, so that a
// chat is switched without a restart.

import { readFileSync, statSync } from 'node:fs'
import type { Log } from '../../api/index.ts'
import { type BffConnectors, readConnectors, SettingsError } from '../../bff/index.ts'
import type { Environment } from '../settings.ts'

const LOOK_MS = 2_000
const LARGEST_FILE = 2 ** 20

export type ConnectorsFileOptions = {
  path: string
  /** Holds the tokens that the file names by `tokenEnv`. */
  env: Environment
  now?: () => number
  log: Log
}

/**
 * Returns the function that says which connectors there are. Throws a SettingsError if the file cannot be used now; a later
 * version that cannot be used is logged, and the last good one stays.
 */
export function openConnectorsFile({
  path,
  env,
  now = Date.now,
  log,
}: ConnectorsFileOptions): () => BffConnectors {
  const read = createReader(path, env)
  let connectors = read()
  let lookedAt = now()
  let problem = ''

  function look(): void {
    try {
      const next = read()
      if (problem) log(`${path} can be used again`, 'info')
      problem = ''
      if (next === connectors || JSON.stringify(next) === JSON.stringify(connectors)) return
      connectors = next
      log(`the connectors of ${path} have changed: ${statesOf(next)}`, 'info')
    } catch (error) {
      const { message } = error as Error
      if (message !== problem) log(`${message} Until then the connectors stay as they were.`)
      problem = message
    }
  }
  return () => {
    if (now() - lookedAt >= LOOK_MS) {
      look()
      lookedAt = now()
    }
    return connectors
  }
}

const statesOf = (connectors: BffConnectors): string =>
  Object.entries(connectors)
    .map(([name, { enabled }]) => (enabled === false ? `${name} (off)` : name))
    .join(', ')
    .slice(0, 1_000)

/** Returns the function that reads the file, and parses it only where it, or a file of a token, holds other text: a thousand connectors take 50 ms. */
function createReader(path: string, env: Environment): () => BffConnectors {
  let last: { texts: ReadonlyMap<string, string>; connectors: BffConnectors } | undefined
  return () =>
    explained(path, () => {
      const { size } = statSync(path)
      if (size > LARGEST_FILE)
        throw new SettingsError(`The file has ${size} bytes. It may have ${LARGEST_FILE}.`)
      const { texts: known = new Map(), connectors } = last ?? {}
      if (connectors && [...known].every(([file, text]) => readFileSync(file, 'utf8') === text))
        return connectors
      const texts = new Map<string, string>()
      const read = (file: string) => {
        const text = readFileSync(file, 'utf8')
        texts.set(file, text)
        return text
      }
      last = { texts, connectors: readConnectors(read(path), { env, readFile: read }) }
      return last.connectors
    })
}

function explained<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SettingsError)
      throw new SettingsError(`${path} (FOYER_CONNECTORS): ${error.message}`)
    const { code = 'unknown error' } = error as { code?: string }
    throw new SettingsError(
      `The file ${path} of FOYER_CONNECTORS cannot be read (${code}). Correct the path or its permissions.`,
    )
  }
}
