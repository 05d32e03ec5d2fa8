// What only the stores of messaging, calls, handoff and processes can show: claims, locks and bounds, on the embedded database.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { abandonedCalls, claimCall, insertCall } from '../../src/runtime/calls/store.ts'
import { entryOf } from '../../src/runtime/handoff/desk-view.ts'
import { linesOf } from '../../src/runtime/handoff/line-store.ts'
import { queuedHandoffs, recordToldPosition, saveHandoff } from '../../src/runtime/handoff/store.ts'
import { createHeartbeat } from '../../src/runtime/jobs/index.ts'
import {
  claimDelivery,
  insertDelivery,
  removeDelivery,
  rescheduleDelivery,
} from '../../src/runtime/messaging/store.ts'
import type { LockedSession } from '../../src/runtime/sessions/index.ts'
import { findSession } from '../../src/runtime/sessions/state/session-store.ts'
import { at, createStoreWorld, said, text } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
const db = () => world.database
const begin: typeof world.begin = (...given) => world.begin(...given)
beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

const call = (sid: string, more: object = {}) => ({
  ...{ sid, account_id: 'ws-1', project_id: 'PROJECT-1', connector_id: 'CON-1', environment: 'live' },
  ...{ to_number: '+15', from_number: '+16', metadata: { a: 'b' }, encryption: 'tls', created_at: at(0) },
  ...more,
})
const message = (id: string) => ({ id, to: '+1', from: '+2', text: id })

/** A conversation that waits in the queue since then. */
async function queue(
  seconds: number,
  data: Record<string, unknown> = {},
  before: (session: LockedSession) => void = () => {},
): Promise<string> {
  const id = await begin({}, (session) => {
    session.move('handed-off')
    before(session)
  })
  await saveHandoff(db(), {
    ...{ conversation_id: id, project_id: 'PROJECT-1', shared_id: 'shared', queue_name: 'q', data },
    ...{ created_at: at(seconds), queued_at: at(seconds) },
  })
  return id
}

it('erasing waits for the transaction that has locked the conversation', async () => {
  const id = await begin()
  const going = world.locked(id, async (session) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return session.append(said('a'))
  })
  expect(await world.erase({ id })).toEqual([id])
  expect(await going).toMatchObject({ sequence: 1 })
  expect(await findSession(db(), id)).toBeUndefined()
})

it('the handoff queue is read with bounded texts, a conversation with bounded lines', async () => {
  const long = 'é'.repeat(60_000)
  const id = await queue(0, { last_question: long, deep: [{ text: long }] }, (session) => {
    for (let n = 0; n < 12; n++) session.append(said(`${n} ${long}`))
  })
  const [row] = await queuedHandoffs(db(), 'one', 'PROJECT-1')
  expect(row?.messages.map(({ text }) => text.length)).toEqual(Array(12).fill(1_000))
  const shown = row && entryOf(row, undefined)
  expect(shown?.question).toHaveLength(1_000)
  expect(shown?.data).toEqual({
    last_question: long.slice(0, 1_000),
    deep: [{ text: long.slice(0, 1_000) }],
  })
  const lines = await linesOf(db(), 'PROJECT-1', id)
  expect(lines.map(({ payload }) => String(payload.text).split(' ')[0])).toEqual([
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
    '11',
  ])
})

it('the handoff queue has the longest wait first, and each place is told once', async () => {
  const [second, first] = [await queue(20), await queue(10)]
  const rows = await queuedHandoffs(db(), 'one', 'PROJECT-1')
  expect(rows.map((row) => row.conversation_id)).toEqual([first, second])
  const tell = (id: string) => recordToldPosition(db(), id)
  expect([await tell(second), await tell(second), await tell(first)]).toEqual([2, undefined, 1])
  await world.erase({ id: first })
  expect(await tell(second)).toBe(1)
})

it('deliveries are claimed in order, each by one process at a time', async () => {
  const one = await begin(text('+1', '+2'))
  const two = await begin(text('+1', '+3'))
  await insertDelivery(db(), one, message('one-1'), at(5))
  await insertDelivery(db(), one, message('one-2'), at(0))
  await insertDelivery(db(), two, message('two-1'), at(3))
  await expect(insertDelivery(db(), one, message('one-1'), at(0))).rejects.toMatchObject({ code: '23505' })
  const claim = (owner: string, seconds: number, held: string[] = []) =>
    claimDelivery(db(), owner, { now: at(seconds), storedBy: at(seconds) }, held)
  expect(await claim('alive', 2)).toBeUndefined()
  expect(await claim('dead', 9)).toMatchObject({ id: 'two-1', message: { text: 'two-1' } })
  // An attempt that was cut off counts as none.
  expect(await claim('alive', 9)).toMatchObject({ id: 'two-1', attempts: 0, created_at: at(3) })
  expect(await claim('alive', 9, ['two-1'])).toMatchObject({ id: 'one-1', session_id: one, attempts: 0 })
  expect(await claim('alive', 9, ['two-1', 'one-1'])).toBeUndefined()
  await rescheduleDelivery(db(), 'dead', 'one-1', at(15))
  await rescheduleDelivery(db(), 'alive', 'one-1', at(20))
  expect(await claim('alive', 19, ['two-1'])).toBeUndefined()
  expect(await claim('alive', 20, ['two-1'])).toMatchObject({ id: 'one-1', attempts: 1, created_at: at(5) })
  await removeDelivery(db(), 'one-1')
  expect(await claim('alive', 20, ['two-1'])).toMatchObject({ id: 'one-2', attempts: 0 })
  // What its own process lost is free too, and nobody else's.
  await rescheduleDelivery(db(), 'alive', 'two-1', at(30))
  expect(await claim('other', 20)).toBeUndefined()
  expect(await claim('alive', 20)).toMatchObject({ id: 'one-2', attempts: 0 })
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

it('calls are placed one after another, at most as many at once as the account may', async () => {
  await insertCall(db(), call('b', { created_at: at(1) }))
  await insertCall(db(), call('a', { created_at: at(1) }))
  await insertCall(db(), call('c', { account_id: 'ws-2', created_at: at(2) }))
  const claim = (owner: string) => claimCall(db(), owner, 1)
  expect(await claim('alive')).toMatchObject({ sid: 'a', status: 'calling', owner: 'alive' })
  expect(await claim('dead')).toMatchObject({ sid: 'c' })
  expect(await claim('alive')).toBeUndefined()
  const abandoned = async (owner: string, held: string[]) =>
    (await abandonedCalls(db(), owner, held)).map(({ sid }) => sid).toSorted()
  expect(await abandoned('alive', ['a'])).toEqual(['c'])
  expect(await abandoned('alive', [])).toEqual(['a', 'c'])
  expect(await abandoned('other', [])).toEqual(['c'])
})
