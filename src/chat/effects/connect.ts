// Opens the socket of the session that was entered, dispatches its frames, and closes it.

import { CLOSE, type ClientEvent, parseFrame } from '../../protocol/index.ts'
import type { Access } from '../access/access.ts'
import { sentAfter } from '../outbox/items.ts'
import { END_FRAME } from '../outbox/next.ts'
import { isConnected } from '../session/timers.ts'
import type { OpenSocket, Socket } from '../socket/socket.ts'
import type { Clock, WireNote } from '../state/model.ts'
import { resumeFrom } from '../transcript/log.ts'
import { isChunk } from './chunks.ts'
import type { Effect, Loop } from './loop.ts'

type Outer = {
  loop: Loop
  access: Access
  openSocket: OpenSocket
  clock: Clock
  note(text: string, direction?: WireNote['direction']): void
}

export interface Connection {
  readonly changed: Effect
  /** Sends a frame. False if the socket is not open: then the frame is still next in the state. */
  send(event: ClientEvent): boolean
}

export function createConnection({ loop, access, openSocket, clock, note }: Outer): Connection {
  let open: { run: number; socket: Socket } | undefined

  function send(event: ClientEvent): boolean {
    if (!open) return false
    const text = JSON.stringify(event)
    note(text, 'out')
    return open.socket.send(text)
  }

  function connect(sessionId: string, run: number, cursor: number): void {
    note(`socket opening (session ${sessionId}, cursor ${cursor})`)
    const socket = openSocket(access.socketUrl(sessionId, cursor), {
      opened() {
        note('socket open')
        loop.dispatch({ type: 'session', event: { type: 'opened', run } })
      },
      frame(text) {
        note(text, 'in')
        const frame = parseFrame(text)
        for (const drop of frame.drops) note(`dropped: ${drop.reason}`)
        if (clock.frame && isChunk(frame)) loop.chunks.add(run, frame, clock.frame)
        else loop.dispatch({ type: 'frame', run, frame })
      },
      closed(code) {
        note(`socket closed (${code})`)
        loop.dispatch({ type: 'session', event: { type: 'closed', run, code } })
      },
    })
    open = { run, socket }
  }

  return {
    send,
    changed(before, after) {
      const { session, pendingEnd } = after
      const speaks = session.name === 'connecting' || isConnected(after)
      if (open && !(speaks && 'run' in session && session.run === open.run)) {
        if (pendingEnd?.now && pendingEnd !== before.pendingEnd) send(END_FRAME)
        open.socket.close(session.name === 'ended' || session.name === 'expired' ? CLOSE.clean : CLOSE.forced)
        open = undefined
      }
      if (session.name !== 'connecting' || open) return
      // Replay from before the first unconfirmed message; after a socket that replayed nothing, request the whole history.
      const { stalls, log } = after.conversation
      const cursor = stalls > 0 ? 0 : resumeFrom(log, sentAfter(after.outbox))
      connect(session.sessionId, session.run, cursor)
    },
  }
}
