// What the store promises, on the embedded database.

import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClean } from '../../src/runtime/redact.ts'
import {
  type ApiKey,
  type Channel,
  type Connector,
  type LockedSession,
  type NewConversation,
  type NewEvent,
  type NewSession,
  openStore,
  type Store,
  type StoredEvent,
} from '../../src/runtime/store-index.ts'

const clean = createClean({ cards: true })
let store: Store
/** Identifiers that repeat from run to run. */
const counted = () => {
  let count = 0
  return () => `id-${++count}`
}

const START = 1_800_000_000_000
const at = (seconds: number) => new Date(START + seconds * 1000)
const CONNECTOR: Connector = {
  id: 'CON-1',
  host: 'shop.example.com',
  allow_subdomains: false,
  account_id: 'ws-1',
  project_id: 'PROJECT-1',
  environment: 'live',
  outbound_calling: true,
}
const PROJECT = {
  id: 'PROJECT-1',
  slug: 'shop',
  account_id: 'ws-1',
  account_slug: 'larkspur',
  transcripts: true,
  settings: {},
}
const CARD = '4111 1111 1111 1111'

type Beginning = Partial<NewConversation> & Partial<NewSession> & { now?: Date }
let counter = 0
const made = new Set<string>()

/** All events after a sequence, page by page. */
async function replay(store: Store, id: string, cursor: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (let more = true; more; ) {
    const page = await store.sessions.replay(id, events.at(-1)?.sequence ?? cursor)
    events.push(...page.events)
    more = page.more
  }
  return events
}

async function begin(
  store: Store,
  { now = at(0), connector_id = 'CON-1', user_number, agent_number, ...more }: Beginning = {},
  first: (session: LockedSession) => Promise<unknown> = async () => {},
): Promise<string> {
  const id = more.id ?? `session-${String(++counter).padStart(4, '0')}`
  made.add(id)
  const conversation: NewConversation = {
    ...{ id, accountId: 'ws-1', projectId: 'PROJECT-1', environment: 'live', channel: 'WEBCHAT' },
    ...(user_number !== undefined && { fromNumber: user_number, toNumber: agent_number ?? '' }),
    ...more,
  }
  const numbers = user_number === undefined ? {} : { user_number, agent_number: agent_number ?? '' }
  const session: NewSession = {
    connector_id,
    token_id: 'token',
    platform: 'web',
    streaming: true,
    ...numbers,
  }
  await store.sessions.create(conversation, session, now, first)
  return id
}
const text = (user: string, agent: string, channel: Channel = 'SMS'): Beginning => ({
  channel,
  user_number: user,
  agent_number: agent,
})

