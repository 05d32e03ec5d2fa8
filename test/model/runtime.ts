// The real runtime on PGlite in the place of the service double. Its sockets and requests run inside this process, and
// the hand-turned clock waits until none of its statements, requests and handshakes is under way.

import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { type Agent, createRuntime, type Database } from '../../src/runtime/index.ts'
import { migratedPglite } from '../contract/template.ts'
import { RUNTIME } from './schedules.ts'
import type { Connection, End, Frame, Service, Session } from './service.ts'
import { START, type Time } from './time.ts'

const CONNECTOR = { token: 'connector-secret', host: 'site.example.com' }
const TOKEN_LIFE = 86_400_000
/** The runtime sweeps each second. Minutes that pass in a schedule need it less often. */
const SWEEP = 1_000
const RARER = 5

/** Turns of the event loop without a move before nothing is under way: what crosses a stream in memory takes a few. */
const QUIET_TURNS = 8

export type Rest = { begin(): void; end(): void; settle(): Promise<void> }

/** Counts what is under way; `settle` resolves once nothing has been for a while, however long a statement takes. */
export function createRest(): Rest {
  const macrotask = globalThis.setImmediate
  let underWay = 0
  let moves = 0
  let waiting: (() => void)[] = []
  const done = () => new Promise<void>((resolve) => waiting.push(resolve))
  return {
    begin() {
      underWay++
      moves++
    },
    end() {
      underWay--
      moves++
      if (underWay > 0) return
      for (const resolve of waiting) resolve()
      waiting = []
    },
    async settle() {
      for (let quiet = 0, seen = moves; quiet < QUIET_TURNS; quiet++) {
        if (underWay > 0) await done()
        await new Promise((resolve) => macrotask(resolve))
        if (underWay > 0 || moves !== seen) quiet = 0
        seen = moves
      }
    },
  }
}

export type RuntimeService = Service & {
  dial(
    sessionId: string,
    token: string,
    cursor: number,
    connection: (session: Session) => Connection,
  ): Promise<{ session: Session; end: End } | undefined>
  /** Reads what the store holds, for the oracle. */
  load(): Promise<void>
  close(): Promise<void>
}

