// Processes that stand still, and a database that is away: work is taken over once, and only from those that are gone.

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openPostgres } from '../../src/runtime/index.ts'
import { printed } from '../browser/world.ts'
import { isLong } from '../long.ts'
import { type DatabaseLine, openDatabaseLine } from './database-line.ts'
import { usePostgres } from './databases.ts'
import { until } from './until.ts'

/** The long form has the times of a real service. */
const [SETTINGS, STILL_MS, AWAY_MS] = isLong
  ? [{}, 60_000, 20_000]
  : [{ beatSeconds: 0.4, deadAfterSeconds: 2 }, 4_000, 3_500]
const DEAD_AFTER_MS = (SETTINGS.deadAfterSeconds ?? 15) * 1000

const databases = usePostgres()

let line: DatabaseLine
let database: pg.Client
let children: ChildProcess[]
beforeEach(async () => {
  const databaseUrl = await databases.create()
  line = await openDatabaseLine(databaseUrl)
  database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await database.end()
  line.close()
})

async function start(name: string) {
  const given = JSON.stringify({ name, databaseUrl: line.url, settings: SETTINGS })
  const child = spawn(process.execPath, [join(import.meta.dirname, 'runtime-server.mjs'), given])
  children.push(child)
  const output: string[] = []
  child.stderr?.on('data', (part) => output.push(String(part)))
  child.stdout?.on('data', (part) => output.push(String(part)))
  await printed(child, /port \d+/)
  const [, port] = /port (\d+)/.exec(output.join('')) ?? []
  return { child, output, base: `http://127.0.0.1:${port}` }
}
type Process = Awaited<ReturnType<typeof start>>

type Frame = {
  type: string
  id: string
  sequence: number | null
  payload: Record<string, unknown> & { events?: Frame[] }
}
const headers = { 'content-type': 'application/json' }

async function openSession({ base }: Process) {
  const asked = await fetch(`${base}/api/v1/access-token`, {
    method: 'POST',
    headers: { ...headers, 'x-token': 'connector-secret', 'x-host': 'shop.example.com' },
    body: '{}',
  })
  const { access_token: token } = (await asked.json()) as { access_token: string }
  const opened = await fetch(`${base}/api/v1/sessions`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: '{"streaming_enabled":true}',
  })
  return { token, id: ((await opened.json()) as { session_id: string }).session_id }
}
type Session = Awaited<ReturnType<typeof openSession>>

async function connect({ base }: Process, { token, id }: Session) {
  const query = new URLSearchParams({ session_id: id, access_token: token })
  const socket = new WebSocket(`${base.replace('http', 'ws')}/ws?${query}`)
  const events: Frame[] = []
  let code: number | undefined
  socket.on('error', () => {})
  socket.on('close', (given) => {
    code = given
  })
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame
    events.push(...(frame.payload.events ?? [frame]))
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    events,
    closedWith: () => code,
    send: (type: string, payload = {}, custom = {}) =>
      socket.send(JSON.stringify({ type, payload, metadata: { custom } })),
    say(text: string) {
      this.send('EVENT_TYPE_USER_MESSAGE', { text })
    },
    has: (what: string, test: () => boolean) =>
      until(() => `no ${what} among ${events.map(({ type }) => type).join(' ')}; closed: ${code}`, test),
  }
}
type Client = Awaited<ReturnType<typeof connect>>

/** A chat whose agent has joined. */
async function joined(at: Process) {
  const session = await openSession(at)
  const client = await connect(at, session)
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
  await client.has('greeting', () => saidIn(client.events).includes('Hello'))
  return { session, client }
}

/** The whole texts of messages: those that came in chunks are joined. */
function saidIn(events: readonly Frame[]): string[] {
  const texts = new Map<unknown, string>()
  for (const { type, payload } of events)
    if (/^EVENT_TYPE_POLY_AGENT_MESSAGE(_CHUNK)?$/.test(type)) {
      const id = payload.message_id
      const before = type.endsWith('CHUNK') ? (texts.get(id) ?? '') : ''
      texts.set(id, before + String(payload.text ?? ''))
    }
  return [...texts.values()].map((text) => text.trim())
}
/** The words that process a said of its long answer. */
const wordsOfA = (events: readonly Frame[]) =>
  saidIn(events).flatMap((text) => text.split(' ').filter((word) => /^a\d+$/.test(word)))
const chunksOf = ({ events }: Client) => events.filter(({ type }) => type.endsWith('MESSAGE_CHUNK'))
const apologies = (events: readonly Frame[]) =>
  events.filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE').length

const storedEvents = async ({ id }: Session): Promise<Frame[]> =>
  (
    await database.query<Frame>(
      'SELECT sequence, id, type, payload FROM foyer.event WHERE session_id = $1 ORDER BY sequence',
      [id],
    )
  ).rows
