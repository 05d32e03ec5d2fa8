// Sends an end or a rating to a session that has no socket in this tab any more. Each attempt opens a socket of its own. Attempts stop after
// ten minutes: by then the service has expired the session.

import { CLOSE, idOf, parseFrame, type ServerEvent } from '../../protocol/index.ts'
import type { Access } from '../access/access.ts'
import { AccessError } from '../access/request.ts'
import { END_FRAME } from '../outbox/next.ts'
import { ratingOf } from '../outbox/requests.ts'
import { backoff } from '../session/table.ts'
import type { OpenSocket, Socket } from '../socket/socket.ts'
import type { Clock } from '../state/model.ts'
import type { State } from '../state/state.ts'
import type { Effect, Loop } from './loop.ts'

const ANSWER = 5_000
const LONGEST = 600_000

type Outer = {
  loop: Loop
  access: Access
  openSocket: OpenSocket
  clock: Clock
  random: () => number
}

/** The frame to send. */
type Message = {
  session: string
  text: string
  /** True if an event proves that the service has received it. */
  confirms(event: ServerEvent): boolean
  /** Each attempt replays from behind this sequence. */
  cursor: number
  /** Whether the BFF may be asked for the token. */
  asks: boolean
  /** Called once, when the service knows, or after the last attempt. */
  done?(): void
}

interface LateSends {
  readonly changed: Effect
  stop(): void
}

export function createLateSends({ loop, access, openSocket, clock, random }: Outer): LateSends {
  /** Stops each running send. */
  const stops = new Set<() => void>()
  const state = () => loop.state.peek()
  // Entering a session comes first: the token is for one session, and only one part may ask for it at a time.
  const isFree = () => !['entering', 'waiting'].includes(state().session.name)

  /** Sends one frame, again and again until the service knows. */
  function send(message: Message): void {
    // Read now: entering the next session may replace the token.
    let url = access.holds(message.session) ? access.socketUrl(message.session, 0) : undefined
    let { cursor } = message
    let over = false
    /** Ends the attempt or the pause. */
    let wake = () => {}
    const address = async () => {
      if (!isFree()) throw new AccessError('busy')
      return access.addressAgain(message.session, message.asks, state().sessionId)
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
        wake = () => end(true)
        const open = (to: string | undefined) => {
          url = to
          if (ended) return
          if (to === undefined) return end(true)
          if (!isFree()) return end(false)
          socket = openSocket(withCursor(to, cursor), {
            opened: () => socket?.send(message.text),
            frame(text) {
              // A long history may leave no time for the answer: the next attempt replays from where this one stopped.
              for (const event of parseFrame(text).events) {
                cursor = Math.max(cursor, event.sequence ?? 0)
                if (message.confirms(event)) end(true)
              }
            },
            closed: () => end(false),
          })
        }
        if (url === undefined) address().then(open, () => end(false))
        else open(url)
      })

    async function repeat(): Promise<void> {
      const begun = clock.now()
      for (let tries = 1; !over && !(await attempt()) && clock.now() - begun < LONGEST; tries++)
        await new Promise<void>((resolve) => {
          const stopTimer = clock.after(backoff(tries, random()), resolve)
          wake = () => {
            stopTimer()
            resolve()
          }
        })
    }
    let undone = false
    const stop = () => {
      undone = true
      over = true
      wake()
    }
    stops.add(stop)
    void repeat().then(() => {
      stops.delete(stop)
      if (!undone) message.done?.()
    })
  }

  /** Sends the visitor's ratings of an ended session, one after the other. */
  function sendRating({ conversation: { requests, log }, sessionId: session }: State): void {
    const next = ratingOf(requests, ({ sent }) => !sent)
    if (!next || session === undefined) return
    const { id } = next
    loop.note({ type: 'requested', what: { id } })
    send({
      session,
      text: JSON.stringify(next.frame),
      confirms: ({ metadata }) => idOf(metadata?.custom) === id,
      cursor: log.cursor,
      asks: true,
      done: () => loop.dispatch({ type: 'rated', id }),
    })
  }

  function stop(): void {
    for (const each of [...stops]) each()
    stops.clear()
  }

  return {
    stop,
    changed(before, after) {
      const { pendingEnd, session, signOuts } = after
      // The token, which unsent frames need, is being deleted.
      if (signOuts !== before.signOuts) stop()
      if (pendingEnd?.later && pendingEnd !== before.pendingEnd)
        send({
          session: pendingEnd.session,
          text: JSON.stringify(END_FRAME),
          confirms: ({ type }) => type === 'EVENT_TYPE_SESSION_END',
          cursor: before.conversation.log.cursor,
          asks: pendingEnd.asks,
        })
      if (session.name === 'ended' || session.name === 'expired') sendRating(after)
    },
  }
}

function withCursor(url: string, cursor: number): string {
  const address = new URL(url)
  if (cursor > 0) address.searchParams.set('cursor', String(cursor))
  return address.href
}
