// The address and the title of the page: what crosses the channel, when, and what of it reaches the service.

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readMessage, type ToPage, type ToPanel } from '../../src/embed/channel.ts'
import { openPanel } from '../../src/embed/frame/panel.ts'
import { createPageChannel } from '../../src/embed/page/panel/page-channel.ts'
import { openOn } from './frame/open-panel.ts'
import { createPanelHost } from './page/panel-host.ts'

const PAGE = location.origin
const ORIGIN = 'https://chat.example.com'

/** What the service is told of the page, for each session. */
let told: unknown[]
let undo: (() => void) | undefined

beforeAll(() => {
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: false, onchange: null }),
    CSS: { supports: () => false },
  })
})
beforeEach(() => {
  told = []
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      static readonly CONNECTING = 0
      static readonly OPEN = 1
      static readonly CLOSING = 2
      static readonly CLOSED = 3
      readyState = 0
      close() {}
      send() {}
    },
  )
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    if (init.method === 'DELETE') return new Response(null, { status: 204 })
    if (String(url).endsWith('access-token'))
      return Response.json({
        ...{ access_token: `token-${told.length}`, expires_in: 3_600, token_type: 'Bearer' },
        ...{ resumed: false, chat_url: ORIGIN },
      })
    told.push(JSON.parse(String(init.body)).page)
    return Response.json({ session_id: `session-${told.length}` })
  })
})
afterEach(() => {
  undo?.()
  undo = undefined
  history.replaceState(null, '', '/')
  Reflect.deleteProperty(document, 'title')
  document.title = ''
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a page', () => {
  /** The page's end of a channel, at which the test is the panel. */
  function page(tell = vi.fn(() => true)) {
    const link = createPageChannel(createPanelHost({}, { tell }), { ready() {}, newest() {}, expand() {} })
    const port = link.connect()
    const heard: unknown[] = []
    port.onmessage = ({ data }) => heard.push(data)
    undo = () => {
      link.close()
      port.close()
    }
    return { link, port, heard, tell }
  }
  const said = async (of: ReturnType<typeof page>) => {
    of.port.postMessage({ type: 'ask', id: 7, name: 'page', detail: {} } satisfies ToPage)
    await vi.waitFor(() => expect(of.heard).toHaveLength(1))
    return of.heard
  }

  it('says where it is when the panel asks, without query and fragment, and tells its scripts nothing of it', async () => {
    history.replaceState(null, '', '/bikes/7?token=secret#secret')
    document.title = 'Heron'
    const { tell, ...of } = page()
    expect(await said({ tell, ...of })).toEqual([
      { type: 'answer', id: 7, allowed: true, page: { url: `${PAGE}/bikes/7`, title: 'Heron' } },
    ])
    expect(tell).not.toHaveBeenCalled()
  })

  it('says it to the panel that asks alone, and not to one that takes its place', async () => {
    const of = page()
    expect(await said(of)).toHaveLength(1)
    of.link.renew()
    const next = of.link.connect()
    const heard: unknown[] = []
    next.onmessage = ({ data }) => heard.push(data.type)
    of.link.post({ type: 'draft', text: 'a draft' })
    await vi.waitFor(() => expect(heard).toEqual(['draft']))
    next.close()
  })

  it('reads no element that has the name of its title, and sends no more than 2,000 characters of one', async () => {
    document.title = `<b>${'x'.repeat(2 ** 20)}`
    // As browsers do for an element of that name, and jsdom does not.
    Object.defineProperty(document, 'title', { value: document.createElement('img'), configurable: true })
    const [answer] = (await said(page())) as [Extract<ToPanel, { type: 'answer' }>]
    expect(answer.page).toEqual({ url: `${PAGE}/`, title: `<b>${'x'.repeat(1_997)}` })
  })
})

