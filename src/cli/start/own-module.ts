// Loads the agent and the carrier of the operator's own from the modules that FOYER_AGENT and FOYER_CARRIER name.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isObject } from '../../api/index.ts'
import {
  AGENT,
  type AgentFor,
  type Carrier,
  isAgent,
  isCarrier,
  misspeltInAgent,
  misspeltInCarrier,
} from '../../runtime/index.ts'
import type { AgentSettings } from '../agent-settings.ts'
import { StartError } from '../start-error.ts'
import { placeOfSyntaxError } from './syntax-error.ts'

const LONGEST_MS = 30_000
/** Characters of a cause that are repeated. */
const MOST_SHOWN = 500

/** Settings whose agent needs no loading. */
export type LoadedAgent = Exclude<AgentSettings, { name: 'module' }>

/** A path is relative to the working folder, absolute, or a file URL. Rejects with a StartError. */
export async function loadAgent(settings: AgentSettings): Promise<LoadedAgent> {
  if (settings.name !== 'module') return settings
  const { path } = settings
  const agent = await defaultExport(path, "export default { name: 'Echo', async *act(turn) { … } }")
  // Whom the function answers for is known only once somebody asks.
  if (typeof agent === 'function') return { name: 'own', agent: agent as AgentFor, path }
  if (isAgent(agent)) {
    refuseMisspelt(path, misspeltInAgent(agent))
    return { name: 'own', agent, path }
  }
  throw new StartError(
    `The default export of ${path} is not ${AGENT}; or a function that returns one. Correct the file.`,
  )
}

/** Paths and errors are those of `loadAgent`. */
export async function loadCarrier(path: string): Promise<Carrier> {
  const carrier = await defaultExport(path, 'export default { async send(message) { … } }')
  if (isCarrier(carrier)) {
    refuseMisspelt(path, misspeltInCarrier(carrier))
    return carrier
  }
  throw new StartError(
    `The default export of ${path} is not a carrier: an object with a function send, a function call, or both, and connect. Correct the file.`,
  )
}

function refuseMisspelt(path: string, odd: string | undefined): void {
  if (odd !== undefined) throw new StartError(`The default export of ${path} has ${odd} Correct the file.`)
}

/** `example`: the line that a module without a default export lacks. */
async function defaultExport(path: string, example: string): Promise<unknown> {
  const file = fileOf(path)
  if (file === undefined || !existsSync(file))
    throw new StartError(`There is no file ${path}. Correct the path, which begins at the working folder.`)
  try {
    const exported: unknown = await inTime(path, import(pathToFileURL(file).href))
    if (isObject(exported) && 'default' in exported) {
      const { default: value } = exported
      // An ES module that was compiled to CommonJS.
      const isCompiled = isObject(value) && value.__esModule === true
      return await inTime(path, Promise.resolve(isCompiled ? value.default : value))
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    const cannot = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_UNKNOWN_FILE_EXTENSION'
    throw new StartError(
      cannot && /\.[cm]?ts$/.test(path)
        ? `Node ${process.versions.node} cannot load ${path}. Use Node 22.18 or newer, which loads TypeScript, or compile the file to JavaScript.`
        : `${path} threw while loading: ${causeOf(error)}${placeOfSyntaxError(error, file)}`,
    )
  }
  throw new StartError(`${path} has no default export. Add it, such as: ${example}`)
}

function fileOf(path: string): string | undefined {
  if (!path.startsWith('file:')) return resolve(path)
  try {
    return fileURLToPath(path)
  } catch {
    return undefined
  }
}

function inTime<T>(path: string, loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // It also keeps the process alive: what never settles would end it without a word.
    const timer = setTimeout(
      () =>
        reject(new StartError(`${path} was not loaded within ${LONGEST_MS / 1000} s. Let it load faster.`)),
      LONGEST_MS,
    )
    loading.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** The first line of what was thrown. */
function causeOf(error: unknown): string {
  const text =
    error instanceof Error ? error.message || error.name : isObject(error) ? 'an object' : String(error)
  return text.split('\n', 1).join().slice(0, MOST_SHOWN)
}
