// Loads what only some panels need around them: the modal sheet, the strip by which a visitor moves the panel, words of other languages
// than English, the badge and title of unread messages. The first panel that needs one of these loads this file.

import type { Attention } from './attention.ts'
import type { Looks } from './channel.ts'
import type { PanelHost } from './host.ts'
import { whenIdle } from './idle.ts'
import { createModal, type Modal } from './modal.ts'
import { placeWords } from './place-words.ts'

export type Around = {
  /**
   * Draws what these looks ask for; `newest` is the text of the newest message, if the page may know it. Returns the launcher's name
   * while the chat is open, and the frame's.
   */
  draw(
    looks: Looks & { movable?: boolean | undefined },
    newest: string | undefined,
  ): readonly [close: string, title: string]
  dispose(): void
}

/** `isModal`: whether the panel covers the page. `prepare`: called in idle time, where the site wants that. */
export function createAround(
  host: PanelHost,
  box: HTMLDialogElement,
  origin: string,
  isModal: () => boolean,
  prepare: () => void,
): Around {
  const { layout = 'float' } = host.options()
  const root = host.element.shadowRoot as ShadowRoot
  let modal: Modal | undefined
  let attention: Promise<Attention | undefined> | undefined
  let strip: Promise<(() => void) | undefined> | undefined

  let gone = false
  if (host.options().prepare === 'idle') whenIdle(() => box.isConnected && prepare())

  function setModal(): void {
    if (gone) return
    if (isModal()) modal ??= createModal(box, root, () => layout === 'float' && host.close(), setModal)
    modal?.set(isModal())
  }
  function setStrip(isMovable: boolean): void {
    if (isMovable)
      strip ??= import('./movable.ts').then(
        ({ createMovable }) => createMovable(host, box, origin),
        () => (strip = undefined),
      )
    else {
      strip?.then((remove) => remove?.())
      strip = undefined
    }
  }
  function attend(count: number, newest: string | undefined): void {
    if (count)
      attention ??= import('./attention.ts').then(
        ({ createAttention }) => createAttention(host),
        () => undefined,
      )
    attention?.then((each) => each?.unread(count, newest))
  }
  return {
    draw({ movable, locale = 'en' }, newest) {
      setModal()
      setStrip(!!movable)
      attend(host.state.unread, newest)
      return placeWords(locale)
    },
    dispose() {
      gone = true
      modal?.dispose()
      attention?.then((each) => each?.dispose())
    },
  }
}
