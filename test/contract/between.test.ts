// Between a list of what is due and the lock on one of them somebody else acts: whoever lists looks again under the lock.

import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Agent } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { interposed } from './interposed.ts'
import { newDatabase } from './store.ts'
import { createWorld, echoAgent, NUMBER, plainNumber } from './world.ts'

const SARAH = { id: 'sarah', name: 'Sarah' }
const TIMED_OUT = /h\.queued_at <= /
const PLACES = /h\.told_position\s+FROM foyer\.session/
const GONE = /gone_since <= /
const IDLE = /idle_since <= \$2\s+ORDER BY/
const UNWARNED = /idle_since <= \$2 AND warned_at IS NULL/
const CALLS_WAITING = /status = 'queued' AND created_at <= /
const OPEN_BETWEEN = /WHERE c\.from_number = \$1 AND c\.to_number = \$2 AND c\.ended_at IS NULL/
const LOCKED = /WHERE s\.id = \$1 FOR UPDATE/
const LOST_TURNS = /turn_owner IS NOT NULL/
const CALL_ENDS = /UPDATE foyer\.call SET status = \$2/

let clock: HandClock
/** What the agent was asked. */
const asked: string[] = []
let between: ReturnType<typeof interposed>
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  clock = handClock()
  between = interposed(await newDatabase())
  const agent: Agent = {
    name: 'Echo',
    act(turn) {
      asked.push(turn.text)
      return echoAgent.act(turn)
    },
  }
  world = await createWorld({
    clock,
    agent,
    data: { database: between.database },
    settings: { deskWaitSeconds: 300 },
  })
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const { id } of await world.desk.entries()) await world.runtime.expire(id)
})

type Client = Awaited<ReturnType<typeof world.chat>>['client']
const types = (client: Client) => client.events().map(({ type }) => type)
/** Everything that was on its way to the client has arrived. */
async function settle(client: Client): Promise<void> {
  const echoes = () => types(client).filter((type) => type === 'EVENT_TYPE_HEARTBEAT').length
  const had = echoes()
  client.send('EVENT_TYPE_HEARTBEAT')
  await client.until(() => echoes() > had)
}
async function queued() {
  await clock.pass(1)
  const chat = await world.chat([], { open: true })
  chat.client.say('desk')
  await chat.client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
  return chat
}
const stateOf = async (id: string) => (await world.desk.entries()).find((entry) => entry.id === id)?.state
const rows = <T>(sql: string, ...params: unknown[]) => between.database.query<T>(sql, params)

describe('a conversation in the handoff queue', () => {
  it('that a person took as its wait ran out stays with that person', async () => {
    const { client, sessionId } = await queued()
    const taken = between.after(TIMED_OUT, () => world.desk.take(sessionId, SARAH))
    await clock.leap(301_000)
    await taken
    await settle(client)
    expect(await stateOf(sessionId)).toBe('taken')
    expect(types(client)).not.toContain('EVENT_TYPE_HANDOFF_TIMEOUT')
  })

  it('that a person took as its place was counted is told no place', async () => {
    const first = await queued()
    const second = await queued()
    const third = await queued()
    const taken = between.after(PLACES, () => world.desk.take(second.sessionId, SARAH))
    await world.runtime.expire(first.sessionId)
    await taken
    // Places are told in their order, and read anew for each.
    await third.client.event(
      'EVENT_TYPE_HANDOFF_QUEUE_STATUS',
      ({ payload }) => payload.position_in_queue === 1,
    )
    await settle(second.client)
    expect(types(second.client).at(-2)).toBe('EVENT_TYPE_LIVE_AGENT_JOINED')
  })

  it('whose visitor comes back as the chat is given up goes on', async () => {
    const { client, sessionId, token } = await queued()
    await world.desk.take(sessionId, SARAH)
    client.socket.close()
    await client.closed()
    await vi.waitFor(async () =>
      expect(await rows('SELECT 1 FROM foyer.socket WHERE session_id = $1', sessionId)).toEqual([]),
    )
    await clock.pass(1_000)
    let back: Client | undefined
    const returned = between.after(GONE, async () => {
      back = await world.connect(sessionId, token)
    })
    await clock.leap(601_000)
    await returned
    expect(await stateOf(sessionId)).toBe('taken')
    if (back) await settle(back)
    expect(back && types(back)).not.toContain('EVENT_TYPE_SESSION_END')
  })

  it('that is handed back as the chat is given up goes on with the agent', async () => {
    const { client, sessionId } = await queued()
    await world.desk.take(sessionId, SARAH)
    client.socket.close()
    await client.closed()
    await vi.waitFor(async () =>
      expect(await rows('SELECT 1 FROM foyer.socket WHERE session_id = $1', sessionId)).toEqual([]),
    )
    await clock.pass(1_000)
    const handedBack = between.after(GONE, () => world.desk.leave(sessionId, SARAH.id, false))
    await clock.leap(601_000)
    await handedBack
    expect(await rows('SELECT ended_at FROM foyer.conversation WHERE id = $1', sessionId)).toEqual([
      { ended_at: null },
    ])
  })
})

