// The backups of the docs, restored: a dump that was made while messages flowed, and a copied folder.

import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { freePort } from '../browser/world.ts'
import { usePostgres } from './databases.ts'
import { snippetWith } from './docs.ts'
import { useFolder, visitor } from './starts.ts'

const folder = useFolder()
const postgres = usePostgres()
const copying = snippetWith('sh', 'cp -a .foyer')
const dumping = snippetWith('sh', 'pg_dump --format=custom')
const [dump = '', restore = ''] = dumping.trim().split('\n')

const run = (code: string, env: Record<string, string> = {}) =>
  promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: folder.path(),
    env: { ...process.env, ...env },
  })

type Connected = Awaited<ReturnType<ReturnType<typeof visitor>['connect']>>
const saidIn = ({ events }: Connected) =>
  events.flatMap(({ type, payload }) => (type === 'EVENT_TYPE_USER_MESSAGE' ? [String(payload.text)] : []))
const answersIn = ({ events }: Connected) =>
  events.filter(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_MESSAGE').length

/** Somebody who writes one message after the other, each once the one before is stored. */
async function chatter(origin: string, name: string) {
  const person = visitor(origin)
  await person.token(false)
  const session = await person.session()
  const client = await person.connect(session, 0)
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
  await client.until('greeting', () => client.events.some(({ payload }) => payload.is_complete === true))
  let stopped = false
  async function write() {
    for (let number = 0; !stopped; number++) {
      client.send('EVENT_TYPE_USER_MESSAGE', { text: `${name} ${number}` })
      await client.until(`echo of ${number}`, () => saidIn(client).length > number)
    }
  }
  const writing = write()
  return {
    name,
    person,
    session,
    stored: () => saidIn(client).length,
    stop() {
      stopped = true
      return writing
    },
  }
}

describe('the backup of a PostgreSQL server', () => {
  it('that is made while messages flow has each chat whole up to the dump, and a server goes on from it', async () => {
    expect([dump, restore]).toEqual([
      expect.stringMatching(/^pg_dump /),
      expect.stringMatching(/^pg_restore /),
    ])
    const port = await freePort()
    const original = await postgres.create()
    const settings = { FOYER_DATA: '', REDIS_URL: '' }
    const first = await folder.start(port, { ...settings, FOYER_DATABASE_URL: original })
    const chats = await Promise.all(['Ada', 'Bo'].map((name) => chatter(first.origin, name)))
    await expect.poll(() => Math.min(...chats.map(({ stored }) => stored()))).toBeGreaterThan(5)

    const atLeast = chats.map(({ stored }) => stored())
    await run(dump, { FOYER_DATABASE_URL: original })
    const atMost = chats.map(({ stored }) => stored() + 1)
    const more = chats.map(({ stored }) => stored())
    await expect.poll(() => chats.every(({ stored }, at) => stored() > (more[at] ?? 0))).toBe(true)
    await Promise.all(chats.map(({ stop }) => stop()))
    await first.stop()

    const restored = await postgres.create()
    await run(restore, { FOYER_DATABASE_URL: restored })
    await folder.start(port, { ...settings, FOYER_DATABASE_URL: restored })
    for (const [at, { name, person, session }] of chats.entries()) {
      const replay = await person.connect(session, 0)
      replay.send('EVENT_TYPE_USER_MESSAGE', { text: `${name} is back` })
      await replay.until('message', () => saidIn(replay).includes(`${name} is back`))
      const said = saidIn(replay).slice(0, -1)
      expect(said).toEqual(said.map((_, number) => `${name} ${number}`))
      expect(said.length).toBeGreaterThanOrEqual(atLeast[at] ?? 0)
      expect(said.length).toBeLessThanOrEqual(atMost[at] ?? 0)
      const answers = answersIn(replay)
      await replay.until('answer', () => replay.events.some(({ payload }) => payload.is_complete === true))
      expect(answers).toBeGreaterThan(0)
      expect((await person.token(true)).resumed).toBe(true)
    }
  })
})

describe('the backup of the embedded store', () => {
  it('is the folder of a stopped server, from which a server goes on', async () => {
    const port = await freePort()
    const settings = { FOYER_DATABASE_URL: '', FOYER_DATA: '', REDIS_URL: '' }
    const first = await folder.start(port, settings)
    const chat = await chatter(first.origin, 'Ada')
    await expect.poll(chat.stored).toBeGreaterThan(2)
    await chat.stop()
    const stored = chat.stored()
    await first.stop()
    const backups = folder.path('backups')
    mkdirSync(backups)
    await run(copying.replace('/backups', backups))
    rmSync(folder.path('.foyer'), { recursive: true })
    await run(`cp -a ${backups}/foyer-monday .foyer`)
    await folder.start(port, settings)
    const replay = await chat.person.connect(chat.session, 0)
    await replay.until('replay', () => saidIn(replay).length >= stored)
    expect(saidIn(replay)).toEqual(Array.from({ length: stored }, (_, number) => `Ada ${number}`))
  })
})
