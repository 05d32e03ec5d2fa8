// One server for several sites: connectors in a file, each for its own origin, switched while the server runs; and limits that
// processes share.

import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort, type Server, SHORT_LIVED } from '../browser/world.ts'
import { lacks } from '../needs.ts'
import { usePostgres } from './databases.ts'
import { startRedis } from './redis.ts'
import { cli, useFolder, visitor } from './starts.ts'
import { until } from './until.ts'

const folder = useFolder()
/** The embedded store, and no demo. */
const OWN = {
  ...{ FOYER_DEMO: '0', FOYER_DATABASE_URL: '', FOYER_DATA: '', REDIS_URL: '' },
  FOYER_CONNECTORS: 'connectors.json',
}
const SHOP = 'https://shop.example.com'
const BANK = 'https://bank.example.org'

const write = (connectors: object) =>
  writeFileSync(folder.path('connectors.json'), JSON.stringify(connectors, null, 2))

async function command<T>(line: string): Promise<T> {
  const child = spawn(process.execPath, [...SHORT_LIVED, cli, ...line.split(' '), '--json'], {
    cwd: folder.path(),
    env: { ...process.env, ...OWN },
  })
  let text = ''
  child.stdout.on('data', (part) => {
    text += part
  })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  return JSON.parse(text) as T
}

const post = (origin: string, path: string, from: string) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { origin: from, 'content-type': 'application/json' },
    body: '{}',
  })
const json = async (response: Response) => (await response.json()) as Record<string, unknown>

