// Calls the demo's endpoints from its pages: JSON requests, and a stream of changes.

import { words } from './words.ts'

const LOST_AFTER_MS = 1_500
const AGAIN_MS = 2_000

/** An endpoint refused the request, or was not reached. The message is a sentence to show. */
export class Refusal extends Error {
  override name = 'Refusal'
  /** 0: no answer. */
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

async function request(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`/demo/${path}`, init).catch(() => {
    throw new Refusal(0, words.live.unreachable)
  })
  if (response.ok) return response
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: unknown }
  throw new Refusal(response.status, typeof detail === 'string' ? `${detail}.` : words.live.refused)
}

export const read = async <T>(path: string): Promise<T> => (await request(path, {})).json() as Promise<T>

export async function write(path: string, body: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await request(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

export type Listeners = {
  /** Called each time the stream opens: read everything again. */
  open(): void
  /** False once the stream has been closed for a moment. */
  live(live: boolean): void
  on: Readonly<Record<string, (data: unknown) => void>>
}

/** Listens until undone, and reconnects. */
export function listen(path: string, { open, live, on }: Listeners): () => void {
  let source: EventSource | undefined
  let lost: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  function begin(): void {
    source = new EventSource(`/demo/${path}`)
    source.onopen = () => {
      clearTimeout(lost)
      lost = undefined
      live(true)
      open()
    }
    source.onerror = () => {
      lost ??= setTimeout(() => live(false), LOST_AFTER_MS)
      // Browsers give up if the server answers with anything but a stream.
      if (source?.readyState === EventSource.CLOSED) again = setTimeout(begin, AGAIN_MS)
    }
    for (const [name, listener] of Object.entries(on))
      source.addEventListener(name, ({ data }) => listener(JSON.parse(data)))
  }
  begin()
  return () => {
    clearTimeout(lost)
    clearTimeout(again)
    source?.close()
  }
}

/** Keeps the result of the latest read, even if an earlier one answers later. */
export function newest<T>(keep: (found: T) => void): (reading: Promise<T>) => Promise<void> {
  let last = 0
  return async (reading) => {
    const mine = ++last
    const found = await reading
    if (mine === last) keep(found)
  }
}
