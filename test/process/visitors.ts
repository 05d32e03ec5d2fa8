// Visitors without a browser: the chat engine of the widget on real sockets, with a cookie jar and a store each.

import { WebSocket } from 'ws'
import { type Chat, createChat } from '../../src/chat/index.ts'
import { until } from './until.ts'

type Stored = { type: string; payload: { text?: string } }

export type Visitor = ReturnType<typeof createVisitor>

/** `number` makes the visitor's address. `create`: the engine of another release. */
export function createVisitor(origin: string, number: number, create = createChat) {
  let cookie = ''
  const urls: string[] = []
  const sent: string[] = []
  const retried = new Set<string>()
  const failures: string[] = []
  class Socket extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      super(url, protocols)
      urls.push(url)
      const begun = performance.now()
      const id = new URL(url).searchParams.get('session_id')
      this.on('error', ({ message }) =>
        failures.push(`${id} after ${Math.round(performance.now() - begun)} ms: ${message}`),
      )
    }
  }
  const chat: Chat = create({
    tokenUrl: `${origin}/foyer/access-token`,
    WebSocket: Socket,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('origin', origin)
      headers.set('x-forwarded-for', `198.51.100.${number}`)
      if (cookie) headers.set('cookie', cookie)
      const response = await fetch(input, { ...init, headers })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return response
    },
  })
  /** Where another socket of this visitor's session begins after `cursor`. */
  const addressAfter = (cursor: number): string => {
    const url = new URL(urls.at(-1) ?? '')
    url.searchParams.set('cursor', String(cursor))
    return url.href
  }
  const screen = () =>
    chat.transcript.value.flatMap((entry) =>
      entry.kind === 'message'
        ? [
            {
              role: entry.role,
              text: entry.content.value.pieces.join(''),
              complete: entry.content.value.complete,
            },
          ]
        : [],
    )
  return {
    chat,
    sent,
    /** The texts that were not sent, as the visitor saw, and that the visitor sent once more. */
    retried,
    screen,
    addressAfter,
    say(text: string) {
      if (chat.send(text) !== undefined) sent.push(text)
    },
    /** Presses "Try again" at every message that is shown as not sent. */
    retryFailed() {
      for (const { id, text, state } of chat.outbox.value) {
        if (state !== 'failed') continue
        retried.add(text)
        chat.retry(id)
      }
    },
    /** A line for each socket that failed: the session, after how long, and the error. */
    failures,
    sessions: () => new Set(urls.map((url) => new URL(url).searchParams.get('session_id'))).size,
    live: () =>
      until(
        () => `visitor ${number} is ${chat.status.value}`,
        () => chat.status.value === 'live',
      ),
    /** The visitor looks, once the service is there again. */
    back() {
      chat.wake()
      return this.live()
    },
    /** Resolves once nothing waits any more and every answer is whole. */
    settled() {
      return until(
        () =>
          `visitor ${number} is ${chat.status.value}; waiting: ${JSON.stringify(chat.outbox.value)}; shown: ${JSON.stringify(screen().slice(-3))}`,
        () => {
          this.retryFailed()
          return (
            chat.status.value === 'live' &&
            chat.outbox.value.length === 0 &&
            screen().every(({ complete }) => complete)
          )
        },
      )
    },
    /** What the visitor said, as a socket that asks for the whole history is told. */
    async stored(): Promise<string[]> {
      const socket = new WebSocket(addressAfter(0))
      const texts: string[] = []
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('open', () => socket.send('{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}'))
        socket.on('message', (data) => {
          const { type, payload } = JSON.parse(String(data)) as {
            type: string
            payload: { events?: Stored[] }
          }
          for (const event of payload.events ?? [])
            if (event.type === 'EVENT_TYPE_USER_MESSAGE') texts.push(event.payload.text ?? '')
          if (type === 'EVENT_TYPE_HEARTBEAT') resolve()
        })
      })
      socket.terminate()
      return texts
    },
  }
}
