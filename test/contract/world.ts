// The runtime behind a real HTTP server, and a client that is nothing but a bare socket.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { WebSocket } from 'ws'
import { createSimulatedCarrier, type Device } from '../../src/carriers/index.ts'
import { type Agent, type RuntimeOptions, systemClock } from '../../src/runtime/index.ts'
import { createCheck } from './described.ts'
import { createRuntimes } from './several.ts'
import { newData } from './store.ts'

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
    if (turn.text === 'slow' || turn.text === 'slow, with a pause') {
      for (let count = 1; count <= 10; count++) {
        yield { type: 'text', text: `${count}, ` }
        // Each word in a write of its own.
        await turn.sleep(count === 2 && turn.text !== 'slow' ? 3_000 : 110)
      }
      return
    }
    if (turn.text === 'call') {
      yield { type: 'text', text: 'Call us' }
      yield {
        type: 'finish',
        attachments: [
          { content_type: 'ATTACHMENT_CONTENT_TYPE_URL', content_url: 'https://example.com/call' },
        ],
        suggestions: [{ message_text: 'Later' }],
        callActions: [{ title: 'Call', contact_number: '+15005550006' }],
      }
      return
    }
    if (turn.text === 'letters') {
      for (const letter of 'One letter at a time') yield { type: 'text', text: letter }
      return
    }
    if (turn.text.startsWith('desk')) {
      yield { type: 'text', text: 'One moment' }
      yield { type: 'finish' }
      const data = { customer: { number: 17 }, words: turn.text }
      yield {
        type: 'handoff',
        queueName: 'support',
        reason: 'asked for it',
        sharedId: turn.text.slice(5),
        data,
      }
      return
    }
    if (turn.text === 'route') {
      const data = { page: '/contact' }
      yield { type: 'handoff-client', reason: 'POLICY', queueName: 'branch', route: '/contact', data }
      return
    }
    if (turn.text === 'write') {
      yield { type: 'metric', name: 'resolved', value: 'yes' }
      yield { type: 'metric', name: 'step', value: 'first' }
      yield { type: 'metric', name: 'step', value: 'second' }
      yield { type: 'metric', name: 'step', value: 'third' }
      yield { type: 'remember', memory: { booking: { seats: 2 }, step: 'done' } }
      yield {
        type: 'understood',
        intents: ['book', 'table'],
        entities: [{ seats: '2', day: ['monday', 'tuesday'] }],
        outOfDomain: true,
        translatedInput: 'write, in English',
        englishResponse: 'Written, in English',
      }
      yield { type: 'text', text: 'Written' }
      return
    }
    if (turn.text === 'rich') {
      yield { type: 'text', text: 'See **this**' }
      yield {
        type: 'finish',
        attachments: Array.from({ length: 12 }, (_, index) => ({
          content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const,
          content_url: `https://example.com/${index}`,
          title: `Card ${index}`,
        })),
        suggestions: ['a', 'b', 'c', 'd'].map((message_text) => ({ message_text })),
      }
      return
    }
    if (turn.text === 'card') {
      const card = {
        content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const,
        content_url: 'https://example.com/1',
        title: 'A card',
      }
      yield { type: 'finish', attachments: [card] }
      return
    }
    if (turn.text === 'history') {
      yield { type: 'text', text: JSON.stringify(turn.history.map(({ role, text }) => ({ role, text }))) }
      return
    }
    if (turn.text === 'deutsch') yield { type: 'language', code: 'de-DE' }
    if (turn.text === 'attributes') {
      yield { type: 'text', text: JSON.stringify(turn.attributes) }
      return
    }
    const words = turn.trigger === 'join' ? 'Hello there' : `You said ${turn.text}`
    for (const word of words.split(/(?<= )/)) yield { type: 'text', text: word }
    yield { type: 'finish', suggestions: [{ message_text: 'More' }] }
  },
}

