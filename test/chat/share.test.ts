// A tab that finds the lock free owns the conversation before the code is here that serves other tabs.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Message } from '../../src/chat/channel.ts'
import { type Locks, shareTabs } from '../../src/chat/index.ts'
import type { Heard } from '../../src/chat/share.ts'
import { createTabs as realTabs } from '../../src/chat/tabs.ts'
import { readFrame } from '../../src/protocol/index.ts'
import { createBrowser, createLocks, screenOf } from './browser.ts'
import { createService, pass } from './service.ts'

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

/** What serves other tabs, fetched by hand: each request waits until it is answered or fails. */
function createFetch() {
  const waiting: { answer(): void; fail(): void }[] = []
  let asked = 0
  let given: readonly Heard[] = []
  const createTabs: typeof realTabs = (seat, options, heard) => {
    given = heard
    return realTabs(seat, options, heard)
  }
  return {
    /** What the tab had kept for the code. */
    given: () => given,
    fetch: () =>
      new Promise<{ createTabs: typeof realTabs }>((resolve, reject) => {
        asked++
        waiting.push({
          answer: () => resolve({ createTabs }),
          fail: () => reject(new TypeError('no network')),
        })
      }),
    asked: () => asked,
    /** Answers all requests of now. */
    async answer() {
      for (const each of waiting.splice(0)) each.answer()
      await pass(1)
    },
    async fail() {
      for (const each of waiting.splice(0)) each.fail()
      await pass(1)
    },
  }
}
const openTab = (code: ReturnType<typeof createFetch>) => {
  const tab = browser.openTab({}, undefined, code.fetch)
  tab.chat.open()
  return tab
}

