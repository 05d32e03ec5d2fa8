// All tabs of a browser have one conversation and one socket, whoever opens, closes, sends or dies.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Message } from '../../src/chat/channel.ts'
import { customId } from '../../src/protocol/index.ts'
import { createBrowser, screenOf } from './browser.ts'
import { createService, pass } from './service.ts'

let service: ReturnType<typeof createService>
let browser: ReturnType<typeof createBrowser>

beforeEach(() => {
  vi.useFakeTimers()
  service = createService()
})
afterEach(() => {
  browser.dispose()
  vi.useRealTimers()
})

type Tab = ReturnType<typeof browser.openTab>
const open = async (count: number): Promise<Tab[]> => {
  const tabs = Array.from({ length: count }, () => browser.openTab())
  for (const { chat } of tabs) chat.open()
  await pass(1_500)
  for (const { chat } of tabs) expect(chat.status.value).toBe('live')
  return tabs
}
const owners = (tabs: Tab[]) => tabs.filter((tab) => tab.sockets().length > 0)
const copies = () => {
  const all = [...service.sessions.values()].flatMap((session) => service.stored(session))
  return Object.fromEntries(
    [...new Set(all)].map((text) => [text, all.filter((each) => each === text).length]),
  )
}

describe.each([
  ['Web Locks', true],
  ['a lease in storage', false],
])('with %s, tabs', (_, webLocks) => {
  beforeEach(() => {
    browser = createBrowser(service, { webLocks })
  })

  it('opened at once have one session and one socket', async () => {
    const tabs = await open(5)
    expect(service.sessions.size).toBe(1)
    expect(service.open()).toHaveLength(1)
    for (const { chat } of tabs) expect(screenOf(chat)).toEqual(['agent: Hello!'])
  })

  it.each([
    ['frozen', (tab: Tab) => tab.chat.suspend(), (tab: Tab) => tab.chat.wake()],
    ['offline', (tab: Tab) => tab.chat.setOnline(false), (tab: Tab) => tab.chat.setOnline(true)],
  ])(
    'take no echo without a name for their own that another one found while they were %s',
    async (_, leave, back) => {
      service.faults.bareEchoes = true
      service.faults.noIds = true
      const [a, b, c] = (await open(3)) as [Tab, Tab, Tab]
      service.ignore('ok')
      b.chat.send('ok')
      await pass(100)
      service.ignore(undefined)
      leave(b)
      await pass(50)
      service.say(service.last(), 'between')
      c.chat.send('ok')
      await pass(2_500)
      expect(c.chat.outbox.value).toEqual([])
      a.kill()
      c.kill()
      await pass(100)
      back(b)
      await pass(30_000)
      expect(copies()).toEqual({ ok: 2 })
      expect(b.chat.outbox.value).toEqual([])
    },
  )

  it('that are disposed stay away, though they are woken with a message that waits', async () => {
    const [first] = await open(1)
    service.faults.hostDown = true
    service.drop()
    first?.chat.send('one')
    first?.chat.dispose()
    first?.chat.wake()
    service.faults.hostDown = false
    await pass(2_000)
    const next = browser.openTab()
    next.chat.open()
    await pass(1_500)
    expect(next.chat.status.value).toBe('live')
    expect(next.sockets()).toHaveLength(1)
  })

  it('show what is said in any of them, and keep their own outbox until the echo', async () => {
    const tabs = await open(3)
    for (const [at, { chat }] of tabs.entries()) {
      chat.send(`from ${at}`)
      expect(tabs.filter((tab) => tab.chat.outbox.value.length > 0)).toHaveLength(1)
      await pass(100)
    }
    const expected = [
      'agent: Hello!',
      ...[0, 1, 2].flatMap((at) => [`visitor: from ${at}`, `agent: You said from ${at}`]),
    ]
    for (const { chat } of tabs) expect(screenOf(chat)).toEqual(expected)
    expect(copies()).toEqual({ 'from 0': 1, 'from 1': 1, 'from 2': 1 })
  })

  it('rate through the one that owns the socket, during the chat and after its end', async () => {
    service.faults.capabilities = { csat: true }
    const tabs = await open(2)
    const [owner] = owners(tabs)
    const guest = tabs.find((tab) => tab !== owner)
    guest?.chat.rate(3)
    await pass(100)
    const said = service.wire.filter(
      ({ direction, text }) => direction === 'out' && text.includes('CSAT_RESPONSE'),
    )
    expect(said.length).toBeGreaterThan(0)
    service.over(service.last(), 'REASON_NATURAL_END')
    await pass(100)
    guest?.chat.rate(5)
    await pass(1_000)
    expect([...service.rated.values()].at(-1)).toEqual({ score: 5 })
    expect(guest?.sockets()).toEqual([])
    expect(guest?.chat.csat.value).toEqual({ state: 'given', score: 5 })
  })

  it('see the whole conversation when they come later', async () => {
    const [first] = await open(1)
    first?.chat.send('early')
    await pass(100)
    const late = browser.openTab()
    late.chat.open()
    await pass(200)
    expect(screenOf(late.chat)).toEqual(first ? screenOf(first.chat) : [])
    expect(late.sockets()).toEqual([])
    expect(late.chat.unread.value).toBe(0)
  })

  it('outlive their owner, and one of them takes over within a second or so, with nothing lost or doubled', async () => {
    const tabs = await open(3)
    const [owner] = owners(tabs)
    const others = tabs.filter((tab) => tab !== owner)
    others[0]?.chat.send('before')
    await pass(100)
    owner?.kill()
    others[0]?.chat.send('during')
    service.say(service.last(), 'meanwhile')
    await pass(webLocks ? 1_000 : 2_500)
    expect(owners(others)).toHaveLength(1)
    await pass(3_000)
    for (const { chat } of others) {
      expect(chat.status.value).toBe('live')
      expect(screenOf(chat)).toEqual(screenOf((others[0] as Tab).chat))
      expect(screenOf(chat)).toContain('agent: meanwhile')
    }
    expect(copies()).toEqual({ before: 1, during: 1 })
    expect(service.sessions.size).toBe(1)
  })

  it('send a message once though its owner dies with it on the way', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs)
    const other = tabs.find((tab) => tab !== owner) as Tab
    service.faults.swallow = 'stored'
    other.chat.send('on its way')
    await pass(20)
    owner?.kill()
    service.faults.swallow = undefined
    await pass(6_000)
    expect(copies()).toEqual({ 'on its way': 1 })
    expect(other.chat.outbox.value).toEqual([])
  })

  it('make exactly one new session after the old one expired, whichever of them the visitor uses', async () => {
    const tabs = await open(3)
    service.over(service.last(), 'REASON_USER_ABANDONED')
    await pass(200)
    for (const { chat } of tabs) expect(chat.status.value).toBe('expired')
    tabs[2]?.chat.typed()
    tabs[1]?.chat.send('I am back')
    await pass(2_500)
    expect(service.sessions.size).toBe(2)
    expect(copies()).toEqual({ 'I am back': 1 })
    for (const { chat } of tabs.slice(1)) expect(chat.sessionId.value).toBe(service.last().id)
  })

  it.each([10, 60, 110, 160, 210, 260])(
    'make one new session though their owner crashed (%i ms after the end)',
    async (moment) => {
      const tabs = await open(3)
      const [owner] = owners(tabs)
      const others = tabs.filter((tab) => tab !== owner)
      service.over(service.last(), 'REASON_NATURAL_END')
      await pass(moment)
      owner?.kill()
      for (const [at, { chat }] of others.entries()) chat.send(`more ${at}`)
      await pass(5_000)
      expect(service.sessions.size).toBe(2)
      expect(copies()).toEqual({ 'more 0': 1, 'more 1': 1 })
      for (const { chat } of others) expect(chat.sessionId.value).toBe(service.last().id)
    },
  )

  it('do not count one that is only opened as activity', async () => {
    service.faults.sessionIdle = undefined
    const tabs = await open(2)
    await pass(300_000)
    const late = browser.openTab()
    late.chat.open()
    await pass(304_000)
    for (const { chat } of [...tabs, late]) expect(chat.status.value).toBe('expired')
  })

  it('count what is typed in any of them as activity', async () => {
    service.faults.sessionIdle = undefined
    const tabs = await open(2)
    const follower = tabs.find((tab) => tab.sockets().length === 0)
    await pass(300_000)
    follower?.chat.typed()
    await pass(310_000)
    for (const { chat } of tabs) expect(chat.status.value).toBe('live')
  })

  it('start anew together when one of them restarts', async () => {
    const tabs = await open(3)
    const follower = tabs.find((tab) => tab.sockets().length === 0)
    const old = service.last()
    follower?.chat.restart()
    await pass(3_000)
    expect(service.sessions.size).toBe(2)
    expect(old.state).toBe('ended')
    for (const { chat } of tabs) {
      expect(chat.sessionId.value).toBe(service.last().id)
      expect(screenOf(chat).slice(0, 2)).toEqual(['agent: Hello!', '--- restarted'])
    }
  })

  it('forget everything when the visitor signs out in one of them', async () => {
    const tabs = await open(3)
    service.faults.swallow = 'lost'
    tabs[1]?.chat.send('a secret')
    await pass(20)
    service.faults.swallow = undefined
    void tabs[2]?.chat.logout()
    await pass(300)
    for (const { chat, stored } of tabs) {
      expect(screenOf(chat)).toEqual([])
      expect([...stored.values()].join()).not.toContain('a secret')
    }
    expect(service.sessionStore.get('session')).toBeUndefined()
  })

  it('forget everything when a page signs out on which the chat was never opened', async () => {
    const tabs = await open(2)
    tabs[1]?.chat.send('a secret')
    await pass(20)
    const other = browser.openTab()
    void other.chat.logout()
    await pass(300)
    for (const { chat } of tabs) expect(screenOf(chat)).toEqual([])
  })

  it('forget everything once they are visible again, where nobody could tell them', async () => {
    const [tab] = await open(1)
    tab?.chat.send('a secret')
    await pass(20)
    tab?.chat.setVisible(false)
    tab?.stall(true)
    service.sessionStore.set('signed-out', 'elsewhere')
    tab?.stall(false)
    expect(screenOf((tab as NonNullable<typeof tab>).chat)).not.toEqual([])
    tab?.chat.setVisible(true)
    await pass(10)
    expect(screenOf((tab as NonNullable<typeof tab>).chat)).toEqual([])
  })

  it('that hear late that a visitor signed out join the conversation of the next one', async () => {
    const [first] = (await open(1)) as [Tab]
    const late = browser.openTab()
    void first.chat.logout()
    await pass(100)
    first.chat.send('of the next')
    await pass(1_500)
    first.chat.suspend()
    late.chat.send('also')
    await pass(3_000)
    expect(service.sessions.size).toBe(2)
    expect(screenOf(late.chat)).toContain('visitor: of the next')
    expect(copies()).toEqual({ 'of the next': 1, also: 1 })
  })

  it('call back when the visitor signed out in any of them', async () => {
    const out: string[] = []
    const tabs = [0, 1].map((at) => browser.openTab({ onSignedOut: () => out.push(`tab ${at}`) }))
    for (const { chat } of tabs) chat.open()
    await pass(1_500)
    void tabs[1]?.chat.logout()
    await pass(100)
    expect(out.sort()).toEqual(['tab 0', 'tab 1'])
  })

  it('rate an ended chat though the owner dies with the rating', async () => {
    service.faults.capabilities = { csat: true }
    const tabs = await open(2)
    const [owner] = owners(tabs)
    const guest = tabs.find((tab) => tab !== owner)
    service.over(service.last(), 'REASON_NATURAL_END')
    await pass(100)
    guest?.chat.rate(5)
    await pass(2)
    owner?.kill()
    await pass(20_000)
    expect([...service.rated.values()]).toEqual([{ score: 5 }])
    expect(guest?.chat.csat.value).toEqual({ state: 'given', score: 5 })
  })

  it('never let a token cross the channel', async () => {
    const tabs = await open(3)
    tabs[1]?.chat.send('hi')
    owners(tabs)[0]?.kill()
    await pass(3_000)
    expect(browser.channels.said.length).toBeGreaterThan(10)
    expect(browser.channels.said.join()).not.toContain('secret-token')
  })

  it('that are copies of another steal nothing of its outbox', async () => {
    const [first] = await open(1)
    service.faults.hostDown = true
    service.drop()
    await pass(100)
    first?.chat.send('mine')
    await pass(10)
    const copy = browser.openTab({}, first?.stored)
    expect(copy.chat.outbox.value).toHaveLength(1)
    copy.chat.open()
    await pass(100)
    expect(copy.chat.outbox.value).toEqual([])
    service.faults.hostDown = false
    await pass(20_000)
    expect(copies()).toEqual({ mine: 1 })
    expect(first?.chat.outbox.value).toEqual([])
  })

  it('that begin at once with one outbox, a copy and the page that it was made of, send it once', async () => {
    const [first] = (await open(1)) as [Tab]
    service.faults.hostDown = true
    service.faults.noIds = true
    service.drop()
    await pass(100)
    first.chat.send('mine')
    await pass(10)
    const [again, copy] = [browser.openTab({}, first.stored), browser.openTab({}, first.stored)]
    first.chat.dispose()
    await pass(1)
    // The copy says what it holds while the browser still gives the lock to the page.
    browser.locks.delayBy(5)
    again.chat.open()
    copy.chat.open()
    await pass(1_100)
    expect([...again.chat.outbox.value, ...copy.chat.outbox.value]).toHaveLength(1)
    service.faults.hostDown = false
    await pass(20_000)
    expect(copies()).toEqual({ mine: 1 })
  })

  it.each([
    ['keeps', 'zzz', ['mine']],
    ['gives up', '', []],
  ])(
    'that claims a message of another which claims the same %s it: one of them does',
    async (_, other, kept) => {
      const [first] = (await open(1)) as [Tab]
      service.faults.hostDown = true
      service.drop()
      await pass(100)
      const id = first.chat.send('mine')
      await pass(10)
      const { channel } = browser.channels.forTab()
      const said = channel('foyer:https://site.example.com/foyer/access-token')
      said.postMessage({ type: 'who', visible: true, outbox: [id], from: other })
      await pass(10)
      const to = JSON.parse(browser.channels.said.find((text) => text.includes('"mine"')) ?? '{}').from
      said.postMessage({ type: 'mine', to, ids: [id], from: other })
      await pass(10)
      expect(first.chat.outbox.value.map(({ text }) => text)).toEqual(kept)
    },
  )

  it('that leave and come back claim nothing that they claimed before', async () => {
    const [first] = (await open(1)) as [Tab]
    service.faults.hostDown = true
    service.drop()
    await pass(100)
    const id = first.chat.send('mine')
    await pass(10)
    const { channel } = browser.channels.forTab()
    const said = channel('foyer:https://site.example.com/foyer/access-token')
    const mine = async () => {
      const to = JSON.parse(browser.channels.said.find((text) => text.includes('"mine"')) ?? '{}').from
      said.postMessage({ type: 'mine', to, ids: [id], from: 'zzz' })
      await pass(10)
      return first.chat.outbox.value.map(({ text }) => text)
    }
    said.postMessage({ type: 'who', visible: true, outbox: [id], from: 'zzz' })
    await pass(10)
    expect(await mine()).toEqual(['mine'])
    first.chat.suspend()
    first.chat.wake()
    await pass(10)
    expect(await mine()).toEqual([])
  })

  it('try again for what is written in a tab whose owner was refused a moment ago', async () => {
    service.faults.bff = () => service.json({ error: 'no' }, 401)
    const [first, second] = [browser.openTab(), browser.openTab()]
    first.chat.open()
    await pass(1_500)
    second.chat.open()
    await pass(20)
    for (const { chat } of [first, second]) expect(chat.status.value).toBe('unavailable')
    service.faults.bff = undefined
    second.chat.send('at once')
    await pass(3_000)
    for (const { chat } of [first, second]) expect(chat.status.value).toBe('live')
    expect(copies()).toEqual({ 'at once': 1 })
  })

  it('that are copies of another send nothing again that was to be discarded on its way', async () => {
    const [first] = (await open(1)) as [Tab]
    service.faults.noIds = true
    service.faults.lateEchoes = 9_000
    const id = first.chat.send('on its way') ?? ''
    await pass(100)
    const copy = browser.openTab({}, first.stored)
    copy.chat.open()
    first.chat.discard(id)
    await pass(30_000)
    expect(copies()).toEqual({ 'on its way': 1 })
    expect([first, copy].map(({ chat }) => chat.outbox.value)).toEqual([[], []])
  })

  it('that are copies of another steal nothing, though it was frozen and has no session since', async () => {
    service.faults.bff = () => service.json({ error: 'no' }, 401)
    const first = browser.openTab()
    first.chat.open()
    first.chat.send('mine')
    await pass(1_500)
    expect(first.chat.status.value).toBe('unavailable')
    first.chat.suspend()
    await pass(100)
    first.chat.wake()
    await pass(100)
    service.faults.bff = undefined
    // Nothing else tells the service a second copy.
    service.faults.noIds = true
    service.faults.bareEchoes = true
    const copy = browser.openTab({}, first.stored)
    copy.chat.open()
    await pass(1_500)
    copy.chat.dispose()
    first.chat.typed()
    await pass(5_000)
    expect(copies()).toEqual({ mine: 1 })
    expect(first.chat.outbox.value).toEqual([])
  })

  it('leave no timer, lock or channel behind when they are left', async () => {
    const tabs = await open(3)
    for (const { chat } of tabs) chat.suspend()
    expect(service.open()).toEqual([])
    await pass(2_500)
    expect(vi.getTimerCount()).toBe(0)
    for (const { chat } of tabs) chat.wake()
    await pass(2_500)
    for (const { chat } of tabs) expect(chat.status.value).toBe('live')
    expect(service.open()).toHaveLength(1)
    for (const { chat } of tabs) chat.dispose()
    await pass(2_500)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the owner', () => {
  beforeEach(() => {
    browser = createBrowser(service)
  })

  it('hands over to a visible tab 5 s after it was hidden, and not while a message is unconfirmed', async () => {
    const tabs = await open(3)
    const [owner] = owners(tabs) as [Tab]
    const [a, b] = tabs.filter((tab) => tab !== owner) as [Tab, Tab]
    a.chat.setVisible(false)
    service.faults.swallow = 'lost'
    b.chat.send('unconfirmed')
    await pass(50)
    owner.chat.setVisible(false)
    await pass(5_500)
    expect(owners(tabs)).toEqual([owner])
    service.faults.swallow = undefined
    await pass(20_000)
    expect(owners(tabs)).toEqual([b])
    expect(copies()).toEqual({ unconfirmed: 1 })
    for (const { chat } of tabs) expect(chat.status.value).toBe('live')
  })

  it('hands over while the site is asked whether its message may be sent, which then goes out once', async () => {
    let answer = (_: boolean) => {}
    const beforeSend = () =>
      new Promise<boolean>((resolve) => {
        answer = resolve
      })
    const tabs = [browser.openTab({ beforeSend }), browser.openTab()] as [Tab, Tab]
    for (const { chat } of tabs) {
      chat.open()
      await pass(1_500)
    }
    const [owner, heir] = tabs
    expect(owners(tabs)).toEqual([owner])
    owner.chat.send('asked about')
    owner.chat.setVisible(false)
    await pass(6_000)
    expect(owner.chat.outbox.value).toMatchObject([{ state: 'held' }])
    expect(owners(tabs)).toEqual([heir])
    answer(true)
    await pass(100)
    expect(copies()).toEqual({ 'asked about': 1 })
    expect(owner.chat.outbox.value).toEqual([])
  })

  it('keeps the socket while a message of its own is unconfirmed', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    service.faults.swallow = 'lost'
    owner.chat.send('unconfirmed')
    await pass(50)
    owner.chat.setVisible(false)
    await pass(5_500)
    expect(owners(tabs)).toEqual([owner])
    service.faults.swallow = undefined
    await pass(20_000)
    expect(owners(tabs)).not.toEqual([owner])
    expect(copies()).toEqual({ unconfirmed: 1 })
  })

  it('yields to no tab that crashed, however long it is hidden', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    tabs.find((tab) => tab !== owner)?.kill()
    const before = service.sockets.length
    owner.chat.setVisible(false)
    await pass(60_000)
    expect(owners(tabs)).toEqual([owner])
    expect(service.sockets.length).toBe(before)
  })

  it('keeps the socket while nobody else is visible, or while it is visible itself', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    await pass(30_000)
    expect(owners(tabs)).toEqual([owner])
    for (const { chat } of tabs) chat.setVisible(false)
    await pass(30_000)
    expect(owners(tabs)).toEqual([owner])
  })

  it('that is lost for a while says so in all tabs, and all are back with it', async () => {
    const tabs = await open(3)
    service.faults.hostDown = true
    service.drop()
    await pass(3_000)
    for (const { chat } of tabs) expect(chat.status.value).toBe('reconnecting')
    for (const { chat } of tabs) expect(chat.notice.value).toEqual({ kind: 'reconnecting' })
    service.faults.hostDown = false
    service.say(service.last(), 'meanwhile')
    await pass(16_000)
    for (const { chat } of tabs) expect(screenOf(chat)).toEqual(['agent: Hello!', 'agent: meanwhile'])
    expect(service.open()).toHaveLength(1)
  })

  it('that cannot say whether a message of another tab arrived asks the service', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    const other = tabs.find((tab) => tab !== owner) as Tab
    service.faults.lateEchoes = 12_000
    service.faults.noIds = true
    other.chat.send('slowly')
    await pass(40_000)
    expect(copies()).toEqual({ slowly: 1 })
    expect(screenOf(other.chat)).toContain('visitor: slowly')
    expect(other.chat.outbox.value).toEqual([])
  })

  it.each([
    ['is on its way', 0],
    ['comes late', 7_000],
    ['is lost', undefined],
  ])('sends nothing twice for a tab that reloads while the echo of its message %s', async (_, echo) => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    const other = tabs.find((tab) => tab !== owner) as Tab
    service.faults.noIds = true
    service.faults.lateEchoes = echo ?? 0
    if (echo === undefined) service.faults.swallow = 'stored'
    other.chat.send('once')
    await pass(2)
    other.chat.dispose()
    const again = browser.openTab({}, other.stored)
    again.chat.open()
    await pass(100)
    service.faults.swallow = undefined
    await pass(15_000)
    expect(copies()).toEqual({ once: 1 })
    expect(again.chat.status.value).toBe('live')
    expect(screenOf(again.chat)).toEqual(screenOf(owner.chat))
    expect(screenOf(again.chat)).toContain('visitor: once')
  })

  it('asks for a replay for a tab that comes back with a message on its way over a socket of its own', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    const other = tabs.find((tab) => tab !== owner) as Tab
    service.faults.noIds = true
    owner.stall(true)
    other.chat.reconnect()
    await pass(2_300)
    expect(owners(tabs)).toContain(other)
    service.faults.swallow = 'stored'
    other.chat.send('on its way')
    await pass(20)
    service.faults.swallow = undefined
    owner.stall(false)
    await pass(5_000)
    expect(owners(tabs)).toEqual([owner])
    expect(copies()).toEqual({ 'on its way': 1 })
    expect(other.chat.outbox.value).toEqual([])
    const { length } = service.sockets
    await pass(30_000)
    expect(service.sockets).toHaveLength(length)
  })

  it('that is late for a tab that starts anew gets it back', async () => {
    const tabs = await open(3)
    const [owner] = owners(tabs) as [Tab]
    const other = tabs.find((tab) => tab !== owner) as Tab
    owner.stall(true)
    other.chat.restart()
    await pass(2_300)
    expect(owners(tabs)).toContain(other)
    owner.stall(false)
    await pass(5_000)
    expect(owners(tabs)).toEqual([owner])
    for (const { chat } of tabs) {
      expect(chat.status.value).toBe('live')
      expect(chat.sessionId.value).toBe(owner.chat.sessionId.value)
    }
  })

  it('whose conversation is over takes up the one that another tab goes on with', async () => {
    const tabs = await open(2)
    const [first] = owners(tabs) as [Tab]
    const second = tabs.find((tab) => tab !== first) as Tab
    service.over(service.last(), 'REASON_NATURAL_END')
    await pass(100)
    first.chat.send('there is more')
    await pass(1_000)
    expect(second.chat.status.value).toBe('ended')
    const { id } = service.last()
    first.chat.suspend()
    await pass(3_000)
    first.chat.wake()
    await pass(8_000)
    expect(owners(tabs)).toEqual([second])
    for (const { chat } of tabs) {
      expect(chat.status.value).toBe('live')
      expect(chat.sessionId.value).toBe(id)
      expect(screenOf(chat).filter((line) => line.startsWith('---'))).toEqual(['--- ended'])
    }
    expect(service.sessions.size).toBe(2)
  })

  it('that is offline starts anew for the tab that asks, though others hear that the old session is over', async () => {
    const tabs = await open(4)
    const [owner] = owners(tabs) as [Tab]
    const [a, b, c] = tabs.filter((tab) => tab !== owner) as [Tab, Tab, Tab]
    owner.chat.setOnline(false)
    await pass(50)
    for (const { chat } of [a, b, c]) chat.wake()
    await pass(3_000)
    a.chat.restart()
    await pass(10_000)
    expect(a.chat.status.value).toBe('live')
    expect(owner.chat.sessionId.value).toBe(a.chat.sessionId.value)
    expect(service.sessions.size).toBe(2)
  })

  it('with a dead socket proves to no tab that it outlived a sleep: what came meanwhile is shown in all', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    const other = tabs.find((tab) => tab !== owner) as Tab
    service.vanish()
    service.say(service.last(), 'at night')
    for (const { clock } of tabs) clock.sleep(900_000, 'counts')
    service.over(service.last(), 'REASON_USER_ABANDONED')
    other.chat.wake()
    await pass(30_000)
    for (const { chat } of tabs) {
      expect(chat.status.value).toBe('expired')
      expect(screenOf(chat)).toEqual(['agent: Hello!', 'agent: at night'])
    }
  })

  it('with a dead socket shows no tab what it heard as all there is', async () => {
    const [owner] = (await open(1)) as [Tab]
    await pass(2_000)
    service.vanish()
    service.say(service.last(), 'unheard')
    const late = browser.openTab()
    late.chat.open()
    await pass(500)
    expect(late.chat.status.value).toBe('connecting')
    await pass(10_000)
    for (const { chat } of [owner, late]) expect(screenOf(chat)).toEqual(['agent: Hello!', 'agent: unheard'])
  })

  it('that dies leaves its conversation to a tab that was away, though that one has a message in the session before', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    const other = tabs.find((tab) => tab !== owner) as Tab
    service.faults.swallow = 'lost'
    other.chat.send('perhaps')
    await pass(20)
    other.chat.setOnline(false)
    service.faults.swallow = undefined
    service.over(service.last(), 'REASON_USER_ABANDONED')
    await pass(100)
    owner.chat.send('later')
    await pass(1_000)
    const { id } = service.last()
    owner.kill()
    other.chat.setOnline(true)
    await pass(10_000)
    expect(other.chat.sessionId.value).toBe(id)
    expect(screenOf(other.chat)).toContain('visitor: later')
    expect(screenOf(other.chat).at(-1)).toBe('unconfirmed: perhaps')
    expect(service.sessions.size).toBe(2)
  })

  it('that dies leaves its conversation to a tab that wakes after it', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    const other = tabs.find((tab) => tab !== owner) as Tab
    other.chat.suspend()
    owner.chat.restart()
    await pass(1_000)
    const { id } = service.last()
    owner.kill()
    other.chat.wake()
    await pass(5_000)
    expect(other.chat.sessionId.value).toBe(id)
    expect(service.sessions.size).toBe(2)
  })

  it('that dies leaves its conversation to a tab that has not heard of it yet', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    const other = tabs.find((tab) => tab !== owner) as Tab
    other.stall(true)
    owner.chat.restart()
    await pass(1_000)
    const { id } = service.last()
    owner.kill()
    await pass(100)
    other.stall(false)
    await pass(5_000)
    expect(other.chat.sessionId.value).toBe(id)
    expect(other.chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(2)
  })

  it('that has no session of its own yet ends none that another tab goes on with', async () => {
    const [first, second] = (await open(2)) as [Tab, Tab]
    void first.chat.logout()
    await pass(100)
    const third = browser.openTab()
    third.chat.open()
    await pass(1_500)
    const { id } = service.last()
    service.faults.bff = () => service.json({ error: 'down' }, 502)
    first.kill()
    await pass(3_000)
    second.chat.end()
    await pass(100)
    service.faults.bff = undefined
    await pass(20_000)
    expect(third.chat.sessionId.value).toBe(id)
    expect(third.chat.status.value).toBe('live')
    expect(service.last().id).toBe(id)
  })

  it('that heard of an end from another tab alone tells the service of it, for that tab', async () => {
    const [first, second] = (await open(2)) as [Tab, Tab]
    service.faults.hostDown = true
    service.drop()
    await pass(1_500)
    first.chat.send('too late')
    first.chat.end()
    await pass(10)
    for (const { chat } of [first, second]) expect(chat.status.value).toBe('ended')
    // The other one owns the socket from here on.
    first.chat.suspend()
    await pass(1_500)
    first.chat.wake()
    await pass(1_500)
    expect(service.last().state).toBe('active')
    service.faults.hostDown = false
    await pass(40_000)
    expect(service.last().state).toBe('ended')
  })

  it.each(['REASON_NATURAL_END', 'REASON_USER_ABANDONED'])(
    'that dies leaves its conversation to a tab that wakes with a hole in the session before, once that is asked (%s)',
    async (reason) => {
      const [first, owner] = (await open(2)) as [Tab, Tab]
      const said = (text: string, told: boolean) =>
        service.publish(
          service.last(),
          { type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', payload: { message_id: text, text } },
          true,
          told,
        )
      said('lost on the way', false)
      said('behind it', true)
      first.chat.suspend()
      await pass(1_500)
      service.over(service.last(), reason)
      await pass(100)
      owner.chat.send('next')
      await pass(500)
      const { id } = service.last()
      owner.kill()
      first.chat.wake()
      await pass(5_000)
      expect(first.chat.status.value).toBe('live')
      expect(first.chat.sessionId.value).toBe(id)
      expect(screenOf(first.chat)).toEqual([
        'agent: Hello!',
        'agent: lost on the way',
        'agent: behind it',
        reason === 'REASON_NATURAL_END' ? '--- ended' : '--- expired',
        'agent: Hello!',
        'visitor: next',
        'agent: You said next',
      ])
      expect(service.sessions.size).toBe(2)
    },
  )

  it('that has gone on shows a tab that wakes what it missed of the session before', async () => {
    const [owner, other] = (await open(2)) as [Tab, Tab]
    other.chat.suspend()
    service.say(service.last(), 'while it was away')
    await pass(100)
    service.over(service.last(), 'REASON_USER_ABANDONED')
    await pass(100)
    owner.chat.send('next')
    await pass(500)
    other.chat.wake()
    await pass(2_000)
    expect(screenOf(other.chat)).toEqual(screenOf(owner.chat))
    expect(screenOf(other.chat)).toContain('agent: while it was away')
  })

  it('that is asked for an end which it is telling already knocks no more often for it', async () => {
    const [first, second] = (await open(2)) as [Tab, Tab]
    const guest = first.sockets().length > 0 ? second : first
    service.faults.hostDown = true
    service.drop()
    await pass(3_000)
    guest.chat.end()
    await pass(60_000)
    const before = service.sockets.length
    await pass(300_000)
    // Once all the short waits are over, the next one lasts for 7.5 s at least.
    expect(service.sockets.length - before).toBeLessThanOrEqual(40)
    service.faults.hostDown = false
    await pass(40_000)
    expect(service.last().state).toBe('ended')
  })

  it('lets a new tab in at once where no message is on its way', async () => {
    const [owner] = (await open(1)) as [Tab]
    owner.chat.send('before')
    await pass(100)
    const late = browser.openTab()
    late.chat.open()
    await pass(50)
    expect(screenOf(late.chat)).toEqual(screenOf(owner.chat))
  })
})

