// What the stores of messaging, calls and handoff promise, and what erasing takes, on the embedded database.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  abandonedCalls,
  attachConversation,
  callsQueuedBefore,
  claimCall,
  findCall,
  finishCall,
  forgetCallsEndedBefore,
  insertCall,
} from '../../src/runtime/calls/store.ts'
import { findConversation, turnsOf } from '../../src/runtime/conversations/list/list-store.ts'
import { createVectorStore } from '../../src/runtime/conversations/semantic/vector-store.ts'
import { entryOf } from '../../src/runtime/handoff/desk-view.ts'
import { linesOf } from '../../src/runtime/handoff/line-store.ts'
import {
  findHandoff,
  lastWaits,
  markTaken,
  queuedHandoffs,
  recordToldPosition,
  requeue,
  saveHandoff,
  waitingSince,
} from '../../src/runtime/handoff/store.ts'
import { createHeartbeat } from '../../src/runtime/jobs/index.ts'
import {
  claimDelivery,
  insertDelivery,
  isOptedOut,
  removeDelivery,
  rescheduleDelivery,
  saveConsent,
} from '../../src/runtime/messaging/store.ts'
import { eventsAfter } from '../../src/runtime/sessions/event-store.ts'
import type { LockedSession } from '../../src/runtime/sessions/index.ts'
import { findSession } from '../../src/runtime/sessions/session-store.ts'
import { addSocket } from '../../src/runtime/sessions/socket-store.ts'
import { at, createStoreWorld, said, text, turn } from './store-world.ts'

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
const handoff = (id: string, queued: number, shared = 'shared') => ({
  ...{ conversation_id: id, project_id: 'PROJECT-1', shared_id: shared, data: { queued }, queue_name: 'q' },
  ...{ created_at: at(queued), queued_at: at(queued) },
})
const message = (id: string) => ({ id, to: '+1', from: '+2', text: id })
const finish = (
  sid: string,
  status: 'success' | 'failure',
  reason: string,
  seconds: number,
  from: 'queued' | 'calling' = 'calling',
) => finishCall(db(), sid, { from, status, reason }, at(seconds))

describe('erasing', () => {
  it('deletes a conversation with everything that belongs to it', async () => {
    const id = await begin(text('+1', '+2'), async (session) => {
      await turn('zeppelin')(session)
      session.move('handed-off')
    })
    await insertDelivery(db(), id, message('delivery-erased'), at(0))
    await saveHandoff(db(), handoff(id, 0))
    await world.index()
    await insertCall(db(), call('call-erased'))
    await attachConversation(db(), 'call-erased', id)
    const vectors = createVectorStore(db())
    await vectors.claimTexts('alive', { quietSince: at(99), now: at(99) }, 9)
    await vectors.saveVector('alive', { id, text: 'zeppelin ' }, 'other', [1, 0])
    const socket = (sessionId: string) =>
      addSocket(db(), { id: 'socket-1', sessionId, processId: 'alive' }, 1)
    expect(await socket(id)).toBe(true)
    expect(await queuedHandoffs(db(), 'PROJECT-1')).toHaveLength(1)
    expect(await world.erase({ id })).toBe(1)
    expect(await world.erase({ id })).toBe(0)
    expect(await findSession(db(), id)).toBeUndefined()
    expect((await eventsAfter(db(), id, 0)).events).toEqual([])
    expect(await turnsOf(db(), [id])).toEqual([])
    expect(await queuedHandoffs(db(), 'PROJECT-1')).toEqual([])
    expect(await claimDelivery(db(), 'alive', at(9), [])).toBeUndefined()
    expect(await findCall(db(), 'call-erased')).toBeUndefined()
    expect(await db().query('SELECT 1 FROM foyer.transcript')).toEqual([])
    expect(await socket(await begin(text('+1', '+2')))).toBe(true)
  })

  it('waits for the transaction that has locked the conversation', async () => {
    const id = await begin()
    const going = world.locked(id, async (session) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return session.append(said('a'))
    })
    expect(await world.erase({ id })).toBe(1)
    expect(await going).toMatchObject({ sequence: 1 })
    expect(await findSession(db(), id)).toBeUndefined()
  })

  it('of a number deletes its conversations, calls and consent', async () => {
    const own = [await begin(text('+1', '+2')), await begin(text('+1', '+3'))]
    const other = await begin(text('+9', '+2'))
    const optOut = (userNumber: string, optedOut: boolean) =>
      saveConsent(db(), { userNumber, agentNumber: '+2', optedOut }, at(0))
    await insertCall(db(), call('call-own', { to_number: '+1' }))
    await optOut('+1', true)
    await optOut('+9', true)
    expect(await world.erase({ number: '+1' })).toBe(2)
    for (const id of own) expect(await findConversation(db(), id)).toBeUndefined()
    expect(await findConversation(db(), other)).toBeDefined()
    expect(await findCall(db(), 'call-own')).toBeUndefined()
    expect(await isOptedOut(db(), '+1', '+2')).toBe(false)
    expect(await isOptedOut(db(), '+9', '+2')).toBe(true)
    await optOut('+9', false)
    expect(await isOptedOut(db(), '+9', '+2')).toBe(false)
  })

  it('of a number that never had a conversation deletes its calls and consent', async () => {
    await insertCall(db(), call('call-waiting', { to_number: '+7' }))
    await insertCall(db(), call('call-of-another', { to_number: '+8' }))
    await saveConsent(db(), { userNumber: '+7', agentNumber: '+2', optedOut: true }, at(0))
    expect(await world.erase({ number: '+7' })).toBe(0)
    expect(await findCall(db(), 'call-waiting')).toBeUndefined()
    expect(await isOptedOut(db(), '+7', '+2')).toBe(false)
    expect(await findCall(db(), 'call-of-another')).toBeDefined()
    await world.erase({ number: '+8' })
  })

  it('by age deletes only ended conversations', async () => {
    const old = await begin({}, ({ log }) => log.end(at(1)))
    const open = await begin()
    expect(await world.erase({ endedBefore: at(1) })).toBe(0)
    expect(await world.erase({ endedBefore: at(2) })).toBe(1)
    expect([await findConversation(db(), old), (await findConversation(db(), open))?.id]).toEqual([
      undefined,
      open,
    ])
  })
})

