// The page's side: what it reads, what it does before anybody wants it, and what it says to the page.

import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHost, type Handle } from '../../../../src/embed/page/host/host.ts'
import type { OpenPanel, PanelHost } from '../../../../src/embed/page/host/panel-host.ts'
import { type PageWords, pageWords } from '../../../../src/embed/page/host/words.ts'
import { createPageChannel } from '../../../../src/embed/page/panel/page-channel.ts'

// What jsdom lacks, as little of it as the launcher needs.
beforeAll(() => {
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: false, onchange: null }),
    CSS: { supports: (_: string, value: unknown) => `${value}`.startsWith('#') },
  })
})

const KEY = 'foyer:https://chat.example.com/'
let handle: Handle | undefined
type Opened = { host: PanelHost; port: MessagePort; removed: number }
let opened: Opened[]
let teasers: string[]
/** A panel that is there, as the launcher knows it. */
function attach(host: PanelHost): Opened {
  const link = createPageChannel(host, { ready() {}, newest() {}, expand() {} })
  const panel: Opened = { host, port: link.connect(), removed: 0 }
  host.attach({
    say: link.post,
    draw() {},
    remove() {
      panel.removed++
      link.close()
    },
  })
  return panel
}
const openPanel: OpenPanel = (host, teaser) => {
  if (teaser === undefined) opened.push(attach(host))
  else teasers.push(teaser)
}
const host = (options = {}) => {
  handle = createHost(options, KEY, openPanel)
  return handle
}
const launcher = () =>
  document.querySelector('foyer-host')?.shadowRoot?.querySelector('button') as HTMLButtonElement
/** What the panel hears, in order, once `count` messages have come. */
const heard = (port: MessagePort, count: number) =>
  new Promise<unknown[]>((resolve) => {
    const messages: unknown[] = []
    port.onmessage = ({ data }) => {
      messages.push(data)
      if (messages.length === count) resolve(messages)
    }
  })
/** Says something as the panel would, and waits until the page has heard it. */
const panelSays = (message: object) =>
  new Promise<void>((resolve) => {
    const [panel] = opened
    const undo = handle?.on('probe' as 'open', () => {
      undo?.()
      resolve()
    })
    panel?.port.postMessage(message)
    panel?.port.postMessage({ type: 'fact', name: 'probe', detail: {} })
  })

beforeEach(() => {
  opened = []
  teasers = []
  sessionStorage.clear()
})
afterEach(() => {
  handle?.destroy()
  vi.restoreAllMocks()
})

describe('before anybody opens the chat', () => {
  it('there is a launcher, and nothing else happens', async () => {
    const set = vi.spyOn(Storage.prototype, 'setItem')
    await host().ready
    expect(launcher().ariaLabel).toBe('Open chat')
    expect(opened).toEqual([])
    expect(set).not.toHaveBeenCalled()
    expect(handle?.getState()).toEqual({
      open: false,
      status: 'idle',
      sessionId: undefined,
      unread: 0,
      version: 1,
    })
  })

  it('a conversation of the page before is carried on, shown only if it was', async () => {
    sessionStorage.setItem(KEY, 'closed')
    await host().ready
    expect(opened).toHaveLength(1)
    expect(handle?.getState().open).toBe(false)
    handle?.destroy()
    sessionStorage.setItem(KEY, 'open')
    await host().ready
    expect(handle?.getState().open).toBe(true)
    expect(document.activeElement).toBe(document.body)
  })
})

describe('a launcher that the site hides', () => {
  it('comes back by a call, and goes by one', async () => {
    await host({ launcher: 'hidden' }).ready
    expect(launcher().hidden).toBe(true)
    handle?.update({ launcher: 'auto' })
    expect(launcher().hidden).toBe(false)
    handle?.update({ launcher: 'hidden' })
    expect(launcher().hidden).toBe(true)
    // Back to the default.
    handle?.update({ launcher: '' })
    expect(launcher().hidden).toBe(false)
  })
})

describe('where a router takes the chat off the page', () => {
  it('an embedded chat goes with its place, and stands nowhere else', async () => {
    document.body.append(Object.assign(document.createElement('div'), { id: 'place' }))
    await host({ layout: 'embedded', target: '#place' }).ready
    expect(document.querySelector('#place > foyer-host')).not.toBeNull()
    document.body.replaceChildren()
    handle?.update({ theme: 'dark' })
    expect(document.querySelector('foyer-host')).toBeNull()
  })
})

