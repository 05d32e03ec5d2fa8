// What becomes of outbound calls where their lines, times and ends differ, on the embedded database.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { saveProject } from '../../src/runtime/accounts/project-store.ts'
import { type CallsOptions, createCalls } from '../../src/runtime/calls/calls.ts'
import type { CallOutcome } from '../../src/runtime/calls/carrier.ts'
import { claimCall, insertCall } from '../../src/runtime/calls/store.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import { handClock } from '../contract/clock.ts'
import { at, createStoreWorld, PROJECT, redact } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
const db = () => world.database
beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(() => db().query('DELETE FROM foyer.call'))
afterAll(() => world.close())

const REQUEST = {
  ...{ account_id: 'ws-1', project_id: 'PROJECT-1', connector_id: 'CON-1', environment: 'live' },
  ...{ to_number: '+15', from_number: '+16', metadata: {}, encryption: 'tls' },
}
const stored = (sid: string, more: object = {}) =>
  insertCall(db(), { ...REQUEST, sid, created_at: at(0), ...more })
const statuses = () => db().query('SELECT sid, status, reason, owner FROM foyer.call ORDER BY sid')

/** The calls of one process. Each of its three times is of another size. */
function process({ callsAtOnce = 1, fails = (_: string): boolean => false } = {}) {
  const clock = handClock(at(0).getTime())
  const log: string[] = []
  const ended: string[] = []
  let uuids = 0
  let end = (_: CallOutcome) => {}
  const database: Database = {
    ...db(),
    async query(sql, params, options) {
      if (fails(sql)) throw new Error('no database')
      return db().query(sql, params, options)
    },
  }
  const calls = createCalls({
    ...{ database, redact, clock, processId: 'alive' },
    sessions: {
      openByPhone: async () => 'session',
      end: async (id: string) => {
        if (fails(id)) throw new Error('no session')
        ended.push(id)
      },
    },
    carrier: {
      call: () =>
        new Promise<CallOutcome>((resolve) => {
          end = resolve
        }),
    },
    ...{ turns: {}, hub: {}, uuid: () => `${++uuids}` },
    settings: { callsAtOnce, callQueueSeconds: 30, callRetentionSeconds: 100 },
    log: (line: string) => log.push(line),
    logFailure: (what: string) => log.push(what),
  } as unknown as CallsOptions)
  return { calls, clock, log, ended, end: (outcome: CallOutcome) => end(outcome) }
}
/** Resolves once the calls are as `expected`. */
async function become(expected: readonly object[]): Promise<void> {
  await expect.poll(statuses, { interval: 2 }).toMatchObject(expected)
}

it('a line is one of the account, as many as the project of the call says, for whoever waits longest', async () => {
  for (const [id, callsAtOnce] of [
    ['PROJECT-2', 2],
    ['PROJECT-3', 3],
  ] as const)
    await saveProject(db(), { ...PROJECT, id, slug: id, settings: { callsAtOnce } })
  await stored('a', { created_at: at(5) })
  await stored('b', { created_at: at(4) })
  await stored('c', { project_id: 'PROJECT-2', created_at: at(6) })
  await stored('d', { project_id: 'PROJECT-2', created_at: at(7) })
  await stored('e', { project_id: 'PROJECT-3', account_id: 'ws-3', created_at: at(8) })
  const claimed: unknown[] = []
  for (let n = 0; n < 5; n++) claimed.push((await claimCall(db(), 'alive', 1))?.sid)
  expect(claimed).toEqual(['b', 'c', 'e', undefined, undefined])
})

it('a call fails after its time in the queue, and is forgotten after another one, where a process acts for all', async () => {
  const { calls, clock } = process({ callsAtOnce: 0 })
  const sid = await calls.start(REQUEST)
  await clock.pass(29_999)
  await calls.sweep(true)
  await clock.pass(1)
  await calls.sweep(false)
  expect(await calls.find(sid)).toMatchObject({ status: 'queued' })
  await calls.sweep(true)
  expect(await calls.find(sid)).toMatchObject({
    ...{ status: 'failure', reason: 'The call waited in the queue for too long.' },
  })
  await clock.pass(99_999)
  expect(await calls.find(sid)).toMatchObject({ status: 'failure' })
  await clock.pass(1)
  expect(await calls.find(sid)).toBeUndefined()
  await clock.pass(1)
  await calls.sweep(false)
  expect(await statuses()).toHaveLength(1)
  await calls.sweep(true)
  expect(await statuses()).toEqual([])
})

it('the end of a call that cannot be stored, twice, is stored as the carrier said it, and then no more', async () => {
  let failures = 2
  let writes = 0
  const { calls, end, ended, log } = process({
    fails: (sql) => /UPDATE foyer\.call SET status = \$2/.test(sql) && ++writes > 0 && failures-- > 0,
  })
  const sid = await calls.start(REQUEST)
  await become([{ sid, status: 'calling' }])
  end({ status: 'failed', reason: 'The phone is busy.' })
  await expect.poll(() => log).toHaveLength(1)
  // Its process still runs it: a sweep that fails too takes it for no call that was lost.
  await calls.sweep(false)
  expect(await statuses()).toMatchObject([{ sid, status: 'calling', owner: 'alive' }])
  await calls.sweep(false)
  expect(await statuses()).toEqual([{ sid, status: 'failure', reason: 'The phone is busy.', owner: null }])
  for (let n = 0; n < 2; n++) await calls.sweep(false)
  expect([writes, ended.length]).toEqual([3, 3])
})

it('a call whose conversation cannot be ended keeps no other that its process has left from its end', async () => {
  const { calls, ended, log } = process({ callsAtOnce: 9, fails: (text) => text === 'session-1' })
  for (const n of [1, 2, 3]) {
    await world.begin({ id: `session-${n}`, channel: 'VOICE-SIP' })
    await stored(`call-${n}`)
  }
  await db().query(
    "UPDATE foyer.call SET status = 'calling', owner = 'dead', conversation_id = replace(sid, 'call', 'session')",
  )
  await calls.sweep(false)
  expect(await statuses()).toMatchObject([
    { sid: 'call-1', status: 'calling' },
    { sid: 'call-2', status: 'failure', reason: 'The call was interrupted: the service stopped.' },
    { sid: 'call-3', status: 'failure' },
  ])
  expect([ended, log]).toEqual([['session-2', 'session-3'], ['could not store the end of a call']])
})
