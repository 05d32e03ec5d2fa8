// Puts a message on the clipboard: as text for people, and formatted for what takes that.

import type { MessageEntry } from '../../chat/index.ts'
import type { PanelState } from '../context/context.ts'
import { messagePage, messageText } from './letter.tsx'

/** Calls `done` once the message is on the clipboard, and never where the browser refuses. */
export function copy(panel: PanelState, entry: MessageEntry, done: () => void): void {
  const text = messageText(panel, entry)
  const { clipboard } = navigator
  const written =
    'ClipboardItem' in globalThis
      ? clipboard?.write([
          new ClipboardItem({
            'text/plain': new Blob([text], { type: 'text/plain' }),
            'text/html': new Blob([htmlOf(panel, entry)], { type: 'text/html' }),
          }),
        ])
      : clipboard?.writeText(text)
  written?.then(done, () => {})
}

function htmlOf(panel: PanelState, entry: MessageEntry): string {
  const { body } = messagePage(panel, entry)
  // E-mails hold no boxes.
  for (const box of body.querySelectorAll('input')) box.replaceWith(box.checked ? '☑ ' : '☐ ')
  return new XMLSerializer().serializeToString(body)
}
