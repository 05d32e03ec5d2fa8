// A process with a PostgreSQL server: one that hangs, and what is kept in it.

import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort, ONE_DOCUMENT, printed, SHORT_LIVED } from '../browser/world.ts'
import { lacks } from '../needs.ts'
import { type DatabaseLine, openDatabaseLine } from './database-line.ts'
import { usePostgres } from './databases.ts'
import { cli, useFolder, visitor } from './starts.ts'
import { until } from './until.ts'

const databases = usePostgres()

const folder = useFolder()

const get = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`)
const health = async (port: number) => (await get(port, '/foyer/health')).status

describe.skipIf(lacks('PostgreSQL'))('a database that hangs', () => {
  let line: DatabaseLine
  let child: ChildProcess
  beforeAll(async () => {
    line = await openDatabaseLine(databases.serverUrl())
  })
  afterAll(() => line.close())
  afterEach(() => {
    line.flow()
    child?.kill('SIGKILL')
  })

  /** A process, from its first moment on. */
  function begin(port: number): ChildProcess {
    child = spawn(process.execPath, [...SHORT_LIVED, cli, ...ONE_DOCUMENT], {
      cwd: folder.path(),
      env: { ...process.env, PORT: String(port), FOYER_DEMO: '1', FOYER_DATABASE_URL: line.url },
    })
    return child
  }
  const ended = () => new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))

  it('is named in the log by a server that starts, which answers 503 until it is ready, and whose health check fails in a bounded time each time it hangs', async () => {
    const port = await freePort()
    line.hang()
    const ready = printed(begin(port), /Foyer is ready/)
    await printed(child, /The database does not answer yet/)
    for (const path of ['/', '/foyer.js', '/foyer/health', '/openapi.json']) {
      const answer = await get(port, path)
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '1'])
    }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?session_id=a&access_token=b`)
    const refusal = await new Promise((resolve) => socket.on('error', (error) => resolve(error.message)))
    expect(refusal).toContain('503')
    line.flow()
    await ready
    expect(await health(port)).toBe(200)

    line.hang()
    const answer = await fetch(`http://127.0.0.1:${port}/foyer/health`, {
      signal: AbortSignal.timeout(20_000),
    })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({ error: 'The database does not answer' })
    // More than the connections to the database, which those who watch must not use up.
    await Promise.all(Array.from({ length: 20 }, () => health(port)))
    line.flow()
    await until(
      () => 'the server is not healthy again',
      async () => (await health(port)) === 200,
    )
  })

  it('does not keep a server that starts from ending when it is told to', async () => {
    line.hang()
    begin(await freePort())
    await printed(child, /The database does not answer yet/)
    const code = ended()
    child.kill('SIGTERM')
    expect(await code).toBe(0)
  })
})

it('servers that start at once on a new database resume each other’s visitors, and the next one does too', async () => {
  const databaseUrl = await databases.create()
  const port = await freePort()
  // Browsers know both by one origin, as behind a load balancer.
  const env = { FOYER_DATABASE_URL: databaseUrl, FOYER_PUBLIC_ORIGIN: `http://localhost:${port}` }
  const [one, other] = await Promise.all([folder.start(port, env), folder.start(await freePort(), env)])
  const person = visitor(env.FOYER_PUBLIC_ORIGIN)
  await person.token(false)
  expect((await person.token(true)).resumed).toBe(true)
  expect((await person.token(true, other.origin)).resumed).toBe(true)
  for (const server of [one, other]) await server.stop()
  await folder.start(port, env)
  expect((await person.token(true)).resumed).toBe(true)
})
