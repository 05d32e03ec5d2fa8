// Runs the agent for one turn: takes its acts one after the other, until it returns or the turn is aborted.

import type { Act, Agent, Turn } from './agent.ts'
import { ENDED } from './agent-turn.ts'
import type { Answer } from './answer.ts'
import type { Claim } from './claim.ts'

/** Resolves to the next turn of the session. The act that ends the answer ends the turn in the same transaction. */
export async function runAgent(agent: Agent, turn: Turn, answer: Answer): Promise<Claim | undefined> {
  const acts = agent.act(turn)[Symbol.asyncIterator]()
  const takeNextAct = () => untilAborted(acts.next(), turn.signal)
  try {
    for (let nextAct = takeNextAct(); ; ) {
      const { done, value: act } = await nextAct
      if (done) return await answer.end()
      if (act.type === 'finish') {
        nextAct = takeNextAct()
        nextAct.catch(() => {})
        if (await isLast(nextAct)) return await answer.end(act)
        await answer.take(act)
      } else {
        await answer.take(act)
        nextAct = takeNextAct()
      }
    }
  } finally {
    void acts.return?.(undefined)?.catch(() => {})
  }
}

/** The next act, unless the turn is aborted first, so that a hanging agent blocks nothing. */
function untilAborted(next: Promise<IteratorResult<Act>>, signal: AbortSignal): Promise<IteratorResult<Act>> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error(ENDED))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    next.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** True if the agent returns at once, without another act. */
const isLast = (nextAct: Promise<IteratorResult<Act>>): Promise<boolean> =>
  Promise.race([
    nextAct.then(
      ({ done }) => done === true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ])
