// A data folder that moves into a PostgreSQL database: the server on the database goes on where the one on the folder stopped.

import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { freePort, type Server, SHORT_LIVED } from '../browser/world.ts'
import { query, rowCounts, usePostgres } from './databases.ts'
import { cli, useFolder, visitor } from './starts.ts'

/** Whatever store the other suites run on: these begin with the embedded one. */
const EMBEDDED = { FOYER_DATABASE_URL: '', FOYER_DATA: '', REDIS_URL: '' }
const folder = useFolder()
const postgres = usePostgres()

/** Runs `foyer-server <line>` in the folder. */
async function run(line: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...SHORT_LIVED, cli, ...line.split(' ')], {
    cwd: folder.path(),
    env: { ...process.env, ...EMBEDDED, ...env },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part) => {
    stdout += String(part)
  })
  child.stderr.on('data', (part) => {
    stderr += String(part)
  })
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { status, stdout, stderr }
}
const move = (databaseUrl: string) => run('move', { FOYER_DATABASE_URL: databaseUrl })

const API = '/v3/demo/front-desk/conversations?client_env=sandbox'
const listed = async ({ origin }: Server, key: string) => {
  const response = await fetch(origin + API, { headers: { 'x-api-key': key } })
  return ((await response.json()) as { conversations?: { id: string; handoff: boolean }[] }).conversations
}

/** A chat of a visitor with the server at `origin`. */
async function chat(person: ReturnType<typeof visitor>, session: string, cursor = 0) {
  const client = await person.connect(session, cursor)
  const answers = () => client.events.filter(({ payload }) => payload.is_complete === true).length
  return {
    ...client,
    async say(type: string, payload = {}) {
      const before = answers()
      client.send(type, payload)
      await client.until('answer', () => answers() > before)
    },
    /** The stored events, as a replay has them. */
    stored: () =>
      client.events
        .filter(({ sequence }) => sequence !== null)
        .map(({ sequence, type, payload }) => ({ sequence, type, payload })),
  }
}

describe('foyer-server move', () => {
  it('leaves a database empty where it fails, and then brings conversations, handoffs, keys and secrets along, so that a chat goes on with the same token and key', async () => {
    const port = await freePort()
    const first = await folder.start(port, EMBEDDED)
    const person = visitor(first.origin)
    await person.token(false)
    const session = await person.session()
    const before = await chat(person, session)
    await before.say('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await before.say('EVENT_TYPE_USER_MESSAGE', { text: 'Ünïcode 😀 "quoted" \\ {braces}' })

    const waiting = visitor(first.origin)
    await waiting.token(false)
    const queued = await chat(waiting, await waiting.session())
    await queued.say('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    queued.send('EVENT_TYPE_USER_MESSAGE', { text: 'I want to talk to a person' })
    await queued.until('handoff', () => queued.events.some(({ type }) => /HANDOFF|QUEUE/.test(type)))
    const { secret } = JSON.parse((await run('keys create --account ws-demo0001 --json')).stdout) as {
      secret: string
    }
    expect(await listed(first, secret)).toHaveLength(2)

    const databaseUrl = await postgres.create()
    const busy = await move(databaseUrl)
    expect([busy.status, busy.stderr]).toEqual([1, expect.stringMatching(/is in use by process \d+\. Stop/)])
    expect(await rowCounts(databaseUrl)).toEqual({})
    const replay = await chat(person, session)
    await replay.until('replay', () => replay.stored().length >= 6)
    expect(await first.stop()).toBe(0)

    // A database that cannot hold these words, which come after other tables, is left empty.
    const narrow = await postgres.create("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    const failed = await move(narrow)
    expect(failed.status).toBe(1)
    expect(failed.stdout).toContain('connector: 1 row\n')
    expect(failed.stderr).toMatch(/^The data could not be moved: the database answered with \w{5}\./)
    expect(failed.stderr).not.toContain('quoted')
    expect(await query(narrow, "SELECT 1 FROM pg_namespace WHERE nspname = 'foyer'")).toEqual([])
    const nobody = await move(databaseUrl.replace(/:\d+\//, ':1/'))
    expect([nobody.status, nobody.stderr]).toEqual([
      1,
      expect.stringMatching(/^The database of FOYER_DATABASE_URL cannot be used \(.*\)\. Start it/),
    ])

    const moved = await move(databaseUrl)
    expect([moved.status, moved.stderr]).toEqual([0, ''])
    expect(moved.stdout).toContain('start foyer-server with the same FOYER_DATABASE_URL')
    const counts = await rowCounts(databaseUrl)
    expect(counts).toMatchObject({ conversation: 2, session: 2, handoff: 1 })
    const told = [...moved.stdout.matchAll(/^(\w+): (\d+) rows?$/gm)].map(([, name, rows]) => [
      name,
      Number(rows),
    ])
    const { migration: _, addition: __, ...others } = counts
    expect(Object.fromEntries(told)).toEqual(
      Object.fromEntries(Object.entries(others).filter(([, rows]) => rows > 0)),
    )

    const again = await move(databaseUrl)
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('already holds data of Foyer')])
    expect(await rowCounts(databaseUrl)).toEqual(counts)

    const second = await folder.start(port, { ...EMBEDDED, FOYER_DATABASE_URL: databaseUrl })
    // The token of before, without asking for another: the keys that signed it have moved.
    const after = await chat(person, session)
    await after.until('replay', () => after.stored().length >= 6)
    expect(after.stored()).toEqual(replay.stored())
    await after.say('EVENT_TYPE_USER_MESSAGE', { text: 'Are you still there?' })
    expect((await person.token(true)).resumed).toBe(true)
    expect((await listed(second, secret))?.map(({ handoff }) => handoff).sort()).toEqual([false, true])
  })

  it('says what is missing in one line', async () => {
    const said = async (env: Record<string, string>) => {
      const { status, stderr } = await run('move', env)
      return [status, stderr.trim()]
    }
    expect(await said({})).toEqual([1, expect.stringMatching(/^FOYER_DATABASE_URL is not set\. .*$/)])
    const databaseUrl = await postgres.create()
    expect(await said({ FOYER_DATABASE_URL: databaseUrl })).toEqual([
      1,
      expect.stringMatching(/^There is no data folder .*$/),
    ])
    expect(await rowCounts(databaseUrl)).toEqual({})
  })
})
