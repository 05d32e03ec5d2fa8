// The place of the panel while there is none: what it waits for, what it says, and whom it believes.

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Options } from '../../../../src/embed/index.ts'
import { createHost, type Handle } from '../../../../src/embed/page/host/host.ts'
import { placePanel } from '../../../../src/embed/page/panel/container.ts'

const BFF = 'https://chat.example.com'
const FRAME = /^https:\/\/chat\.example\.com\/foyer\/frame\?/

beforeAll(() => {
  Object.assign(globalThis, { CSS: { supports: () => true } })
})

/** A page of a desktop or of a phone, with a chat that is opened. */
const media = { phone: false, dark: false }
const answer = (query: string) => ({
  get matches() {
    return query.includes('max-width') ? media.phone : query.includes('dark') && media.dark
  },
  onchange: null as (() => void) | null,
})
let queries: ReturnType<typeof answer>[]
let handle: Handle
let warn: ReturnType<typeof vi.spyOn>
/** How often the panel's end of the channel was handed out. */
let connected: MessagePort[]

const root = () => document.querySelector('foyer-host')?.shadowRoot as ShadowRoot
const box = () => root()?.querySelector('dialog') as HTMLDialogElement
const launcher = () => root().querySelector('dialog ~ button') as HTMLButtonElement
const frame = () => box().querySelector('iframe') as HTMLIFrameElement
const ground = () => box().querySelector<HTMLElement>('[role="group"]') as HTMLElement
const trouble = () => ground()?.shadowRoot
const sentence = () => trouble()?.querySelector('[role="alert"]')?.textContent
const buttons = () => [...(trouble()?.querySelectorAll<HTMLButtonElement>('div button') ?? [])]
/** Lets what is fetched arrive. */
const arrives = async (check: () => void) => {
  await vi.waitFor(check, { timeout: 20_000, interval: 5 })
}
const says = (data: unknown, origin = BFF, source: unknown = frame()?.contentWindow) => {
  dispatchEvent(new MessageEvent('message', { data, origin, source: source as Window }))
}

async function put(options: Options = {}, tools = false) {
  handle = createHost(
    options,
    'foyer:test',
    placePanel(
      BFF,
      options.isolation,
      { tools },
      { inline: () => import('../../../../src/embed/frame/inline.ts') },
    ),
  )
  // jsdom gives frames in a shadow root no window.
  const window = {
    postMessage: vi.fn((_: unknown, __: string, [port]: MessagePort[]) =>
      connected.push(port as MessagePort),
    ),
  }
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(window as never)
  await handle.ready
  return window
}
/** The frame's panel says that it is drawn. */
async function ready() {
  if (connected.length === 0) says({ foyer: 'hello' })
  connected.at(-1)?.postMessage({ type: 'ready' })
  await arrives(() => expect(box().classList).toContain('ready'))
}
async function open(options: Options = {}, tools = false) {
  const window = await put(options, tools)
  handle.open()
  return window
}
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  connected = []
  queries = []
  // What a chat of the test before keeps for the next page.
  sessionStorage.clear()
  localStorage.clear()
  Object.assign(media, { phone: false, dark: false })
  vi.stubGlobal('matchMedia', (query: string) => {
    const made = answer(query)
    queries.push(made)
    return made
  })
})
afterEach(() => {
  handle.destroy()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the first screen that the frame is asked for', () => {
  const asked = () => Object.fromEntries(new URL(frame().src).searchParams)
  const PLAIN = { locale: 'en-US', theme: 'light', isolated: 'undefined', phone: 'false', first: 'field' }

  it.each<[string, Options, Record<string, string>]>([
    ['plain', {}, {}],
    ['dark', { theme: 'dark' }, { theme: 'dark' }],
    ['one that names the agent', { agentName: 'Fern' }, { name: 'Fern' }],
    ['one with a long name', { agentName: 'x'.repeat(90) }, { name: 'x'.repeat(80) }],
    ['one without a header', { showHeader: false }, { header: 'none' }],
    ['one that nothing closes', { layout: 'embedded', target: 'body' }, { close: 'none' }],
    ['one whose Enter breaks the line', { enterSends: false }, { enter: 'line' }],
    ['empty behind consent', { consent: 'required' }, { first: 'none' }],
    ['empty after a refusal', { consent: 'refused' }, { first: 'none' }],
    ['the composer’s, with consent', { consent: 'given' }, {}],
    ['empty behind a form', { form: '[{"label":"Name"}]' }, { first: 'none' }],
    ['empty behind a home screen', { starters: 'Hours' }, { first: 'none' }],
    ['empty behind a closed office', { hours: 'Mon 09:00-10:00', outsideHours: 'closed' }, { first: 'none' }],
    ['the composer’s, beside a line about the hours', { hours: 'Mon 09:00-10:00' }, {}],
  ])('is %s', async (_, options, more) => {
    await open(options)
    expect(asked()).toEqual({ ...PLAIN, ...more })
  })
})

