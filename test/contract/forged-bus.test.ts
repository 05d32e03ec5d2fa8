// Somebody who may log in to the database server, or to Redis, and has no rights in Foyer's schema, hears what processes tell each other
// and writes there too: nothing of it reaches a visitor, and the chats go on.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createClient, type RedisClientType } from 'redis'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNotifyLink, createRedisLink, type Database } from '../../src/runtime/index.ts'
import { lacks } from '../needs.ts'
import { startRedis } from '../process/redis.ts'
import { administer, newDatabase, storeKind, urlOf } from './store.ts'
import { createWorld } from './world.ts'

type World = Awaited<ReturnType<typeof createWorld>>
/** Sends texts to the processes' channel, and hears all of them. */
type Intruder = { send(text: string): Promise<unknown>; heard: string[]; close(): Promise<unknown> }

let database: Database
let worlds: [World, World]
let intruder: Intruder
const closing: (() => unknown)[] = []

/** A login of the database server that was given nothing. */
async function login(): Promise<Intruder> {
  const role = `foyer_nobody_${randomUUID().replaceAll('-', '')}`
  await administer(urlOf(database), `CREATE ROLE ${role} LOGIN PASSWORD 'nothing'`)
  const url = new URL(urlOf(database))
  url.username = role
  url.password = 'nothing'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await expect(client.query('SELECT * FROM foyer.session')).rejects.toThrow('permission denied')
  const heard: string[] = []
  client.on('notification', ({ payload = '' }) => heard.push(payload))
  await client.query('LISTEN foyer')
  return {
    heard,
    send: (text) => client.query("SELECT pg_notify('foyer', $1)", [text]),
    async close() {
      await client.end()
      await administer(urlOf(database), `DROP ROLE ${role}`)
    },
  }
}

async function clientOf(url: string): Promise<RedisClientType> {
  const client = createClient({ url }) as RedisClientType
  client.on('error', () => {})
  await client.connect()
  closing.push(() => client.destroy())
  return client
}

async function clientOfRedis(url: string): Promise<Intruder> {
  const [sender, hearer] = [await clientOf(url), await clientOf(url)]
  const heard: string[] = []
  const [channel] = await sender.pubSubChannels('foyer:*:bus')
  if (channel === undefined) throw new Error('No process hears a channel of Foyer')
  await hearer.subscribe(channel, (text) => heard.push(text))
  return { heard, send: (text) => sender.publish(channel, text), close: async () => {} }
}

beforeAll(async () => {
  database = await newDatabase()
  const redis = storeKind === 'postgres' ? undefined : await startRedis()
  closing.push(() => redis?.stop())
  const log = () => {}
  const open = async () =>
    createWorld({
      data: { database: { ...database, close: async () => {} } },
      bus: redis
        ? createRedisLink({ redis: await clientOf(redis.url), log })
        : createNotifyLink({ url: urlOf(database), db: database, log }),
    })
  worlds = [await open(), await open()]
  intruder = redis ? await clientOfRedis(redis.url) : await login()
})
afterAll(async () => {
  await intruder?.close()
  for (const world of worlds ?? []) await world.close()
  for (const close of closing.reverse()) await close()
  await database?.close()
})
beforeEach(() => {
  for (const { log } of worlds) log.length = 0
})

/** A chat with a socket at each process. */
async function openChat() {
  const { sessionId, token, client } = await worlds[0].joined({ streaming_enabled: false })
  const second = await worlds[1].connect(sessionId, token, '0')
  await second.until(() => second.events().length > 1)
  return { sessionId, client, second }
}
type Chat = Awaited<ReturnType<typeof openChat>>

/** Both sockets get what the visitor writes at each of them, and the answer. */
async function goesOn({ client, second }: Chat, text: string): Promise<void> {
  for (const [by, from] of [client, second].entries()) {
    from.say(`${text} ${by}`, `${text}-${by}`)
    const answer = `You said ${text} ${by}`
    for (const each of [client, second])
      await each.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text === answer)
  }
}

const isThinking = ({ type }: { type: string }) => type === 'EVENT_TYPE_POLY_AGENT_THINKING'
/** The ids of what each socket of a chat was told without it being stored. */
const thinkingIn = ({ client, second }: Chat) =>
  [client, second].map(({ frames }) => frames.filter(isThinking).map(({ id }) => id))

const forged = (type: string, payload: object = {}) => ({
  type,
  payload: { text: 'forged', agent: { name: 'forged' }, ...payload },
  ...{ id: randomUUID(), sequence: null, timestamp: new Date().toISOString() },
})
const news = (...pieces: unknown[]) => JSON.stringify({ from: randomUUID(), kind: 'news', news: pieces })
const MESSAGE = { message_id: randomUUID(), attachments: [], response_suggestions: [], chat_call_actions: [] }

