// A rolling upgrade: the last release and this tree run on one database, and a chat goes on at whichever of them answers.

import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { createGunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { createChat } from '../../src/chat/index.ts'
import type { createClient } from '../../src/client/package.ts'
import { freePort, ONE_DOCUMENT, type Server, SHORT_LIVED, startServer } from '../browser/world.ts'
import { usePostgres } from './databases.ts'
import { root, useFolder, visitor } from './starts.ts'
import { createVisitor } from './visitors.ts'

const TREE = join(root, 'dist/foyer-server')
/** Inside node_modules, so that the imports of the release are found. */
const LAST = mkdtempSync(join(root, 'node_modules/.foyer-release-'))

const databases = usePostgres()
beforeAll(async () => {
  for (const name of ['server', 'webchat'])
    await pipeline(
      createReadStream(join(root, `test/release/foyer-${name}-0.1.0.tgz`)),
      createGunzip(),
      unpackTar(join(LAST, name), { strip: 1 }),
    )
  // Its modules say `import`, and its package.json that they may.
  writeFileSync(join(LAST, 'package.json'), '{"type":"module"}')
}, 300_000)
afterAll(() => rmSync(LAST, { recursive: true, force: true }))

const folder = useFolder()
let servers: Server[]
let databaseUrl: string
beforeEach(async () => {
  servers = []
  databaseUrl = await databases.create()
})
afterEach(async () => {
  for (const server of servers) await server.stop('SIGKILL')
})

/** Browsers know all processes by one origin, as behind a load balancer. */
async function start(release: string, origin: string, port: number): Promise<Server> {
  const env = { FOYER_DATABASE_URL: databaseUrl, FOYER_PUBLIC_ORIGIN: origin }
  const server = await startServer(port, folder.path(), env, ONE_DOCUMENT, SHORT_LIVED, release)
  servers.push(server)
  return server
}

type Client = Awaited<ReturnType<ReturnType<typeof visitor>['connect']>>
const wholeAnswers = ({ events }: Client) =>
  events.filter(
    ({ type, payload }) => type === 'EVENT_TYPE_POLY_AGENT_MESSAGE' || payload.is_complete === true,
  )
const texts = ({ events }: Client) =>
  events.flatMap(({ type, payload }) => (type === 'EVENT_TYPE_USER_MESSAGE' ? [payload.text] : []))

/** Says something, and waits until it has its whole answer. */
async function exchange(client: Client, text: string | undefined): Promise<void> {
  const before = wholeAnswers(client).length
  if (text === undefined) client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
  else client.send('EVENT_TYPE_USER_MESSAGE', { text })
  await client.until(`answer to ${text}`, () => wholeAnswers(client).length > before)
  expect(client.events.some(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')).toBe(false)
}

it('the last release goes on beside this one, starts again, and chats move between the two', async () => {
  const [port, otherPort] = [await freePort(), await freePort()]
  const origin = `http://localhost:${port}`
  const old = await start(join(LAST, 'server'), origin, port)
  const early = visitor(origin)
  await early.token(false)
  const earlySession = await early.session()
  const atOld = await early.connect(earlySession, 0)
  await exchange(atOld, undefined)

  const tree = await start(TREE, origin, otherPort)
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const added = await database.query('SELECT 1 FROM foyer.addition')
  expect(added.rowCount).toBeGreaterThan(0)
  // It keeps the files of its own build, and serves those of another.
  expect((await database.query('SELECT 1 FROM foyer.build_file')).rowCount).toBeGreaterThan(10)
  await database.query(
    "INSERT INTO foyer.build_file VALUES ('panel-12345678.js', 'text/javascript', 'export', now())",
  )
  await database.end()
  const file = await fetch(`${tree.origin}/foyer/assets/panel-12345678.js`)
  expect([file.status, await file.text()]).toEqual([200, 'export'])
  await exchange(atOld, 'at the old one')

  // With the token of one the other is entered, and its cookie is understood.
  const late = visitor(origin)
  await late.token(false, tree.origin)
  expect((await late.token(true)).resumed).toBe(true)
  const lateSession = await late.session(tree.origin)
  const atNew = await late.connect(lateSession, 0, tree.origin)
  await exchange(atNew, undefined)
  await exchange(atNew, 'at the new one')

  const moved = await early.connect(earlySession, 0, tree.origin)
  await moved.until('history', () => texts(moved).length === 1)
  await exchange(moved, 'from old to new')
  await old.stop()
  const again = await start(join(LAST, 'server'), origin, port)
  const back = await late.connect(lateSession, 0, again.origin)
  await back.until('history', () => texts(back).length === 1)
  await exchange(back, 'from new to old')
  expect(texts(back)).toEqual(['at the new one', 'from new to old'])
  const whole = await early.connect(earlySession, 0, again.origin)
  await whole.until('history', () => wholeAnswers(whole).length === 3)
  expect(texts(whole)).toEqual(['at the old one', 'from old to new'])
})

it('the last release’s client and engine work with this runtime', async () => {
  const port = await freePort()
  const server = await start(TREE, `http://localhost:${port}`, port)
  const load = <T>(path: string): Promise<T> => import(pathToFileURL(join(LAST, path)).href)
  const client = (await load<{ createClient: typeof createClient }>('server/client.js')).createClient({
    ...{ apiUrl: server.origin, chatUrl: server.origin, apiKey: 'demo-api-key', authToken: 'demo-calling' },
    ...{ connectorId: 'CON-demo0001', connectorToken: 'demo-connector', host: 'localhost' },
  })
  await client.sms.send({ user_number: '+15005550010', message: 'Your bicycle is ready.' })
  const { call_sid } = await client.calls.start({ to_number: '+15005550011' })
  expect(await client.calls.wait(call_sid)).toMatchObject({ status: 'failure' })

  const engine = await load<{ createChat: typeof createChat }>('webchat/chat.js')
  const person = createVisitor(server.origin, 1, engine.createChat)
  person.chat.open()
  await person.live()
  person.say('Hello')
  await person.settled()
  expect(await person.stored()).toEqual(['Hello'])
  const said = person.screen().map(({ role }) => role)
  expect(said).toContain('visitor')
  person.chat.dispose()

  const page = { account_id: 'demo', project_id: 'front-desk', client_env: 'sandbox' } as const
  const channels: unknown[] = []
  for await (const { channel } of client.conversations.iterate(page)) channels.push(channel)
  expect(channels.sort()).toEqual(['SMS', 'VOICE-SIP', 'WEBCHAT'])
})
