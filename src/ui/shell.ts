// Draws what the panel shows first, header and composer, by the document alone: they are on the screen before the panel's own code has
// run. The panel takes over these very elements, so that focus, caret and a composition of an input method stay. Therefore they
// are what the panel draws first; a test holds one against the other.

import { ASSISTANT, CLOSE, MORE, SEND } from './icon-paths.ts'
import { type CoreWords, enCore } from './locales/en-core.ts'
import { adoptStyles } from './theme.ts'

/** What is said first. */
export type Spoken = {
  words: CoreWords
  /** The site's own words. */
  own: Partial<CoreWords>
  /** Whom the visitor talks to. */
  agentName?: string | undefined
  enterSends: boolean
}

/** The settings that change what is drawn first. */
export type ShellLooks = {
  /** Of the words. */
  locale: string
  theme: 'light' | 'dark'
  phone: boolean
  showHeader: boolean
  closable: boolean
  modal: boolean
}

export type Shell = {
  element: HTMLElement
  field: HTMLTextAreaElement
  menu: HTMLElement
  spoken: Spoken
  /** The menu was asked for, which only the panel can show. */
  pressed: boolean
  /** To be called when the text of the field has changed. */
  grow(): void
  /** Shows what was sent. */
  say(text: string): void
  /** Shows that nothing answers, with a way to try again, as the panel does. */
  late(retry: () => void): void
  /** Puts it on the screen. */
  show(container: HTMLElement | ShadowRoot, looks: ShellLooks): void
}

type Attributes = Readonly<Record<string, string>>

const ENGLISH: Spoken = { words: enCore, own: {}, enterSends: true }

/** Makes it, and puts nothing on the screen yet. */
export function makeShell(root: Document | ShadowRoot, spoken = ENGLISH): Shell {
  adoptStyles(root)
  const say = { ...spoken.words, ...spoken.own }
  const round = (name: string, path: Element, more?: Attributes) =>
    draw('button', { type: 'button', class: 'round', 'aria-label': name, ...more }, path)
  const menu = round(say.menu, icon(MORE, { 'stroke-width': '2.5' }), {
    'aria-haspopup': 'menu',
    'aria-expanded': 'false',
  })
  const close = round(say.closeChat, icon(CLOSE))
  const status = draw('div', { class: 'status', 'aria-live': 'off' }, say.statusReady)
  const told = draw('div', { role: 'status' })
  const header = draw(
    'header',
    { part: 'header', class: 'header' },
    draw('span', { class: 'avatar', 'aria-hidden': 'true' }, icon(ASSISTANT)),
    draw(
      'div',
      { class: 'who' },
      draw('h2', { class: 'name' }, draw('bdi', {}, spoken.agentName ?? say.assistant)),
      status,
    ),
    menu,
    close,
  )
  const field = draw('textarea', {
    rows: '1',
    'aria-label': say.message,
    'aria-invalid': 'false',
    placeholder: say.placeholder,
    enterkeyhint: spoken.enterSends ? 'send' : 'enter',
  }) as HTMLTextAreaElement
  const around = draw('div', { class: 'grow' }, field)
  const button = draw('button', { type: 'submit', part: 'send', 'aria-label': say.send }, icon(SEND))
  const log = draw(
    'div',
    { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': say.conversation },
    draw('p', { class: 'disclosure-first first' }, say.disclosure),
    draw('div', { class: 'entries' }),
    draw('div', { class: 'skeleton', role: 'img', 'aria-label': say.loading }, draw('i', {}), draw('i', {})),
  )
  const content = draw(
    'section',
    { class: 'content', role: 'dialog', 'aria-label': say.chat, tabindex: '-1' },
    header,
    draw('div', { class: 'scroll', tabindex: '0' }, log),
    draw(
      'div',
      { class: 'foot' },
      told,
      draw('form', { part: 'composer', class: 'composer' }, around, button),
      draw('p', { class: 'small-print' }, say.smallPrint),
    ),
    draw('div', { class: 'hidden', role: 'status', 'aria-live': 'polite', 'aria-atomic': 'false' }),
  )
  const element = draw('div', {}, content) as HTMLElement
  function grow(): void {
    const { value } = field
    const ready = value.trim() !== ''
    around.setAttribute('data-text', value)
    button.className = ready ? 'send ready' : 'send'
    button.ariaDisabled = `${!ready}`
    if (value) field.dir = 'auto'
    else field.removeAttribute('dir')
  }
  grow()
  return {
    element,
    field,
    menu: menu as HTMLElement,
    spoken,
    pressed: false,
    grow,
    say: (text) =>
      log.append(
        draw(
          'article',
          { class: 'message visitor sending' },
          draw('span', { class: 'hidden' }, say.said(say.you)),
          draw('span', { dir: 'auto' }, text),
        ),
      ),
    late(retry) {
      if (told.firstChild) return
      status.textContent = say.statusOffline
      const again = draw('button', { type: 'button', class: 'quiet once' }, say.retry)
      again.addEventListener('click', retry)
      told.append(again)
    },
    show(container, { locale, theme, phone, showHeader, closable, modal }) {
      element.className = `foyer${theme === 'dark' ? ' dark' : ''}${phone ? ' phone' : ''}`
      element.lang = locale
      element.dir = say.direction
      if (!showHeader) header.remove()
      if (!closable) close.remove()
      if (modal) content.ariaModal = 'true'
      container.append(element)
    },
  }
}

const draw = (name: string, attributes: Attributes, ...children: (Node | string)[]) =>
  fill(document.createElement(name), attributes, children)

function icon(path: string, more?: Attributes): Element {
  const made = (name: string, attributes: Attributes, ...children: Node[]) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)
  return made(
    'svg',
    { class: 'icon', viewBox: '0 0 20 20', 'aria-hidden': 'true' },
    made('path', { d: path, ...more }),
  )
}

function fill<T extends Element>(
  element: T,
  attributes: Attributes,
  children: readonly (Node | string)[],
): T {
  for (const name in attributes) element.setAttribute(name, attributes[name] ?? '')
  element.append(...children)
  return element
}
