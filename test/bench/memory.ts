// The first start in a process of its own: `memory.js <folder>`. Says what it took.

import { readFileSync } from 'node:fs'
import { createRuntime } from '../../src/runtime/index.ts'

export type FirstStart = { seconds: number; peak: number | undefined; idle: number }

const IDLE_AFTER_MS = 5_000
const [folder = ''] = process.argv.slice(2)

const runtime = await createRuntime({
  data: { folder },
  agent: { name: 'Bench', async *act() {} },
  connectors: [],
})
const seconds = process.uptime()
await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS))
const took: FirstStart = { seconds, peak: peak(), idle: process.memoryUsage().rss }
process.send?.(took)
await runtime.close()
process.exit(0)

/** The most memory that the process ever held, in bytes; only Linux says it. */
function peak(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}