const said = (words: string, more: Partial<NewEvent> = {}): NewEvent => ({
  type: 'EVENT_TYPE_USER_MESSAGE',
  payload: { text: words },
  ...more,
})
const chunk = (messageId: string, words: string): NewEvent => ({
  type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
  payload: { text: words },
  messageId,
})
/** A turn with what was said on both sides. */
const turn = (input: string, response?: string) => async (session: LockedSession) => {
  const [event] = await session.append([said(input)], at(0))
  const cause = event?.sequence ?? 0
  await session.record.beginTurn({ cause, input, at: at(0) })
  if (response !== undefined) await session.record.respond(response, at(2), { agent: true, cause })
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
const FILTER = { projectId: 'PROJECT-1', environment: 'live' }
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

beforeAll(async () => {
  store = await openStore('memory', counted(), clean)
  await store.registry.saveProject(PROJECT)
  await store.registry.saveConnector(CONNECTOR, 'connector-token')
  await store.registry.heartbeat('alive', at(0), at(-1))
}, 60_000)
afterEach(async () => {
  for (const id of made) await store.records.erase(id)
  made.clear()
})
afterAll(async () => {
  await store.close()
})

describe('the store', () => {
  describe('a transaction', () => {
    it('leaves nothing behind when it rejects, and nobody sees it before it is committed', async () => {
      const id = await begin(store, text('+1', '+2'), turn('hello', 'Hello there'))
      const all = async () => ({
        session: await store.sessions.find(id),
        record: await store.records.find(id),
        events: await replay(store, id, 0),
        turns: await store.records.turns([id]),
        handoff: await store.handoffs.find('PROJECT-1', { id }),
        delivery: await store.texts.take('alive', at(100), []),
        search: await store.records.search(
          FILTER,
          { text: 'zeppelin' },
          { limit: 9, offset: 0, asOf: at(9) },
        ),
      })
      const before = await all()
      let meanwhile: ReturnType<typeof all> | undefined
      const failing = store.sessions.locked(id, async (session) => {
        await turn('a zeppelin', 'Indeed')(session)
        await session.change({ state: 'ended', memory: { a: 1 } })
        await session.record.metric('a', 'b')
        await session.record.language('de')
        await session.record.end(at(5))
        await session.handoff.save({
          ...{ project_id: 'PROJECT-1', shared_id: 's', data: {}, queue_name: 'q', created_at: at(0) },
          ...{ state: 'waiting', queued_at: at(0), taken_at: null, desk_agent: null },
        })
        await session.deliveries.send('delivery-never', { text: 'a' }, at(0))
        meanwhile = all()
        await pause()
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await meanwhile).toEqual(before)
      expect(await all()).toEqual(before)
      const [next] = (await store.sessions.locked(id, (session) => session.append([said('b')], at(0)))) ?? []
      expect(next?.sequence).toBe(2)
    })

    it('that makes a session leaves nothing behind when it rejects', async () => {
      const failing = begin(store, { id: 'session-never' }, async (session) => {
        await session.append([said('a')], at(0))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await store.sessions.find('session-never')).toBeUndefined()
      expect(await store.records.find('session-never')).toBeUndefined()
      expect(await replay(store, 'session-never', 0)).toEqual([])
    })

    it('gives a replay in pages of at most 200 events, which end with the event that passes 256 KiB, without a gap', async () => {
      const id = await begin(store)
      const said = (text: string): NewEvent => ({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text } })
      const big = 'x'.repeat(200_000)
      const texts = [
        ...Array.from({ length: 450 }, (_, index) => `${index}`),
        big,
        'y'.repeat(300_000),
        big,
        'end',
      ]
      await store.sessions.locked(id, (session) => session.append(texts.map(said), at(1)))
      const pages: number[] = []
      const seen: unknown[] = []
      for (let more = true, after = 0; more; ) {
        const page = await store.sessions.replay(id, after)
        pages.push(page.events.length)
        seen.push(...page.events.map(({ payload }) => payload.text))
        after = page.events.at(-1)?.sequence ?? after
        more = page.more
      }
      expect(seen).toEqual(texts)
      expect(pages).toEqual([200, 200, 52, 2])
    })

    it('waits for the one before it, and sees what that one changed', async () => {
      const id = await begin(store)
      const order: string[] = []
      const one = (name: string) =>
        store.sessions.locked(id, async (session) => {
          order.push(`${name} begins with ${session.row.answered}`)
          await pause()
          await session.change({ answered: session.row.answered + 1 })
          order.push(`${name} ends with ${session.row.answered}`)
        })
      await Promise.all([one('first'), one('second')])
      expect(order).toEqual([
        'first begins with 0',
        'first ends with 1',
        'second begins with 1',
        'second ends with 2',
      ])
    })

    it('gives each event a sequence of its own, without gaps', async () => {
      const id = await begin(store)
      const append = (_: unknown, n: number) =>
        store.sessions.locked(id, async (session) => {
          if (n % 3 === 0) {
            await session.append([said('lost')], at(0))
            throw new Error('no')
          }
          return session.append([said(`${n}a`), said(`${n}b`)], at(n))
        })
      await Promise.allSettled(Array.from({ length: 9 }, append))
      const events = await replay(store, id, 0)
      expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
      expect((await store.sessions.find(id))?.next_sequence).toBe(13)
    })

    it('of a session that is not there is not run', async () => {
      expect(await store.sessions.locked('nobody', async () => expect.unreachable())).toBeUndefined()
    })
  })

  it('gives out copies', async () => {
    const id = await begin(store, {}, turn('hello'))
    const payload = { text: 'given', parts: ['a'] }
    await store.sessions.locked(id, async (session) => {
      const [event] = await session.append([said('', { payload })], at(0))
      if (event) event.payload.text = 'changed'
    })
    payload.parts.push('b')
    const row = await store.sessions.find(id)
    if (row) row.memory.a = 1
    for (const event of await replay(store, id, 0)) event.payload.text = 'changed'
    for (const one of await store.records.turns([id])) one.intents.push('changed')
    expect((await store.sessions.find(id))?.memory).toEqual({})
    expect((await replay(store, id, 0)).map((event) => event.payload)).toEqual([
      { text: 'hello' },
      { text: 'given', parts: ['a'] },
    ])
    expect((await store.records.turns([id]))[0]?.intents).toEqual([])
  })

  it('masks card numbers before it keeps them', async () => {
    const id = await begin(store, text('+1', '+2'), async (session) => {
      await turn(CARD, CARD)(session)
      await session.change({ memory: { card: CARD } })
      await session.record.metric('card', CARD)
      await session.handoff.save({
        ...{ project_id: 'PROJECT-1', shared_id: null, data: { CARD }, queue_name: '', created_at: at(0) },
        ...{ state: 'away', queued_at: null, taken_at: null, desk_agent: null },
      })
      await session.deliveries.send('delivery-card', { text: CARD }, at(0))
    })
    const kept = JSON.stringify([
      await store.sessions.find(id),
      await store.records.find(id),
      await store.records.turns([id]),
      await replay(store, id, 0),
      await store.handoffs.find('PROJECT-1', { id }),
      await store.texts.take('alive', at(0), []),
    ])
    expect(kept).not.toContain('4111')
    expect(kept.split(clean.text(CARD))).toHaveLength(8)
  })

  describe('a second one is refused', () => {
    const unique = expect.objectContaining({ code: '23505' })

    it('of a client id in one session', async () => {
      const [one, other] = [await begin(store), await begin(store)]
      const append = (id: string) =>
        store.sessions.locked(id, (session) => session.append([said('a', { clientId: 'mine' })], at(0)))
      await append(one)
      await append(other)
      await expect(append(one)).rejects.toEqual(unique)
      const found = await store.sessions.locked(one, (session) => session.findByClientId('mine'))
      expect(found).toMatchObject({ sequence: 1, client_id: 'mine', payload: { text: 'a' } })
      expect(await replay(store, one, 0)).toHaveLength(1)
    })

    it('of a message from a phone, in whichever conversation of the two numbers it was heard', async () => {
      const knows = async (id: string, clientId: string) =>
        store.sessions.locked(id, (session) => session.wasHeard(clientId))
      const hear = async (session: LockedSession) => {
        expect(await session.wasHeard('m-\u00001')).toBe(false)
        await session.append([said('a', { clientId: 'm-\u00001' })], at(0))
        expect(await session.wasHeard('m-\u00001')).toBe(true)
      }
      const first = await begin(store, text('+1', '+2'), hear)
      expect([await knows(first, 'm-\u00001'), await knows(first, 'm-2')]).toEqual([true, false])
      await store.sessions.locked(first, (session) => session.change({ state: 'ended' }))
      const next = await begin(store, text('+1', '+2', 'RCS'))
      const others = [await begin(store, text('+1', '+3')), await begin(store, text('+3', '+2'))]
      expect(await Promise.all([next, ...others].map((id) => knows(id, 'm-\u00001')))).toEqual([
        true,
        false,
        false,
      ])
      expect(await store.records.eraseNumber('+1')).toBe(3)
      expect(await knows(await begin(store, text('+1', '+2')), 'm-\u00001')).toBe(false)
    })

    it('of an open text conversation between two numbers, until the first is over', async () => {
      const first = await begin(store, text('+1', '+2'))
      await expect(begin(store, text('+1', '+2', 'RCS'))).rejects.toEqual(unique)
      const other = await begin(store, text('+1', '+3'))
      const call = await begin(store, text('+1', '+2', 'VOICE-SIP'))
      expect(await store.texts.openSession('+1', '+2')).toBe(first)
      const ending = store.sessions.locked(first, async (session) => {
        await pause()
        await session.change({ state: 'ended' })
      })
      const next = await begin(store, text('+1', '+2'))
      await ending
      expect(await store.texts.openSession('+1', '+2')).toBe(next)
      const back = store.sessions.locked(first, (session) => session.change({ state: 'active' }))
      await expect(back).rejects.toEqual(unique)
      expect(await store.texts.openSession('+1', '+3')).toBe(other)
      expect((await store.sessions.find(call))?.state).toBe('active')
    })

    it('of two that are opened at once, of which the first may yet fail', async () => {
      const results = await Promise.allSettled([
        begin(store, text('+1', '+2'), async () => {
          await pause()
          throw new Error('no')
        }),
        begin(store, text('+1', '+2'), pause),
        begin(store, text('+1', '+2')),
      ])
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
      expect(results[2]).toMatchObject({ reason: unique })
    })

    it('of a conversation, a delivery, a token, a slug', async () => {
      const id = await begin(store, {}, (session) => session.deliveries.send('delivery-1', {}, at(0)))
      await expect(begin(store, { id })).rejects.toEqual(unique)
      const again = (session: LockedSession) => session.deliveries.send('delivery-1', {}, at(0))
      await expect(store.sessions.locked(id, again)).rejects.toEqual(unique)
      const { registry } = store
      await expect(registry.saveConnector({ ...CONNECTOR, id: 'CON-2' }, 'connector-token')).rejects.toEqual(
        unique,
      )
      await expect(registry.saveProject({ ...PROJECT, id: 'PROJECT-2' })).rejects.toEqual(unique)
      const twice = said('a', { clientId: 'twice' })
      const both = store.sessions.locked(id, (session) => session.append([twice, twice], at(0)))
      await expect(both).rejects.toEqual(unique)
    })

    it('and so is what belongs to nobody', async () => {
      const missing = expect.objectContaining({ code: '23503' })
      const { registry } = store
      await expect(begin(store, { connector_id: 'CON-nobody' })).rejects.toEqual(missing)
      await expect(registry.addSocket('socket', 'nobody', 'alive', 9)).rejects.toEqual(missing)
      const sender = { project_id: 'nobody', environment: 'live', kind: 'sms', address: '+1' } as const
      await expect(registry.saveSender(sender)).rejects.toEqual(missing)
    })
  })

  describe('events', () => {
    it('are played again from a cursor, and the last hundred messages told', async () => {
      const id = await begin(store, {}, async (session) => {
        await session.append([{ type: 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', payload: {} }], at(0))
        for (let n = 0; n < 120; n++) await session.append([said(`${n}`)], at(n))
      })
      expect((await replay(store, id, 118)).map((event) => event.payload.text)).toEqual(['117', '118', '119'])
      const history = await store.sessions.history(id, 111)
      expect(history).toHaveLength(100)
      expect([history[0]?.sequence, history.at(-1)?.sequence]).toEqual([11, 110])
      expect(history[0]?.created_at).toEqual(at(9))
    })

    it('of a message in pieces make room for the whole of it', async () => {
      const id = await begin(store)
      await store.sessions.locked(id, async (session) => {
        const [, , last] = await session.append([chunk('m', 'a'), said('between'), chunk('m', 'b')], at(0))
        await session.append([chunk('n', 'c')], at(1))
        expect((await session.chunksOf()).map(({ sequence }) => sequence)).toEqual([1, 3, 4])
        expect((await session.chunksOf('m')).map(({ sequence }) => sequence)).toEqual([1, 3])
        if (last) await session.replaceChunks('m', last, { id: 'whole', payload: { text: 'ab' } })
        expect((await session.firstOf(['EVENT_TYPE_USER_MESSAGE'], 0))?.sequence).toBe(2)
        expect(await session.firstOf(['EVENT_TYPE_USER_MESSAGE'], 2)).toBeUndefined()
      })
      const events = await replay(store, id, 0)
      expect(events.map(({ sequence, first_sequence }) => [sequence, first_sequence])).toEqual([
        [2, null],
        [3, 1],
        [4, null],
      ])
      expect(events[1]).toMatchObject({ id: 'whole', type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', custom: null })
    })
  })

  it('finds the sessions that rest, are orphaned, or wait for an answer', async () => {
    const chat = await begin(store, { now: at(10) })
    const warned = await begin(store, { now: at(5) }, (session) => session.change({ warned: true }))
    const phone = await begin(store, text('+1', '+2'))
    const desk = await begin(store, {}, (session) => session.change({ mode: 'desk' }))
    const asked = await begin(store, { now: at(20) }, async (session) => {
      await session.append([said('a')], at(0))
      await session.change({ turn_owner: 'dead' })
    })
    const { idleSince, orphans, unanswered } = store.sessions
    expect(await idleSince(at(10), 'all', 'chat')).toEqual([warned, chat])
    expect(await idleSince(at(10), 'unwarned', 'chat')).toEqual([chat])
    expect(await idleSince(at(10), 'all', 'text')).toEqual([phone])
    const engage = (changes: Parameters<LockedSession['change']>[0]) =>
      store.sessions.locked(phone, (session) => session.change({ engaged: true, ...changes }))
    expect(await idleSince(at(10), 'all', 'text', at(8))).toEqual([phone])
    await engage({})
    expect(await idleSince(at(10), 'all', 'text', at(8))).toEqual([])
    await engage({ warned: true, warned_at: at(8) })
    expect(await idleSince(at(10), 'all', 'text', at(7))).toEqual([])
    expect(await idleSince(at(10), 'all', 'text', at(8))).toEqual([phone])
    expect(await orphans()).toEqual([asked])
    expect(await unanswered()).toEqual([])
    await store.sessions.locked(asked, (session) => session.change({ turn_owner: null }))
    expect(await unanswered()).toEqual([asked])
    await store.sessions.locked(asked, (session) => session.change({ answered: 1, turn_owner: 'alive' }))
    expect([await unanswered(), await orphans()]).toEqual([[], []])
    expect((await store.sessions.find(desk))?.mode).toBe('desk')
  })

  describe('the record', () => {
    it('counts turns, silences, latencies and what was not understood', async () => {
      const id = await begin(store, {}, async ({ record }) => {
        await record.respond('Hello', at(1), { agent: true, cause: 1 })
        await record.beginTurn({ cause: 2, input: '', silence: true, dtmf: '12', at: at(2) })
        await record.understand({ intents: ['a'], outOfDomain: true }, 2)
        await record.understand({ intents: ['b'], entities: [{ x: 'y' }], outOfDomain: true }, 2)
        await record.understand({ translatedInput: 'never' }, 99)
        await record.respond('One', at(5), { agent: true, cause: 2 })
        await record.respond('Two', at(6), { agent: true, cause: 2 })
        await record.respond('Three', at(7), { agent: false })
        for (const value of ['1', '2', '3']) await record.metric('step', value)
        await record.state({ a: 1, b: { c: 2 } })
        await record.state({ b: 3 })
        await record.handoff('why', 'where')
        await record.agentLeft(at(8))
        await record.agentLeft(at(9))
        await record.end(at(10))
        await record.end(at(11))
      })
      expect(await store.records.find(id)).toMatchObject({
        ...{ num_turns: 2, num_silences: 1, num_ood: 1, latency_sum: 3, latency_count: 2 },
        ...{ handoff: true, handoff_reason: 'why', handoff_destination: 'where' },
        ...{ agent_left_at: at(8), ended_at: at(10) },
        ...{ metrics: { step: ['1', '2', '3'] }, state: { a: 1, b: 3 } },
      })
      expect(await store.records.turns(['nobody', id, id])).toMatchObject([
        { position: 1, user_input: '', agent_response: 'Hello', latency: 0, user_input_at: at(1) },
        {
          ...{ position: 2, agent_response: 'One\n\nTwo\n\nThree', agent_response_at: at(5), latency: 3 },
          ...{ user_input_dtmf: '12', is_silence: true, is_ood: true },
          ...{ intents: ['a', 'b'], entities: [{ x: 'y' }], translated_user_input: '' },
        },
      ])
    })

    it('is listed newest first, by id where the time is the same, from any place', async () => {
      const first = await begin(store, { now: at(1) })
      const same = [await begin(store, { now: at(2) }), await begin(store, { now: at(2) })]
      const last = await begin(store, { now: at(3), channel: 'VOICE-SIP', variant: { id: 'v', name: 'V' } })
      const { page } = store.records
      const list = async (...given: Parameters<typeof page>) => ids(await page(...given))
      expect(await list(FILTER, { limit: 9 })).toEqual([last, ...same, first])
      expect(await list(FILTER, { limit: 2, offset: 1 })).toEqual(same)
      const after = { startedAt: at(2), id: same[0] ?? '' }
      expect(await list(FILTER, { limit: 9, after })).toEqual([same[1], first])
      expect(await list({ ...FILTER, from: at(2), to: at(2) }, { limit: 9 })).toEqual(same)
      expect(await list({ ...FILTER, channels: [] }, { limit: 9 })).toHaveLength(4)
      expect(await list({ ...FILTER, channels: ['VOICE-SIP'] }, { limit: 9 })).toEqual([last])
      expect(await list({ ...FILTER, channels: ['SMS', 'VOICE-SIP'] }, { limit: 9 })).toEqual([last])
      expect(await list({ ...FILTER, variantId: 'v' }, { limit: 9 })).toEqual([last])
      expect(await list({ ...FILTER, variantName: 'v' }, { limit: 9 })).toEqual([])
      await store.sessions.locked(first, ({ record }) => record.end(at(4)))
      expect(await list({ ...FILTER, inProgress: false }, { limit: 9 })).toEqual([first])
      expect(await list({ ...FILTER, environment: 'draft' }, { limit: 9 })).toEqual([])
      expect(ids(await store.records.sample(FILTER, 9)).sort()).toEqual([first, ...same, last].sort())
      expect(await store.records.sample(FILTER, 2)).toHaveLength(2)
    })

    it('tells when conversations were open, also those that were for no time at all', async () => {
      const end =
        (seconds: number) =>
        ({ record }: LockedSession) =>
          record.end(at(seconds))
      await begin(store, { now: at(0) }, end(10))
      await begin(store, { now: at(10), variant: { id: 'v', name: 'V' } }, end(10))
      await begin(store, { now: at(20) })
      const spans = async (from: number, to: number) =>
        (await store.records.spans(FILTER, at(from), at(to))).map(({ start, end, variantId }) => [
          (start - START) / 1000,
          end === undefined ? undefined : (end - START) / 1000,
          variantId,
        ])
      expect(await spans(10, 20)).toEqual([
        [0, 10, ''],
        [10, 10, 'v'],
      ])
      expect(await spans(11, 20)).toEqual([])
      expect(await spans(5, 5)).toEqual([])
      expect(await spans(30, 40)).toEqual([[20, undefined, '']])
    })
  })

  describe('full-text search', () => {
    const find = async (query: string, side?: 'user' | 'agent', limit = 9, offset = 0) =>
      ids(await store.records.search(FILTER, { text: query, side }, { limit, offset, asOf: at(50) }))

    it('finds words in any form, phrases, alternatives and exclusions, of one side or both', async () => {
      const chain = await begin(store, {}, turn('a bicycle with a broken chain', 'You planned parties'))
      const two = await begin(store, {}, turn('two bicycles', 'Broken?'))
      await begin(store, { now: at(60) }, turn('bicycles of tomorrow'))
      for (const query of ['chains', '"broken chain"', 'Bicycle chain', 'plan', 'party', 'the chain'])
        expect([query, await find(query)]).toEqual([query, [chain]])
      for (const query of ['"chain broken"', 'zeppelin', '!?', '', '-', 'or', 'bicycle -broken'])
        expect([query, await find(query)]).toEqual([query, []])
      for (const query of ['bicycle', 'BICYCLES', 'chain or two', 'with', '-zeppelin'])
        expect([query, (await find(query)).length]).toEqual([query, query === 'with' ? 1 : 2])
      expect(await find('bicycle -chain')).toEqual([two])
      expect(await find('bicycle -"broken chain"')).toEqual([two])
      expect(await find('broken', 'agent')).toEqual([two])
      expect(await find('broken', 'user')).toEqual([chain])
      expect(await find('broken')).toEqual([chain, two])
      expect(await find('broken', undefined, 1, 1)).toEqual([two])
    })

    it('knows other languages, and writing without spaces', async () => {
      const german = await begin(store, { language: 'de-DE' }, turn('Wo sind meine Pakete?'))
      const french = await begin(store, {}, turn('un Café', 'crème brûlée'))
      const japanese = await begin(store, { language: 'ja' }, turn('東京都に行きます'))
      expect(await find('Paket')).toEqual([german])
      for (const query of ['cafe', 'CAFÉ', '"creme brulee"']) expect(await find(query)).toEqual([french])
      expect(await find('東京')).toEqual([japanese])
      expect(await find('京東')).toEqual([])
    })
  })

  describe('full-text search', () => {
    const find = async (query: string, side?: 'user' | 'agent') =>
      ids(await store.records.search(FILTER, { text: query, side }, { limit: 9, offset: 0, asOf: at(50) }))

    it.each(['bicycles', 'bicycle'])('excludes a word in every form it may have: %s', async (wanted) => {
      const both = await begin(store, {}, turn('we sell bicycles', 'Appointments are free'))
      const one = await begin(store, {}, turn('one bicycle, many bicycles'))
      const german = await begin(store, { language: 'de' }, turn('bicycle bicycles, keine Termine'))
      for (const refused of ['appointment', 'appointments', '"appointments are"', 'are'])
        expect([refused, (await find(`${wanted} -${refused}`)).sort()]).toEqual([refused, [one, german]])
      expect(await find(`zeppelin or ${wanted} -appointment -Termin`)).toEqual([one])
      expect((await find(`${wanted} -appointment or sell`)).sort()).toEqual([both, one, german])
      expect(await find(`-appointment -${wanted}`)).toEqual([])
      expect((await find(`${wanted} -appointment`, 'user')).sort()).toEqual([both, one, german])
    })

    it('reads what was said in the language that is found out later', async () => {
      const id = await begin(store, {}, async (session) => {
        await turn('Ich suche Fahrräder mit Taschen', 'Gern')(session)
        await turn('mit Körben', 'Gern')(session)
        await session.record.language('de-DE')
        await turn('und Glocken')(session)
      })
      for (const query of ['Fahrrad', 'Tasche', 'Korb', 'Glocke', '"suche Fahrräder"'])
        expect([query, await find(query, 'user')]).toEqual([query, [id]])
      expect(await find('Tasche', 'agent')).toEqual([])
      expect(await find('gern', 'agent')).toEqual([id])
    })

    it.each([
      ['unlike any other', (n: number) => createHash('sha256').update(`${n}`).digest('hex').slice(0, 60)],
      ['that are much alike', (n: number) => `${'long'.repeat(14)}${n}`],
      ['longer than an index holds', (n: number) => `${n}${'x'.repeat(2_050)}`],
      ['of parts', (n: number) => [1, 2, 3, 4, 5].map((part) => `${n}x${part}`).join('-')],
    ])('never refuses what is said, however much it is: words %s', async (_, word) => {
      const words = (from: number, count: number) =>
        Array.from({ length: count }, (_word, n) => word(from + n)).join(' ')
      const id = await begin(store, {}, turn('zeppelin'))
      for (let n = 0; n < 14; n++)
        await store.sessions.locked(
          id,
          turn(words(n * 2_000, n < 4 ? 300 : 2_000).slice(0, 130_000), words(n * 2_000, 9)),
        )
      await store.sessions.locked(id, ({ record }) => record.language('fr'))
      await store.sessions.locked(id, turn('the last word'))
      expect(await store.records.turns([id])).toHaveLength(16)
      expect(await find('zeppelin')).toEqual([id])
    })
  })

  describe('semantic search', () => {
    it('has the likest first, of one model, and forgets those of others', async () => {
      const { records } = store
      const words: string[] = []
      for (const input of ['north', 'east', 'between']) words.push(await begin(store, {}, turn(input)))
      const [north = '', east = '', between = ''] = words
      const waiting = async () => ids(await records.unembedded(at(9), 9)).sort()
      await records.useModel('m', 2)
      expect(await waiting()).toEqual(words)
      expect(await records.unembedded(at(-9), 9)).toEqual([])
      expect((await records.unembedded(at(9), 9)).map(({ text: all }) => all).sort()).toEqual([
        'between ',
        'east ',
        'north ',
      ])
      await records.saveVector(north, 'm', [0, 1], 'north ')
      await records.saveVector(east, 'm', [1, 0], 'east ')
      await records.saveVector(between, 'm', [0.6, 0.8], 'between ')
      await records.saveVector('nobody', 'm', [0.6, 0.8], 'nothing')
      expect(await waiting()).toEqual([])
      const nearest = async (model: string, limit = 9, offset = 0) =>
        ids(await records.nearest(FILTER, { model, vector: [0.1, 0.99] }, { limit, offset, asOf: at(9) }))
      expect(await nearest('m')).toEqual([north, between, east])
      expect(await nearest('m', 1, 1)).toEqual([between])
      expect(await nearest('other')).toEqual([])
      await records.useModel('other', 2)
      expect(await nearest('m')).toEqual([])
      expect(await waiting()).toEqual(words)
    })

    it('makes a vector again of what is said after it was made, by whomever', async () => {
      const { records } = store
      const id = await begin(store, {}, turn('a slow question'))
      const embed = async (text: string) => records.saveVector(id, 'm', [1, 0], text)
      const waiting = async (since = 99) => (await records.unembedded(at(since), 9)).map(({ text }) => text)
      const answer = (words: string, seconds: number, cause?: number) =>
        store.sessions.locked(id, ({ record }) =>
          record.respond(words, at(seconds), cause === undefined ? { agent: false } : { agent: true, cause }),
        )
      await records.useModel('m', 2)
      await embed('a slow question ')
      expect(await waiting()).toEqual([])
      await answer('a slow answer', 20, 1)
      expect(await waiting(19)).toEqual([])
      expect(await waiting(20)).toEqual(['a slow question a slow answer'])
      await answer('and a person', 30)
      // The vector of fewer words comes while there are more.
      await embed('a slow question a slow answer')
      expect(await waiting()).toEqual(['a slow question a slow answer\n\nand a person'])
      await embed('a slow question a slow answer\n\nand a person')
      expect(await waiting()).toEqual([])
    })

    it('passes by what has no vector, and keeps the one that was made of fewer words', async () => {
      const { records } = store
      await records.useModel('m', 2)
      const [one, other] = [await begin(store, {}, turn('one')), await begin(store, {}, turn('other'))]
      await records.saveVector(one, 'm', [], 'one ')
      await records.saveVector(other, 'm', [1, 0], 'other ')
      await store.sessions.locked(other, turn('more'))
      await records.saveVector(other, 'm', [], 'other  more ')
      expect(await records.unembedded(at(9), 9)).toEqual([])
      const page = { limit: 9, offset: 0, asOf: at(9) }
      expect(ids(await records.nearest(FILTER, { model: 'm', vector: [1, 0] }, page))).toEqual([other])
      await records.useModel('n', 2)
      expect(ids(await records.unembedded(at(9), 9)).sort()).toEqual([one, other])
    })
  })

  describe('erasing', () => {
    const call = (sid: string, more: object = {}) => ({
      ...{ sid, account_id: 'ws-1', project_id: 'PROJECT-1', connector_id: 'CON-1', environment: 'live' },
      ...{ to_number: '+15', from_number: '+16', metadata: {}, encryption: 'tls', created_at: at(0) },
      ...more,
    })

    it('takes a conversation with all that hangs on it', async () => {
      const id = await begin(store, text('+1', '+2'), async (session) => {
        await turn('zeppelin')(session)
        await session.deliveries.send('delivery-erased', {}, at(0))
        await session.handoff.save({
          ...{ project_id: 'PROJECT-1', shared_id: 's', data: {}, queue_name: 'q', created_at: at(0) },
          ...{ state: 'waiting', queued_at: at(0), taken_at: null, desk_agent: null },
        })
      })
      await store.calls.create(call('call-erased'))
      await store.calls.attach('call-erased', id)
      await store.records.saveVector(id, 'other', [1, 0], 'zeppelin ')
      expect(await store.registry.addSocket('socket-1', id, 'alive', 1)).toBe(true)
      expect(await store.records.erase(id)).toBe(true)
      expect(await store.records.erase(id)).toBe(false)
      expect(await store.sessions.find(id)).toBeUndefined()
      expect(await replay(store, id, 0)).toEqual([])
      expect(await store.records.turns([id])).toEqual([])
      expect(await store.handoffs.open()).toEqual([])
      expect(await store.texts.take('alive', at(9), [])).toBeUndefined()
      expect(await store.calls.find('call-erased')).toBeUndefined()
      const again = await begin(store, text('+1', '+2'))
      expect(await store.registry.addSocket('socket-1', again, 'alive', 1)).toBe(true)
    })

    it('waits for the transaction that is at the conversation', async () => {
      const id = await begin(store)
      const going = store.sessions.locked(id, async (session) => {
        await pause()
        return session.append([said('a')], at(0))
      })
      expect(await store.records.erase(id)).toBe(true)
      expect(await going).toHaveLength(1)
      expect(await store.sessions.find(id)).toBeUndefined()
    })

    it('of a number takes its conversations, calls and consent', async () => {
      const own = [await begin(store, text('+1', '+2')), await begin(store, text('+1', '+3'))]
      const other = await begin(store, text('+9', '+2'))
      await store.calls.create(call('call-own', { to_number: '+1' }))
      await store.texts.setOptedOut('+1', '+2', true, at(0))
      await store.texts.setOptedOut('+9', '+2', true, at(0))
      expect(await store.records.eraseNumber('+1')).toBe(2)
      for (const id of own) expect(await store.records.find(id)).toBeUndefined()
      expect(await store.records.find(other)).toBeDefined()
      expect(await store.calls.find('call-own')).toBeUndefined()
      expect(await store.texts.isOptedOut('+1', '+2')).toBe(false)
      expect(await store.texts.isOptedOut('+9', '+2')).toBe(true)
      await store.texts.setOptedOut('+9', '+2', false, at(1))
      expect(await store.texts.isOptedOut('+9', '+2')).toBe(false)
    })

    it('of what is old takes only what has ended', async () => {
      const old = await begin(store, {}, ({ record }) => record.end(at(1)))
      const open = await begin(store)
      expect(await store.records.eraseEndedBefore(at(1))).toBe(0)
      expect(await store.records.eraseEndedBefore(at(2))).toBe(1)
      expect([await store.records.find(old), (await store.records.find(open))?.id]).toEqual([undefined, open])
    })
  })

  it('keeps the queue of the desk', async () => {
    const handoff = (queued: number, shared: string) => (session: LockedSession) =>
      session.handoff.save({
        ...{
          project_id: 'PROJECT-1',
          shared_id: shared,
          data: { queued },
          queue_name: 'q',
          state: 'waiting',
        },
        ...{ created_at: at(queued), queued_at: at(queued), taken_at: null, desk_agent: null },
      })
    const second = await begin(store, {}, handoff(20, 'shared'))
    const first = await begin(store, {}, handoff(10, 'shared'))
    const open = async () => (await store.handoffs.open()).map((row) => row.conversation_id)
    expect(await open()).toEqual([first, second])
    const find = store.handoffs.find
    expect((await find('PROJECT-1', { sharedId: 'shared' }))?.conversation_id).toBe(second)
    expect(await find('PROJECT-2', { id: first })).toBeUndefined()
    const agent = { id: 'sarah', name: 'Sarah' }
    await store.sessions.locked(first, ({ handoff: own }) =>
      own.change({ state: 'taken', taken_at: at(12.5), desk_agent: agent, told_position: 1 }),
    )
    expect(await find('PROJECT-1', { id: first })).toMatchObject({ desk_agent: agent, told_position: 1 })
    expect(await store.handoffs.waits()).toEqual([2.5])
    await store.sessions.locked(first, ({ handoff: own }) => own.change({ state: 'done' }))
    expect(await open()).toEqual([second])
    await store.sessions.locked(first, handoff(30, 'again'))
    expect(await find('PROJECT-1', { id: first })).toMatchObject({ shared_id: 'again', told_position: null })
  })

  it('hands out messages in order, each to one at a time', async () => {
    const send = (id: string, due: number) => (session: LockedSession) =>
      session.deliveries.send(id, { text: id }, at(due))
    const one = await begin(store, text('+1', '+2'), async (session) => {
      await send('one-1', 5)(session)
      await send('one-2', 0)(session)
    })
    await begin(store, text('+1', '+3'), send('two-1', 3))
    const { take, taken, again } = store.texts
    const nothing: string[] = []
    expect(await take('alive', at(2), nothing)).toBeUndefined()
    expect(await take('dead', at(9), nothing)).toMatchObject({ id: 'two-1', message: { text: 'two-1' } })
    // An attempt that was cut off counts as none.
    expect(await take('alive', at(9), nothing)).toMatchObject({ id: 'two-1', attempts: 0, created_at: at(3) })
    const next = await take('alive', at(9), ['two-1'])
    expect(next).toMatchObject({ id: 'one-1', session_id: one, attempts: 0 })
    expect(await take('alive', at(9), ['two-1', 'one-1'])).toBeUndefined()
    await again('one-1', at(20))
    expect(await take('alive', at(19), ['two-1'])).toBeUndefined()
    expect(await take('alive', at(20), ['two-1'])).toMatchObject({
      id: 'one-1',
      attempts: 1,
      created_at: at(5),
    })
    await taken('one-1')
    expect(await take('alive', at(20), ['two-1'])).toMatchObject({ id: 'one-2', attempts: 0 })
    // What its own process is not at any more is free too, and nobody else's.
    await again('two-1', at(30))
    expect(await take('other', at(20), nothing)).toBeUndefined()
    expect(await take('alive', at(20), nothing)).toMatchObject({ id: 'one-2', attempts: 0 })
  })

  it('places calls one after the other, as many at once as an account may', async () => {
    const { calls } = store
    const call = (sid: string, account_id: string, seconds: number) =>
      calls.create({
        ...{ sid, account_id, project_id: 'PROJECT-1', connector_id: 'CON-1', environment: 'live' },
        ...{ to_number: '+15', from_number: '+16', metadata: { a: 'b' }, encryption: 'tls' },
        created_at: at(seconds),
      })
    await call('b', 'ws-1', 1)
    await call('a', 'ws-1', 1)
    await call('c', 'ws-2', 2)
    expect(await calls.queuedBefore(at(1))).toHaveLength(2)
    expect(await calls.take('alive', 1)).toMatchObject({ sid: 'a', status: 'calling', owner: 'alive' })
    expect(await calls.take('dead', 1)).toMatchObject({ sid: 'c' })
    expect(await calls.take('alive', 1)).toBeUndefined()
    const abandoned = async (owner: string, placed: string[]) =>
      (await calls.abandoned({ owner, placed })).map(({ sid }) => sid).toSorted()
    expect((await calls.abandoned()).map(({ sid }) => sid)).toEqual(['c'])
    expect(await abandoned('alive', ['a'])).toEqual(['c'])
    expect(await abandoned('alive', [])).toEqual(['a', 'c'])
    expect(await abandoned('other', [])).toEqual(['c'])
    expect(await calls.finish('b', 'success', '', at(5))).toBe(false)
    expect(await calls.finish('b', 'failure', 'waited', at(5))).toBe(true)
    expect(await calls.finish('b', 'failure', 'again', at(6))).toBe(false)
    expect(await calls.finish('a', 'success', '', at(6))).toBe(true)
    expect(await calls.find('b')).toMatchObject({ reason: 'waited', ended_at: at(5), owner: null })
    await expect(calls.attach('a', 'nobody')).rejects.toMatchObject({ code: '23503' })
    await calls.forgetEndedBefore(at(6))
    expect([await calls.find('b'), (await calls.find('a'))?.metadata]).toEqual([undefined, { a: 'b' }])
    await calls.finish('c', 'failure', '', at(6))
    await calls.forgetEndedBefore(at(7))
  })

  it('ends nothing before it began, whatever another clock says', async () => {
    const id = await begin(store, { now: at(10) })
    await store.sessions.locked(id, (session) => session.record.end(at(5)))
    const filter = { projectId: 'PROJECT-1', environment: 'live' }
    const rows = await store.records.page(filter, { limit: 1000 })
    expect(rows.find((row) => row.id === id)).toMatchObject({ started_at: at(10), ended_at: at(10) })
  })

  it('finds conversations by voice whose call is gone', async () => {
    const { calls } = store
    const spoken = await begin(store, { channel: 'VOICE-SIP', now: at(0) })
    const lost = await begin(store, { channel: 'VOICE-SIP', now: at(1) })
    await begin(store, { channel: 'VOICE-SIP', now: at(9) })
    await begin(store, { now: at(0) })
    await calls.create({
      ...{
        sid: 'd',
        account_id: 'ws-1',
        project_id: 'PROJECT-1',
        connector_id: 'CON-1',
        environment: 'live',
      },
      ...{ to_number: '+15', from_number: '+16', metadata: {}, encryption: 'tls', created_at: at(0) },
    })
    await calls.take('alive', 9)
    await calls.attach('d', spoken)
    expect(await calls.unattended(at(5))).toEqual([lost])
    await calls.finish('d', 'success', '', at(6))
    expect(await calls.unattended(at(5))).toEqual([spoken, lost])
  })

  describe('the registry', () => {
    it('keeps a secret it made, and knows tokens by their hashes until they are revoked', async () => {
      const { registry } = store
      const secret = await registry.secret('some-key')
      expect(secret).toHaveLength(43)
      expect(await registry.secret('some-key')).toBe(secret)
      expect(await registry.secret('other-key')).not.toBe(secret)
      const connector = { ...CONNECTOR, id: 'CON-3' }
      await registry.saveConnector(connector, 'token-3')
      expect(await registry.findConnector('token-3')).toEqual(connector)
      expect(await registry.findConnector('nobody')).toBeUndefined()
      const id = await begin(store, { connector_id: 'CON-3' })
      expect(await registry.revokeConnector('CON-3')).toBe(true)
      expect(await registry.revokeConnector('CON-3')).toBe(false)
      expect(await registry.findConnector('token-3')).toBeUndefined()
      expect(await registry.connectorOf('CON-3')).toBeUndefined()
      expect((await store.sessions.find(id))?.token_id).toBe('')
      expect((await registry.connectors()).map((one) => [one.id, one.revoked])).toEqual([
        ['CON-1', false],
        ['CON-3', true],
      ])
    })

    it('keeps keys, and their dates when they are saved again', async () => {
      const { registry } = store
      const key: ApiKey = {
        ...{ id: 'KEY-1', kind: 'runtime' as const, name: 'a', region: 'local', account_id: 'ws-1' },
        ...{ project_id: null, connector_id: null, permissions: ['analytics' as const] },
        ...{ created_at: at(5), revoked_at: null },
      }
      await registry.saveKey(key, 'secret-1')
      await registry.saveKey({ ...key, permissions: [], id: 'KEY-2', created_at: at(4) }, 'secret-2')
      await registry.saveKey({ ...key, permissions: [], name: 'b', created_at: at(9) }, 'secret-3')
      expect(ids(await registry.keys())).toEqual(['KEY-2', 'KEY-1'])
      expect(await registry.findKey('secret-1')).toBeUndefined()
      expect(await registry.findKey('secret-3')).toEqual({ ...key, name: 'b', permissions: [] })
      expect([await registry.revokeKey('KEY-1', at(6)), await registry.revokeKey('KEY-1', at(7))]).toEqual([
        true,
        false,
      ])
      expect(await registry.findKey('secret-3')).toBeUndefined()
      expect((await registry.keys())[1]?.revoked_at).toEqual(at(6))
    })

    it('finds projects and senders by every name they have', async () => {
      const { registry } = store
      await registry.saveProject({ ...PROJECT, id: 'shop', slug: 'PROJECT-1', settings: { callsAtOnce: 2 } })
      for (const account of ['ws-1', 'larkspur'])
        expect((await registry.findProject(account, 'shop'))?.id).toBe('shop')
      expect((await registry.findProject('ws-1', 'PROJECT-1'))?.id).toBe('PROJECT-1')
      expect(await registry.findProject('ws-2', 'shop')).toBeUndefined()
      expect([await registry.findAccount('larkspur'), await registry.findAccount('x')]).toEqual([
        'ws-1',
        undefined,
      ])
      expect(ids(await registry.projects())).toEqual(['PROJECT-1', 'shop'])
      const sender = { project_id: 'PROJECT-1', environment: 'live', kind: 'sms', address: '+2' } as const
      for (const address of ['+2', '+1', '+2']) await registry.saveSender({ ...sender, address })
      expect((await registry.senders('PROJECT-1', 'live')).map(({ address }) => address)).toEqual([
        '+1',
        '+2',
      ])
      expect(await registry.findSender('+2')).toEqual(sender)
    })

    it('counts within a window', async () => {
      const { registry } = store
      expect(await registry.count('rate', 60, at(0))).toEqual({ count: 1, wait: 60 })
      expect(await registry.count('rate', 60, at(59))).toEqual({ count: 2, wait: 1 })
      expect((await registry.count('rate', 60, at(60))).count).toBe(1)
      await registry.forgetRates(at(61))
      expect((await registry.count('rate', 60, at(60))).count).toBe(1)
    })

    it('lets a session have so many sockets, and forgets those of processes that are gone', async () => {
      const { registry } = store
      const id = await begin(store)
      await registry.heartbeat('dying', at(0), at(-1))
      expect(await registry.addSocket('s1', id, 'dying', 2)).toBe(true)
      expect(await registry.addSocket('s2', id, 'alive', 2)).toBe(true)
      expect(await registry.addSocket('s3', id, 'alive', 2)).toBe(false)
      await registry.heartbeat('alive', at(5), at(1))
      expect(await registry.addSocket('s3', id, 'alive', 2)).toBe(true)
      await registry.removeSocket('s2')
      expect(await registry.addSocket('s4', id, 'alive', 2)).toBe(true)
    })
  })
})