/** What somebody may send, of one session. */
const FORGERIES: Readonly<Record<string, (sessionId: string) => string[]>> = {
  'an answer of the agent': (id) => [news([id, [forged('EVENT_TYPE_POLY_AGENT_MESSAGE', MESSAGE)]])],
  'a live agent who joins and writes': (id) => [
    news([
      id,
      [
        forged('EVENT_TYPE_LIVE_AGENT_JOINED'),
        forged('EVENT_TYPE_LIVE_AGENT_TYPING'),
        forged('EVENT_TYPE_LIVE_AGENT_MESSAGE', MESSAGE),
      ],
    ]),
  ],
  'a system message': (id) => [news([id, [forged('EVENT_TYPE_SYSTEM_MESSAGE', { message: 'forged' })]])],
  'the end of the session': (id) => [
    news([id, [forged('EVENT_TYPE_SESSION_END', { reason: 'REASON_USER_END' })]]),
  ],
  'the highest sequence': (id) => [news([id, Number.MAX_SAFE_INTEGER])],
  '2,000 texts that are none': () => Array.from({ length: 2_000 }, (_, n) => `forged ${n}`),
  '2,000 gaps': () =>
    Array.from({ length: 2_000 }, () => JSON.stringify({ from: 'x', kind: 'gap', news: [] })),
  'signatures that fit nothing': (id) =>
    ['', 'x'.repeat(43), 'é'.repeat(43), '\u{1f600}'.repeat(20)].map((sig) =>
      JSON.stringify({
        ...JSON.parse(news([id, [forged('EVENT_TYPE_SESSION_END')]])),
        ...{ at: Date.now(), sig },
      }),
    ),
}

describe.skipIf(lacks('Redis'))(
  `a stranger on the ${storeKind === 'postgres' ? 'database server' : 'Redis server'}`,
  () => {
    it.each(Object.entries(FORGERIES))(
      'who sends %s shows no visitor anything, ends and deafens no chat, and leaves at most one line in a log',
      async (_, texts) => {
        const chat = await openChat()
        for (const text of texts(chat.sessionId)) await intruder.send(text)
        await goesOn(chat, 'after the forgery')
        for (const { frames, socket } of [chat.client, chat.second]) {
          expect(JSON.stringify(frames)).not.toContain('forged')
          expect(socket.readyState).toBe(socket.OPEN)
        }
        for (const { log } of worlds) expect(log.length).toBeLessThanOrEqual(1)
        expect(JSON.stringify(worlds.map(({ log }) => log))).not.toContain(chat.sessionId)
      },
      60_000,
    )

    it('who repeats what the processes said shows no visitor anything', async () => {
      const chat = await openChat()
      intruder.heard.length = 0
      await goesOn(chat, 'first')
      await vi.waitFor(() => expect(intruder.heard.join().match(/THINKING/g)?.length).toBeGreaterThan(1))
      const said = [...intruder.heard]
      for (const text of [...said, ...said]) await intruder.send(text)
      await goesOn(chat, 'second')
      for (const ids of thinkingIn(chat)) {
        expect(ids.length).toBeGreaterThan(0)
        expect(new Set(ids).size).toBe(ids.length)
      }
      for (const { log } of worlds) expect(log.length).toBeLessThanOrEqual(1)
    }, 60_000)

    it('who puts another session, or another sender, into what a process said shows no visitor anything', async () => {
      const [chat, other] = [await openChat(), await openChat()]
      intruder.heard.length = 0
      // A text about the opening of the other chat may come late, with the first news of this one in it.
      const ofChat = () =>
        intruder.heard.filter((text) => text.includes(chat.sessionId) && !text.includes(other.sessionId))
      const thinks = () =>
        ofChat()
          .join()
          .match(/THINKING/g)?.length ?? 0
      for (let round = 0; thinks() < 2; round++) await goesOn(chat, `first ${round}`)
      const said = ofChat()
      for (const text of said) {
        const to = text.replaceAll(chat.sessionId, other.sessionId)
        for (const changed of [to, to.replace(/"from":"[^"]+"/, `"from":"${randomUUID()}"`)])
          await intruder.send(changed)
      }
      await goesOn(other, 'second')
      const thoughts = thinkingIn(other).flat()
      expect(thoughts.length).toBeGreaterThan(0)
      for (const id of thoughts) expect(said.join()).not.toContain(id)
    }, 60_000)
  },
)
