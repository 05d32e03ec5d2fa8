// What only the stores of sessions can show, on the embedded database: transactions, locks, bounds and what a list leaves out.

import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { saveConnector } from '../../src/runtime/accounts/connector-store.ts'
import { findConversation, turnsOf } from '../../src/runtime/conversations/list/list-store.ts'
import { searchTranscripts } from '../../src/runtime/conversations/search/search-store.ts'
import type { Queries } from '../../src/runtime/database/index.ts'
import { findHandoff, saveHandoff } from '../../src/runtime/handoff/store.ts'
import { recordBeat, removeSilentProcesses } from '../../src/runtime/jobs/process-store.ts'
import { claimDelivery, findOngoingConversation, insertDelivery } from '../../src/runtime/messaging/store.ts'
import type { LockedSession } from '../../src/runtime/sessions/index.ts'
import {
  addSocket,
  hasSocket,
  recordAway,
  recordSilence,
  removeSocket,
  socketsWithoutPlace,
} from '../../src/runtime/sessions/socket-store.ts'
import {
  chunksOf,
  deleteChunks,
  eventsAfter,
  findByClientId,
  hasAnswerAfter,
  isAnswer,
  isMessageStored,
  isStored,
  messagesBefore,
  nextInput,
} from '../../src/runtime/sessions/state/event-store.ts'
import type { NewEvent } from '../../src/runtime/sessions/state/session.ts'
import {
  findSession,
  forgetAccessTokens,
  idleSessions,
} from '../../src/runtime/sessions/state/session-store.ts'
import { lostTurns, unansweredSessions } from '../../src/runtime/turns/store.ts'
import { at, CONNECTOR, createStoreWorld, redact, said, text, turn } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
const db = () => world.database
const begin: typeof world.begin = (...given) => world.begin(...given)
const locked: typeof world.locked = (...given) => world.locked(...given)

beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

const CARD = '4111 1111 1111 1111'
const FILTER = { projectId: 'PROJECT-1', environment: 'live' }
const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
const events = async (id: string, after = 0) => (await eventsAfter(db(), id, after)).events
const chunk = (messageId: string, words: string): NewEvent => ({
  type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
  payload: { text: words },
  messageId,
})
const handoff = (id: string, data: Record<string, unknown> = {}) => ({
  ...{ conversation_id: id, project_id: 'PROJECT-1', shared_id: 's', data, queue_name: 'q' },
  ...{ created_at: at(0), queued_at: at(0) },
})
const message = (id: string, words = 'a') => ({ id, to: '+1', from: '+2', text: words })

