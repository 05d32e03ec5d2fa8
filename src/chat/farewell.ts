// Tells the service that the visitor ended a session while no socket was open. Makes a few attempts: after ten minutes
// without a client the service ends the session itself.

import { CLOSE, parseFrame } from '../protocol/index.ts'
import type { Clock } from './model.ts'
import { backoff } from './session.ts'
import type { OpenSocket } from './socket.ts'

const MOST_ATTEMPTS = 6
const ANSWER = 5_000

export type Farewell = {
  /** Holds the token: for the socket only. */
  url: string
  openSocket: OpenSocket
  clock: Clock
  random: () => number
  /** Called once, after success or the last attempt. */
  done(): void
}

/** Returns the undo. */
export function sayEnd({ url, openSocket, clock, random, done }: Farewell): () => void {
  let stop = () => {}
  let tries = 0
  function attempt(): void {
    const socket = openSocket(url, {
      opened() {
        socket.send(JSON.stringify({ type: 'EVENT_TYPE_USER_END_SESSION', payload: {} }))
      },
      frame(text) {
        const said = parseFrame(text).events.some(({ type }) => type === 'EVENT_TYPE_SESSION_END')
        if (said) finish()
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
      done()
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
