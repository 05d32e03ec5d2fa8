// The frame's script takes one port, from the page around it, and from nobody else.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const openPanel = vi.hoisted(() => vi.fn(() => () => {}))
vi.mock('../../src/embed/frame/panel.ts', () => ({ openPanel }))

const PAGE = 'https://shop.example.com'
const parent = { postMessage: vi.fn() }
const listeners: [string, EventListener][] = []

/** The frame's page, inside of a page of `ancestor` (undefined: the browser does not say). */
async function frame(ancestor: string | undefined, around: object = parent) {
  vi.resetModules()
  vi.spyOn(window, 'parent', 'get').mockReturnValue(around as Window)
  vi.stubGlobal('location', { origin: 'https://chat.example.com', ancestorOrigins: ancestor && [ancestor] })
  const add = window.addEventListener
  vi.spyOn(window, 'addEventListener').mockImplementation((type: string, fn: unknown) => {
    listeners.push([type, fn as EventListener])
    add.call(window, type, fn as EventListener)
  })
  await import('../../src/embed/frame/frame.ts')
}
const says = (more: { data?: unknown; origin?: string; source?: unknown; ports?: MessagePort[] } = {}) => {
  const event = new MessageEvent('message', {
    data: { foyer: 'connect', start: { locale: 'en' } },
    origin: PAGE,
    ...more,
    source: null,
    ports: [],
  })
  // jsdom checks for windows and ports of its own.
  Object.defineProperties(event, {
    source: { value: 'source' in more ? more.source : parent },
    ports: { value: more.ports ?? [new MessageChannel().port1] },
  })
  window.dispatchEvent(event)
}

beforeEach(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
  vi.stubGlobal('fetch', async () => Response.json({ chunkJoin: 'space' }))
})
afterEach(() => {
  for (const name of ['foyerExpose', 'foyerConnector', 'foyerOff'])
    delete document.documentElement.dataset[name]
  document.body.replaceChildren()
  for (const [type, fn] of listeners.splice(0)) window.removeEventListener(type, fn)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  openPanel.mockClear()
  parent.postMessage.mockClear()
})

/** The panel that was opened, by the port that it was given. */
async function opened() {
  await vi.waitFor(() => expect(openPanel).toHaveBeenCalled())
  const calls = openPanel.mock.calls as unknown as [{ origin: string; port: MessagePort; config: unknown }][]
  return calls.map(([given]) => given)
}

it('it says hello, and nothing more, to the page around it', async () => {
  await frame(PAGE)
  expect(parent.postMessage).toHaveBeenCalledExactlyOnceWith({ foyer: 'hello' }, '*')
  expect(openPanel).not.toHaveBeenCalled()
})

it('it opens one panel, with what its own server allows', async () => {
  document.documentElement.dataset.foyerExpose = 'messages'
  await frame(PAGE)
  says()
  says()
  const [given, ...others] = await opened()
  expect(others).toEqual([])
  expect(given).toMatchObject({
    origin: 'https://chat.example.com',
    start: { locale: 'en' },
    expose: 'messages',
    consentRequired: false,
  })
})

it.each([
  ['shop', 'shop'],
  ['', ''],
  // A server of an earlier release says nothing.
  [undefined, 'bank'],
])('its server, which says %j, and not the page chooses the connector', async (own, connector) => {
  if (own !== undefined) document.documentElement.dataset.foyerConnector = own
  await frame(PAGE)
  says({ data: { foyer: 'connect', start: { locale: 'en', connector: 'bank' } } })
  const [given] = await opened()
  expect(given).toMatchObject({ start: { locale: 'en', connector }, off: false })
})

it('it tells the panel that the chat is switched off', async () => {
  document.documentElement.dataset.foyerOff = 'true'
  await frame(PAGE)
  says()
  expect((await opened())[0]).toMatchObject({ off: true })
})

it.each([
  ['a frame beside it', { source: { postMessage() {} } }],
  ['itself', { source: window }],
  ['nobody', { source: null }],
  ['another origin than embeds it', { origin: 'https://evil.example.com' }],
  ['a subdomain of the origin that embeds it', { origin: 'https://sub.shop.example.com' }],
  ['an origin that begins as the one that embeds it', { origin: `${PAGE}.evil.example.com` }],
  ['the right page without a port', { ports: [] }],
  ['the right page with other words', { data: { foyer: 'hello' } }],
  ['the right page with a text', { data: 'connect' }],
  ['the right page with nothing', { data: null }],
])('it takes no port of %s, and still takes the right one after it', async (_, wrong) => {
  await frame(PAGE)
  says(wrong)
  says(wrong)
  const { port1 } = new MessageChannel()
  says({ ports: [port1] })
  expect((await opened()).map(({ port }) => port)).toEqual([port1])
})

it('it takes the port of the page around it where the browser does not name its origin', async () => {
  await frame(undefined)
  says({ source: { postMessage() {} } })
  const { port1 } = new MessageChannel()
  says({ ports: [port1] })
  expect((await opened()).map(({ port }) => port)).toEqual([port1])
})

it('it takes none, and greets nobody, where there is no page around it', async () => {
  await frame(undefined, window)
  const post = vi.spyOn(window, 'postMessage')
  says({ source: window })
  await new Promise((later) => setTimeout(later))
  expect(openPanel).not.toHaveBeenCalled()
  expect(post).not.toHaveBeenCalled()
})
