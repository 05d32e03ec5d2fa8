// Runs the agent of a session for one turn: takes its events one after the other, until it returns or the turn is aborted.

import { type Clock, inTime } from '../clock.ts'
import type { Redaction } from '../redact.ts'
import type { Agent, AgentEvent, Turn } from './agent.ts'
import { AgentError } from './agent-error.ts'
import { type AgentTurnOptions, agentTurn, ENDED, servedBy } from './agent-turn.ts'
import type { Agents } from './agents.ts'
import type { Answer } from './answer.ts'
import { checkEvent } from './check-event.ts'
import type { Claim } from './claim.ts'

const SILENT_SECONDS = 240
const NO_STREAM =
  'its act returned no stream of events: it has to be an async generator, async *act(turn) { … }'

/** Asks for the agent of the session, and has it answer. Resolves to the next turn of the session. */
export async function answerTurn(
  agents: Agents,
  answer: Answer,
  options: AgentTurnOptions & { redact: Redaction },
): Promise<Claim | undefined> {
  const agent = await untilAborted(agents.of(servedBy(options.claim.session)), options.signal)
  const ended = await answer.introduce(agent)
  return ended ? ended.next : runAgent(agent, await agentTurn(options), answer, options)
}

/** Resolves to the next turn of the session. The event that ends the answer ends the turn in the same transaction. */
async function runAgent(
  agent: Agent,
  turn: Turn,
  answer: Answer,
  { clock, redact }: { clock: Clock; redact: Redaction },
): Promise<Claim | undefined> {
  const asAgentError = (error: unknown) => new AgentError(error, { redact, said: turn.text })
  const events = begin(agent, turn, asAgentError)
  const next = async () => {
    try {
      return await events.next()
    } catch (error) {
      throw asAgentError(error)
    }
  }
  const { silentSeconds = SILENT_SECONDS } = agent
  const silent = `it gave no event for ${silentSeconds / 60} minutes`
  const takeNextEvent = () => inTime(clock, silentSeconds * 1_000, untilAborted(next(), turn.signal), silent)
  try {
    for (let nextEvent = takeNextEvent(); ; ) {
      const { done, value: event } = await nextEvent
      if (done) return await answer.end()
      checkEvent(event)
      if (event.type === 'finish') {
        nextEvent = takeNextEvent()
        nextEvent.catch(() => {})
        if (await isLast(nextEvent)) return await answer.end(event)
        await answer.take(event)
      } else {
        await answer.take(event)
        nextEvent = takeNextEvent()
      }
    }
  } finally {
    void events.return?.(undefined)?.catch(() => {})
  }
}

function begin(agent: Agent, turn: Turn, asAgentError: (error: unknown) => Error): AsyncIterator<AgentEvent> {
  let events: unknown
  try {
    events = agent.act(turn)
  } catch (error) {
    throw asAgentError(error)
  }
  if (isStream(events)) return events[Symbol.asyncIterator]()
  // It may be a promise that rejects, which nobody waits for.
  Promise.resolve(events).catch(() => {})
  throw new Error(NO_STREAM)
}

const isStream = (value: unknown): value is AsyncIterable<AgentEvent> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** What `next` resolves to, unless the turn is aborted first, so that a hanging agent blocks nothing. */
function untilAborted<T>(next: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error(ENDED))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    next.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** True if the agent returns at once, without another event. */
const isLast = (nextEvent: Promise<IteratorResult<AgentEvent>>): Promise<boolean> =>
  Promise.race([
    nextEvent.then(
      ({ done }) => done === true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ])
