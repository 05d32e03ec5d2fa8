// What `foyer-server check` says about a real PostgreSQL, Redis and nginx. test/cli/check.test.ts has the other probes.

import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { check as checkHere } from '../../src/cli/before-start/check.ts'
import { freePort, SHORT_LIVED } from '../browser/world.ts'
import { administer } from '../contract/store.ts'
import { lacks } from '../needs.ts'
import { openDatabaseLine } from './database-line.ts'
import { query, usePostgres } from './databases.ts'
import { startNginx } from './nginx.ts'
import { openPooler } from './pooler.ts'
import { startRedis } from './redis.ts'
import { cli, useFolder } from './starts.ts'

const folder = useFolder()
const postgres = usePostgres()
const SITE = {
  FOYER_CONNECTOR_TOKEN: 'a-connector-token-of-a-site',
  FOYER_CONNECTOR_HOST: 'shop.example.com',
}

/** What the probe of `what` says, without a process of its own. */
async function say(what: string, env: Record<string, string>): Promise<string> {
  const lines: string[] = []
  const port = String(await freePort())
  await checkHere({
    env: { PORT: port, ...SITE, FOYER_PUBLIC_ORIGIN: `http://127.0.0.1:${port}`, ...env },
    folder: folder.path('.foyer'),
    documents: folder.path(),
    built: folder.path(),
    print: (line) => lines.push(line),
  })
  const [, kind, text] =
    lines.map((line) => RegExp(`^(ok|problem|not checked) +${what} +(.+)$`).exec(line)).find(Boolean) ?? []
  return `${kind}: ${text}`
}
const database = (url: string, more = {}) => say('database', { FOYER_DATABASE_URL: url, ...more })

describe('the database', () => {
  it('is fine where it is new and where a server has used it, and the check changes nothing', async () => {
    const url = await postgres.create()
    expect(await database(url)).toMatch(
      /^ok: PostgreSQL \d+\.\d+ has no tables yet, the start makes them\. NOTIFY arrives\.$/,
    )
    expect(await query(url, "SELECT 1 FROM pg_namespace WHERE nspname = 'foyer'")).toEqual([])
    const env = { FOYER_DATABASE_URL: url, REDIS_URL: '' }
    await folder.start(await freePort(), env).then((server) => server.stop())
    expect(await database(url)).toMatch(
      /^ok: PostgreSQL \S+ has tables that are up to date\. NOTIFY arrives\.$/,
    )
    await query(url, "DELETE FROM foyer.migration WHERE noun = 'calls'")
    expect(await database(url)).toMatch(/^ok: PostgreSQL \S+ has tables of an earlier build/)
    await query(url, "INSERT INTO foyer.migration VALUES ('calls', 999)")
    expect(await database(url)).toMatch(
      /^(ok: .* later build|problem: The tables are not those of this build\.)/,
    )
  })

  it('has to give its user the rights that a start needs', async () => {
    const url = await postgres.create()
    const user = `foyer_${randomUUID().slice(0, 8)}`
    await administer(postgres.serverUrl(), `CREATE ROLE ${user} LOGIN`)
    const theirs = new URL(url)
    theirs.username = user
    expect(await database(theirs.href)).toBe(
      'problem: The user of FOYER_DATABASE_URL may not make the schema foyer and its tables. Make the user the owner of the database.',
    )
    await query(url, `GRANT CREATE ON DATABASE ${theirs.pathname.slice(1)} TO ${user}`)
    expect(await database(theirs.href)).toMatch(/^ok: /)
    const env = { FOYER_DATABASE_URL: url, REDIS_URL: '' }
    await folder.start(await freePort(), env).then((server) => server.stop())
    // The tables are another user's.
    expect(await database(theirs.href)).toMatch(/^problem: The user of FOYER_DATABASE_URL may not/)
    await query(url, `GRANT USAGE ON SCHEMA foyer TO ${user}`)
    await query(url, `GRANT SELECT ON ALL TABLES IN SCHEMA foyer TO ${user}`)
    expect(await database(theirs.href)).toMatch(
      /^problem: The user of FOYER_DATABASE_URL may not read and write/,
    )
    await query(url, `GRANT ALL ON ALL TABLES IN SCHEMA foyer TO ${user}`)
    expect(await database(theirs.href)).toMatch(/^ok: PostgreSQL \S+ has tables that are up to date/)
  })

  it.skipIf(lacks('Redis'))(
    'behind a pooler that loses notifications is a problem, but not with Redis',
    async () => {
      const pooler = await openPooler(await postgres.create())
      const redis = await startRedis()
      try {
        const [alone, beside] = await Promise.all([
          database(pooler.url),
          database(pooler.url, { REDIS_URL: redis.url }),
        ])
        expect(alone).toMatch(/^problem: FOYER_DATABASE_URL leads through a pooler .* or set REDIS_URL\./)
        expect(beside).toMatch(/^ok: .* NOTIFY does not arrive, and Redis is used\.$/)
      } finally {
        pooler.close()
        await redis.stop()
      }
    },
  )

  it('that hangs, is away or does not exist is named within seconds', async () => {
    const url = await postgres.create()
    const line = await openDatabaseLine(url)
    line.hang()
    try {
      expect(await database(line.url)).toMatch(/^problem: The database of FOYER_DATABASE_URL /)
    } finally {
      line.close()
    }
    expect(await database('postgres://foyer:a-password@127.0.0.1:1/foyer')).toMatch(
      /^problem: The database of FOYER_DATABASE_URL cannot be used \(.*ECONNREFUSED.*\)\. Start it, or correct the address\.$/,
    )
    expect(await database(`${url}_none`)).toMatch(/^problem: .*does not exist/)
  })
})

