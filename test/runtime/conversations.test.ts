// What the stores of conversations promise, on the embedded database: the log, lists, search and vectors.

import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Filter } from '../../src/runtime/conversations/filter-store.ts'
import {
  conversationSpans,
  findConversation,
  listConversations,
  turnsOf,
} from '../../src/runtime/conversations/list/list-store.ts'
import { searchTranscripts } from '../../src/runtime/conversations/search/search-store.ts'
import { createVectorStore, type VectorStore } from '../../src/runtime/conversations/semantic/vector-store.ts'
import { createSearchUpkeep } from '../../src/runtime/conversations/upkeep.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import { recordBeat } from '../../src/runtime/jobs/process-store.ts'
import type { LockedSession } from '../../src/runtime/sessions/index.ts'
import { at, createStoreWorld, turn } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
const db = () => world.database
const begin: typeof world.begin = (...given) => world.begin(...given)
const locked: typeof world.locked = (...given) => world.locked(...given)
const START = at(0).getTime()
const FILTER = { projectId: 'PROJECT-1', environment: 'live' }
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

describe('the log', () => {
  it('counts turns, silences, latencies and inputs that the agent did not understand', async () => {
    const id = await begin({}, async ({ log }) => {
      await log.respond('Hello', at(1), { agent: true, inputSequence: 1 })
      await log.beginTurn({ inputSequence: 2, input: '', silence: true, dtmf: '12', at: at(2) })
      await log.understand({ intents: ['a'], outOfDomain: true }, 2)
      await log.understand({ intents: ['b'], entities: [{ x: 'y' }], outOfDomain: true }, 2)
      await log.understand({ translatedInput: 'never' }, 99)
      await log.respond('One', at(5), { agent: true, inputSequence: 2 })
      await log.respond('Two', at(6), { agent: true, inputSequence: 2 })
      await log.respond('Three', at(7), { agent: false })
      for (const value of ['1', '2', '3']) await log.metric('step', value)
      await log.state({ a: 1, b: { c: 2 } })
      await log.state({ b: 3 })
      await log.handoff('why', 'where')
      await log.agentLeft(at(8))
      await log.agentLeft(at(9))
      await log.end(at(10))
      await log.end(at(11))
    })
    expect(await findConversation(db(), id)).toMatchObject({
      ...{ num_turns: 2, num_silences: 1, num_ood: 1, latency_sum: 3, latency_count: 2 },
      ...{ handoff: true, handoff_reason: 'why', handoff_destination: 'where' },
      ...{ agent_left_at: at(8), ended_at: at(10) },
      ...{ metrics: { step: ['1', '2', '3'] }, state: { a: 1, b: 3 } },
    })
    expect(await turnsOf(db(), ['nobody', id, id])).toMatchObject([
      { position: 1, user_input: '', agent_response: 'Hello', latency: 0, user_input_at: at(1) },
      {
        ...{ position: 2, agent_response: 'One\n\nTwo\n\nThree', agent_response_at: at(5), latency: 3 },
        ...{ user_input_dtmf: '12', is_silence: true, is_ood: true },
        ...{ intents: ['a', 'b'], entities: [{ x: 'y' }], translated_user_input: '' },
      },
    ])
  })

  it('has each answer, and what was understood, in the turn of its input, also after the next one began', async () => {
    const id = await begin({}, async ({ log }) => {
      await log.beginTurn({ inputSequence: 2, input: 'one', at: at(0) })
      await log.beginTurn({ inputSequence: 4, input: 'two', at: at(10) })
      for (const [inputSequence, seconds] of [
        [4, 13],
        [2, 15],
        [4, 20],
      ] as const) {
        await log.respond(`${inputSequence} at ${seconds}`, at(seconds), { agent: true, inputSequence })
        await log.understand({ intents: [`${inputSequence}`], outOfDomain: true }, inputSequence)
      }
      await log.understand({ translatedInput: 'eins', englishResponse: 'answer' }, 2)
      await log.understand({ intents: ['more'] }, 2)
    })
    expect(await turnsOf(db(), [id])).toMatchObject([
      {
        ...{ user_input: 'one', agent_response: '2 at 15', agent_response_at: at(15), latency: 15 },
        ...{ intents: ['2', 'more'], translated_user_input: 'eins', english_agent_response: 'answer' },
      },
      {
        ...{ user_input: 'two', agent_response: '4 at 13\n\n4 at 20', agent_response_at: at(13), latency: 3 },
        ...{ intents: ['4', '4'], translated_user_input: '', english_agent_response: '' },
      },
    ])
    expect(await findConversation(db(), id)).toMatchObject({
      ...{ num_turns: 2, num_ood: 2, latency_sum: 18, latency_count: 2 },
    })
  })

  it('has the latest rating, and of each answer the latest, with the comments of all', async () => {
    const id = await begin()
    const rated = (...[rate]: [(log: LockedSession['log']) => Promise<void>]) =>
      locked(id, ({ log }) => rate(log)).then(async () => (await findConversation(db(), id))?.metrics)
    expect(await rated((log) => log.csat(1, 'Slow'))).toEqual({ csat_score: '1', csat_comment: 'Slow' })
    expect(await rated((log) => log.csat(5, undefined))).toEqual({ csat_score: '5' })
    await rated((log) => log.feedback('a', 'up', 'Good'))
    await rated((log) => log.feedback('b', 'up', undefined))
    expect(await rated((log) => log.feedback('a', 'down', 'Bad'))).toEqual({
      ...{ csat_score: '5', feedback_up: 'b', feedback_down: 'a', feedback_comment: ['Good', 'Bad'] },
    })
    expect(await rated((log) => log.feedback('b', 'down', 'Bad'))).toEqual({
      ...{ csat_score: '5', feedback_down: ['a', 'b'], feedback_comment: ['Good', 'Bad'] },
    })
    expect(await rated((log) => log.feedback('a', 'down', undefined))).toMatchObject({
      feedback_down: ['b', 'a'],
    })
  })

  it('is listed newest first, and by id where two began at once, from any position', async () => {
    const first = await begin({ now: at(1) })
    const same = [await begin({ now: at(2) }), await begin({ now: at(2) })]
    const last = await begin({ now: at(3), variant: { id: 'v', name: 'V' } })
    type Page = Parameters<typeof listConversations>[2]
    const list = async (filter: Filter, page: Page) => ids(await listConversations(db(), filter, page))
    expect(await list(FILTER, { limit: 9 })).toEqual([last, ...same, first])
    expect(await list(FILTER, { limit: 2, offset: 1 })).toEqual(same)
    const after = { startedAt: at(2), id: same[0] ?? '' }
    expect(await list(FILTER, { limit: 9, after })).toEqual([same[1], first])
    expect(await list({ ...FILTER, from: at(2), to: at(2) }, { limit: 9 })).toEqual(same)
    expect(await list({ ...FILTER, variantName: 'v' }, { limit: 9 })).toEqual([])
  })

  it('returns the spans of conversations, also of those that ended at their start', async () => {
    const end =
      (seconds: number) =>
      ({ log }: LockedSession) =>
        log.end(at(seconds))
    await begin({ now: at(0) }, end(10))
    await begin({ now: at(10), variant: { id: 'v', name: 'V' } }, end(10))
    await begin({ now: at(20) })
    const spans = async (from: number, to: number) =>
      (await conversationSpans(db(), FILTER, at(from), at(to))).map(({ start, end, variantId }) => [
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
  const find = async (query: string, side?: 'user' | 'agent') => {
    await world.index()
    const page = { limit: 9, offset: 0, asOf: at(50) }
    return ids(await searchTranscripts(db(), FILTER, { text: query, side }, page))
  }

  it('supports other languages, and scripts without spaces', async () => {
    const german = await begin({ language: 'de-DE' }, turn('Wo sind meine Pakete?'))
    const french = await begin({}, turn('un Café', 'crème brûlée'))
    const japanese = await begin({ language: 'ja' }, turn('東京都に行きます'))
    expect(await find('Paket')).toEqual([german])
    for (const query of ['cafe', 'CAFÉ', '"creme brulee"']) expect(await find(query)).toEqual([french])
    expect(await find('東京')).toEqual([japanese])
    expect(await find('京東')).toEqual([])
  })

  it.each(['bicycles', 'bicycle'])('excludes a word in every form it may have: %s', async (wanted) => {
    const both = await begin({}, turn('we sell bicycles', 'Appointments are free'))
    const one = await begin({}, turn('one bicycle, many bicycles'))
    const german = await begin({ language: 'de' }, turn('bicycle bicycles, keine Termine'))
    for (const refused of ['appointment', 'appointments', '"appointments are"', 'are'])
      expect([refused, (await find(`${wanted} -${refused}`)).sort()]).toEqual([refused, [one, german]])
    expect(await find(`zeppelin or ${wanted} -appointment -Termin`)).toEqual([one])
    expect((await find(`${wanted} -appointment or sell`)).sort()).toEqual([both, one, german])
    expect(await find(`-appointment -${wanted}`)).toEqual([])
    expect((await find('-zeppelin')).sort()).toEqual([both, one, german])
    expect((await find(`${wanted} -appointment`, 'user')).sort()).toEqual([both, one, german])
  })

  it('indexes earlier words again when another language is detected', async () => {
    const id = await begin({}, async (session) => {
      await turn('Ich suche Fahrräder mit Taschen', 'Gern')(session)
      await turn('mit Körben', 'Gern')(session)
      await session.log.language('de-DE')
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
  ])('indexes any amount of text: words %s', async (_, word) => {
    const words = (from: number, count: number) =>
      Array.from({ length: count }, (_word, n) => word(from + n)).join(' ')
    const id = await begin({}, turn('zeppelin'))
    for (let n = 0; n < 14; n++)
      await locked(id, turn(words(n * 2_000, n < 4 ? 300 : 2_000).slice(0, 130_000), words(n * 2_000, 9)))
    await locked(id, ({ log }) => log.language('fr'))
    await locked(id, turn('the last word'))
    expect(await turnsOf(db(), [id])).toHaveLength(16)
    expect(await find('zeppelin')).toEqual([id])
  })
})

const claimTexts = (vectors: VectorStore, seconds: number) =>
  vectors.claimTexts('alive', { quietSince: at(seconds), now: at(seconds) }, 9)

describe('semantic search', () => {
  it('returns the nearest first, with the vectors of one model, and deletes those of other models', async () => {
    const vectors = createVectorStore(db())
    const words: string[] = []
    for (const input of ['north', 'east', 'between']) words.push(await begin({}, turn(input)))
    const [north = '', east = '', between = ''] = words
    const claim = (seconds = 9) => claimTexts(vectors, seconds)
    const waiting = async () => ids(await claim()).sort()
    await vectors.makeIndex(2)
    expect(await waiting()).toEqual(words)
    expect(await claim(-9)).toEqual([])
    expect((await claim()).map(({ text: all }) => all).sort()).toEqual(['between ', 'east ', 'north '])
    await vectors.saveVector('alive', { id: north, text: 'north ' }, 'm', [0, 1])
    await vectors.saveVector('alive', { id: east, text: 'east ' }, 'm', [1, 0])
    await vectors.saveVector('alive', { id: between, text: 'between ' }, 'm', [0.6, 0.8])
    await vectors.saveVector('alive', { id: 'nobody', text: 'nothing' }, 'm', [0.6, 0.8])
    expect(await waiting()).toEqual([])
    const nearest = async (model: string, limit = 9, offset = 0) =>
      ids(await vectors.nearest(db(), FILTER, { model, vector: [0.1, 0.99] }, { limit, offset, asOf: at(9) }))
    expect(await nearest('m')).toEqual([north, between, east])
    expect(await nearest('m', 1, 1)).toEqual([between])
    expect(await nearest('other')).toEqual([])
    expect(await vectors.forgetOtherModels('m', 9)).toBe(0)
    expect([await vectors.forgetOtherModels('other', 2), (await nearest('m')).length]).toEqual([2, 1])
    expect(await vectors.forgetOtherModels('other', 2)).toBe(1)
    expect(await nearest('m')).toEqual([])
    expect(await waiting()).toEqual(words)
  })

  it('renews a vector after anyone has said more', async () => {
    const vectors = createVectorStore(db())
    const id = await begin({}, turn('a slow question'))
    const embed = (text: string) => vectors.saveVector('alive', { id, text }, 'm', [1, 0])
    const waiting = async (since = 99) => (await claimTexts(vectors, since)).map(({ text }) => text)
    const answer = (words: string, seconds: number, inputSequence?: number) =>
      locked(id, ({ log }) =>
        log.respond(
          words,
          at(seconds),
          inputSequence === undefined ? { agent: false } : { agent: true, inputSequence },
        ),
      )
    expect(await waiting()).toEqual(['a slow question '])
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

  it('gives back and tries again what a process has claimed itself, and begins anew once the vector is made', async () => {
    const vectors = createVectorStore(db())
    await recordBeat(db(), 'other', 'build', at(0))
    const [one, two] = [await begin({ now: at(0) }, turn('one')), await begin({ now: at(1) }, turn('two'))]
    const claim = (owner: string, limit = 9) =>
      vectors.claimTexts(owner, { quietSince: at(9), now: at(9) }, limit)
    expect(ids(await claim('other', 1))).toEqual([one])
    const again = { id: two, text: 'two ', attempts: 4 }
    expect(await claim('alive')).toEqual([{ ...again, attempts: 0 }])
    await vectors.retryTexts('alive', [one, two], 4, at(9))
    expect(await claim('alive')).toEqual([again])
    await vectors.releaseTexts('alive')
    expect(await claim('alive')).toEqual([again])
    await vectors.saveVector('alive', again, 'm', [1, 0])
    await locked(two, turn('three'))
    expect(await claim('alive')).toMatchObject([{ id: two, attempts: 0 }])
    await vectors.saveVector('alive', { id: two, text: 'two  three ' }, 'n', [0, 1])
    const nearest = async (model: string) =>
      ids(
        await vectors.nearest(db(), FILTER, { model, vector: [1, 0] }, { limit: 9, offset: 0, asOf: at(9) }),
      )
    expect([await nearest('m'), await nearest('n')]).toEqual([[], [two]])
    await db().query("DELETE FROM foyer.process WHERE id = 'other'")
  })

  it('skips conversations without a vector, and keeps the vector when newer text has none', async () => {
    const vectors = createVectorStore(db())
    const [one, other] = [await begin({}, turn('one')), await begin({}, turn('other'))]
    await claimTexts(vectors, 9)
    await vectors.saveVector('alive', { id: one, text: 'one ' }, 'm', [])
    await vectors.saveVector('alive', { id: other, text: 'other ' }, 'm', [1, 0])
    await locked(other, turn('more'))
    await claimTexts(vectors, 9)
    await vectors.saveVector('alive', { id: other, text: 'other  more ' }, 'm', [])
    expect(await claimTexts(vectors, 9)).toEqual([])
    const page = { limit: 9, offset: 0, asOf: at(9) }
    expect(ids(await vectors.nearest(db(), FILTER, { model: 'm', vector: [1, 0] }, page))).toEqual([other])
    await vectors.forgetOtherModels('n', 9)
    expect(ids(await claimTexts(vectors, 9)).sort()).toEqual([one, other])
  })
})

it('a conversation never ends before its beginning, even if the clocks of processes differ', async () => {
  const id = await begin({ now: at(10) })
  await locked(id, (session) => session.log.end(at(5)))
  const rows = await listConversations(db(), FILTER, { limit: 1000 })
  expect(rows.find((row) => row.id === id)).toMatchObject({ started_at: at(10), ended_at: at(10) })
})

it.each([
  [3, 0, 3],
  [0, 2, 2],
])(
  'of the upkeep of search as much is left as of the larger part of it: %d vectors and %d transcripts',
  async (vectors, transcripts, left) => {
    const upkeep = createSearchUpkeep({
      database: { query: async () => Array(transcripts).fill({}) } as unknown as Database,
      vectors: { forgetOtherModels: async () => vectors } as unknown as VectorStore,
      embeddings: { model: 'm', size: 2 },
    })
    expect(await upkeep.work(100)).toBe(left)
  },
)
