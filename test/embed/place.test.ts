// The place of the panel while there is none: what it waits for, what it says, and whom it believes.

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PanelPlace } from '../../src/embed/host.ts'
import type { Options } from '../../src/embed/index.ts'
import { placePanel } from '../../src/embed/place.ts'

/** The panel's code is fetched, which takes its time on a busy machine. */
const LOADING = { timeout: 20_000 }
const BFF = 'https://chat.example.com'

beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})

function createPlace(options: Options = {}, locale = 'en') {
  const element = document.createElement('div')
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = []
  const box = document.createElement('div')
  root.append(box)
  document.body.append(element)
  const asked = { connects: 0, closes: 0, ready: () => {} }
  const place: PanelPlace = {
    box,
    root,
    options,
    tools: false,
    locale,
    connect(ready) {
      asked.connects++
      asked.ready = ready
      return { start: { locale, focus: false }, port: new MessageChannel().port2 }
    },
    close: () => {
      asked.closes++
    },
    failed() {},
  }
  const shadow = () => box.querySelector('aside')?.shadowRoot
  return {
    place,
    asked,
    box,
    frame: () => box.querySelector('iframe') as HTMLIFrameElement,
    sentence: () => shadow()?.querySelector('[role="alert"]')?.textContent,
    buttons: () => [...(shadow()?.querySelectorAll('button') ?? [])],
    says(data: unknown, origin = BFF, source: unknown = box.querySelector('iframe')?.contentWindow) {
      dispatchEvent(new MessageEvent('message', { data, origin, source: source as Window }))
    },
  }
}

let world: ReturnType<typeof createPlace>
let warn: ReturnType<typeof vi.spyOn>
let remove: () => void
const open = (options: Options = {}, locale?: string) => {
  world = createPlace(options, locale)
  remove = placePanel(BFF, options.isolation)(world.place)
  // jsdom gives frames in a shadow root no window.
  const window = { postMessage() {} }
  if (world.frame()) Object.defineProperty(world.frame(), 'contentWindow', { value: window })
}
beforeEach(() => {
  vi.useFakeTimers()
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  remove()
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the port', () => {
  it('goes to the frame that said hello, to its origin alone, and is shown once the panel answers', () => {
    open()
    const post = vi.spyOn(world.frame().contentWindow as Window, 'postMessage')
    expect(world.asked.connects).toBe(0)
    world.says({ foyer: 'hello' })
    expect(world.asked.connects).toBe(1)
    expect(post).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        foyer: 'connect',
        version: 1,
        start: {
          locale: 'en',
          focus: false,
          connector: undefined,
          platform: 'web',
          streaming: true,
          tools: false,
        },
      }),
      BFF,
      [expect.any(MessagePort)],
    )
    expect(world.frame().dataset.foyerReady).toBeUndefined()
    world.asked.ready()
    expect(world.frame().dataset.foyerReady).toBe('')
    expect(world.box.querySelector('aside')).toBeNull()
  })

  it('goes to nobody else, whatever they say', () => {
    open()
    world.says({ foyer: 'hello' }, 'https://evil.example.com')
    world.says({ foyer: 'hello' }, `${BFF}.evil.example.com`)
    world.says({ foyer: 'hello' }, 'https://sub.chat.example.com')
    world.says({ foyer: 'hello' }, 'null')
    world.says({ foyer: 'hello' }, BFF, window)
    world.says({ foyer: 'hello' }, BFF, null)
    world.says({ foyer: 'connect' })
    world.says('hello')
    world.says(null)
    expect(world.asked.connects).toBe(0)
  })

  it('is a new one for a frame that was reloaded', () => {
    open()
    world.says({ foyer: 'hello' })
    world.says({ foyer: 'hello' })
    expect(world.asked.connects).toBe(2)
  })

  it('goes nowhere once the place is gone', () => {
    open()
    const source = world.frame().contentWindow
    remove()
    world.says({ foyer: 'hello' }, BFF, source)
    vi.advanceTimersByTime(20_000)
    expect(world.asked.connects).toBe(0)
    expect(warn).not.toHaveBeenCalled()
    expect(world.box.childElementCount).toBe(0)
  })
})

