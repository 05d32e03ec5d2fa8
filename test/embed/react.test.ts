// The component and the hook, in a development build of React: what stays on the page, what reaches the chat, and what others learn of it.

import { act, createElement, Fragment, type ReactNode, StrictMode } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import type { Listener, MountOptions, PageEventType } from '../../src/embed/index.ts'
import { type Foyer, FoyerChat, type FoyerChatProps, useFoyer } from '../../src/embed/react/index.ts'

const ORIGIN = 'https://chat.example.com'
const MOST_WAITING = 100

const hosts = () => [...document.querySelectorAll<HTMLElement>('foyer-host')]
const launcher = () => hosts()[0]?.shadowRoot?.querySelector<HTMLButtonElement>('div > button')
const chat = (props: FoyerChatProps = {}, key?: string) =>
  createElement(FoyerChat, { origin: ORIGIN, ...props, key })

let roots: Root[]
/** What each chat's panel began with, and its end of the channel. */
let started: object[]
let ports: MessagePort[]
let warn: ReturnType<typeof vi.spyOn>
let error: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  roots = []
  started = []
  ports = []
  sessionStorage.clear()
  localStorage.clear()
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  error = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({ matches: false, onchange: null }))
  vi.stubGlobal('CSS', { supports: () => true })
  // jsdom gives frames in a shadow root no window.
  const frame = {
    postMessage({ start }: { start: object }, _: string, [port]: MessagePort[]) {
      started.push(start)
      ports.push(port as MessagePort)
    },
  }
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(frame as never)
})
afterEach(async () => {
  for (const root of roots) await act(async () => root.unmount())
  expect(hosts()).toEqual([])
  document.body.replaceChildren()
  expect(error.mock.calls).toEqual([])
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function app(): (node: ReactNode) => Promise<void> {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  roots.push(root)
  return (node) => act(async () => root.render(node))
}
/** The panel of the chat says hello. Returns what it says and hears from then on. */
function panel() {
  const frame = hosts()[0]?.shadowRoot?.querySelector('iframe')
  dispatchEvent(
    new MessageEvent('message', {
      data: { foyer: 'hello' },
      origin: ORIGIN,
      source: frame?.contentWindow as Window,
    }),
  )
  const port = ports.at(-1) as MessagePort
  const heard: { type: string; looks?: MountOptions }[] = []
  port.onmessage = ({ data }) => heard.push(data)
  return {
    heard,
    says: (name: string, detail: object) =>
      act(async () => {
        const told = new Promise((resolve) =>
          document.addEventListener(`foyer-${name}`, resolve, { once: true }),
        )
        port.postMessage({ type: 'fact', name, detail })
        await told
      }),
  }
}
/** A component elsewhere, that says what it knew each time it was drawn. */
function observer() {
  const seen: Foyer[] = []
  const Observer = () => {
    seen.push(useFoyer())
    return null
  }
  return { seen, last: () => seen.at(-1) as Foyer, node: createElement(Observer) }
}

describe('the chat on the page', () => {
  it('is one in StrictMode, and was never another', async () => {
    const events: string[] = []
    const hear = ({ type }: Event) => events.push(type)
    for (const type of ['ready', 'open', 'destroy']) document.addEventListener(`foyer-${type}`, hear)
    const render = app()
    for (let round = 0; round < 3; round++) {
      await render(createElement(StrictMode, null, chat({ autoOpen: true })))
      expect(hosts()).toHaveLength(1)
      expect(events.splice(0)).toEqual(['foyer-open', 'foyer-ready'])
      await render(null)
      expect(hosts()).toHaveLength(0)
      expect(events.splice(0)).toEqual(['foyer-destroy'])
    }
    for (const type of ['ready', 'open', 'destroy']) document.removeEventListener(`foyer-${type}`, hear)
  })

  it('stays where another component shows it from the same moment on, as with the next page or a refresh of code', async () => {
    const onDestroy = vi.fn()
    const render = app()
    await render(chat({ onDestroy }, 'one page'))
    const [element] = hosts()
    await render(createElement('main', null, chat({ onDestroy, accent: '#0a7d4f' }, 'another')))
    expect(hosts()).toEqual([element])
    expect(onDestroy).not.toHaveBeenCalled()
    expect(element?.style.getPropertyValue('--foyer-accent')).toBe('#0a7d4f')
  })

  it('leaves no listener on the page when it goes', async () => {
    const counts = new Map<string, number>()
    const render = app()
    await render(null)
    for (const target of [window, document])
      for (const [name, by] of [
        ['addEventListener', 1],
        ['removeEventListener', -1],
      ] as const) {
        const real = target[name].bind(target)
        const counted = (type: string, ...rest: [EventListener]) => {
          counts.set(type, (counts.get(type) ?? 0) + by)
          real(type, ...rest)
        }
        vi.spyOn(target, name).mockImplementation(counted as typeof real)
      }
    await render(chat({ autoOpen: true }))
    expect(counts.get('message')).toBe(1)
    await render(null)
    expect([...counts].filter(([, count]) => count > 0)).toEqual([])
    expect(hosts()).toEqual([])
  })

  it('is that of the first component, and of the next one once that is gone', async () => {
    const render = app()
    const two = (first: boolean) =>
      createElement(
        Fragment,
        null,
        first && chat({ accent: 'red' }, 'first'),
        chat({ accent: 'blue' }, 'second'),
      )
    await render(two(true))
    await render(two(true))
    const accents = () => hosts().map(({ style }) => style.getPropertyValue('--foyer-accent'))
    expect(accents()).toEqual(['red'])
    expect(warn.mock.calls).toEqual([[expect.stringContaining('one <FoyerChat>')]])
    await render(two(false))
    expect(accents()).toEqual(['blue'])
  })

  it('stands in an element of the component where it is embedded, with a class of the app', async () => {
    const render = app()
    await render(chat({ layout: 'embedded', className: 'tall' }))
    expect(hosts()[0]?.parentElement?.outerHTML).toMatch(/^<div id="[^"]+" class="tall"><foyer-host/)
    const place = document.body.appendChild(document.createElement('section'))
    await render(chat({ layout: 'embedded', target: 'section' }))
    expect(hosts().map(({ parentElement }) => parentElement)).toEqual([place])
    expect(document.querySelector('.tall')).toBeNull()
  })

  it.each<[string, FoyerChatProps, string]>([
    ['nothing', {}, ''],
    ['an empty element', { layout: 'embedded', className: 'tall' }, '<div id="…" class="tall"></div>'],
  ])('is %s in the HTML of a server, which a browser takes up without a word', async (_, props, html) => {
    const node = createElement(StrictMode, null, chat(props), observer().node)
    const sent = renderToString(node)
    expect(sent.replace(/id="[^"]+"/, 'id="…"')).toBe(html)
    const container = document.body.appendChild(document.createElement('div'))
    const range = document.createRange()
    container.append(range.createContextualFragment(sent))
    await act(async () => void roots.push(hydrateRoot(container, node)))
    expect(hosts()).toHaveLength(1)
    expect(container.contains(hosts()[0] as Node)).toBe(html !== '')
  })
})

describe('a changed option', () => {
  it('reaches the chat on the page, and one that is gone goes back to its default', async () => {
    const render = app()
    await render(chat({ locale: 'de', accent: '#0a7d4f' }))
    const [element] = hosts()
    expect(launcher()?.ariaLabel).toBe('Chat öffnen')
    await render(chat({ locale: 'en', launcher: 'hidden' }))
    expect(hosts()).toEqual([element])
    expect(launcher()?.ariaLabel).toBe('Open chat')
    expect(launcher()?.hidden).toBe(true)
    expect(element?.style.getPropertyValue('--foyer-accent')).toBe('')
  })

  it('is told to the panel once, and equal objects are none', async () => {
    const render = app()
    const options = (placeholder: string) =>
      chat({ autoOpen: true, form: [{ label: 'Name' }], words: { placeholder }, onMessage() {} })
    await render(options('Ask us'))
    const { heard } = panel()
    const looks = () => heard.filter(({ type }) => type === 'looks').map((message) => message.looks?.words)
    await render(options('Ask us'))
    await render(options('Ask Fern'))
    await render(options('Ask Fern'))
    await vi.waitFor(() => expect(looks()).toEqual(['{"placeholder":"Ask Fern"}']))
    expect(hosts()).toHaveLength(1)
    expect(Object.keys(started[0] ?? {})).toEqual(expect.arrayContaining(['form', 'words']))
    // To draw the launcher anew, its style is read.
    const read = vi.spyOn(globalThis, 'getComputedStyle')
    await render(options('Ask Fern'))
    expect(read).not.toHaveBeenCalled()
    await render(options('Ask me'))
    expect(read).toHaveBeenCalled()
  })

  it('is an option: neither a class nor a callback is told to the panel', async () => {
    const render = app()
    await render(chat({ autoOpen: true, className: 'tall', onOpen() {} }))
    const { heard } = panel()
    await render(chat({ autoOpen: true, className: 'wide', onClose() {}, accent: 'red' }))
    await vi.waitFor(() => expect(heard.some(({ looks }) => looks?.accent === 'red')).toBe(true))
    const names = [...started, ...heard.map(({ looks }) => looks ?? {})].flatMap(Object.keys)
    expect(names.filter((name) => /^className$|^on[A-Z]/.test(name))).toEqual([])
  })

  it('of consent loads the panel where it withdraws: the panel alone can erase what an earlier page stored', async () => {
    const loaded = () => hosts()[0]?.shadowRoot?.querySelector('iframe[src]')
    const render = app()
    await render(chat({ consent: 'given' }))
    expect(loaded()).toBeFalsy()
    await render(chat({ consent: 'refused' }))
    expect(loaded()).toBeTruthy()
  })

  it('is not the choice of the visitor, which a page that says the same as before leaves as it is', async () => {
    const render = app()
    await render(chat({ autoOpen: true, consent: 'given' }))
    const { heard, says } = panel()
    await says('consent', { given: false })
    await render(chat({ autoOpen: true, consent: 'given', accent: 'red' }))
    await vi.waitFor(() => expect(heard.at(-1)?.looks).toMatchObject({ accent: 'red', consent: 'refused' }))
  })

  const first: FoyerChatProps = { autoOpen: true, render: { header: () => undefined } }
  const anew: FoyerChatProps[] = [
    { origin: 'https://chat.example.org' },
    { connector: 'second' },
    { isolation: 'none' },
    { layout: 'embedded', target: 'body' },
    { target: 'body' },
    { platform: 'android' },
    { position: 'left' },
    { streaming: false },
    { tools: true },
    { render: {} },
  ]
  it.each(anew)('that only a beginning takes begins the chat anew: %o', async (change) => {
    const render = app()
    await render(chat(first))
    const [element] = hosts()
    await render(chat({ ...first, ...change }))
    expect(hosts()).toHaveLength(1)
    expect(hosts()[0]).not.toBe(element)
  })

  const next: FoyerChatProps[] = [
    { autoOpen: false },
    { prepare: 'idle' },
    { teaser: 'Can I help?', teaserWhen: '10' },
    { consent: 'required' },
    { className: 'tall' },
    { onOpen() {} },
    { render: { header: () => document.createElement('h2') } },
    { theme: 'dark', greeting: 'Hello', notify: 'none' },
  ]
  it.each(next)('that needs no beginning leaves the chat as it is: %o', async (change) => {
    const render = app()
    await render(chat(first))
    const [element] = hosts()
    await render(chat({ ...first, ...change }))
    expect(hosts()).toEqual([element])
  })

  it.each<[FoyerChatProps['consent'], FoyerChatProps['consent'], string | undefined]>([
    ['required', 'given', 'given'],
    ['required', 'refused', 'refused'],
    ['given', 'required', 'refused'],
    ['given', undefined, undefined],
  ])('of consent from %s to %s tells the panel: %s', async (before, after, told) => {
    const render = app()
    await render(chat({ autoOpen: true, consent: before }))
    const { heard } = panel()
    await render(chat({ autoOpen: true, consent: after, accent: 'red' }))
    const looks = () => heard.filter(({ type }) => type === 'looks').map((message) => message.looks?.consent)
    await vi.waitFor(() => expect(looks().at(-1)).toBe(told ?? before))
  })
})

describe('a callback', () => {
  it('gets the fields of its event, and is the newest one', async () => {
    const [before, after] = [vi.fn(), vi.fn()]
    const render = app()
    await render(chat({ autoOpen: true, onMessage: before }))
    const { says } = panel()
    await says('message', { role: 'agent', length: 5 })
    await render(chat({ autoOpen: true, onMessage: after }))
    await says('message', { role: 'visitor', length: 7 })
    expect(before.mock.calls).toEqual([[expect.objectContaining({ role: 'agent', length: 5, version: 1 })]])
    expect(after.mock.calls).toEqual([[expect.objectContaining({ role: 'visitor', length: 7 })]])
  })

  const CALLBACKS: Readonly<Record<PageEventType, keyof FoyerChatProps>> = {
    'before-open': 'onBeforeOpen',
    'before-receive': 'onBeforeReceive',
    'before-send': 'onBeforeSend',
    close: 'onClose',
    connection: 'onConnection',
    consent: 'onConsent',
    csat: 'onCsat',
    decision: 'onDecision',
    delivery: 'onDelivery',
    destroy: 'onDestroy',
    end: 'onEnd',
    error: 'onError',
    feedback: 'onFeedback',
    handoff: 'onHandoff',
    language: 'onLanguage',
    message: 'onMessage',
    open: 'onOpen',
    ready: 'onReady',
    session: 'onSession',
    suggestion: 'onSuggestion',
    unread: 'onUnread',
    wire: 'onWire',
  }
  it('is called once for each event of its name, also one that the props have only later', async () => {
    const called: string[] = []
    const callbacks = Object.fromEntries(
      Object.values(CALLBACKS).map((name) => [
        name,
        ({ id }: { id: string }) => called.push(`${name} ${id}`),
      ]),
    )
    const render = app()
    await render(chat())
    await render(chat(callbacks))
    await render(chat(callbacks))
    const tell = (type: string) =>
      hosts()[0]?.dispatchEvent(new CustomEvent(`foyer-${type}`, { detail: { id: type } }))
    await act(async () => Object.keys(CALLBACKS).forEach(tell))
    expect(called).toEqual(Object.entries(CALLBACKS).map(([type, name]) => `${name} ${type}`))
  })

  it('is there for each event of the page, with its type', () => {
    type Capital<T extends string> = T extends `${infer A}-${infer B}`
      ? `${Capital<A>}${Capital<B>}`
      : Capitalize<T>
    expectTypeOf<Omit<FoyerChatProps, keyof MountOptions | 'className'>>().toEqualTypeOf<{
      readonly [T in PageEventType as `on${Capital<T>}`]?: Listener<T> | undefined
    }>()
  })
})

describe('useFoyer', () => {
  it('tells any component the state as it changes, and draws none where it does not', async () => {
    const { seen, last, node } = observer()
    await app()(node)
    const render = app()
    expect(last().state).toEqual({ open: false, status: 'idle', unread: 0, version: 1 })
    await render(chat())
    expect(seen).toHaveLength(1)
    await act(async () => last().open())
    expect(last().state.open).toBe(true)
    const { says } = panel()
    await says('connection', { status: 'live' })
    expect(last().state.status).toBe('live')
    await says('session', { session_id: 'one' })
    expect(last().state.sessionId).toBe('one')
    await says('unread', { count: 2 })
    expect(last().state).toEqual({ open: true, status: 'live', sessionId: 'one', unread: 2, version: 1 })
    const drawn = seen.length
    await says('message', { role: 'agent', length: 5 })
    await says('unread', { count: 2 })
    expect(seen).toHaveLength(drawn)
    await render(null)
    expect(last().state).toEqual({ open: false, status: 'idle', unread: 0, version: 1 })
  })

  it('does not call a chat open that the page keeps closed', async () => {
    const refuse = (event: Event) => event.preventDefault()
    document.addEventListener('foyer-before-open', refuse)
    const { seen, last, node } = observer()
    await app()(createElement(Fragment, null, node, chat()))
    await act(async () => last().open())
    expect(seen.filter(({ state }) => state.open)).toEqual([])
    document.removeEventListener('foyer-before-open', refuse)
  })

  it('has the same functions in every state', async () => {
    const { seen, last, node } = observer()
    await app()(createElement(Fragment, null, node, chat()))
    const { state: _, ...before } = last()
    await act(async () => last().toggle())
    const { state, ...after } = last()
    expect([state.open, seen.length]).toEqual([true, 2])
    expect(Object.values(after).every((each, at) => each === Object.values(before)[at])).toBe(true)
  })

  it('keeps calls for a chat that is yet to come, in their order, up to a hundred', async () => {
    const { last, node } = observer()
    await app()(node)
    last().open()
    for (let count = 0; count < MOST_WAITING + 20; count++) last().setDraft(`${count}`)
    const render = app()
    await render(createElement(StrictMode, null, chat()))
    const { heard } = panel()
    expect(last().state.open).toBe(true)
    await vi.waitFor(() =>
      expect(heard.filter(({ type }) => type === 'draft')).toHaveLength(MOST_WAITING - 1),
    )
    expect(heard.filter(({ type }) => type === 'draft').at(-1)).toMatchObject({ text: '98' })
    await render(null)
    // None is left for another chat.
    await render(chat())
    expect(last().state.open).toBe(false)
  })
})
