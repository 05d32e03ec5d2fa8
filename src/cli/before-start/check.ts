// Carries out `foyer-server check`: probes, before a start, what the server will need, and prints one line for each.

import { readSharedBffSettings, type SharedBffSettings } from '../../bff/index.ts'
import { readFolder } from '../arguments.ts'
import { type Environment, readSettings, type Settings } from '../settings.ts'
import { ownConnectors, readOwnBff } from '../start/own-bff.ts'
import { loadAgent, loadCarrier } from '../start/own-module.ts'
import { isExplained } from '../start-error.ts'
import { checkDatabase } from './database-probe.ts'
import { checkEmbeddings, checkModel } from './endpoint-probes.ts'
import { type Finding, notChecked, ok, problem } from './finding.ts'
import { checkProxy } from './proxy-probe.ts'
import { checkRedis } from './redis-probe.ts'

export const CHECK_HELP = `foyer-server check [folder] [--agent <module>] [--carrier <module>]

Probes what a start with the same arguments and environment needs: the settings, the modules that they name, the database,
the model, the embeddings, Redis, and the proxy, whose requests it receives at the server's port for a moment.
Stop the server first. The command changes nothing.
Prints one line for each, and exits with 1 if there is a problem.`

export type CheckOptions = {
  env: Environment
  /** The data folder. */
  folder: string
  /** The folder to answer from, if the command line names one. */
  documents: string | undefined
  /** The folder of the built files. */
  built: string
  print(text: string): void
}

/** Resolves to whether no probe found a problem. */
export async function check({ env, folder, documents, built, print }: CheckOptions): Promise<boolean> {
  let sound = true
  const say = (what: string, { kind, text }: Finding) => {
    sound &&= kind !== 'problem'
    print(`${kind.padEnd(11)}  ${what.padEnd(10)}  ${text}`)
  }
  const read = await readAll(env, folder, documents, built)
  say('settings', 'kind' in read ? read : ok('The settings can be used.'))
  const probes: readonly (readonly [string, (read: Read) => Promise<Finding>])[] = [
    ['database', ({ settings }) => checkDatabase(settings.data, settings.redisUrl !== undefined)],
    ['model', ({ settings }) => checkModel(settings)],
    ['embeddings', ({ settings }) => checkEmbeddings(settings)],
    ['redis', ({ settings }) => checkRedis(settings.redisUrl)],
    ['proxy', ({ settings, bff }) => checkProxy(proxyOptions(settings, bff))],
  ]
  for (const [what, probe] of probes)
    say(what, 'kind' in read ? notChecked('Correct the settings first.') : await probe(read))
  return sound
}

type Read = { settings: Settings; bff: SharedBffSettings }

/** Reads the settings, and loads the modules that they name, as a start does. */
async function readAll(
  env: Environment,
  folder: string,
  documents: string | undefined,
  built: string,
): Promise<Read | Finding> {
  try {
    const settings = readSettings(env, folder)
    readFolder(documents, built)
    // The demo brings its own connector.
    const own = settings.demo ? undefined : readOwnBff(env, undefined, () => {})
    if (own) ownConnectors(own)
    await loadAgent(settings.agent)
    if (settings.carrier) await loadCarrier(settings.carrier)
    return { settings, bff: own ?? readSharedBffSettings(env) }
  } catch (error) {
    if (isExplained(error)) return problem(error.message)
    throw error
  }
}

const proxyOptions = (
  { port, host, demo }: Settings,
  { publicOrigin: origin, trustedProxies: trusted }: SharedBffSettings,
) => ({ origin, port, host, trusted, demo })