const rowsOf = async (table: string) =>
  (await database.query<{ n: number }>(`SELECT count(*)::integer AS n FROM foyer.${table}`)).rows[0]?.n
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it('a process that stands still for longer than others wait loses its turns once, and writes nothing more when it goes on', async () => {
  const [one, other] = [await start('a'), await start('b')]
  const [streamed, silent] = [await joined(one), await joined(one)]
  streamed.client.say('long')
  silent.client.say('think')
  await streamed.client.has('fifth chunk', () => chunksOf(streamed.client).length > 5)
  one.child.kill('SIGSTOP')
  const stoodStill = rest(STILL_MS)
  const stored = async () => [await storedEvents(streamed.session), await storedEvents(silent.session)]
  await until(
    () => 'the turns were not taken over',
    async () => {
      const [streamedEvents = [], silentEvents = []] = await stored()
      return apologies(streamedEvents) === 1 && saidIn(silentEvents).includes('think, said b')
    },
  )
  await stoodStill
  const before = await stored()
  const sent = streamed.client.events.length
  one.child.kill('SIGCONT')
  await until(
    () => 'the process did not register itself and its sockets again',
    async () => (await rowsOf('process')) === 2 && (await rowsOf('socket')) === 2,
  )
  // As long as its answers would have gone on.
  await rest(3_500)
  expect(await stored()).toEqual(before)
  // The process may send what it had stored before it stood still, and nothing else of the answer. Chunks have lost their ids to the
  // message that keeps them.
  const kept = wordsOfA(before[0] ?? [])
  expect(kept).toContain('a1')
  expect(wordsOfA(streamed.client.events.slice(sent)).filter((word) => !kept.includes(word))).toEqual([])
  for (const { session, client } of [streamed, silent]) {
    client.say('afterwards')
    await client.has('answer', () => saidIn(client.events).includes('afterwards, said a'))
    expect(client.closedWith()).toBeUndefined()
    const whole = await connect(other, session)
    await whole.has('end', () => saidIn(whole.events).includes('afterwards, said a'))
    expect(apologies(whole.events)).toBe(client === streamed.client ? 1 : 0)
    expect(saidIn(whole.events)).toHaveLength(3)
    // The open socket was sent what the store has, and has caught up with it.
    const own = client.events.filter(({ sequence }) => sequence !== null).map(({ sequence }) => sequence)
    expect(own).toEqual(own.toSorted((a, b) => (a ?? 0) - (b ?? 0)))
    expect(apologies(client.events)).toBe(apologies(whole.events))
  }
})

it('a transaction that stands still gives its locks back before others take the work over', async () => {
  const [one, other] = [openPostgres(line.url), openPostgres(line.url)]
  try {
    const [setting] = await one.transaction((tx) =>
      tx.query<{ limit: string }>("SELECT current_setting('idle_in_transaction_session_timeout') AS limit"),
    )
    expect(setting).toEqual({ limit: '10s' })
    if (!isLong) return
    await one.script('CREATE TABLE slip (id integer); INSERT INTO slip VALUES (1)')
    let goOn = () => {}
    const stoodStill = one.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM slip FOR UPDATE')
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      await tx.query('UPDATE slip SET id = 2')
    })
    const failure = stoodStill.catch((error: unknown) => error)
    await rest(1_000)
    await other.query('UPDATE slip SET id = 3')
    goOn()
    expect(await failure).toMatchObject({ message: expect.stringContaining('connection') })
    expect(await other.query('SELECT id FROM slip')).toEqual([{ id: 3 }])
  } finally {
    await one.close()
    await other.close()
  }
})

describe.skipIf(!isLong).each(['hangs', 'breaks its connections'])('a database that %s', (how) => {
  it('harms no chat: none ends, no answer is apologised for, sockets stay, and nobody is gone at the desk', async () => {
    const [one, other] = [await start('a'), await start('b')]
    const chats = [await joined(one), await joined(other)]
    const waiting = await joined(one)
    const writer = await joined(one)
    waiting.client.say('person')
    await until(
      () => 'nobody waits at the desk',
      async () => (await rowsOf('handoff')) === 1,
    )
    // Both have been steady for so long that they would judge each other.
    await rest(DEAD_AFTER_MS + 1_000)
    for (const { client } of chats) {
      client.say('long')
      await client.has('third chunk', () => chunksOf(client).length > 3)
    }
    if (how === 'hangs') line.hang()
    else line.cut()
    const custom = { client_event_id: 'written-1', local_id: 'written-1' }
    writer.client.send('EVENT_TYPE_USER_MESSAGE', { text: 'written' }, custom)
    await rest(AWAY_MS)
    line.flow()
    const presences: unknown[] = []
    const end = Date.now() + 2 * DEAD_AFTER_MS
    while (Date.now() < end) {
      expect([await rowsOf('process'), await rowsOf('socket')]).toEqual([2, 4])
      for (const { base } of [one, other])
        presences.push(
          ...((await (await fetch(`${base}/queue`)).json()) as { presence: string }[]).map(
            ({ presence }) => presence,
          ),
        )
      await rest(200)
    }
    expect(new Set(presences)).toEqual(new Set(['here']))
    await writer.client.has('answer', () => saidIn(writer.client.events).includes('written, said a'))
    for (const [index, { client }] of [...chats, waiting, writer].entries()) {
      if (index < 2) {
        const words = Array.from({ length: 30 }, (_, word) => `${'ab'[index]}${word + 1}`).join(' ')
        await client.has('whole answer', () =>
          saidIn(client.events).includes(`${words} long, said ${'ab'[index]}`),
        )
      }
      expect(apologies(client.events)).toBe(0)
      expect(client.events.some(({ type }) => type === 'EVENT_TYPE_SESSION_END')).toBe(false)
      expect(client.closedWith()).toBeUndefined()
    }
  })
})
