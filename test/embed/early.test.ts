// Before the panel's code has run, nothing that the visitor writes, sends or presses is lost.

import { fireEvent, within } from '@testing-library/preact'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Start } from '../../src/embed/channel.ts'
import { showEarly } from '../../src/embed/early.ts'
import { makeShell } from '../../src/ui/index.ts'
import { ar } from '../../src/ui/locales/ar.ts'

beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})

let page: MessagePort
let port: MessagePort
/** What the page hears. */
let heard: unknown[]
beforeEach(() => {
  const { port1, port2 } = new MessageChannel()
  page = port1
  // Messages of jsdom's window and of its ports are of one kind here.
  port = port2
  heard = []
  page.onmessage = ({ data }) => heard.push(data)
  // A busy machine takes longer for words than visitors are to wait.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  vi.stubGlobal('CSS', { supports: () => true })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  page.close()
  document.body.replaceChildren()
  sessionStorage.clear()
  localStorage.clear()
})

async function show(given: Start = { locale: 'en' }) {
  const early = await showEarly(makeShell(document), given, port)
  if (!early) throw new Error('Nothing is shown')
  return early
}
const screen = () => within(document.body)
const field = () => screen().getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement
const write = (value: string) => fireEvent.input(field(), { target: { value } })

describe('what is shown before the panel', () => {
  it.each<[string, Start]>([
    ['with consent', { consent: 'required' }],
    ['that says what its visitor said', { consent: 'given' }],
    ['with a form', { form: '[]' }],
    ['with starters', { starters: 'Where is my order?', agentName: 'Fern' }],
    ['whose office may be closed', { hours: 'Mon 09:00-10:00', outsideHours: 'closed' }],
  ])('is nothing on a page %s, which may have something else to show', async (_, given) => {
    expect(await showEarly(makeShell(document), given, port)).toBeUndefined()
    expect(document.body.childElementCount).toBe(0)
  })

  it('speaks the language of the page, in its direction, and no English', async () => {
    await show({ locale: 'ar' })
    const { lang, dir, textContent } = document.querySelector('.foyer') as HTMLElement
    expect([lang, dir]).toEqual(['ar', 'rtl'])
    expect(textContent).toContain(ar.statusReady)
    expect(screen().getByRole('textbox', { name: ar.message }).getAttribute('placeholder')).toBe(
      ar.placeholder,
    )
    // What is read aloud or seen, in no attribute either.
    const shown = [...document.querySelectorAll('*')].flatMap((each) =>
      ['aria-label', 'placeholder'].flatMap((name) => each.getAttribute(name) ?? []),
    )
    for (const text of [textContent, ...shown]) expect(text).not.toMatch(/[a-z]{3}/i)
  })

  it('speaks the language that the visitor chose', async () => {
    localStorage.setItem('foyer:shop:language', 'de')
    await show({ connector: 'shop', locale: 'en' })
    expect(screen().getByRole('textbox').getAttribute('aria-label')).toBe('Nachricht')
    expect((document.querySelector('.foyer') as HTMLElement).lang).toBe('de')
  })

  it('has the name, the words and the colours of the site', async () => {
    const given = {
      agentName: 'Fern',
      words: { send: 'Off it goes', direction: 'rtl', menu: ' ' },
      tokens: { font: 'serif' },
    }
    await show(given as Start)
    expect(screen().getByRole('heading').textContent).toBe('Fern')
    screen().getByRole('button', { name: 'Off it goes' })
    screen().getByRole('button', { name: 'More' })
    expect((document.querySelector('.foyer') as HTMLElement).dir).toBe('ltr')
    expect(document.documentElement.style.getPropertyValue('--foyer-font')).toBe('serif')
    document.documentElement.removeAttribute('style')
  })

  it('where Enter breaks the line sends with Shift+Enter', async () => {
    const early = await show({ enterSends: false })
    expect(field().getAttribute('enterkeyhint')).toBe('enter')
    await write('One')
    expect(await fireEvent.keyDown(field(), { key: 'Enter', cancelable: true })).toBe(true)
    await fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true })
    expect(early.handOver()).toEqual([{ type: 'send', text: 'One' }])
  })

  it('is nothing where the words do not come in time', async () => {
    const time = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
    const shown = showEarly(makeShell(document), { locale: 'pl' }, port)
    time.abort()
    expect(await shown).toBeUndefined()
    expect(document.body.childElementCount).toBe(0)
  })

  it('has the focus once the page says that the visitor opened it, and not before', async () => {
    await show()
    expect(document.activeElement).not.toBe(field())
    page.postMessage({ type: 'show', shown: true, focus: true })
    await vi.waitFor(() => expect(document.activeElement).toBe(field()))
  })

  it('takes no focus by the panel once it is closed again', async () => {
    const early = await show()
    page.postMessage({ type: 'show', shown: true, focus: true })
    page.postMessage({ type: 'show', shown: false, focus: true })
    let come = 0
    port.addEventListener('message', () => come++)
    await vi.waitFor(() => expect(come).toBe(2))
    field().blur()
    expect(early.handOver()).toEqual([
      { type: 'show', shown: true, focus: false },
      { type: 'show', shown: false, focus: true },
    ])
  })

  it('takes no focus on a phone', async () => {
    const early = await show()
    page.postMessage({ type: 'show', shown: true, focus: 'panel' })
    page.postMessage({ type: 'close' })
    const said: unknown[] = []
    // What follows it has come, so it has.
    port.addEventListener('message', ({ data }) => said.push(data))
    await vi.waitFor(() => expect(said).toHaveLength(2))
    expect(early.handOver()).toEqual(said)
    expect(document.activeElement).not.toBe(field())
  })
})

