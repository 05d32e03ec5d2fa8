// Knows the agent of each project and connector: the one of all, or what the operator's function returns, which is asked once for each.

import { hasFunctions, isObject, isText, misspelt } from '../../api/index.ts'
import { type Clock, inTime } from '../clock.ts'
import type { Agent, AgentFor, Served } from './agent.ts'

/** Connectors that a process serves at once. Beyond that the agent that was used longest ago is forgotten, and asked for again. */
const MOST_KEPT = 10_000
/** The visitor waits meanwhile. */
const LONGEST_MS = 30_000
const LATE = `the function did not answer within ${LONGEST_MS / 1_000} s`

export interface Agents {
  /** Rejects with an error that names whom it was asked for; the next call asks again. */
  of(served: Served): Promise<Agent>
  /** The agent, if this process knows it by now. */
  known(served: Served): Agent | undefined
}

/** What an agent has to be, in words. */
export const AGENT =
  "an agent: an object with a name, a function act, and answers, if any, 'ai' or 'automatic', silentSeconds a number above 0"

export const isAgent = (value: unknown): value is Agent =>
  hasFunctions('act')(value) &&
  isObject(value) &&
  isText(value.name) &&
  [undefined, 'ai', 'automatic'].includes(value.answers as undefined) &&
  (value.silentSeconds === undefined || Number(value.silentSeconds) > 0)

/** The misspelt field of an agent, in words. Its functions are its own affair. */
export const misspeltInAgent = (agent: Agent): string | undefined =>
  misspelt(Object.fromEntries(Object.entries(agent).filter(([, value]) => typeof value !== 'function')), [
    'name',
    'avatarUrl',
    'answers',
    'silentSeconds',
  ])

/** The payload fields that name an agent beside its messages. */
export const identityOf = (agent: Agent | undefined): Record<string, unknown> =>
  agent ? { agent_name: agent.name, ...(agent.avatarUrl && { avatar_url: agent.avatarUrl }) } : {}

export function createAgents(agent: Agent | AgentFor, clock: Clock): Agents {
  if (typeof agent !== 'function') return { of: async () => agent, known: () => agent }
  const ask = agent
  const kept = new Map<string, { asked: Promise<Agent>; agent?: Agent }>()

  async function askFor(served: Served): Promise<Agent> {
    try {
      // It may throw, or answer without a promise.
      const asked = new Promise<unknown>((resolve) => resolve(ask(served)))
      const answer = await inTime(clock, LONGEST_MS, asked, LATE)
      if (!isAgent(answer)) throw new Error(`what the function returned is not ${AGENT}`)
      const odd = misspeltInAgent(answer)
      if (odd !== undefined) throw new Error(`what the function returned has ${odd}`)
      return answer
    } catch (error) {
      const { projectId, connectorId, environment } = served
      const of = connectorId === undefined ? '' : `connector ${connectorId} of `
      throw new Error(
        `there is none for ${of}project ${projectId}, environment ${environment}: ${error instanceof Error ? error.message : 'unknown error'}`,
        { cause: error },
      )
    }
  }

  return {
    of(served) {
      const key = keyOf(served)
      const entry = kept.get(key) ?? { asked: askFor(served) }
      // What was used last stands last.
      if (!kept.delete(key))
        entry.asked.then(
          (answer) => Object.assign(entry, { agent: answer }),
          () => kept.get(key) === entry && kept.delete(key),
        )
      kept.set(key, entry)
      const [oldest] = kept.keys()
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
      return entry.asked
    },
    known: (served) => kept.get(keyOf(served))?.agent,
  }
}

const keyOf = ({ accountId, projectId, connectorId, environment }: Served): string =>
  JSON.stringify([accountId, projectId, connectorId, environment])
