// 200 visitors of a service that goes away for all of them at once: they come back spread. session/table.test.ts has the lengths of the outage.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Chat, memoryStore } from '../../src/chat/index.ts'
import { chance } from '../model/run.ts'
import { createService, pass } from './service.ts'

const CLIENTS = 200

let service: ReturnType<typeof createService>
let pages: Chat[]

beforeEach(async () => {
  vi.useFakeTimers()
  service = createService()
  pages = Array.from({ length: CLIENTS }, (_, index) =>
    service.page({ sessionStore: memoryStore(), outboxStore: memoryStore(), random: chance(index + 1) }),
  )
  for (const page of pages) page.open()
  // Long enough for a steady connection.
  await pass(6_000)
  expect(live()).toBe(CLIENTS)
})
afterEach(() => {
  for (const page of pages) page.dispose()
  vi.useRealTimers()
})

const live = () => pages.filter(({ status }) => status.value === 'live').length

it('a service that leaves all its clients for 4 s has at most a quarter of them back in any second, and soon all', async () => {
  service.faults.hostDown = true
  service.drop(1001)
  await pass(4_000)
  service.faults.hostDown = false
  const back: number[] = []
  for (let before = live(); back.length < 10; before = live()) {
    await pass(1_000)
    back.push(live() - before)
  }
  expect(back.reduce((sum, count) => sum + count, 0)).toBe(CLIENTS)
  expect(Math.max(...back)).toBeLessThanOrEqual(CLIENTS / 4)
})

it('a visitor who acts after that is back within a second, whoever else waits', async () => {
  service.faults.hostDown = true
  service.drop(1001)
  await pass(4_000)
  service.faults.hostDown = false
  const [page] = pages.filter(({ status }) => status.value !== 'live')
  page?.send('now')
  await pass(1_100)
  expect(page?.status.value).toBe('live')
})
