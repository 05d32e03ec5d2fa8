// The socket's address, and the only file that knows `ws`. Each socket joins the hub before its replay is read;
// its feed and its intake decide what goes out and what comes in.

import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { CLOSE, MAX_MESSAGE_BYTES, MAX_SOCKETS_PER_SESSION, readRequest } from '../../protocol/index.ts'
import type { Tokens } from '../accounts/tokens.ts'
import type { Clock } from '../clock.ts'
import type { Registry } from '../store-index.ts'
import { createFeed } from './feed.ts'
import type { Hub, WireEvent } from './hub.ts'
import { createIntake, type QueuedFrame } from './intake.ts'
import type { Conversations } from './sessions.ts'

const SILENCE_MS = 600_000
/** How long a socket that was cut may take to close by itself. */
const CUT_MS = 1_000
const RETRY_MS = 2_000
/** A message in more pieces than this is made to cost, not to be read. */
const MAX_FRAGMENTS = 256

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
type Admission = {
  id: string
  sessionId: string
  cursor: number
  isOver: boolean
  warning: WireEvent | undefined
}

export function createSockets(options: SocketsOptions) {
  const { conversations, registry, tokens, hub, clock, uuid, log } = options
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    autoPong: false,
    maxFragments: MAX_FRAGMENTS,
  })
  const open = new Set<WebSocket>()
  let stopping = false

  async function admit(url: URL): Promise<Admission | Refusal> {
    const sessionId = url.searchParams.get('session_id')
    const token = url.searchParams.get('access_token')
    if (!sessionId || !token || !isId(sessionId)) return INVALID
    const claims = await tokens.verify(token)
    if (!claims) return { status: 401, text: 'authentication failed' }
    const row = await conversations.find(sessionId)
    if (!row) return { status: 404, text: 'session not found' }
    if (row.token_id !== claims.tokenId) return { status: 401, text: 'authentication failed' }
    const id = uuid()
    if (!(await registry.addSocket(id, sessionId, options.processId, MAX_SOCKETS_PER_SESSION)))
      return { status: 429, text: 'connection limit exceeded for session' }
    const cursor = readCursor(url.searchParams.get('cursor'))
    return {
      id,
      sessionId,
      // A cursor above the highest sequence is from a later day than the store.
      cursor: cursor < row.next_sequence ? cursor : 0,
      isOver: row.state !== 'active',
      warning: conversations.warning(row),
    }
  }

  async function judge(target: string): Promise<Admission | Refusal> {
    if (stopping) return { status: 503, text: 'the service is stopping' }
    // Two slashes would name a host.
    if (target.startsWith('//') || !URL.canParse(target, 'http://runtime')) return INVALID
    const url = new URL(target, 'http://runtime')
    return url.pathname === '/ws' ? admit(url) : { status: 404, text: 'there is no socket at this address' }
  }

  /** Gives the place of a socket back. A store that is away is asked until it is there: places are few. */
  function giveBack(id: string): void {
    registry.removeSocket(id).catch((error: Error) => {
      log(`the place of a socket could not be given back: ${error.message}`)
      if (!stopping) clock.after(RETRY_MS, () => giveBack(id))
    })
  }

  async function upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): Promise<void> {
    const gone = () => duplex.destroy()
    duplex.on('error', gone)
    try {
      const admission = await judge(request.url ?? '/')
      if ('status' in admission) return refuse(duplex, admission)
      if (duplex.destroyed) return giveBack(admission.id)
      duplex.off('error', gone)
      let served = false
      // What is no WebSocket after all is refused by the library, which tells nobody.
      duplex.once('close', () => {
        if (!served) giveBack(admission.id)
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

  function serve(socket: WebSocket, { id, sessionId, cursor, isOver, warning }: Admission): void {
    open.add(socket)
    const isOpen = () => socket.readyState === socket.OPEN
    const failed = (error: unknown) => {
      log(`a socket failed: ${error instanceof Error ? error.message : 'unknown error'}`)
      socket.close(1011)
    }
    const feed = createFeed({
      cursor,
      read: (after) => conversations.replay(sessionId, after),
      line: {
        isOpen,
        backlog: () => socket.bufferedAmount,
        send: (text, taken) => socket.send(text, taken && (() => taken())),
        close: (code, reason) => socket.close(code, reason),
      },
      head: () => ({
        id: uuid(),
        type: 'EVENT_TYPE_EVENT_BATCH',
        sequence: null,
        timestamp: new Date(clock.now()).toISOString(),
      }),
      failed,
    })
    const intake = createIntake({
      now: clock.now,
      source: socket,
      handle: (frame) => handle(sessionId, frame, feed.write),
      cut() {
        socket.close(CLOSE.policy, 'too many frames')
        socket.pause()
        clock.after(CUT_MS, () => socket.terminate())
      },
      failed,
    })
    const unsubscribe = hub.subscribe(sessionId, (events) => {
      for (const event of events) feed.deliver(event)
    })
    void feed.replay().then((isRead) => {
      if (!isRead) return
      if (isOver) return socket.close(CLOSE.clean)
      if (warning) feed.write(warning)
      intake.start()
    })

    let heard = clock.now()
    let stopWatch = () => {}
    const watch = () => {
      const left = heard + SILENCE_MS - clock.now()
      if (left <= 0) return socket.close(CLOSE.goingAway, 'nothing was heard for 10 minutes')
      stopWatch = clock.after(left, watch)
    }
    watch()

    socket.on('message', (data: Buffer, isBinary) => {
      heard = clock.now()
      intake.take(data.length, () => (isBinary ? undefined : data.toString()))
    })
    // `ws` answers no ping by itself: a flood of them is a flood.
    socket.on('ping', (data: Buffer) => {
      heard = clock.now()
      if (intake.control(data.length) && isOpen()) socket.pong(data)
    })
    socket.on('pong', (data: Buffer) => void intake.control(data.length))
    socket.on('error', () => {
      // A frame that is too large, a broken one: `ws` closes by itself, with the right code.
    })
    socket.on('close', () => {
      open.delete(socket)
      intake.stop()
      unsubscribe()
      stopWatch()
      giveBack(id)
    })
  }

  async function handle(
    sessionId: string,
    { text, dropped }: QueuedFrame,
    answer: (event: WireEvent) => void,
  ): Promise<void> {
    const request =
      text === undefined
        ? { error: 'Unknown event type or invalid message format', custom: undefined }
        : readRequest(text)
    if (dropped)
      return answer(
        conversations.errorOf('Too many messages: the last one was dropped. Slow down.', request.custom),
      )
    if ('error' in request) return answer(conversations.errorOf(request.error, request.custom))
    for (const event of await conversations.receive(sessionId, request.event)) answer(event)
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

/** What an id of ours may look like; the rest cannot be asked for. */
const isId = (text: string): boolean => /^[\x21-\x7e]{1,128}$/.test(text)

const INVALID: Refusal = { status: 400, text: 'invalid connection parameters' }

function refuse(duplex: Duplex, { status, text }: Refusal): void {
  const body = Buffer.from(text)
  duplex.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nCache-Control: no-store\r\n\r\n${text}`,
  )
}