describe('the first tab of a browser', () => {
  it('is live, sends and is answered before the code is asked for', async () => {
    const code = createFetch()
    const tab = openTab(code)
    await pass(100)
    expect(tab.chat.status.value).toBe('live')
    tab.chat.send('hi')
    await pass(100)
    expect(screenOf(tab.chat)).toEqual(['agent: Hello!', 'visitor: hi', 'agent: You said hi'])
    expect(code.asked()).toBe(0)
    await pass(3_000)
    expect(code.asked()).toBe(1)
  })

  it('hands a tab that comes later all that was said, though its own code arrives last', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    first.chat.send('before the code')
    await pass(100)
    const later = browser.openTab()
    later.chat.open()
    await pass(5_000)
    // It was told to wait, and opened no socket of its own.
    expect(later.chat.status.value).toBe('connecting')
    expect(service.open()).toHaveLength(1)
    await code.answer()
    await pass(100)
    expect(screenOf(later.chat)).toEqual(screenOf(first.chat))
    expect(screenOf(later.chat)).toContain('visitor: before the code')
    expect(service.open()).toHaveLength(1)
    expect(service.sessions.size).toBe(1)
    later.chat.send('through the first')
    await pass(100)
    expect(screenOf(first.chat)).toContain('visitor: through the first')
  })

  it('leaves alone what is for another tab, and answers what is for all or for itself', async () => {
    const code = createFetch()
    openTab(code)
    await pass(100)
    const said = browser.channels.forTab().channel('foyer:https://site.example.com/foyer/access-token')
    const heard: Message[] = []
    said.addEventListener('message', ({ data }) => heard.push(data as Message))
    const who = (to?: string) => said.postMessage({ type: 'who', to, visible: true, outbox: [], from: 'z' })
    who('another')
    await pass(10)
    expect([heard, code.asked()]).toEqual([[], 0])
    who()
    await pass(10)
    expect(heard).toMatchObject([{ type: 'here', owner: true }])
    who((heard[0] as { from?: string }).from)
    await pass(10)
    expect(heard).toHaveLength(2)
  })

  it('asks for the code once more where the first request fails', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(3_100)
    await code.fail()
    await pass(1_000)
    expect(code.asked()).toBe(2)
    const later = browser.openTab()
    later.chat.open()
    await pass(100)
    await code.answer()
    await pass(100)
    expect(service.open()).toHaveLength(1)
    expect(screenOf(later.chat)).toEqual(screenOf(first.chat))
  })

  it('keeps its conversation where the code never arrives, and lets another tab own the lock', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    const later = browser.openTab()
    later.chat.open()
    await pass(100)
    await code.fail()
    await pass(1_000)
    await code.fail()
    await pass(5_000)
    for (const { chat } of [first, later]) {
      expect(chat.status.value).toBe('live')
      chat.send(`from ${chat === first.chat ? 'first' : 'later'}`)
    }
    await pass(1_000)
    expect(service.sessions.size).toBe(1)
    for (const { chat } of [first, later]) {
      expect(screenOf(chat)).toContain('visitor: from first')
      expect(screenOf(chat)).toContain('visitor: from later')
    }
    // The next connection tries again.
    service.drop()
    await pass(20_000)
    await code.answer()
    service.drop()
    await pass(20_000)
    expect(service.open()).toHaveLength(1)
    // What it heard on its own socket is there for a tab that comes after all that.
    later.kill()
    await pass(5_000)
    const third = browser.openTab()
    third.chat.open()
    await pass(1_000)
    expect(third.sockets()).toEqual([])
    expect(screenOf(third.chat)).toEqual(screenOf(first.chat))
    expect(screenOf(third.chat)).toContain('visitor: from first')
  })

  it('shows a tab that comes later all that was said, though it was left in between and the code came only then', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    for (const text of ['one', 'two']) {
      first.chat.send(text)
      await pass(100)
    }
    first.chat.suspend()
    await pass(500)
    first.chat.wake()
    await pass(100)
    const later = browser.openTab()
    later.chat.open()
    await pass(100)
    await code.answer()
    await pass(1_000)
    expect(screenOf(later.chat)).toEqual(screenOf(first.chat))
    expect(screenOf(later.chat)).toContain('visitor: one')
    expect(later.sockets()).toEqual([])
  })

  it('goes on at once where the code arrives while it asks for the lock again', async () => {
    const code = createFetch()
    const queue = createLocks()
    const openSlow = (fetch: typeof code.fetch) => {
      const { locks } = queue.forTab()
      const slow: Locks = {
        request: (name, options, held) =>
          new Promise((go) => setTimeout(go, 20)).then(() => locks.request(name, options, held)),
      }
      const { channel } = browser.channels.forTab()
      const tab = browser.openTab({ tabs: shareTabs({ channel, locks: slow }, fetch) })
      tab.chat.open()
      return tab
    }
    const first = openSlow(code.fetch)
    await pass(3_100)
    first.chat.suspend()
    await pass(100)
    first.chat.wake()
    await pass(5)
    await code.answer()
    await pass(200)
    expect(first.chat.status.value).toBe('live')
    const later = openSlow(async () => ({ createTabs: realTabs }))
    await pass(200)
    expect(screenOf(later.chat)).toEqual(screenOf(first.chat))
    expect(service.open()).toHaveLength(1)
  })

  it('shows a tab that comes later what was said before it started anew', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    const away = browser.openTab()
    first.chat.send('one')
    await pass(100)
    expect(away.chat.status.value).toBe('idle')
    first.chat.restart()
    await pass(500)
    first.chat.send('two')
    await pass(100)
    const later = browser.openTab()
    later.chat.open()
    await pass(100)
    await code.answer()
    await pass(200)
    expect(screenOf(later.chat)).toEqual(screenOf(first.chat).slice(-3))
  })

  it('keeps each event once for a tab that comes later, however often it connects before the code is here', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    first.chat.send('one')
    await pass(100)
    for (let times = 0; times < 3; times++) {
      await code.fail()
      service.drop()
      await pass(20_000)
    }
    expect(code.asked()).toBeGreaterThan(2)
    const later = browser.openTab()
    later.chat.open()
    await pass(100)
    await code.answer()
    await pass(1_000)
    expect(screenOf(later.chat)).toEqual(screenOf(first.chat))
    const ids = code.given().flatMap(({ text }) => readFrame(text).map(({ id }) => id))
    expect(ids).not.toEqual([])
    expect([...new Set(ids)]).toEqual(ids)
  })

  it('forgets what it kept when the visitor signs out before the code is here', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    first.chat.send('a secret')
    await pass(100)
    void first.chat.logout()
    await pass(100)
    first.chat.send('of the next')
    await pass(100)
    const later = browser.openTab()
    later.chat.open()
    await pass(100)
    await code.answer()
    await pass(200)
    expect(code.given().length).toBeGreaterThan(0)
    expect(JSON.stringify(code.given())).not.toContain('a secret')
    expect(browser.channels.said.join()).not.toContain('a secret')
  })

  it('signs out when another tab did, though the code arrives later', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    first.chat.send('a secret')
    await pass(100)
    void browser.openTab().chat.logout()
    await pass(100)
    await code.answer()
    expect(screenOf(first.chat)).toEqual([])
  })

  it('signs out when another tab did, though the code never arrives', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    first.chat.send('a secret')
    await pass(100)
    void browser.openTab().chat.logout()
    await pass(100)
    expect(screenOf(first.chat)).toEqual([])
  })

  it('gives lock and channel back when it is left before the code is here', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    first.chat.suspend()
    await pass(10)
    expect(vi.getTimerCount()).toBe(0)
    const other = openTab(createFetch())
    await pass(200)
    expect(other.chat.status.value).toBe('live')
  })

  it('lets another tab own the conversation where its code does not come in time', async () => {
    const code = createFetch()
    const first = openTab(code)
    await pass(100)
    const later = browser.openTab()
    later.chat.open()
    await pass(7_000)
    expect(later.chat.status.value).toBe('connecting')
    await pass(4_000)
    expect(later.chat.status.value).toBe('live')
    expect(first.chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
    await code.answer()
    service.drop()
    await pass(20_000)
    expect(service.open()).toHaveLength(1)
    expect(screenOf(first.chat)).toEqual(screenOf(later.chat))
  })
})

