// What the stores of accounts and jobs promise, on the embedded database.

import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  connectorOf,
  findConnector,
  listConnectors,
  saveConnector,
} from '../../src/runtime/accounts/connector-store.ts'
import {
  type ApiKey,
  findKey,
  listKeys,
  markKeyRevoked,
  saveKey,
} from '../../src/runtime/accounts/key-store.ts'
import {
  findAccount,
  findProject,
  findSender,
  listProjects,
  saveProject,
  saveSender,
  sendersOf,
} from '../../src/runtime/accounts/project-store.ts'
import { keptSecret } from '../../src/runtime/accounts/secret-store.ts'
import { createCommands } from '../../src/runtime/commands.ts'
import { countRequest, forgetRates } from '../../src/runtime/jobs/index.ts'
import { findSession } from '../../src/runtime/sessions/session-store.ts'
import { at, CONNECTOR, createStoreWorld, PROJECT } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
const db = () => world.database
beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

const unique = expect.objectContaining({ code: '23505' })
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

it('a generated secret stays the same', async () => {
  const secret = await keptSecret(db(), 'some-key')
  expect(secret).toHaveLength(43)
  expect(await keptSecret(db(), 'some-key')).toBe(secret)
  expect(await keptSecret(db(), 'other-key')).not.toBe(secret)
  const [one, other] = await Promise.all([keptSecret(db(), 'new-key'), keptSecret(db(), 'new-key')])
  expect(one).toBe(other)
})

it('a connector is found by the hash of its token until it is revoked', async () => {
  const connector = { ...CONNECTOR, id: 'CON-3' }
  await saveConnector(db(), connector, 'token-3')
  await expect(saveConnector(db(), { ...CONNECTOR, id: 'CON-2' }, 'token-3')).rejects.toEqual(unique)
  expect(await findConnector(db(), 'token-3')).toEqual(connector)
  expect(await findConnector(db(), 'nobody')).toBeUndefined()
  const id = await world.begin({ connectorId: 'CON-3' })
  const commands = createCommands({ database: db(), region: 'local', now: Date.now, uuid: randomUUID })
  expect(await commands.revokeConnector('CON-3')).toBe(true)
  expect(await commands.revokeConnector('CON-3')).toBe(false)
  expect(await findConnector(db(), 'token-3')).toBeUndefined()
  expect(await connectorOf(db(), 'CON-3')).toBeUndefined()
  expect(await findSession(db(), id)).toMatchObject({ tokenId: '' })
  expect((await listConnectors(db())).map((one) => [one.id, one.revoked])).toEqual([
    ['CON-1', false],
    ['CON-3', true],
  ])
})

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

it('projects and senders are found by each of their names', async () => {
  await expect(saveProject(db(), { ...PROJECT, id: 'PROJECT-2' })).rejects.toEqual(unique)
  await saveProject(db(), { ...PROJECT, id: 'shop', slug: 'PROJECT-1', settings: { callsAtOnce: 2 } })
  for (const account of ['ws-1', 'larkspur'])
    expect((await findProject(db(), account, 'shop'))?.id).toBe('shop')
  expect((await findProject(db(), 'ws-1', 'PROJECT-1'))?.id).toBe('PROJECT-1')
  expect(await findProject(db(), 'ws-2', 'shop')).toBeUndefined()
  expect([await findAccount(db(), 'larkspur'), await findAccount(db(), 'x')]).toEqual(['ws-1', undefined])
  expect(ids(await listProjects(db()))).toEqual(['PROJECT-1', 'shop'])
  const sender = { project_id: 'PROJECT-1', environment: 'live', kind: 'sms', address: '+2' } as const
  for (const address of ['+2', '+1', '+2']) await saveSender(db(), { ...sender, address })
  await saveSender(db(), { ...sender, environment: 'draft', address: '+3' })
  const addresses = async (environment?: string) =>
    (await sendersOf(db(), 'PROJECT-1', environment)).map(({ address }) => address)
  expect([await addresses('live'), await addresses()]).toEqual([
    ['+1', '+2'],
    ['+3', '+1', '+2'],
  ])
  expect(await findSender(db(), '+2')).toEqual(sender)
  const nobodys = saveSender(db(), { ...sender, project_id: 'nobody' })
  await expect(nobodys).rejects.toEqual(expect.objectContaining({ code: '23503' }))
})

it('requests are counted within a window of time', async () => {
  const count = (seconds: number) => countRequest(db(), 'rate', 60, at(seconds))
  expect(await count(0)).toEqual({ count: 1, wait: 60 })
  expect(await count(59)).toEqual({ count: 2, wait: 1 })
  expect((await count(60)).count).toBe(1)
  await forgetRates(db(), at(61))
  expect((await count(60)).count).toBe(1)
})
