// What becomes of calls and messages whose phones, lines and times differ, on the embedded database.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { saveProject } from '../../src/runtime/accounts/project-store.ts'
import { type CallsOptions, createCalls } from '../../src/runtime/calls/calls.ts'
import type { CallOutcome } from '../../src/runtime/calls/carrier.ts'
import { abandonedCalls, claimCall, insertCall } from '../../src/runtime/calls/store.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import type { SendOutcome, TextMessage } from '../../src/runtime/index.ts'
import { createDeliveries, type DeliveriesOptions } from '../../src/runtime/messaging/deliveries.ts'
import {
  claimDelivery,
  insertDelivery,
  removeDelivery,
  rescheduleDelivery,
  saveConsent,
} from '../../src/runtime/messaging/store.ts'
import { handClock } from '../contract/clock.ts'
import { at, createStoreWorld, PROJECT, redact, text } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
const db = () => world.database
beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(async () => {
  await world.clear()
  await db().query('DELETE FROM foyer.call')
})
afterAll(() => world.close())

const REQUEST = {
  ...{ account_id: 'ws-1', project_id: 'PROJECT-1', connector_id: 'CON-1', environment: 'live' },
  ...{ to_number: '+15', from_number: '+16', metadata: {}, encryption: 'tls' },
}
const stored = (sid: string, more: object = {}) =>
  insertCall(db(), { ...REQUEST, sid, created_at: at(0), ...more })
const statuses = () => db().query('SELECT sid, status, reason, owner FROM foyer.call ORDER BY sid')

