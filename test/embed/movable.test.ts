// The floating panel that its visitor moves and resizes: bounds, ways without dragging, and what is remembered.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Bounds, move, readBounds, resize, within, writeBounds } from '../../src/embed/bounds.ts'
import type { Options } from '../../src/embed/index.ts'
import { createMovable } from '../../src/embed/movable.ts'
import { createPanelHost } from './panel-host.ts'

const ROOM = { width: 1280, height: 800, floor: 92 }
const STANDARD: Bounds = { inset: 16, bottom: 92, width: 400, height: 680 }

describe('the bounds of the panel', () => {
  it('stay inside the window and above the launcher, wherever it is moved', () => {
    expect(move(STANDARD, 100, 10, ROOM)).toEqual({ ...STANDARD, inset: 116, bottom: 102 })
    expect(move(STANDARD, -999, -999, ROOM)).toEqual({ ...STANDARD, inset: 8, bottom: 92 })
    expect(move(STANDARD, 9999, 9999, ROOM)).toEqual({ ...STANDARD, inset: 872, bottom: 112 })
  })

  it('keep the corner at the launcher when they are resized', () => {
    expect(resize(STANDARD, 50, 10, ROOM)).toEqual({ ...STANDARD, width: 450, height: 690 })
    expect(resize(STANDARD, 9999, 9999, ROOM)).toEqual({ ...STANDARD, width: 1256, height: 700 })
    expect(resize(STANDARD, -9999, -9999, ROOM)).toEqual({ ...STANDARD, width: 300, height: 320 })
    const moved = { ...STANDARD, inset: 600, bottom: 300, height: 400 }
    expect(resize(moved, 9999, 9999, ROOM)).toEqual({ ...moved, width: 672, height: 492 })
  })

  it('fill a window that is smaller than the smallest panel', () => {
    expect(within(STANDARD, { width: 280, height: 300, floor: 92 })).toEqual({
      inset: 8,
      bottom: 92,
      width: 264,
      height: 200,
    })
  })

  it('are read only from four short numbers', () => {
    expect(readBounds(writeBounds({ ...STANDARD, inset: 16.4 }))).toEqual(STANDARD)
    for (const text of [
      undefined,
      '',
      '1 2 3',
      '1 2 3 4 5',
      '-1 2 3 4',
      '1 2 3 4}',
      '1 2 3 1e9',
      '1 2 3 123456',
    ])
      expect(readBounds(text)).toBeUndefined()
  })
})

let element: HTMLElement
let box: HTMLElement
let closed: number
let asked: number
/** Each chat has its own key, since what a page knows outlives a chat. */
let count = 0
let key = ''
let origin = ''
let sheets: Map<CSSStyleSheet, string>

function place(options: Options = {}, required: boolean | 'unknown' = false): void {
  element?.remove()
  const host = createPanelHost(options, {
    state: { open: true, status: 'live', unread: 0, version: 1 },
    close: () => closed++,
    key: `foyer:${origin}/`,
  })
  ;({ element } = host)
  box = (element.shadowRoot as ShadowRoot).insertBefore(document.createElement('dialog'), host.launcher)
  box.append(document.createElement('iframe'))
  host.launcher.getBoundingClientRect = () => ({ top: 724 }) as DOMRect
  createMovable(host, box, origin, async () => {
    asked++
    if (required === 'unknown') throw new TypeError()
    return required
  })
}
const strip = () => box.querySelector('header')?.shadowRoot as ShadowRoot
const grip = () => strip().querySelector('i + button') as HTMLButtonElement
const group = () => strip().querySelector('[role="group"]') as HTMLElement
const button = (name: string) =>
  [...group().querySelectorAll('button')].find((each) => each.ariaLabel === name) as HTMLButtonElement
const press = (init: KeyboardEventInit, target: HTMLElement = grip()) => {
  const event = new KeyboardEvent('keydown', { bubbles: true, composed: true, cancelable: true, ...init })
  target.dispatchEvent(event)
  return event.defaultPrevented
}
const point = (type: string, x: number, y: number, target: HTMLElement = grip(), more = {}) =>
  target.dispatchEvent(
    Object.assign(new MouseEvent(type, { clientX: x, clientY: y, ...more }), {
      isPrimary: true,
      pointerId: 1,
    }),
  )
/** Right or left, bottom, width and height, as the style sheet has them. */
const drawn = () => {
  const text = [...sheets].findLast(([sheet]) => element.shadowRoot?.adoptedStyleSheets.includes(sheet))?.[1]
  const [, side, ...lengths] =
    text?.match(/\{(left|right):(\d+)px;bottom:(\d+)px;width:(\d+)px;height:(\d+)px\}/) ?? []
  return side && `${side} ${lengths.join(' ')}`
}
const consents = (given: boolean) =>
  element.dispatchEvent(new CustomEvent('foyer-consent', { detail: { given } }))