/** A panel in the page, which the test answers for it. `more`: what the frame's own server says. */
function panel(more: Partial<Parameters<typeof openOn>[2]> = { pageOrigin: PAGE }) {
  const { port1: port, port2 } = new MessageChannel()
  const container = document.body.appendChild(document.createElement('div'))
  const asked: number[] = []
  const said: string[] = []
  port.onmessage = ({ data }) => {
    const message = readMessage<ToPage>(data)
    if (message?.type === 'ask') asked.push(message.id)
    if (message) said.push(message.type)
  }
  const start = { answers: true }
  undo = openOn(openPanel, port2, {
    ...{ root: document, container, start, origin: ORIGIN, expose: 'none' as const, ...more },
  })
  const say = (message: object) => port.postMessage(message)
  const answer = (id: number | undefined, page: unknown) => say({ type: 'answer', id, allowed: true, page })
  return { container, asked, said, say, answer }
}
const HERE = { url: `${PAGE}/bikes/7`, title: 'Heron' }

describe('a panel', () => {
  it('asks the page once a chat begins, and once more for the next one, and tells the service what it says', async () => {
    const { say, asked, answer } = panel()
    say({ type: 'show', shown: false })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    answer(asked[0], HERE)
    await vi.waitFor(() => expect(told).toEqual([HERE]))
    say({ type: 'restart' })
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    const next = { url: `${PAGE}/cart`, title: 'Cart' }
    answer(asked[1], next)
    await vi.waitFor(() => expect(told).toEqual([HERE, next]))
  })

  it('asks nothing where its own server does not let the page through', async () => {
    const { say, asked, answer } = panel({})
    // What nobody asked for is not taken either.
    answer(1, HERE)
    say({ type: 'show', shown: true })
    answer(1, HERE)
    await vi.waitFor(() => expect(told).toEqual([undefined]))
    expect(asked).toEqual([])
  })

  it('asks nothing before the visitor agrees', async () => {
    const { say, said, asked, answer, container } = panel({ pageOrigin: PAGE, consentRequired: true })
    say({ type: 'show', shown: true })
    say({ type: 'send', text: 'Hello' })
    await vi.waitFor(() => expect(said).toContain('ready'))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([asked, told]).toEqual([[], []])
    const agree = [...container.querySelectorAll('button')].find((each) => /Agree/.test(each.textContent))
    agree?.click()
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    answer(asked[0], HERE)
    await vi.waitFor(() => expect(told).toEqual([HERE]))
  })

  it.each<[string, unknown]>([
    ['of another origin', { ...HERE, url: 'https://bank.example.org/account' }],
    ['of another port', { ...HERE, url: `${new URL(PAGE).protocol}//localhost:1/` }],
    ['that begins as its own origin', { ...HERE, url: `${PAGE}@evil.example.com/` }],
    ['that is none', { ...HERE, url: 'x'.repeat(2 ** 20) }],
    ['that is an object', { ...HERE, url: { href: `${PAGE}/` } }],
    ['that an older page does not name', undefined],
    ['in a text', `${PAGE}/`],
    ['in nothing', null],
  ])('leaves out an address %s', async (_, page) => {
    const { say, asked, answer } = panel()
    say({ type: 'show', shown: true })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    answer(asked[0], page)
    await vi.waitFor(() => expect(told).toEqual([undefined]))
  })

  it('takes the first answer to its question, whatever else the page says', async () => {
    const { say, asked, answer } = panel()
    say({ type: 'show', shown: true })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    answer(Number(asked[0]) + 1, { ...HERE, title: 'early' })
    answer('constructor' as never, { ...HERE, title: 'hostile' })
    answer(asked[0], { url: `${PAGE}/a?b#c`, title: `\u202e<b>\n${'x'.repeat(2 ** 20)}` })
    answer(asked[0], { ...HERE, title: 'twice' })
    await vi.waitFor(() => expect(told).toHaveLength(1))
    expect(told).toEqual([{ url: `${PAGE}/a`, title: `<b> ${'x'.repeat(196)}` }])
    say({ type: 'restart' })
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    answer(asked[0], { ...HERE, title: 'late' })
    answer(asked[1], HERE)
    await vi.waitFor(() => expect(told).toHaveLength(2))
    expect(told[1]).toEqual(HERE)
  })

  it('begins without it on a page that does not answer', async () => {
    const { say, asked } = panel()
    say({ type: 'show', shown: true })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    await vi.waitFor(() => expect(told).toEqual([undefined]), { timeout: 10_000 })
  })
})
