// Runs what the frame's own page shows before the panel's code is here: sends what is written in its field, closes the panel, and says where the
// panel does not come. The panel then draws round these elements, so nothing of the field is handed over.

import type { ToPage } from '../channel.ts'
import type { Keyboard } from './keyboard.ts'

export type FirstScreen = {
  /** The panel draws here, once. */
  element: HTMLElement
  hasField(): boolean
  /** The words in the field. */
  draft(): string
  /** Says that the panel does not come. */
  complain(): void
  /** The panel takes over. */
  leave(): void
}

/** Undefined where the page has none. `send`: takes a message that the visitor has sent. */
export function createFirstScreen(
  keyboard: Keyboard,
  post: (message: ToPage) => void,
  send: (text: string) => void,
): FirstScreen | undefined {
  const element = document.querySelector<HTMLElement>('.foyer')
  if (!element) return undefined
  const find = <T extends Element>(selector: string) => element.querySelector<T>(selector)
  const field = find<HTMLTextAreaElement>('textarea')
  const button = find<HTMLElement>('.send')
  const ending = new AbortController()
  const { signal } = ending

  /** Draws the field as the panel draws its own. */
  function draw(): void {
    const { value = '' } = field ?? {}
    field?.parentElement?.setAttribute('data-text', value)
    if (field) field.dir = value === '' ? '' : 'auto'
    button?.classList.toggle('ready', value.trim() !== '')
    button?.setAttribute('aria-disabled', `${value.trim() === ''}`)
  }
  function submit(event: Event): void {
    event.preventDefault()
    const { value: written = '' } = field ?? {}
    if (!field || written.trim() === '') return
    field.value = ''
    draw()
    const message = document.createElement('article')
    message.className = 'message visitor'
    message.textContent = written.trim()
    find('.log')?.append(message)
    send(written)
  }
  const scroll = find<HTMLElement>('.scroll')
  // The scrollbar takes its width from the space beside the messages.
  scroll?.style.setProperty('--scrollbar', `${scroll.offsetWidth - scroll.clientWidth}px`)
  find('form')?.addEventListener('submit', submit, { signal })
  field?.addEventListener('input', draw, { signal })
  field?.addEventListener('keydown', (event) => keyboard.sends(event), { signal })
  find('.round')?.addEventListener('click', () => post({ type: 'close' }), { signal })
  element.addEventListener('keydown', (event) => keyboard.closes(event), { signal })
  return {
    element,
    hasField: () => field !== null,
    draft: () => field?.value ?? '',
    complain() {
      const status = find<HTMLElement>('[data-unavailable]')
      if (!status || signal.aborted) return
      const notice = document.createElement('div')
      const words = document.createElement('span')
      notice.className = 'notice'
      words.textContent = status.dataset.unavailable ?? ''
      notice.append(words)
      status.replaceChildren(notice)
    },
    leave: () => ending.abort(),
  }
}
