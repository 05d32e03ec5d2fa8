// Accepts sockets; the only file that imports `ws`. Each socket joins the hub before its replay is read;
// its feed and its intake decide what goes out and what comes in.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { correlationOf, type LogFailure, type Meter, traced, withCorrelation } from '../../../api/index.ts'
import { CLOSE, idOf, MAX_MESSAGE_BYTES, readRequest } from '../../../protocol/index.ts'
import { atMost, type Clock } from '../../clock.ts'
import { whileUnreachable } from '../../database/index.ts'
import { endWithProblem, refusedRequest } from '../../http/index.ts'
import { eventsOf, type Hub, type WireEvent } from '../hub.ts'
import { receiveClientEvent } from '../input.ts'
import { removeSocket, restoreSockets } from '../socket-store.ts'
import { createFeed } from './feed.ts'
import { type Admission, type AdmissionOptions, admit, type HandshakeError } from './handshake.ts'
import { createIntake, type QueuedFrame } from './intake.ts'
import type { Presence } from './presence.ts'
import { spread } from './spread.ts'

const SILENCE_MS = 600_000
/** How long a closing socket may take before it is destroyed. */
const CUT_MS = 1_000
/** How long the socket of an ended session waits for a rating. */
const LATE_RATING_MS = 4_000
const RETRY_MS = 2_000
/** How long a client may take to answer the close, until its socket is destroyed. */
const DRAIN_CUT_MS = 2_000
/** A message in more fragments than this is an attack. */
const MAX_FRAGMENTS = 256

export type SocketsOptions = AdmissionOptions & {
  hub: Hub
  presence: Presence
  clock: Clock
  headerPrefix: string
  meter: Meter
  logFailure: LogFailure
}

export interface Sockets {
  /** For the `upgrade` event of a Node server. */
  upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void
  /** Registers the open sockets again, after the process had been removed from the list of processes. */
  register(): Promise<void>
  /**
   * Takes no more sockets, and closes the open ones with 1001 in random order: at most a tenth of them (or one) in a second, unless all
   * of them would not be closed within `ms` then. Resolves when all are gone.
   */
  drain(ms: number): Promise<void>
  /** Closes every socket with 1001 and waits until they are gone, at most `ms`. */
  stop(ms: number): Promise<void>
}

export function createSockets(options: SocketsOptions): Sockets {
  const { database, places, clock, headerPrefix, processId, uuid, logFailure, meter } = options
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    autoPong: false,
    maxFragments: MAX_FRAGMENTS,
  })
  /** Open sockets, with the place that each has in its session. */
  const openSockets = new Map<WebSocket, { id: string; sessionId: string }>()
  let stopping = false
  meter.gauge('foyer_sockets', () => openSockets.size)

  /** Gives the place of a socket back. Retries until the store is reachable, since a session has few places. */
  function giveBack(id: string): void {
    removeSocket(database, id).catch((error: unknown) => {
      logFailure('could not give back the place of a socket', error)
      if (!stopping) clock.after(RETRY_MS, () => giveBack(id))
    })
  }

  async function upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): Promise<void> {
    const gone = () => duplex.destroy()
    duplex.on('error', gone)
    const correlation = correlationOf(refusedRequest(request, headerPrefix).correlation) ?? uuid()
    const refuse = (error: HandshakeError) => {
      meter.count('foyer_handshakes_total', 1, { outcome: `${error.status}` })
      if (error.status === 429) meter.count('foyer_limited_total', 1, { limit: 'sockets' })
      // Whatever the address was: a client of sockets reads the errors of chats.
      endWithProblem(duplex, { code: 'HANDSHAKE_REFUSED', ...error }, { path: '', correlation, headerPrefix })
    }
    if (stopping) {
      // A proxy that gets no answer asks another process. A refusal it would hand to the client, which takes it for one of its session.
      meter.count('foyer_handshakes_total', 1, { outcome: 'stopping' })
      gone()
      return
    }
    try {
      const admission = await admit(options, request.url ?? '/')
      if ('status' in admission) return refuse(admission)
      const giveUp = () => {
        meter.count('foyer_handshakes_total', 1, { outcome: 'given up' })
        giveBack(admission.id)
      }
      if (duplex.destroyed) return giveUp()
      duplex.off('error', gone)
      let served = false
      // `ws` refuses a request that is not a WebSocket handshake, without a callback.
      duplex.once('close', () => {
        if (!served) giveUp()
      })
      server.handleUpgrade(request, duplex, head, (socket) => {
        served = true
        meter.count('foyer_handshakes_total', 1, { outcome: 'accepted' })
        openSockets.set(socket, { id: admission.id, sessionId: admission.sessionId })
        socket.on('close', () => {
          openSockets.delete(socket)
          giveBack(admission.id)
        })
        serve(options, socket, admission, correlation)
      })
    } catch (error) {
      logFailure('a handshake failed', error)
      refuse({ status: 500, text: 'the connection could not be made' })
    }
  }

  const closedAll = () =>
    Promise.all(
      [...openSockets.keys()].map(
        (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
      ),
    )
  const restart = (socket: WebSocket) => socket.close(CLOSE.goingAway, 'the service restarts')

  return {
    upgrade(request, duplex, head) {
      void upgrade(request, duplex, head)
    },
    async register() {
      // One that is closing may have lost its place.
      const sockets = [...openSockets].filter(([socket]) => socket.readyState === socket.OPEN)
      await restoreSockets(
        database,
        sockets.map(([, place]) => ({ ...place, processId })),
      )
      places.restored()
      // One that closed meanwhile was not in the store yet when it gave its place back.
      for (const [socket, { id }] of sockets) if (!openSockets.has(socket)) giveBack(id)
    },
    async drain(ms) {
      stopping = true
      const allClosed = closedAll()
      // Their ids are random.
      const sockets = [...openSockets].sort(([, one], [, other]) => (one.id < other.id ? -1 : 1))
      await spread(sockets, ms, clock, ([socket]) => {
        restart(socket)
        clock.after(DRAIN_CUT_MS, () => socket.terminate())
      })
      await allClosed
    },
    async stop(ms) {
      stopping = true
      const allClosed = closedAll()
      for (const socket of openSockets.keys()) restart(socket)
      await atMost(clock, ms, allClosed)
      for (const socket of openSockets.keys()) socket.terminate()
      server.close()
    },
  }
}

