// The socket door, and the only file that knows `ws`. Each socket joins the hub first, then reads its replay;
// what happens meanwhile waits behind it, so that nothing is missed, doubled or out of order.

import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { CLOSE, MAX_MESSAGE_BYTES, MAX_SOCKETS_PER_SESSION, readRequest } from '../../protocol/index.ts'
import type { Tokens } from '../accounts/tokens.ts'
import type { Clock } from '../clock.ts'
import type { Registry, SessionRow } from '../store-index.ts'
import type { Hub, WireEvent } from './hub.ts'
import type { Conversations } from './sessions.ts'

const BATCH_EVENTS = 100
const MAX_BACKLOG = 1024 * 1024
const SILENCE_MS = 600_000
const FLOOD_WINDOW_MS = 10_000
const FLOOD_DROP = 100
const FLOOD_CLOSE = 500

export type SocketsOptions = {
  conversations: Conversations
  registry: Registry
  tokens: Tokens
  hub: Hub
  clock: Clock
  processId: string
  uuid: () => string
  log: (line: string) => void
}

/** Why a handshake is refused: a status, and a text that a person can read. */
type Refusal = { status: number; text: string }
type Admission = { id: string; row: SessionRow; cursor: number }

export function createSockets(options: SocketsOptions) {
  const { conversations, registry, tokens, hub, clock, uuid, log } = options
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  })
  const open = new Set<WebSocket>()
  let stopping = false

  async function admit(url: URL): Promise<Admission | Refusal> {
    const sessionId = url.searchParams.get('session_id')
    const token = url.searchParams.get('access_token')
    if (!sessionId || !token) return { status: 400, text: 'invalid connection parameters' }
    const claims = await tokens.verify(token)
    if (!claims) return { status: 401, text: 'authentication failed' }
    const row = await conversations.find(sessionId)
    if (!row) return { status: 404, text: 'session not found' }
    if (row.token_id !== claims.tokenId) return { status: 401, text: 'authentication failed' }
    const id = uuid()
    if (!(await registry.addSocket(id, sessionId, options.processId, MAX_SOCKETS_PER_SESSION)))
      return { status: 429, text: 'connection limit exceeded for session' }
    return { id, row, cursor: readCursor(url.searchParams.get('cursor')) }
  }

  async function upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): Promise<void> {
    const gone = () => duplex.destroy()
    duplex.on('error', gone)
    try {
      const url = new URL(request.url ?? '/', 'http://runtime')
      const admission: Admission | Refusal = stopping
        ? { status: 503, text: 'the service is stopping' }
        : url.pathname === '/ws'
          ? await admit(url)
          : { status: 404, text: 'there is no socket at this address' }
      if ('status' in admission) return refuse(duplex, admission)
      if (duplex.destroyed) return void (await registry.removeSocket(admission.id))
      duplex.off('error', gone)
      let served = false
      // What is no WebSocket after all is refused by the library, which tells nobody.
      duplex.once('close', () => {
        if (!served) void registry.removeSocket(admission.id).catch((error: Error) => log(error.message))
      })
      server.handleUpgrade(request, duplex, head, (socket) => {
        served = true
        serve(socket, admission)
      })
    } catch (error) {
      log(`a handshake failed: ${error instanceof Error ? error.message : 'unknown error'}`)
      refuse(duplex, { status: 500, text: 'the connection could not be made' })
    }
  }

  function serve(socket: WebSocket, { id, row, cursor }: Admission): void {
    const sessionId = row.id
    open.add(socket)
    let sent = cursor
    let replayed = false
    /** What came while the replay was read. */
    const early: WireEvent[] = []
    // Everything on this socket happens one after the other: replay, fills, and the frames of the client.
    let last: Promise<void> = Promise.resolve()
    const inTurn = (task: () => Promise<void> | void) => {
      last = last.then(task).catch((error: unknown) => {
        log(`a socket failed: ${error instanceof Error ? error.message : 'unknown error'}`)
        socket.close(1011)
      })
    }

    function write(frame: object): void {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > MAX_BACKLOG) return socket.close(CLOSE.tryLater, 'the reader is too slow')
      socket.send(JSON.stringify(frame))
    }

    function deliver(event: WireEvent): void {
      if (event.sequence === null) return write(event)
      if (event.sequence <= sent) return
      if (event.sequence > sent + 1) {
        // Another process stored something that has not come by: it is read before what came after it.
        early.push(event)
        inTurn(catchUp)
        return
      }
      sent = event.sequence
      write(event)
      if (event.type === 'EVENT_TYPE_SESSION_END') socket.close(CLOSE.clean)
    }

    async function catchUp(): Promise<void> {
      const missed = await conversations.replay(sessionId, sent)
      const behind = early.splice(0)
      for (const event of [...missed, ...behind]) {
        if (event.sequence !== null && event.sequence <= sent) continue
        if (event.sequence !== null) sent = event.sequence
        write(event)
        if (event.type === 'EVENT_TYPE_SESSION_END') socket.close(CLOSE.clean)
      }
    }

    async function replay(): Promise<void> {
      const events = await conversations.replay(sessionId, cursor)
      // A cursor from a later day than the store's is none: whatever comes is new.
      sent = events.at(-1)?.sequence ?? Math.min(sent, row.next_sequence - 1)
      for (let at = 0; at === 0 || at < events.length; at += BATCH_EVENTS)
        write({
          id: uuid(),
          type: 'EVENT_TYPE_EVENT_BATCH',
          sequence: null,
          timestamp: new Date(clock.now()).toISOString(),
          payload: { events: events.slice(at, at + BATCH_EVENTS) },
        })
      replayed = true
      if (events.some((event) => event.type === 'EVENT_TYPE_SESSION_END') || row.state !== 'active')
        return void socket.close(CLOSE.clean)
      const warning = conversations.warning(row)
      if (warning) write(warning)
      for (const event of early.splice(0)) deliver(event)
    }

    const unsubscribe = hub.subscribe(sessionId, (events) => {
      for (const event of events) {
        if (replayed && early.length === 0) deliver(event)
        else early.push(event)
      }
    })
    inTurn(replay)

    const flood = createFloodGate(clock)
    let heard = clock.now()
    let stopWatch = () => {}
    const watch = () => {
      const left = heard + SILENCE_MS - clock.now()
      if (left <= 0) return socket.close(CLOSE.goingAway, 'nothing was heard for 10 minutes')
      stopWatch = clock.after(left, watch)
    }
    watch()

    socket.on('message', (data, isBinary) => {
      heard = clock.now()
      const verdict = flood()
      if (verdict === 'close') return socket.close(CLOSE.policy, 'too many frames')
      inTurn(async () => {
        const request = isBinary
          ? { error: 'Unknown event type or invalid message format', custom: undefined }
          : readRequest(String(data))
        if (verdict === 'drop')
          return write(
            conversations.errorOf('Too many messages: the last one was dropped. Slow down.', request.custom),
          )
        if ('error' in request) return write(conversations.errorOf(request.error, request.custom))
        for (const answer of await conversations.receive(sessionId, request.event)) write(answer)
      })
    })
    socket.on('error', () => {
      // A frame that is too large, a broken one: `ws` closes by itself, with the right code.
    })
    socket.on('close', () => {
      open.delete(socket)
      unsubscribe()
      stopWatch()
      inTurn(async () => void (await registry.removeSocket(id)))
    })
  }

  return {
    upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
      void upgrade(request, duplex, head)
    },
    /** Says goodbye to every socket and waits until they are gone, at most `ms`. */
    async stop(ms: number): Promise<void> {
      stopping = true
      for (const socket of open) socket.close(CLOSE.goingAway, 'the service restarts')
      const deadline = Date.now() + ms
      while (open.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
      for (const socket of open) socket.terminate()
      server.close()
    },
  }
}

/** A number, or `seq:<number>`. Anything unreadable counts as 0: the connection is never refused for it. */
export function readCursor(text: string | null): number {
  const [, digits] = /^(?:seq:)?(\d{1,15})$/.exec(text ?? '') ?? []
  return digits === undefined ? 0 : Number(digits)
}

/** Counts the frames of the last ten seconds. */
function createFloodGate(clock: Clock): () => 'pass' | 'drop' | 'close' {
  let times: number[] = []
  return () => {
    const now = clock.now()
    times = times.filter((time) => time > now - FLOOD_WINDOW_MS)
    times.push(now)
    if (times.length > FLOOD_CLOSE) return 'close'
    return times.length > FLOOD_DROP ? 'drop' : 'pass'
  }
}

function refuse(duplex: Duplex, { status, text }: Refusal): void {
  const body = Buffer.from(text)
  duplex.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nCache-Control: no-store\r\n\r\n${text}`,
  )
}