const settled = () => new Promise((resolve) => setTimeout(resolve))

const size = { width: 1280, height: 800 }
beforeEach(() => {
  Object.assign(size, { width: 1280, height: 800 })
  sheets = new Map()
  vi.spyOn(CSSStyleSheet.prototype, 'replaceSync').mockImplementation(function (this: CSSStyleSheet, text) {
    sheets.set(this, text)
  })
  for (const [name, axis] of [
    ['clientWidth', 'width'],
    ['clientHeight', 'height'],
  ] as const)
    Object.defineProperty(document.documentElement, name, { get: () => size[axis], configurable: true })
  origin = `https://chat${++count}.example.com`
  key = `foyer:${origin}/:place`
  closed = 0
  asked = 0
  localStorage.clear()
  localStorage.setItem(key, '16 92 400 600')
})
afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
})

describe('the strip above the panel', () => {
  it('is only there where the panel floats', () => {
    place({ layout: 'fullscreen' })
    expect(box.querySelector('header')).toBeNull()
    place({ layout: 'embedded' })
    expect(box.querySelector('header')).toBeNull()
    place()
    expect(box.firstElementChild?.localName).toBe('header')
    expect(grip().ariaLabel).toBe('Move or resize')
  })

  it('moves the panel with the pointer that holds it, and nothing once that lets go', () => {
    place()
    point('pointerdown', 500, 100)
    point('pointermove', 400, 90)
    expect(drawn()).toBe('right 116 102 400 600')
    point('pointermove', 300, 60)
    expect(box.querySelector('header')?.className).toBe('right held')
    point('pointerup', 300, 60)
    point('click', 300, 60, grip(), { detail: 1 })
    expect(box.querySelector('header')?.className).toBe('right')
    point('pointermove', 0, 0)
    expect(drawn()).toBe('right 216 132 400 600')
    expect(group().hidden).toBe(true)
    grip().click()
    expect(group().hidden).toBe(false)
  })

  it('selects nothing of the page while it is dragged, and has the focus as any button that is pressed', () => {
    place()
    for (const handle of [strip().querySelector('i') as HTMLElement, grip()]) {
      expect(strip().activeElement).toBeNull()
      const down = new MouseEvent('mousedown', { bubbles: true, cancelable: true })
      handle.dispatchEvent(down)
      expect(down.defaultPrevented).toBe(true)
    }
    expect(strip().activeElement).toBe(grip())
  })

  it('is pressed after the drag of a finger, which no click ends', () => {
    place()
    point('pointerdown', 500, 100)
    point('pointermove', 300, 60)
    point('pointerup', 300, 60)
    point('pointerdown', 300, 60)
    point('pointerup', 300, 60)
    point('click', 300, 60, grip(), { detail: 1 })
    expect(group().hidden).toBe(false)
    expect(drawn()).toBe('right 216 132 400 600')
  })

  it('is not moved by another button of the mouse, and hardly moved it is pressed', () => {
    place()
    point('pointerdown', 500, 100, grip(), { button: 2 })
    point('pointermove', 400, 100)
    expect(drawn()).toBe('right 16 92 400 600')
    point('pointerdown', 500, 100)
    point('pointermove', 502, 101)
    point('pointerup', 502, 101)
    grip().click()
    expect(drawn()).toBe('right 16 92 400 600')
    expect(group().hidden).toBe(false)
  })

  it('resizes at its corner, on the left side the other way round', () => {
    place()
    const corner = () => strip().querySelector('i') as HTMLElement
    point('pointerdown', 500, 100, corner())
    point('pointermove', 450, 80, corner())
    expect(drawn()).toBe('right 16 92 450 620')
    place({ position: 'left' })
    point('pointerdown', 500, 100, corner())
    point('pointermove', 550, 80, corner())
    expect(drawn()).toBe('left 16 92 450 620')
  })

  it('does all of it by buttons', () => {
    place()
    grip().click()
    expect(grip().ariaExpanded).toBe('true')
    button('Move left').click()
    button('Move up').click()
    expect(drawn()).toBe('right 40 116 400 600')
    button('Move right').click()
    button('Move down').click()
    expect(drawn()).toBe('right 16 92 400 600')
    button('Larger').click()
    expect(drawn()).toBe('right 16 92 448 648')
    button('Smaller').click()
    expect(drawn()).toBe('right 16 92 400 600')
    button('Reset').click()
    expect(drawn()).toBeUndefined()
    expect(localStorage.getItem(key)).toBeNull()
  })

  it('does all of it by arrow keys, whose Shift moves the corner, and leaves the keys of the browser alone', () => {
    place()
    expect(press({ key: 'ArrowLeft' })).toBe(true)
    press({ key: 'ArrowUp' })
    expect(drawn()).toBe('right 40 116 400 600')
    press({ key: 'ArrowRight', shiftKey: true })
    press({ key: 'ArrowUp', shiftKey: true })
    expect(drawn()).toBe('right 40 116 376 624')
    expect(press({ key: 'ArrowLeft', altKey: true })).toBe(false)
    expect(press({ key: 'Tab' })).toBe(false)
    expect(drawn()).toBe('right 40 116 376 624')
    place({ position: 'left' })
    press({ key: 'ArrowRight', shiftKey: true })
    expect(drawn()).toMatch(/^left \d+ \d+ 400 /)
  })

  it('hides its buttons on Escape, and then closes the chat', () => {
    place()
    grip().click()
    press({ key: 'Escape' }, button('Larger'))
    expect(group().hidden).toBe(true)
    expect(closed).toBe(0)
    press({ key: 'Escape' })
    expect(closed).toBe(1)
  })

  it('keeps the panel inside a window that becomes smaller, and gives its place back afterwards', () => {
    localStorage.setItem(key, '600 150 400 600')
    place()
    Object.assign(size, { width: 700, height: 600 })
    element.shadowRoot?.querySelectorAll('button').forEach((each) => {
      each.getBoundingClientRect = () => ({ top: 524 }) as DOMRect
    })
    dispatchEvent(new Event('resize'))
    expect(drawn()).toBe('right 292 92 400 500')
    Object.assign(size, { width: 1280, height: 800 })
    element.shadowRoot?.querySelectorAll('button').forEach((each) => {
      each.getBoundingClientRect = () => ({ top: 724 }) as DOMRect
    })
    dispatchEvent(new Event('resize'))
    expect(drawn()).toBe('right 600 150 400 600')
  })

  it('goes with the chat, and there is one for each', () => {
    place()
    const before = box
    element.dispatchEvent(new Event('foyer-destroy'))
    expect(before.querySelector('header')).toBeNull()
    expect(element.shadowRoot?.adoptedStyleSheets).toEqual([])
  })

  it('speaks the language of the chat', () => {
    place({ locale: 'de-CH' })
    expect(grip().ariaLabel).toBe('Verschieben oder Größe ändern')
    expect(button('Zurücksetzen')).toBeDefined()
  })
})

