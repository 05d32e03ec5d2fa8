// Makes agent events of the events of one run: messages, signs of work, and what the agent asks for at the end.

import type { AgentEvent } from '../../runtime/index.ts'
import { cleanText } from '../llm/clean.ts'
import { AguiError, ReportedError } from './agui-error.ts'
import { questionsIn } from './interrupts.ts'
import type { Messages } from './messages.ts'
import type { AguiEvent } from './read-events.ts'
import type { ThreadState } from './state.ts'

/** The name of the tool by which an agent hands the conversation to a person. */
export const HANDOFF_TOOL = 'handoff'

/** The input of the tool; empty where it gives no text. */
export type HandoffInput = { reason: string; queueName: string; data: object }

/** What a run asked for. It is done once the run has finished. */
export type Asked = {
  handoff: HandoffInput | undefined
  end: boolean
  questions: ReturnType<typeof questionsIn>
}

export type RunOptions = {
  messages: Messages
  state: ThreadState
  canHandOff: boolean
  /** Tells the operator what the agent did. */
  tell(what: string, level: 'warn'): void
}

/** A visitor sees of these that the agent works. */
const WORK = new Set([
  'REASONING_START',
  'STEP_STARTED',
  'SUBAGENT_STARTED',
  'THINKING_START',
  'TOOL_CALL_CHUNK',
  'TOOL_CALL_START',
])
const MOST_CALLS = 100
const LONGEST_INPUT = 16_000
const LONGEST_HANDOFF_TEXT = 500
const LONGEST_ID = 200
const MOST_SUGGESTIONS = 10
const LONGEST_SUGGESTION = 200

/** Throws an `AguiError` where the run fails; what was written until then stays in `messages`. */
export async function* readRun(
  events: AsyncIterable<AguiEvent>,
  { messages, state, canHandOff, tell }: RunOptions,
): AsyncGenerator<AgentEvent, Asked> {
  let end = false
  const calls = createCalls(canHandOff)
  /** Messages that are no words of the agent to the visitor, such as an echo. */
  const hidden = new Set<string>()
  let unstreamed: { id: string; content: string }[] = []
  let isWorking = false
  /** The message that chunks without an identifier go on with. */
  let chunked = ''
  for await (const event of events) {
    const { type } = event
    if (WORK.has(type)) {
      if (!isWorking) yield { type: 'thinking' }
      isWorking = true
    }
    calls.take(event)
    // What an agent of the agent says is work.
    if (typeof event.subagentRunId === 'string') continue
    if (type === 'RUN_ERROR')
      throw new ReportedError(
        `the agent reported an error${codeOf(event)}`,
        typeof event.message === 'string' ? event.message : '',
      )
    if (type === 'TEXT_MESSAGE_START' || type === 'TEXT_MESSAGE_CONTENT' || type === 'TEXT_MESSAGE_CHUNK') {
      const id = idOf(event.messageId) || (type === 'TEXT_MESSAGE_CHUNK' ? chunked : '')
      if (type === 'TEXT_MESSAGE_CHUNK') chunked = id
      if (event.role !== undefined && event.role !== 'assistant') hidden.add(id)
      if (hidden.has(id) || type === 'TEXT_MESSAGE_START') continue
      if (type === 'TEXT_MESSAGE_CONTENT' && typeof event.delta !== 'string')
        throw new AguiError('malformed', 'a piece of text has no text')
      if (typeof event.delta !== 'string') continue
      isWorking = false
      yield* messages.write(id, event.delta)
    } else if (type === 'TEXT_MESSAGE_END') messages.end(idOf(event.messageId))
    else if (type === 'MESSAGES_SNAPSHOT') unstreamed = answersIn(event.messages)
    else if (type === 'STATE_SNAPSHOT') state.snapshot(event.snapshot)
    else if (type === 'STATE_DELTA') state.patch(event.delta)
    else if (type === 'CUSTOM' && event.name === 'foyer.end') end = true
    else if (type === 'CUSTOM' && event.name === 'foyer.suggestions') {
      const texts = suggestionsIn(event.value)
      if (texts) messages.suggest(texts)
      else tell('sent foyer.suggestions that are no list of texts', 'warn')
    } else if (type === 'RUN_FINISHED') {
      // An agent that does not stream its answer shows it in its messages alone.
      if (messages.ids.length === 0)
        for (const { id, content } of unstreamed) yield* messages.write(id, content)
      return { handoff: calls.handoff(), end, questions: questionsIn(event.outcome) }
    }
  }
  throw new AguiError('cut', 'the answer broke off')
}

/** Counts the calls of tools, and keeps the input of a handoff. */
function createCalls(canHandOff: boolean) {
  let count = 0
  let open = ''
  let handoffCall: string | undefined
  let input = ''
  return {
    take({ type, toolCallId, toolCallName, delta }: AguiEvent): void {
      if (!type.startsWith('TOOL_CALL_')) return
      const id = idOf(toolCallId) || open
      const opens = type === 'TOOL_CALL_START' || (type === 'TOOL_CALL_CHUNK' && id !== open)
      open = id
      if (opens) {
        if (++count > MOST_CALLS) throw new AguiError('excess', 'it called too many tools')
        if (toolCallName === HANDOFF_TOOL && canHandOff) {
          handoffCall = id
          input = ''
        }
      }
      if (id !== handoffCall || (type !== 'TOOL_CALL_ARGS' && type !== 'TOOL_CALL_CHUNK')) return
      if (typeof delta === 'string') input += delta
      if (input.length > LONGEST_INPUT) throw new AguiError('excess', 'the input of its handoff is too long')
    },
    handoff: () => (handoffCall === undefined ? undefined : handoffInput(input)),
  }
}

/** The visitor is to reach a person also where the input cannot be read. */
function handoffInput(input: string): HandoffInput {
  let given: Readonly<Record<string, unknown>> = {}
  try {
    given = { ...JSON.parse(input) }
  } catch {}
  const { reason, queue, data } = given
  const textOf = (value: unknown) =>
    typeof value === 'string' ? cleanText(value).slice(0, LONGEST_HANDOFF_TEXT) : ''
  return {
    reason: textOf(reason),
    queueName: textOf(queue),
    data: typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {},
  }
}

const idOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, LONGEST_ID) : '')

const codeOf = ({ code }: AguiEvent): string =>
  typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? ` (${code})` : ''

function suggestionsIn(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const texts = value.slice(0, MOST_SUGGESTIONS)
  if (!texts.every((text) => typeof text === 'string')) return undefined
  return texts
    .map((text) => cleanText(text).trim())
    .filter((text) => text !== '' && text.length <= LONGEST_SUGGESTION)
}

/** The texts of the agent behind the visitor's last message. */
function answersIn(messages: unknown): { id: string; content: string }[] {
  if (!Array.isArray(messages)) return []
  const last = messages.findLastIndex((message) => message?.role === 'user')
  return messages
    .slice(last + 1)
    .flatMap(({ id, role, content }) =>
      role === 'assistant' && typeof content === 'string' ? [{ id: idOf(id), content }] : [],
    )
}