describe('before the panel is there', () => {
  it('Enter and the button send, in their order, and what is written after them stays', async () => {
    const early = await show()
    await write('First')
    await fireEvent.keyDown(field(), { key: 'Enter' })
    await write('Second')
    await fireEvent.click(screen().getByRole('button', { name: 'Send' }))
    await write('Third')
    expect(early.handOver()).toEqual([
      { type: 'send', text: 'First' },
      { type: 'send', text: 'Second' },
    ])
    expect(field().value).toBe('Third')
  })

  it('Shift+Enter, blanks and an input method send nothing', async () => {
    const early = await show()
    await write('   ')
    await fireEvent.keyDown(field(), { key: 'Enter' })
    await write('こんにちは')
    await fireEvent.keyDown(field(), { key: 'Enter', isComposing: true })
    await fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 })
    await fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true })
    expect(early.handOver()).toEqual([])
    expect(field().value).toBe('こんにちは')
  })

  it('the cross and Escape close it', async () => {
    await show()
    await fireEvent.click(screen().getByRole('button', { name: 'Close chat' }))
    await fireEvent.keyDown(field(), { key: 'Escape' })
    await vi.waitFor(() => expect(heard).toEqual([{ type: 'ready' }, { type: 'close' }, { type: 'close' }]))
  })

  it('Escape closes nothing that cannot be opened again', async () => {
    await show({ closable: false })
    await fireEvent.keyDown(field(), { key: 'Escape' })
    page.postMessage({ type: 'show', shown: true, focus: true })
    await vi.waitFor(() => expect(document.activeElement).toBe(field()))
    expect(heard).toEqual([{ type: 'ready' }])
  })

  it('a press on the menu waits for the panel', async () => {
    const shell = makeShell(document)
    await showEarly(shell, {}, port)
    await fireEvent.click(screen().getByRole('button', { name: 'More' }))
    expect(shell.pressed).toBe(true)
  })

  it('a code that does not come is told, and tried again at once by a press, without the focus', async () => {
    const early = await show()
    early.late(() => false)
    early.late(() => false)
    expect(screen().getByRole('dialog', { name: 'Chat' }).textContent).toContain('Offline')
    const tried = vi.fn()
    addEventListener('online', tried, { once: true })
    await fireEvent.click(screen().getByRole('button', { name: 'Retry' }))
    expect(tried).toHaveBeenCalledOnce()
    expect(document.activeElement).toBe(field())
  })

  it('a page that goes leaves what was sent and written to the next', async () => {
    const early = await show({ connector: 'shop' })
    await write('Sent')
    await fireEvent.keyDown(field(), { key: 'Enter' })
    await write('Written')
    window.dispatchEvent(new Event('pagehide'))
    expect(sessionStorage.getItem('foyer:shop:draft')).toContain('Sent\nWritten')
    early.handOver()
  })

  it('nothing is kept here once the panel has it', async () => {
    const early = await show({ connector: 'handed-over' })
    await write('Written')
    early.handOver()
    window.dispatchEvent(new Event('pagehide'))
    expect(sessionStorage.getItem('foyer:handed-over:draft')).toBeNull()
    await fireEvent.keyDown(field(), { key: 'Enter' })
    expect(field().value).toBe('Written')
  })
})