/** `slowly`: what each statement waits for, in life's time, before the database gets it. */
export async function createRuntimeService(
  time: Time,
  rest: Rest,
  random: () => number,
  slowly: () => Promise<unknown> = async () => {},
): Promise<RuntimeService> {
  const during = async <T>(work: Promise<T>): Promise<T> => {
    rest.begin()
    try {
      return await work
    } finally {
      rest.end()
    }
  }
  const store = await migratedPglite()
  const database: Database = {
    query: (...given) => during(slowly().then(() => store.query(...given))) as Promise<never>,
    script: (sql) => during(slowly().then(() => store.script(sql))),
    transaction: (run) =>
      during(
        slowly().then(() =>
          store.transaction(async (tx) => {
            await slowly()
            return run(tx)
          }),
        ),
      ),
    close: () => store.close(),
  }
  let answers = 0
  const agent: Agent = {
    name: 'Ada',
    async *act(turn) {
      const words = [
        `A${++answers}: `,
        ...Array.from({ length: 1 + Math.floor(random() * 6) }, (_, i) => `w${i} `),
      ]
      const pause = random() < 0.3 ? 0 : random() * 150
      if (turn.text.startsWith('ask')) {
        const title = `A${++answers}: Sure?`
        const choices = { confirm: `confirm ${answers}`, cancel: `cancel ${answers}` }
        yield { type: 'confirm', id: `${answers}`, title, summary: '', ...choices }
        return
      }
      yield { type: 'thinking' }
      await turn.sleep(20 + random() * 400)
      for (const text of words) {
        yield { type: 'text', text }
        if (pause > 0) await turn.sleep(pause)
      }
      yield { type: 'finish' }
    },
  }
  const project = { id: 'PROJECT-test0001', accountId: 'ws-test0001' }
  const runtime = await createRuntime({
    data: { database },
    agent,
    projects: [{ ...project, slug: 'shop', accountSlug: 'larkspur' }],
    connectors: [
      {
        id: 'CON-test0001',
        ...CONNECTOR,
        accountId: project.accountId,
        projectId: project.id,
        environment: 'sandbox',
      },
    ],
    clock: {
      now: () => START + time.now(),
      after: (ms, fn) => time.after(ms === SWEEP ? RARER * SWEEP : ms, fn),
    },
  })
  const server = createServer()
  server.on('upgrade', runtime.upgrade)
  const sessions = new Map<string, Session>()
  const tokens = new Map<string, number>()
  const open = new Set<WebSocket>()

  async function post(path: string, headers: Record<string, string>, body: object): Promise<unknown> {
    const request = new Request(`http://runtime.test${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const response = await during(runtime.fetch(request, { address: '127.0.0.1' }))
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return during(response.json())
  }

  async function dial(
    sessionId: string,
    token: string,
    cursor: number,
    connectionOf: (session: Session) => Connection,
  ) {
    const session = sessions.get(sessionId)
    if (!session) return undefined
    const query = new URLSearchParams({ session_id: sessionId, access_token: token, cursor: String(cursor) })
    const [near, far] = duplexPair(rest)
    server.emit('connection', far)
    const socket = new WebSocket(`ws://runtime.test/ws?${query}`, { createConnection: () => near as never })
    let connection: Connection | undefined
    let left = false
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(String(data)) as Frame
      if (typeof frame.sequence === 'number') session.events.push(frame as Session['events'][number])
      const events = (frame.payload.events ?? [frame]) as Frame[]
      for (const each of events) if (each.type === 'EVENT_TYPE_SESSION_END') close(session, each)
      const isLive = frame.type !== 'EVENT_TYPE_EVENT_BATCH' && frame.type !== 'EVENT_TYPE_HEARTBEAT'
      if (!left) connection?.send(frame, isLive)
    })
    const opened = new Promise<boolean>((resolve) => {
      socket.on('open', () => {
        connection = connectionOf(session)
        session.connections.add(connection)
        open.add(socket)
        resolve(true)
      })
      socket.on('error', () => resolve(false))
      socket.on('unexpected-response', (request: { destroy(): void }, _: IncomingMessage) => {
        request.destroy()
        resolve(false)
      })
    })
    socket.on('close', (code) => {
      open.delete(socket)
      if (connection) session.connections.delete(connection)
      if (!left) connection?.close(code)
    })
    if (!(await during(opened))) return undefined
    return {
      session,
      end: {
        take: (text: string) => void (left || socket.readyState !== 1 || socket.send(text)),
        leave() {
          left = true
          if (connection) session.connections.delete(connection)
          socket.terminate()
        },
      },
    }
  }

  /** Over, as soon as the runtime has told anybody. */
  function close(session: Session, { payload, timestamp }: Frame): void {
    session.state = payload.reason === 'REASON_USER_ABANDONED' ? 'expired' : 'ended'
    session.overAt = Date.parse(timestamp ?? '') - START
  }

  /** Another client of the visitor says something, so that something happens in the session. */
  async function nudge(session: Session, words = 'nudge'): Promise<void> {
    const reached = await dial(session.id, session.token, 0, () => ({ session, send() {}, close() {} }))
    const payload = { text: `${words} ${++answers}` }
    reached?.end.take(JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload }))
    time.after(500, () => reached?.end.leave())
  }

  const service = {
    profile: RUNTIME,
    sessions,
    mishaps: [],
    received: new Map<string, number>(),
    senders: new Map<string, string>(),
    late: new Set<string>(),
    denied: new Set<string>(),
    mistreat(session: Session) {
      session.mistreatedAt = time.now()
    },
    async issue() {
      const headers = { 'x-token': CONNECTOR.token, 'x-host': CONNECTOR.host }
      const { access_token } = (await post('/api/v1/access-token', headers, {})) as { access_token: string }
      tokens.set(access_token, time.now() + TOKEN_LIFE)
      return access_token
    },
    valid: (token: string) => (tokens.get(token) ?? 0) > time.now(),
    lifeOf: (token: string) => (tokens.get(token) ?? 0) - time.now(),
    async create(token: string) {
      const { session_id: id } = (await post(
        '/api/v1/sessions',
        { authorization: `Bearer ${token}` },
        { streaming_enabled: true, platform: 'web' },
      )) as { session_id: string }
      const session: Session = {
        id,
        token,
        madeAt: time.now(),
        events: [],
        connections: new Set(),
        state: 'active',
        overAt: 0,
        forgotten: false,
        joined: true,
        handoff: false,
        activeAt: time.now(),
        eventAt: time.now(),
        heardAt: time.now(),
        warned: false,
      }
      sessions.set(id, session)
      return session
    },
    async stateOf(sessionId: string, token: string) {
      const request = new Request(`http://runtime.test/api/v1/sessions/${encodeURIComponent(sessionId)}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const response = await during(runtime.fetch(request, { address: '127.0.0.1' }))
      return ((await during(response.json())) as { state: string }).state
    },
    dial,
    publish() {},
    cancel() {},
    forget() {},
    say: (session: Session) => void nudge(session),
    ask: (session: Session) => void nudge(session, 'ask'),
    calm() {},
    restart() {
      for (const socket of [...open]) socket.terminate()
    },
    async load() {
      const rows = await store.query<
        { session_id: string; created_at: Date; client_id: string | null } & Session['events'][number]
      >(
        'SELECT session_id, sequence, first_sequence, id, client_id, type, payload, created_at FROM foyer.event ORDER BY session_id, sequence',
      )
      for (const session of sessions.values()) {
        session.events.length = 0
        for (const row of rows)
          if (row.session_id === session.id) {
            session.events.push(row)
            if (row.client_id !== null) service.senders.set(row.id, row.client_id)
          }
        const end = rows.find((row) => row.session_id === session.id && row.type === 'EVENT_TYPE_SESSION_END')
        if (end) close(session, { ...end, timestamp: end.created_at.toISOString() })
      }
    },
    async close() {
      for (const socket of [...open]) socket.terminate()
      await runtime.close()
      server.close()
    },
  }
  // What only a double can be told to do is not among the commands of these schedules.
  return service as unknown as RuntimeService
}

/** Two ends of a connection in memory. */
function duplexPair(rest: Rest): [Duplex, Duplex] {
  const ends: Duplex[] = []
  const end = (other: () => Duplex | undefined) =>
    Object.assign(
      new Duplex({
        read() {},
        write(chunk: Buffer, _, done) {
          rest.begin()
          setImmediate(() => {
            const to = other()
            if (to && !to.destroyed) to.push(chunk)
            rest.end()
            done()
          })
        },
        final(done) {
          const to = other()
          if (to && !to.destroyed) to.push(null)
          done()
        },
        destroy(error, done) {
          const to = other()
          if (to && !to.destroyed) setImmediate(() => to.destroy())
          done(error)
        },
      }),
      // What a network socket has beside a stream.
      {
        setTimeout: () => {},
        setNoDelay: () => {},
        setKeepAlive: () => {},
        ref: () => {},
        unref: () => {},
        cork: () => {},
        uncork: () => {},
      },
    )
  ends.push(
    end(() => ends[1]),
    end(() => ends[0]),
  )
  return ends as [Duplex, Duplex]
}
