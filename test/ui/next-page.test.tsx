// The next page of a site: the same conversation in a new panel, by the real chat and panel. What is state is there again, what was news is
// not told twice, and what the visitor chose stays chosen.

import { within } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Chat, ChatOptions, KeyValue } from '../../src/chat/index.ts'
import { mountPanel, type PanelSettings } from '../../src/ui/index.ts'
import { createBrowser } from '../chat/browser.ts'
import { createService, pass } from '../chat/service.ts'

let service: ReturnType<typeof createService>
/** The store of the origin, which the pages of the site share. */
let store: KeyValue
const pages = new Set<{ leave(): void }>()

beforeEach(() => {
  vi.useFakeTimers()
  service = createService()
  store = service.sessionStore
})
afterEach(() => {
  for (const page of pages) page.leave()
  vi.useRealTimers()
})

/** Opens a page of the site, whose panel is shown or not. */
async function openPage({ shown = true, settings = {}, chat: options = {} }: Opened = {}) {
  const told: string[] = []
  const read: string[] = []
  const chat = service.page(options)
  for (const type of ['handoff', 'language', 'unread', 'error'] as const)
    chat.on(type, (detail) =>
      told.push([type, ...Object.values(detail)].filter((each) => each !== undefined).join(' ')),
    )
  const container = document.body.appendChild(document.createElement('div'))
  const panel = mountPanel({ root: document, container, chat, store, onClose() {}, ...settings })
  chat.setShown(shown)
  chat.open()
  const region = within(container).getAllByRole('status').at(-1) as HTMLElement
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) read.push(node.textContent ?? '')
  })
  observer.observe(region, { childList: true, subtree: true })
  const page = {
    chat,
    panel,
    told,
    /** What a screen reader was given to read. */
    read,
    screen: within(container),
    leave() {
      observer.disconnect()
      chat.dispose()
      panel.dispose()
      container.remove()
      pages.delete(page)
    },
  }
  pages.add(page)
  await pass(100)
  await vi.waitFor(() => expect(chat.status.value).toBe('live'))
  return page
}
type Opened = { shown?: boolean; settings?: PanelSettings; chat?: Partial<ChatOptions> }

/** The service says something in the session that was made last. */
const happens = (type: string, payload: Record<string, unknown>) =>
  service.publish(service.last(), { type, payload })

const transcript = (chat: Chat) =>
  chat.transcript.value.map((entry) =>
    entry.kind === 'message' ? entry.content.value.pieces.join('') : entry.kind,
  )

describe('an order to the page', () => {
  const ORDER = ['EVENT_TYPE_CLIENT_HANDOFF_REQUIRED', { reason: 'sales', route: '/sales' }] as const

  it('is given once, not by each page that replays it: a site that routes by it would go in circles', async () => {
    const first = await openPage()
    happens(...ORDER)
    await pass(100)
    expect(first.told).toEqual(['handoff client sales /sales'])
    first.leave()
    const next = await openPage()
    expect(next.chat.handoff.value).toEqual({ state: 'client', reason: 'sales', route: '/sales' })
    expect(next.told).toEqual([])
  })

  it('that a lost connection held back is given once there is another', async () => {
    const { told, chat } = await openPage()
    service.faults.refuseSockets = true
    service.drop()
    happens(...ORDER)
    await pass(2_000)
    expect(told).toEqual([])
    service.faults.refuseSockets = false
    await pass(60_000)
    expect(chat.status.value).toBe('live')
    expect(told).toEqual(['handoff client sales /sales'])
  })

  it('is no order any more where a person has joined since; the page is told of the person', async () => {
    const first = await openPage()
    happens(...ORDER)
    happens('EVENT_TYPE_LIVE_AGENT_JOINED', { agent: { name: 'Sarah' } })
    await pass(100)
    expect(first.told).toEqual(['handoff client sales /sales', 'handoff live'])
    first.leave()
    expect((await openPage()).told).toEqual(['handoff live'])
  })
})

describe('the language', () => {
  const speaks = (language_code: string) => happens('EVENT_TYPE_LANGUAGE_CHANGED', { language_code })
  const send = (page: { screen: ReturnType<typeof within> }, name: string) =>
    vi.waitFor(() => page.screen.getByRole('button', { name }))

  it('of the conversation is there on the next page, which is not told of it again', async () => {
    const first = await openPage()
    speaks('fr')
    await send(first, 'Envoyer')
    expect(first.told).toEqual(['language fr'])
    first.leave()
    const next = await openPage()
    await send(next, 'Envoyer')
    expect(next.told).toEqual([])
  })

  it('that the visitor chose stays, on the next page too, whatever the agent speaks', async () => {
    const first = await openPage()
    speaks('fr')
    await send(first, 'Envoyer')
    first.leave()
    // What the menu keeps.
    store.set('language', 'de')
    const next = await openPage()
    await send(next, 'Senden')
    speaks('es')
    await pass(100)
    expect(next.told).toEqual(['language es'])
    await pass(1_000)
    await send(next, 'Senden')
  })

  it.each(['tlh', 'no such tag!', 'xx-DE'])(
    '%s, which the panel does not have, leaves the panel’s',
    async (tag) => {
      const page = await openPage({ settings: { locale: 'de' } })
      await send(page, 'Senden')
      speaks(tag)
      await pass(1_000)
      await send(page, 'Senden')
      expect(document.querySelector('.foyer')?.getAttribute('lang')).toBe('de')
    },
  )
})

