// A sign-out in one tab, and a tab that stood still meanwhile, in a browser whose store takes nothing.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { KeyValue } from '../../src/chat/index.ts'
import { createBrowser, screenOf } from './browser.ts'
import { createService, pass } from './service.ts'

const DENIED: KeyValue = { get: () => undefined, set: () => {}, remove: () => {} }

let service: ReturnType<typeof createService>
let browser: ReturnType<typeof createBrowser>

beforeEach(() => {
  vi.useFakeTimers()
  service = createService()
  browser = createBrowser(service)
})
afterEach(() => {
  browser.dispose()
  vi.useRealTimers()
})

async function opened() {
  const tab = browser.openTab({ sessionStore: DENIED })
  tab.chat.open()
  await pass(1_000)
  return tab
}

it('a sign-out is heard at once by a tab that is open beside it', async () => {
  const [one, other] = [await opened(), await opened()]
  other.chat.send('hers alone')
  await pass(100)
  void one.chat.logout()
  await pass(100)
  expect(screenOf(other.chat)).toEqual([])
})

it('a sign-out is heard by a tab that was suspended meanwhile, as it is back', async () => {
  const [one, other] = [await opened(), await opened()]
  other.chat.send('hers alone')
  await pass(100)
  service.faults.hostDown = true
  service.drop()
  other.chat.send('not sent yet')
  other.chat.suspend()
  void one.chat.logout()
  await pass(60_000)
  service.faults.hostDown = false
  expect(screenOf(other.chat).join()).toContain('hers alone')
  other.chat.wake()
  await pass(5_000)
  expect(screenOf(other.chat)).toEqual([])
  expect([...service.sessions.values()].flatMap(service.stored)).toEqual(['hers alone'])
})

it('a sign-out costs the next visitor nothing, whose tab hears of it as the suspended one is back', async () => {
  const [one, other] = [await opened(), await opened()]
  other.chat.suspend()
  void one.chat.logout()
  await pass(60_000)
  const next = await opened()
  next.chat.send('of the next one')
  await pass(1_000)
  const before = screenOf(next.chat)
  expect(before).toContain('visitor: of the next one')
  other.chat.wake()
  await pass(5_000)
  expect(screenOf(next.chat)).toEqual(before)
  expect(next.chat.status.value).toBe('live')
})