it('the frame is that of the connector', async () => {
  await open({ connector: 'second', locale: 'de' })
  expect(frame().src).toMatch(/^https:\/\/chat\.example\.com\/foyer\/second\/frame\?locale=de&/)
})

describe('the port', () => {
  it('goes to the frame that said hello, to its origin alone, and is shown once the panel answers', async () => {
    const window = await open(
      { theme: 'dark', accent: '#123456', platform: 'android', connector: 'second' },
      true,
    )
    expect(connected).toHaveLength(0)
    says({ foyer: 'hello' })
    expect(window.postMessage).toHaveBeenCalledExactlyOnceWith(
      {
        foyer: 'connect',
        version: 1,
        start: {
          locale: 'en-US',
          theme: 'dark',
          accent: '#123456',
          phone: false,
          closable: true,
          modal: false,
          expanded: false,
          connector: 'second',
          platform: 'android',
          tools: true,
          answers: true,
        },
      },
      BFF,
      [expect.any(MessagePort)],
    )
    expect(box().className).toBe('')
    connected[0]?.postMessage({ type: 'ready' })
    await arrives(() => expect(box().className).toBe('ready'))
  })

  it('goes to nobody else, whatever they say', async () => {
    await open()
    says({ foyer: 'hello' }, 'https://evil.example.com')
    says({ foyer: 'hello' }, `${BFF}.evil.example.com`)
    says({ foyer: 'hello' }, 'https://sub.chat.example.com')
    says({ foyer: 'hello' }, 'null')
    says({ foyer: 'hello' }, BFF, window)
    says({ foyer: 'hello' }, BFF, null)
    says({ foyer: 'connect' })
    says('hello')
    says(null)
    expect(connected).toHaveLength(0)
  })

  /** What comes through the port. */
  function heardBy(port: MessagePort): unknown[] {
    const heard: unknown[] = []
    port.onmessage = ({ data }) => heard.push(data)
    return heard
  }
  const said = { type: 'send', text: 'said into the dark' }
  const shown = expect.objectContaining({ type: 'show', shown: true })

  it('brings what was said to a frame whose panel never was ready to the one that is asked for again', async () => {
    await open()
    handle.send('said into the dark')
    vi.advanceTimersByTime(8_000)
    // The slow frame comes in the very moment in which the visitor gives it up.
    says({ foyer: 'hello' })
    await arrives(() => expect(buttons()).toHaveLength(1))
    buttons()[0]?.click()
    connected[0]?.postMessage({ type: 'ready' })
    says({ foyer: 'hello' })
    const heard = heardBy(connected[1] as MessagePort)
    await arrives(() => expect(heard).toContainEqual(said))
    expect(heard).toContainEqual(shown)
    expect(box().className).not.toContain('ready')
    await ready()
    // What a panel has, the next frame does not get again.
    says({ foyer: 'hello' })
    const later = heardBy(connected[2] as MessagePort)
    handle.send('said later')
    await arrives(() => expect(later).toContainEqual({ type: 'send', text: 'said later' }))
    expect(later).not.toContainEqual(said)
    expect(later).toContainEqual(shown)
  })

  it('goes nowhere once the place is gone', async () => {
    await open()
    const source = frame().contentWindow
    handle.destroy()
    says({ foyer: 'hello' }, BFF, source)
    vi.advanceTimersByTime(20_000)
    expect(connected).toHaveLength(0)
    expect(warn).not.toHaveBeenCalled()
    expect(document.querySelector('foyer-host')).toBeNull()
  })

  it('carries the looks again when they change, and only then', async () => {
    await open()
    says({ foyer: 'hello' })
    const heard: unknown[] = []
    const [port] = connected as [MessagePort]
    port.onmessage = ({ data }) => heard.push(data)
    handle.hide()
    handle.show()
    handle.setLocale('de')
    handle.update({ locale: 'de' })
    handle.close()
    await arrives(() => expect(heard).toContainEqual(expect.objectContaining({ type: 'show', shown: false })))
    expect(heard.filter((message) => (message as { type: string }).type === 'looks')).toEqual([
      { type: 'looks', looks: expect.objectContaining({ locale: 'de' }) },
    ])
  })
})

