#!/usr/bin/env node
// Runs BFF and runtime on one port: `npm start` with the demo's pages and identities, `foyer-server` with the settings
// of the environment.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBffSettings } from '../bff/index.ts'
import { isLoopback } from '../protocol/index.ts'
import type { AgentSettings } from './agent.ts'
import { HELP, readArguments, readFolder } from './arguments.ts'
import { isBeforeStart, runBeforeStart } from './before-start/index.ts'
import { createLog } from './monitoring/index.ts'
import { isOperator, operate } from './operator.ts'
import { type StopServer, startServer } from './server.ts'
import { readSettings } from './settings.ts'
import { printable, StartError } from './start-error.ts'
import { environmentFor } from './try-out.ts'

/** The folder of the built file, which also holds the files to serve. */
const built = fileURLToPath(new URL('.', import.meta.url))
/** The longest that a server takes to stop without draining. */
const STOP_MS = 7_000
/** Whether what goes wrong is printed as JSON. Commands are for people, and so are mistakes on the command line. */
let json = false

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const dataFolder = resolve('.foyer')
  if (isBeforeStart(args)) {
    const { log: print, error: log } = console
    process.exit(await runBeforeStart({ args, env: process.env, folder: dataFolder, built, print, log }))
  }
  if (isOperator(args)) return operate({ args, env: process.env, folder: dataFolder, print: console.log })
  const { help, version, showKeys, folder } = readArguments(args)
  if (help) return console.log(HELP)
  if (version) return console.log(readVersion())
  const env = environmentFor(process.env, folder)
  json = env.FOYER_LOG === 'json'
  const settings = readSettings(env, dataFolder)
  const { port, host, demo } = settings
  if (demo && env.FOYER_DEMO_BY === 'start' && host && !isLoopback(host))
    throw new StartError(
      `The demo has public keys, so it does not start on ${host}. Omit HOST, or set FOYER_DEMO=1 to start it there.`,
    )
  const guideFolder = readFolder(folder, built)
  const isOwnDocs = folder === undefined
  const log = createLog({ json: settings.jsonLog })
  // A start has nothing to finish. As the first process of a container it would not end without a listener.
  let stop: StopServer = async () => {}
  stopOnSignal((drainMs) => stop(drainMs), settings.drainSeconds * 1000)
  stop = await startServer({ env, settings, guideFolder, isOwnDocs, built, log })
  // startServer has validated the origin.
  const knownOrigin = env.FOYER_PUBLIC_ORIGIN && new URL(env.FOYER_PUBLIC_ORIGIN).origin
  const address = knownOrigin || `http://${host ?? 'localhost'}:${port}`
  // startServer has validated the settings of the BFF.
  const chatUrl = demo || settings.connectorsFile ? undefined : readBffSettings(env).chatUrl
  if (settings.jsonLog)
    return log(
      `Foyer is ready: ${address}. ${chatUrl ? `Its chats go to ${chatUrl}` : `It answers from ${guideFolder}`}`,
      'info',
    )
  const keys = showKeys && demo ? Object.entries((await import('../../demo/server/index.ts')).demoKeys) : []
  console.log(`
  Foyer is ready:  ${address}
${chatUrl ? `  Its chats go to: ${chatUrl}\n` : answering(guideFolder, settings.agent)}${demo ? `\n  On a page:       <script src="${knownOrigin || `http://127.0.0.1:${port}`}/foyer.js" async></script>\n` : ''}
  Stop it with Ctrl-C.
${keys.map(([name, value]) => `\n  ${name.padEnd(18)} ${value}`).join('')}`)
}

const answering = (folder: string, agent: AgentSettings): string => `  It answers from: ${folder}
${agent.name === 'guide' ? '  To use a model:  set FOYER_AGENT=llm, FOYER_LLM_URL and FOYER_LLM_MODEL (docs/language-models.md)' : `  With the model:  ${agent.model}`}
`

/** The version of the package that holds the built file. */
function readVersion(): string {
  return (JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as { version: string }).version
}

/**
 * SIGTERM drains first; the end of its time, at most half of it, is left for what still runs to be aborted and given back. SIGINT, which
 * Ctrl-C in a terminal sends, does not drain. A second signal ends the process at once.
 */
function stopOnSignal(stop: StopServer, mostDrainMs: number): void {
  let stopping = false
  const onSignal = (drainMs: number) => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), Math.max(STOP_MS, drainMs)).unref()
    stop(Math.max(drainMs / 2, drainMs - STOP_MS)).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', () => onSignal(0))
  process.on('SIGTERM', () => onSignal(mostDrainMs))
}

main().catch((error: unknown) => {
  const text = printable(error)
  if (json) createLog({ json })(text instanceof Error ? (text.stack ?? text.message) : String(text))
  else console.error(text)
  process.exit(1)
})
