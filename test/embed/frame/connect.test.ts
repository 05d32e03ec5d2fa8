// The frame's script takes one port, from the page around it, and from nobody else.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** What the panel was told. */
let heard: unknown[]
const openPanel = vi.fn((_: object, _post: (message: object) => void) => ({
  take: (message: unknown) => heard.push(message),
  dispose() {},
}))

const PAGE = 'https://shop.example.com'
const parent = { postMessage: vi.fn() }
const listeners: [string, EventListener][] = []

/** The frame's page, inside of a page of `ancestor` (undefined: the browser does not say). */
async function frame(
  ancestor: string | undefined,
  around: object = parent,
  load: () => Promise<unknown> = async () => ({ openPanel, loadWords: async () => ({}) }),
) {
  vi.resetModules()
  vi.spyOn(window, 'parent', 'get').mockReturnValue(around as Window)
  vi.stubGlobal('location', { origin: 'https://chat.example.com', ancestorOrigins: ancestor && [ancestor] })
  const add = window.addEventListener
  vi.spyOn(window, 'addEventListener').mockImplementation((type: string, fn: unknown) => {
    listeners.push([type, fn as EventListener])
    add.call(window, type, fn as EventListener)
  })
  const { connectFrame } = await import('../../../src/embed/frame/connect.ts')
  heard = []
  connectFrame(load as never)
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
  vi.stubGlobal('fetch', async () => Response.json({ chunkJoin: 'space' }))
})
afterEach(() => {
  for (const name of ['foyerExpose', 'foyerConnector', 'foyerOff', 'foyerPage'])
    delete document.documentElement.dataset[name]
  document.body.replaceChildren()
  for (const [type, fn] of listeners.splice(0)) window.removeEventListener(type, fn)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  openPanel.mockClear()
  parent.postMessage.mockClear()
})

/** The panels that were opened, by what each was given, and what each says to the page. */
async function opened() {
  await vi.waitFor(() => expect(openPanel).toHaveBeenCalled())
  return openPanel.mock.calls.map(([given, post]) => ({ ...given, post }))
}
/** What comes out of the page's end of a channel. */
function listen() {
  const { port1, port2 } = new MessageChannel()
  const words: unknown[] = []
  port1.onmessage = ({ data }) => words.push(data)
  return { page: port1, port: port2, words }
}

/** The page hands a port over: one panel speaks through it. */
async function takesItsPort(): Promise<void> {
  const { port, words } = listen()
  says({ ports: [port] })
  const [panel, ...others] = await opened()
  panel?.post({ type: 'close' })
  await vi.waitFor(() => expect(words).toEqual([{ type: 'close' }]))
  expect(others).toEqual([])
}

it('the frame says hello, and nothing more, to the page around it', async () => {
  await frame(PAGE)
  expect(parent.postMessage).toHaveBeenCalledExactlyOnceWith({ foyer: 'hello' }, '*')
  expect(openPanel).not.toHaveBeenCalled()
})

it('the frame opens one panel, with what its own server allows', async () => {
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
])(
  'the frame’s server, which says %j, chooses the connector, and the page does not',
  async (own, connector) => {
    if (own !== undefined) document.documentElement.dataset.foyerConnector = own
    await frame(PAGE)
    says({ data: { foyer: 'connect', start: { locale: 'en', connector: 'bank' } } })
    const [given] = await opened()
    expect(given).toMatchObject({ start: { locale: 'en', connector }, off: false })
  },
)

it('the frame tells the panel that the chat is switched off', async () => {
  document.documentElement.dataset.foyerOff = 'true'
  await frame(PAGE)
  says()
  expect((await opened())[0]).toMatchObject({ off: true })
})

it.each([
  ['true', PAGE],
  ['yes', undefined],
  // A server of an earlier release says nothing.
  [undefined, undefined],
])(
  'the panel may learn the address of the page that embeds the frame where its server says `true`: %j',
  async (own, pageOrigin) => {
    if (own !== undefined) document.documentElement.dataset.foyerPage = own
    await frame(undefined)
    says({ data: { foyer: 'connect', start: { page: true, pageOrigin: 'https://evil.example.com' } } })
    expect((await opened())[0]).toHaveProperty('pageOrigin', pageOrigin)
  },
)

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
])('the frame takes no port of %s, and still takes the right one after it', async (_, wrong) => {
  await frame(PAGE)
  says(wrong)
  says(wrong)
  await takesItsPort()
})

it('the frame takes the port of the page around it where the browser does not name its origin', async () => {
  await frame(undefined)
  says({ source: { postMessage() {} } })
  await takesItsPort()
})

it('the frame takes no port, and greets nobody, where there is no page around it', async () => {
  await frame(undefined, window)
  const post = vi.spyOn(window, 'postMessage')
  says({ source: window })
  await new Promise((later) => setTimeout(later))
  expect(openPanel).not.toHaveBeenCalled()
  expect(post).not.toHaveBeenCalled()
})