describe('what a tab sent over another socket', () => {
  beforeEach(() => {
    browser = createBrowser(service)
    // The service stores a message as often as it gets it.
    service.faults.noIds = true
    service.faults.autoReply = false
  })

  it('is sent once, though the owner was replaying already when the tab asks it', async () => {
    const tabs = await open(2)
    const [owner] = owners(tabs) as [Tab]
    const other = tabs.find((tab) => tab !== owner) as Tab
    owner.stall(true)
    other.chat.reconnect()
    await pass(2_300)
    expect(owners(tabs)).toContain(other)
    service.faults.slowLine = 1_000
    owner.chat.reconnect()
    await pass(50)
    other.chat.send('once')
    await pass(50)
    owner.stall(false)
    await pass(20_000)
    expect(copies()).toEqual({ once: 1 })
    expect(other.chat.outbox.value).toEqual([])
  })

  it('is sent once, though its owner died with the echo and one that was alone took over', async () => {
    const [first] = (await open(1)) as [Tab]
    await pass(4_000)
    first.stall(true)
    const alone = browser.openTab()
    alone.chat.open()
    await pass(9_500)
    expect(alone.sockets()).toHaveLength(1)
    alone.stall(true)
    await pass(5)
    first.stall(false)
    const other = browser.openTab()
    other.chat.open()
    await pass(300)
    expect(other.sockets()).toEqual([])
    service.faults.swallow = 'stored'
    other.chat.send('once')
    await pass(20)
    first.kill()
    await pass(20)
    service.faults.swallow = undefined
    alone.stall(false)
    await pass(20_000)
    expect(copies()).toEqual({ once: 1 })
    expect(other.chat.outbox.value).toEqual([])
  })
})