describe('while the page is still being read', () => {
  /** What the parser has read of the page, and then the rest of it. */
  const reading = () => {
    const state = vi.spyOn(document, 'readyState', 'get')
    state.mockReturnValue('loading')
    return () => {
      state.mockReturnValue('interactive')
      document.dispatchEvent(new Event('DOMContentLoaded'))
    }
  }

  it('an embedded chat waits for its target, also where the page opens it before', async () => {
    const goOn = reading()
    const made = host({ layout: 'embedded', target: '#later' })
    made.setDraft('hello')
    made.open()
    await Promise.resolve()
    expect(document.querySelector('foyer-host')).toBeNull()
    document.body.append(Object.assign(document.createElement('div'), { id: 'later' }))
    goOn()
    await made.ready
    expect(document.querySelector('#later > foyer-host')).not.toBeNull()
    expect(handle?.getState().open).toBe(true)
    document.body.replaceChildren()
  })

  it('an embedded chat without a target that the page has stands at the end of the page', async () => {
    for (const target of ['#nowhere', '#[[[', undefined]) {
      const goOn = reading()
      const made = host({ layout: 'embedded', target })
      document.body.append(document.createElement('main'))
      goOn()
      await made.ready
      expect(document.body.lastElementChild?.localName).toBe('foyer-host')
      made.destroy()
      document.body.replaceChildren()
    }
  })

  it.each([
    ['whose target is there', { layout: 'embedded', target: 'body' }],
    ['that floats', {}],
    ['that floats, whatever its target,', { target: '#later' }],
    ['that fills the page', { layout: 'fullscreen' }],
  ] as const)('a chat %s waits for nothing', async (_, options) => {
    reading()
    await host(options).ready
    expect(document.querySelector('body > foyer-host')).not.toBeNull()
  })

  it('a chat comes once there is a body', async () => {
    const goOn = reading()
    const { body } = document
    body.remove()
    const made = host()
    document.documentElement.append(body)
    expect(document.querySelector('foyer-host')).toBeNull()
    goOn()
    await made.ready
    expect(document.querySelector('body > foyer-host')).not.toBeNull()
  })
})

describe('a panel that is prepared', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
    Object.assign(navigator, { connection: undefined })
  })

  it.each([
    ['the site does not want it', {}, false],
    ['the visitor has to agree first', { prepare: 'idle', consent: 'required' }, false],
    ['the visitor refused', { prepare: 'idle', consent: 'refused' }, false],
    ['the visitor wants to save data', { prepare: 'idle' }, true],
  ] as const)('is not made where %s, and the press makes the panel', async (_, options, saveData) => {
    Object.assign(navigator, { connection: { saveData } })
    await host(options).ready
    for (const type of ['pointerenter', 'focus', 'pointerdown']) launcher().dispatchEvent(new Event(type))
    expect(opened).toEqual([])
    launcher().click()
    expect(opened).toHaveLength(1)
  })

  it('is told nothing about a conversation, and the press goes on with it', async () => {
    await host({ prepare: 'idle' }).ready
    handle?.restart()
    handle?.end()
    handle?.tool('cut')
    launcher().click()
    expect(opened).toHaveLength(1)
    expect(opened[0] && (await heard(opened[0].port, 1))).toEqual([
      { type: 'show', shown: true, focus: true },
    ])
  })

  it('lets the page cancel the opening, as often as it is tried', async () => {
    await host({ prepare: 'idle' }).ready
    const cancel = (event: Event) => event.preventDefault()
    document.addEventListener('foyer-before-open', cancel)
    launcher().click()
    launcher().click()
    document.removeEventListener('foyer-before-open', cancel)
    expect(handle?.getState().open).toBe(false)
    launcher().click()
    expect(opened).toHaveLength(1)
    expect(opened[0] && (await heard(opened[0].port, 1))).toEqual([
      { type: 'show', shown: true, focus: true },
    ])
  })

  it('goes where the visitor refuses', async () => {
    await host({ prepare: 'idle' }).ready
    handle?.consent(false)
    expect(opened[0]?.removed).toBe(1)
    launcher().click()
    expect(opened).toHaveLength(2)
  })

  it('stays, and is told, where the page takes back the consent that it gave', async () => {
    await host({ prepare: 'idle', consent: 'given' }).ready
    handle?.consent(false)
    expect(opened.at(-1)?.removed).toBe(0)
    expect(opened.at(-1)?.host.options().consent).toBe('refused')
  })
})

