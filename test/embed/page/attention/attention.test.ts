// What draws a visitor's attention while the chat is closed: the card, the badge, the title, the sound, the teaser.

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { memoryStore } from '../../../../src/chat/index.ts'
import { createSound, playSound } from '../../../../src/embed/frame/chat/sound.ts'
import type { Options } from '../../../../src/embed/index.ts'
import { type Attention, createAttention } from '../../../../src/embed/page/attention/attention.ts'
import { showTeaser } from '../../../../src/embed/page/attention/teaser.ts'
import type { PanelHost } from '../../../../src/embed/page/host/panel-host.ts'
import { createPanelHost } from '../panel-host.ts'

let element: HTMLElement
let launcher: HTMLButtonElement
let opened: number
function createHost(options: Options = {}, origin = 'https://chat.example.com'): PanelHost {
  opened = 0
  const host = createPanelHost(options, { open: () => opened++, key: `foyer:${origin}/` })
  ;({ element, launcher } = host)
  return host
}
/** Beside the launcher: inside it would be a part of its name. */
const badge = () => element.shadowRoot?.querySelector('button ~ span')?.textContent
const card = () => element.shadowRoot?.querySelector('aside')?.shadowRoot
const said = () => {
  vi.advanceTimersByTime(1)
  return card()?.querySelector('[role="status"]')?.textContent
}
const buttons = () =>
  [...(card()?.querySelectorAll('button') ?? [])] as [HTMLButtonElement, HTMLButtonElement]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  localStorage.clear()
  document.title = 'A shop'
})
afterEach(() => {
  document.body.replaceChildren()
  history.replaceState(null, '', '/')
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a message while the chat is closed', () => {
  it('has a card in the light of the page, also when that changes, until the card is gone', () => {
    const scheme = { matches: false, onchange: null as (() => void) | null }
    vi.stubGlobal('matchMedia', () => scheme)
    vi.spyOn(window, 'getComputedStyle').mockReturnValue({ colorScheme: 'light dark' } as CSSStyleDeclaration)
    const attention = createAttention(createHost())
    attention.unread(1)
    said()
    const shown = () => element.shadowRoot?.querySelector('aside')?.classList
    expect(shown()?.contains('light')).toBe(true)
    scheme.matches = true
    scheme.onchange?.()
    expect([shown()?.contains('dark'), shown()?.contains('light')]).toEqual([true, false])
    attention.unread(0)
    expect(scheme.onchange).toBeNull()
  })

  it('is pointed out by a badge and a card, which opens the chat', () => {
    const attention = createAttention(createHost())
    attention.unread(1)
    expect(badge()).toBe('1')
    expect(launcher.ariaDescription).toBe('New message (1)')
    expect(said()).toBe('New message')
    expect(buttons()[1].ariaLabel).toBe('Dismiss')
    buttons()[0].click()
    expect(opened).toBe(1)
    attention.unread(0)
    expect(card()).toBeUndefined()
    expect(badge()).toBe('')
    expect(launcher.ariaDescription).toBe('')
  })

  it('has its words on the card only where the page may know them, as text', () => {
    const attention = createAttention(createHost())
    attention.unread(1, '<img src=x onerror=alert(1)>')
    expect(said()).toBe('<img src=x onerror=alert(1)>')
    expect(card()?.querySelector('img')).toBeNull()
  })

  it('is counted to 99', () => {
    const attention = createAttention(createHost())
    const counts = [9, 99, 100].map((count) => {
      attention.unread(count)
      return badge()
    })
    expect(counts).toEqual(['9', '99', '99+'])
  })

  it('has a card that is dismissed until the next one, and the focus is not lost with it', () => {
    const attention = createAttention(createHost())
    attention.unread(1)
    buttons()[1].focus()
    buttons()[1].click()
    expect(card()).toBeUndefined()
    expect(element.shadowRoot?.activeElement).toBe(launcher)
    attention.unread(1)
    expect(card()).toBeUndefined()
    attention.unread(2)
    expect(said()).toBe('New message')
  })

  it('says who writes, where the page may read the message', () => {
    const attention = createAttention(createHost({ agentName: 'Fern' }))
    attention.unread(1, 'I am here', 'Sarah')
    expect(said()).toBe('Sarah\nI am here')
    attention.unread(2, 'It is on its way')
    expect(said()).toBe('Fern\nIt is on its way')
    attention.unread(3, 'May I help?', '')
    expect(said()).toBe('May I help?')
    attention.unread(4)
    expect(said()).toBe('New message')
  })

  it('has no card for what an earlier page left unread, and counts it', () => {
    const host = createHost()
    host.state.status = 'connecting'
    const attention = createAttention(host)
    attention.unread(2)
    expect(card()).toBeUndefined()
    expect(launcher.ariaDescription).toContain('(2)')
    host.state.status = 'live'
    attention.unread(3)
    expect(said()).toBe('New message')
  })

  it('keeps its card until all messages are read, and the next one has another', () => {
    const attention = createAttention(createHost())
    for (const count of [3, 1]) {
      attention.unread(count)
      attention.unread(count - 1 || 1)
      // A region that has words as it comes is not read.
      expect(card()?.querySelector('[role="status"]')?.textContent).toBe('')
      expect(said()).toBe('New message')
      attention.unread(0)
      expect(card()).toBeUndefined()
    }
  })

  it('has no card while the chat is open, nor where that is switched off', () => {
    const host = createHost()
    host.state.open = true
    createAttention(host).unread(1)
    expect(card()).toBeUndefined()
    createAttention(createHost({ notify: 'none' })).unread(1)
    expect(card()).toBeUndefined()
  })

  it('is announced in the language of the page', () => {
    createAttention(createHost({ locale: 'he' })).unread(1)
    expect(said()).toBe('הודעה חדשה')
    expect(element.shadowRoot?.querySelector('aside')?.dir).toBe('rtl')
  })
})