describe('once the chat is open,', () => {
  it('the panel is named anew when the language changes, by the newest alone', async () => {
    await open({ locale: 'de' })
    handle.setLocale('en')
    handle.setLocale('ja')
    await arrives(() => expect(launcher().ariaLabel).toBe('チャットを閉じる'))
    expect(frame().title).toBe('チャット')
    handle.close()
    expect(launcher().ariaLabel).toBe('チャットを開く')
  })

  it('the focus is on the ground until the panel is ready, in the panel then, and on the launcher when it closes', async () => {
    await open()
    expect(root().activeElement).toBe(ground())
    expect(box().ariaLabel).toBe('Chat')
    // Nobody comes into a frame in which nothing is to be seen.
    expect(frame().tabIndex).toBe(-1)
    await ready()
    expect(root().activeElement).toBe(frame())
    expect(frame().hasAttribute('tabindex')).toBe(false)
    expect(ground()).toBeNull()
    handle.close()
    expect(root().activeElement).toBe(launcher())
    handle.open()
    expect(root().activeElement).toBe(frame())
  })

  it.each([
    ['on the ground', [false, true]],
    ['elsewhere on the page', [false]],
  ])(
    'the panel of a visitor who is %s is told once it is ready whether it takes the focus',
    async (at, focus) => {
      await open()
      const field = document.body.appendChild(document.createElement('input'))
      if (at !== 'on the ground') field.focus()
      says({ foyer: 'hello' })
      const heard: unknown[] = []
      if (connected[0]) connected[0].onmessage = ({ data }) => heard.push(data)
      await ready()
      handle.setDraft('end')
      await arrives(() =>
        expect(heard).toEqual([
          ...focus.map((each) => ({ type: 'show', shown: true, focus: each })),
          { type: 'draft', text: 'end' },
        ]),
      )
      field.remove()
    },
  )

  it('a panel that is ready after it was closed takes no focus', async () => {
    await open()
    handle.close()
    await ready()
    expect(root().activeElement).toBe(launcher())
  })

  it('the panel asks again for a focus that the browser lost, and not for one that the visitor moved', async () => {
    await open()
    const focus = vi.spyOn(frame(), 'focus').mockImplementationOnce(() => {})
    const before = ground()
    await ready()
    expect(root().activeElement).toBe(before)
    vi.advanceTimersByTime(200)
    expect(root().activeElement).toBe(frame())
    expect(focus).toHaveBeenCalledTimes(2)
    handle.close()
    focus.mockImplementationOnce(() => {})
    handle.open()
    expect(root().activeElement).toBe(launcher())
    vi.advanceTimersByTime(200)
    expect(root().activeElement).toBe(frame())

    handle.close()
    const elsewhere = document.body.appendChild(document.createElement('input'))
    focus.mockImplementationOnce(() => {})
    handle.open()
    elsewhere.focus()
    vi.advanceTimersByTime(2_000)
    expect(document.activeElement).toBe(elsewhere)
    elsewhere.remove()

    // Closed before it is asked again: the launcher keeps it.
    focus.mockImplementation(() => {})
    handle.close()
    handle.open()
    handle.close()
    focus.mockRestore()
    vi.advanceTimersByTime(2_000)
    expect(root().activeElement).toBe(launcher())
  })
})

