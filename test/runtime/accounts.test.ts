// What only the stores of accounts, sessions and jobs can show, on the embedded database.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  type Connector,
  connectorOf,
  findConnector,
  listConnectors,
  markConnectorRevoked,
  saveConnector,
} from '../../src/runtime/accounts/connector-store.ts'
import {
  type ApiKey,
  findKey,
  listKeys,
  markKeyRevoked,
  saveKey,
} from '../../src/runtime/accounts/key-store.ts'
import { createKeys } from '../../src/runtime/accounts/keys.ts'
import { findProject, projectOf, saveProject } from '../../src/runtime/accounts/project-store.ts'
import { keptSecret } from '../../src/runtime/accounts/secret-store.ts'
import { type Commands, saveOptions } from '../../src/runtime/commands.ts'
import { countRequest, createHeartbeat, forgetRates } from '../../src/runtime/jobs/index.ts'
import type { RuntimeOptions } from '../../src/runtime/options.ts'
import { findSession } from '../../src/runtime/sessions/state/session-store.ts'
import { at, CONNECTOR, createStoreWorld, PROJECT, said } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
const db = () => world.database
beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

it('a key keeps its creation date when it is saved again', async () => {
  const key: ApiKey = {
    ...{ id: 'KEY-1', kind: 'runtime' as const, name: 'a', region: 'local', account_id: 'ws-1' },
    ...{ project_id: null, connector_id: null, permissions: ['analytics' as const] },
    ...{ created_at: at(5), revoked_at: null },
  }
  await saveKey(db(), key, 'secret-1')
  await saveKey(db(), { ...key, permissions: [], id: 'KEY-2', created_at: at(4) }, 'secret-2')
  await saveKey(db(), { ...key, permissions: [], name: 'b', created_at: at(9) }, 'secret-3')
  expect(ids(await listKeys(db()))).toEqual(['KEY-2', 'KEY-1'])
  expect(await findKey(db(), 'secret-1')).toBeUndefined()
  expect(await findKey(db(), 'secret-3')).toEqual({ ...key, name: 'b', permissions: [] })
  expect([await markKeyRevoked(db(), 'KEY-1', at(6)), await markKeyRevoked(db(), 'KEY-1', at(7))]).toEqual([
    true,
    false,
  ])
  expect(await findKey(db(), 'secret-3')).toBeUndefined()
  expect((await listKeys(db()))[1]?.revoked_at).toEqual(at(6))
})

it('a connector that is saved again changes in everything, its token included, and no other one does', async () => {
  const first = { ...CONNECTOR, id: 'CON-first', outbound_calling: false }
  const other = { ...CONNECTOR, id: 'CON-other' }
  await saveConnector(db(), first, 'first-token')
  await saveConnector(db(), other, 'other-token')
  const saved: Connector = {
    ...{ id: 'CON-first', host: 'new.example.com', allow_subdomains: true, account_id: 'ws-2' },
    ...{ project_id: 'PROJECT-2', environment: 'sandbox', outbound_calling: true },
  }
  await saveConnector(db(), saved, 'new-token')
  expect(await findConnector(db(), 'first-token')).toBeUndefined()
  for (const found of [await findConnector(db(), 'new-token'), await connectorOf(db(), 'CON-first')])
    expect(found).toEqual(saved)
  // A revoked one has no token, calls nobody, and can be saved again.
  expect([
    await markConnectorRevoked(db(), 'CON-first'),
    await markConnectorRevoked(db(), 'CON-first'),
  ]).toEqual([true, false])
  for (const gone of [await findConnector(db(), 'new-token'), await connectorOf(db(), 'CON-first')])
    expect(gone).toBeUndefined()
  expect((await listConnectors(db())).filter(({ id }) => id !== 'CON-1')).toEqual([
    { ...saved, outbound_calling: false, revoked: true },
    { ...other, revoked: false },
  ])
  await saveConnector(db(), saved, 'newest-token')
  expect(await findConnector(db(), 'newest-token')).toEqual(saved)
  expect(await findConnector(db(), 'other-token')).toEqual(other)
})

