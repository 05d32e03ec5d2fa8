// Tabs that get no socket: with the engine of each, the lock and the channel between them, and a service that turns new sockets away.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBrowser, screenOf } from '../browser.ts'
import { createService, pass } from '../service.ts'

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

async function live(count: number) {
  const tabs = Array.from({ length: count }, () => browser.openTab())
  for (const { chat } of tabs) {
    chat.open()
    await pass(1_000)
    expect(chat.status.value).toBe('live')
  }
  expect(service.sessions.size).toBe(1)
  return tabs
}
type Tab = ReturnType<typeof browser.openTab>
const cut = (tab: Tab | undefined) => {
  for (const socket of tab?.sockets() ?? []) socket.end(1006)
}

describe.each(['truthful', 'none'] as const)('where the service tells how a session stands: %s', (status) => {
  beforeEach(() => {
    service.faults.status = status
  })

  it('a tab that is refused tries on while another one is live in its session', async () => {
    const [, tab] = await live(2)
    service.faults.refuseSockets = true
    cut(tab)
    await pass(40_000)
    expect(tab?.chat.status.value).toBe('reconnecting')
    service.faults.refuseSockets = false
    await pass(15_000)
    expect(tab?.chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
  })

  it('after a minute it says so, makes no other session, and is back half a minute after there is a socket again', async () => {
    const [first, tab] = await live(2)
    service.faults.refuseSockets = true
    cut(tab)
    tab?.chat.send('late')
    await pass(120_000)
    expect(tab?.chat.status.value).toBe('unavailable')
    service.faults.refuseSockets = false
    await pass(31_000)
    expect([tab, first].map((each) => each?.chat.status.value)).toEqual(['live', 'live'])
    expect(service.sessions.size).toBe(1)
    expect(service.stored(service.last())).toEqual(['late'])
  })

  it('an eleventh tab says so after three refusals, since the others have all sockets, and tries again for its visitor', async () => {
    const [first] = await live(10)
    service.faults.refuseSockets = true
    const { chat } = browser.openTab()
    chat.open()
    await pass(10_000)
    expect(chat.status.value).toBe('unavailable')
    first?.chat.dispose()
    service.faults.refuseSockets = false
    chat.open()
    await pass(1_000)
    expect(chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
  })
})

describe('a tab whose token is lost while another one is live', () => {
  it('makes no other session by itself, and one for a visitor who tries again', async () => {
    await live(1)
    service.faults.noCookie = true
    const { chat } = browser.openTab()
    chat.open()
    await pass(10_000)
    expect(chat.status.value).toBe('unavailable')
    expect(service.sessions.size).toBe(1)
    chat.open()
    await pass(1_000)
    expect(chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(2)
  })
})

it('a tab that can read no store asks the others, and joins the session of one that is live', async () => {
  await live(1)
  const { chat } = browser.openTab({ sessionStore: { get: () => undefined, set() {}, remove() {} } })
  chat.open()
  await pass(2_000)
  expect(chat.status.value).toBe('live')
  expect(service.sessions.size).toBe(1)
})

describe('a tab that was never visible', () => {
  function background() {
    const tab = browser.openTab()
    tab.chat.setVisible(false)
    tab.chat.open()
    return tab
  }
  it('opens no socket while another tab is live, and does so as soon as it is seen', async () => {
    await live(1)
    const tab = background()
    await pass(60_000)
    expect(tab.sockets()).toHaveLength(0)
    tab.chat.setVisible(true)
    await pass(1_000)
    expect(tab.chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
  })
  it('has its socket where it is the only one', async () => {
    const tab = background()
    await pass(1_000)
    expect(tab.chat.status.value).toBe('live')
  })
  it('has one where something is to be sent from it', async () => {
    await live(1)
    const tab = background()
    tab.chat.send('from behind')
    await pass(2_000)
    expect(service.stored(service.last())).toEqual(['from behind'])
  })
  it('keeps its socket when it is hidden again, however long', async () => {
    const [, tab] = await live(2)
    tab?.chat.setVisible(false)
    await pass(500_000)
    expect(tab?.sockets()).toHaveLength(1)
  })
})

it('tabs whose session is refused for long ask for another one after the other: one is made, in which all go on', async () => {
  service.faults.status = 'none'
  const tabs = await live(3)
  service.last().gone = true
  service.drop()
  await pass(180_000)
  expect(service.sessions.size).toBe(2)
  for (const { chat } of tabs) expect(chat.sessionId.value).toBe(service.last().id)
  tabs[0]?.chat.send('Is it you?')
  await pass(1_000)
  for (const { chat } of tabs) expect(screenOf(chat)).toContain('visitor: Is it you?')
})

it('a background tab that is looked at while it asks who is live connects', async () => {
  await live(1)
  const tab = browser.openTab()
  tab.chat.setVisible(false)
  tab.chat.open()
  await pass(100)
  tab.chat.setVisible(true)
  await pass(60_000)
  expect(tab.chat.status.value).toBe('live')
})

it('a tab that is seen asks no other tab before it connects, since that takes 300 ms', async () => {
  await live(1)
  const tab = browser.openTab()
  tab.chat.open()
  await pass(290)
  expect(tab.sockets()).toHaveLength(1)
})