describe('what is prepared out of sight', () => {
  /** The page has loaded, and has nothing to do. */
  async function prepare(options: Options = {}) {
    const before = window.requestIdleCallback
    Object.assign(window, { requestIdleCallback: (act: () => void) => act() })
    const place = await put({ prepare: 'idle', ...options })
    Object.assign(window, { requestIdleCallback: before })
    return place
  }
  const listen = (port: MessagePort | undefined) => {
    const heard: unknown[] = []
    if (port) port.onmessage = ({ data }) => heard.push(data)
    return heard
  }
  const SHOW = { type: 'show', shown: true, focus: true }
  const isLoaded = () => frame().dispatchEvent(new Event('load'))

  it('has the newest looks when it is shown', async () => {
    await prepare({ theme: 'light' })
    says({ foyer: 'hello' })
    const heard = listen(connected[0])
    handle.update({ theme: 'dark', agentName: 'Fern' })
    document.documentElement.lang = 'fr'
    handle.open()
    await arrives(() => expect(heard).toContainEqual({ ...SHOW, focus: false }))
    document.documentElement.lang = ''
    const looks = heard.filter((each) => (each as { type: string }).type === 'looks')
    expect(looks.at(-1)).toEqual({
      type: 'looks',
      looks: expect.objectContaining({ theme: 'dark', agentName: 'Fern', locale: 'fr' }),
    })
    expect(heard.at(-1)).toEqual({ ...SHOW, focus: false })
  })

  it('is gone on with by a press that comes meanwhile, whose time begins then', async () => {
    await prepare()
    vi.advanceTimersByTime(7_000)
    const source = vi.spyOn(frame(), 'src', 'set')
    handle.open()
    expect(box().className).toBe('')
    vi.advanceTimersByTime(7_999)
    await vi.dynamicImportSettled()
    expect(sentence()).toBeUndefined()
    expect(box().querySelectorAll('iframe')).toHaveLength(1)
    says({ foyer: 'hello' })
    isLoaded()
    expect(source).not.toHaveBeenCalled()
    // What said hello and then nothing is loaded anew by the retry.
    vi.advanceTimersByTime(1)
    await arrives(() => expect(sentence()).toBeDefined())
    buttons()[0]?.click()
    expect(source).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(FRAME))
  })

  it('and says hello behind its load is not loaded anew by the press, which reaches it whole', async () => {
    await prepare()
    const source = vi.spyOn(frame(), 'src', 'set')
    isLoaded()
    says({ foyer: 'hello' })
    const heard = listen(connected[0])
    handle.open()
    await arrives(() => expect(heard).toEqual([{ ...SHOW, focus: false }]))
    expect(source).not.toHaveBeenCalled()
  })

  it('and was not to be had is loaded anew by the press, and once more by each retry', async () => {
    await prepare()
    const source = vi.spyOn(frame(), 'src', 'set')
    isLoaded()
    vi.advanceTimersByTime(60_000)
    await vi.dynamicImportSettled()
    expect([source.mock.calls, sentence()]).toEqual([[], undefined])
    expect(warn).not.toHaveBeenCalled()
    handle.open()
    expect(source).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(8_000)
    await arrives(() => expect(sentence()).toBe('The chat can’t be reached right now.'))
    buttons()[0]?.click()
    expect(source).toHaveBeenCalledTimes(2)
    expect(box().querySelectorAll('iframe')).toHaveLength(1)
  })

  it('and is reloaded before anybody opened it is not told to begin', async () => {
    await prepare()
    says({ foyer: 'hello' })
    says({ foyer: 'hello' })
    const heard = listen(connected[1])
    handle.update({ theme: 'dark' })
    await arrives(() => expect(heard).toHaveLength(1))
    expect(heard).toEqual([{ type: 'looks', looks: expect.objectContaining({ theme: 'dark' }) }])
  })

  it('is gone with the chat, also where it was to be prepared in idle time', async () => {
    await prepare()
    const source = frame().contentWindow
    handle.destroy()
    says({ foyer: 'hello' }, BFF, source)
    expect(connected).toEqual([])
    const idle: (() => void)[] = []
    vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act))
    await put({ prepare: 'idle' })
    await arrives(() => expect(idle).toHaveLength(1))
    const place = box()
    handle.destroy()
    idle[0]?.()
    expect(place.querySelector('iframe')).toBeNull()
  })

  it('waits for the page, and for time that nothing else needs, where the site wants it then', async () => {
    const idle: (() => void)[] = []
    vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act))
    const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive')
    await put({ prepare: 'idle' })
    await vi.dynamicImportSettled()
    expect([idle, frame()]).toEqual([[], null])
    state.mockRestore()
    dispatchEvent(new Event('load'))
    expect([idle.length, frame()]).toEqual([1, null])
    idle[0]?.()
    expect(frame().src).toMatch(FRAME)
    const source = vi.spyOn(frame(), 'src', 'set')
    handle.open()
    expect(source).not.toHaveBeenCalled()
  })

  it('is not waited for by a press that comes before idle time', async () => {
    const idle: (() => void)[] = []
    vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act))
    await put({ prepare: 'idle' })
    await arrives(() => expect(idle).toHaveLength(1))
    handle.open()
    expect(frame().src).toMatch(FRAME)
    const source = vi.spyOn(frame(), 'src', 'set')
    idle[0]?.()
    expect(source).not.toHaveBeenCalled()
  })

  it('without a frame is the code alone: the BFF is asked for nothing before the press', async () => {
    vi.useRealTimers()
    const fetch = vi.fn(async () => Response.json({ unframed: true }))
    vi.stubGlobal('fetch', fetch)
    await prepare({ isolation: 'none' })
    await vi.dynamicImportSettled()
    expect(fetch).not.toHaveBeenCalled()
    expect(box().querySelector('section')).toBeNull()
    handle.open()
    await arrives(() => expect(box().className).toBe('ready'))
  })
})

