#!/usr/bin/env node
// BFF and runtime on one port. `npm start` runs it with the demo's pages and identities; `foyer-server` runs it
// with those of the environment.

import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import {
  type BffOptions,
  createBff,
  folderAssets,
  readBffSettings,
  readOrigins,
  readSecrets,
  SettingsError,
} from './bff/index.ts'
import { serveControl } from './control.ts'
import { demoApiKeys, demoConnector, demoKeys, demoProject, servePages } from './demo-server.ts'
import { isOperator, NOUN_HELP, operate, perform } from './operator.ts'
import { isLoopback } from './protocol/index.ts'
import {
  CommandError,
  createRuntime,
  createSimulatedCarrier,
  DataFolderError,
  type Embeddings,
  type EndpointOptions,
  endpointEmbeddings,
  type Runtime,
  type RuntimeOptions,
  systemClock,
} from './runtime/index.ts'
import { databaseProblem, readSettings } from './settings.ts'

const HELP = `foyer-server [folder] [--show-keys] [--help]

  folder        answer from the Markdown files of this folder (default: Foyer's own docs)
  --show-keys   print the identities of the demo

foyer-server <command> [--json] [--help]

${NOUN_HELP}

Settings come from the environment: PORT, HOST, FOYER_… (docs/settings.md).
Stop with Ctrl-C.`

const here = fileURLToPath(new URL('.', import.meta.url))
const STOP_MS = 7_000

/** Something the person who starts it has to change. Shown as one sentence. */
class StartError extends Error {
  override name = 'StartError'
}

async function main(): Promise<void> {
  const { env } = process
  const args = process.argv.slice(2)
  const dataFolder = resolve('.foyer')
  if (isOperator(args)) return operate({ args, env, folder: dataFolder, print: console.log })
  const { help, showKeys, folder } = readArguments(args)
  if (help) return console.log(HELP)
  const { host, port, demo, agent, data, runtime: settings, ...more } = readSettings(env, dataFolder)
  if (demo && env.FOYER_DEMO_BY === 'start' && host && !isLoopback(host))
    throw new StartError(
      `The demo has public keys, so it is not started on ${host}. Leave HOST away, or set FOYER_DEMO=1 yourself if you mean it.`,
    )
  const guideFolder = readFolder(folder)
  const embeddings = more.embeddings && (await openEmbeddings(more.embeddings))
  const log = (line: string) => console.error(line)

  const server = createServer()
  await listen(server, port, host ?? '127.0.0.1')
  const twin = host === undefined ? await listenTwin(port) : undefined

  const phones = demo ? createSimulatedCarrier({ clock: systemClock, uuid: randomUUID }) : undefined
  let runtime: Runtime
  try {
    runtime = await createRuntime({
      data,
      agent,
      guideFolder,
      connectors: demo ? [demoConnector] : ownConnectors(),
      ...(demo && { projects: [demoProject], keys: demoApiKeys }),
      ...(phones && { carrier: phones }),
      ...(embeddings && { embeddings }),
      settings,
      region: more.region,
      headerPrefix: more.headerPrefix,
      log,
    })
  } catch (error) {
    server.close()
    twin?.close()
    throw databaseProblem(data, error) ?? error
  }
  const closeControl =
    typeof data === 'object' && 'folder' in data ? await openControl(data.folder, runtime, log) : undefined
  const bff = createBff(bffOptions(demo, runtime, cookieSecrets(data, dataFolder)))
  const pages = phones && servePages(join(here, '../demo'), runtime, phones)

  const answer = async (request: Request, address: string): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname === '/foyer.js' || pathname.startsWith('/foyer/')) return bff.fetch(request, { address })
    return (await pages?.fetch(request)) ?? runtime.fetch(request, { address })
  }
  const listener = getRequestListener((request, { incoming }) =>
    answer(request, (incoming as IncomingMessage).socket.remoteAddress ?? 'unknown'),
  )
  for (const each of twin ? [server, twin] : [server]) {
    each.removeAllListeners('request')
    each.on('request', (request: IncomingMessage, response: ServerResponse) => {
      logAccess(request, response)
      void listener(request, response)
    })
    each.on('upgrade', runtime.upgrade)
  }
  stopOnSignal(async () => {
    server.close()
    twin?.close()
    pages?.close()
    await closeControl?.()
    await runtime.close()
    server.closeAllConnections()
    twin?.closeAllConnections()
  })
  sayReady(port, host, demo, guideFolder, showKeys)
}

function bffOptions(demo: boolean, runtime: Runtime, cookieSecrets: string[]): BffOptions {
  const { env } = process
  const assets = folderAssets(join(here, 'public'))
  const log = (line: string) => console.error(line)
  if (demo)
    return {
      connectorToken: demoConnector.token,
      connectorHost: demoConnector.host,
      origins: readOrigins(env, 'FOYER_ORIGINS'),
      unframedOrigins: readOrigins(env, 'FOYER_UNFRAMED_ORIGINS'),
      cookieSecrets,
      demo: true,
      expose: 'wire',
      assets,
      log,
      fetch: (input, init) => runtime.fetch(new Request(input, init), { address: 'bff' }),
    }
  const settings = readBffSettings(env)
  return {
    ...settings,
    cookieSecrets: settings.cookieSecrets.length > 0 ? settings.cookieSecrets : cookieSecrets,
    assets,
    log,
    ...(settings.chatUrl === undefined && {
      fetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) =>
        runtime.fetch(new Request(input, init), { address: 'bff' }),
    }),
  }
}

