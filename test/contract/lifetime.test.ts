// What time and the end of the process do to a session: a hand-turned clock under a real server.

import { expect, it } from 'vitest'
import { createRuntime, type Database } from '../../src/runtime/index.ts'
import { isLong } from '../long.ts'
import { handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { chunkedText, createWorld, echoAgent, isWhole } from './world.ts'

it('a session gets a warning a minute before its end, expires, is replayed for 10 minutes, and is then unknown', async () => {
  const clock = handClock()
  const world = await createWorld({ clock, settings: { sessionIdleSeconds: 60, tokenTtlSeconds: 86_400 } })
  try {
    const token = await world.accessToken()
    const sessionId = await world.session(token, { streaming_enabled: false })
    const client = await world.connect(sessionId, token)
    client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')

    await clock.pass(35_000)
    client.send('EVENT_TYPE_HEARTBEAT')
    await client.event('EVENT_TYPE_HEARTBEAT')
    expect(client.events().some((event) => event.type === 'EVENT_TYPE_SESSION_IDLE_WARNING')).toBe(false)
    await clock.pass(6_000)
    expect((await client.event('EVENT_TYPE_SESSION_IDLE_WARNING')).sequence).toBeNull()

    // Heartbeats keep the socket, not the session; typing keeps the session.
    client.send('EVENT_TYPE_USER_TYPING', { state: 'TYPING_STATE_STARTED' })
    client.send('EVENT_TYPE_HEARTBEAT', {}, { local_id: 'after-typing' })
    await client.event('EVENT_TYPE_HEARTBEAT', (event) => event.metadata?.custom.local_id === 'after-typing')
    await clock.pass(10_000)
    client.send('EVENT_TYPE_HEARTBEAT', {}, { local_id: 'alive' })
    await client.event('EVENT_TYPE_HEARTBEAT', (event) => event.metadata?.custom.local_id === 'alive')

    await clock.pass(60_000)
    expect((await client.event('EVENT_TYPE_SESSION_END')).payload).toEqual({
      reason: 'REASON_USER_ABANDONED',
    })
    expect(await client.closed()).toBe(1000)

    await clock.leap(500_000)
    const replay = await world.connect(sessionId, token)
    expect(await replay.closed()).toBe(1000)
    await clock.leap(110_000)
    expect(await world.refusal({ session_id: sessionId, access_token: token })).toMatchObject({
      status: 404,
      error: 'session not found',
    })
  } finally {
    await world.close()
  }
})

it('a session expires after 10 idle minutes, and the next message needs a new session', async () => {
  const clock = handClock()
  const world = await createWorld({ clock })
  try {
    const token = await world.accessToken()
    const old = await world.session(token)
    const client = await world.connect(old, token)
    client.say('Hello')
    await client.until(() => client.events().some(isWhole))
    await clock.leap(598_000)
    // The heartbeat finds it alive, and keeps only its socket.
    client.send('EVENT_TYPE_HEARTBEAT', {}, { local_id: 'before' })
    await client.event('EVENT_TYPE_HEARTBEAT')
    expect(client.events().some(({ type }) => type === 'EVENT_TYPE_SESSION_END')).toBe(false)
    await clock.leap(3_000)
    expect((await client.event('EVENT_TYPE_SESSION_END')).payload).toEqual({
      reason: 'REASON_USER_ABANDONED',
    })

    // Whoever comes back is shown what was said, and shown out.
    const again = await world.connect(old, token)
    again.say('Is anybody there?')
    expect(await again.closed()).toBe(1000)
    expect(again.events().map(({ payload }) => payload.text)).not.toContain('Is anybody there?')
    expect(again.events().at(-1)?.type).toBe('EVENT_TYPE_SESSION_END')

    const next = await world.session(token)
    expect(next).not.toBe(old)
    const fresh = await world.connect(next, token)
    fresh.say('Is anybody there?')
    await fresh.until(() => fresh.events().some(isWhole))
  } finally {
    await world.close()
  }
})

it('an ended session is kept for 10 minutes too: a replay, the end, close 1000; then 404', async () => {
  const clock = handClock()
  const world = await createWorld({ clock })
  try {
    const { sessionId, token } = await world.chat(['Hello'])
    await clock.leap(599_000)
    for (const cursor of ['0', '3', '1000']) {
      const again = await world.connect(sessionId, token, cursor)
      expect(await again.closed()).toBe(1000)
      expect(again.frames[0]?.type).toBe('EVENT_TYPE_EVENT_BATCH')
      expect(again.events().at(-1)?.type).toBe('EVENT_TYPE_SESSION_END')
    }
    await clock.leap(1_000)
    expect(await world.refusal({ session_id: sessionId, access_token: token })).toMatchObject({
      status: 404,
      error: 'session not found',
    })
  } finally {
    await world.close()
  }
})

it('a closed socket gives its place back, though the store fails twice', async () => {
  const inner = await newDatabase()
  let failures = 0
  const database: Database = {
    ...inner,
    query(sql, params) {
      if (sql.startsWith('DELETE FROM foyer.socket') && failures > 0) {
        failures--
        return Promise.reject(new Error('the store is away'))
      }
      return inner.query(sql, params)
    },
  }
  const clock = handClock()
  const world = await createWorld({ clock, data: { database } })
  try {
    const token = await world.accessToken()
    const sessionId = await world.session(token)
    const clients = []
    for (let count = 0; count < 10; count++) clients.push(await world.connect(sessionId, token))
    failures = 20
    for (const { socket } of clients) socket.close()
    const places = async () => (await inner.query('SELECT 1 FROM foyer.socket')).length
    const lines = () => world.log.filter((line) => line.includes('could not give back')).length
    while (lines() < 10) await new Promise((resolve) => setImmediate(resolve))
    expect(await places()).toBe(10)
    await clock.pass(2_000)
    while (lines() < 20) await new Promise((resolve) => setImmediate(resolve))
    await clock.pass(2_000)
    while ((await places()) > 0);
    await world.connect(sessionId, token)
  } finally {
    await world.close()
  }
})

it.runIf(isLong)('a slow reader gets a history of 20 MB over one socket', async () => {
  const database = await newDatabase()
  const world = await createWorld({ data: { database } })
  try {
    const token = await world.accessToken()
    const sessionId = await world.session(token)
    const count = 20_000
    await database.query(
      `INSERT INTO foyer.event (session_id, sequence, id, type, payload, created_at)
       SELECT $1, n + 1, 'event-' || n, 'EVENT_TYPE_USER_MESSAGE',
         jsonb_build_object('text', repeat('x', 1000), 'message_id', n::text), now()
       FROM generate_series(1, $2::integer) AS n`,
      [sessionId, count],
    )
    await database.query('UPDATE foyer.session SET next_sequence = $2 WHERE id = $1', [sessionId, count + 2])
    const client = await world.connect(sessionId, token)
    // It reads a little, rests, and reads on; meanwhile somebody writes.
    client.socket.on('message', () => {
      client.socket.pause()
      setImmediate(() => client.socket.resume())
    })
    const other = await world.connect(sessionId, token, String(count + 1))
    other.say('meanwhile')
    const echo = await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'meanwhile')
    expect(echo.sequence).toBe(count + 2)
    const sequences = client.events().flatMap(({ sequence }) => sequence ?? [])
    expect(sequences.slice(0, count + 2)).toEqual(Array.from({ length: count + 2 }, (_, index) => index + 1))
  } finally {
    await world.close()
  }
})