it('a key that is saved again changes in all but its date, and stays revoked', async () => {
  const first: ApiKey = {
    ...{ id: 'KEY-a', kind: 'runtime' as const, name: 'a', region: 'local', account_id: 'ws-1' },
    ...{ project_id: 'PROJECT-1', connector_id: null, permissions: ['analytics' as const] },
    ...{ created_at: at(5), revoked_at: null },
  }
  const changed: ApiKey = {
    ...{ id: 'KEY-a', kind: 'calling' as const, name: 'b', region: 'us-1', account_id: 'ws-2' },
    ...{ project_id: 'PROJECT-2', connector_id: 'CON-1', permissions: [] },
    ...{ created_at: at(9), revoked_at: null },
  }
  await saveKey(db(), first, 'secret-a')
  await saveKey(db(), changed, 'secret-b')
  expect(await findKey(db(), 'secret-a')).toBeUndefined()
  expect(await findKey(db(), 'secret-b')).toEqual({ ...changed, created_at: at(5) })
  await markKeyRevoked(db(), 'KEY-a', at(10))
  await saveKey(db(), first, 'secret-c')
  expect(await findKey(db(), 'secret-c')).toBeUndefined()
})

it('a project that is saved again changes in everything, and its transcripts where it says so', async () => {
  const first = { ...PROJECT, id: 'PROJECT-a', slug: 'a', settings: { smsPerMinute: 1, callsPerMinute: 2 } }
  await saveProject(db(), first)
  const changed = {
    ...{ id: 'PROJECT-a', slug: 'b', account_id: 'ws-2', account_slug: 'juniper' },
    settings: { callsAtOnce: 3 },
  }
  for (const [transcripts, kept] of [
    [undefined, true],
    [false, false],
    [undefined, false],
    [true, true],
  ] as const) {
    const saved = await saveProject(db(), { ...changed, transcripts })
    expect(saved).toEqual({ ...changed, transcripts: kept })
    expect(await projectOf(db(), 'PROJECT-a')).toEqual(saved)
  }
})

it('a start makes the project of a connector where there is none, and leaves one that there is as it is', async () => {
  const saved: unknown[] = []
  const save = (kind: string) => async (what: { id?: string }, secret?: string) =>
    void saved.push([kind, what.id, secret])
  const owner = { accountId: 'ws-1', environment: 'live', host: 'shop.example.com' }
  await saveOptions(
    {
      projects: [{ id: 'PROJECT-named', slug: 'named', accountId: 'ws-1', accountSlug: 'larkspur' }],
      connectors: [
        { ...owner, id: 'CON-a', token: 'token-a', projectId: 'PROJECT-1' },
        { ...owner, id: 'CON-b', token: 'token-b', projectId: 'PROJECT-new' },
      ],
      keys: [{ id: 'KEY-a', accountId: 'ws-1', secret: 'secret-a' }],
    } as unknown as RuntimeOptions,
    db(),
    {
      ...{ saveProject: save('project'), saveConnector: save('connector'), saveKey: save('key') },
    } as unknown as Commands,
  )
  expect(saved).toEqual([
    ['project', 'PROJECT-named', undefined],
    ['connector', 'CON-a', 'token-a'],
    ['project', 'PROJECT-new', undefined],
    ['connector', 'CON-b', 'token-b'],
    ['key', 'KEY-a', 'secret-a'],
  ])
})

it('a start saves a row again that another server saved at the same moment, and fails where the row cannot be saved', async () => {
  const owner = { accountId: 'ws-1', environment: 'live', host: 'shop.example.com' }
  const options = {
    projects: [{ id: 'PROJECT-named', slug: 'named', accountId: 'ws-1', accountSlug: 'larkspur' }],
    connectors: [{ ...owner, id: 'CON-a', token: 'token-a', projectId: 'PROJECT-new' }],
    keys: [{ id: 'KEY-a', accountId: 'ws-1', secret: 'secret-a' }],
  } as unknown as RuntimeOptions
  /** Refuses each row `times` times. */
  const start = async (times: number, code: string) => {
    const tried: string[] = []
    const save = async ({ id }: { id: string }) => {
      tried.push(id)
      if (tried.filter((other) => other === id).length <= times)
        throw Object.assign(new Error('refused'), { code })
    }
    const commands = { saveProject: save, saveConnector: save, saveKey: save } as unknown as Commands
    return saveOptions(options, db(), commands).then(
      () => tried,
      (error: Error) => [...tried, error.message],
    )
  }
  const rows = ['PROJECT-named', 'PROJECT-new', 'CON-a', 'KEY-a']
  expect(await start(1, '23505')).toEqual(rows.flatMap((id) => [id, id]))
  expect(await start(2, '23505')).toEqual(['PROJECT-named', 'PROJECT-named', 'refused'])
  expect(await start(1, '23514')).toEqual(['PROJECT-named', 'refused'])
})

