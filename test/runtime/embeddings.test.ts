import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createEmbedder } from '../../src/runtime/conversations/semantic/embedder.ts'
import { endpointEmbeddings } from '../../src/runtime/conversations/semantic/endpoint-embeddings.ts'
import { offlineEmbeddings } from '../../src/runtime/conversations/semantic/offline-embeddings.ts'
import { createVectorStore } from '../../src/runtime/conversations/semantic/vector-store.ts'
import { recordBeat } from '../../src/runtime/jobs/process-store.ts'
import { at, createStoreWorld } from './store-world.ts'

type Asked = { authorization: string | undefined; body: { model: string; input: string[] } }
let server: Server | undefined
afterEach(() => server?.close())

/** An endpoint that answers as told. */
async function endpoint(answer: (asked: Asked) => { status?: number; body: string }) {
  const asked: Asked[] = []
  const listening = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += String(part)
    const one = { authorization: request.headers.authorization, body: JSON.parse(text) as Asked['body'] }
    asked.push(one)
    const { status = 200, body } = answer(one)
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' }).end(body)
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/v1/embeddings`
  return { url, asked }
}
const vectors = ({ body }: Asked) => ({
  body: JSON.stringify({
    data: body.input.map((text, index) => ({ index, embedding: [text.length, 0, 0] })),
  }),
})

it('the client sends the common format, and learns the size of a vector', async () => {
  const { url, asked } = await endpoint(vectors)
  const embeddings = await endpointEmbeddings({ url, model: 'small', key: 'secret' })
  expect(embeddings).toMatchObject({ model: 'small', size: 3 })
  expect(await embeddings.embed(['one', 'three'])).toEqual([
    [1, 0, 0],
    [1, 0, 0],
  ])
  expect(asked.at(-1)).toEqual({
    authorization: 'Bearer secret',
    body: { model: 'small', input: ['one', 'three'] },
  })
})

it('the client returns the vectors in the order of the texts', async () => {
  const { url } = await endpoint(({ body }) => ({
    body: JSON.stringify({
      data: body.input.map((_, index) => ({ index, embedding: index === 0 ? [1, 0] : [0, 1] })).reverse(),
    }),
  }))
  const embeddings = await endpointEmbeddings({ url, model: 'small' })
  expect(await embeddings.embed(['a', 'b'])).toEqual([
    [1, 0],
    [0, 1],
  ])
})

it.each([
  ['an error', { status: 503, body: 'no' }, '503'],
  ['a redirect', { status: 302, body: '' }, ''],
  ['something else', { body: '{"data":[]}' }, 'does not hold embeddings'],
  ['no JSON', { body: '<html>' }, ''],
])(
  'the client rejects if the endpoint answers with %s, and the error has no key',
  async (_, answer, text) => {
    const { url } = await endpoint(() => answer)
    const error = await endpointEmbeddings({ url, model: 'small', key: 'secret-canary' }).then(
      () => undefined,
      (reason: Error) => reason,
    )
    expect(error?.message).toContain(text)
    expect(`${error?.message} ${error?.stack}`).not.toContain('secret-canary')
  },
)

it('the offline embeddings compare texts by their words, in any form', async () => {
  const [bike, bikes, parcel] = await offlineEmbeddings.embed([
    'the chain of my bicycle is broken',
    'broken bicycle chains',
    'where is the parcel I ordered',
  ])
  const likeness = (a: readonly number[] = [], b: readonly number[] = []) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  expect(likeness(bike, bike)).toBeCloseTo(1, 5)
  expect(likeness(bike, bikes)).toBeGreaterThan(likeness(bike, parcel))
  expect(await offlineEmbeddings.embed([''])).toHaveLength(1)
})

describe('the embedder', () => {
  let store: Awaited<ReturnType<typeof createStoreWorld>>
  beforeAll(async () => {
    store = await createStoreWorld()
  })
  afterEach(() => store.clear())
  afterAll(() => store.close())

  /** Conversations of one turn each, long over, and an endpoint that refuses some. Time passes by the second. */
  async function world(texts: readonly string[], refuses: (text: string) => boolean) {
    let time = 1_800_000_000_000
    let perBatch = 0
    const { database, begin, locked } = store
    const vectors = createVectorStore(database)
    const asked: (readonly string[])[] = []
    const embeddings = {
      model: 'm',
      size: 2,
      async embed(given: readonly string[]) {
        asked.push(given)
        time += perBatch
        if (given.some(refuses)) throw new Error('The embeddings endpoint answered with 400')
        return given.map(() => [1, 0])
      },
    }
    const say = (id: string, input: string) =>
      locked(id, ({ log }) => log.beginTurn({ inputSequence: 1, input, at: new Date(time) }))
    for (const [n, input] of texts.entries()) {
      const id = `c${n}`
      await begin({ id, now: new Date(time + n) })
      await say(id, input)
    }
    time += 60_000
    const logged: string[] = []
    const log = (line: string) => logged.push(line)
    const embedder = createEmbedder({ vectors, embeddings, processId: 'alive', now: () => time, log })
    return {
      asked,
      logged,
      embedder,
      say,
      /** Each batch takes so many milliseconds. */
      pass: (ms: number) => {
        perBatch = ms
      },
      async seconds(number: number) {
        for (let n = 0; n < number; n++) {
          await embedder.work().catch((error: Error) => logged.push(error.message))
          time += 1_000
        }
      },
      async embedded() {
        const filter = { projectId: 'PROJECT-1', environment: 'live' }
        const page = { limit: 99, offset: 0, asOf: new Date(time) }
        const found = await vectors.nearest(database, filter, { model: 'm', vector: [1, 0] }, page)
        return found.map(({ id }) => id).sort()
      },
      waiting: async () =>
        (
          await database.query<{ id: string }>(
            'SELECT id FROM foyer.conversation WHERE unembedded ORDER BY id',
          )
        ).map(({ id }) => id),
      /** The embedder of another process, on the same store. */
      other: (processId: string) => createEmbedder({ vectors, embeddings, processId, now: () => time, log }),
    }
  }
  const words = (number: number) => Array.from({ length: number }, (_, n) => `talk ${n}`)

  it('makes the vectors of all other texts when one is refused', async () => {
    const { seconds, embedded, asked } = await world(words(70).with(3, 'poison').with(40, 'poison'), (text) =>
      text.includes('poison'),
    )
    await seconds(1)
    expect(await embedded()).toHaveLength(68)
    expect(asked.length).toBeLessThan(40)
  })

  it('makes the vectors of earlier conversations, and logs its progress', async () => {
    const { seconds, embedded, logged, pass } = await world(words(100), () => false)
    pass(5_000)
    await seconds(1)
    expect(await embedded()).toHaveLength(99)
    expect(logged[0]).toBe('Making vectors of 100 conversations with m')
    expect(logged).toContain('Vectors of conversations: 64 of 100 are made')
    expect(logged.at(-1)).toBe('The vectors of 100 conversations are made')
    await seconds(2)
    expect(logged).toHaveLength(3)
  })

  it('logs nothing while few conversations wait', async () => {
    const { seconds, logged } = await world(words(20), () => false)
    await seconds(2)
    expect(logged).toEqual([])
  })

  it('gives up a text after some attempts, until the conversation continues', async () => {
    const { seconds, embedded, waiting, asked, logged, say } = await world(['poison', 'harmless'], (text) =>
      text.endsWith('poison '),
    )
    await seconds(30)
    expect(await waiting()).toEqual(['c0'])
    await seconds(90)
    expect([await embedded(), await waiting()]).toEqual([['c1'], []])
    expect(asked.length).toBeLessThan(20)
    expect(logged).toEqual([expect.stringContaining('400')])
    const before = asked.length
    await seconds(300)
    expect(asked).toHaveLength(before)
    await say('c0', 'something else')
    await seconds(10)
    expect(await embedded()).toEqual(['c0', 'c1'])
  })

  it('retries an endpoint that is down less and less often, at least once a minute, and gives up no text', async () => {
    let down = true
    const { seconds, embedded, asked, logged } = await world(words(3), () => down)
    await seconds(600)
    expect(asked.length).toBeLessThan(40)
    expect(logged.length).toBeGreaterThan(10)
    down = false
    await seconds(61)
    expect(await embedded()).toHaveLength(3)
    down = true
  })

  it('leaves what it has claimed to other processes while its endpoint is down', async () => {
    await recordBeat(store.database, 'other', 'build', at(0))
    let down = true
    const { embedder, other, embedded } = await world(words(3), () => down)
    await expect(embedder.work()).rejects.toThrow('400')
    down = false
    await other('other').work()
    expect(await embedded()).toHaveLength(3)
  })

  it('of two processes makes each vector once', async () => {
    await recordBeat(store.database, 'other', 'build', at(0))
    const { embedder, other, asked, embedded } = await world(words(200), () => false)
    await Promise.all([embedder.work(), other('other').work()])
    const texts = asked.flat()
    expect(texts).toHaveLength(200)
    expect(new Set(texts).size).toBe(200)
    expect(await embedded()).toHaveLength(99)
  })

  it('takes over what a dead process has claimed, not what a live one has, and the dead one saves nothing', async () => {
    await recordBeat(store.database, 'other', 'build', at(0))
    const { embedder, asked, embedded, waiting } = await world(words(2), () => false)
    const vectors = createVectorStore(store.database)
    const claim = { quietSince: at(99), now: at(99) }
    const [one] = await vectors.claimTexts('other', claim, 1)
    await vectors.claimTexts('dead', claim, 1)
    await embedder.work()
    expect([await embedded(), await waiting()]).toEqual([['c1'], ['c0']])
    await store.database.query("DELETE FROM foyer.process WHERE id = 'other'")
    await vectors.claimTexts('alive', claim, 1)
    if (one) await vectors.saveVector('other', one, 'm', [1, 0])
    expect(await embedded()).toEqual(['c1'])
    await embedder.work()
    expect(await embedded()).toEqual(['c0', 'c1'])
    expect(asked.flat()).toHaveLength(2)
  })

  it('keeps what it knows of a refused text when it starts again', async () => {
    const { seconds, other, asked, waiting } = await world(['poison'], (text) => text === 'poison ')
    await seconds(10)
    const before = asked.length
    await other('alive').work()
    expect([asked.length, await waiting()]).toEqual([before, ['c0']])
  })

  it('stops during its work', async () => {
    const { embedder, asked } = await world(words(70), () => false)
    const working = embedder.work()
    await embedder.stop()
    await working
    expect(asked.length).toBeLessThan(3)
  })
})

it('the embedder waits after a success as short for its next failure as for its first', async () => {
  let time = 0
  let isAway = true
  let asked = 0
  const store = {
    due: () => ({ sql: '', params: [] }),
    waiting: async () => 0,
    releaseTexts: async () => {},
    saveVector: async () => {},
    claimTexts: async () => (asked++ === 0 ? [{ id: 'a', text: 'a', attempts: 0 }] : []),
  }
  const embeddings = {
    model: 'm',
    size: 1,
    async embed() {
      if (isAway) throw new Error('away')
      return [[1]]
    },
  }
  const embedder = createEmbedder({
    ...{ vectors: store as never, embeddings: embeddings as never, processId: 'p' },
    now: () => time,
  })
  async function workAfter(ms: number, away: boolean) {
    time += ms
    isAway = away
    asked = 0
    await embedder.work().catch(() => {})
    return asked
  }
  for (let round = 0; round < 6; round++) await workAfter(120_000, true)
  await workAfter(120_000, false)
  await workAfter(120_000, true)
  expect(await workAfter(3_000, false)).toBeGreaterThan(0)
})
