// Runs the agent for one turn: takes its events one after the other, until it returns or the turn is aborted.

import type { Agent, AgentEvent, Turn } from './agent.ts'
import { ENDED } from './agent-turn.ts'
import type { Answer } from './answer.ts'
import type { Claim } from './claim.ts'

/** Resolves to the next turn of the session. The event that ends the answer ends the turn in the same transaction. */
export async function runAgent(agent: Agent, turn: Turn, answer: Answer): Promise<Claim | undefined> {
  const events = agent.act(turn)[Symbol.asyncIterator]()
  const takeNextEvent = () => untilAborted(events.next(), turn.signal)
  try {
    for (let nextEvent = takeNextEvent(); ; ) {
      const { done, value: event } = await nextEvent
      if (done) return await answer.end()
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

/** The next event, unless the turn is aborted first, so that a hanging agent blocks nothing. */
function untilAborted(
  next: Promise<IteratorResult<AgentEvent>>,
  signal: AbortSignal,
): Promise<IteratorResult<AgentEvent>> {
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