/** The events of these types that the page hears, in order. */
const events = (...types: string[]) => {
  const told: string[] = []
  const listen = (event: Event) => told.push(event.type)
  for (const type of types) document.addEventListener(type, listen)
  onTestFinished(() => {
    for (const type of types) document.removeEventListener(type, listen)
  })
  return told
}

describe('opening', () => {
  it('loads the panel once, and tells the page', async () => {
    const told: string[] = []
    const listen = (event: Event) => told.push(event.type)
    for (const type of ['foyer-open', 'foyer-close', 'foyer-before-open'])
      document.addEventListener(type, listen)
    await host().ready
    launcher().click()
    launcher().click()
    launcher().click()
    expect(opened).toHaveLength(1)
    expect(`${launcher().ariaExpanded}`).toBe('true')
    expect(told).toEqual([
      'foyer-before-open',
      'foyer-open',
      'foyer-close',
      'foyer-before-open',
      'foyer-open',
    ])
    for (const type of ['foyer-open', 'foyer-close', 'foyer-before-open'])
      document.removeEventListener(type, listen)
  })

  it('that the page cancels does not show, whatever else the page does while it is asked', async () => {
    await host().ready
    const cancel = (event: Event) => {
      handle?.update({ theme: 'dark' })
      event.preventDefault()
    }
    document.addEventListener('foyer-before-open', cancel)
    onTestFinished(() => document.removeEventListener('foyer-before-open', cancel))
    handle?.open()
    expect(`${launcher().ariaExpanded}`).toBe('false')
    expect(document.querySelector<HTMLElement>('foyer-host')?.dataset.foyerState).toBe('float')
  })

  it('that is asked for before the launcher is on the page can be cancelled by the page, and is told to it', async () => {
    const told = events('foyer-before-open', 'foyer-open')
    host().open()
    await handle?.ready
    expect(told).toEqual(['foyer-before-open', 'foyer-open'])
    handle?.destroy()
    const cancel = (event: Event) => event.preventDefault()
    document.addEventListener('foyer-before-open', cancel)
    onTestFinished(() => document.removeEventListener('foyer-before-open', cancel))
    host().open()
    await handle?.ready
    expect(handle?.getState().open).toBe(false)
    expect(opened).toHaveLength(1)
  })

  it.each([
    ['opens', ['before-open', 'open'], true],
    ['toggles', ['before-open'], false],
    ['closes', ['before-open'], false],
    ['destroys', ['before-open', 'destroy'], false],
  ] as const)(
    'is asked about once, also where the page %s the chat while it is asked',
    async (_, expected, isOpen) => {
      await host().ready
      const told = events('foyer-before-open', 'foyer-open', 'foyer-close', 'foyer-destroy')
      const act = { opens: 'open', toggles: 'toggle', closes: 'close', destroys: 'destroy' } as const
      const meanwhile = () => handle?.[act[_]]()
      document.addEventListener('foyer-before-open', meanwhile)
      onTestFinished(() => document.removeEventListener('foyer-before-open', meanwhile))
      handle?.open()
      expect(told).toEqual(expected.map((type) => `foyer-${type}`))
      expect(handle?.getState().open).toBe(isOpen)
      expect(`${launcher()?.ariaExpanded ?? false}`).toBe(`${isOpen}`)
    },
  )

  it('that the page takes back while it is asked is not told to the panel, which would begin a chat', async () => {
    await host().ready
    handle?.setDraft('hello')
    const meanwhile = () => handle?.close()
    document.addEventListener('foyer-before-open', meanwhile)
    onTestFinished(() => document.removeEventListener('foyer-before-open', meanwhile))
    handle?.open()
    document.removeEventListener('foyer-before-open', meanwhile)
    handle?.open()
    expect(opened[0] && (await heard(opened[0].port, 2))).toEqual([
      { type: 'draft', text: 'hello' },
      { type: 'show', shown: true, focus: true },
    ])
  })
})