describe('two sites', () => {
  /** The settings of both connectors, whose tokens are in the environment and in a file. */
  async function connect() {
    const tokens: string[] = []
    const project = 'ws-site0001 --id PROJECT-site0001'
    await command(`projects create --slug front-desk --account-slug sites --account ${project}`)
    for (const host of [SHOP, BANK]) {
      const { token } = await command<{ token: string }>(
        `connectors create --account ws-site0001 --project PROJECT-site0001 --host ${host} --environment live`,
      )
      tokens.push(token)
    }
    const [shopToken = '', bankToken = ''] = tokens
    writeFileSync(folder.path('bank-token'), `${bankToken}\n`)
    return {
      env: { SHOP_TOKEN: shopToken },
      tokens,
      shop: { tokenEnv: 'SHOP_TOKEN', host: SHOP, origins: [SHOP], unframedOrigins: [SHOP] },
      bank: {
        tokenFile: 'bank-token',
        host: BANK,
        origins: [BANK],
        unframedOrigins: [BANK],
        consent: 'required',
      },
    }
  }
  /** A conversation on a socket, up to the agent's greeting. */
  async function converse(origin: string, connector: string) {
    const person = visitor(origin, connector)
    await person.token(false)
    const client = await person.connect(await person.session(), 0)
    client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await client.until('greeting', () => client.events.some((event) => event.payload.is_complete === true))
    return { person, client }
  }

  it('are served by one process: each its own, nothing of the other, switched off and on while it runs', async () => {
    const { env, tokens, shop, bank } = await connect()
    write({ shop, bank })
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const server = await folder.start(port, { ...OWN, ...env, FOYER_PUBLIC_ORIGIN: origin })
    expect(server.output.join('')).not.toContain('FOYER_PUBLIC_ORIGIN is not set')
    const configOf = async (name: string) => json(await fetch(`${origin}/foyer/${name}/config`))

    // Scripts of an origin get tokens of their own connector alone.
    const statuses = []
    for (const name of ['shop', 'bank'])
      for (const from of [SHOP, BANK, 'https://evil.example.com'])
        statuses.push([name, from, (await post(origin, `/foyer/${name}/access-token`, from)).status])
    expect(statuses).toEqual([
      ['shop', SHOP, 200],
      ['shop', BANK, 403],
      ['shop', 'https://evil.example.com', 403],
      ['bank', SHOP, 403],
      ['bank', BANK, 200],
      ['bank', 'https://evil.example.com', 403],
    ])
    const frame = await fetch(`${origin}/foyer/shop/frame`)
    expect(frame.headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${SHOP};`)
    expect([(await configOf('shop')).consent, (await configOf('bank')).consent]).toEqual([
      undefined,
      'required',
    ])

    // Both talk with the service, and a chat that is switched off keeps the conversation that there is.
    const open = await converse(origin, 'shop')
    await converse(origin, 'bank')
    write({ shop: { ...shop, enabled: false }, bank })
    await until(
      () => 'the shop is not switched off',
      async () => (await configOf('shop')).enabled === false,
    )
    expect((await configOf('bank')).enabled).toBe(true)
    expect((await post(origin, '/foyer/shop/access-token', origin)).status).toBe(403)
    expect(await open.person.token(true)).toMatchObject({ resumed: true })
    open.client.send('EVENT_TYPE_USER_MESSAGE', { text: 'Are you there?' })
    await open.client.until('answer to an open conversation', () =>
      open.client.events.some(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE'),
    )
    const script = await fetch(`${origin}/foyer.js`)
    expect(script.headers.get('cache-control')).toBe('public, max-age=60')
    expect(await script.text()).toContain('["shop"]')

    // A mistake in the file changes nothing, and the log says what it is.
    writeFileSync(folder.path('connectors.json'), '{"shop": ')
    await until(
      () => 'the mistake is not in the log',
      async () => {
        await configOf('shop')
        return server.output
          .join('')
          .includes('connectors.json (FOYER_CONNECTORS): The file is not valid JSON')
      },
    )
    expect((await configOf('shop')).enabled).toBe(false)
    write({ shop, bank })
    await until(
      () => 'the shop is not switched on',
      async () => (await configOf('shop')).enabled === true,
    )
    expect((await post(origin, '/foyer/shop/access-token', origin)).status).toBe(200)
    expect(await (await fetch(`${origin}/foyer.js`)).text()).not.toContain('["shop"]')
    for (const token of tokens) expect(server.output.join('')).not.toContain(token)
  })
})

describe('limits', () => {
  let service: HttpServer
  let tokens: number
  beforeEach(async () => {
    tokens = 0
    service = createServer((_, response) => {
      const body = { access_token: `access-${++tokens}`, expires_in: 3_600, token_type: 'Bearer' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const { port } = service.address() as AddressInfo
    const chatUrl = `http://127.0.0.1:${port}`
    write({ shop: { token: 'a-token', host: SHOP, chatUrl, limits: { address: 3 } } })
  })
  afterEach(() => service.close())

  const startTwo = (env: Record<string, string>) =>
    Promise.all([0, 1].map(async () => folder.start(await freePort(), { ...OWN, ...env })))
  /** Asks the servers in turn. */
  async function statusesOf(servers: readonly Server[], times: number) {
    const statuses = []
    for (let time = 0; time < times; time++) {
      const { origin = '' } = servers[time % servers.length] ?? {}
      statuses.push((await post(origin, '/foyer/shop/access-token', origin)).status)
    }
    return statuses
  }

  describe.skipIf(lacks('Redis'))('with Redis', () => {
    let redis: Awaited<ReturnType<typeof startRedis>>
    beforeAll(async () => {
      redis = await startRedis()
    }, 300_000)
    afterAll(() => redis?.stop())

    it('are shared by two processes; without it each counts for itself, and nobody is kept from a chat', async () => {
      const deployment = { FOYER_DATA: 'memory', FOYER_COOKIE_SECRET: 'of-one-deployment'.padEnd(32, '.') }
      const servers = await startTwo({ ...deployment, REDIS_URL: redis.url })
      expect(await statusesOf(servers, 5)).toEqual([200, 200, 200, 429, 429])
      redis.pause()
      expect(await statusesOf(servers, 2)).toEqual([200, 200])
      redis.resume()
      await redis.stop()
      expect(await statusesOf(servers, 6)).toEqual([200, 200, 200, 200, 429, 429])
      await redis.start()
      await until(
        () => 'the processes do not share their limits again',
        async () => {
          await statusesOf(servers, 2)
          return servers.every(({ output }) =>
            output.join('').includes('limits are shared between processes again'),
          )
        },
      )
      const lines = servers.map(({ output }) => output.join(''))
      for (const text of lines) {
        expect(text).toContain('this process counts for itself')
        expect(text).not.toContain('a-password-of-redis')
      }
    })
  })

  describe('with PostgreSQL', () => {
    const databases = usePostgres()

    it('are shared by two processes', async () => {
      const databaseUrl = await databases.create()
      const servers = await startTwo({ FOYER_DATABASE_URL: databaseUrl })
      // A window of the database is a minute of the clock, which is not to end between two of these requests.
      await until(
        () => 'the minute does not end',
        () => Date.now() % 60_000 < 45_000,
      )
      expect(await statusesOf(servers, 5)).toEqual([200, 200, 200, 429, 429])
    })
  })
})