describe('on a phone', () => {
  /** What jsdom lacks: modal dialogs, and the part of the page that the keyboard leaves. */
  class Viewport extends EventTarget {
    scale = 1
    offsetTop = 0
    height = 700
  }
  let viewport: Viewport
  let modals: string[]
  /** A modal dialog of the page. */
  let other: Element | null
  beforeEach(() => {
    media.phone = true
    other = null
    viewport = new Viewport()
    modals = []
    document.adoptedStyleSheets = []
    vi.stubGlobal('visualViewport', viewport)
    const { querySelector } = document
    vi.spyOn(document, 'querySelector').mockImplementation((selector: string) =>
      selector === ':modal' ? other : querySelector.call(document, selector),
    )
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        if (this.open) throw new DOMException('open', 'InvalidStateError')
        this.open = true
        modals.push('show')
      },
      close(this: HTMLDialogElement) {
        if (!this.open) return
        this.open = false
        modals.push('close')
      },
    })
  })
  afterEach(() => handle.destroy())
  const opened = async (options?: Options) => {
    await open(options)
    await arrives(() => expect(box().open).toBe(true))
  }

  it('the sheet is modal, and the page behind it stands still until it is closed', async () => {
    const own = new CSSStyleSheet()
    document.adoptedStyleSheets = [own]
    await opened()
    expect(document.adoptedStyleSheets).toHaveLength(2)
    handle.close()
    await arrives(() => expect(box().open).toBe(false))
    expect(document.adoptedStyleSheets).toEqual([own])
    expect(document.documentElement.getAttribute('style')).toBeNull()
    handle.open()
    await arrives(() => expect(box().open).toBe(true))
    handle.destroy()
    await arrives(() => expect(document.adoptedStyleSheets).toEqual([own]))
    expect(modals).toEqual(['show', 'close', 'show', 'close'])
  })

  it('the sheet is not modal over a dialog of the page that is, and is once that is gone', async () => {
    other = document.createElement('dialog')
    await open()
    expect(modals).toEqual([])
    other = null
    handle.setLocale('de')
    expect(modals).toEqual(['show'])
  })

  it('the sheet of a panel that is prepared is shown by the press itself, and not before', async () => {
    await put({ prepare: 'idle' })
    expect(modals).toEqual([])
    handle.open()
    expect(modals).toEqual(['show'])
  })

  it('the sheet is as large as what the keyboard leaves, and not changed by zooming', async () => {
    await opened()
    expect([box().style.top, box().style.height]).toEqual(['0px', '700px'])
    Object.assign(viewport, { height: 380, offsetTop: 24 })
    viewport.dispatchEvent(new Event('resize'))
    expect([box().style.top, box().style.height]).toEqual(['24px', '380px'])
    Object.assign(viewport, { height: 190, scale: 2 })
    viewport.dispatchEvent(new Event('scroll'))
    expect(box().style.height).toBe('380px')
    handle.close()
    await arrives(() => expect(box().getAttribute('style')).toBeNull())
    viewport.scale = 1
    viewport.dispatchEvent(new Event('resize'))
    expect(box().getAttribute('style')).toBeNull()
  })

  it('the sheet closes by what closes dialogs, such as the back gesture', async () => {
    await opened()
    const cancel = new Event('cancel', { cancelable: true })
    box().dispatchEvent(cancel)
    expect(cancel.defaultPrevented).toBe(true)
    expect(handle.getState().open).toBe(false)
    await arrives(() => expect(box().open).toBe(false))
  })

  it('a page that becomes wide has its panel beside it again', async () => {
    await opened()
    media.phone = false
    for (const query of queries) query.onchange?.()
    await arrives(() => expect(box().open).toBe(false))
    expect(handle.getState().open).toBe(true)
  })

  it('a chat that is embedded is not modal, and one that fills the window is', async () => {
    await open({ layout: 'embedded' })
    await Promise.resolve()
    expect(modals).toEqual([])
    handle.destroy()
    media.phone = false
    await opened({ layout: 'fullscreen' })
    box().close()
    box().dispatchEvent(new Event('close'))
    await arrives(() => expect(box().open).toBe(true))
  })
})

