import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { endpointEmbeddings } from '../../src/runtime/embeddings/endpoint.ts'
import { offlineEmbeddings } from '../../src/runtime/embeddings/offline.ts'

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

it('asks in the widespread form, and learns the size of a vector', async () => {
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

it('puts the vectors in the order of the texts', async () => {
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
  ['something else', { body: '{"data":[]}' }, 'something else'],
  ['no JSON', { body: '<html>' }, ''],
])('is refused where the endpoint answers with %s, and the key is not told', async (_, answer, text) => {
  const { url } = await endpoint(() => answer)
  const error = await endpointEmbeddings({ url, model: 'small', key: 'secret-canary' }).then(
    () => undefined,
    (reason: Error) => reason,
  )
  expect(error?.message).toContain(text)
  expect(`${error?.message} ${error?.stack}`).not.toContain('secret-canary')
})

it('offline, likens texts by their words, in any form', async () => {
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