describe('an idle session', () => {
  it('whose visitor writes as it expires goes on', async () => {
    const { client, sessionId } = await world.chat([], { open: true })
    const said = between.after(IDLE, async (listed) => {
      expect(listed).toContainEqual({ id: sessionId })
      client.say('Still here')
      await client.event('EVENT_TYPE_USER_MESSAGE')
    })
    await clock.leap(601_000)
    await said
    await settle(client)
    expect(types(client)).not.toContain('EVENT_TYPE_SESSION_END')
    await world.runtime.expire(sessionId)
  })

  it('whose visitor writes as the warning is due gets none', async () => {
    const { client, sessionId } = await world.chat([], { open: true })
    const said = between.after(UNWARNED, async (listed) => {
      expect(listed).toContainEqual({ id: sessionId })
      client.say('Still here')
      await client.event('EVENT_TYPE_USER_MESSAGE')
    })
    await clock.leap(545_000)
    await said
    await settle(client)
    expect(types(client)).not.toContain('EVENT_TYPE_SESSION_IDLE_WARNING')
    await world.runtime.expire(sessionId)
  })
})

it('a turn that is claimed as lost turns are listed is not given back', async () => {
  const { client, sessionId } = await world.chat([], { open: true })
  let passing: Promise<void> | undefined
  // The claim is committed, and the turn does not run yet.
  const listed = between.after(LOCKED, async () => {
    const found = between.after(LOST_TURNS, (rows) => expect(rows).toMatchObject([{ id: sessionId }]))
    passing = clock.pass(5_000)
    await found
  })
  client.say('only once')
  await listed
  await passing
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text === 'You said only once')
  await settle(client)
  expect(asked.filter((text) => text === 'only once')).toHaveLength(1)
  await world.runtime.expire(sessionId)
})

it('a text from a phone opens a conversation of its own if the open one has ended meanwhile', async () => {
  const number = plainNumber(60)
  const mine = () =>
    rows<{ id: string; ended: boolean; num_turns: number }>(
      `SELECT id, ended_at IS NOT NULL AS ended, num_turns FROM foyer.conversation WHERE from_number = $1 ORDER BY started_at`,
      number,
    )
  await world.carrier.write(number, NUMBER, { text: 'one' })
  await vi.waitFor(async () => expect((await mine()).length).toBe(1))
  const [{ id } = { id: '' }] = await mine()
  await clock.pass(1_000)
  const ended = between.after(OPEN_BETWEEN, () => world.runtime.expire(id))
  await world.carrier.write(number, NUMBER, { text: 'two' })
  await ended
  await vi.waitFor(async () =>
    expect(await mine()).toMatchObject([
      { id, ended: true, num_turns: 1 },
      { ended: false, num_turns: 1 },
    ]),
  )
})

describe('the place of a socket', () => {
  const places = (sessionId: string) => rows('SELECT id FROM foyer.socket WHERE session_id = $1', sessionId)
  async function address() {
    const access_token = await world.accessToken()
    const session_id = await world.session(access_token)
    return { session_id, path: `/ws?${new URLSearchParams({ session_id, access_token })}` }
  }

  it('is given back where the client left during the handshake', async () => {
    const { session_id, path } = await address()
    const duplex = new PassThrough()
    let taken = 0
    const left = between.after(/INSERT INTO foyer\.socket/, async () => {
      taken = (await places(session_id)).length
      duplex.destroy()
    })
    world.runtime.upgrade({ url: path, headers: {} } as IncomingMessage, duplex, Buffer.alloc(0))
    await left
    expect(taken).toBe(1)
    await vi.waitFor(async () => expect(await places(session_id)).toEqual([]))
  })

  it('is given back where the request is not a WebSocket handshake', async () => {
    const { session_id, path } = await address()
    let taken = 0
    const admitted = between.after(/INSERT INTO foyer\.socket/, async () => {
      taken = (await places(session_id)).length
    })
    const tcp = connect(Number(new URL(world.base).port), '127.0.0.1')
    tcp.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    let answer = ''
    tcp.on('data', (data) => {
      answer += String(data)
    })
    await new Promise((resolve) => tcp.once('close', resolve))
    await admitted
    expect([taken, answer.split('\r\n')[0]]).toEqual([1, 'HTTP/1.1 400 Bad Request'])
    await vi.waitFor(async () => expect(await places(session_id)).toEqual([]))
  })
})