describe('a frame that does not answer', () => {
  const fails = async () => {
    vi.advanceTimersByTime(8_000)
    await arrives(() => expect(sentence()).toBeDefined())
  }

  it.each([true, false])(
    'is named in the console with its cure, on a page that is cross-origin isolated or not: %s',
    async (isolated) => {
      vi.stubGlobal('crossOriginIsolated', isolated)
      await open()
      expect(new URL(frame().src).searchParams.get('isolated')).toBe(String(isolated))
      await fails()
      expect(String(warn.mock.calls[0])).toMatch(
        /https:\/\/chat\.example\.com\/foyer\/frame.*frame-src.*FOYER_ORIGINS.*http:\/\/localhost/,
      )
      const cause = /cross-origin isolated.*Cross-Origin-Embedder-Policy.*Cross-Origin-Resource-Policy/
      if (isolated) expect(String(warn.mock.calls[0])).toMatch(cause)
      else expect(String(warn.mock.calls[0])).not.toMatch(cause)
    },
  )

  it.each(['retry', 'online'])('is asked again by %s, and fails a second time as the first', async (by) => {
    await open()
    for (let round = 0; round < 3; round++) {
      await fails()
      const source = vi.spyOn(frame(), 'src', 'set')
      if (by === 'retry') buttons()[0]?.click()
      else dispatchEvent(new Event('online'))
      expect(source).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(FRAME))
      source.mockRestore()
      expect(sentence()).toBeUndefined()
    }
    expect(warn).toHaveBeenCalledOnce()
    expect(box().querySelectorAll('iframe')).toHaveLength(1)
  })

  it('and answers late is shown all the same, and stays', async () => {
    await open()
    await fails()
    vi.advanceTimersByTime(60_000)
    says({ foyer: 'hello' })
    connected[0]?.postMessage({ type: 'ready' })
    await arrives(() => expect(sentence()).toBeUndefined())
    expect(box().className).toBe('ready')
    const source = vi.spyOn(frame(), 'src', 'set')
    dispatchEvent(new Event('online'))
    vi.advanceTimersByTime(60_000)
    expect(source).not.toHaveBeenCalled()
    expect(box().className).toBe('ready')
  })
})

