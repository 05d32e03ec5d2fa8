// Shows one sentence, a retry button and a way out in the place of a panel that could not be loaded. Loaded when needed.

import { directionOf } from './direction.ts'
import type { PanelHost } from './host.ts'
import { placeWords } from './place-words.ts'
import css from './trouble.css?inline'
import { troubleWords } from './trouble-words.ts'

/** Why the panel is missing: no answer, no code, or the BFF gives this page no tokens. */
export type Reason = 'silent' | 'code' | 'not-here'

/** Chats for whose developers the console shows the advice already. */
const warned = new WeakSet<PanelHost>()

/** Returns the undo. Also calls `retry` when the network returns. */
export function showTrouble(
  host: PanelHost,
  box: HTMLElement,
  origin: string,
  reason: Reason,
  retry: () => void,
): () => void {
  if (!warned.has(host)) console.warn(`Foyer: ${cure(reason, origin, host.options().isolation === 'none')}`)
  warned.add(host)
  // A frame that is hidden loses the focus to the page.
  const hadFocus = box.contains((box.getRootNode() as ShadowRoot).activeElement)
  box.className = 'failed'
  const locale = host.locale()
  const words = troubleWords(locale)
  const element = document.createElement('div')
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  element.dir = directionOf(locale)
  const text = document.createElement('p')
  text.role = 'alert'
  text.textContent = reason === 'not-here' ? words.notHere : words.unreachable
  root.append(text)

  function button(name: string, act: () => void): void {
    const made = document.createElement('button')
    made.type = 'button'
    made.textContent = name
    made.onclick = act
    root.append(made)
  }
  if (reason !== 'not-here') {
    button(words.retry, () => {
      retry()
      // The button is gone.
      box.querySelector('iframe')?.focus()
    })
    addEventListener('online', retry)
  }
  if ((host.options().layout ?? 'float') === 'float') button(placeWords(locale)[0], host.close)
  box.prepend(element)
  if (hadFocus) root.querySelector('button')?.focus()
  return () => {
    removeEventListener('online', retry)
    element.remove()
  }
}

function cure(reason: Reason, origin: string, inline: boolean): string {
  const page = location.origin
  if (reason === 'not-here')
    return `the BFF at ${origin} gives no tokens to scripts of ${page}. Add ${page} to its FOYER_UNFRAMED_ORIGINS, or leave data-isolation at "frame".`
  if (reason === 'code')
    return `the code of the chat could not be loaded. Check that ${origin} can be reached.`
  // Such a page shows a frame only with these headers, which the BFF sends.
  const headers = window.crossOriginIsolated
    ? ' This page is cross-origin isolated: check too that no proxy removes Cross-Origin-Embedder-Policy and Cross-Origin-Resource-Policy from the answer.'
    : ''
  return inline
    ? `the chat did not start. Check that ${origin} can be reached and that the Content-Security-Policy of this page allows it in connect-src.`
    : `${origin}/foyer/frame did not answer. Check that it can be reached, that the Content-Security-Policy of this page allows ${origin} in frame-src, and that FOYER_ORIGINS of the BFF names ${page}.${headers}`
}
