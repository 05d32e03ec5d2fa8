// The connection to Redis, with a real server.

import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRedis, type Redis } from '../../src/cli/redis.ts'
import { freePort } from '../browser/world.ts'
import { lacks } from '../needs.ts'
import { startRedis } from './redis.ts'
import { useFolder } from './starts.ts'
import { until } from './until.ts'

const folder = useFolder()

const PASSWORD = 'a-password-of-redis'
let server: Awaited<ReturnType<typeof startRedis>>
let clients: Redis[]
let lines: string[]
beforeEach(async () => {
  server = await startRedis(PASSWORD)
  clients = []
  lines = []
})
afterEach(async () => {
  for (const client of clients) client.destroy()
  await server.stop()
})
async function open(url = server.url, patienceMs?: number): Promise<Redis> {
  const client = await openRedis(url, (line) => lines.push(line), patienceMs)
  clients.push(client)
  return client
}

describe.skipIf(lacks('Redis'))('the connection to Redis', () => {
  it('fails commands at once while the server is away, and comes back by itself', async () => {
    const client = await open()
    await client.set('key', 'kept nowhere')
    await server.stop()
    await until(
      () => 'nobody noticed that the server is gone',
      () => !client.isReady,
    )
    await expect(client.get('key')).rejects.toThrow()
    await server.start()
    await until(
      () => 'the client did not come back',
      () => client.isReady,
    )
    expect(await client.get('key')).toBeNull()
    // One line each, however often it was tried.
    expect(lines).toEqual([expect.stringMatching(/^Redis is away \(.+\)/), 'Redis is back'])
  })

  it('begins without a server that cannot be reached, and takes it once it is there', async () => {
    await server.stop()
    const client = await open(server.url, 100)
    expect(client.isReady).toBe(false)
    await server.start()
    await until(
      () => 'the client did not come',
      () => client.isReady,
    )
  })

  it('is told by the metrics of a server that uses it', async () => {
    const metricsPort = await freePort()
    const foyer = await folder.start(await freePort(), {
      ...{ FOYER_METRICS_PORT: String(metricsPort), FOYER_DATA: 'memory', REDIS_URL: server.url },
    })
    // `fetch` sends what only browsers send.
    const told = () =>
      new Promise<string | undefined>((resolve, reject) => {
        get({ host: '127.0.0.1', port: metricsPort, path: '/metrics' }, async (response) =>
          resolve(/^foyer_redis_connected (\d)$/m.exec(await text(response))?.[1]),
        ).on('error', reject)
      })
    expect(await told()).toBe('1')
    await server.stop()
    await until(
      () => 'the metrics do not say that Redis is away',
      async () => (await told()) === '0',
    )
    await foyer.stop()
  })

  it('ends the start where the server refuses password or database, and names no secret', async () => {
    const wrong = `redis://:not-${PASSWORD}@127.0.0.1:${server.port}`
    await expect(open(wrong)).rejects.toThrow(
      'The Redis server of REDIS_URL refuses the connection (WRONGPASS). Correct user, password and database in REDIS_URL.',
    )
    await expect(open(`redis://127.0.0.1:${server.port}`)).rejects.toThrow('(NOAUTH)')
    await expect(open(`${server.url}/4000`)).rejects.toThrow('(ERR)')
    await open(`redis://:${PASSWORD}@127.0.0.1:${await freePort()}`, 1_000)
    expect(lines).toEqual([expect.stringContaining('ECONNREFUSED')])
    expect(lines.join()).not.toContain(PASSWORD)
  })
})
