// The simulated carrier as somebody's first test has it: with no options.

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import { createSimulatedCarrier, type SimulatedCarrier } from '../../src/carriers/index.ts'
import { createWorld, NUMBER } from './world.ts'

const PHONE = '+15005550100'
const JSON_TYPE = { 'content-type': 'application/json' }
let carrier: SimulatedCarrier
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  carrier = createSimulatedCarrier()
  world = await createWorld({ carrier })
})
afterAll(() => world.close())

it('without options a text reaches the phone, and the reply of its owner is answered', async () => {
  const headers = { ...JSON_TYPE, 'x-svc-auth-token': 'all-key', 'x-token-id': 'CON-test0001' }
  const body = { user_number: PHONE, message: 'Hello' }
  expect((await world.post('/v1/outbound-sms', headers, JSON.stringify(body))).status).toBe(202)
  const texts = () => carrier.screen(PHONE).map(({ direction, text }) => [direction, text])
  await vi.waitFor(() => expect(texts()).toEqual([['in', 'Hello']]))
  await carrier.write(PHONE, NUMBER, { text: 'hi' })
  await vi.waitFor(() =>
    expect(texts()).toEqual([
      ['in', 'Hello'],
      ['out', 'hi'],
      ['in', expect.stringMatching(/^You said hi/)],
    ]),
  )
  const ids = carrier.screen(PHONE).map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
})

it('without options a call is answered and ends', async () => {
  const headers = { ...JSON_TYPE, 'x-svc-auth-token': 'calling-token' }
  const response = await world.post('/v1/outbound-calling', headers, JSON.stringify({ to_number: PHONE }))
  const { call_sid } = (await response.json()) as { call_sid: string }
  const status = async () =>
    (await (await world.get(`/v1/outbound-calling/${call_sid}/status`, headers)).json()) as object
  await vi.waitFor(async () => expect(await status()).toMatchObject({ status: 'success' }))
})

it('a landline takes calls and refuses texts', async () => {
  const headers = { ...JSON_TYPE, 'x-svc-auth-token': 'all-key', 'x-token-id': 'CON-test0001' }
  const body = { user_number: '+15005550015', message: 'Hello' }
  expect((await world.post('/v1/outbound-sms', headers, JSON.stringify(body))).status).toBe(202)
  const metrics = async () => {
    const response = await world.get('/v3/larkspur/shop/conversations?client_env=sandbox&channel=sms')
    const { conversations } = (await response.json()) as ConversationPage
    return conversations.find(({ from_number }) => from_number === '+15005550015')?.metrics
  }
  await vi.waitFor(async () =>
    expect(await metrics()).toEqual({ undelivered: 'The number is a landline: it gets no texts.' }),
  )
  expect(carrier.screen('+15005550015')).toEqual([])
  expect(carrier.deviceOf('+15005550015')).toMatchObject({ landline: true, answers: 'talks' })
})
