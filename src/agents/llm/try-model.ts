// Asks the model for one answer, and asks again where a request failed before anything came of it.
//
//   request ─▶ text ─▶ gate ─▶ visitor ─▶ … ─▶ the whole answer
//      ▲  └─ fails ─▶ nothing was written, nothing done ─▶ a pause, or a shorter request ─┐
//      └──────────────────────────────────────────────────────────────────────────────────┘

import type { AgentEvent, Turn } from '../../runtime/index.ts'
import type { LinkGate } from './link-gate.ts'
import type { AskModel, ModelRequest } from './model.ts'
import type { ModelError } from './model-error.ts'
import type { Counting } from './spending.ts'
import type { Requested } from './tools.ts'

const MODEL_TRIES = 3
const FIRST_PAUSE_MS = 500

export type TryOptions = {
  turn: Turn
  ask: AskModel
  /** `share`: of the usual length, if the endpoint refused a longer request. */
  requestOf: (share: number, signal: AbortSignal) => ModelRequest
  /** The events, the handoff or the end that the model has asked for by its tools. */
  requested: Requested
  gate: LinkGate
  counting: Counting
  /** The longest time, all tries together. */
  seconds: number
  now: () => number
}

/** `failure`: why there is no answer, or only the beginning of one. */
export type Tried = { shownText: string; firstTokenMs: number | undefined; failure: ModelError | undefined }

export async function* tryModel(options: TryOptions): AsyncGenerator<AgentEvent, Tried> {
  const { turn, ask, requestOf, requested, gate, counting, seconds, now } = options
  const started = now()
  const limit = new AbortController()
  const late = () => limit.abort()
  void turn.sleep(seconds * 1_000).then(late, late)
  const tried: Tried = { shownText: '', firstTokenMs: undefined, failure: undefined }
  let share = 1
  for (let tries = 1; ; tries++) {
    try {
      const request = requestOf(share, AbortSignal.any([turn.signal, limit.signal]))
      await counting.sent(request)
      for await (const event of ask(request)) {
        yield* requested.events.splice(0)
        if (event.type === 'text') {
          tried.firstTokenMs ??= now() - started
          await counting.wrote(event.text.length)
          const text = gate.push(event.text)
          tried.shownText += text
          if (text !== '') yield { type: 'text', text }
        } else await counting.reported(event)
        if (event.type === 'tool') yield { type: 'thinking' }
      }
      break
    } catch (error) {
      turn.signal.throwIfAborted()
      const { kind, retryAfterMs } = error as ModelError
      // After the first text or other event another try would repeat it.
      const hasBegun = counting.hasWritten() || tried.shownText !== '' || counting.usage.tools.length > 0
      const isLasting = kind === 'permanent' || kind === 'setup' || limit.signal.aborted
      if (hasBegun || isLasting || tries === MODEL_TRIES) {
        tried.failure = error as ModelError
        break
      }
      if (kind === 'too-long') share /= 4
      else await turn.sleep(retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }
  yield* requested.events.splice(0)
  // The tokens of an answer that broke off were used, and nobody says how many.
  if (tried.failure && (counting.hasWritten() || limit.signal.aborted)) await counting.keepGuess()
  else await counting.settle()
  return tried
}