describe('a tab of an earlier build', () => {
  it('that does not say how long ago the visitor was active keeps the session no longer than that', async () => {
    browser = createBrowser(service)
    service.faults.sessionIdle = undefined
    const [tab] = (await open(1)) as [Tab]
    await pass(4_000)
    const said = browser.channels.forTab().channel('foyer:https://site.example.com/foyer/access-token')
    said.postMessage({ type: 'who', visible: true, outbox: [], from: 'earlier' } as never)
    await pass(1_500)
    said.postMessage({ type: 'active', from: 'earlier' } as never)
    await pass(10)
    // No spy: once more restored by the end of the file, it would leave the clock of this test to the next file of the process.
    const { setTimeout: faked } = globalThis
    const waits: unknown[] = []
    globalThis.setTimeout = ((run: () => void, ms?: number) => {
      waits.push(ms)
      return faked(run, ms)
    }) as typeof setTimeout
    await pass(2_000)
    globalThis.setTimeout = faked
    expect(waits.filter(Number.isNaN)).toEqual([])
    await pass(604_000)
    expect(tab.chat.status.value).toBe('expired')
  })
})

describe('a tab that takes over', () => {
  beforeEach(() => {
    browser = createBrowser(service)
  })

  it('says of a session that is lost that it is lost, whatever became of its own', async () => {
    const [first, heir, third] = (await open(3)) as [Tab, Tab, Tab]
    service.over(service.last(), 'REASON_USER_ABANDONED')
    await pass(100)
    first.chat.typed()
    await pass(500)
    third.chat.typed()
    await pass(500)
    third.chat.send('here')
    await pass(500)
    expect(heir.chat.status.value).toBe('expired')
    service.faults.noCookie = true
    first.kill()
    await pass(3_000)
    expect(owners([heir, third])).toEqual([heir])
    expect(screenOf(third.chat).filter((line) => line.startsWith('---'))).toEqual(['--- expired', '--- lost'])
  })

  it('says of a session that was left for a new one why', async () => {
    const [first, other] = (await open(2)) as [Tab, Tab]
    other.chat.setOnline(false)
    first.chat.restart()
    await pass(1_000)
    other.chat.setOnline(true)
    await pass(5_000)
    expect(screenOf(other.chat)).toContain('--- restarted')
  })
})