describe('the panel’s code', () => {
  /** A frame whose browser paints and rests when the test says so, and whose timers never fire by themselves. */
  async function waiting() {
    document.body.innerHTML = '<div class="foyer"></div>'
    const frames: (() => void)[] = []
    const rests: (() => void)[] = []
    const timers = new Map<number, () => void>()
    vi.stubGlobal('requestAnimationFrame', (act: () => void) => frames.push(act))
    vi.stubGlobal('requestIdleCallback', (act: () => void) => rests.push(act))
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(
      ((act: () => void, ms = 0) => void timers.set(ms, act)) as never,
    )
    const load = vi.fn(() => new Promise(() => {}))
    await frame(PAGE, parent, load)
    const { page, port } = listen()
    says({ ports: [port] })
    return { page, frames, rests, timers, load }
  }
  it('waits until the first screen is painted and what was pressed is handled', async () => {
    const { page, frames, rests, load } = await waiting()
    page.postMessage({ type: 'show', shown: true, focus: true })
    await vi.waitFor(() => expect(frames).toHaveLength(1))
    frames[0]?.()
    expect(rests).toHaveLength(1)
    await Promise.resolve()
    expect(load).not.toHaveBeenCalled()
    rests[0]?.()
    await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
  })
  it('comes half a second later to a frame that is not shown', async () => {
    const { page, frames, timers, load } = await waiting()
    page.postMessage({ type: 'show', shown: false })
    await Promise.resolve()
    expect(load).not.toHaveBeenCalled()
    timers.get(500)?.()
    await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
    expect(frames).toEqual([])
  })
})

it('what the page says before the panel’s code is here reaches it, in order, and keys go to the field', async () => {
  document.body.innerHTML =
    '<div class="foyer"><section role="dialog" tabindex="-1"><form class="composer"><textarea></textarea></form></section></div>'
  await frame(PAGE)
  const { page, port, words } = listen()
  says({ ports: [port] })
  page.postMessage({ type: 'show', shown: true, focus: true })
  page.postMessage({ type: 'key', key: 'a' })
  page.postMessage('nonsense')
  page.postMessage({ type: 'send', text: 'one' })
  await vi.waitFor(() =>
    expect(heard).toEqual([
      { type: 'show', shown: true, focus: true },
      { type: 'send', text: 'one' },
    ]),
  )
  page.postMessage({ type: 'send', text: 'two' })
  await vi.waitFor(() => expect(heard).toHaveLength(3))
  expect(document.querySelector('textarea')?.value).toBe('a')
  expect(document.activeElement?.localName).toBe('textarea')
  // The field is there, so the page shows the frame.
  expect(words).toEqual([{ type: 'ready' }])
})

it('the token of a new visitor is asked for once, when the chat is opened and the field is there, and the chat gets it', async () => {
  const asked: [string, RequestInit | undefined][] = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    asked.push([url, init])
    return Response.json({ nr: asked.length })
  })
  document.body.innerHTML = '<div class="foyer"><textarea></textarea></div>'
  await frame(PAGE)
  const { page, port } = listen()
  says({ ports: [port] })
  const [panel] = (await opened()) as unknown as [{ fetch: typeof fetch }]
  expect(asked).toEqual([])
  for (const shown of [false, true, true]) page.postMessage({ type: 'show', shown })
  await vi.waitFor(() => expect(heard).toHaveLength(3))
  const url = 'https://chat.example.com/foyer/access-token'
  expect(asked).toEqual([[url, expect.objectContaining({ method: 'POST', body: '{"sealed":true}' })]])
  const get = async (body: string) => (await panel.fetch(url, { method: 'POST', body })).json()
  expect([await get('{"sealed":true}'), await get('{"sealed":true}')]).toEqual([{ nr: 1 }, { nr: 2 }])
})

it('an early token that waited for long is not given to the chat, which asks again', async () => {
  const fetched = vi.fn(async () => Response.json({}))
  vi.stubGlobal('fetch', fetched)
  document.body.innerHTML = '<div class="foyer"><textarea></textarea></div>'
  await frame(PAGE)
  const { page, port } = listen()
  says({ ports: [port] })
  page.postMessage({ type: 'show', shown: true })
  const [panel] = (await opened()) as unknown as [{ fetch: typeof fetch }]
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1))
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000)
  await panel.fetch('https://chat.example.com/foyer/access-token', {
    method: 'POST',
    body: '{"sealed":true}',
  })
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('a panel whose code neither comes nor fails is said to be missing after 8 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  document.body.innerHTML = '<div class="foyer"><div data-unavailable="Not there"></div></div>'
  await frame(PAGE, parent, () => new Promise(() => {}))
  says()
  vi.advanceTimersByTime(7_999)
  expect(document.body.textContent).toBe('')
  vi.advanceTimersByTime(1)
  expect(document.body.textContent).toBe('Not there')
  vi.useRealTimers()
})

it.each([
  ['a session is stored', '<textarea></textarea>', true, {}],
  ['a step comes first', '', false, {}],
  ['the visitor has not agreed', '<textarea></textarea>', false, { consent: 'required' }],
])('no token is asked for early where %s', async (_, field, stores, start) => {
  const fetched = vi.fn(async () => Response.json({}))
  vi.stubGlobal('fetch', fetched)
  if (stores) localStorage.setItem('foyer::session', '{}')
  document.body.innerHTML = `<div class="foyer">${field}</div>`
  await frame(PAGE)
  const { page, port } = listen()
  says({ ports: [port], data: { foyer: 'connect', start } })
  page.postMessage({ type: 'show', shown: true })
  await opened()
  await vi.waitFor(() => expect(heard).toHaveLength(1))
  expect(fetched).not.toHaveBeenCalled()
  localStorage.clear()
})