describe('a transaction', () => {
  it('that rejects stores nothing, and is invisible before its commit', async () => {
    const id = await begin(text('+1', '+2'), turn('hello', 'Hello there'))
    await world.index()
    const all = async () => ({
      session: await findSession(db(), id),
      conversation: await findConversation(db(), id),
      events: await events(id),
      turns: await turnsOf(db(), [id]),
      handoff: await findHandoff(db(), 'PROJECT-1', { id }),
      delivery: await claimDelivery(db(), 'alive', { now: at(100), storedBy: at(100) }, []),
      search: await searchTranscripts(
        db(),
        FILTER,
        { text: 'zeppelin' },
        { limit: 9, offset: 0, asOf: at(9) },
      ),
    })
    const before = await all()
    let meanwhile: ReturnType<typeof all> | undefined
    const failing = locked(id, async (session) => {
      await turn('a zeppelin', 'Indeed')(session)
      session.move('handed-off')
      session.change({ attributes: { a: 1 } })
      await session.log.metric('a', 'b')
      await session.log.language('de')
      await session.end()
      await saveHandoff(session.tx, handoff(id))
      await insertDelivery(session.tx, id, message('delivery-never'), at(0))
      meanwhile = all()
      await pause()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await meanwhile).toEqual(before)
    expect(await all()).toEqual(before)
    const next = await locked(id, (session) => session.append(said('b')))
    expect(next?.sequence).toBe(2)
  })

  it('waits for the transaction before it, and sees its changes', async () => {
    const id = await begin()
    const order: string[] = []
    const one = (name: string) =>
      locked(id, async (session) => {
        order.push(`${name} begins with ${session.session.answered}`)
        await pause()
        session.change({ answered: session.session.answered + 1 })
        order.push(`${name} ends with ${session.session.answered}`)
      })
    await Promise.all([one('first'), one('second')])
    expect(order).toEqual([
      'first begins with 0',
      'first ends with 1',
      'second begins with 1',
      'second ends with 2',
    ])
  })

  it('sees the end that the transaction before it has set', async () => {
    const id = await begin()
    const ending = locked(id, async (session) => {
      await pause()
      await session.end()
    })
    const seen = locked(id, ({ session }) => session.conversation.endedAt)
    await ending
    expect(await seen).toEqual(at(0))
  })

  it('stops the inactivity clock for a call, with a live agent, and after the end', async () => {
    const call = await begin(text('+1', '+2', 'VOICE-SIP'), (session) => session.touch())
    const chat = await begin()
    const idleSince = async (id: string) => (await findSession(db(), id))?.idleSince
    const touch = (id: string) => locked(id, (session) => session.touch(), at(5))
    for (const id of [call, chat]) await touch(id)
    expect([await idleSince(call), await idleSince(chat)]).toEqual([undefined, at(5)])
    await locked(chat, (session) => session.move('handed-off'))
    await touch(chat)
    expect(await idleSince(chat)).toBeUndefined()
    await locked(chat, (session) => session.move('timed-out'), at(7))
    expect(await idleSince(chat)).toEqual(at(7))
    await locked(chat, async (session) => {
      session.touch()
      await session.end()
    })
    expect(await idleSince(chat)).toBeUndefined()
  })
})

it.each(['WEBCHAT', 'SMS', 'VOICE-SIP'] as const)(
  'what a transaction makes of a session by %s is what the next one finds, a second time too',
  async (channel) => {
    const id = await begin({ channel, fromNumber: '+1', toNumber: '+2' })
    const other = await begin({ channel, fromNumber: '+3', toNumber: '+4' })
    const before = await findSession(db(), other)
    for (const n of [1, 2]) {
      const made = await locked(
        id,
        (session) => {
          session.append(said('a'))
          session.touch()
          session.change({
            ...{ joined: n === 1, warnedAt: at(10 + n), answered: 20 + n, claims: 30 + n, engaged: n === 1 },
            turn: { owner: `owner-${n}`, inputSequence: 40 + n, shown: n === 1, writes: 50 + n },
            attributes: { n },
          })
          return session.session
        },
        at(n),
      )
      // A chat keeps neither; they are of a conversation by phone.
      const kept =
        channel === 'SMS'
          ? {}
          : { engaged: undefined, ...(channel === 'WEBCHAT' && { attributes: undefined }) }
      expect(await findSession(db(), id)).toEqual({ ...made, ...kept })
      await locked(id, (session) => session.move('handed-off'))
      await locked(id, (session) => session.move('taken', { id: `id-${n}`, name: `name-${n}` }))
      expect(await findSession(db(), id)).toMatchObject({
        mode: 'desk',
        liveAgent: { id: `id-${n}`, name: `name-${n}` },
        idleSince: undefined,
      })
      await locked(id, (session) => session.move('given-back'), at(n))
      expect(await findSession(db(), id)).toMatchObject({
        ...{ mode: 'agent', liveAgent: undefined },
        idleSince: channel === 'VOICE-SIP' ? undefined : at(n),
      })
      await locked(id, (session) => session.touch())
      expect((await findSession(db(), id))?.warnedAt).toBeUndefined()
    }
    expect(await findSession(db(), other)).toEqual(before)
  },
)

it('what is silent, taken back or forgotten is that of one process, socket or connector', async () => {
  await saveConnector(db(), { ...CONNECTOR, id: 'CON-2' }, 'another-token')
  const [one, other] = [await begin(), await begin({ connectorId: 'CON-2' })]
  await recordBeat(db(), 'second', 'build', at(0))
  const limit = { most: 9, deadAfterMs: 4_000 }
  for (const [socket, sessionId, processId] of [
    ['a', one, 'alive'],
    ['b', one, 'second'],
    ['c', other, 'alive'],
  ] as const)
    await addSocket(db(), { id: socket, sessionId, processId }, limit)
  await recordAway(db(), 'alive', [one], true)
  const away = async () =>
    (await db().query<{ id: string }>('SELECT id FROM foyer.socket WHERE away ORDER BY id')).map(
      ({ id }) => id,
    )
  expect(await away()).toEqual(['a'])
  expect(await socketsWithoutPlace(db(), 'alive', ['a', 'gone'])).toEqual(['gone'])
  // One that is not in the list writes its rows anew.
  expect(await socketsWithoutPlace(db(), 'unknown', ['a', 'gone'])).toEqual([])
  expect([await hasSocket(db(), one), await hasSocket(db(), 'nobody')]).toEqual([true, false])
  for (const id of ['a', 'b']) await removeSocket(db(), id)
  expect([await hasSocket(db(), one), await hasSocket(db(), other)]).toEqual([false, true])
  await db().transaction((tx) => forgetAccessTokens(tx, 'CON-2'))
  const tokenOf = async (id: string) => {
    const session = await findSession(db(), id)
    return session?.family === 'chat' && session.tokenId
  }
  expect([await tokenOf(one), await tokenOf(other)]).toEqual(['token', ''])
  await db().query("DELETE FROM foyer.process WHERE id = 'second'")
})

it('an event, an answer and the message of a phone are looked for in their own session, and by all that names them', async () => {
  const whole = (type: NewEvent['type'], messageId: string): NewEvent => ({
    type,
    payload: { text: 'x' },
    messageId,
  })
  const one = await begin(text('+1', '+2'), (session) => {
    session.append(said('a', { clientId: 'mine' }))
    session.append(whole('EVENT_TYPE_POLY_AGENT_MESSAGE', 'agent'))
    session.append(whole('EVENT_TYPE_LIVE_AGENT_MESSAGE', 'live'))
  })
  const other = await begin(text('+1', '+3'), (session) => {
    session.append(said('b'))
    session.append(said('c', { messageId: 'own' }))
  })
  const answered = async (id: string) => {
    const ids = ['agent', 'live', 'own']
    return (await Promise.all(ids.map((each) => isAnswer(db(), id, each))))
      .map((is, n) => is && ids[n])
      .filter(Boolean)
  }
  expect([await answered(one), await answered(other)]).toEqual([['agent', 'live'], []])
  expect((await findByClientId(db(), one, 'mine'))?.sequence).toBe(1)
  expect(await findByClientId(db(), other, 'mine')).toBeUndefined()
  const isFrom = (userNumber: string, agentNumber: string) =>
    isMessageStored(db(), { userNumber, agentNumber }, 'mine')
  expect([await isFrom('+1', '+2'), await isFrom('+1', '+3'), await isFrom('+2', '+2')]).toEqual([
    true,
    false,
    false,
  ])
  const [{ id = '' } = {}] = await events(one)
  const isIt = (sequence: number, event: string) => isStored(db(), one, { sequence, id: event })
  expect([await isIt(1, id), await isIt(2, id), await isIt(1, 'another')]).toEqual([true, false, false])
  expect([await hasAnswerAfter(db(), one, 1), await hasAnswerAfter(db(), one, 2)]).toEqual([true, false])
})

it('a transaction copies what it stores and returns, so that later changes of the caller reach neither', async () => {
  const id = await begin({}, turn('hello'))
  const payload = { text: 'given', parts: ['a'] }
  await locked(id, (session) => {
    session.append(said('', { payload }))
    payload.parts.push('b')
  })
  for (const event of await events(id)) event.payload.text = 'changed'
  for (const one of await turnsOf(db(), [id])) one.intents.push('changed')
  expect((await events(id)).map((event) => event.payload)).toEqual([
    { text: 'hello' },
    { text: 'given', parts: ['a'] },
  ])
  expect((await turnsOf(db(), [id]))[0]?.intents).toEqual([])
})

it('a transaction masks card numbers before it stores the text', async () => {
  const agent = { id: 'sarah', name: CARD }
  const id = await begin(text('+1', '+2'), async (session) => {
    await turn(CARD, CARD)(session)
    session.change({ attributes: { card: CARD } })
    session.move('handed-off')
    session.move('taken', agent)
    await session.log.state({ card: CARD })
    await session.log.metric('card', CARD)
  })
  const kept = JSON.stringify([
    await findSession(db(), id),
    await findConversation(db(), id),
    await turnsOf(db(), [id]),
    await events(id),
  ])
  expect(kept).not.toContain('4111')
  // Event, both sides of the turn, attributes, the live agent's name, the metric, and the memory on both reads.
  expect(kept.split(redact.text(CARD))).toHaveLength(9)
})

describe('the store refuses', () => {
  const unique = expect.objectContaining({ code: '23505' })

  it('a second event with the same client id in one session', async () => {
    const [one, other] = [await begin(), await begin()]
    const append = (id: string) =>
      locked(id, (session) => void session.append(said('a', { clientId: 'mine' })))
    await append(one)
    await append(other)
    await expect(append(one)).rejects.toEqual(unique)
    const found = await findByClientId(db(), one, 'mine')
    expect(found).toMatchObject({ sequence: 1, client_id: 'mine', payload: { text: 'a' } })
    expect(await events(one)).toHaveLength(1)
    const twice = said('a', { clientId: 'twice' })
    const both = locked(one, (session) => {
      session.append(twice)
      session.append(twice)
    })
    await expect(both).rejects.toEqual(unique)
  })

  it('a second open conversation by SMS or RCS between two numbers, until the first has ended', async () => {
    const first = await begin(text('+1', '+2'))
    await expect(begin(text('+1', '+2', 'RCS'))).rejects.toEqual(unique)
    const other = await begin(text('+1', '+3'))
    await begin(text('+1', '+2', 'VOICE-SIP'))
    const open = async (user: string, agent: string) => (await findOngoingConversation(db(), user, agent))?.id
    expect(await open('+1', '+2')).toBe(first)
    const ending = locked(first, async (session) => {
      await pause()
      await session.end()
    })
    const next = await begin(text('+1', '+2'))
    await ending
    expect(await open('+1', '+2')).toBe(next)
    expect(await open('+1', '+3')).toBe(other)
  })

  it('the second of two conversations opened at once, unless the first fails', async () => {
    const results = await Promise.allSettled([
      begin(text('+1', '+2'), async () => {
        await pause()
        throw new Error('no')
      }),
      begin(text('+1', '+2'), pause),
      begin(text('+1', '+2')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
    expect(results[2]).toMatchObject({ reason: unique })
  })

  it('a session without a conversation, and a socket without a session', async () => {
    const missing = expect.objectContaining({ code: '23503' })
    await expect(begin({ connectorId: 'CON-nobody' })).rejects.toEqual(missing)
    const socket = { id: 'socket', sessionId: 'nobody', processId: 'alive' }
    await expect(addSocket(db(), socket, { most: 9, deadAfterMs: 4_000 })).rejects.toEqual(missing)
  })
})

describe('events', () => {
  it('come in pages of at most 200 events, each page ending with the event that passes 256 KiB, without a gap', async () => {
    const big = 'x'.repeat(200_000)
    const texts = [
      ...Array.from({ length: 450 }, (_, index) => `${index}`),
      big,
      'y'.repeat(300_000),
      big,
      'end',
    ]
    const id = await begin({}, (session) => {
      for (const words of texts) session.append(said(words))
    })
    const pages: number[] = []
    const seen: unknown[] = []
    for (let more = true, after = 0; more; ) {
      const page = await eventsAfter(db(), id, after)
      pages.push(page.events.length)
      seen.push(...page.events.map(({ payload }) => payload.text))
      after = page.events.at(-1)?.sequence ?? after
      more = page.more
    }
    expect(seen).toEqual(texts)
    expect(pages).toEqual([200, 200, 52, 2])
  })

  it('are replayed from a cursor; the newest hundred messages can be read', async () => {
    const join: NewEvent = { type: 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', payload: {} }
    const id = await begin({}, (session) => void session.append(join))
    for (let n = 0; n < 120; n++) await locked(id, (session) => void session.append(said(`${n}`)), at(n))
    expect((await events(id, 118)).map((event) => event.payload.text)).toEqual(['117', '118', '119'])
    const history = await messagesBefore(db(), id, 111)
    expect(history).toHaveLength(100)
    expect([history[0], history.at(-1)]).toMatchObject(
      ['9', '108'].map((words) => ({ type: 'EVENT_TYPE_USER_MESSAGE', text: words })),
    )
    expect((await messagesBefore(db(), id)).at(-1)?.text).toBe('119')
  })

  it('before a message are read up to 256 KiB of texts, and the newest of any length', async () => {
    const texts = ['a', 'b', 'é'.repeat(100_000), 'c'.repeat(62_144), 'd', 'e'.repeat(300_000)]
    const id = await begin({}, (session) => {
      for (const words of texts) session.append(said(words))
    })
    const read = async (sequence?: number) =>
      (await messagesBefore(db(), id, sequence)).map(({ text: words }) => words[0])
    // Then as an earlier build stored them, without their length.
    for (const change of ['text_bytes', 'NULL']) {
      await db().query(`UPDATE foyer.event SET text_bytes = ${change} WHERE session_id = $1`, [id])
      expect(await read()).toEqual(['e'])
      expect(await read(6)).toEqual(['é', 'c', 'd'])
      expect(await read(4)).toEqual(['a', 'b', 'é'])
    }
  })

  it('before a message are read without the texts that are left out', async () => {
    const id = await begin({}, (session) => {
      // Nothing that compresses: each text fills pages of its own.
      for (let n = 0; n < 60; n++) session.append(said(randomBytes(24_000).toString('base64')))
    })
    const asked: { sql: string; params: readonly unknown[] }[] = []
    const spied: Queries = {
      query(sql, params = [], options) {
        asked.push({ sql, params })
        return db().query(sql, params, options)
      },
    }
    expect(await messagesBefore(spied, id)).toHaveLength(9)
    const [one = { sql: '', params: [] }] = asked
    const [explained] = await db().query<Record<string, [{ Plan: Record<string, number> }]>>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${one.sql}`,
      one.params,
    )
    const { Plan: plan } = explained?.['QUERY PLAN']?.[0] ?? { Plan: {} }
    const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    // Of 60 texts with 17 pages each, the pages of nine, and as many steps in the index.
    expect(pages).toBeGreaterThan(9 * 4)
    expect(pages).toBeLessThan(60 * 4)
  })

  it('in chunks are replaced by the whole message', async () => {
    const id = await begin({}, (session) => {
      for (const event of [chunk('m', 'a'), said('between'), chunk('m', 'b'), chunk('n', 'c')])
        session.append(event)
    })
    const sequences = async (messageId?: string) =>
      (await chunksOf(db(), id, { inputSequence: 0, messageId })).map(({ sequence }) => sequence)
    expect([await sequences(), await sequences('n')]).toEqual([[1, 3], [4]])
    await locked(id, async (session) => {
      deleteChunks(session.tx, id, { inputSequence: 0, messageId: 'm' })
      const whole = { type: 'EVENT_TYPE_POLY_AGENT_MESSAGE' as const, payload: { text: 'ab' } }
      session.replace({ sequence: 3, createdAt: at(0) }, { ...whole, messageId: 'm', firstSequence: 1 })
    })
    const stored = await events(id)
    expect(stored.map(({ sequence, first_sequence }) => [sequence, first_sequence])).toEqual([
      [2, null],
      [3, 1],
      [4, null],
    ])
    expect(stored[1]).toMatchObject({ type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', custom: null })
    expect((await nextInput(db(), id, 0))?.sequence).toBe(2)
    expect(await nextInput(db(), id, 2)).toBeUndefined()
  })
})

it('idle sessions of each family are found', async () => {
  const idle = (more: Partial<Parameters<typeof idleSessions>[1]>) =>
    idleSessions(db(), { family: 'chat', before: at(10), ...more })
  const touched = (seconds: number, change: (session: LockedSession) => unknown = () => {}) =>
    begin({ now: at(seconds) }, (session) => {
      session.touch()
      change(session)
    })
  const chat = await touched(10)
  const warned = await touched(5, (session) => session.change({ warnedAt: at(6) }))
  const phone = await begin(text('+1', '+2'), (session) => session.touch())
  await begin({}, (session) => session.move('handed-off'))
  expect(await idle({})).toEqual([warned, chat])
  expect(await idle({ unwarned: true })).toEqual([chat])
  expect(await idle({ family: 'messaging' })).toEqual([phone])
  expect(await idle({ family: 'messaging', warnedBefore: at(8) })).toEqual([phone])
  await locked(phone, (session) => session.change({ engaged: true }))
  expect(await idle({ family: 'messaging', warnedBefore: at(8) })).toEqual([])
  await locked(phone, (session) => session.change({ warnedAt: at(8) }))
  expect(await idle({ family: 'messaging', warnedBefore: at(7) })).toEqual([])
  expect(await idle({ family: 'messaging', warnedBefore: at(8) })).toEqual([phone])
})

it('lost turns, and inputs that wait for an answer, are found', async () => {
  const lost = async (held: string[] = []) =>
    (await lostTurns(db(), 'alive', held)).map(({ sessionId }) => sessionId)
  const asked = await begin({}, (session) => {
    session.append(said('a'))
    session.change({ turn: { owner: 'dead', inputSequence: 1, shown: false, writes: 0 } })
  })
  expect([await lost(), await unansweredSessions(db())]).toEqual([[asked], []])
  await locked(asked, (session) => session.change({ turn: undefined }))
  expect([await lost(), await unansweredSessions(db())]).toEqual([[], [asked]])
  await locked(asked, (session) =>
    session.change({ answered: 1, turn: { owner: 'alive', inputSequence: 1, shown: false, writes: 0 } }),
  )
  expect([await lost([asked]), await unansweredSessions(db())]).toEqual([[], []])
  expect(await lost()).toEqual([asked])
})

it('a session has a limited number of sockets, and those of silent and of removed processes do not count', async () => {
  const id = await begin()
  const add = async (socket: string, processId: string) =>
    (await addSocket(db(), { id: socket, sessionId: id, processId }, { most: 2, deadAfterMs: 4_000 })) !==
    undefined
  await recordBeat(db(), 'dying', 'build', at(0))
  expect(await add('s1', 'dying')).toBe(true)
  expect(await add('s2', 'alive')).toBe(true)
  expect(await add('s3', 'alive')).toBe(false)
  await recordBeat(db(), 'alive', 'build', at(4))
  expect(await add('s3', 'alive')).toBe(false)
  await recordBeat(db(), 'alive', 'build', at(5))
  expect(await add('s3', 'alive')).toBe(true)
  // Where the place of a silent one does not count, to take it makes none free.
  expect(await recordSilence(db(), [{ id: 's1', since: 1 }])).toEqual(['s1'])
  expect(await add('s4', 'alive')).toBe(false)
  await removeSilentProcesses(db(), 'alive', 4_000, at(5))
  expect(await add('s4', 'alive')).toBe(false)
  await removeSocket(db(), 's2')
  expect(await add('s4', 'alive')).toBe(true)
})