describe('two tabs that both say they own the socket', () => {
  it('are followed without asking them in turns for ever', async () => {
    browser = createBrowser(service)
    const name = 'foyer:https://site.example.com/foyer/access-token'
    const owner = (from: string) => {
      const channel = browser.channels.forTab().channel(name)
      const say = (message: Message) => channel.postMessage({ ...message, from })
      channel.addEventListener('message', ({ data }) => {
        const { type, to } = data as { type: string; to?: string }
        if (type === 'who' && to === undefined) say({ type: 'here', owner: true, visible: true })
      })
    }
    const [first] = (await open(1)) as [Tab]
    first.stall(true)
    owner('a')
    owner('b')
    browser.openTab().chat.open()
    await pass(500)
    expect(browser.channels.said.filter((text) => text.includes('"who"')).length).toBeLessThan(10)
  })

  it('do not both pass on what a third one says', async () => {
    browser = createBrowser(service)
    const [, guest] = (await open(2)) as [Tab, Tab]
    await pass(3_000)
    const other = browser.channels.forTab().channel('foyer:https://site.example.com/foyer/access-token')
    const heard: Record<string, unknown>[] = []
    other.addEventListener('message', ({ data }) => heard.push(data as (typeof heard)[number]))
    const say = (message: object) => other.postMessage({ ...message, from: 'other' })
    const { id: session } = service.last()
    const last = (type: string) => heard.findLast((message) => message.type === type)
    say({ type: 'here', owner: true, visible: true })
    await pass(10)
    const { from: to, call } = last('enter') ?? {}
    say({ type: 'entered', to, call, session })
    await pass(10)
    const { socket } = last('open') ?? {}
    say({ type: 'opened', to, socket, rested: 0 })
    const text = JSON.stringify({
      type: 'EVENT_TYPE_EVENT_BATCH',
      payload: { events: service.last().events },
    })
    say({ type: 'frame', to, socket, session, text })
    await pass(10)
    say({ type: 'frame', to, socket, session, text: last('say')?.text })
    await pass(10)
    guest.chat.send('said once')
    await pass(10)
    expect(last('say')?.text).toContain('said once')
    await pass(100)
    expect(copies()).toEqual({})
  })
})