it('the handoff queue is read with bounded texts, a conversation with bounded lines', async () => {
  const long = 'é'.repeat(60_000)
  const id = await begin({}, async (session) => {
    session.move('handed-off')
    for (let n = 0; n < 12; n++) session.append(said(`${n} ${long}`))
  })
  await saveHandoff(db(), { ...handoff(id, 0), data: { last_question: long, deep: [{ text: long }] } })
  const [row] = await queuedHandoffs(db(), 'PROJECT-1')
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

it('the handoff queue is listed with the longest wait first, with live agents, positions and recent waits', async () => {
  const queued = (session: LockedSession) => session.move('handed-off')
  const [second, first] = [await begin({}, queued), await begin({}, queued)]
  await saveHandoff(db(), handoff(second, 20))
  await saveHandoff(db(), handoff(first, 10))
  const open = async () =>
    (await queuedHandoffs(db(), 'PROJECT-1')).map((row) => [row.conversation_id, row.mode])
  expect(await open()).toEqual([
    [first, 'queued'],
    [second, 'queued'],
  ])
  expect(await waitingSince(db(), at(10))).toEqual([first])
  const find = (by: { id: string } | { sharedId: string }, project = 'PROJECT-1') =>
    findHandoff(db(), project, by)
  expect((await find({ sharedId: 'shared' }))?.conversation_id).toBe(second)
  expect(await find({ id: first }, 'PROJECT-2')).toBeUndefined()
  const agent = { id: 'sarah', name: 'Sarah' }
  await world.locked(first, (session) => session.move('taken', agent))
  await markTaken(db(), first, at(12.5))
  expect([await recordToldPosition(db(), first, 1), await recordToldPosition(db(), first, 1)]).toEqual([
    true,
    false,
  ])
  expect((await queuedHandoffs(db(), 'PROJECT-1'))[0]).toMatchObject({ live_agent: agent, told_position: 1 })
  expect([await lastWaits(db(), 'PROJECT-1'), await waitingSince(db(), at(99))]).toEqual([[2.5], [second]])
  await requeue(db(), first, 'other', at(30))
  expect(await find({ id: first })).toMatchObject({ queue_name: 'other', told_position: null })
  expect(await lastWaits(db(), 'PROJECT-1')).toEqual([])
  await world.locked(first, (session) => session.move('given-back'))
  expect(await open()).toEqual([[second, 'queued']])
  await saveHandoff(db(), handoff(first, 30, 'again'))
  expect(await find({ id: first })).toMatchObject({ shared_id: 'again', told_position: null })
})

it('deliveries are claimed in order, each by one process at a time', async () => {
  const one = await begin(text('+1', '+2'))
  const two = await begin(text('+1', '+3'))
  await insertDelivery(db(), one, message('one-1'), at(5))
  await insertDelivery(db(), one, message('one-2'), at(0))
  await insertDelivery(db(), two, message('two-1'), at(3))
  await expect(insertDelivery(db(), one, message('one-1'), at(0))).rejects.toMatchObject({ code: '23505' })
  const claim = (owner: string, seconds: number, held: string[] = []) =>
    claimDelivery(db(), owner, at(seconds), held)
  expect(await claim('alive', 2)).toBeUndefined()
  expect(await claim('dead', 9)).toMatchObject({ id: 'two-1', message: { text: 'two-1' } })
  // An attempt that was cut off counts as none.
  expect(await claim('alive', 9)).toMatchObject({ id: 'two-1', attempts: 0, created_at: at(3) })
  expect(await claim('alive', 9, ['two-1'])).toMatchObject({ id: 'one-1', session_id: one, attempts: 0 })
  expect(await claim('alive', 9, ['two-1', 'one-1'])).toBeUndefined()
  await rescheduleDelivery(db(), 'one-1', at(20))
  expect(await claim('alive', 19, ['two-1'])).toBeUndefined()
  expect(await claim('alive', 20, ['two-1'])).toMatchObject({ id: 'one-1', attempts: 1, created_at: at(5) })
  await removeDelivery(db(), 'one-1')
  expect(await claim('alive', 20, ['two-1'])).toMatchObject({ id: 'one-2', attempts: 0 })
  // What its own process lost is free too, and nobody else's.
  await rescheduleDelivery(db(), 'two-1', at(30))
  expect(await claim('other', 20)).toBeUndefined()
  expect(await claim('alive', 20)).toMatchObject({ id: 'one-2', attempts: 0 })
})

it('a process that alone may use the data declares all others dead, and not itself', async () => {
  const alive = async () =>
    (await db().query<{ id: string }>('SELECT id FROM foyer.process ORDER BY id')).map(({ id }) => id)
  const start = (processId: string, alone: boolean) => createHeartbeat({ db: db(), processId }).start(alone)
  await start('earlier', false)
  expect(await alive()).toEqual(['alive', 'earlier'])
  await start('alive', true)
  expect(await alive()).toEqual(['alive'])
})

it('calls are placed one after another, at most as many at once as the account may', async () => {
  await insertCall(db(), call('b', { created_at: at(1) }))
  await insertCall(db(), call('a', { created_at: at(1) }))
  await insertCall(db(), call('c', { account_id: 'ws-2', created_at: at(2) }))
  expect(await callsQueuedBefore(db(), at(1))).toHaveLength(2)
  const claim = (owner: string) => claimCall(db(), owner, 1)
  expect(await claim('alive')).toMatchObject({ sid: 'a', status: 'calling', owner: 'alive' })
  expect(await claim('dead')).toMatchObject({ sid: 'c' })
  expect(await claim('alive')).toBeUndefined()
  const abandoned = async (owner: string, held: string[]) =>
    (await abandonedCalls(db(), owner, held)).map(({ sid }) => sid).toSorted()
  expect(await abandoned('alive', ['a'])).toEqual(['c'])
  expect(await abandoned('alive', [])).toEqual(['a', 'c'])
  expect(await abandoned('other', [])).toEqual(['c'])
  expect(await finish('b', 'success', '', 5)).toBe(false)
  expect(await finish('b', 'failure', 'waited', 5, 'queued')).toBe(true)
  expect(await finish('b', 'failure', 'again', 6, 'queued')).toBe(false)
  expect(await finish('a', 'failure', 'waited', 6, 'queued')).toBe(false)
  expect(await finish('a', 'success', '', 6)).toBe(true)
  expect(await findCall(db(), 'b')).toMatchObject({ reason: 'waited', ended_at: at(5), owner: null })
  await expect(attachConversation(db(), 'a', 'nobody')).rejects.toMatchObject({ code: '23503' })
  await forgetCallsEndedBefore(db(), at(6))
  expect([await findCall(db(), 'b'), (await findCall(db(), 'a'))?.metadata]).toEqual([undefined, { a: 'b' }])
  await finish('c', 'failure', '', 6)
  await forgetCallsEndedBefore(db(), at(7))
})