describe('what the panel says', () => {
  it('is told on, with id, time and version, and kept in the state', async () => {
    await host().ready
    handle?.open()
    const seen: unknown[] = []
    const undo = handle?.on('unread', (detail) => seen.push(detail))
    await panelSays({ type: 'fact', name: 'unread', detail: { count: 120 } })
    await panelSays({ type: 'fact', name: 'session', detail: { session_id: 's-1' } })
    undo?.()
    await panelSays({ type: 'fact', name: 'unread', detail: { count: 2 } })
    expect(seen).toEqual([
      { count: 120, id: expect.stringMatching(/^unread-/), time: expect.any(Number), version: 1 },
    ])
    expect(handle?.getState()).toMatchObject({ sessionId: 's-1', unread: 2 })
  })

  it('keeps a flag for the next page while a conversation lives, and nothing else', async () => {
    await host().ready
    handle?.open()
    await panelSays({ type: 'live', live: true })
    expect({ ...sessionStorage }).toEqual({ [KEY]: 'open' })
    await panelSays({ type: 'close' })
    expect({ ...sessionStorage }).toEqual({ [KEY]: 'closed' })
    await panelSays({ type: 'live', live: false })
    expect({ ...sessionStorage }).toEqual({})
  })

  it('is not believed where it is nonsense', async () => {
    await host().ready
    handle?.open()
    for (const nonsense of [
      null,
      5,
      'text',
      [],
      { type: 5 },
      { type: 'fact' },
      { type: 'fact', name: 5 },
      { type: 'fact', name: 'unread', detail: null },
    ])
      opened[0]?.port.postMessage(nonsense)
    await panelSays({ type: 'from-tomorrow' })
    expect(handle?.getState()).toMatchObject({ open: true, unread: 0 })
  })
})

describe('signing out', () => {
  it('reaches the panel, and clears the flag for the next page', async () => {
    await host().ready
    handle?.open()
    await panelSays({ type: 'live', live: true })
    handle?.logout()
    expect({ ...sessionStorage }).toEqual({})
    const [panel] = opened
    expect(panel && (await heard(panel.port, 2))).toEqual([
      { type: 'show', shown: true, focus: true },
      { type: 'logout' },
    ])
  })

  it('loads the panel where the chat was not opened on this page', async () => {
    await host().ready
    handle?.logout()
    expect(opened).toHaveLength(1)
    expect(opened[0] && (await heard(opened[0].port, 1))).toEqual([{ type: 'logout' }])
    expect(handle?.getState().open).toBe(false)
  })
})

describe('a visitor who refused', () => {
  it('is asked nothing and has nothing loaded, on this page and the next, until the chat is opened', async () => {
    for (const options of [{ consent: 'refused' }, { consent: 'refused', autoOpen: true }, {}] as const) {
      const set = vi.spyOn(Storage.prototype, 'setItem')
      await host(options).ready
      handle?.consent(false)
      await Promise.resolve()
      expect(opened).toEqual([])
      expect(set).not.toHaveBeenCalled()
      expect(handle?.getState().open).toBe(false)
      handle?.destroy()
    }
    await host({ consent: 'refused' }).ready
    launcher().click()
    expect(opened.map(({ removed }) => removed)).toEqual([0])
  })

  it('after consenting on this page has the panel loaded, which alone can forget', async () => {
    await host().ready
    handle?.consent(true)
    expect(opened).toEqual([])
    handle?.consent(false)
    expect(opened).toHaveLength(1)
    expect(opened[0]?.host.options().consent).toBe('refused')
  })

  it('with a conversation of the page before has the panel loaded, once', async () => {
    sessionStorage.setItem(KEY, 'closed')
    await host({ consent: 'refused' }).ready
    expect(opened).toHaveLength(1)
    expect(handle?.getState().open).toBe(false)
    sessionStorage.setItem(KEY, 'closed')
    handle?.destroy()
    await host().ready
    handle?.consent(false)
    expect(opened).toHaveLength(2)
  })
})

describe('a panel', () => {
  it('that was reloaded is told again to show itself, over a new channel', async () => {
    const handle = host()
    await handle.ready
    handle.open()
    let ready = 0
    const link = createPageChannel(opened[0]?.host as PanelHost, {
      ready: () => ready++,
      newest() {},
      expand() {},
    })
    link.post({ type: 'show', shown: true, focus: true })
    link.post({ type: 'draft', text: 'a' })
    const first = link.connect()
    expect(await heard(first, 2)).toEqual([
      { type: 'show', shown: true, focus: true },
      { type: 'draft', text: 'a' },
    ])
    first.postMessage({ type: 'ready' })
    await vi.waitFor(() => expect(ready).toBe(1))
    const second = link.connect()
    expect(await heard(second, 1)).toEqual([{ type: 'show', shown: true }])
    const told: unknown[] = []
    handle.on('unread', ({ count }) => told.push(count))
    first.postMessage({ type: 'ready' })
    first.postMessage({ type: 'fact', name: 'unread', detail: { count: 1 } })
    second.postMessage({ type: 'ready' })
    second.postMessage({ type: 'fact', name: 'unread', detail: { count: 2 } })
    await vi.waitFor(() => expect(told).toEqual([2]))
    expect(ready).toBe(2)
    link.close()
  })
})

