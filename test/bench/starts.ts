// How long the embedded store takes from the start of the process until the runtime is there: the first time,
// later, and after the process was killed while it had written.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './rounds.ts'

export type Start = { name: string; seconds: number; budget: number }

const START = fileURLToPath(new URL('./start.js', import.meta.url))

/** The median of `times` starts of each kind, in new folders. */
export async function measureStarts(times: number, conversations: number): Promise<Start[]> {
  const runs: Start[][] = []
  for (let run = 0; run < times; run++) {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'))
    try {
      const first = await start(folder)
      await first.close()
      runs.push([
        { name: 'first start', seconds: first.seconds, budget: 6 },
        ...(await restarts(folder, conversations, '')),
      ])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return medians(runs)
}

/** The same in a folder that holds a great many conversations already. */
export const measureFullStarts = async (
  folder: string,
  times: number,
  conversations: number,
  what: string,
): Promise<Start[]> => {
  const runs: Start[][] = []
  for (let run = 0; run < times; run++) runs.push(await restarts(folder, conversations, `, ${what}`))
  return medians(runs)
}

async function restarts(folder: string, conversations: number, what: string): Promise<Start[]> {
  const later = await start(folder)
  await later.close()
  const writer = await start(folder, conversations)
  await writer.written
  await writer.kill()
  const after = await start(folder)
  await after.close()
  return [
    { name: `later start${what}`, seconds: later.seconds, budget: 2 },
    { name: `start after a kill${what}`, seconds: after.seconds, budget: 3 },
  ]
}

const medians = (runs: readonly Start[][]): Start[] =>
  (runs[0] ?? []).map((one, index) => ({
    ...one,
    seconds: median(runs.map((run) => run[index]?.seconds ?? 0)),
  }))

/** Seconds until a process of nothing but Node has ended, to tell how busy the machine is. */
export async function measureNode(): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await new Promise((resolve) => child.once('exit', resolve))
  return (performance.now() - begun) / 1000
}

async function start(folder: string, conversations = 0) {
  const begun = performance.now()
  const child = spawn(process.execPath, [START, folder, String(conversations)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = said(child, 'ready')
  const written = said(child, 'written')
  written.catch(() => {})
  await ready
  return {
    seconds: (performance.now() - begun) / 1000,
    written,
    async close() {
      child.stdin?.end()
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function said(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (part: Buffer) => {
      text += String(part)
      if (text.split('\n').includes(word)) resolve()
    })
    child.once('exit', (code, signal) =>
      reject(new Error(`the process ended (${code ?? signal}) before it said ${word}`)),
    )
  })
}