it('a calling token is for a connector of its own account', async () => {
  await saveProject(db(), { ...PROJECT, id: 'PROJECT-b', slug: 'b', account_id: 'ws-b', account_slug: 'b' })
  const { saveKey: save } = createKeys({ db: db(), region: 'local', now: () => 0, shortId: () => 'b' })
  const key = { kind: 'calling', connectorId: 'CON-1' } as const
  await expect(save({ ...key, accountId: 'ws-b' }, 'calling-b')).rejects.toThrow('has no connector CON-1')
  expect(await save({ ...key, accountId: 'ws-1' }, 'calling-1')).toMatchObject({ connector_id: 'CON-1' })
})

it('a secret is made once for each name', async () => {
  const [one, same, other] = [
    await keptSecret(db(), 'one'),
    await keptSecret(db(), 'one'),
    await keptSecret(db(), 'other'),
  ]
  expect([same === one, other === one, one.length]).toEqual([true, false, 43])
})

it('a project is found by its id before another that has this id for a slug', async () => {
  await saveProject(db(), { ...PROJECT, id: 'PROJECT-2', slug: 'PROJECT-1' })
  expect((await findProject(db(), 'larkspur', 'PROJECT-1'))?.id).toBe('PROJECT-1')
  expect((await findProject(db(), 'larkspur', 'PROJECT-2'))?.id).toBe('PROJECT-2')
})

it('requests are counted within a window of time', async () => {
  const count = (seconds: number) => countRequest(db(), 'rate', 60, at(seconds))
  expect(await count(0)).toEqual({ count: 1, wait: 60 })
  expect(await count(59)).toEqual({ count: 2, wait: 1 })
  expect((await count(60)).count).toBe(1)
  await forgetRates(db(), at(61))
  expect((await count(60)).count).toBe(1)
})

it('erasing waits for the transaction that has locked the conversation', async () => {
  const id = await world.begin()
  const going = world.locked(id, async (session) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return session.append(said('a'))
  })
  expect(await world.erase({ id })).toEqual([id])
  expect(await going).toMatchObject({ sequence: 1 })
  expect(await findSession(db(), id)).toBeUndefined()
})

it('a process that alone may use the data declares all others dead, and not itself', async () => {
  const alive = async () =>
    (await db().query<{ id: string }>('SELECT id FROM foyer.process ORDER BY id')).map(({ id }) => id)
  const start = (processId: string, alone: boolean) =>
    createHeartbeat({ build: 'build', db: db(), processId, deadAfterSeconds: 15 }).start(alone)
  await start('earlier', false)
  expect(await alive()).toEqual(['alive', 'earlier'])
  await start('alive', true)
  expect(await alive()).toEqual(['alive'])
})

it('a process that was removed by mistake registers its sockets with each beat, until that succeeds', async () => {
  const heartbeat = createHeartbeat({ build: 'build', db: db(), processId: 'alive', deadAfterSeconds: 15 })
  await heartbeat.start(false)
  let tries = 0
  const again = async () => {
    if (++tries < 3) throw new Error('the database is away')
  }
  await heartbeat.beat(again)
  expect(tries).toBe(0)
  await db().query("DELETE FROM foyer.process WHERE id = 'alive'")
  for (let count = 1; count <= 2; count++)
    await expect(heartbeat.beat(again)).rejects.toThrow('the database is away')
  await heartbeat.beat(again)
  await heartbeat.beat(again)
  expect(tries).toBe(3)
})