describe('where the panel stood', () => {
  beforeEach(() => localStorage.clear())
  const moves = () => press({ key: 'ArrowUp', shiftKey: true })

  it('is remembered in this browser where nobody asks for consent', async () => {
    place()
    moves()
    await settled()
    const kept = localStorage.getItem(key)
    expect(kept).toMatch(/^\d+ \d+ \d+ \d+$/)
    expect(readBounds(kept ?? '')).toBeDefined()
    moves()
    expect(localStorage.getItem(key)).not.toBeNull()
    expect(asked).toBe(1)
  })

  it.each<[string, Options, boolean | 'unknown']>([
    ['the page', { consent: 'required' }, false],
    ['the visitor, who refused', { consent: 'refused' }, false],
    ['the BFF', {}, true],
    ['the BFF, whatever the page says', { consent: 'given' }, true],
    ['perhaps the BFF, which cannot be read', {}, 'unknown'],
  ])('is not stored before the consent required by %s', async (_, options, required) => {
    place(options, required)
    moves()
    await settled()
    expect(localStorage.length).toBe(0)
    expect(drawn()).toBeDefined()
    consents(true)
    expect(localStorage.getItem(key)).not.toBeNull()
    consents(false)
    expect(localStorage.length).toBe(0)
    moves()
    await settled()
    expect(localStorage.length).toBe(0)
  })

  it('is forgotten when consent is withdrawn on a later page, or before it', () => {
    localStorage.setItem(key, '16 92 400 600')
    place({ consent: 'required' })
    expect(drawn()).toBe('right 16 92 400 600')
    consents(true)
    expect(localStorage.getItem(key)).toBe('16 92 400 600')
    consents(false)
    expect(localStorage.length).toBe(0)
    localStorage.setItem(key, '16 92 400 600')
    place({ consent: 'refused' })
    expect(localStorage.length).toBe(0)
    expect(drawn()).toBeUndefined()
  })

  it('lasts as long as the page where the browser has no storage', () => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(denied)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(denied)
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(denied)
    place()
    moves()
    const before = drawn()
    expect(before).toBeDefined()
    place()
    expect(drawn()).toBe(before)
    expect(() => button('Reset').click()).not.toThrow()
    expect(drawn()).toBeUndefined()
  })
})