describe('tabs that come at once beside one that does not answer', () => {
  it('have one conversation', async () => {
    browser = createBrowser(service)
    const [first] = (await open(1)) as [Tab]
    first.stall(true)
    service.sessionStore.remove('session')
    const tabs = [browser.openTab(), browser.openTab(), browser.openTab()]
    for (const { chat } of tabs) chat.open()
    await pass(6_000)
    for (const { chat } of tabs) expect(chat.status.value).toBe('live')
    expect(new Set(tabs.map(({ chat }) => chat.sessionId.value)).size).toBe(1)
    expect(service.sessions.size).toBe(2)
  })
})

describe('a copy of a tab', () => {
  /** A tab with a message that is not sent, beside one of which nothing is there but what it says. */
  const beside = async (from: string) => {
    browser = createBrowser(service)
    let count = 0
    service.faults.bff = () => service.json({ error: 'no' }, 401)
    const channel = browser.channels.forTab().channel('foyer:https://site.example.com/foyer/access-token')
    const said: Record<string, unknown>[] = []
    channel.addEventListener('message', ({ data }) => said.push(data as (typeof said)[number]))
    const tab = browser.openTab({ uuid: () => `m-${++count}` })
    // The lock is another's: it has to ask who is there.
    const stop = browser.openTab()
    stop.chat.open()
    await pass(50)
    stop.stall(true)
    tab.chat.open()
    const id = tab.chat.send('mine') as string
    const say = (message: Message) => channel.postMessage({ ...message, from })
    return { tab, id, say, said: (type: string) => said.filter((each) => each.type === type) }
  }
  const who = (id: string): Message => ({ type: 'who', visible: true, outbox: [id] })

  it('asks again whose its messages are where nobody answered, and of whoever owns the socket then', async () => {
    const { id, say, said } = await beside('z')
    await pass(500)
    expect(said('who')).toMatchObject([{ outbox: [id] }])
    await pass(1_000)
    expect(said('who')).toMatchObject([{ outbox: [id] }, { outbox: [id] }])
    say({ type: 'here', owner: true, visible: true })
    await pass(10)
    expect(said('who')).toHaveLength(3)
    expect(said('who').at(-1)).toMatchObject({ outbox: [id], to: 'z' })
  })

  it('that comes later leaves them to the first, whatever their ids', async () => {
    const { tab, id, say, said } = await beside('a')
    await pass(500)
    say(who(id))
    await pass(10)
    expect(tab.chat.outbox.value).toHaveLength(1)
    expect(said('mine')).toMatchObject([{ to: 'a', ids: [id] }])
  })
})