describe('two chats on one page', () => {
  it('leave the page’s title as it was, in whatever order they are read', () => {
    for (const [first, second] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const both = [createHost({ notify: 'title' }), createHost({ notify: 'title' })].map(createAttention)
      both[0]?.unread(1)
      both[1]?.unread(1)
      both[0]?.unread(2)
      both[1]?.unread(3)
      expect(document.title).toContain('(2)')
      expect(document.title).toContain('(3)')
      both[first]?.unread(0)
      expect(document.title).toBe(`(${first ? 2 : 3}) A shop`)
      both[second]?.dispose()
      expect(document.title).toBe('A shop')
    }
  })

  it('leave a title alone that the page changed meanwhile, and count in it again', () => {
    const both = [createHost({ notify: 'title' }), createHost({ notify: 'title' })].map(createAttention)
    both[0]?.unread(1)
    both[1]?.unread(2)
    document.title = '(5) Inbox'
    both[0]?.unread(0)
    both[1]?.unread(3)
    expect(document.title).toBe('(3) (5) Inbox')
    both[1]?.unread(0)
    expect(document.title).toBe('(5) Inbox')
  })
})

describe('the title of the page', () => {
  const told = (notify?: string): Attention => createAttention(createHost({ notify }))

  it('stays as it is where nobody asked for a change', () => {
    told().unread(3)
    expect(document.title).toBe('A shop')
  })

  it('that the page changes meanwhile is the one that stays', () => {
    const attention = told('title preview')
    attention.unread(1)
    document.title = 'A bike'
    attention.unread(2)
    expect(document.title).toBe('(2) A bike')
    document.title = 'Another bike'
    attention.unread(0)
    expect(document.title).toBe('Another bike')
  })
})

describe('while messages wait,', () => {
  it('a change of the options is heard: the title begins to count, and stops', () => {
    const options: Options = {}
    const attention = createAttention(createHost(options))
    attention.unread(2)
    options.notify = 'title'
    attention.unread(2)
    expect(document.title).toBe('(2) A shop')
    options.notify = 'none'
    attention.unread(2)
    expect(document.title).toBe('A shop')
    options.notify = 'title'
    attention.unread(3)
    expect(document.title).toBe('(3) A shop')
  })

  it('a chat that is destroyed leaves no badge, card or count', () => {
    const host = createHost({ notify: 'title preview' })
    const root = element.shadowRoot as ShadowRoot
    const before = root.innerHTML
    const attention = createAttention(host)
    attention.unread(2)
    expect(said()).toBe('New message')
    attention.dispose()
    expect(document.title).toBe('A shop')
    expect(root.innerHTML).toBe(before)
    expect(launcher.ariaDescription ?? '').toBe('')
    expect(root.adoptedStyleSheets).toEqual([])
    vi.advanceTimersByTime(10_000)
    attention.unread(3)
    expect([root.innerHTML, document.title]).toEqual([before, 'A shop'])
  })
})

