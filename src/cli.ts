#!/usr/bin/env node
// BFF and runtime on one port. `npm start` runs it with the demo's pages and identities; `foyer-server` runs it
// with those of the environment.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
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
import { demoApiKeys, demoConnector, demoKeys, demoProject, servePages } from './demo-server.ts'
import { isLoopback } from './protocol/index.ts'
import { createRuntime, DataFolderError, type Runtime, type RuntimeOptions } from './runtime/index.ts'

const HELP = `foyer-server [folder] [--show-keys] [--help]

  folder        answer from the Markdown files of this folder (default: Foyer's own docs)
  --show-keys   print the identities of the demo

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
  if (args.includes('--help')) return console.log(HELP)
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--show-keys')
  if (unknown) throw new StartError(`There is no option ${unknown}. --help lists those there are.`)
  const demo = env.FOYER_DEMO === '1'
  const host = env.HOST || undefined
  if (demo && env.FOYER_DEMO_BY === 'start' && host && !isLoopback(host))
    throw new StartError(
      `The demo has public keys, so it is not started on ${host}. Leave HOST away, or set FOYER_DEMO=1 yourself if you mean it.`,
    )
  if (env.FOYER_AGENT && env.FOYER_AGENT !== 'guide')
    throw new StartError(`FOYER_AGENT is "${env.FOYER_AGENT}", and there is no such agent. There is: guide.`)
  const port = readPort(env.PORT)
  const guideFolder = readFolder(args.find((arg) => !arg.startsWith('--')))
  const dataFolder = resolve('.foyer')
  const data = readData(dataFolder)

  const server = createServer()
  await listen(server, port, host ?? '127.0.0.1')
  const twin = host === undefined ? await listenTwin(port) : undefined

  let runtime: Runtime
  try {
    runtime = await createRuntime({
      data,
      agent: 'guide',
      guideFolder,
      connectors: demo ? [demoConnector] : ownConnectors(),
      ...(demo && { projects: [demoProject], keys: demoApiKeys }),
      settings: {
        sessionIdleSeconds: readSeconds('FOYER_SESSION_IDLE', 600),
        heartbeatSeconds: readSeconds('FOYER_HEARTBEAT', 30),
        tokenTtlSeconds: readSeconds('FOYER_TOKEN_TTL', 86_400),
        textIdleSeconds: readSeconds('FOYER_TEXT_IDLE', 86_400),
        textGraceSeconds: readSeconds('FOYER_TEXT_GRACE', 600),
        callRetentionSeconds: readSeconds('FOYER_CALL_RETENTION', 7_200),
        callQueueSeconds: readSeconds('FOYER_CALL_QUEUE', 300),
        retentionDays: readSeconds('FOYER_RETENTION_DAYS', 90),
        maskCards: env.FOYER_MASK_CARDS !== 'off',
      },
      ...(env.FOYER_REGION && { region: env.FOYER_REGION }),
      ...(env.FOYER_HEADER_PREFIX && { headerPrefix: env.FOYER_HEADER_PREFIX }),
      log: (line) => console.error(line),
    })
  } catch (error) {
    server.close()
    twin?.close()
    throw error
  }
  const bff = createBff(bffOptions(demo, runtime, cookieSecrets(data, dataFolder)))
  const pages = demo ? servePages(join(here, '../demo'), runtime) : undefined

  const answer = async (request: Request, address: string): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname === '/foyer.js' || pathname.startsWith('/foyer/')) return bff.fetch(request, { address })
    return (await pages?.(request)) ?? runtime.fetch(request, { address })
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
    await runtime.close()
    server.closeAllConnections()
    twin?.closeAllConnections()
  })
  sayReady(port, host, demo, guideFolder, args.includes('--show-keys'))
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

function readData(folder: string): RuntimeOptions['data'] {
  const { FOYER_DATA, FOYER_DATABASE_URL } = process.env
  if (FOYER_DATABASE_URL) return { databaseUrl: FOYER_DATABASE_URL }
  return FOYER_DATA === 'memory' ? 'memory' : { folder }
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

function readPort(text: string | undefined): number {
  const port = Number(text ?? '4700')
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new StartError(`PORT is "${text}", which is no port. Use a number from 1 to 65535.`)
}

function readSeconds(name: string, otherwise: number): number {
  const text = process.env[name]
  if (!text) return otherwise
  const seconds = Number(text)
  if (Number.isFinite(seconds) && seconds >= 0) return seconds
  throw new StartError(`${name} is "${text}", which is no number of seconds.`)
}

function readFolder(given: string | undefined): string {
  if (given === undefined)
    return [join(here, 'docs'), resolve('docs')].find((folder) => existsSync(folder)) ?? 'docs'
  const folder = resolve(given)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new StartError(`There is no folder ${folder}. Name one that holds Markdown files.`)
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
  const known =
    error instanceof StartError || error instanceof SettingsError || error instanceof DataFolderError
  console.error(known ? error.message : error)
  process.exit(1)
})