/** Joins an open socket with its session: what was stored goes out first, then what happens; what comes in is counted and handled. */
function serve(
  { sessions, transient, hub, presence, places, clock, uuid, logFailure, meter }: SocketsOptions,
  socket: WebSocket,
  { id, sessionId, cursor, hasEnded, mayRate, warning }: Admission,
  correlation: string,
): void {
  const client = presence.opened(sessionId, id)
  const giveUpPlace = places.hold(id, () =>
    socket.close(CLOSE.tryLater, 'a later socket has the place of this one'),
  )
  const isOpen = () => socket.readyState === socket.OPEN
  const failed = (error: unknown) => {
    logFailure('a socket failed', error)
    socket.close(1011)
  }
  const feed = createFeed({
    cursor,
    read: (after) => whileUnreachable(clock, () => sessions.replay(sessionId, after)),
    sink: {
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
    refused: () => meter.count('foyer_limited_total', 1, { limit: 'frames' }),
    handle: (frame) =>
      withCorrelation(correlation, () =>
        handle({ sessions, transient, clock }, sessionId, frame, feed.write),
      ),
    cut() {
      socket.close(CLOSE.policy, 'too many frames')
      socket.pause()
      clock.after(CUT_MS, () => socket.terminate())
    },
    failed,
  })
  const unsubscribe = hub.subscribe(
    sessionId,
    (told) => {
      for (const event of eventsOf(told)) feed.deliver(event)
      if ('storedUpTo' in told) feed.reach(told.storedUpTo)
    },
    () => socket.close(CLOSE.unknownSession, 'the conversation was erased'),
  )
  void feed.replay().then((isRead) => {
    if (!isRead) return
    if (hasEnded && !mayRate) return socket.close(CLOSE.clean)
    // A client that reconnects after the end may still send a rating, for a short time.
    if (hasEnded) clock.after(LATE_RATING_MS, () => socket.close(CLOSE.clean))
    if (warning) feed.write(warning)
    intake.start()
  })

  let stopWatch = () => {}
  const watch = () => {
    const silenceLeft = client.heardAt() + SILENCE_MS - clock.now()
    if (silenceLeft <= 0) return socket.close(CLOSE.goingAway, 'nothing was heard for 10 minutes')
    stopWatch = clock.after(silenceLeft, watch)
  }
  watch()

  socket.on('message', (data: Buffer, isBinary) => {
    client.heard()
    intake.take(data.length, () => (isBinary ? undefined : data.toString()))
  })
  // `ws` must not answer pings itself, so that a flood of them is counted.
  socket.on('ping', (data: Buffer) => {
    client.heard()
    if (intake.control(data.length) && isOpen()) socket.pong(data)
  })
  socket.on('pong', (data: Buffer) => void intake.control(data.length))
  socket.on('error', () => {
    // After a frame that is too large or malformed `ws` closes the socket itself, with the right code.
  })
  socket.on('close', () => {
    intake.stop()
    unsubscribe()
    stopWatch()
    client.closed()
    giveUpPlace()
  })
}

async function handle(
  { sessions, transient, clock }: Pick<SocketsOptions, 'sessions' | 'transient' | 'clock'>,
  sessionId: string,
  { text, dropped }: QueuedFrame,
  answer: (event: WireEvent) => void,
): Promise<void> {
  const request =
    text === undefined
      ? { error: 'Unknown event type or invalid message format', custom: undefined }
      : readRequest(text)
  if (dropped)
    return answer(transient.error('Too many messages: some were dropped. Slow down.', request.custom))
  if ('error' in request) return answer(transient.error(request.error, request.custom))
  const { event } = request
  const receive = () => receiveClientEvent(sessions, transient, sessionId, event)
  // A message without an id would be stored twice if the connection broke after it was stored.
  const mayRepeat = event.type !== 'EVENT_TYPE_USER_MESSAGE' || idOf(event.metadata?.custom) !== undefined
  const store = () => (mayRepeat ? whileUnreachable(clock, receive) : receive())
  const answers =
    event.type === 'EVENT_TYPE_USER_MESSAGE' ? traced('message', { 'foyer.family': 'chat' }, store) : store()
  for (const answered of await answers) answer(answered)
}