describe.skipIf(lacks('Redis'))('Redis', () => {
  it('is asked to deliver what is published, and never repeats its password', async () => {
    const redis = await startRedis()
    const wrong = new URL(redis.url)
    wrong.password = 'another-password-of-redis'
    try {
      expect(await say('redis', { FOYER_DATA: 'memory', REDIS_URL: redis.url })).toMatch(
        /^ok: Redis \d+\.\d+\.\d+ answers, and delivers what is published\.$/,
      )
      const refused = await say('redis', { FOYER_DATA: 'memory', REDIS_URL: wrong.href })
      expect(refused).toMatch(/^problem: The Redis server of REDIS_URL refuses the connection/)
      expect(refused).not.toContain(wrong.password)
    } finally {
      await redis.stop()
    }
    expect(await say('redis', { FOYER_DATA: 'memory', REDIS_URL: redis.url })).toMatch(
      /^problem: Redis does not answer\. Start it, or correct REDIS_URL\.$/,
    )
  })
})

describe.skipIf(lacks('nginx'))('the command', () => {
  let proxy: Awaited<ReturnType<typeof startNginx>> | undefined
  afterAll(() => proxy?.stop())

  it('sees what the documented nginx makes of requests, frees the port again, and exits with 0 or 1', async () => {
    const [port, front] = [await freePort(), await freePort()]
    proxy = await startNginx(front, port, folder.path())
    const env = {
      ...{
        ...process.env,
        ...SITE,
        PORT: String(port),
        FOYER_DATA: 'memory',
        FOYER_DATABASE_URL: '',
        REDIS_URL: '',
      },
      FOYER_PUBLIC_ORIGIN: `http://127.0.0.1:${front}`,
    }
    const run = (more = {}) => {
      const { status, stdout } = spawnSync(process.execPath, [...SHORT_LIVED, cli, 'check', folder.path()], {
        cwd: folder.path(),
        env: { ...env, ...more },
        encoding: 'utf8',
      })
      return [status, stdout.split('\n').find((line) => line.includes('proxy')) ?? stdout]
    }
    const trusting = { FOYER_TRUSTED_PROXIES: 'loopback' }
    expect(run(trusting)).toEqual([
      0,
      expect.stringMatching(/^ok +proxy .* tells the addresses of visitors\.$/),
    ])
    expect(run()).toEqual([
      1,
      expect.stringMatching(/^problem +proxy .* Set FOYER_TRUSTED_PROXIES=127\.0\.0\.1$/),
    ])
    await folder.start(port, { ...env, ...trusting, FOYER_DEMO: '' })
    expect(run(trusting)).toEqual([
      0,
      expect.stringMatching(
        /^not checked +proxy .* answers\. Port \d+ is in use, so its headers are not checked/,
      ),
    ])
  })
})
