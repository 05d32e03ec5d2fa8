// The runtime behind a real HTTP server, and a client that is nothing but a bare socket.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { WebSocket } from 'ws'
import { type Agent, createRuntime, type RuntimeOptions } from '../../src/runtime/index.ts'

export type Frame = {
  type: string
  id: string
  sequence: number | null
  timestamp: string
  payload: Record<string, unknown>
  metadata?: { custom: Record<string, string> }
  first_sequence?: number
}

/** Answers with what was said, word by word; some words make it do something else. */
export const echoAgent: Agent = {
  name: 'Echo',
  async *act(turn) {
    yield { type: 'thinking' }
    if (turn.text === 'wait') await turn.sleep(60_000)
    if (turn.text === 'fail') {
      yield { type: 'text', text: 'Half of ' }
      throw new Error('the agent broke')
    }
    if (turn.text === 'bye') {
      yield { type: 'text', text: 'Goodbye' }
      yield { type: 'finish', endConversation: true }
      return
    }
    if (turn.text === 'slow') {
      for (let count = 1; count <= 10; count++) {
        yield { type: 'text', text: `${count}, ` }
        await turn.sleep(50)
      }
      return
    }
    if (turn.text === 'call') {
      yield { type: 'text', text: 'Call us' }
      yield { type: 'finish', callActions: [{ title: 'Call', contact_number: '+15005550006' }] }
      return
    }
    if (turn.text === 'handoff') {
      yield { type: 'handoff', queueName: 'support' }
      yield { type: 'queue', position: 2, waitSeconds: 60 }
      yield { type: 'live-joined', agent: { id: 'sarah', name: 'Sarah' } }
      yield { type: 'live-message', text: 'Hello from Sarah' }
      return
    }
    const words = turn.cause === 'join' ? 'Hello there' : `You said ${turn.text}`
    for (const word of words.split(/(?<= )/)) yield { type: 'text', text: word }
    yield { type: 'finish', suggestions: [{ message_text: 'More' }] }
  },
}

export async function createWorld(options: Partial<RuntimeOptions> = {}) {
  const log: string[] = []
  const runtime = await createRuntime({
    data: 'memory',
    agent: echoAgent,
    connectors: [
      {
        id: 'CON-test0001',
        token: 'connector-secret',
        host: 'shop.example.com',
        accountId: 'ws-test0001',
        projectId: 'PROJECT-test0001',
        environment: 'sandbox',
      },
      {
        id: 'CON-test0002',
        token: 'hostless-secret',
        host: '',
        accountId: 'ws-test0001',
        projectId: 'PROJECT-test0001',
        environment: 'sandbox',
      },
    ],
    log: (line) => log.push(line),
    ...options,
  })
  const listener = getRequestListener((request) => runtime.fetch(request, { address: '127.0.0.1' }))
  const server = createServer((request, response) => void listener(request, response))
  server.on('upgrade', runtime.upgrade)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  const sockets: WebSocket[] = []

  const post = (path: string, headers: Record<string, string>, body?: string) =>
    fetch(base + path, { method: 'POST', headers, ...(body !== undefined && { body }) })
  const JSON_TYPE = { 'content-type': 'application/json' }

  async function accessToken(): Promise<string> {
    const headers = { ...JSON_TYPE, 'x-token': 'connector-secret', 'x-host': 'shop.example.com' }
    const response = await post('/api/v1/access-token', headers, '{}')
    return ((await response.json()) as { access_token: string }).access_token
  }
  async function session(token: string, body: object = { streaming_enabled: true }): Promise<string> {
    const response = await post(
      '/api/v1/sessions',
      { ...JSON_TYPE, authorization: `Bearer ${token}` },
      JSON.stringify(body),
    )
    return ((await response.json()) as { session_id: string }).session_id
  }
  const address = (query: Record<string, string>) =>
    `${base.replace('http', 'ws')}/ws?${new URLSearchParams(query)}`

  /** Opens a socket and reads from it in order. */
  async function connect(sessionId: string, token: string, cursor?: string) {
    const socket = new WebSocket(
      address({ session_id: sessionId, access_token: token, ...(cursor !== undefined && { cursor }) }),
    )
    sockets.push(socket)
    const frames: Frame[] = []
    const waiting: (() => void)[] = []
    const wake = () => {
      for (const resume of waiting.splice(0)) resume()
    }
    let closed: number | undefined
    socket.on('message', (data) => {
      frames.push(JSON.parse(String(data)) as Frame)
      wake()
    })
    socket.on('close', (code) => {
      closed = code
      wake()
    })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))

    /** Resolves when `test` says so of what has come so far. */
    async function until<T>(test: () => T | undefined | false): Promise<T> {
      for (;;) {
        const found = test()
        if (found) return found
        if (closed !== undefined && socket.readyState === socket.CLOSED) {
          const last = test()
          if (last) return last
          throw new Error(
            `the socket was closed (${closed}) after ${frames.map((frame) => frame.type).join(', ')}`,
          )
        }
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    }
    /** All events, those of batches among them. */
    const events = () =>
      frames.flatMap((frame) =>
        frame.type === 'EVENT_TYPE_EVENT_BATCH' ? (frame.payload.events as Frame[]) : [frame],
      )
    return {
      socket,
      frames,
      events,
      until,
      /** The first event of the type that `where` accepts, once it is there. */
      event: (type: string, where: (event: Frame) => boolean = () => true) =>
        until(() => events().find((event) => event.type === type && where(event))),
      closed: () => until(() => closed),
      send: (type: string, payload: object = {}, custom?: Record<string, string>) =>
        socket.send(JSON.stringify({ type, payload, ...(custom && { metadata: { custom } }) })),
      say(text: string, id?: string) {
        this.send(
          'EVENT_TYPE_USER_MESSAGE',
          { text },
          id === undefined ? undefined : { client_event_id: id, local_id: id },
        )
      },
    }
  }

  /** The status and text with which a handshake is refused. */
  const refusal = (query: Record<string, string>) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const socket = new WebSocket(address(query))
      socket.once('open', () => reject(new Error('the handshake was accepted')))
      socket.once('error', () => {})
      socket.once('unexpected-response', (_, response) => {
        let text = ''
        response.on('data', (part) => {
          text += String(part)
        })
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
    })

  return {
    base,
    runtime,
    log,
    post,
    accessToken,
    session,
    connect,
    refusal,
    /** A session with the agent in it. */
    async joined(body?: object) {
      const token = await accessToken()
      const sessionId = await session(token, body)
      const client = await connect(sessionId, token)
      client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
      await client.until(() => client.events().some((event) => isWhole(event)))
      return { token, sessionId, client }
    },
    async close() {
      for (const socket of sockets) socket.terminate()
      await runtime.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** True for the event with which an answer of the agent is complete. */
export const isWhole = (event: Frame): boolean =>
  event.type === 'EVENT_TYPE_POLY_AGENT_MESSAGE' || event.payload.is_complete === true
