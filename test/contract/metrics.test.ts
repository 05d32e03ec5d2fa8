// What the runtime measures, told to a meter that keeps everything.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { METRICS, type Meter, sessionStatusRoute } from '../../src/api/index.ts'
import { routeOf } from '../../src/cli/monitoring/http.ts'
import type { SendOutcome } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { createWorld, NUMBER, plainNumber } from './world.ts'

/** Counts, times and gauges, by the metric's name and its labels' values. */
function createRecorder() {
  const counts = new Map<string, number>()
  const times = new Map<string, number[]>()
  const gauges = new Map<string, () => number | Promise<number>>()
  const keyOf = (name: string, labels: Record<string, string> = {}) =>
    [name, ...Object.values(labels)].join(' ')
  const meter: Meter = {
    count(name, by, labels?: Record<string, string>) {
      counts.set(keyOf(name, labels), (counts.get(keyOf(name, labels)) ?? 0) + by)
    },
    time(name, seconds, labels?: Record<string, string>) {
      times.set(keyOf(name, labels), [...(times.get(keyOf(name, labels)) ?? []), seconds])
    },
    gauge: (name, read, labels?: Record<string, string>) => void gauges.set(keyOf(name, labels), read),
  }
  return {
    meter,
    counts,
    times,
    gauges,
    gauge: (key: string) => gauges.get(`foyer_${key}`)?.(),
    count: (key: string) => counts.get(`foyer_${key}`) ?? 0,
    seconds: (key: string) => times.get(`foyer_${key}`) ?? [],
  }
}

let recorder: ReturnType<typeof createRecorder>
let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  recorder = createRecorder()
  clock = handClock()
  world = await createWorld({ clock, meter: recorder.meter })
})
afterAll(() => world.close())
beforeEach(() => {
  recorder.counts.clear()
  recorder.times.clear()
})
const { gauge, count, seconds } = {
  gauge: (key: string) => recorder.gauge(key),
  count: (key: string) => recorder.count(key),
  seconds: (key: string) => recorder.seconds(key),
}

it('messages count once each, in and out, streamed or not; sockets and sessions while they are open', async () => {
  const [sockets = 0, sessions = 0] = [await gauge('sockets'), await gauge('sessions')]
  const { client } = await world.joined({ streaming_enabled: true })
  client.say('hello')
  await client.until(() => client.events().filter(({ payload }) => payload.is_complete === true).length === 2)
  expect([count('messages_total in chat'), count('messages_total out chat')]).toEqual([1, 2])
  expect([await gauge('sockets'), await gauge('sessions')]).toEqual([sockets + 1, sessions + 1])
  // A doubled message is stored once.
  client.say('twice', 'id')
  client.say('twice', 'id')
  await client.until(() => client.events().filter(({ payload }) => payload.is_complete === true).length === 3)
  await world.chat(['one'])
  expect([count('messages_total in chat'), count('messages_total out chat')]).toEqual([3, 5])
  expect([await gauge('sessions'), count('handshakes_total accepted')]).toEqual([sessions + 1, 2])
})

it('turns are timed from their start until the first word and the end, and counted while they run', async () => {
  const { client } = await world.joined()
  expect([seconds('turn_first_word_seconds'), seconds('turn_seconds answered')]).toEqual([[0], [0]])
  client.say('slow, with a pause')
  await expect.poll(() => gauge('turns')).toBe(1)
  while (seconds('turn_seconds answered').length < 2) await clock.pass(50)
  expect(seconds('turn_first_word_seconds')).toEqual([0, 0])
  expect(seconds('turn_seconds answered')[1]).toBeGreaterThanOrEqual(3)
  expect(await gauge('turns')).toBe(0)
})

it('a turn that the user stops, that fails, or whose session ends says so', async () => {
  const { client } = await world.joined()
  client.say('fail')
  await expect.poll(() => seconds('turn_seconds failed').length).toBe(1)
  client.say('wait')
  await expect.poll(() => gauge('turns')).toBe(1)
  client.send('EVENT_TYPE_USER_STOP_ANSWER')
  await expect.poll(() => seconds('turn_seconds stopped').length).toBe(1)
  client.say('wait')
  await expect.poll(() => gauge('turns')).toBe(1)
  client.send('EVENT_TYPE_USER_END_SESSION')
  await expect.poll(() => seconds('turn_seconds over').length).toBe(1)
  expect(seconds('turn_seconds answered')).toHaveLength(1)
})

