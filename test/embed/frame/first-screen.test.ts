// The first screen of the frame's page, as the BFF draws it, and the panel that goes on with it.

import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { firstScreen as drawFirst } from '../../../src/bff/widget/first-screen.ts'
import { createFirstScreen, type FirstScreen } from '../../../src/embed/frame/first-screen.ts'
import { createKeyboard } from '../../../src/embed/frame/keyboard.ts'
import { openPanel } from '../../../src/embed/frame/panel.ts'
import { firstScreen } from '../../../src/ui/first-screen.ts'

let assets: Parameters<typeof drawFirst>[0]
beforeAll(async () => {
  HTMLFormElement.prototype.requestSubmit = function () {
    this.dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
  }
  const body = new TextEncoder().encode(JSON.stringify(await firstScreen()))
  const file = { body, type: 'application/json', immutable: false }
  assets = (name) => (name === 'first.json' ? file : undefined)
})
let said: unknown[]
let sent: string[]
let screen: FirstScreen | undefined
let ending: AbortController
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.stubGlobal('fetch', () => new Promise(() => {}))
})
afterEach(() => vi.unstubAllGlobals())

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector) as T
const field = () => find<HTMLTextAreaElement>('textarea')

/** The page as the browser parses it, and its script. */
async function page(query: string, hasField = true, start = {}): Promise<void> {
  const first = await drawFirst(assets, new URLSearchParams(query), hasField)
  document.body.innerHTML = first?.html ?? ''
  said = []
  sent = []
  ending?.abort()
  ending = new AbortController()
  const post = (message: object) => said.push(message)
  screen = createFirstScreen(createKeyboard(start, post, ending.signal), post, (text) => sent.push(text))
}
function write(text: string): void {
  field().value = text
  field().dispatchEvent(new Event('input', { bubbles: true }))
}

describe('the frame’s page', () => {
  it.each([
    ['locale=de-AT&first=field', 'ltr', 'Nachricht schreiben…', 'Chat schließen'],
    ['locale=ar&first=field', 'rtl', 'اكتب رسالة…', 'إغلاق المحادثة'],
    ['locale=%3Cb%3E&first=field', 'ltr', 'Write a message…', 'Close chat'],
    ['first=field', 'ltr', 'Write a message…', 'Close chat'],
  ])('speaks the language of its address: %s', async (query, direction, placeholder, close) => {
    await page(query)
    expect([find('.foyer').dir, field().placeholder, find('.round').ariaLabel ?? '']).toEqual([
      direction,
      placeholder,
      find('.round').ariaLabel ?? '',
    ])
    expect(find('.round').getAttribute('aria-label')).toBe(close)
  })

  it('has the theme, the size and the parts that its address asks for, and nothing of what does not fit', async () => {
    await page('first=field&theme=dark&phone=true&header=none')
    expect([find('.foyer').className, find('header')]).toEqual(['foyer dark phone', null])
    for (const [query, classes] of [
      ['theme=dark&phone=false', 'foyer dark'],
      ['theme=light&phone=true', 'foyer phone'],
    ] as const) {
      await page(`first=field&${query}`)
      expect([find('.foyer').className, field().getAttribute('enterkeyhint')]).toEqual([classes, 'send'])
      expect(find('.round')).not.toBeNull()
    }
    await page('first=field&theme=blue&phone=1&close=none&enter=line')
    expect([find('.foyer').className, find('.round'), field().enterKeyHint ?? '']).toEqual([
      'foyer',
      null,
      field().enterKeyHint ?? '',
    ])
    expect(field().getAttribute('enterkeyhint')).toBe('enter')
  })

  it('shows a name as text, the first 80 characters of it, and else none', async () => {
    await page(`first=field&name=${encodeURIComponent(`<img src=x onerror=alert(1)> "'&`)}`)
    expect(find('.name').textContent).toBe(`<img src=x onerror=alert(1)> "'&`)
    expect(document.querySelectorAll('img')).toHaveLength(0)
    await page(`first=field&name=${'👋'.repeat(90)}`)
    expect([...(find('.name').textContent ?? '')]).toHaveLength(80)
    await page('first=field')
    expect(find('.name')).toBeNull()
  })

  it.each([
    ['something stands before the chat', 'first=none', true],
    ['its own server asks for consent, or is closed', 'first=field', false],
    ['the address says nothing', '', true],
  ])('has no field where %s', async (_, query, hasField) => {
    await page(query, hasField)
    expect([document.querySelectorAll('textarea, form').length, screen?.hasField()]).toEqual([0, false])
    expect(find('.skeleton')).not.toBeNull()
  })

  it('is empty where the build’s file is missing', async () => {
    expect(await drawFirst(() => undefined, new URLSearchParams('first=field'), true)).toBeUndefined()
  })
})

describe('the script of the first screen', () => {
  it('sends what was written, once, and shows it', async () => {
    await page('first=field')
    write('  ')
    find<HTMLFormElement>('form').requestSubmit()
    expect(sent).toEqual([])
    write('Hello <b>')
    expect(find('.send').className).toBe('send ready')
    find<HTMLFormElement>('form').requestSubmit()
    expect([sent, field().value, find('.send').className]).toEqual([['Hello <b>'], '', 'send'])
    expect(find('.visitor').textContent).toBe('Hello <b>')
    field().value = 'Again'
    field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }))
    expect(sent).toEqual(['Hello <b>', 'Again'])
  })

  it('closes the panel by its button and by Escape', async () => {
    await page('first=field')
    find('.round').click()
    field().focus()
    field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
    expect(said).toEqual([{ type: 'close' }, { type: 'close' }])
  })

  it('says in the page’s language that the panel does not come, and keeps what is written', async () => {
    await page('first=field&locale=de')
    write('Hallo')
    screen?.complain()
    expect(find('[role="status"]').textContent).toBe('Der Chat ist gerade nicht erreichbar.')
    expect(field().value).toBe('Hallo')
  })
})

