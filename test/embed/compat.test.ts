// The calls of the service's own snippet, on a page whose chat is here, or comes later.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WebchatAPI } from '../../src/embed/compat.ts'

const page = window as unknown as Record<string, unknown>
let asked: unknown[][]

/** Runs the script anew, as a page with these names runs it. */
async function run(): Promise<WebchatAPI> {
  vi.resetModules()
  await import('../../src/embed/compat.ts')
  return page.WebchatAPI as WebchatAPI
}
/** A chat whose launcher is on the page. */
const isHere = () => {
  page.Foyer = Object.assign((...call: unknown[]) => asked.push(call), { ready: Promise.resolve() })
}
const tell = (type: string, detail = {}) =>
  document.dispatchEvent(new CustomEvent(`foyer-${type}`, { detail }))

beforeEach(() => {
  asked = []
  delete page.Foyer
  delete page.WebchatAPI
})
afterEach(() => {
  delete page.Foyer
  delete page.WebchatAPI
  vi.restoreAllMocks()
})

it('each call is one of the page’s own API', async () => {
  isHere()
  const api = await run()
  api.openWidget()
  api.closeWidget()
  api.showIcon()
  api.hideIcon()
  api.showBubble('May I help?')
  api.showBubble({ text: 'And now?' })
  api.showBubble({ message: 'Or now?' })
  api.animateIcon()
  api.destroy()
  expect(asked).toEqual([
    ['open'],
    ['close'],
    ['update', { launcher: 'auto' }],
    ['update', { launcher: 'hidden' }],
    ['showTeaser', 'May I help?'],
    ['showTeaser', 'And now?'],
    ['showTeaser', 'Or now?'],
    ['animateLauncher'],
    ['destroy'],
  ])
})

it.each([undefined, '', null, 5, {}, { text: 5 }, { text: '' }])(
  'a bubble without words shows none, and swells nothing: %j',
  async (bubble) => {
    isHere()
    const api = await run()
    api.showBubble(bubble as string)
    expect(asked).toEqual([])
  },
)

it('calls from before the chat’s own script are kept for it', async () => {
  const api = await run()
  api.openWidget()
  api.showIcon()
  const { q } = page.Foyer as { q: Iterable<unknown>[] }
  expect(q.map((call) => [...call])).toEqual([['open'], ['update', { launcher: 'auto' }]])
})

it.each(['<a id="Foyer" href="https://evil.example"></a>', '<iframe name="Foyer"></iframe>'])(
  'calls are kept where the page’s HTML has an element of that name: %s',
  async (html) => {
    document.body.innerHTML = html
    const api = await run()
    api.openWidget()
    expect((page.Foyer as { q: unknown[] }).q).toEqual([['open']])
    document.body.replaceChildren()
  },
)

it('who waits for the launcher is called once, whether it is here or comes, unless they left', async () => {
  const api = await run()
  const [early, left] = [vi.fn(), vi.fn()]
  api.onReady(early)
  api.onReady(left)
  api.off('ready', left)
  tell('ready')
  tell('ready')
  expect(early.mock.calls).toEqual([[api]])
  isHere()
  const [late, undone] = [vi.fn(), vi.fn()]
  api.onReady(late)
  api.onReady(undone)()
  expect(late).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(late).toHaveBeenCalledTimes(1))
  tell('ready')
  expect([late, left, undone].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0])
})

it('events come until the listener, or all of the event, are off', async () => {
  isHere()
  const api = await run()
  const [one, two, three] = [vi.fn(), vi.fn(), vi.fn()]
  api.on('unread', one)
  api.on('unread', two)
  api.on('open', three)
  tell('unread', { count: 1 })
  api.off('unread', one)
  tell('unread', { count: 2 })
  api.off('unread')
  tell('unread', { count: 3 })
  tell('open')
  expect(one.mock.calls).toEqual([[{ count: 1 }]])
  expect(two.mock.calls).toEqual([[{ count: 1 }], [{ count: 2 }]])
  expect(three).toHaveBeenCalledTimes(1)
  api.off('open', three)
})

it('calls of a verified context have no effect, and say so', async () => {
  isHere()
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const api = await run()
  api.onContextRequired()
  api.refreshVerifiedContext()
  expect(warn.mock.calls.map(([line]) => String(line).split(' has ')[0])).toEqual([
    'Foyer: WebchatAPI.onContextRequired',
    'Foyer: WebchatAPI.refreshVerifiedContext',
  ])
  expect(asked).toEqual([])
})

it('a second copy changes nothing', async () => {
  isHere()
  const first = await run()
  expect(await run()).toBe(first)
})