it('the handoff queue has its length, and each wait once a live agent takes the conversation', async () => {
  const { client, sessionId } = await world.chat([], { open: true })
  client.say('desk')
  await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
  expect(await gauge('queue_waiting')).toBe(1)
  await clock.pass(20_000)
  expect(await world.desk.take(sessionId, { id: 'sarah', name: 'Sarah' })).toBe(true)
  expect([await gauge('queue_waiting'), seconds('queue_wait_seconds')]).toEqual([0, [20]])
  expect(await world.desk.take(sessionId, { id: 'omar', name: 'Omar' })).toBe(false)
  expect(seconds('queue_wait_seconds')).toEqual([20])
})

it('handshakes are counted by their outcome, and what limits refuse by the limit', async () => {
  const { token, sessionId, client } = await world.joined()
  await world.refusal({ session_id: sessionId, access_token: 'wrong' })
  await world.refusal({ session_id: 'unknown', access_token: token })
  const isFull = async () => {
    const socket = new WebSocket(
      `${world.base.replace('http', 'ws')}/ws?${new URLSearchParams({ session_id: sessionId, access_token: token })}`,
    )
    return new Promise<boolean>((resolve) => {
      socket.once('open', () => resolve(false)).once('unexpected-response', () => resolve(true))
      socket.on('error', () => {})
    })
  }
  while (!(await isFull()));
  expect([
    count('handshakes_total 401'),
    count('handshakes_total 404'),
    count('handshakes_total 429'),
  ]).toEqual([1, 1, 1])
  expect(count('limited_total sockets')).toBe(1)
  for (let index = 0; index < 110; index++) client.send('EVENT_TYPE_HEARTBEAT')
  await expect.poll(() => count('limited_total frames')).toBeGreaterThanOrEqual(10)
})

it('deliveries count while the carrier has not taken them, and calls until they begin', async () => {
  let deliver = (_: SendOutcome) => {}
  const delivered = new Promise<SendOutcome>((resolve) => {
    deliver = resolve
  })
  let send = () => delivered
  const { meter, gauge, count } = createRecorder()
  const other = await createWorld({
    ...{ clock, meter },
    carrier: {
      connect: () => () => {},
      send: () => send(),
      call: (_call, _leg, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('over')))),
    },
    settings: { callsAtOnce: 1 },
  })
  try {
    const headers = { 'content-type': 'application/json' }
    const text = (n: number) =>
      other.post(
        '/v1/outbound-sms',
        { ...headers, 'x-svc-auth-token': 'all-key', 'x-token-id': 'CON-test0001' },
        JSON.stringify({ user_number: plainNumber(n), message: 'hello', agent_number: NUMBER }),
      )
    await text(1)
    for (const to_number of ['+15005550012', '+15005550013', '+15005550014'])
      await other.post(
        '/v1/outbound-calling',
        { ...headers, 'x-svc-auth-token': 'calling-token' },
        JSON.stringify({ to_number }),
      )
    await expect.poll(() => gauge('calls_waiting')).toBe(2)
    expect(await gauge('deliveries_waiting')).toBe(1)
    deliver({ status: 'accepted', channel: 'sms' })
    await expect.poll(() => gauge('deliveries_waiting')).toBe(0)
    await expect.poll(() => count('deliveries_total accepted')).toBe(1)
    send = async () => ({ status: 'refused', reason: 'not a phone' })
    await text(2)
    await expect.poll(() => count('deliveries_total refused')).toBe(1)
    send = () => Promise.reject(new Error('The carrier is away'))
    await text(3)
    await expect.poll(() => count('deliveries_total retried')).toBe(1)
    expect([count('deliveries_total accepted'), count('deliveries_total given up')]).toEqual([1, 0])
  } finally {
    await other.close()
  }
})

it('the connections to the database are known', async () => {
  const [all, idle, waiting] = await Promise.all(
    ['all', 'idle', 'waiting'].map((state) => gauge(`database_connections ${state}`)),
  )
  expect(all).toBeGreaterThanOrEqual(1)
  expect(idle).toBeLessThanOrEqual(all ?? 0)
  expect(waiting).toBe(0)
})

it('every gauge of the table is registered, and every address of the API has a name of its own', async () => {
  // The server registers its version, whether it is ready, and whether Redis answers.
  const ofServer = ['foyer_build_info', 'foyer_ready', 'foyer_redis_connected']
  const gauges = Object.entries(METRICS).flatMap(([name, { kind }]) =>
    kind === 'gauge' && !ofServer.includes(name) ? [name] : [],
  )
  const registered = new Set([...recorder.gauges.keys()].map((key) => key.split(' ')[0]))
  expect([...registered].sort()).toEqual(gauges.sort())
  const { paths } = (await (await world.get('/openapi.json')).json()) as { paths: object }
  expect(Object.keys(paths).length).toBeGreaterThan(5)
  for (const path of [...Object.keys(paths), sessionStatusRoute.path, '/foyer/{connector}/frame'])
    expect(routeOf(path.replace(/\{\w+\}/g, 'x'))).toBe(path)
})