it('a session that waits for a live agent, or talks with one, does not expire', async () => {
  const clock = handClock()
  const world = await createWorld({ clock, settings: { sessionIdleSeconds: 60 } })
  try {
    const token = await world.accessToken()
    const sessionId = await world.session(token, {})
    const client = await world.connect(sessionId, token)
    const isOver = async () => {
      await clock.leap(300_000)
      client.send('EVENT_TYPE_HEARTBEAT')
      await client.event('EVENT_TYPE_HEARTBEAT')
      return client.events().some((event) => event.type === 'EVENT_TYPE_SESSION_END')
    }
    client.say('desk')
    await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
    expect(await isOver()).toBe(false)
    await world.desk.take(sessionId, { id: 'sarah', name: 'Sarah' })
    expect(await isOver()).toBe(false)
  } finally {
    await world.close()
  }
})

it('no frame with a sequence leaves before its commit has resolved', async () => {
  const inner = await newDatabase()
  let held: (() => void)[] | undefined
  const waiting: (() => void)[] = []
  const database: Database = {
    ...inner,
    async transaction(run) {
      const result = await inner.transaction(run)
      if (held) {
        await new Promise<void>((resolve) => {
          held?.push(resolve)
          for (const wake of waiting.splice(0)) wake()
        })
      }
      return result
    },
  }
  const world = await createWorld({ data: { database } })
  try {
    const { client } = await world.joined()
    const seen = () => client.events().filter((event) => event.sequence !== null).length
    const before = seen()
    held = []
    client.say('hold me')
    while (held.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    // The row is in the store; until its commit is let through, nothing with a sequence comes.
    client.send('EVENT_TYPE_HEARTBEAT')
    await inner.query('SELECT 1')
    expect(seen()).toBe(before)
    const release = held
    held = undefined
    for (const each of release) each()
    await client.until(() => client.events().filter(isWhole).length === 2)
    expect(seen()).toBeGreaterThan(before)
  } finally {
    await world.close()
  }
})

it('a runtime that stops closes its sockets with 1001, and a new process continues the sessions', async () => {
  const inner = await newDatabase()
  const database: Database = { ...inner, close: async () => {} }
  const first = await createWorld({ data: { database } })
  const { client, sessionId, token } = await first.joined()
  client.say('slow')
  await client.until(() => chunkedText(client).includes('2, '))
  client.say('still waiting', 'id-waiting')
  await client.event('EVENT_TYPE_USER_MESSAGE', (event) => event.payload.text === 'still waiting')
  await first.runtime.close()
  expect(await client.closed()).toBe(1001)
  await first.close()

  const second = await createWorld({ data: { database } })
  try {
    const again = await second.connect(sessionId, token)
    // In pieces or whole, as the connection found it.
    await again.until(() =>
      again
        .events()
        .map((event) => event.payload.text ?? '')
        .join('')
        .includes('You said still waiting'),
    )
    const said = again.events().map((event) => event.payload.text ?? event.payload.message)
    const cut = said.findIndex((text) => String(text).startsWith('1, 2, '))
    const sorry = said.indexOf('Sorry, I encountered an error. Please try again.')
    expect(cut).toBeGreaterThan(0)
    expect(sorry).toBeGreaterThan(cut)
    expect(said.filter((text) => text === 'still waiting')).toHaveLength(1)
  } finally {
    await second.close()
    await inner.close()
  }
})

it('a runtime that stops cuts a socket that does not close, after five seconds of its clock', async () => {
  const clock = handClock()
  let stopping = false
  const world = await createWorld({
    // The hand clock waits for what is due after 5,000 ms to come again, as the periodic jobs do.
    clock: { ...clock, after: (ms, fn) => clock.after(stopping ? ms - 1 : ms, fn) },
  })
  const { client } = await world.joined()
  // It reads nothing more, so it does not answer the close frame either.
  client.socket.pause()
  const begun = Date.now()
  let closed = false
  stopping = true
  const closing = world.runtime.close().then(() => {
    closed = true
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await clock.pass(4_900)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(closed).toBe(false)
  await clock.pass(200)
  await closing
  expect(Date.now() - begun).toBeLessThan(4_000)
  await world.close()
})

it('a runtime creates its signing key once: a token issued before the restart is valid after it', async () => {
  const inner = await newDatabase()
  const options = {
    data: { database: { ...inner, close: async () => {} } },
    agent: echoAgent,
    connectors: [
      { id: 'CON-1', token: 't', host: 'h.example.com', accountId: 'a', projectId: 'p', environment: 'live' },
    ],
  }
  const ask = (path: string, headers: Record<string, string>) =>
    new Request(`http://runtime${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    })
  const first = await createRuntime(options)
  const granted = await first.fetch(
    ask('/api/v1/access-token', { 'x-token': 't', 'x-host': 'h.example.com' }),
    { address: '1' },
  )
  const { access_token } = (await granted.json()) as { access_token: string }
  await first.close()
  const second = await createRuntime(options)
  const created = await second.fetch(ask('/api/v1/sessions', { authorization: `Bearer ${access_token}` }), {
    address: '1',
  })
  expect(created.status).toBe(200)
  const rows = JSON.stringify([
    await inner.query('SELECT * FROM foyer.session'),
    await inner.query('SELECT * FROM foyer.connector'),
  ])
  expect(rows).not.toContain(access_token)
  expect(rows).not.toContain('"t"')
  await second.close()
  await inner.close()
})

it('a turn whose end could not be stored at first is recovered, and no input is answered twice', async () => {
  const inner = await newDatabase()
  let failures = 0
  const failing = <T>(sql: string, params: unknown, run: () => T): T => {
    // The statement that stores an answer and ends its turn.
    const ends =
      /UPDATE foyer\.session/.test(sql) &&
      /"EVENT_TYPE_POLY_AGENT_MESSAGE"/.test(JSON.stringify(params ?? '').replaceAll('\\', ''))
    if (!ends || failures === 0) return run()
    failures--
    throw new Error('the connection was lost')
  }
  const database: Database = {
    ...inner,
    transaction: (run) =>
      inner.transaction((tx) =>
        run({
          query: async (sql, params) => failing(sql, params, () => tx.query(sql, params)),
          send: (sql, params) => failing(sql, params, () => tx.send(sql, params)),
        }),
      ),
  }
  const clock = handClock()
  const world = await createWorld({ data: { database }, clock })
  try {
    const { client } = await world.chat([], { open: true })
    const said = () =>
      client.events().flatMap((event) => (isWhole(event) ? [String(event.payload.text)] : []))
    failures = 1
    client.say('one')
    while (!said().includes('You said one')) await clock.pass(1_000)
    client.say('two')
    while (!said().includes('You said two')) await clock.pass(1_000)
    expect(failures).toBe(0)
    expect(said()).toEqual(['Hello there', 'You said one', 'You said two'])
  } finally {
    await world.close()
  }
})

it('two runtimes that start at once on a new database keep one secret of the cookies, and so does the next', async () => {
  const inner = await newDatabase()
  const options = () => ({
    data: { database: { ...inner, close: async () => {} } },
    agent: echoAgent,
    connectors: [],
  })
  const secretsOf = (runtimes: readonly { cookieSecret(): Promise<string> }[]) =>
    Promise.all(runtimes.map((runtime) => runtime.cookieSecret()))
  try {
    const both = await Promise.all([createRuntime(options()), createRuntime(options())])
    const [one = '', other] = await secretsOf(both)
    for (const runtime of both) await runtime.close()
    const next = await createRuntime(options())
    expect([other, ...(await secretsOf([next]))]).toEqual([one, one])
    expect(one).toMatch(/^[\w-]{43}$/)
    await next.close()
  } finally {
    await inner.close()
  }
})
