// From what stands first to the panel: what the visitor and the page did in between is neither lost nor undone.

import { fireEvent, within } from '@testing-library/preact'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Start, ToPage } from '../../src/embed/channel.ts'
import { type Early, showEarly } from '../../src/embed/early.ts'
import { openPanel } from '../../src/embed/panel.ts'
import { openReception } from '../../src/embed/reception.ts'
import { makeShell } from '../../src/ui/index.ts'
import { ar } from '../../src/ui/locales/ar.ts'

beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})

let page: MessagePort
let port: MessagePort
let heard: ToPage[]
let requests: string[]
let undo: (() => void) | undefined
beforeEach(() => {
  const { port1, port2 } = new MessageChannel()
  page = port1
  port = port2
  heard = []
  requests = []
  page.onmessage = ({ data }) => heard.push(data)
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    requests.push(`${init.method ?? 'GET'} ${String(url)}`)
    return Response.json({})
  })
})
afterEach(() => {
  undo?.()
  undo = undefined
  page.close()
  document.body.replaceChildren()
  sessionStorage.clear()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const GIVEN: Start = { connector: 'shop', locale: 'en' }
async function early(given = GIVEN) {
  const shown = await showEarly(makeShell(document), given, port)
  if (!shown) throw new Error('Nothing is shown')
  return shown
}
it.each([
  ['is read once', undefined, 1],
  ['that is there is not read', Promise.resolve({ imageOrigins: [], consent: false, unframed: true }), 0],
])('the configuration %s', async (_, config, times) => {
  undo = openPanel({
    root: document,
    container: document.body,
    port,
    start: GIVEN,
    origin: 'https://chat.example.com',
    expose: 'none',
    config,
  })
  await vi.waitFor(() => expect(heard).toContainEqual({ type: 'ready' }), 10_000)
  expect(requests).toEqual(Array(times).fill('GET https://chat.example.com/foyer/config'))
})

async function takeOver(shown: Early | undefined, given = GIVEN, said: unknown[] = []) {
  undo = openPanel({
    root: document,
    container: document.body,
    port,
    start: given,
    origin: 'https://chat.example.com',
    framed: true,
    expose: 'none',
    config: new Promise(() => {}),
    shell: shown?.shell,
    details: shown?.details,
    reception: shown?.details && { openReception },
    said: shown?.handOver() ?? said,
  })
  await vi.waitFor(() => expect(heard).toContainEqual({ type: 'ready' }), 10_000)
}
const screen = () => within(document.body)
const field = () => screen().getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement
const write = (value: string) => fireEvent.input(field(), { target: { value } })
/** What the page says has come by then. */
async function say(...messages: unknown[]) {
  let come = 0
  const count = () => come++
  port.addEventListener('message', count)
  for (const message of messages) page.postMessage(message)
  await vi.waitFor(() => expect(come).toBe(messages.length))
  port.removeEventListener('message', count)
}

it('a chat begun anew after the consent is refused and given is on the screen', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true })
  await takeOver(shown)
  page.postMessage({ type: 'looks', looks: { ...GIVEN, consent: 'refused' } })
  await vi.waitFor(() => expect(document.body.textContent).toContain('Agree'), 10_000)
  page.postMessage({ type: 'looks', looks: { ...GIVEN, consent: 'given' } })
  await vi.waitFor(() => expect(document.querySelector('textarea')).toBeTruthy(), 10_000)
})

it('on a phone, the field that the visitor tapped keeps the focus', async () => {
  const given = { ...GIVEN, phone: true }
  const shown = await early(given)
  await say({ type: 'show', shown: true, focus: 'panel' })
  field().focus()
  await write('Hel')
  await takeOver(shown, given)
  expect(document.activeElement).toBe(field())
})

it('with a keyboard, the button that the visitor went to keeps the focus', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true })
  screen().getByRole('button', { name: 'Send' }).focus()
  await takeOver(shown)
  expect(document.activeElement).toBe(screen().getByRole('button', { name: 'Send' }))
})

it('what the visitor wrote is not replaced by a draft that the page gave before', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true }, { type: 'draft', text: 'About order 12: ' })
  await write(`${field().value}where is it?`)
  await takeOver(shown)
  expect(field().value).toContain('where is it?')
})

it('the send button says that it can be pressed once there are words', async () => {
  await early()
  await write('Hello')
  expect(screen().getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('false')
})

it('a page that comes back from the cache sends and keeps everything once', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true })
  await write('Sent')
  await fireEvent.keyDown(field(), { key: 'Enter' })
  await write('Written')
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new Event('pageshow'))
  await takeOver(shown)
  expect(field().value).toBe('Written')
})

