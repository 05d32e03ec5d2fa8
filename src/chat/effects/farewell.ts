// Sends one event in a session that has no socket here any more: the visitor's end, or a rating. Uses a socket of its own, or
// the tab that owns one. After ten minutes the service has forgotten the session.

import { CLOSE, parseFrame, type ServerEvent } from '../../protocol/index.ts'
import { backoff } from '../session/table.ts'
import type { OpenSocket, Socket } from '../socket/socket.ts'
import type { Clock } from '../state/model.ts'

const ANSWER = 5_000
const LONGEST = 600_000

/** The frame to send. */
export type Said = {
  text: string
  /** True if an event proves that the service has received it. */
  isHeard(event: ServerEvent): boolean
  /** The sequence from which each attempt reads. */
  cursor(): number
  /** Asks the tab that owns the socket, and calls back once the service knows. False: no other tab owns one. */
  ask(told: () => void): boolean
  /** Called once, when the service knows, or after the last attempt. */
  done?(): void
}

/** The end that the visitor made. */
export const ending: Pick<Said, 'text' | 'isHeard'> = {
  text: '{"type":"EVENT_TYPE_USER_END_SESSION","payload":{}}',
  isHeard: ({ type }) => type === 'EVENT_TYPE_SESSION_END',
}

export type Farewell = Said & {
  /** False until the chat itself has entered its session, which comes first: a token is for one session. */
  isFree(): boolean
  /** The socket's address, which holds the token. Rejects where there is none now; undefined: there will be none. */
  address(): Promise<string | undefined>
  openSocket: OpenSocket
  clock: Clock
  random: () => number
}

/** Returns the undo. */
export function sayFarewell({
  ask,
  isFree,
  address,
  openSocket,
  clock,
  random,
  ...said
}: Farewell): () => void {
  let url: string | undefined
  /** Ends the attempt or the pause: the service knows, or the sending was stopped. */
  let stop = () => {}
  let over = false
  let undone = false
  /** The service knows: also where the attempt that asked is over. */
  const told = () => {
    over = true
    stop()
  }

  /** Resolves to true if another attempt makes no sense. */
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
        if (!isFree()) return end(false)
        socket = openSocket(at(to, said.cursor()), {
          opened: () => socket?.send(said.text),
          frame(text) {
            if (parseFrame(text).events.filter(said.isHeard).length > 0) end(true)
          },
          closed: () => end(false),
        })
      }
      if (ask(told)) return
      if (url === undefined) address().then(open, () => end(false))
      else open(url)
    })

  async function say(): Promise<void> {
    const begun = clock.now()
    for (let tries = 1; !over && !(await attempt()) && clock.now() - begun < LONGEST; tries++)
      await new Promise<void>((resolve) => {
        const stopTimer = clock.after(backoff(tries, random()), resolve)
        stop = () => {
          stopTimer()
          resolve()
        }
      })
  }
  void say().then(() => undone || said.done?.())
  return () => {
    undone = true
    told()
  }
}

function at(url: string, cursor: number): string {
  const address = new URL(url)
  if (cursor > 0) address.searchParams.set('cursor', String(cursor))
  return address.href
}