describe('a request of another tab', () => {
  const rating = (id: string) =>
    JSON.stringify({ type: 'EVENT_TYPE_CSAT_RESPONSE', payload: { score: 5 }, metadata: customId(id) })
  /** An owner that serves other tabs, and a tab of which nothing is there but what it says. */
  const served = async () => {
    browser = createBrowser(service)
    const [owner] = (await open(1)) as [Tab]
    await pass(2_000)
    const channel = browser.channels.forTab().channel('foyer:https://site.example.com/foyer/access-token')
    const heard: Record<string, unknown>[] = []
    channel.addEventListener('message', ({ data }) => heard.push(data as (typeof heard)[number]))
    return {
      owner,
      session: service.last(),
      say: (message: Message) => channel.postMessage({ ...message, from: 'guest' }),
      heard: (type: string) => heard.filter((message) => message.type === type),
    }
  }

  it('to rate, which it repeats before it is told, is met once', async () => {
    const { session, say, heard } = await served()
    service.over(session, 'REASON_NATURAL_END')
    await pass(100)
    const before = service.sockets.length
    for (let times = 0; times < 2; times++)
      say({ type: 'late', session: session.id, id: 'r', text: rating('r') })
    await pass(10_000)
    expect([...service.rated.values()]).toEqual([{ score: 5 }])
    expect(service.sockets).toHaveLength(before + 1)
    expect(heard('told')).toMatchObject([{ id: 'r' }])
  })

  it('to rate is met anew after a visitor signed out who made the owner give it up', async () => {
    const { owner, session, say, heard } = await served()
    service.over(session, 'REASON_NATURAL_END')
    await pass(100)
    service.faults.refuseSockets = true
    say({ type: 'late', session: session.id, id: 'r', text: rating('r') })
    await pass(3_000)
    void owner.chat.logout()
    await pass(100)
    service.faults.refuseSockets = false
    await pass(20_000)
    expect(heard('told')).toEqual([])
    say({ type: 'late', session: session.id, id: 'r', text: rating('r') })
    await pass(10_000)
    expect(heard('told')).toMatchObject([{ id: 'r' }])
  })

  it('that saw the session end gets it only once the service has proven that it goes on', async () => {
    const { session, say, heard } = await served()
    const enter: Message = {
      type: 'enter',
      call: 1,
      session: undefined,
      left: undefined,
      over: [session.id],
      asked: true,
    }
    say(enter)
    await pass(100)
    expect(heard('entered')).toMatchObject([{ call: 1, session: session.id }])
    await pass(2_000)
    service.vanish()
    service.over(session, 'REASON_USER_ABANDONED')
    say({ ...enter, call: 2 })
    await pass(30_000)
    expect(heard('entered').slice(1)).toMatchObject([{ call: 2, session: service.last().id }])
    expect(service.last().id).not.toBe(session.id)
  })
  describe('for a session that the owner has not heard of', () => {
    /** The owner's own session is gone, it cannot make one yet, and another tab asks for `theirs`. */
    const asked = async () => {
      const all = await served()
      const { session: own, say } = all
      service.sessionStore.remove('session')
      const other = service.page()
      other.open()
      await pass(1_000)
      const theirs = service.last()
      other.dispose()
      // A broken store has lost what the other tab wrote.
      service.sessionStore.set('session', own.id)
      own.gone = true
      service.drop()
      say({
        type: 'enter',
        call: 1,
        session: theirs.id,
        own: theirs.id,
        left: undefined,
        over: [own.id],
        asked: false,
      })
      return { ...all, theirs }
    }

    it('leads the owner there before it makes one', async () => {
      const { owner, theirs, heard } = await asked()
      await pass(30_000)
      expect(owner.chat.sessionId.value).toBe(theirs.id)
      expect(owner.chat.status.value).toBe('live')
      expect(heard('entered')).toMatchObject([{ call: 1, session: theirs.id }])
    })

    it('leads nobody there who asks for a new chat, also where the network fails once', async () => {
      const { owner, theirs } = await asked()
      await pass(1)
      service.faults.bff = () => service.json({}, 503)
      owner.chat.restart()
      await pass(100)
      service.faults.bff = undefined
      await pass(30_000)
      expect(owner.chat.status.value).toBe('live')
      expect(owner.chat.sessionId.value).not.toBe(theirs.id)
    })

    it('leads nobody there who comes after a sign-out', async () => {
      const { owner, theirs } = await asked()
      await pass(1)
      void owner.chat.logout()
      await pass(100)
      owner.chat.send('I am another person')
      await pass(30_000)
      expect(owner.chat.status.value).toBe('live')
      expect(owner.chat.sessionId.value).not.toBe(theirs.id)
    })
  })
})