/** The calls of one process. Each of its three times is of another size. */
function callingProcess({ callsAtOnce = 1, fails = (_: string): boolean => false } = {}) {
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
  const { calls, clock } = callingProcess({ callsAtOnce: 0 })
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
  const { calls, end, ended, log } = callingProcess({
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
  const { calls, ended, log } = callingProcess({ callsAtOnce: 9, fails: (text) => text === 'session-1' })
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

/** A process that hands messages to a carrier, which takes them or not. */
function sendingProcess(carry: (message: TextMessage) => Promise<SendOutcome>) {
  const clock = handClock(at(0).getTime())
  const log: string[] = []
  const tried: [number, string][] = []
  const deliveries = createDeliveries({
    ...{ database: db(), clock, redact, processId: 'alive', leastAgeMs: 0 },
    sessions: {
      commit: (id: string, _: string, action: Parameters<typeof world.locked>[1]) => world.locked(id, action),
    },
    send(message: TextMessage) {
      tried.push([(clock.now() - at(0).getTime()) / 1_000, message.id])
      return carry(message)
    },
    log: (line: string) => log.push(line),
    logFailure: (what: string) => log.push(what),
    meter: { count: () => {} },
  } as unknown as DeliveriesOptions)
  const left = async () =>
    (
      await db().query<{ id: string; attempts: number }>(
        'SELECT id, attempts FROM foyer.delivery ORDER BY id',
      )
    ).map(({ id, attempts }) => `${id} ${attempts}`)
  return {
    ...{ clock, log, tried, left },
    async queue(id: string, seconds = 0, from = '+2', to = `+1${id.length}`) {
      const session = await world.begin(text(to, from, 'SMS'))
      await insertDelivery(db(), session, { id, to, from, text: id }, at(seconds))
    },
    /** At this second what is due is tried, until the messages that are left have failed so often. */
    async tryAt(seconds: number, expected: readonly string[]) {
      await clock.leap(at(seconds).getTime() - clock.now())
      deliveries.sendDue()
      await expect.poll(left, { interval: 2 }).toEqual(expected)
    },
  }
}
const away = () => Promise.reject(new Error('The network is down'))

it('a message waits longer after each of its own failures, a minute at the most', async () => {
  const { queue, tryAt, tried } = sendingProcess(away)
  await queue('a')
  const times = [0, 2, 6, 14, 30, 62, 122, 182]
  for (const [n, seconds] of times.entries()) {
    if (n > 0) await tryAt(seconds - 1, [`a ${n}`])
    await tryAt(seconds, [`a ${n + 1}`])
  }
  await queue('other', 182, '+3')
  await tryAt(182, ['a 8', 'other 1'])
  await tryAt(184, ['a 8', 'other 2'])
  const triedAt = (name: string) => tried.flatMap(([seconds, id]) => (id === name ? [seconds] : []))
  expect([triedAt('a'), triedAt('other')]).toEqual([times, [182, 184]])
})

it('a message is given up after an hour, and after the sixth attempt, whichever comes last', async () => {
  const { queue, tryAt, log } = sendingProcess(away)
  await queue('a')
  for (let n = 1; n <= 5; n++) await tryAt(3_600 * n, [`a ${n}`])
  await tryAt(3_600 * 6, [])
  expect(log.at(-1)).toBe('a message was given up after 6 attempts: The network is down')
  await queue('b', 30_000, '+3')
  for (let n = 1; n <= 5; n++) await tryAt(30_000 + 60 * n, [`b ${n}`])
  await tryAt(33_600, ['b 6'])
  await tryAt(33_700, [])
})

describe('the log says of a carrier that fails', () => {
  const FAILS = 'the carrier fails, and its messages are tried again: '
  const AGAIN = 'the carrier takes messages again'
  const sent: SendOutcome = { status: 'accepted', channel: 'sms' }

  it('why, at once and then at most once a minute, and that it works again', async () => {
    const ways = { carry: away as () => Promise<SendOutcome> }
    const { queue, tryAt, log } = sendingProcess(() => ways.carry())
    await queue('a')
    await queue('other', 0, '+3')
    for (const [n, seconds] of [0, 2, 6, 14, 30].entries())
      await tryAt(seconds, [`a ${n + 1}`, `other ${n + 1}`])
    expect(log).toEqual([`${FAILS}The network is down`])
    await tryAt(62, ['a 6', 'other 6'])
    expect(log).toEqual([`${FAILS}The network is down`, `${FAILS}The network is down`])
    ways.carry = async () => sent
    await queue('b', 70, '+4')
    await tryAt(70, ['a 6', 'other 6'])
    await expect.poll(() => log.slice(2)).toEqual([AGAIN])
    // It comes and goes within a minute of the last line.
    ways.carry = away
    await queue('c', 80, '+5')
    await tryAt(80, ['a 6', 'c 1', 'other 6'])
    ways.carry = async () => sent
    await tryAt(82, ['a 6', 'other 6'])
    expect(log.slice(3)).toEqual([])
  })

  it.each<[string, unknown, string]>([
    [
      'the code behind',
      new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }),
      'fetch failed (ECONNREFUSED)',
    ],
    ['no number', new Error('+15551 or 15551 is gone'), '+… or … is gone'],
    ['no card', new Error('card 4111 1111 1111 1111'), 'card •••• •••• •••• 1111'],
    ['no more than a line', new Error('x'.repeat(100_000)), 'x'.repeat(500)],
    ['what is no error', 'gone', 'it gave no cause'],
    ['nothing', undefined, 'it gave no cause'],
  ])('the cause, such as one with %s', async (_, thrown, cause) => {
    const { queue, tryAt, log } = sendingProcess(() => Promise.reject(thrown))
    await queue('a', 0, '+2', '+15551')
    await tryAt(0, ['a 1'])
    expect(log).toEqual([FAILS + cause])
  })

  it('nothing where it refuses: it works, and the line of the message has no number', async () => {
    const { queue, tryAt, log } = sendingProcess(async () => ({
      status: 'refused',
      reason: '15551 is a landline',
    }))
    await queue('a', 0, '+2', '+15551')
    await tryAt(0, [])
    await expect.poll(() => log).toEqual(['the carrier refused a message: … is a landline'])
  })
})

it('a message leaves to no number that has opted out of its sender, whoever else writes to it', async () => {
  const { queue, tryAt, tried } = sendingProcess(async () => ({ status: 'accepted', channel: 'sms' }))
  const [user, sender, another] = ['+15', '+2', '+3']
  await saveConsent(db(), { userNumber: user, agentNumber: sender, optedOut: true }, at(0))
  await queue('unwanted', 0, sender, user)
  await queue('wanted', 0, another, user)
  await tryAt(1, [])
  await expect.poll(() => tried).toEqual([[1, 'wanted']])
  await saveConsent(db(), { userNumber: user, agentNumber: sender, optedOut: false }, at(2))
  await world.clear()
  await queue('wanted again', 2, sender, user)
  await tryAt(2, [])
  await expect.poll(() => tried.at(-1)).toEqual([2, 'wanted again'])
})

const message = (id: string) => ({ id, to: '+1', from: '+2', text: id })

it('deliveries are claimed in order, each by one process at a time', async () => {
  const one = await world.begin(text('+1', '+2'))
  const two = await world.begin(text('+1', '+3'))
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

it('calls are placed one after another, at most as many at once as the account may', async () => {
  await stored('b', { created_at: at(1) })
  await stored('a', { created_at: at(1) })
  await stored('c', { account_id: 'ws-2', created_at: at(2) })
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