describe('what came while the panel was closed', () => {
  it('is still unread on the next page, which is not told of it as news', async () => {
    const first = await openPage()
    first.chat.setShown(false)
    service.say(service.last(), 'One more thing.')
    await pass(2_000)
    expect(first.chat.unread.value).toBe(1)
    first.leave()
    const next = await openPage({ shown: false })
    expect(next.chat.unread.value).toBe(1)
    service.say(service.last(), 'And another.')
    await pass(100)
    expect(next.chat.unread.value).toBe(2)
    next.chat.setShown(true)
    await pass(2_000)
    next.leave()
    expect((await openPage({ shown: false })).chat.unread.value).toBe(0)
  })

  it('counts for nothing once it was read, however long the talk', async () => {
    const first = await openPage()
    for (let count = 0; count < 5; count++) service.say(service.last(), `Answer ${count}`)
    await pass(3_000)
    first.leave()
    const next = await openPage({ shown: false })
    expect(transcript(next.chat)).toHaveLength(6)
    expect(next.chat.unread.value).toBe(0)
  })

  it('counts for nothing where another session took the place of the one that was read', async () => {
    const first = await openPage()
    await pass(2_000)
    first.chat.restart()
    await pass(3_000)
    first.leave()
    expect((await openPage({ shown: false })).chat.unread.value).toBe(0)
  })
})

describe('a visitor who will not rate', () => {
  it('is not asked again on the next page, and is asked in the next conversation', async () => {
    const question = (page: Awaited<ReturnType<typeof openPage>>) =>
      page.screen.queryByRole('button', { name: 'Not now' })
    service.faults.capabilities = { csat: true }
    const first = await openPage()
    happens('EVENT_TYPE_SHOW_CSAT_REQUEST', {})
    await vi.waitFor(() => expect(question(first)).not.toBeNull())
    question(first)?.click()
    await vi.waitFor(() => expect(question(first)).toBeNull())
    first.leave()
    const next = await openPage()
    expect(next.chat.csat.value.state).toBe('asked')
    await pass(1_000)
    expect(question(next)).toBeNull()
    next.chat.restart()
    await pass(1_000)
    happens('EVENT_TYPE_SHOW_CSAT_REQUEST', {})
    await vi.waitFor(() => expect(question(next)).not.toBeNull())
  })
})

describe('a page that comes back to a conversation', () => {
  it('makes one session, where the visitor begins anew while it asks for the one that is lost', async () => {
    const first = await openPage()
    first.leave()
    service.tokens.length = 0
    const browser = createBrowser(service)
    const { chat } = browser.openTab()
    chat.open()
    // The other tabs are asked whether they have the session whose token is lost.
    await pass(100)
    expect(service.sessions.size).toBe(1)
    chat.restart()
    await pass(5_000)
    expect(chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(2)
    browser.dispose()
  })

  it('sends a message once that the service refuses for its size, and says that it failed', async () => {
    const { chat } = await openPage()
    service.faults.swallow = 'lost'
    chat.send('far too long')
    await pass(100)
    service.faults.swallow = undefined
    service.drop(1009)
    await pass(60_000)
    expect(chat.status.value).toBe('live')
    expect(chat.outbox.value.map(({ state }) => state)).toEqual(['failed'])
    expect(service.stored(service.last())).toEqual([])
  })

  it('reads aloud what a reconnection brings back behind a lost frame', async () => {
    const page = await openPage()
    await vi.waitFor(() => expect(page.chat.status.value).toBe('live'))
    await pass(5_000)
    // The first of two does not arrive.
    service.faults.swallow = 'stored'
    service.say(service.last(), 'The lost one.')
    await pass(10)
    service.faults.swallow = undefined
    service.say(service.last(), 'The one behind it.')
    await pass(60_000)
    expect(transcript(page.chat)).toEqual(['Hello!', 'The lost one.', 'The one behind it.'])
    expect(page.read.join(' ')).toContain('The one behind it.')
    expect(page.read.join(' ')).toContain('The lost one.')
  })
})