/** The runtime knows the connector that its own BFF uses. */
function ownConnectors(): RuntimeOptions['connectors'] {
  const { connectorToken, connectorHost } = readBffSettings(process.env)
  const account = { accountId: 'ws-own00001', projectId: 'PROJECT-own00001', environment: 'live' }
  return [{ id: 'CON-own00001', token: connectorToken, host: connectorHost, ...account }]
}

/** Answers the operator's commands. A server that cannot do so serves its visitors all the same. */
async function openControl(folder: string, runtime: Runtime, log: (line: string) => void) {
  try {
    return await serveControl({ folder, perform: (request) => perform(runtime.commands, request), log })
  } catch (error) {
    log(`Commands cannot reach this server, only the store of a stopped one: ${(error as Error).message}`)
    return undefined
  }
}

async function openEmbeddings(options: EndpointOptions): Promise<Embeddings> {
  try {
    return await endpointEmbeddings(options)
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
    throw new StartError(
      `The endpoint of FOYER_EMBEDDINGS_URL cannot be used (${cause?.code ?? cause?.message ?? message}). Correct FOYER_EMBEDDINGS_…, or leave them away.`,
    )
  }
}

/** Secrets of the environment, else one that is made once and kept beside the data. */
function cookieSecrets(data: RuntimeOptions['data'], folder: string): string[] {
  const given = readSecrets(process.env.FOYER_COOKIE_SECRET)
  if (given.length > 0) return given
  const made = randomBytes(32).toString('base64url')
  if (typeof data !== 'object' || !('folder' in data)) return [made]
  const path = join(folder, 'cookie-secret')
  if (!existsSync(path)) writeFileSync(path, made, { mode: 0o600 })
  return [readFileSync(path, 'utf8').trim()]
}

function readArguments(args: readonly string[]): { help: boolean; showKeys: boolean; folder?: string } {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' }, 'show-keys': { type: 'boolean' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  for (const token of tokens)
    if (token.kind === 'option' && token.name !== 'help' && token.name !== 'show-keys')
      throw new StartError(`There is no option ${token.rawName}. --help lists those there are.`)
  const [folder] = positionals
  return {
    help: values.help === true,
    showKeys: values['show-keys'] === true,
    ...(folder !== undefined && { folder }),
  }
}

function readFolder(given: string | undefined): string {
  if (given === undefined)
    return [join(here, 'docs'), resolve('docs')].find((folder) => existsSync(folder)) ?? 'docs'
  const folder = resolve(given)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new StartError(
      `There is no folder ${folder}. Name one that holds Markdown files, or a command of those that --help lists.`,
    )
  return folder
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        return reject(
          new StartError(
            `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start`,
          ),
        )
      if (error.code === 'EACCES')
        return reject(
          new StartError(
            `Port ${port} may not be used by this user. Choose one above 1023: PORT=4700 npm start`,
          ),
        )
      reject(
        new StartError(
          `The address ${host}:${port} cannot be used (${error.code}). Set HOST and PORT to one of this machine.`,
        ),
      )
    })
    server.listen(port, host, resolve)
  })
}

/** `localhost` may mean either loopback address; where the machine has the second, it answers too. */
async function listenTwin(port: number): Promise<Server | undefined> {
  const twin = createServer()
  try {
    await listen(twin, port, '::1')
    return twin
  } catch {
    return undefined
  }
}

/** What was asked, without queries and headers: those may hold secrets. */
function logAccess(request: IncomingMessage, response: ServerResponse): void {
  if (!process.env.FOYER_ACCESS_LOG) return
  const started = Date.now()
  const path = (request.url ?? '/').split('?')[0]
  response.on('finish', () =>
    console.error(`${request.method} ${path} ${response.statusCode} ${Date.now() - started} ms`),
  )
}

function sayReady(
  port: number,
  host: string | undefined,
  demo: boolean,
  folder: string,
  showKeys: boolean,
): void {
  const address = `http://${host ?? 'localhost'}:${port}`
  const keys = showKeys && demo ? Object.entries(demoKeys) : []
  console.log(`
  Foyer is ready:  ${address}
  It answers from: ${folder}
${demo ? `\n  On a page:       <script src="http://127.0.0.1:${port}/foyer.js" async></script>\n` : ''}
  Stop it with Ctrl-C.
${keys.map(([name, value]) => `\n  ${name.padEnd(18)} ${value}`).join('')}`)
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = () => {
    // Whoever asks twice does not want to wait.
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), STOP_MS).unref()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

main().catch((error: unknown) => {
  const known = [StartError, SettingsError, DataFolderError, CommandError].some(
    (kind) => error instanceof kind,
  )
  console.error(known ? (error as Error).message : error)
  process.exit(1)
})
