// The first start in a process of its own: `memory.js <runtime or pglite> <folder>`. Says what it took.

import { readFileSync } from 'node:fs'
export type FirstStart = { seconds: number; peak: number | undefined; idle: number }

const IDLE_AFTER_MS = 5_000
const [kind, folder = ''] = process.argv.slice(2)

// Each kind imports only what it runs: a runtime loads PGlite in its worker thread and nowhere else.
const store = kind === 'pglite' ? await openBare() : await openRuntime()
const seconds = process.uptime()
await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS))
const took: FirstStart = { seconds, peak: peak(), idle: process.memoryUsage().rss }
process.send?.(took)
await store.close()
process.exit(0)

async function openBare() {
  const [{ PGlite }, { vector }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite-pgvector'),
  ])
  return PGlite.create(folder, { extensions: { vector } })
}

async function openRuntime() {
  const { createRuntime } = await import('../../src/runtime/index.ts')
  return createRuntime({ data: { folder }, agent: { name: 'Bench', async *act() {} }, connectors: [] })
}

/** The most memory that the process ever held, in bytes; only Linux says it. */
function peak(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}