describe('without a frame', () => {
  const answering = (answer: () => Promise<Response>) => {
    const fetch = vi.fn(answer)
    vi.stubGlobal('fetch', fetch)
    return fetch
  }

  it('the configuration of the connector is read', async () => {
    vi.useRealTimers()
    const fetch = answering(async () => Response.json({ unframed: false }))
    await open({ isolation: 'none', connector: 'second' })
    await arrives(() => expect(sentence()).toBe('The chat isn’t available on this page.'))
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      `${BFF}/foyer/second/config`,
      expect.objectContaining({ credentials: 'omit' }),
    )
  })

  it('a chat that is switched off says that it is closed', async () => {
    vi.useRealTimers()
    answering(async () => Response.json({ unframed: true, enabled: false }))
    await open({ isolation: 'none' })
    await arrives(() =>
      expect(box().querySelector('section')?.shadowRoot?.textContent).toContain('We’re closed right now'),
    )
  })

  it('the panel starts where an older BFF does not say whether it may', async () => {
    vi.useRealTimers()
    answering(async () => Response.json({}))
    await open({ isolation: 'none' })
    await arrives(() => expect(box().className).toBe('ready'))
    expect(box().querySelector('section')).not.toBeNull()
    expect(sentence()).toBeUndefined()
  })

  it.each([
    ['lets the page through', true, { url: location.origin + location.pathname, title: 'Heron' }],
    ['does not say so', undefined, undefined],
    ['says another word', 'on', undefined],
  ])('where the BFF %s, the service learns that of the page and no more', async (_, page, told) => {
    vi.useRealTimers()
    document.title = 'Heron'
    const sessions: string[] = []
    vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
      if (String(url).endsWith('/config')) return Response.json({ unframed: true, page })
      if (String(url).endsWith('access-token'))
        return Response.json({
          access_token: 't',
          expires_in: 3_600,
          token_type: 'Bearer',
          resumed: false,
          chat_url: BFF,
        })
      sessions.push(String(init.body))
      return Response.json({ error: 'full' }, { status: 429 })
    })
    await open({ isolation: 'none' })
    await arrives(() => expect(sessions).not.toEqual([]))
    expect(JSON.parse(sessions[0] ?? '')).toEqual(
      told
        ? expect.objectContaining({ page: told })
        : expect.not.objectContaining({ page: expect.anything() }),
    )
  })

  it.each(['on the ground', 'elsewhere'])(
    'a visitor who is %s as the panel comes has the focus in its field, or keeps it',
    async (at) => {
      vi.useRealTimers()
      answering(async () => Response.json({ unframed: true }))
      const field = document.body.appendChild(document.createElement('input'))
      await open({ isolation: 'none' })
      expect(root().activeElement).toBe(ground())
      if (at === 'elsewhere') field.focus()
      await arrives(() => expect(box().className).toBe('ready'))
      const focused = () => box().querySelector('section')?.shadowRoot?.activeElement?.localName
      if (at === 'on the ground') await arrives(() => expect(focused()).toBe('textarea'))
      else expect(document.activeElement).toBe(field)
      await arrives(() => expect(ground()).toBeNull())
      field.remove()
    },
  )

  it.each([
    ['says nonsense', async () => new Response('null')],
    ['fails', async () => new Response('no', { status: 500 })],
    ['cannot be reached', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('where the BFF %s, which may ask for consent, there is a retry and no panel', async (_, answer) => {
    vi.useRealTimers()
    answering(answer)
    await open({ isolation: 'none' })
    await arrives(() => expect(buttons()).toHaveLength(1))
    expect(box().querySelector('section')).toBeNull()
    answering(async () => Response.json({ unframed: true }))
    buttons()[0]?.click()
    await arrives(() => expect(box().className).toBe('ready'))
    expect(sentence()).toBeUndefined()
  })

  it('a chat that is destroyed while its configuration is fetched starts no panel', async () => {
    vi.useRealTimers()
    let answer = (_: Response) => {}
    const fetch = answering(() => new Promise((resolve) => (answer = resolve)))
    await open({ isolation: 'none' })
    await arrives(() => expect(fetch).toHaveBeenCalledOnce())
    const place = box()
    handle.destroy()
    answer(Response.json({ unframed: true }))
    await new Promise((resolve) => setTimeout(resolve))
    expect(place.querySelector('section')).toBeNull()
    expect(fetch).toHaveBeenCalledOnce()
  })
})

describe('a panel that the visitor makes wider', () => {
  const expand = async (expanded: boolean) => {
    connected.at(-1)?.postMessage({ type: 'expand', expanded })
    await arrives(() => expect(box().classList.contains('expanded')).toBe(expanded))
  }
  const KEY = 'foyer:test:wide'
  afterEach(() => localStorage.clear())

  it('tells the panel, and stands so from the first moment on the next page, until it is made as it was', async () => {
    await open()
    await ready()
    const heard: unknown[] = []
    if (connected[0]) connected[0].onmessage = ({ data }) => heard.push(data)
    await expand(true)
    await arrives(() =>
      expect(heard).toContainEqual({ type: 'looks', looks: expect.objectContaining({ expanded: true }) }),
    )
    // Whether it may be kept cannot be asked here: it counts as no.
    expect(localStorage.getItem(KEY)).toBeNull()
    document
      .querySelector('foyer-host')
      ?.dispatchEvent(new CustomEvent('foyer-consent', { detail: { given: true } }))
    expect(localStorage.getItem(KEY)).toBe('yes')
    handle.destroy()
    connected = []
    const window = await open()
    expect(box().classList).toContain('expanded')
    says({ foyer: 'hello' })
    expect(window.postMessage.mock.calls[0]?.[0]).toMatchObject({ start: { expanded: true } })
    await ready()
    await expand(false)
  })

  it.each([
    ['a phone', {}, true],
    ['the whole window', { layout: 'fullscreen' }, false],
    ['an element of the page', { layout: 'embedded' }, false],
  ] as const)(
    'is as wide as ever on %s, and the panel is not told that it could be',
    async (_, options, phone) => {
      media.phone = phone
      vi.stubGlobal('visualViewport', undefined)
      Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} })
      const { querySelector } = document
      vi.spyOn(document, 'querySelector').mockImplementation((selector: string) =>
        selector === ':modal' ? null : querySelector.call(document, selector),
      )
      localStorage.setItem(KEY, 'yes')
      const window = await open(options)
      expect(box().classList).not.toContain('expanded')
      says({ foyer: 'hello' })
      const [message] = window.postMessage.mock.calls[0] as [{ start: object }, ...unknown[]]
      expect(message.start).toMatchObject({ expanded: undefined })
    },
  )
})

