// The page's side: what it reads, what it does before anybody wants it, and what it says to the page.

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHost, type Handle, type OpenPanel } from '../../src/embed/host.ts'
import { readOptions } from '../../src/embed/options.ts'

// What jsdom lacks, as little of it as the launcher needs.
beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: false, onchange: null }),
    CSS: { supports: (_: string, value: string) => value.startsWith('#') },
  })
})

const KEY = 'foyer:https://chat.example.com/'
let handle: Handle | undefined
let opened: { start: Record<string, unknown>; port: MessagePort }[]
const openPanel: OpenPanel = (_, start, port) => {
  opened.push({ start, port })
  return () => {}
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
    const undo = handle?.on('probe', () => {
      undo?.()
      resolve()
    })
    panel?.port.postMessage(message)
    panel?.port.postMessage({ type: 'fact', name: 'probe', detail: {} })
  })

beforeEach(() => {
  opened = []
  sessionStorage.clear()
})
afterEach(() => {
  handle?.destroy()
  vi.restoreAllMocks()
})

describe('options', () => {
  it('are read from every source, the later counting more', () => {
    expect(
      readOptions({ theme: 'dark', accent: '#123' }, undefined, {
        theme: 'light',
        streaming: 'false',
        autoOpen: true,
      }),
    ).toEqual({
      theme: 'light',
      accent: '#123',
      streaming: false,
      autoOpen: true,
    })
  })

  it('that are unknown are ignored, and bad ones warned of by their name and never by their value', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const hostile = JSON.parse('{"__proto__":{"theme":"dark"},"constructor":"x","nonsense":1}')
    expect(
      readOptions(hostile, {
        layout: 'secret-value',
        origin: 'javascript:alert(1)',
        connector: '../x',
        locale: '<b>',
      }),
    ).toEqual({})
    expect(warn).toHaveBeenCalledTimes(4)
    expect(warn.mock.calls.join()).toContain('layout must be float|embedded|fullscreen')
    expect(warn.mock.calls.join()).not.toContain('secret-value')
    expect(({} as { theme?: string }).theme).toBeUndefined()
  })

  it('may have the names of the service’s own snippet', () => {
    expect(readOptions({ renderMode: 'inline', showIcon: 'false' })).toEqual({
      layout: 'embedded',
      launcher: 'hidden',
    })
  })
})

describe('before anybody opens it', () => {
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
    expect(launcher().ariaLabel).toBe('Close chat')
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

  it('can be cancelled by the page', async () => {
    await host().ready
    const cancel = (event: Event) => event.preventDefault()
    document.addEventListener('foyer-before-open', cancel)
    handle?.open()
    document.removeEventListener('foyer-before-open', cancel)
    expect(opened).toEqual([])
    expect(handle?.getState().open).toBe(false)
  })

  it('tells the panel how to look, and what the visitor wants', async () => {
    await host({ platform: 'ios', streaming: false, theme: 'dark', accent: '#123456', connector: 'second' })
      .ready
    handle?.send('hello')
    handle?.open()
    const [panel] = opened
    expect(panel?.start).toMatchObject({
      platform: 'ios-web',
      streaming: false,
      theme: 'dark',
      accent: '#123456',
      connector: 'second',
    })
    expect(panel && (await heard(panel.port, 2))).toEqual([
      { type: 'send', text: 'hello' },
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
    expect(launcher().textContent).toBe('2')
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

describe('destroy', () => {
  it('leaves nothing on the page', async () => {
    await host().ready
    handle?.open()
    handle?.destroy()
    expect(document.querySelector('foyer-host')).toBeNull()
  })
})
