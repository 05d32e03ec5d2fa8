// The ground of a panel that is not ready: its bar, its focus, and what it says where no panel comes.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Options } from '../../../../src/embed/index.ts'
import type { PanelHost } from '../../../../src/embed/page/host/panel-host.ts'
import { createGround, type Ground } from '../../../../src/embed/page/panel/ground.ts'
import { createPanelHost } from '../panel-host.ts'

let box: HTMLDialogElement
let ground: Ground
let closed: number
let told: unknown[]
let started: number
const element = () => box.querySelector<HTMLElement>('[role="group"]') as HTMLElement
const inside = () => element().shadowRoot as ShadowRoot
const focused = () => (box.getRootNode() as ShadowRoot).activeElement
const sentence = () => element()?.shadowRoot?.querySelector('[role="alert"]')?.textContent
const bar = () => [
  inside().querySelector('header bdi')?.textContent,
  inside().querySelector<HTMLElement>('header button')?.ariaLabel,
]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  ground.dispose()
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** `enter`: what the panel does to take the focus. */
function place(options: Options = {}, enter = () => {}, isWanted = true) {
  closed = 0
  started = 0
  told = []
  const tell: PanelHost['tell'] = (...event) => {
    told.push(event)
    return true
  }
  const host = createPanelHost(options, { close: () => closed++, tell })
  box = document.createElement('dialog')
  host.element.shadowRoot?.append(box)
  ground = createGround(host, box, 'https://chat.example.com', {
    start: () => started++,
    enter,
  })
  ground.draw()
  if (isWanted) ground.want()
  return host
}
/** Whether the page would act on the key as well. */
function press(key: string, more: KeyboardEventInit = {}, target: EventTarget = element()): boolean {
  let reaches = false
  const hear = () => {
    reaches = true
  }
  document.addEventListener('keydown', hear)
  const event = new KeyboardEvent('keydown', {
    key,
    bubbles: true,
    composed: true,
    cancelable: true,
    ...more,
  })
  target.dispatchEvent(event)
  document.removeEventListener('keydown', hear)
  expect(event.defaultPrevented).toBe(!reaches)
  return reaches
}

describe('the bar', () => {
  it.each([
    [{ locale: 'de-AT' }, '', 'Chat schließen', 'ltr'],
    [{ locale: 'ar', agentName: 'Fern' }, 'Fern', 'إغلاق المحادثة', 'rtl'],
  ])(
    'names what the site names, and the way out in the language of the page: %j',
    (options, name, close, direction) => {
      place(options)
      expect(bar()).toEqual([name, close])
      expect(element().dir).toBe(direction)
      expect(box.children).toHaveLength(1)
    },
  )

  it('has no name where the site hides the header, and no way out where nothing opens the chat again', () => {
    place({ showHeader: false })
    expect(bar()).toEqual(['', 'Close chat'])
    place({ layout: 'embedded' })
    expect(bar()).toEqual(['', undefined])
    press('Escape')
    expect(closed).toBe(0)
  })

  it('follows the page’s language', () => {
    const options: Options = { locale: 'de' }
    place(options)
    options.locale = 'fr'
    ground.draw()
    expect(bar()).toEqual(['', 'Fermer le chat'])
    ground.fail('silent')
    expect(sentence()).toBe('Le chat est injoignable pour le moment.')
  })

  it('closes the chat from the first moment, by its button and by Escape', () => {
    place()
    inside().querySelector<HTMLElement>('header button')?.click()
    expect(closed).toBe(1)
    expect(press('Escape')).toBe(false)
    expect(closed).toBe(2)
    press('Escape', {}, inside().querySelector('button') as HTMLElement)
    expect(closed).toBe(3)
  })

  it('goes once the panel is there, and never comes back', () => {
    place()
    const before = element()
    ground.over()
    expect(box.className).toBe('ready')
    expect(before.isConnected).toBe(false)
    vi.advanceTimersByTime(60_000)
    expect([box.className, box.childElementCount]).toEqual(['ready', 0])
  })
})

describe('the focus', () => {
  it('goes on to the panel once that is there, and the ground stays until it has', () => {
    let entered = 0
    place({}, () => entered++)
    ground.focus()
    const before = element()
    ground.over()
    expect([entered, focused()]).toEqual([1, before])
    // It may be told twice.
    ground.over()
    expect([entered, focused()]).toEqual([1, before])
    press('Escape', {}, before)
    expect(closed).toBe(1)
    before.blur()
    expect(before.isConnected).toBe(false)
  })

  it('on the ground leaves keys to the page', () => {
    place()
    ground.focus()
    for (const key of ['a', 'Enter', 'Backspace', 'Tab']) expect(press(key)).toBe(true)
  })

  it('stays where the visitor moved it meanwhile', () => {
    let entered = 0
    place({}, () => entered++)
    ground.focus()
    const elsewhere = document.body.appendChild(document.createElement('input'))
    elsewhere.focus()
    ground.over()
    expect(entered).toBe(0)
    expect(document.activeElement).toBe(elsewhere)
  })
})

it('a panel is started once by whoever wants it, and by nobody once it is there', () => {
  place()
  ground.want()
  expect(started).toBe(1)
  place({}, () => {}, false)
  ground.over()
  ground.want()
  expect(started).toBe(0)
})

describe('a panel that does not come', () => {
  const retry = () => inside().querySelector<HTMLElement>('div button')

  it('is said after 8 s under the bar, which stays, with one way to try again and one way out', () => {
    place()
    vi.advanceTimersByTime(7_999)
    expect(sentence()).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(sentence()).toBe('The chat can’t be reached right now.')
    expect(box.className).toBe('failed')
    expect(bar()).toEqual(['', 'Close chat'])
    expect([...inside().querySelectorAll('button')].map((each) => each.textContent)).toEqual([
      '',
      'Try again',
    ])
  })

  it('is not waited for where nobody wants it', () => {
    place()
    ground.dispose()
    vi.advanceTimersByTime(60_000)
    expect([box.className, box.childElementCount]).toEqual(['', 0])
  })

  it('gives the focus of the ground to the retry, which gives it back', () => {
    place()
    ground.focus()
    ground.fail('silent')
    expect(inside().activeElement).toBe(retry())
    retry()?.click()
    expect(sentence()).toBeUndefined()
    expect(inside().activeElement).toBeNull()
    expect(focused()).toBe(element())
  })

  it('is said once, whatever else fails', () => {
    place()
    ground.fail('silent')
    ground.fail('code')
    expect(inside().querySelectorAll('[role="alert"]')).toHaveLength(1)
    retry()?.click()
    expect([sentence(), box.className, started]).toEqual([undefined, '', 2])
  })

  it('is told to the page and to developers once, by what may be the reason', () => {
    place()
    expect(told).toEqual([])
    ground.fail('silent')
    retry()?.click()
    ground.fail('silent')
    const message = expect.stringContaining('https://chat.example.com/foyer/frame did not answer')
    expect(told).toEqual([['error', { code: 'unreachable', message }]])
    expect(vi.mocked(console.warn).mock.calls).toEqual([[expect.stringMatching(/^Foyer: .* did not answer/)]])
  })

  it('leaves the focus on the button that closes the chat', () => {
    place()
    const close = inside().querySelector<HTMLElement>('header button')
    close?.focus()
    ground.fail('silent')
    expect(inside().activeElement).toBe(close)
  })

  it('on an origin that is given no tokens has no retry', () => {
    place()
    ground.fail('not-here')
    expect(sentence()).toBe('The chat isn’t available on this page.')
    expect(retry()).toBeNull()
  })
})
