// The service that all contestants talk to: over the socket in our own protocol, which the floor and the peers without an endpoint of
// their own read too; over HTTP in the protocol of each peer that brings one. It says what the bench tells it to.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Line, lineOf, piecesOf } from './words.ts'

/** As the runtime replays a session: in batches of so many bytes, each awaited. */
const BATCH_BYTES = 16 * 1024
const CHUNK = 10

/** `chunksPerSecond`: undefined for as fast as it is taken. */
export type Answer = { text: string; chunksPerSecond?: number | undefined }

export type Double = Awaited<ReturnType<typeof startDouble>>

export async function startDouble() {
  const sockets = new Set<WebSocket>()
  let sequence = 0
  let answers = 0
  /** Messages of the session that the next contestant opens. */
  let history = 0
  let given: Answer = { text: '' }
  let firstSent = 0

  const event = (type: string, payload: object, more: object = {}) => ({
    type: `EVENT_TYPE_${type}`,
    id: `e${++sequence}`,
    sequence,
    timestamp: new Date().toISOString(),
    payload,
    ...more,
  })
  const messageOf = ({ role, text }: Line) => {
    const payload = { text, message_id: `m${sequence + 1}` }
    return role === 'visitor' ? event('USER_MESSAGE', payload) : event('POLY_AGENT_MESSAGE', payload)
  }
  const say = (frame: object) => {
    for (const socket of sockets) socket.send(JSON.stringify(frame))
  }

  /** Calls `each` for every chunk in its time, and resolves after the last. */
  async function paced(each: (piece: string, isLast: boolean) => void): Promise<void> {
    const pieces = piecesOf(given.text, CHUNK)
    const begun = performance.now()
    for (let sent = 0; sent < pieces.length; ) {
      const due =
        given.chunksPerSecond === undefined
          ? pieces.length
          : Math.min(pieces.length, Math.floor(((performance.now() - begun) / 1_000) * given.chunksPerSecond))
      for (; sent < due; sent++) each(pieces[sent] ?? '', sent === pieces.length - 1)
      if (sent < pieces.length) await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }

  async function replay(socket: WebSocket): Promise<void> {
    const taken = (events: object[]) =>
      new Promise<void>((resolve) =>
        socket.send(JSON.stringify({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events } }), () => resolve()),
      )
    const capabilities = { streaming: true, stop: true, feedback: true, csat: true }
    let events: object[] = [event('SESSION_START', { capabilities })]
    if (history > 0) events.push(event('POLY_AGENT_JOINED', { agent_name: 'Ada' }))
    let bytes = 0
    firstSent = Date.now()
    for (let n = 1; n <= history; n++) {
      const made = messageOf(lineOf(n))
      events.push(made)
      bytes += JSON.stringify(made).length
      if (bytes < BATCH_BYTES) continue
      await taken(events)
      events = []
      bytes = 0
    }
    if (events.length > 0) await taken(events)
  }

  const http = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
    response.setHeader('access-control-allow-headers', '*, authorization, content-type, x-request-from')
    if (request.method === 'OPTIONS') return void response.end()
    void answer(request, response)
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const json = (body: unknown) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    const stream = async (type: string, head: string, line: (piece: string) => string, tail: string) => {
      response.setHeader('content-type', type)
      response.write(head)
      await paced((piece) => response.write(line(piece)))
      response.end(tail)
    }
    const body = await textOf(request)
    if (pathname.endsWith('/access-token'))
      return json({ access_token: 'a.b.c', token_type: 'Bearer', expires_in: 86_400 })
    if (pathname.endsWith('/sessions')) return json({ session_id: `session-${++answers}` })
    if (pathname === '/lines') {
      firstSent = Date.now()
      return json(Array.from({ length: history }, (_, index) => lineOf(index + 1)))
    }
    if (pathname === '/deep-chat')
      return stream('text/event-stream', '', (text) => `data: ${JSON.stringify({ text })}\n\n`, '')
    if (pathname === '/n8n') {
      if (JSON.parse(body).action === 'loadPreviousSession') {
        firstSent = Date.now()
        return json({
          data: Array.from({ length: history }, (_, index) => {
            const { role, text } = lineOf(index + 1)
            return { id: [role === 'visitor' ? 'HumanMessage' : 'AIMessage'], kwargs: { content: text } }
          }),
        })
      }
      const metadata = { nodeId: 'agent', nodeName: 'Agent', timestamp: 0, runIndex: 0, itemIndex: 0 }
      const line = (type: string, content?: string) => `${JSON.stringify({ type, content, metadata })}\n`
      return stream('text/plain', line('begin'), (piece) => line('item', piece), line('end'))
    }
    if (pathname.startsWith('/api/v1/prediction/')) {
      const line = (name: string, data: string) =>
        `message:\ndata:${JSON.stringify({ event: name, data })}\n\n`
      return stream(
        'text/event-stream',
        line('start', ''),
        (piece) => line('token', piece),
        line('end', '[DONE]'),
      )
    }
    if (pathname.startsWith('/api/v1/chatflows-streaming/')) return json({ isStreaming: true })
    json({})
  }

  new WebSocketServer({ server: http }).on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', (data) => {
      const { type, payload, metadata } = JSON.parse(String(data))
      if (type === 'EVENT_TYPE_HEARTBEAT') socket.send(JSON.stringify({ type, metadata }))
      if (type === 'EVENT_TYPE_USER_MESSAGE')
        say(event('USER_MESSAGE', { ...payload, message_id: `m${sequence + 1}` }, { metadata }))
      if (type === 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN') {
        say(event('REQUEST_POLY_AGENT_JOIN', {}))
        say(event('POLY_AGENT_JOINED', { agent_name: 'Ada' }))
      }
    })
    void replay(socket)
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    /** Prepares for a contestant: how many messages its session has. */
    prepare(messages: number): void {
      for (const socket of sockets) socket.terminate()
      sockets.clear()
      history = messages
      firstSent = 0
      sequence = 0
    },
    /** What is answered from now on. */
    setAnswer(next: Answer): void {
      given = next
    },
    /** When the first batch of the history was sent, in milliseconds since 1970. */
    firstSent: () => firstSent,
    /** Whether a contestant listens on the socket. */
    isHeard: () => sockets.size > 0,
    /** Streams an answer over the socket. */
    async stream(): Promise<void> {
      const id = `answer-${++answers}`
      let index = 0
      await paced((text, is_complete) =>
        say(event('POLY_AGENT_MESSAGE_CHUNK', { message_id: id, text, chunk_index: ++index, is_complete })),
      )
    },
    /** Says message `n` over the socket, as the agent. */
    say: (n: number) => say(messageOf({ ...lineOf(n), role: 'agent' })),
    close() {
      for (const socket of sockets) socket.terminate()
      http.close()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += part
  return text
}