describe('a later tab', () => {
  it('has a socket of its own where its code takes too long, and follows at the next connection', async () => {
    const first = browser.openTab()
    first.chat.open()
    await pass(100)
    const code = createFetch()
    const later = openTab(code)
    await pass(7_900)
    expect(later.chat.status.value).toBe('connecting')
    await pass(500)
    expect(later.chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
    await code.answer()
    service.drop()
    await pass(20_000)
    expect(service.open()).toHaveLength(1)
    expect(screenOf(later.chat)).toEqual(screenOf(first.chat))
  })

  it('takes the lock at its next connection where the first tab is gone and its code still takes too long', async () => {
    const first = browser.openTab()
    first.chat.open()
    await pass(100)
    const code = createFetch()
    const later = openTab(code)
    await pass(9_000)
    expect(later.chat.status.value).toBe('live')
    first.kill()
    service.drop()
    await pass(5_000)
    expect(later.chat.status.value).toBe('live')
    const third = browser.openTab()
    third.chat.open()
    await pass(100)
    await code.answer()
    await pass(1_000)
    expect(service.open()).toHaveLength(1)
    expect(third.sockets()).toEqual([])
    expect(screenOf(third.chat)).toEqual(screenOf(later.chat))
  })

  it('has a socket of its own where its code fails twice', async () => {
    const first = browser.openTab()
    first.chat.open()
    await pass(100)
    const code = createFetch()
    const later = openTab(code)
    await pass(10)
    await code.fail()
    await pass(1_000)
    await code.fail()
    await pass(500)
    expect(code.asked()).toBe(2)
    expect(later.chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
  })
})