it('nothing of a visitor who signed out is kept for the next', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true })
  await write('My secret')
  await say({ type: 'logout' })
  window.dispatchEvent(new Event('pagehide'))
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('My secret')
  shown.handOver()
})

it('what is written after somebody signed out stays', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true })
  await write('Of the one')
  await say({ type: 'logout' })
  expect(field().value).toBe('')
  await write('Of the next')
  await takeOver(shown)
  expect(field().value).toBe('Of the next')
})

it('the draft of an earlier page stands in the field from the start', async () => {
  sessionStorage.setItem('foyer:shop:draft', 'undefined I wanted to ask')
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true })
  expect(field().value).toBe('I wanted to ask')
  shown.handOver()
})

it('the caret stays where it is, with a draft of an earlier page', async () => {
  sessionStorage.setItem('foyer:shop:draft', 'undefined I wanted to ask')
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true })
  await write('Hello world')
  field().setSelectionRange(5, 5)
  await takeOver(shown)
  expect(field().value.slice(0, field().selectionStart).endsWith('Hello')).toBe(true)
})

it('what was sent is seen before the panel is there', async () => {
  await early()
  await write('Where is my order?')
  await fireEvent.keyDown(field(), { key: 'Enter' })
  expect(`${document.body.textContent}${field().value}`).toContain('Where is my order?')
})

it('Escape is used up, as in the panel', async () => {
  await early()
  expect(await fireEvent.keyDown(field(), { key: 'Escape', cancelable: true })).toBe(false)
})

it('right-to-left text is written from the right', async () => {
  await early()
  await write('שלום')
  expect(field().getAttribute('dir')).toBe('auto')
})

it('without what stands first, too, a chat begun anew is on the screen', async () => {
  await takeOver(undefined, GIVEN, [{ type: 'show', shown: true, focus: true }])
  page.postMessage({ type: 'looks', looks: { ...GIVEN, consent: 'refused' } })
  await vi.waitFor(() => expect(document.body.textContent).toContain('Agree'), 10_000)
  page.postMessage({ type: 'looks', looks: { ...GIVEN, consent: 'given' } })
  await vi.waitFor(() => expect(document.querySelector('textarea')).toBeTruthy(), 10_000)
})

it('keys that the page sends before the panel is there are written in their order', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true }, ...[...'abc'].map((key) => ({ type: 'key', key })))
  await takeOver(shown)
  await vi.waitFor(() => expect(field().value).toHaveLength(3))
  expect(field().value).toBe('abc')
})

it('without what stands first, too, keys of the page are written in their order', async () => {
  page.postMessage({ type: 'show', shown: true, focus: true })
  for (const key of 'abc') page.postMessage({ type: 'key', key })
  await takeOver(undefined)
  await vi.waitFor(() => expect(field().value).toHaveLength(3))
  expect(field().value).toBe('abc')
})

it('Enter among such keys sends what stands before it', async () => {
  const shown = await early()
  const keys = ['a', 'b', 'Enter', 'c'].map((key) => ({ type: 'key', key }))
  await say({ type: 'show', shown: true, focus: true }, ...keys)
  await takeOver(shown)
  await vi.waitFor(() => expect(field().value).toBe('c'))
})

/** Everything that is seen or read aloud in the panel, at each moment from now on. */
function watched(element: Element) {
  const texts = () => [
    element.textContent,
    ...[element, ...element.querySelectorAll('*')].flatMap((each) =>
      ['aria-label', 'placeholder', 'lang', 'dir'].flatMap((name) => each.getAttribute(name) ?? []),
    ),
  ]
  const seen = new Set(texts())
  const observer = new MutationObserver(() => {
    for (const text of texts()) seen.add(text)
  })
  observer.observe(element, { subtree: true, childList: true, attributes: true, characterData: true })
  return { seen, end: () => observer.disconnect() }
}

it.each([
  ['of the page', 'ar', undefined],
  ['that the visitor chose', 'de', 'ar'],
])('in the language %s nothing is ever said in another', async (_, locale, chosen) => {
  if (chosen) localStorage.setItem('foyer:shop:language', chosen)
  const given = { ...GIVEN, locale }
  const shown = await early(given)
  const { seen, end } = watched(shown.shell.element)
  await say({ type: 'show', shown: true, focus: true })
  await takeOver(shown, given)
  await vi.waitFor(() => expect(shown.shell.element.textContent).toContain(ar.statusConnecting), 10_000)
  end()
  // Names of languages and directions are no words.
  for (const text of seen) if (!/^(ar|rtl|auto)$/.test(`${text}`)) expect(text).not.toMatch(/[a-z]{3}/i)
  expect([...seen]).not.toContain('ltr')
  expect([...seen]).not.toContain('de')
})

