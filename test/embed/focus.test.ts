// The composer has the focus once the panel is opened, also where the browser moves it into the frame late.

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPanel } from '../../src/embed/frame/panel.ts'
import { openIn } from './open-panel.ts'

let undo = () => {}
beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})
beforeEach(() => {
  document.body.replaceChildren()
  sessionStorage.clear()
  vi.stubGlobal('fetch', async () => Response.json({}))
})
afterEach(() => {
  undo()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const focused = () => document.activeElement?.localName

async function openedPanel(framed: boolean) {
  const { say, undo: leave } = openIn(openPanel, { start: {}, framed })
  undo = leave
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  say({ type: 'show', shown: true, focus: true })
  await vi.waitFor(() => expect(focused()).toBe('textarea'), 20_000)
}

it('goes back to the composer of a frame that the browser enters late', async () => {
  await openedPanel(true)
  // Firefox gives the focus to the document of the frame, and to none of its fields.
  ;(document.activeElement as HTMLElement).blur()
  expect(focused()).toBe('body')
  await vi.waitFor(() => expect(focused()).toBe('textarea'), 20_000)
})

it('goes to the composer of a frame that the browser enters later than any try, and that once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await openedPanel(true)
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  ;(document.activeElement as HTMLElement).blur()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(focused()).toBe('body')
  hasFocus.mockReturnValue(true)
  window.dispatchEvent(new Event('focus'))
  expect(focused()).toBe('textarea')
  // Once the composer had the focus, it does not take the focus back from the visitor.
  await vi.advanceTimersByTimeAsync(5_000)
  ;(document.activeElement as HTMLElement).blur()
  window.dispatchEvent(new Event('focus'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(focused()).toBe('body')
})

it('stays where the visitor put it, once the composer had it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await openedPanel(true)
  await vi.advanceTimersByTimeAsync(300)
  ;(document.activeElement as HTMLElement).blur()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(focused()).toBe('body')
})

it('is left alone in a page that holds the panel itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await openedPanel(false)
  ;(document.activeElement as HTMLElement).blur()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(focused()).toBe('body')
})

describe('the first keys in the frame', () => {
  const field = () => document.querySelector('textarea') as HTMLTextAreaElement
  /** Presses a key. True if the panel took the key from the browser. */
  function press(key: string, more: KeyboardEventInit = {}): boolean {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
    ;(document.activeElement ?? document.body).dispatchEvent(event)
    return event.defaultPrevented
  }
  async function unfocused() {
    const { port, say, undo: leave } = openIn(openPanel, { start: {}, framed: true })
    undo = leave
    const heard: unknown[] = []
    port.onmessage = ({ data }) => heard.push(data)
    say({ type: 'show', shown: true, focus: false })
    await vi.waitFor(() => expect(field()).not.toBeNull(), 20_000)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    return { say, heard }
  }
  const entered = () => new Promise((enter) => document.addEventListener('focusin', enter, { once: true }))

  it('come behind those that were pressed on the page before and are still on their way', async () => {
    const { say } = await unfocused()
    const moved = entered()
    for (const key of 'Hel') say({ type: 'key', key })
    say({ type: 'show', shown: true, focus: true })
    for (const key of ['l', 'u', 'Backspace', 'o']) expect(press(key), key).toBe(true)
    await moved
    expect([focused(), field().value]).toEqual(['textarea', 'Hello'])
    expect(press('!')).toBe(false)
  })

  it.each<[string, string, KeyboardEventInit]>([
    ['an input method', 'Process', {}],
    ['a paste', 'v', { ctrlKey: true }],
    ['AltGr', 'AltGraph', { ctrlKey: true, altKey: true }],
    ['a press', '', {}],
  ])('are in the composer, which has the focus, before %s', async (_, key, more) => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    await unfocused()
    for (const typed of 'Hi') press(typed)
    if (key) expect(press(key, more)).toBe(false)
    else document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    await vi.advanceTimersByTimeAsync(0)
    expect([focused(), field().value]).toEqual(['textarea', 'Hi'])
  })

  it('break the line with Shift, close the panel with Escape, and leave the focus in the page once it is there', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    const { heard } = await unfocused()
    expect(press('a')).toBe(true)
    expect(press('Shift')).toBe(false)
    expect(press('Enter', { shiftKey: true })).toBe(true)
    expect(press('b')).toBe(true)
    press('Escape')
    await vi.advanceTimersByTimeAsync(3_000)
    expect([focused(), field().value]).toEqual(['body', 'a\nb'])
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'close' }))
  })

  it('wait three seconds at most', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    await unfocused()
    for (const key of 'Hi') expect(press(key), key).toBe(true)
    await vi.advanceTimersByTimeAsync(2_999)
    expect(focused()).toBe('body')
    await vi.advanceTimersByTimeAsync(1)
    expect([focused(), field().value]).toEqual(['textarea', 'Hi'])
  })

  it('go straight into the composer once the visitor has pressed something in the panel', async () => {
    await unfocused()
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    // Nothing is written yet that these could send or delete.
    for (const key of ['Enter', 'Backspace']) expect(press(key), key).toBe(false)
    expect(focused()).toBe('body')
    expect(press('H')).toBe(false)
    expect(focused()).toBe('textarea')
  })
})