describe('the sound', () => {
  /** An instrument that counts what is played. */
  const instrument = (state: string) => {
    const played: number[] = []
    const node = { connect: (next: unknown) => next }
    class Context {
      state = state
      currentTime = 0
      destination = {}
      createOscillator = () => ({
        ...node,
        frequency: {
          set value(hertz: number) {
            played.push(hertz)
          },
        },
        start() {},
        stop() {},
      })
      createGain = () => ({ ...node, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } })
      close = async () => {}
    }
    vi.stubGlobal('AudioContext', Context)
    return played
  }

  it('is played by one tab of a browser alone', async () => {
    const played = instrument('running')
    let held = false
    const request = async (_: string, __: object, use: (lock: object | null) => Promise<void>) => {
      const free = !held
      held = true
      await use(free ? {} : null)
      if (free) held = false
    }
    vi.stubGlobal('navigator', { locks: { request } })
    const all = [playSound(), playSound(), playSound()]
    await vi.advanceTimersByTimeAsync(2_000)
    await Promise.all(all)
    expect(played).toHaveLength(2)
    const later = playSound()
    await vi.advanceTimersByTimeAsync(2_000)
    await later
    expect(played).toHaveLength(4)
  })

  it('is for each message that has just come, and for nothing else', async () => {
    const played = instrument('running')
    vi.stubGlobal('navigator', {})
    const { unread } = createSound(memoryStore(), 'sound', () => {})
    const notes: number[] = []
    const counts: [number, boolean][] = [
      // What an earlier page left unread.
      [2, false],
      [3, true],
      [3, true],
      // One was read elsewhere.
      [1, true],
      [2, true],
      [0, true],
      [1, true],
    ]
    for (const [count, isNews] of counts) {
      unread(count, isNews)
      await vi.advanceTimersByTimeAsync(2_000)
      notes.push(played.splice(0).length)
    }
    expect(notes).toEqual([0, 2, 0, 0, 2, 0, 2])
  })

  it('is not waited for where nobody has touched the page', async () => {
    const played = instrument('suspended')
    const done = playSound()
    await vi.advanceTimersByTimeAsync(2_000)
    await done
    expect(played).toEqual([])
  })
})

