// Tells a session that the visitor ended it, where no socket was there at that moment: over a socket of its own, or
// through the tab that owns one. After ten minutes without a client the service ends it by itself.

import { CLOSE, parseFrame } from '../protocol/index.ts'
import type { Clock } from './model.ts'
import { backoff } from './session.ts'
import type { OpenSocket, Socket } from './socket.ts'

const ANSWER = 5_000
const LONGEST = 600_000

export type Farewell = {
  /** Asks the tab that owns the socket, and calls back once the service knows; false: no other tab does. */
  ask(told: () => void): boolean
  /** The socket's address, which holds the token. Rejects where there is none now; undefined: there will be none. */
  address(): Promise<string | undefined>
  openSocket: OpenSocket
  clock: Clock
  random: () => number
}

/** Returns what stops it. */
export function sayEnd({ ask, address, openSocket, clock, random }: Farewell): () => void {
  let url: string | undefined
  /** Ends the attempt, or the pause between two: the service knows, or nobody is to tell it any more. */
  let stop = () => {}
  let over = false

  /** Resolves to whether another attempt makes no sense. */
  const attempt = () =>
    new Promise<boolean>((resolve) => {
      let socket: Socket | undefined
      let ended = false
      const end = (finished: boolean) => {
        ended = true
        stopTimer()
        socket?.close(CLOSE.clean)
        resolve(finished)
      }
      const stopTimer = clock.after(ANSWER, () => end(false))
      stop = () => end(true)
      const open = (to: string | undefined) => {
        url = to
        if (ended) return
        if (to === undefined) return end(true)
        socket = openSocket(to, {
          opened: () => socket?.send('{"type":"EVENT_TYPE_USER_END_SESSION","payload":{}}'),
          frame(text) {
            if (parseFrame(text).events.some(({ type }) => type === 'EVENT_TYPE_SESSION_END')) end(true)
          },
          closed: () => end(false),
        })
      }
      if (ask(stop)) return
      if (url === undefined) address().then(open, () => end(false))
      else open(url)
    })

  async function say(): Promise<void> {
    const begun = clock.now()
    for (let tries = 1; !(await attempt()) && !over && clock.now() - begun < LONGEST; tries++)
      await new Promise<void>((resolve) => {
        const stopTimer = clock.after(backoff(tries, random()), resolve)
        stop = () => {
          stopTimer()
          resolve()
        }
      })
  }
  void say()
  return () => {
    over = true
    stop()
  }
}
