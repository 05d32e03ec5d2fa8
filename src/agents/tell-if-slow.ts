// Tells the visitor that an answer takes longer, if its first word does not come soon.

import type { AgentEvent, Turn } from '../runtime/index.ts'

const SOON_MS = 10_000

/** Passes the events on. In a chat it tells the visitor `words` once if none of them shows text within ten seconds. */
export async function* tellIfSlow(
  events: AsyncIterable<AgentEvent>,
  turn: Turn,
  words: string,
): AsyncIterable<AgentEvent> {
  if (turn.channel !== 'WEBCHAT') return yield* events
  const slow = turn.sleep(SOON_MS).then(
    () => 'slow' as const,
    () => new Promise<never>(() => {}),
  )
  const iterator = events[Symbol.asyncIterator]()
  let isWaiting = true
  try {
    for (;;) {
      const next = iterator.next()
      // Handled below; a rejection must not be lost while the race is decided.
      next.catch(() => {})
      if (isWaiting && (await Promise.race([next, slow])) === 'slow') {
        isWaiting = false
        yield { type: 'system', level: 'info', message: words }
      }
      const { done, value } = await next
      if (done) return
      if (value.type === 'text') isWaiting = false
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
