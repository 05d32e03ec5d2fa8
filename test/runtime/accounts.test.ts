// What only the stores of accounts and jobs can show, on the embedded database.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  type ApiKey,
  findKey,
  listKeys,
  markKeyRevoked,
  saveKey,
} from '../../src/runtime/accounts/key-store.ts'
import { findProject, saveProject } from '../../src/runtime/accounts/project-store.ts'
import { countRequest, forgetRates } from '../../src/runtime/jobs/index.ts'
import { at, createStoreWorld, PROJECT } from './store-world.ts'

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
