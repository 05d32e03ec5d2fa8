// Prints the transcript as a letter. It stands in an empty frame of its own: without isolation, the panel's document is the site's page.

import type { PanelState } from '../context/context.ts'
import styles from './letter.css?inline'
import { transcriptPage } from './letter.tsx'

/** `place`: where the frame stands, hidden, until the browser has printed it. */
export function print(panel: PanelState, place: Element): void {
  const frame = document.createElement('iframe')
  frame.className = 'hidden'
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  // Firefox replaces the frame's first document before this event.
  frame.onload = () => {
    frame.onload = null
    const view = frame.contentWindow as Window & typeof globalThis
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(styles)
    view.document.adoptedStyleSheets = [sheet]
    view.document.documentElement.replaceWith(transcriptPage(panel).documentElement)
    view.onafterprint = () => frame.remove()
    view.print()
  }
  // Of a letter that the browser refused to print.
  place.querySelector(':scope > iframe')?.remove()
  place.append(frame)
}