describe('what a page gives by mistake', () => {
  it('in place of a text is not said, and what is said after it arrives', async () => {
    const handle = host()
    await handle.ready
    handle.send((() => {}) as never)
    handle.send('hello')
    handle.setDraft((() => {}) as never)
    handle.send('again')
    expect(await heard(opened[0]?.port as MessagePort, 2)).toEqual([
      { type: 'send', text: 'hello' },
      { type: 'send', text: 'again' },
    ])
  })

  it('in place of a teaser opens no second panel', async () => {
    await host().ready
    handle?.open()
    for (const nothing of [undefined, null, '']) handle?.showTeaser(nothing as never)
    expect(opened).toHaveLength(1)
    expect(teasers).toEqual(['', '', ''])
  })
})

describe('on a page with styles of its own', () => {
  it('the host has no class, no id and no attribute but data-foyer-…', async () => {
    await host({ position: 'left', theme: 'dark' }).ready
    handle?.open()
    handle?.hide()
    const element = document.querySelector('foyer-host') as HTMLElement
    const names = () => element.getAttributeNames().filter((name) => name !== 'style')
    expect(names()).toEqual(['data-foyer-state'])
    expect(element.dataset.foyerState?.split(' ')).toEqual(['float', 'left', 'open'])
    handle?.show()
    handle?.close()
    expect(element.dataset.foyerState?.split(' ')).toEqual(['float', 'left'])
  })
})

describe('the launcher’s name', () => {
  it('is in the language of the page', async () => {
    await host({ locale: 'fr-CA' }).ready
    expect(launcher().ariaLabel).toBe('Ouvrir le chat')
  })

  it('is there in every language, and so are the other words around the panel', () => {
    const languages = 'en fr es de pt it nl pl sv tr ar he hi ja ko zh zh-TW'.split(' ')
    const names = Object.keys(pageWords('en')) as (keyof PageWords)[]
    const english = pageWords('en')
    for (const name of names) {
      // Eight languages say Chat, and some words are the same in two.
      expect(new Set(languages.map((tag) => pageWords(tag)[name])).size).toBeGreaterThan(
        name === 'title' ? 7 : 13,
      )
      for (const tag of languages.slice(1))
        if (name !== 'title')
          expect([tag, name, pageWords(tag)[name]]).not.toEqual([tag, name, english[name]])
    }
  })
})

describe('the top layer', () => {
  /** What jsdom lacks: popovers, and the modal state of dialogs. As in browsers, what is shown already cannot be shown again. */
  const withPopovers = (isModal = false) => {
    const shown: Element[] = []
    const { querySelector } = document
    const prototype = HTMLElement.prototype as Partial<HTMLElement>
    prototype.showPopover = function (this: HTMLElement) {
      if (!this.isConnected || this.popover !== 'manual' || shown.includes(this))
        throw new DOMException('not now', 'InvalidStateError')
      shown.push(this)
    }
    vi.spyOn(document, 'querySelector').mockImplementation((selector: string) =>
      selector === ':modal' ? (isModal ? document.body : null) : querySelector.call(document, selector),
    )
    return shown
  }
  const prototype = HTMLElement.prototype as Partial<HTMLElement>
  afterEach(() => {
    delete prototype.showPopover
    document.documentElement.removeAttribute('style')
  })

  it('is left to a modal dialog of the page, and entered after it', async () => {
    const shown = withPopovers(true)
    await host().ready
    handle?.open()
    expect(shown).toEqual([])
    vi.restoreAllMocks()
    const later = withPopovers()
    handle?.close()
    expect(later).toHaveLength(1)
  })

  it.each(['embedded', 'fullscreen'] as const)('has no chat in it that is %s', async (layout) => {
    const shown = withPopovers()
    await host({ layout }).ready
    expect(shown).toEqual([])
  })
})