/** Every kind of key there is. */
export const KEYS: NonNullable<RuntimeOptions['keys']> = [
  { id: 'KEY-all00001', accountId: 'ws-test0001', secret: 'all-key' },
  { id: 'KEY-proj0001', accountId: 'ws-test0001', projectId: 'PROJECT-test0001', secret: 'project-key' },
  { id: 'KEY-twin0001', accountId: 'ws-test0001', projectId: 'PROJECT-twin0001', secret: 'twin-key' },
  { id: 'KEY-othr0001', accountId: 'ws-othr0001', secret: 'other-key' },
  { id: 'KEY-none0001', accountId: 'ws-test0001', permissions: [], secret: 'powerless-key' },
  {
    id: 'KEY-conv0001',
    accountId: 'ws-test0001',
    permissions: ['conversations'],
    secret: 'conversations-key',
  },
  { id: 'KEY-anal0001', accountId: 'ws-test0001', permissions: ['analytics'], secret: 'analytics-key' },
  { id: 'KEY-regn0001', accountId: 'ws-test0001', region: 'us-1', secret: 'us-key' },
  { id: 'KEY-buil0001', accountId: 'ws-test0001', kind: 'build', secret: 'build-key' },
  {
    id: 'KEY-call0001',
    accountId: 'ws-test0001',
    kind: 'calling',
    connectorId: 'CON-test0001',
    secret: 'calling-token',
  },
  {
    id: 'KEY-call0002',
    accountId: 'ws-test0001',
    kind: 'calling',
    connectorId: 'CON-live0001',
    secret: 'no-calling',
  },
  {
    id: 'KEY-call0003',
    accountId: 'ws-othr0001',
    kind: 'calling',
    connectorId: 'CON-othr0001',
    secret: 'other-calling',
  },
  {
    id: 'KEY-call0005',
    accountId: 'ws-test0001',
    kind: 'calling',
    connectorId: 'CON-twin0001',
    secret: 'twin-calling',
  },
  {
    id: 'KEY-call0004',
    accountId: 'ws-test0001',
    kind: 'calling',
    connectorId: 'CON-test0001',
    region: 'us-1',
    secret: 'us-calling',
  },
]

export const NUMBER = '+15005550006'

export const PROJECTS: NonNullable<RuntimeOptions['projects']> = [
  {
    id: 'PROJECT-test0001',
    slug: 'shop',
    accountId: 'ws-test0001',
    accountSlug: 'larkspur',
    variants: [
      { id: 'VAR-1', name: 'Calm voice' },
      { id: 'VAR-2', name: 'Quick voice' },
    ],
    smsPerMinute: 1_000,
    callsPerMinute: 1_000,
    senders: [
      { environment: 'pre-release', kind: 'rcs', address: 'MG-early001' },
      { environment: 'pre-release', kind: 'sms', address: '+15005550005' },
      { environment: 'sandbox', kind: 'sms', address: NUMBER },
      { environment: 'sandbox', kind: 'sms', address: '+15005550007' },
      { environment: 'sandbox', kind: 'rcs', address: 'MG-test0001' },
    ],
  },
  { id: 'PROJECT-twin0001', slug: 'twin', accountId: 'ws-test0001', accountSlug: 'larkspur' },
  { id: 'PROJECT-othr0001', slug: 'shop', accountId: 'ws-othr0001', accountSlug: 'juniper' },
]

/** Numbers of phones with RCS, and of others that talk by SMS alone: one for each test that wants one. */
export const richNumber = (index: number) => `+15005570${String(index).padStart(3, '0')}`
export const plainNumber = (index: number) => `+15005580${String(index).padStart(3, '0')}`

const DEVICES: Readonly<Record<string, Partial<Device>>> = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [richNumber(index), { rcs: true }]),
)
const TALKERS: Readonly<Record<string, Partial<Device>>> = {
  '+15005550010': { script: ['Hello', '', 'bye'] },
  '+15005551001': { script: ['attributes', 'bye'] },
}

