// Writes the request for one run: the conversation, the state, and what is known of the visitor.

import type { Message, ResumeEntry, RunAgentInput } from '@ag-ui/core'
import type { Turn } from '../../runtime/index.ts'
import type { Pending } from './interrupts.ts'
import { HANDOFF_TOOL } from './run.ts'

/**
 * What the agent keeps of a conversation: the state of the thread, its identifiers of the messages that answer each turn, and what it waits
 * for.
 */
export type AguiMemory = {
  agui_state?: unknown
  agui_messages?: Readonly<Record<string, readonly string[]>>
  agui_pending?: Pending | null
}

/** Identifiers that are kept: a turn has no more messages of its history than that. */
const MOST_IDS = 100

const HANDOFF = {
  name: HANDOFF_TOOL,
  description:
    'Hands the conversation to a person, who sees the reason and the data. Only if the visitor wants one, or you cannot help.',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string' },
      queue: { type: 'string' },
      data: { type: 'object' },
    },
    required: ['reason'],
  },
}

export type RunRequest = {
  turn: Turn
  /** What the visitor asks. Undefined: nothing beside the answers of `resume`. */
  text: string | undefined
  canHandOff: boolean
  resume: readonly ResumeEntry[]
}

/** The same turn has the same run, also where it is asked again. */
export function runInput({ turn, text, canHandOff, resume }: RunRequest): RunAgentInput {
  return {
    threadId: turn.sessionId,
    runId: turn.id,
    state: (turn.memory as AguiMemory).agui_state ?? {},
    messages: [
      ...historyOf(turn),
      ...(text === undefined ? [] : [{ id: turn.id, role: 'user' as const, content: text }]),
    ],
    tools: canHandOff ? [HANDOFF] : [],
    context: contextOf(turn),
    forwardedProps: {},
    ...(resume.length > 0 && { resume: [...resume] }),
  }
}

/** Agents that keep their threads know messages by their identifiers: those of the agent come back as it named them. */
function historyOf({ history, memory }: Turn): Message[] {
  const { agui_messages: answers = {} } = memory as AguiMemory
  const ids: string[] = []
  return history.map(({ id = '', role, text }, index): Message => {
    const own = id || String(index)
    if (role === 'visitor') {
      ids.push(...(answers[id] ?? []))
      return { id: own, role: 'user', content: text }
    }
    return { id: (role === 'agent' && ids.shift()) || own, role: 'assistant', content: text }
  })
}

/** What the agent is told beside the words. */
function contextOf(turn: Turn): RunAgentInput['context'] {
  const { language, channel, userNumber, variant, attributes } = turn
  const { accountId, projectId, connectorId, environment, platform, page, custom } = turn
  const known = {
    ...{ language, channel, userNumber, variant: variant?.name, attributes },
    ...{ accountId, projectId, connectorId, environment, platform, page, custom },
  }
  return Object.entries(known).flatMap(([description, value]) => {
    if (typeof value === 'string') return value === '' ? [] : [{ description, value }]
    return value === undefined || Object.keys(value).length === 0
      ? []
      : [{ description, value: JSON.stringify(value) }]
  })
}

/** What to remember of a run: the identifiers of its messages, the state if it changed, and what the agent waits for. */
export function memoryOf(
  { id, memory }: Turn,
  run: {
    ids: readonly string[]
    changed?: { state: unknown } | undefined
    /** Null: it waits for nothing any longer. Undefined: for the same as before. */
    pending?: Pending | null | undefined
  },
): AguiMemory | undefined {
  const { agui_messages: answers = {}, agui_pending: before } = memory as AguiMemory
  const kept: AguiMemory = {}
  if (run.ids.some((each) => each !== ''))
    kept.agui_messages = newest([...Object.entries(answers), [id, run.ids]])
  if (run.changed) kept.agui_state = run.changed.state
  if (run.pending || (run.pending === null && before)) kept.agui_pending = run.pending
  return Object.keys(kept).length === 0 ? undefined : kept
}

function newest(turns: [string, readonly string[]][]): Readonly<Record<string, readonly string[]>> {
  let count = 0
  const tooOld = turns.findLastIndex(([, ids]) => {
    count += ids.length
    return count > MOST_IDS
  })
  return Object.fromEntries(turns.slice(tooOld + 1))
}