describe('a lease', () => {
  it('is lost by a tab whose timers are held back, which follows once it runs again', async () => {
    browser = createBrowser(service, { webLocks: false })
    const tabs = await open(3)
    const [owner] = owners(tabs) as [Tab]
    owner.stall(true)
    await pass(3_000)
    expect(owners(tabs).length).toBe(2)
    tabs.find((tab) => tab !== owner)?.chat.send('meanwhile')
    await pass(500)
    owner.stall(false)
    await pass(3_000)
    expect(owners(tabs).length).toBe(1)
    expect(owner.sockets()).toEqual([])
    for (const { chat } of tabs) expect(screenOf(chat)).toContain('visitor: meanwhile')
    expect(copies()).toEqual({ meanwhile: 1 })
  })
})

describe('tabs that come, go, hide, die and lose the network at random', () => {
  /** Numbers from 0 up to 1, the same for the same seed. */
  const chance = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }

  it.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
    'end with one of everything (seed %i)',
    async (seed) => {
      const random = chance(seed * 7_919)
      browser = createBrowser(service, { webLocks: seed % 4 !== 0 })
      const tabs = [browser.openTab(), browser.openTab()]
      const texts: string[] = []
      for (const { chat } of tabs) chat.open()
      for (let step = 0; step < 40; step++) {
        const at = Math.floor(random() * tabs.length)
        const tab = tabs[at] as Tab
        const what = random()
        if (what < 0.3) {
          const text = `message ${step}`
          if (tab.chat.send(text) !== undefined) texts.push(text)
        } else if (what < 0.4 && tabs.length < 5) {
          const more = browser.openTab()
          more.chat.open()
          tabs.push(more)
        } else if (what < 0.5 && tabs.length > 1) {
          tabs.splice(at, 1)
          if (random() < 0.5) tab.kill()
          else tab.chat.dispose()
          // What only that tab knew of went with it.
          for (const item of tab.chat.outbox.peek()) texts.splice(texts.indexOf(item.text), 1)
        } else if (what < 0.65) tab.chat.setVisible(random() < 0.5)
        else if (what < 0.75) service.drop()
        else if (what < 0.8) service.faults.hostDown = !service.faults.hostDown
        else if (what < 0.85) {
          tab.chat.suspend()
          await pass(random() * 2_000)
          tab.chat.wake()
        } else if (service.sessions.size > 0) service.say(service.last(), `news ${step}`)
        await pass(random() * 1_500)
      }
      service.faults.hostDown = false
      for (const { chat } of tabs) chat.setVisible(true)
      await pass(60_000)
      const stored = Object.entries(copies())
      expect(stored.filter(([, count]) => Number(count) > 1)).toEqual([])
      const shown = screenOf((tabs[0] as Tab).chat)
      for (const { chat } of tabs) {
        expect(chat.status.value).toBe('live')
        expect(screenOf(chat).filter((line) => !line.startsWith('failed'))).toEqual(
          shown.filter((line) => !line.startsWith('failed')),
        )
      }
      const failed = tabs.flatMap(({ chat }) => chat.outbox.value.map((item) => item.text))
      for (const text of texts)
        expect(stored.some(([each]) => each === text) || failed.includes(text)).toBe(true)
      expect(service.open()).toHaveLength(1)
    },
  )
})

