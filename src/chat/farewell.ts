// Says one thing in a session that has no socket here any more: that the visitor ended it, or what they think of it. It goes over
// a socket of its own, or through the tab that owns one. After ten minutes the service knows the session no more.

import { CLOSE, parseFrame, type ServerEvent } from '../protocol/index.ts'
import type { Clock } from './model.ts'
import { backoff } from './session.ts'
import type { OpenSocket, Socket } from './socket.ts'

const ANSWER = 5_000
const LONGEST = 600_000

/** What is to be said. */
export type Said = {
  text: string
  /** Whether an event of the service shows that it was heard. */
  isHeard(event: ServerEvent): boolean
  /** The sequence from which each attempt reads. */
  cursor(): number
  /** Asks the tab that owns the socket, and calls back once the service knows; false: no other tab does. */
  ask(told: () => void): boolean
  /** Called once, when it was heard, or nobody is to be told any more. */
  done?(): void
}

/** The end that the visitor made. */
export const ending: Pick<Said, 'text' | 'isHeard'> = {
  text: '{"type":"EVENT_TYPE_USER_END_SESSION","payload":{}}',
  isHeard: ({ type }) => type === 'EVENT_TYPE_SESSION_END',
}

export type Farewell = Said & {
  /** The socket's address, which holds the token. Rejects where there is none now; undefined: there will be none. */
  address(): Promise<string | undefined>
  openSocket: OpenSocket
  clock: Clock
  random: () => number
}

/** Returns what stops it. */
export function sayFarewell({ ask, address, openSocket, clock, random, ...said }: Farewell): () => void {
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
        socket = openSocket(at(to, said.cursor()), {
          opened: () => socket?.send(said.text),
          frame(text) {
            if (parseFrame(text).events.filter(said.isHeard).length > 0) end(true)
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
  void say().then(() => over || said.done?.())
  return () => {
    over = true
    stop()
  }
}

function at(url: string, cursor: number): string {
  const address = new URL(url)
  if (cursor > 0) address.searchParams.set('cursor', String(cursor))
  return address.href
}
