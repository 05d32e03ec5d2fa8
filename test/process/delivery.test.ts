// Nothing lost, nothing doubled, while the process is killed, drained or unreachable behind a proxy: visitors go on
// sending all the while.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort, ONE_DOCUMENT, type Server, startServer } from '../browser/world.ts'
import { isLong } from '../long.ts'
import { lacks } from '../needs.ts'
import { usePostgres } from './databases.ts'
import { startNginx } from './nginx.ts'
import { until } from './until.ts'
import { createVisitor, type Visitor } from './visitors.ts'

/** How often the process is killed on each store; 100 times in `npm run test:long`. */
const KILLS = Number(process.env.FOYER_TEST_KILLS) || 1
const VISITORS = 4
const SEED = Number(process.env.FOYER_TEST_SEED) || Date.now() % 100_000

let folder: string
let port: number
let server: Server
let visitors: Visitor[]
let stopTalk: () => void
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-delivery-'))
  port = await freePort()
  visitors = []
  stopTalk = () => {}
})
afterEach(async () => {
  stopTalk()
  for (const { chat } of visitors) chat.dispose()
  await server?.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function start(env: Record<string, string>): Promise<void> {
  server = await startServer(port, folder, { FOYER_TRUSTED_PROXIES: 'loopback', ...env }, ONE_DOCUMENT)
}

/** Visitors that say something every so often, three messages ahead at most, until they are stopped. */
async function talk(origin: string): Promise<void> {
  visitors = Array.from({ length: VISITORS }, (_, index) => createVisitor(origin, index + 1))
  for (const { chat } of visitors) chat.open()
  await Promise.all(visitors.map((visitor) => visitor.live()))
  const timer = setInterval(() => {
    for (const [index, visitor] of visitors.entries()) {
      visitor.retryFailed()
      if (visitor.chat.outbox.value.length < 3) visitor.say(`message ${visitor.sent.length} of ${index}`)
    }
  }, 300)
  stopTalk = () => clearInterval(timer)
}

/**
 * Every message is stored once, and every screen shows what is stored. The messages are in order, but for those that two
 * kills struck: the visitor sees that they were not sent, and sends them once more.
 */
async function settle(): Promise<void> {
  stopTalk()
  for (const visitor of visitors) {
    await visitor.settled()
    const stored = await visitor.stored()
    const isFirst = (text: string) => !visitor.retried.has(text)
    expect([...stored].sort()).toEqual([...visitor.sent].sort())
    expect(stored.filter(isFirst)).toEqual(visitor.sent.filter(isFirst))
    expect(visitor.screen().flatMap(({ role, text }) => (role === 'visitor' ? [text] : []))).toEqual(stored)
    expect(visitor.sessions()).toBe(1)
    expect(stored.length).toBeGreaterThan(0)
  }
}

/** Processes on PostgreSQL are killed by the tests of the cluster too. */
const STORES = isLong ? (['pglite', 'postgres'] as const) : (['pglite'] as const)

describe.each(STORES)('a process on %s', (store) => {
  const databases = store === 'postgres' ? usePostgres() : undefined
  const env = (): Record<string, string> =>
    databases ? { FOYER_DATABASE_URL: databases.serverUrl() } : { FOYER_DATABASE_URL: '', FOYER_DATA: '' }

  it('loses and duplicates no message when it is killed with -9 at random moments', {
    timeout: 180_000 + KILLS * 60_000,
  }, async () => {
    console.log(`kills on ${store}: ${KILLS}, seed ${SEED}`)
    const random = randomFrom(SEED)
    await start(env())
    await talk(server.origin)
    for (let kill = 0; kill < KILLS; kill++) {
      const before = visitors.map(({ sent }) => sent.length)
      await new Promise((resolve) => setTimeout(resolve, 200 + random() * 1_500))
      // Each kill strikes while something is said.
      await until(
        () => 'nobody says anything',
        () => visitors.some(({ sent }, index) => sent.length > (before[index] ?? 0)),
      )
      expect(await server.stop('SIGKILL')).toBeNull()
      await start(env())
      await Promise.all(visitors.map((visitor) => visitor.back()))
    }
    await settle()
  })

  it.runIf(isLong)(
    'finishes its work when it is told to stop, and every visitor continues with the next process',
    {
      timeout: 240_000,
    },
    async () => {
      await start(env())
      await talk(server.origin)
      visitors[0]?.say('A long answer')
      // A process that is told to stop finishes what is nearly done: it has a few seconds, however slow the machine is.
      await until(
        () => `the long answer is not half written: ${visitors[0]?.screen().at(-1)?.text}`,
        () =>
          visitors[0]
            ?.screen()
            .some(({ text, complete }) => text.includes('A bearing is pressed') && !complete) === true,
      )
      expect(await server.stop('SIGTERM')).toBe(0)
      await start(env())
      await Promise.all(visitors.map((visitor) => visitor.back()))
      await settle()
      const said = () =>
        visitors[0]?.screen().flatMap(({ role, text }) => (role === 'agent' ? [text] : [])) ?? []
      const long = () => said().filter((text) => text.includes('A long answer comes'))
      // Another answer may have named the long one before that began.
      await until(
        () => `the long answer is not among ${said().join(' --- ')}`,
        () => long().length > 0,
      )
      expect(long()).toHaveLength(1)
    },
  )
})

describe.skipIf(!isLong || lacks('nginx'))('a process behind nginx', () => {
  it('loses and duplicates no message when it is killed and started again', {
    timeout: 240_000,
  }, async () => {
    const front = await freePort()
    const origin = `http://127.0.0.1:${front}`
    const proxy = await startNginx(front, port, folder)
    try {
      const env = { FOYER_PUBLIC_ORIGIN: origin, FOYER_DATABASE_URL: '', FOYER_DATA: '' }
      await start(env)
      await talk(origin)
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        await server.stop(signal)
        await until(
          () => 'nginx does not say that the service is down',
          async () => (await fetch(`${origin}/foyer/health`)).status === 502,
        )
        await start(env)
        await Promise.all(visitors.map((visitor) => visitor.back()))
      }
      await settle()
    } finally {
      await proxy.stop()
    }
  })
})

/** Numbers from 0 up to 1 that a seed repeats. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