describe('what the visitor does in one tab', () => {
  beforeEach(() => {
    browser = createBrowser(service)
  })

  it('keeps the session for all', async () => {
    const tabs = await open(2)
    for (let minute = 0; minute < 25; minute++) {
      await pass(60_000)
      tabs[minute % 2]?.chat.typed()
    }
    for (const { chat } of tabs) expect(chat.status.value).toBe('live')
  })

  it('is told to nobody while there is no other tab', async () => {
    const [alone] = await open(1)
    alone?.chat.setShown(true)
    // The code for several tabs comes in the end, also where there are none.
    await pass(10_000)
    const before = browser.channels.said.length
    service.say(service.last(), 'seen')
    await pass(50)
    expect(browser.channels.said.slice(before)).toEqual([])
    const late = await browser.openTab()
    late.chat.open()
    await pass(1_000)
    service.say(service.last(), 'seen there')
    await pass(50)
    expect(browser.channels.said.join()).toContain('"read"')
    expect(late.chat.unread.value).toBe(0)
  })

  it('counts as read for all', async () => {
    const tabs = await open(2)
    service.say(service.last(), 'news')
    await pass(50)
    expect(tabs.map(({ chat }) => chat.unread.value)).toEqual([2, 2])
    tabs[1]?.chat.setShown(true)
    await pass(50)
    expect(tabs.map(({ chat }) => chat.unread.value)).toEqual([0, 0])
    service.say(service.last(), 'seen there')
    await pass(50)
    expect(tabs.map(({ chat }) => chat.unread.value)).toEqual([0, 0])
  })
})