describe('a call', () => {
  const CALL = { 'x-svc-auth-token': 'calling-token', 'content-type': 'application/json' }
  const start = async (to_number: string) => {
    const response = await world.post('/v1/outbound-calling', CALL, JSON.stringify({ to_number }))
    return ((await response.json()) as { call_sid: string }).call_sid
  }
  const statusOf = async (sid: string) =>
    (await (await world.get(`/v1/outbound-calling/${sid}/status`, CALL)).json()) as object

  it('that is placed as its wait runs out is not said to have failed', async () => {
    const sid = await start(plainNumber(61))
    await vi.waitFor(async () => {
      await clock.pass(1_000)
      expect(await statusOf(sid)).toMatchObject({ status: 'success' })
    })
    // As if it waited: the line becomes free between the list and the end.
    await rows("UPDATE foyer.call SET status = 'queued', ended_at = NULL WHERE sid = $1", sid)
    const placed = between.after(CALLS_WAITING, (listed) => {
      expect(listed).toContainEqual({ sid })
      return rows(
        "UPDATE foyer.call SET status = 'calling', owner = (SELECT id FROM foyer.process LIMIT 1) WHERE sid = $1",
        sid,
      )
    })
    let reason = ''
    const swept = between.before(/DELETE FROM foyer\.call WHERE ended_at/, async () => {
      const [call] = await rows<{ reason: string }>('SELECT reason FROM foyer.call WHERE sid = $1', sid)
      reason = call?.reason ?? ''
    })
    await clock.leap(301_000)
    await placed
    await swept
    expect(reason).not.toMatch(/waited/)
  })

  it('has the status of its end only after its conversation has ended', async () => {
    const number = plainNumber(62)
    let inProgress: boolean | undefined
    const seen = between.before(CALL_ENDS, async () => {
      const [conversation] = await rows<{ open: boolean }>(
        'SELECT ended_at IS NULL AS open FROM foyer.conversation WHERE from_number = $1',
        number,
      )
      inProgress = conversation?.open
    })
    await start(number)
    await vi.waitFor(async () => {
      await clock.pass(1_000)
      expect(inProgress).toBeDefined()
    })
    await seen
    expect(inProgress).toBe(false)
  })
})

describe('a socket that is registered again, since its process was removed by mistake', () => {
  it('gives its place back where it closes in that very moment', async () => {
    const [leaves, stays] = [await world.chat([], { open: true }), await world.chat([], { open: true })]
    const places = async ({ sessionId }: typeof stays) =>
      (await rows('SELECT 1 FROM foyer.socket WHERE session_id = $1', sessionId)).length
    await rows('DELETE FROM foyer.process')
    const registered = between.before(/INSERT INTO foyer\.socket/, async () => {
      leaves.client.socket.close()
      await leaves.client.closed()
      // Its place is given back, which is not there yet.
      await settle(stays.client)
    })
    await vi.waitFor(async () => {
      await clock.pass(1_000)
      expect(await places(stays)).toBe(1)
    })
    await registered
    await vi.waitFor(async () => expect(await places(leaves)).toBe(0))
    stays.client.send('EVENT_TYPE_USER_END_SESSION')
    await stays.client.event('EVENT_TYPE_SESSION_END')
  })
})

it('a place in the queue that changes while the places are read is told', async () => {
  const [first, second] = [await queued(), await queued()]
  const taken = between.after(PLACES, () => world.desk.take(first.sessionId, SARAH))
  await clock.pass(1)
  const third = await world.chat([], { open: true })
  third.client.say('desk')
  await taken
  await second.client.event(
    'EVENT_TYPE_HANDOFF_QUEUE_STATUS',
    ({ payload }) => payload.position_in_queue === 1,
  )
})

it('a client that leaves while its socket is admitted gives its place back', async () => {
  const token = await world.accessToken()
  const id = await world.session(token)
  const socket = connect(Number(new URL(world.base).port), '127.0.0.1')
  socket.on('error', () => {})
  const left = between.after(/INSERT INTO foyer\.socket/, async () => {
    const closed = once(socket, 'close')
    socket.resetAndDestroy()
    await closed
  })
  socket.write(
    [
      `GET /ws?session_id=${id}&access_token=${token} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
      '\r\n',
    ].join('\r\n'),
  )
  await left
  await vi.waitFor(async () =>
    expect(await rows('SELECT 1 FROM foyer.socket WHERE session_id = $1', id)).toEqual([]),
  )
})