describe('teasers', () => {
  it('come by option or by call, and load nothing of the chat', async () => {
    await host({ teaser: 'May I help?' }).ready
    handle?.showTeaser('Or now?')
    handle?.animateLauncher()
    expect(teasers).toEqual(['May I help?', 'Or now?', ''])
    expect(opened).toEqual([])
  })

  it('are not for those who are already talking', async () => {
    sessionStorage.setItem(KEY, 'closed')
    await host({ teaser: 'May I help?' }).ready
    expect(teasers).toEqual([])
  })
})

describe('when options change later,', () => {
  it.each([
    ['an empty text', ''],
    ['null', null],
    ['undefined', undefined],
  ] as const)('an option goes back to its default by %s, and the others stay', async (_, nothing) => {
    await host({ accent: '#123', theme: 'dark', agentName: 'Fern', locale: 'de' }).ready
    handle?.open()
    const element = document.querySelector('foyer-host') as HTMLElement
    expect(element.style.getPropertyValue('--foyer-accent')).toBe('#123')
    handle?.update({ accent: nothing, theme: nothing, locale: nothing })
    expect(element.style.getPropertyValue('--foyer-accent')).toBe('')
    expect(opened[0]?.host.options()).toEqual({ agentName: 'Fern' })
    expect(launcher().ariaLabel).toBe('Close chat')
    handle?.update({ agentName: nothing })
    expect(opened[0]?.host.options()).toEqual({})
  })

  it.each(['', null, undefined])('%j in place of the consent takes none back', async (nothing) => {
    await host({ consent: 'required' }).ready
    handle?.update({ theme: 'dark', consent: nothing } as object)
    handle?.open()
    expect(opened[0]?.host.options()).toEqual({ theme: 'dark', consent: 'required' })
  })

  it('a colour that is none changes nothing', async () => {
    await host({ accent: '#123' }).ready
    handle?.update({ accent: 'nocolour' })
    expect(document.querySelector<HTMLElement>('foyer-host')?.style.getPropertyValue('--foyer-accent')).toBe(
      '#123',
    )
  })

  it('a token that the page sets on the element itself stays, whatever else changes', async () => {
    await host().ready
    const element = document.querySelector('foyer-host') as HTMLElement
    element.style.setProperty('--foyer-offset-y', '80px')
    handle?.open()
    handle?.close()
    handle?.update({ theme: 'dark' })
    handle?.setLocale('de')
    handle?.consent(true)
    expect(element.style.getPropertyValue('--foyer-offset-y')).toBe('80px')
  })

  it('the looks are read by the same rules as at the start', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await host().ready
    handle?.open()
    const [panel] = opened
    const before = panel?.host.options()
    handle?.update({ accent: 'var(--x,url(https://evil.example.com))', theme: 'dark' })
    handle?.setLocale('<b>')
    expect(panel?.host.options()).toEqual({ ...before, theme: 'dark' })
    expect(warn).toHaveBeenCalledTimes(2)
  })
})

describe('destroy', () => {
  const hosts = () => document.querySelectorAll('foyer-host').length

  it('before the first microtask leaves nothing either, and nothing comes later', async () => {
    sessionStorage.setItem(KEY, 'open')
    host().destroy()
    await handle?.ready
    await Promise.resolve()
    expect(hosts()).toBe(0)
    expect(opened).toEqual([])
  })

  it('before the page has a body leaves nothing when it comes', async () => {
    const { body } = document
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading')
    body.remove()
    host()
    document.documentElement.append(body)
    handle?.destroy()
    document.dispatchEvent(new Event('DOMContentLoaded'))
    await handle?.ready
    expect(hosts()).toBe(0)
    expect(opened).toEqual([])
  })

  it('is for good: what the handle is asked later has no effect', async () => {
    await host().ready
    handle?.open()
    let told = 0
    handle?.on('destroy', () => {
      told++
      handle?.destroy()
    })
    handle?.destroy()
    handle?.destroy()
    for (const act of [handle?.open, handle?.toggle, handle?.show, handle?.hide, handle?.restart]) act?.()
    handle?.send('late')
    handle?.update({ theme: 'dark' })
    opened[0]?.host.close()
    opened[0]?.host.draw()
    handle?.showTeaser('late')
    handle?.animateLauncher()
    expect(hosts()).toBe(0)
    expect(opened).toHaveLength(1)
    expect(teasers).toEqual([])
    expect(opened[0]?.removed).toBe(1)
    expect(told).toBe(1)
  })
})