describe('the panel', () => {
  function open(start: object = {}, more: object = {}) {
    const panel = openPanel(
      {
        root: document,
        container: document.body,
        start,
        origin: 'https://chat.example.com',
        framed: true,
        expose: 'none',
        config: { imageOrigins: [] },
        first: screen,
        ...more,
      },
      (message) => said.push(message),
    )
    onTestFinished(() => panel.dispose())
    return panel
  }

  it.each<[string, string, object]>([
    ['with nothing but its defaults', 'first=field', {}],
    ['with a name', 'first=field&name=Fern', { agentName: 'Fern' }],
    ['without a header', 'first=field&header=none', { showHeader: false }],
    ['that nothing opens again', 'first=field&close=none', { closable: false }],
    ['with a disclaimer above the field', 'first=field', { disclaimer: 'Hm', disclaimerPlace: 'above' }],
    ['with a disclaimer below the field', 'first=field', { disclaimer: 'Hm', disclaimerPlace: 'below' }],
    [
      'with a greeting, links and hours',
      'first=field',
      { greeting: 'Hi', privacyUrl: 'https://a.example', hours: 'Mon 09:00-10:00' },
    ],
    [
      'on a phone, dark and in Arabic',
      'first=field&phone=true&theme=dark&locale=ar',
      { phone: true, theme: 'dark', locale: 'ar' },
    ],
  ])(
    '%s keeps the field: its element never leaves the page, with focus, words and selection',
    async (_, query, start) => {
      await page(query, true, start)
      const own = field()
      own.focus()
      write('Hello')
      own.setSelectionRange(1, 3)
      const moves = vi.fn()
      const watch = new MutationObserver((records) => {
        for (const { removedNodes } of records)
          for (const node of removedNodes) if (node.contains(own)) moves()
      })
      watch.observe(document, { childList: true, subtree: true })
      const blurred = vi.fn()
      own.addEventListener('blur', blurred)
      const panel = open(start)
      panel.take({ type: 'show', shown: true, focus: 'panel' })
      await new Promise((later) => setTimeout(later, 20))
      expect(field()).toBe(own)
      expect(own.getAttribute('autocomplete')).toBe('off')
      expect([own.value, own.selectionStart, own.selectionEnd]).toEqual(['Hello', 1, 3])
      expect([document.activeElement, moves.mock.calls.length, blurred.mock.calls.length]).toEqual([
        own,
        0,
        0,
      ])
      expect(document.querySelectorAll('.foyer, form, .blank, [data-unavailable]')).toHaveLength(2)
      watch.disconnect()
      // What it draws is as if it had drawn all of it.
      const drawn = find('.foyer').outerHTML
      own.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      await vi.waitFor(() => expect(find('.visitor')?.textContent).toContain('Hello'))
      expect([drawn.includes('Hello'), sent]).toEqual([true, []])
    },
  )

  it('sends what was sent before it came, once, in order', async () => {
    await page('first=field')
    for (const text of ['one', 'two']) {
      write(text)
      find<HTMLFormElement>('form').requestSubmit()
    }
    write('three')
    const panel = open()
    panel.take({ type: 'show', shown: true, focus: true })
    for (const text of sent) panel.take({ type: 'send', text })
    await vi.waitFor(() =>
      expect([...document.querySelectorAll('.visitor > [dir]')].map((each) => each.textContent)).toEqual([
        'one',
        'two',
      ]),
    )
    expect(field().value).toBe('three')
  })

  it('puts a draft of the page before behind nothing that is written now', async () => {
    sessionStorage.setItem('foyer::draft', 'undefined Earlier')
    await page('first=field')
    write('now')
    open().take({ type: 'show', shown: true })
    await vi.waitFor(() => expect(field().value).toBe('Earlier\nnow'))
  })

  it('whose steps come first takes the field away, and has its words in the chat behind them', async () => {
    await page('first=field')
    write('Hello')
    const form = JSON.stringify([{ name: 'name', label: 'Name', type: 'text' }])
    open({ form }).take({ type: 'show', shown: true, focus: true })
    await vi.waitFor(() => expect(document.querySelector('.prechat')).not.toBeNull())
    expect(document.querySelectorAll('.foyer')).toHaveLength(1)
    find<HTMLInputElement>('.prechat input').value = 'Ada'
    find('.prechat input').dispatchEvent(new Event('input', { bubbles: true }))
    find<HTMLFormElement>('.prechat form').requestSubmit()
    await vi.waitFor(() => expect(field()?.value).toBe('Hello'))
  })
})
