#!/usr/bin/env node
// Runs BFF and runtime on one port: `npm start` with the demo's pages and identities, `foyer-server` with the settings
// of the environment.

import { join, resolve } from 'node:path'
import type { Log } from '../api/index.ts'
import type { AgentSettings } from './agent-settings.ts'
import { HELP, readArguments } from './arguments.ts'
import { isBeforeStart, runBeforeStart } from './before-start/index.ts'
import { isDocsBuild, runDocsBuild } from './docs-build.ts'
import { createLog } from './monitoring/index.ts'
import { isOperator, operate } from './operator.ts'
import { BUILT, type OpenServer, openServer } from './start/open-server.ts'
import { printable } from './start-error.ts'
import { environmentFor } from './try-out.ts'
import { readVersion } from './version.ts'

/** The longest that a server takes to stop without draining. */
const STOP_MS = 7_000
/** Whether what goes wrong is printed as JSON. Commands are for people, and so are mistakes on the command line. */
let json = false

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const dataFolder = resolve('.foyer')
  if (isBeforeStart(args)) {
    const { log: print, error: log } = console
    process.exit(
      await runBeforeStart({ args, env: process.env, folder: dataFolder, built: BUILT, print, log }),
    )
  }
  if (isDocsBuild(args)) {
    const { log: print, error: log } = console
    process.exitCode = await runDocsBuild({ args: args.slice(2), assets: join(BUILT, 'site'), print, log })
    return
  }
  if (isOperator(args)) return operate({ args, env: process.env, folder: dataFolder, print: console.log })
  const given = readArguments(args)
  const { help, version, showKeys, folder } = given
  if (help) return console.log(HELP)
  if (version) return console.log(readVersion(BUILT))
  const env = environmentFor(process.env, given)
  json = env.FOYER_LOG === 'json'
  const log = createLog({ json })
  // A start has nothing to finish. As the first process of a container it would not end without a listener.
  let server: OpenServer | undefined
  stopOnSignal(() => server, log)
  server = await openServer({ env, log, ...(folder !== undefined && { documents: folder }) })
  const { origin, documents, chatUrl, settings } = server
  if (json)
    return log(
      `Foyer is ready: ${origin}. ${chatUrl ? `Its chats go to ${chatUrl}` : `It answers ${source(documents, settings.agent)}`}`,
      'info',
    )
  const { demo, port } = settings
  const keys = showKeys && demo ? Object.entries((await import('../../demo/server/index.ts')).demoKeys) : []
  console.log(`
  Foyer is ready:  ${origin}
${chatUrl ? `  Its chats go to: ${chatUrl}\n` : answering(documents, settings.agent)}${demo ? `\n  On a page:       <script src="${env.FOYER_PUBLIC_ORIGIN ? origin : `http://127.0.0.1:${port}`}/foyer.js" async></script>\n` : ''}
  Stop it with Ctrl-C.
${keys.map(([name, value]) => `\n  ${name.padEnd(18)} ${value}`).join('')}`)
}

/** The agent of the operator's that answers; undefined: the documents do. */
const answerer = (agent: AgentSettings): string | undefined =>
  agent.name === 'own' ? agent.path : agent.name === 'address' ? new URL(agent.url).host : undefined
function source(folder: string, agent: AgentSettings): string {
  const name = answerer(agent)
  return name === undefined ? `from ${folder}` : `with ${name}`
}
function answering(folder: string, agent: AgentSettings): string {
  const name = answerer(agent)
  if (name !== undefined) return `  It answers with: ${name}\n`
  return `  It answers from: ${folder}
${agent.name !== 'llm' ? '  To use a model:  set FOYER_AGENT=llm, FOYER_LLM_URL and FOYER_LLM_MODEL (docs/language-models.md)' : `  With the model:  ${agent.model}`}
`
}

/**
 * SIGTERM drains first; the end of its time, at most half of it, is left for what still runs to be aborted and given back. SIGINT, which
 * Ctrl-C in a terminal sends, does not drain. A second signal ends the process at once.
 */
function stopOnSignal(started: () => OpenServer | undefined, log: Log): void {
  let stopping = false
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => {
    if (stopping) {
      log(`Stopped at once, by a second ${signal}`, 'warn')
      process.exit(1)
    }
    stopping = true
    const began = performance.now()
    const seconds = () => ((performance.now() - began) / 1000).toFixed(1)
    const server = started()
    const drainMs = signal === 'SIGTERM' && server ? server.settings.drainSeconds * 1000 : 0
    const mostMs = Math.max(STOP_MS, drainMs)
    log(`Stopping on ${signal}, within ${mostMs / 1000} s`, 'info')
    setTimeout(() => {
      log(`Stopped at once: after ${seconds()} s something still ran`)
      process.exit(1)
    }, mostMs).unref()
    Promise.resolve(server?.close(Math.max(drainMs / 2, drainMs - STOP_MS))).then(
      () => {
        log(`Stopped after ${seconds()} s`, 'info')
        process.exit(0)
      },
      (error: unknown) => {
        log(
          `The stop failed after ${seconds()} s: ${error instanceof Error ? error.message : 'unknown error'}`,
        )
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

main().catch((error: unknown) => {
  const text = printable(error)
  if (json) createLog({ json })(text instanceof Error ? (text.stack ?? text.message) : String(text))
  else console.error(text)
  process.exit(1)
})
