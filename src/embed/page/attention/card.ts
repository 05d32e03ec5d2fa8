// Draws a small card beside the launcher: words that open the chat, and a button that dismisses the card.

import { drawIcon } from '../host/icon.ts'
import type { PanelHost } from '../host/panel-host.ts'
import { themeOf } from '../host/theme.ts'
import { directionOf, pageWords } from '../host/words.ts'
import css from './card.css?inline'

export type Card = {
  /** Shows the text and who wrote it; without a text the words for a new message. */
  show(text?: string, name?: string): void
  hide(): void
}

export function createCard(host: PanelHost, onDismiss: () => void): Card {
  const element = document.createElement('aside')
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const status = document.createElement('p')
  status.role = 'status'
  const words = document.createElement('button')
  const close = document.createElement('button')
  words.onclick = host.open
  words.dir = 'auto'
  close.append(drawIcon('m5.5 5.5 9 9m0-9-9 9'))
  close.onclick = () => {
    // The button disappears: move the focus to the launcher.
    if (root.activeElement) host.launcher.focus()
    hide()
    onDismiss()
  }
  const scheme = matchMedia('(prefers-color-scheme:dark)')
  status.append(words)
  root.append(status, close)

  function dress(): void {
    const { theme, position } = host.options()
    element.className = `${themeOf(theme)} ${host.phone.matches ? 'phone' : ''} ${position ?? ''}`
  }
  function show(text?: string, name?: string): void {
    const { newMessage, dismiss } = pageWords(host.locale())
    element.dir = directionOf(host.locale())
    dress()
    scheme.onchange = dress
    close.ariaLabel = dismiss
    host.launcher.after(element)
    // Screen readers read a text only if its region was there before.
    setTimeout(() => {
      words.textContent = text ?? newMessage
      if (!text || !name) return
      const author = document.createElement('b')
      author.dir = 'auto'
      author.textContent = name
      words.prepend(author, '\n')
    })
  }
  function hide(): void {
    scheme.onchange = null
    words.textContent = ''
    element.remove()
  }
  return { show, hide }
}