describe('a teaser', () => {
  const BFF = 'https://chat.example.com'
  const NAME = `foyer:${BFF}/:teaser`
  /** Dismissed by no other test. */
  const LATER = 'https://later.example.com'
  const scrollTo = (part: number) => {
    const root = document.documentElement
    for (const [name, value] of Object.entries({
      scrollTop: part * 1000,
      scrollHeight: 1800,
      clientHeight: 800,
    }))
      Object.defineProperty(root, name, { value, configurable: true })
    dispatchEvent(new Event('scroll'))
  }
  afterEach(() => {
    for (const name of ['scrollTop', 'scrollHeight', 'clientHeight'])
      Reflect.deleteProperty(document.documentElement, name)
  })

  it.each<Options>([{}, { teaser: 'Hello', teaserWhen: '10' }])(
    'is shown at once where it was called for, and opens the chat: %j',
    (options) => {
      showTeaser(createHost(options), 'May I help?', BFF)
      expect(said()).toBe('May I help?')
      buttons()[0].click()
      expect(opened).toBe(1)
      element.dispatchEvent(new Event('foyer-open'))
      expect(card()).toBeUndefined()
      expect(localStorage).toHaveLength(0)
    },
  )

  it('stays away once dismissed, on this page and on the next', async () => {
    const host = createHost()
    showTeaser(host, 'May I help?', BFF, async () => false)
    said()
    buttons()[1].click()
    await vi.waitFor(() => expect({ ...localStorage }).toEqual({ [NAME]: 'dismissed' }))
    showTeaser(host, 'May I help?', BFF)
    expect(card()).toBeUndefined()
    showTeaser(createHost(), 'Please?', BFF)
    expect(card()).toBeUndefined()
  })

  it('leaves nothing on the page once the chat is destroyed, however often one was shown', () => {
    const host = createHost({}, LATER)
    const held = new Map<unknown, string>()
    for (const target of [window, element]) {
      vi.spyOn(target, 'addEventListener').mockImplementation(
        (type, listener) => void held.set(listener, type),
      )
      vi.spyOn(target, 'removeEventListener').mockImplementation((_, listener) => void held.delete(listener))
    }
    showTeaser(host, 'May I help?', LATER)
    const once = held.size
    for (let count = 0; count < 9; count++) showTeaser(host, `Question ${count}?`, LATER)
    expect(held.size).toBe(once)
    for (const [listener, type] of held) if (type === 'foyer-destroy') (listener as () => void)()
    expect([...held.values()].filter((type) => type !== 'foyer-destroy')).toEqual([])
    vi.restoreAllMocks()
  })

  it('whose rule holds only later stays away where another tab dismissed it meanwhile', () => {
    showTeaser(createHost({ teaser: 'May I help?', teaserWhen: '10' }, LATER), 'May I help?', LATER)
    localStorage.setItem(`foyer:${LATER}/:teaser`, 'dismissed')
    vi.advanceTimersByTime(10_000)
    expect(card()).toBeUndefined()
  })

  it('leaves this page once another tab dismisses it', () => {
    showTeaser(createHost({}, LATER), 'May I help?', LATER)
    said()
    const tells = (key: string, newValue: string | null) =>
      dispatchEvent(new StorageEvent('storage', { key, newValue }))
    tells('another', 'dismissed')
    tells(`foyer:${LATER}/:teaser`, null)
    expect(said()).toBe('May I help?')
    tells(`foyer:${LATER}/:teaser`, 'dismissed')
    expect(card()).toBeUndefined()
  })

  it('dismissed before the consent that perhaps the BFF requires, which cannot be read, is stored once that is given', async () => {
    const origin = 'https://unread.example.com'
    const host = createHost({}, origin)
    const asks = () => Promise.reject(new TypeError())
    showTeaser(host, 'May I help?', origin, asks)
    said()
    buttons()[1].click()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(localStorage).toHaveLength(0)
    showTeaser(host, 'May I help?', origin, asks)
    expect(card()).toBeUndefined()
    element.dispatchEvent(new CustomEvent('foyer-consent', { detail: { given: true } }))
    expect({ ...localStorage }).toEqual({ [`foyer:${origin}/:teaser`]: 'dismissed' })
  })

  it('dismissed on a page that gives consent, where nobody else asks, is stored', async () => {
    showTeaser(
      createHost({ consent: 'given' }, 'https://given.example.com'),
      'Hm?',
      'https://given.example.com',
      async () => false,
    )
    said()
    buttons()[1].click()
    await vi.waitFor(() => expect(localStorage).toHaveLength(1))
  })

  it('takes the place of the one before it', () => {
    const host = createHost({}, 'https://other.example.com')
    showTeaser(host, 'One', 'https://other.example.com')
    showTeaser(host, 'Two', 'https://other.example.com')
    expect(element.shadowRoot?.querySelectorAll('aside')).toHaveLength(1)
    expect(said()).toBe('Two')
  })

  it('waits for its seconds, and does not come to a chat that was opened meanwhile', () => {
    showTeaser(
      createHost({ teaser: 'Hello', teaserWhen: '10' }, 'https://a.example.com'),
      'Hello',
      'https://a.example.com',
    )
    vi.advanceTimersByTime(9_999)
    expect(card()).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(said()).toBe('Hello')
    const host = createHost({ teaser: 'Hello', teaserWhen: '10' }, 'https://a.example.com')
    showTeaser(host, 'Hello', 'https://a.example.com')
    element.dispatchEvent(new Event('foyer-open'))
    vi.advanceTimersByTime(60_000)
    expect(card()).toBeUndefined()
  })

  it('waits until so much of the page is scrolled', () => {
    scrollTo(0)
    showTeaser(
      createHost({ teaser: 'Hello', teaserWhen: '50%' }, 'https://b.example.com'),
      'Hello',
      'https://b.example.com',
    )
    scrollTo(0.49)
    expect(card()).toBeUndefined()
    const placed = vi.spyOn(launcher, 'after')
    scrollTo(0.5)
    expect(said()).toBe('Hello')
    scrollTo(0.6)
    expect(placed).toHaveBeenCalledOnce()
  })

  it('waits until so much is scrolled of a page in quirks mode, whose body scrolls', () => {
    Object.defineProperty(document, 'scrollingElement', {
      value: { scrollTop: 0, scrollHeight: 1800, clientHeight: 800 },
      configurable: true,
    })
    onTestFinished(() => void Reflect.deleteProperty(document, 'scrollingElement'))
    showTeaser(
      createHost({ teaser: 'Hello', teaserWhen: '50%' }, 'https://quirks.example.com'),
      'Hello',
      'https://quirks.example.com',
    )
    dispatchEvent(new Event('scroll'))
    expect(card()).toBeUndefined()
    Object.assign(document.scrollingElement as object, { scrollTop: 500 })
    dispatchEvent(new Event('scroll'))
    expect(said()).toBe('Hello')
  })

  it('waits for a page whose path begins as it says', () => {
    showTeaser(
      createHost({ teaser: 'Hello', teaserWhen: '/prices' }, 'https://c.example.com'),
      'Hello',
      'https://c.example.com',
    )
    expect(card()).toBeUndefined()
    history.replaceState(null, '', '/prices/bikes')
    dispatchEvent(new Event('popstate'))
    expect(said()).toBe('Hello')
  })

  it('without a text swells the launcher once, except for those who want less motion', () => {
    const host = createHost()
    const animate = vi.fn()
    Object.assign(launcher, { animate })
    showTeaser(host, '', BFF)
    expect(animate).toHaveBeenCalledOnce()
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    showTeaser(host, '', BFF)
    expect(animate).toHaveBeenCalledOnce()
    expect(card()).toBeUndefined()
  })
})