it('movable is accepted, has no effect, and is warned of once on a page', async () => {
  vi.resetModules()
  const fresh = await import('../../../../src/embed/page/panel/container.ts')
  for (let round = 0; round < 2; round++) {
    handle = createHost({ movable: true }, 'foyer:test', fresh.placePanel(BFF, undefined))
    await handle.ready
    handle.open()
    handle.update({ theme: 'dark' })
    handle.update({ movable: true })
    expect(box().querySelectorAll('header')).toHaveLength(0)
    handle.destroy()
  }
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^Foyer: movable has no effect/))
})

it('a message that comes after a failed load of the code that draws attention to messages asks for that code again', async () => {
  let loads = 0
  const unread = vi.fn()
  async function attention() {
    // The code is asked for twice before it counts as failed.
    if (++loads <= 2) throw new Error('away')
    return { createAttention: () => ({ unread, dispose() {} }), showTeaser() {} } as never
  }
  handle = createHost({}, 'foyer:test', placePanel(BFF, undefined, {}, { attention }))
  const postMessage = (_: unknown, __: string, [port]: MessagePort[]) => connected.push(port as MessagePort)
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue({ postMessage } as never)
  await handle.ready
  handle.open()
  await ready()
  handle.close()
  const tell = (count: number) =>
    connected.at(-1)?.postMessage({ type: 'fact', name: 'unread', detail: { count } })
  tell(1)
  await arrives(() => expect(loads).toBe(2))
  await new Promise((settled) => setImmediate(settled))
  tell(2)
  await arrives(() => expect(unread).toHaveBeenCalled())
})
