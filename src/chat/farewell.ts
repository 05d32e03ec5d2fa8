// Says one thing in a session that this chat has left: that the visitor ended it, where no socket was there at that moment, or
// a rating after the end. A few attempts: after ten minutes the service knows the session no more.

import { CLOSE, type ClientEvent, idOf, parseFrame, type ServerEvent } from '../protocol/index.ts'
import type { Clock } from './model.ts'
import { backoff } from './session.ts'
import type { OpenSocket } from './socket.ts'

const MOST_ATTEMPTS = 6
const ANSWER = 5_000

export type Farewell = {
  /** The address for a cursor. Holds the token: for the socket only. */
  url(cursor: number): string
  cursor: number
  text: string
  /** Whether an event of the service says that it was heard. */
  isHeard(event: ServerEvent): boolean
  openSocket: OpenSocket
  clock: Clock
  random: () => number
  /** Called once, when it is said or given up. */
  done(): void
}

/** Returns what stops it. */
export function sayFarewell({ url, openSocket, clock, random, ...farewell }: Farewell): () => void {
  let stop = () => {}
  let tries = 0
  let cursor = farewell.cursor
  function attempt(): void {
    const socket = openSocket(url(cursor), {
      opened() {
        socket.send(farewell.text)
      },
      frame(text) {
        const { events } = parseFrame(text)
        // Whoever comes back after the end is listened to only with the sequence of the end.
        for (const { sequence = 0 } of events) cursor = Math.max(cursor, sequence)
        if (events.some(farewell.isHeard)) finish()
      },
      closed: later,
    })
    const stopTimer = clock.after(ANSWER, later)
    const release = () => {
      stopTimer()
      socket.close(CLOSE.clean)
    }
    stop = release
    function finish(): void {
      release()
      stop = () => {}
      farewell.done()
    }
    function later(): void {
      release()
      if (++tries >= MOST_ATTEMPTS) return finish()
      stop = clock.after(backoff(tries, random()), attempt)
    }
  }
  attempt()
  return () => stop()
}

const END: ClientEvent = { type: 'EVENT_TYPE_USER_END_SESSION', payload: {} }

/** What tells the service that the visitor ended the session. */
export const ending: Pick<Farewell, 'text' | 'isHeard'> = {
  text: JSON.stringify(END),
  isHeard: ({ type }) => type === 'EVENT_TYPE_SESSION_END',
}

/** What carries a rating, whose echo has its id. */
export const rating = (id: string, text: string): Pick<Farewell, 'text' | 'isHeard'> => ({
  text,
  isHeard: (event) => idOf(event.metadata?.custom) === id,
})
