// Points out unread messages: by a badge and a card at the launcher, the page's title, and a sound. Loaded, with
// the teaser, when the first of these is needed.

import type { PanelHost } from '../host/panel-host.ts'
import { pageWords } from '../host/words.ts'
import css from './attention.css?inline'
import { createCard } from './card.ts'

export { showTeaser } from './teaser.ts'

export type Attention = {
  /** Called with the number of unread messages, and the text of the newest and who wrote it, if the page may know them. */
  unread(count: number, text?: string, name?: string): void
  /** Leaves launcher and title as they were. Later calls have no effect. */
  dispose(): void
}

export function createAttention(host: PanelHost): Attention {
  const { element, launcher, state } = host
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const root = element.shadowRoot as ShadowRoot
  root.adoptedStyleSheets.push(sheet)
  const badge = document.createElement('span')
  // Beside the launcher, whose name stays as it is; the number is in its description.
  badge.ariaHidden = 'true'
  launcher.after(badge)
  const card = createCard(host, () => {})
  let before = 0
  /** The count that this chat has put before the title of the page. Other chats of the page may have put theirs there too. */
  let prefix = ''
  let gone = false

  function entitle(count: number): void {
    const { title } = document
    const next = count ? `(${count}) ` : ''
    const [counts = ''] = /^(\(\d+\) )*/.exec(title) ?? []
    // The page may have changed its title since.
    const others = prefix ? counts.replace(prefix, '') : counts
    const wanted = next + others + title.slice(counts.length)
    if (wanted !== title) document.title = wanted
    prefix = next
  }
  function unread(count: number, text?: string, name?: string): void {
    if (gone) return
    const shown = count > 99 ? '99+' : `${count || ''}`
    badge.textContent = shown
    launcher.ariaDescription = shown && `${pageWords(host.locale()).newMessage} (${shown})`
    // Messages that an earlier page left unread are counted again, and are no news.
    const isMore = count > before && state.status !== 'connecting'
    before = count
    const { notify = 'preview', agentName } = host.options()
    entitle(/title/.test(notify) ? count : 0)
    if (!isMore) {
      if (count === 0) card.hide()
      return
    }
    if (/preview/.test(notify) && !state.open) card.show(text, name ?? agentName)
  }
  return {
    unread,
    dispose() {
      unread(0)
      gone = true
      badge.remove()
      launcher.ariaDescription = null
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet)
    },
  }
}
