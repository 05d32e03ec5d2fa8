// The operator's commands, when several of them and the sessions' own transactions run at the same time.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCommands } from '../../src/runtime/commands.ts'
import { type Commands, type Database, systemClock } from '../../src/runtime/index.ts'
import { lockSessions } from '../../src/runtime/sessions/index.ts'
import { newDatabase } from './store.ts'

const ACCOUNT = 'ws-test0001'
let database: Database
let commands: Commands
beforeAll(async () => {
  database = await newDatabase()
  commands = createCommands({
    database,
    region: 'local',
    now: systemClock.now,
    uuid: () => crypto.randomUUID(),
  })
  await commands.createProject({
    id: 'PROJECT-test0001',
    slug: 'first',
    accountId: ACCOUNT,
    accountSlug: 'shop',
  })
})
afterAll(() => database.close())

it.each([
  ['ID', { id: 'PROJECT-twin0001', slug: 'one' }, { id: 'PROJECT-twin0001', slug: 'two' }],
  ['slug', { slug: 'same' }, { slug: 'same' }],
])('of two projects created at once with the same %s the second is refused', async (_, one, two) => {
  const created = await Promise.allSettled(
    [one, two].map((options) => commands.createProject({ ...options, accountId: ACCOUNT })),
  )
  expect(created.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [refused] = created.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused).toMatchObject({ name: 'CommandError', message: expect.stringContaining('already') })
})

it('switching transcripts off and saving the settings at the same time loses neither', async () => {
  const project = { id: 'PROJECT-test0001', slug: 'first', accountId: ACCOUNT, accountSlug: 'shop' }
  for (let round = 1; round <= 20; round++) {
    await commands.saveProject({ ...project, transcripts: true })
    const both = [
      () => commands.setTranscripts(project.id, false),
      () => commands.saveProject({ ...project, smsPerMinute: round }),
    ]
    await Promise.all((round % 2 === 0 ? both : both.toReversed()).map((run) => run()))
    const saved = (await commands.projects()).find(({ id }) => id === project.id)
    expect(saved).toMatchObject({ transcripts: false, settings: { smsPerMinute: round } })
  }
})

it('revoking a connector locks its sessions in the order of erasing, so that neither waits for the other for ever', async () => {
  const { connector } = await commands.createConnector({
    ...{ accountId: ACCOUNT, projectId: 'PROJECT-test0001', environment: 'live', host: 'shop.example.com' },
  })
  // The last one is stored first.
  const ids = ['session-2', 'session-1']
  for (const id of ids) {
    await database.query(
      `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at)
       VALUES ($1, $2, 'PROJECT-test0001', 'live', 'WEBCHAT', now())`,
      [id, ACCOUNT],
    )
    await database.query(
      "INSERT INTO foyer.session (id, family, connector_id, token_id) VALUES ($1, 'chat', $2, 'token')",
      [id, connector.id],
    )
  }
  let revoking: Promise<boolean> | undefined
  await database.transaction(async (tx) => {
    await lockSessions(tx, ['session-1'])
    revoking = commands.revokeConnector(connector.id)
    // On a server its statements run now, until one waits for the lock.
    await new Promise((resolve) => setTimeout(resolve, 200))
    await lockSessions(tx, ['session-2'])
  })
  expect(await revoking).toBe(true)
  const tokens = await database.query<{ token_id: string }>('SELECT token_id FROM foyer.session')
  expect(tokens).toEqual([{ token_id: '' }, { token_id: '' }])
})