it('a name and words of the site’s own stay, with the field, the focus and what is written', async () => {
  const given: Start = {
    ...GIVEN,
    agentName: 'Fern',
    words: '{"placeholder":"Ask about bicycles"}',
    enterSends: false,
  }
  const shown = await early(given)
  const { seen, end } = watched(shown.shell.element)
  await say({ type: 'show', shown: true, focus: true })
  const before = field()
  await write('Sent')
  await fireEvent.keyDown(before, { key: 'Enter', shiftKey: true })
  await write('Half a ques')
  await takeOver(shown, given)
  expect(field()).toBe(before)
  expect(document.activeElement).toBe(before)
  expect(before.value).toBe('Half a ques')
  expect(document.querySelectorAll('.foyer')).toHaveLength(1)
  await vi.waitFor(
    () => expect(document.querySelector('[role="log"]')?.textContent).toContain('Sent'),
    10_000,
  )
  end()
  expect([...seen].join()).not.toMatch(/Assistant|Write a message/)
})

it('a colour that the page changes in between is the one that stays', async () => {
  const painted = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(colours)
  const given: Start = { ...GIVEN, accent: '#c00' }
  const shown = await early(given)
  const accent = () => shown.shell.element.style.getPropertyValue('--accent')
  expect(accent()).toBe('rgb(204 0 0)')
  await say({ type: 'looks', looks: { ...given, accent: '#006' } })
  await takeOver(shown, given)
  await vi.waitFor(() => expect(accent()).toBe('rgb(0 0 102)'), 10_000)
  expect(painted).toHaveBeenCalled()
})

it('with a name, too, nothing of a visitor who signed out is left for the next', async () => {
  const given: Start = { ...GIVEN, agentName: 'Fern' }
  const shown = await early(given)
  await say({ type: 'show', shown: true, focus: true })
  await write('My secret')
  await fireEvent.keyDown(field(), { key: 'Enter' })
  await write('My other secret')
  await say({ type: 'logout' })
  await takeOver(shown, given)
  expect(field().value).toBe('')
  expect(document.querySelector('[role="log"]')?.textContent).not.toContain('My secret')
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret')
})

it('nothing that somebody sent is seen after they signed out, before the panel is there', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true })
  await write('My secret')
  await fireEvent.keyDown(field(), { key: 'Enter' })
  await say({ type: 'logout' })
  expect(document.body.textContent).not.toContain('My secret')
  shown.handOver()
})

it('after a sign-out before the panel is there, the next person has a chat that has not ended', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true }, { type: 'logout' })
  await write('I need ')
  await takeOver(shown)
  await vi.waitFor(() => expect(requests.some((request) => /^POST/.test(request))).toBe(true), 10_000)
  expect(document.body.textContent).not.toContain('ended')
  expect(document.activeElement).toBe(field())
  expect(field().value).toBe('I need ')
})

it.each<[string, Start]>([
  ['without options', GIVEN],
  ['with a name', { ...GIVEN, agentName: 'Fern' }],
])('a page %s that refuses before the panel is there asks for no token', async (_, given) => {
  const shown = await early(given)
  await say(
    { type: 'show', shown: true, focus: true },
    { type: 'looks', looks: { ...given, consent: 'refused' } },
  )
  await takeOver(shown, given)
  await vi.waitFor(() => expect(document.body.textContent).toContain('Agree'), 10_000)
  expect(requests.filter((request) => /^POST/.test(request))).toEqual([])
})

it('a visitor who went back to the page stays there', async () => {
  const shown = await early()
  await say({ type: 'show', shown: true, focus: true })
  expect(document.activeElement).toBe(field())
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  const focus = vi.spyOn(field(), 'focus')
  await takeOver(shown)
  await vi.waitFor(() => expect(requests.some((request) => /^POST/.test(request))).toBe(true), 10_000)
  expect(focus).not.toHaveBeenCalled()
})

/** A canvas that knows these colours. */
function colours() {
  let style = '#000000'
  return {
    get fillStyle() {
      return style
    },
    set fillStyle(next: string) {
      style = next
    },
    fillRect() {},
    getImageData: () => ({ data: [1, 2, 3].map((n) => 17 * Number.parseInt(style[n] ?? '0', 16)) }),
  } as unknown as CanvasRenderingContext2D
}
