// The field has the focus once the panel is opened, also where the browser moves the focus into the frame late, or gives its keys to the page.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createKeyboard, type Keyboard } from '../../../src/embed/frame/keyboard.ts'

let keyboard: Keyboard
let said: unknown[]
let sent: string[]
let ending: AbortController

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  document.body.innerHTML =
    '<section role="dialog" tabindex="-1"><form class="composer"><textarea></textarea></form><button>Other</button></section>'
  sent = []
  HTMLFormElement.prototype.requestSubmit = () => {
    sent.push(field().value)
  }
  begin()
})
afterEach(() => {
  ending.abort()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function begin(start: object = {}): void {
  said = []
  ending = new AbortController()
  keyboard = createKeyboard(start, (message) => said.push(message), ending.signal)
}
const field = () => document.querySelector('textarea') as HTMLTextAreaElement
const focused = () => document.activeElement?.localName
/** Presses a key where the focus is. True if the panel took the key from the browser. */
function press(key: string, more: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  ;(document.activeElement ?? document.body).dispatchEvent(event)
  return event.defaultPrevented
}

describe('the focus', () => {
  it('goes back to the field of a frame that the browser enters late', () => {
    keyboard.want(true)
    // Firefox gives the focus to the document of the frame, and to none of its fields.
    field().blur()
    vi.advanceTimersByTime(200)
    expect(focused()).toBe('textarea')
  })

  it('goes to the field of a frame that the browser enters later than any try, and that once', () => {
    const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    keyboard.want(true)
    field().blur()
    vi.advanceTimersByTime(5_000)
    expect(focused()).toBe('body')
    hasFocus.mockReturnValue(true)
    window.dispatchEvent(new Event('focus'))
    expect(focused()).toBe('textarea')
    // Once the field had the focus, it does not take the focus back from the visitor.
    vi.advanceTimersByTime(5_000)
    field().blur()
    window.dispatchEvent(new Event('focus'))
    vi.advanceTimersByTime(5_000)
    expect(focused()).toBe('body')
  })

  it('is not taken from where the visitor has put it', () => {
    keyboard.want(true)
    document.querySelector('button')?.focus()
    vi.advanceTimersByTime(5_000)
    expect(focused()).toBe('button')
  })

  it.each([
    ['the panel itself, where a field would raise a keyboard', 'panel', 'section'],
    ['nothing, where nobody opened the panel', false, 'body'],
    ['nothing, where an older page says nothing', undefined, 'body'],
  ] as const)('goes to %s', (_, want, where) => {
    keyboard.want(want)
    vi.advanceTimersByTime(5_000)
    expect(focused()).toBe(where)
  })

  it('goes to the panel where there is no field, and to the button for a new chat', () => {
    field().remove()
    keyboard.want(true)
    expect(focused()).toBe('section')
    document.body.insertAdjacentHTML('beforeend', '<div class="over"><button class="primary"></button></div>')
    keyboard.want(true)
    expect((document.activeElement as HTMLElement).className).toBe('primary')
  })
})

describe('a key while no control has the focus', () => {
  it.each<[string, string, KeyboardEventInit, string]>([
    ['a letter', 'a', {}, 'textarea'],
    ['an emoji', '👋', {}, 'textarea'],
    ['an input method', 'Process', {}, 'textarea'],
    ['a short cut', 'v', { ctrlKey: true }, 'body'],
    ['a short cut of a Mac', 'v', { metaKey: true }, 'body'],
    ['a key without a letter', 'F5', {}, 'body'],
    ['Enter', 'Enter', {}, 'body'],
  ])('is left to the browser, which gives what it writes to the field: %s', (_, key, more, where) => {
    expect(press(key, more)).toBe(false)
    expect(focused()).toBe(where)
  })

  it('closes the panel with Escape, unless nothing could open it again', () => {
    press('Escape')
    expect(said).toEqual([{ type: 'close' }])
    ending.abort()
    begin({ closable: false })
    press('Escape')
    expect(said).toEqual([])
  })

  it('is nothing where it has no name, as what fills in forms sends it', () => {
    document.body.dispatchEvent(new Event('keydown', { bubbles: true }))
    expect([focused(), said]).toEqual(['body', []])
  })

  it('is the control’s own where one has it', () => {
    document.querySelector('button')?.focus()
    press('a')
    press('Escape')
    expect([focused(), said]).toEqual(['button', []])
  })
})

describe('keys that the page passes on', () => {
  it('stand in the field, in order, and Enter sends them', () => {
    const heard = vi.fn()
    field().addEventListener('input', heard)
    for (const key of ['H', 'e', 'y', '!', 'Backspace', 'Shift', '👋']) keyboard.press(key)
    expect(field().value).toBe('Hey👋')
    expect(heard).toHaveBeenCalledTimes(6)
    keyboard.press('Enter')
    expect(sent).toEqual(['Hey👋'])
  })

  it('close with Escape, and are nothing where there is no field', () => {
    keyboard.press('Escape')
    field().remove()
    keyboard.press('a')
    expect(said).toEqual([{ type: 'close' }])
  })
})

describe('Enter in the field of the first screen', () => {
  const enter = (more: KeyboardEventInit = {}, key = 'Enter') => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...more })
    keyboard.sends(event)
    return event.defaultPrevented
  }
  it('sends, and breaks the line with Shift', () => {
    field().value = 'Hello'
    expect([enter({ shiftKey: true }), sent]).toEqual([false, []])
    expect([enter(), sent]).toEqual([true, ['Hello']])
  })
  it('does so the other way round where the site wants it', () => {
    begin({ enterSends: false })
    expect([enter(), enter({ shiftKey: true })]).toEqual([false, true])
  })
  it('is left to an input method, and so is each other key', () => {
    expect([enter({ isComposing: true }), enter({ keyCode: 229 }), enter({}, 'a')]).toEqual([
      false,
      false,
      false,
    ])
    expect(sent).toEqual([])
  })
})