describe('a frame that does not answer', () => {
  it('is said after 8 s in one sentence, and once in the console with the cure', () => {
    open()
    vi.advanceTimersByTime(7_999)
    expect(world.sentence()).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(world.sentence()).toBe('The chat can’t be reached right now.')
    expect(world.buttons().map((button) => button.textContent)).toEqual(['Try again', 'Close chat'])
    expect(warn).toHaveBeenCalledOnce()
    expect(String(warn.mock.calls[0])).toMatch(
      /https:\/\/chat\.example\.com\/foyer\/frame.*frame-src.*FOYER_ORIGINS.*http:\/\/localhost/,
    )
  })

  it('that said hello and then nothing is no panel either', () => {
    open()
    world.says({ foyer: 'hello' })
    vi.advanceTimersByTime(8_000)
    expect(world.sentence()).toBeDefined()
  })

  it.each(['retry', 'online'])('is asked again by %s, and fails a second time as the first', (by) => {
    open()
    for (let round = 0; round < 3; round++) {
      vi.advanceTimersByTime(8_000)
      expect(world.sentence()).toBeDefined()
      const source = vi.spyOn(world.frame(), 'src', 'set')
      if (by === 'retry') world.buttons()[0]?.click()
      else dispatchEvent(new Event('online'))
      expect(source).toHaveBeenCalledExactlyOnceWith(`${BFF}/foyer/frame`)
      source.mockRestore()
      expect(world.sentence()).toBeUndefined()
    }
    expect(warn).toHaveBeenCalledOnce()
    expect(world.box.querySelectorAll('iframe')).toHaveLength(1)
  })

  it('and answers late is shown all the same, and stays', () => {
    open()
    vi.advanceTimersByTime(60_000)
    world.says({ foyer: 'hello' })
    world.asked.ready()
    expect(world.sentence()).toBeUndefined()
    expect(world.frame().dataset.foyerReady).toBe('')
    const source = vi.spyOn(world.frame(), 'src', 'set')
    dispatchEvent(new Event('online'))
    vi.advanceTimersByTime(60_000)
    expect(source).not.toHaveBeenCalled()
    expect(world.box.querySelector('aside')).toBeNull()
  })

  it.each([
    ['de-AT', 'Der Chat ist gerade nicht erreichbar.', 'ltr'],
    ['ar', 'تعذّر الوصول إلى المحادثة الآن.', 'rtl'],
    ['constructor', 'The chat can’t be reached right now.', 'ltr'],
  ])('is said in the language of the page: %s', (locale, sentence, direction) => {
    open({}, locale)
    vi.advanceTimersByTime(8_000)
    expect(world.sentence()).toBe(sentence)
    expect(world.box.querySelector('aside')?.dir).toBe(direction)
  })

  it('can be closed where something opens it again, and only there', () => {
    open()
    vi.advanceTimersByTime(8_000)
    world.buttons()[1]?.click()
    expect(world.asked.closes).toBe(1)
    remove()
    open({ layout: 'embedded' })
    vi.advanceTimersByTime(8_000)
    expect(world.buttons().map((button) => button.textContent)).toEqual(['Try again'])
  })
})

describe('without a frame', () => {
  const answering = (answer: () => Promise<Response>) => {
    const fetch = vi.fn(answer)
    vi.stubGlobal('fetch', fetch)
    return fetch
  }
  afterEach(() => vi.unstubAllGlobals())

  it('an origin that is given no tokens is told so, without a retry, and no token is asked for', async () => {
    vi.useRealTimers()
    const fetch = answering(async () => Response.json({ unframed: false }))
    open({ isolation: 'none' })
    await vi.waitFor(() => expect(world.sentence()).toBe('The chat isn’t available on this page.'), LOADING)
    expect(world.buttons().map((button) => button.textContent)).toEqual(['Close chat'])
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      `${BFF}/foyer/config`,
      expect.objectContaining({ credentials: 'omit' }),
    )
    expect(String(warn.mock.calls)).toContain('Add http://localhost:3000 to its FOYER_UNFRAMED_ORIGINS')
    expect(world.asked.connects).toBe(0)
  })

  it.each([
    ['says yes', async () => Response.json({ unframed: true })],
    ['does not say', async () => Response.json({})],
    ['says nonsense', async () => new Response('null')],
    ['fails', async () => new Response('no', { status: 500 })],
    ['cannot be reached', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('the panel starts where the BFF %s', async (_, answer) => {
    vi.useRealTimers()
    answering(answer)
    open({ isolation: 'none' })
    await vi.waitFor(() => expect(world.asked.connects).toBe(1), LOADING)
    world.asked.ready()
    expect(world.sentence()).toBeUndefined()
  })
})
