// A live agent at the desk of a cluster: beats, takes, answers and leaves, each time at another process; now and then does not answer a visitor, or
// falls silent in the middle of everything.

import type { DeskEntry } from '../../src/runtime/index.ts'
import { DeskError } from '../../src/runtime/index.ts'
import type { Process } from './processes.ts'
import { DiedError, type RemoteDesk } from './remote-desk.ts'

const STEP_MS = 250
/** Odds of each step. */
const TAKES = 0.4
const LEAVES = 0.1
const FALLS_SILENT = 0.04
/** Odds that a live agent never answers what was taken, and that the conversation ends with the live agent's leaving. */
const FORGETS = 0.15
const ENDS = 0.5
/** Conversations that a live agent takes at the same time, as from several windows. */
const AT_ONCE = 2

export type LiveAgentOptions = {
  who: { id: string; name: string }
  processes: readonly Process[]
  /** Between 0 and 1. */
  random: () => number
  /** Gets each reading of the queue. */
  read: (entries: readonly DeskEntry[]) => void
  /** Resolves once a live agent who is silent has nothing any more. */
  lost: (id: string) => Promise<void>
}

export type LiveAgentCounts = { takes: number; refused: number; silences: number }

export type AtWork = { done: Promise<LiveAgentCounts>; stop(): void }

/** Starts to work. `done` resolves after `stop`, and rejects once something fails. */
export function startLiveAgent(options: LiveAgentOptions): AtWork {
  const { who, processes, random, read, lost } = options
  const counts = { takes: 0, refused: 0, silences: 0 }
  /** What this live agent has and never answers: the conversation and when it was taken. */
  const forgotten = new Map<string, boolean>()
  let working = true

  /** Asks a process by chance. Undefined: it died, and nobody knows what it has done. */
  async function anywhere<T>(act: (desk: RemoteDesk) => Promise<T>): Promise<T | undefined> {
    const desks = processes.flatMap(({ desk }) => desk ?? [])
    const desk = desks[Math.floor(random() * desks.length)]
    return desk && act(desk).catch(unlessDied)
  }

  async function take({ id }: DeskEntry): Promise<void> {
    const taken = await anywhere((desk) => desk.take(id, who)).catch((error: unknown) => {
      if (!(error instanceof DeskError && error.code === 'full')) throw error
      counts.refused++
    })
    if (taken) counts.takes++
  }

  async function serve({ id, takenAt, last }: DeskEntry): Promise<void> {
    const tenure = `${id} ${takenAt}`
    if (!forgotten.has(tenure)) forgotten.set(tenure, random() < FORGETS)
    if (forgotten.get(tenure)) return
    if (last?.agent?.id !== who.id) await anywhere((desk) => desk.answer(id, who.id, answerOf(who.id, id)))
    else if (random() < LEAVES) await anywhere((desk) => desk.leave(id, who.id, random() < ENDS))
  }

  async function step(): Promise<void> {
    await anywhere((desk) => desk.beat(who))
    const entries = await anywhere((desk) => desk.entries())
    if (!entries) return
    read(entries)
    const own = entries.filter(({ agent }) => agent?.id === who.id)
    await Promise.all(own.map(serve))
    const waiting = entries.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE)
    if (random() < TAKES) await Promise.all(waiting.map(take))
    if (own.length === 0 || random() >= FALLS_SILENT) return
    counts.silences++
    await lost(who.id)
  }

  async function work(): Promise<LiveAgentCounts> {
    while (working) {
      await step()
      await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    }
    return counts
  }
  const done = work()
  // Who awaits `done` learns of it, perhaps later.
  done.catch(() => {})
  return {
    done,
    stop() {
      working = false
    },
  }
}

/** What a live agent says to a visitor, and to no other. */
export const answerOf = (agentId: string, sessionId: string): string => `${agentId} answers ${sessionId}`

function unlessDied(error: unknown): undefined {
  if (!(error instanceof DiedError)) throw error
}
