// What stands in the panel's place until the panel answers: two lines that something is coming; after 8 s one
// sentence, a retry, and the way out. A panel that answers late is shown all the same.

import type { PanelPlace } from './host.ts'
import { placeWords } from './place-words.ts'
import css from './wait.css?inline'

const PATIENCE_MS = 8_000

export type Wait = {
  /** Starts the panel, and the time it may take. */
  begin(): void
  /** The panel is there. */
  over(): void
  /** It is known that there will be none. `cure` is for the developer: the console gets it, once. */
  fail(sentence: 'unreachable' | 'notHere', cure: string): void
  dispose(): void
}

/** `attempt` starts the panel, again at each retry. `cure`: as for `fail`, where the panel does not answer. */
export function createWait(place: PanelPlace, cure: string, attempt: () => void): Wait {
  const { box, locale, options, close } = place
  const closable = (options.layout ?? 'float') === 'float'
  const words = placeWords(locale)
  const element = document.createElement('aside')
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  element.dir = words.direction
  let timer: ReturnType<typeof setTimeout> | undefined
  let warned = false

  function begin(): void {
    stop()
    delete element.dataset.foyerFailed
    root.replaceChildren(document.createElement('i'), document.createElement('i'))
    box.prepend(element)
    timer = setTimeout(() => fail('unreachable', cure), PATIENCE_MS)
    attempt()
  }
  function stop(): void {
    clearTimeout(timer)
    removeEventListener('online', begin)
  }
  function button(text: string, act: () => void): HTMLButtonElement {
    const made = document.createElement('button')
    made.type = 'button'
    made.textContent = text
    made.onclick = act
    return made
  }
  function fail(sentence: 'unreachable' | 'notHere', reason: string): void {
    stop()
    if (!warned) console.warn(`Foyer: ${reason}`)
    warned = true
    const text = document.createElement('p')
    text.role = 'alert'
    text.textContent = words[sentence]
    element.dataset.foyerFailed = ''
    root.replaceChildren(text)
    if (sentence === 'unreachable') {
      root.append(button(words.retry, begin))
      // The network is back: that is worth a try.
      addEventListener('online', begin)
    }
    if (closable) root.append(button(words.close, close))
  }
  function over(): void {
    stop()
    element.remove()
  }
  return { begin, over, fail, dispose: over }
}
