// Sends one run to the address of an agent, and reads its events for as long as the limits of time allow.

import type { RunAgentInput } from '@ag-ui/core'
import type { Turn } from '../../runtime/index.ts'
import { AguiError } from './agui-error.ts'
import { type AguiEvent, readEvents } from './read-events.ts'

export type AskOptions = {
  url: string
  key: string | undefined
  /** Most seconds of the whole run, and of a run that sends nothing. */
  seconds: number
  silentSeconds: number
  fetch: typeof fetch
}

/** How often a run is looked at, of the time for which it may be silent. */
const LOOKS = 4

/** Throws an `AguiError`; whatever aborts the turn ends it too. */
export async function* ask(options: AskOptions, input: RunAgentInput, turn: Turn): AsyncIterable<AguiEvent> {
  const stop = new AbortController()
  let late: AguiError | undefined
  const giveUp = (message: string) => {
    late ??= new AguiError('timeout', message)
    stop.abort()
  }
  let looks = 0
  /** The store may take its time: only an agent that is waited for is silent. */
  let isAwaited = true
  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      await turn.sleep((options.silentSeconds * 1_000) / LOOKS)
      looks = isAwaited ? looks + 1 : 0
      if (looks === LOOKS) giveUp('it fell silent')
    }
  }
  const over = () => {}
  watch().catch(over)
  turn.sleep(options.seconds * 1_000).then(() => giveUp('there was no answer in time'), over)
  try {
    const body = await post(options, input, AbortSignal.any([turn.signal, stop.signal]))
    for await (const event of readEvents(body, () => (looks = 0))) {
      isAwaited = false
      yield event
      isAwaited = true
    }
  } catch (error) {
    throw late ?? (error instanceof AguiError ? error : new AguiError('cut', 'the answer broke off'))
  } finally {
    stop.abort()
  }
}

/** Follows no redirect, which would take the conversation and the key to another host. */
async function post(
  { url, key, fetch }: AskOptions,
  input: RunAgentInput,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const request = fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(input),
    signal,
  })
  const response = await request.catch((error: unknown) => {
    throw new AguiError('network', `it cannot be reached${codeOf(error)}`)
  })
  const { ok, status, headers, body } = response
  const isStream = /^text\/event-stream\s*(?:;|$)/i.test(headers.get('content-type') ?? '')
  if (ok && isStream && body) return body
  await body?.cancel()
  if (ok) throw new AguiError('malformed', 'it sent no event stream')
  throw statusError(status)
}

/** Such as ` (ECONNREFUSED)`: a code has no address. */
function codeOf(error: unknown): string {
  const { code } = Object((error as Error | undefined)?.cause) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{1,40}$/.test(code) ? ` (${code})` : ''
}

function statusError(status: number): AguiError {
  const answered = `it answered ${status}`
  if (status === 401 || status === 403)
    return new AguiError('refused', `${answered}: it does not take the key`)
  if (status === 429) return new AguiError('limited', answered)
  if (status === 408 || status === 504) return new AguiError('timeout', answered)
  return new AguiError(status < 500 ? 'request' : 'server', answered)
}