/** What is read from a socket, in order, from before it is open. */
export function clientOn(socket: WebSocket) {
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

export type WorldOptions = Partial<RuntimeOptions> & {
  /** Milliseconds that a phone rings. */
  ringMs?: number
}

export async function createWorld({ ringMs = 0, ...options }: WorldOptions = {}) {
  const log: string[] = []
  const clock = options.clock ?? systemClock
  const carrier = createSimulatedCarrier({
    clock,
    uuid: () => crypto.randomUUID(),
    delayMs: 0,
    ringMs,
    devices: { ...DEVICES, ...TALKERS },
  })
  const { runtime, next } = await createRuntimes({
    data: options.data ?? (await newData()),
    agent: echoAgent,
    region: 'euw-1',
    carrier,
    projects: PROJECTS,
    keys: KEYS,
    connectors: [
      {
        id: 'CON-test0001',
        token: 'connector-secret',
        host: 'shop.example.com',
        accountId: 'ws-test0001',
        projectId: 'PROJECT-test0001',
        environment: 'sandbox',
        outboundCalling: true,
      },
      {
        id: 'CON-live0001',
        token: 'live-secret',
        host: 'shop.example.com',
        accountId: 'ws-test0001',
        projectId: 'PROJECT-test0001',
        environment: 'live',
      },
      {
        id: 'CON-othr0001',
        token: 'other-secret',
        host: 'other.example.com',
        accountId: 'ws-othr0001',
        projectId: 'PROJECT-othr0001',
        environment: 'live',
        outboundCalling: true,
      },
      {
        id: 'CON-twin0001',
        token: 'twin-secret',
        host: 'twin.example.com',
        accountId: 'ws-test0001',
        projectId: 'PROJECT-twin0001',
        environment: 'live',
        outboundCalling: true,
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
    // The texts of other tests are those of the agent alone.
    disclosure: 'off',
    log: (line) => log.push(line),
    ...options,
  })
  const listener = getRequestListener((request) => next().fetch(request, { address: '127.0.0.1' }))
  const server = createServer((request, response) => void listener(request, response))
  server.on('upgrade', (...upgrade) => next().upgrade(...upgrade))
  server.on('clientError', (...unreadable) => next().clientError(...unreadable))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  const sockets: WebSocket[] = []

  const document = await (await fetch(`${base}/openapi.json`)).json()
  const check = createCheck(document as Parameters<typeof createCheck>[0])
  /** Asks, and holds the answer against the service's own description. */
  async function checkedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const request = new Request(input, init)
    const response = await fetch(request)
    await check(request.method, new URL(request.url).pathname, response)
    return response
  }
  const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    checkedFetch(base + path, { method, headers, ...(body !== undefined && { body }) })
  const post = (path: string, headers: Record<string, string>, body?: string) =>
    ask('POST', path, headers, body)
  const get = (path: string, headers: Record<string, string> = { 'x-api-key': 'all-key' }) =>
    ask('GET', path, headers)
  const JSON_TYPE = { 'content-type': 'application/json' }

  async function accessToken(connectorToken = 'connector-secret'): Promise<string> {
    const host = connectorToken === 'other-secret' ? 'other.example.com' : 'shop.example.com'
    const headers = { ...JSON_TYPE, 'x-token': connectorToken, 'x-host': host }
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
    const client = clientOn(socket)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return client
  }

  /** The status with which a handshake is refused, what its body says, and its correlation id. */
  const refusal = (query: Record<string, string>, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; error: unknown; correlation: unknown }>((resolve, reject) => {
      const socket = new WebSocket(address(query), { headers })
      socket.once('open', () => reject(new Error('the handshake was accepted')))
      socket.once('error', () => {})
      socket.once('unexpected-response', (_, response) => {
        let text = ''
        response.on('data', (part) => {
          text += String(part)
        })
        response.on('end', () => {
          const isJson = response.headers['content-type'] === 'application/json'
          resolve({
            status: response.statusCode,
            error: isJson ? (JSON.parse(text) as { error: unknown }).error : undefined,
            correlation: response.headers['x-svc-correlation-id'],
          })
        })
      })
    })

  return {
    base,
    runtime,
    /** The desk of the project that most connectors belong to. */
    desk: runtime.desk('PROJECT-test0001'),
    log,
    clock,
    carrier,
    fetch: checkedFetch,
    ask,
    post,
    get,
    accessToken,
    session,
    connect,
    refusal,
    /** A whole chat: joined, each text answered, and ended unless it is to stay open. */
    async chat(texts: readonly string[], { token = 'connector-secret', open = false } = {}) {
      const access = await accessToken(token)
      const sessionId = await session(access, { streaming_enabled: false })
      const client = await connect(sessionId, access)
      const answers = () => client.events().filter(isWhole).length
      client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
      await client.until(() => answers() > 0)
      for (const text of texts) {
        const before = answers()
        client.say(text)
        await client.until(() => answers() > before)
      }
      if (!open) {
        client.send('EVENT_TYPE_USER_END_SESSION')
        await client.event('EVENT_TYPE_SESSION_END')
      }
      return { sessionId, client, token: access }
    },
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

/** All that came in chunks so far, as one text. */
export const chunkedText = (client: { events(): readonly Frame[] }): string =>
  client
    .events()
    .filter(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK')
    .map(({ payload }) => String(payload.text))
    .join('')
