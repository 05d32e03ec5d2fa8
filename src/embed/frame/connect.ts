// Announces the frame to the page around it, waits for the one message that carries the port, and ignores all others. Takes what the page
// says from then on; what comes before the panel waits.

import { persist } from '../../ui/index.ts'
import { readMessage, type Start, type ToPage, type ToPanel, text } from '../channel.ts'
import { lacksConsent } from '../options.ts'
import { worded } from './chat/worded.ts'
import { createFirstScreen } from './first-screen.ts'
import { askFirstToken } from './first-token.ts'
import { createKeyboard } from './keyboard.ts'

/** After so long the first screen says that the panel does not come. */
const PATIENCE_MS = 8_000
/** A frame that is made ready and not shown has its panel after so long. */
const UNSEEN_MS = 500
/** A browser that does not come to rest draws the panel after so long. */
const BUSY_MS = 100
/** More than a page says before its panel is there. What comes after that is dropped. */
const MOST_EARLY = 1_000

const loadPanel = () => import('./panel.ts')

export function connectFrame(load = loadPanel): void {
  const [ancestor] = location.ancestorOrigins ?? []
  const { parent } = window
  addEventListener('message', connect)
  // It contains no secret, so any origin may receive it. Older loaders connect without it.
  if (parent !== window) parent.postMessage({ foyer: 'hello' }, '*')

  function connect(event: MessageEvent): void {
    if (event.source !== parent || parent === window) return
    // The policy (frame-ancestors) decides which pages may embed this one; here only its own origin is checked again.
    if (ancestor !== undefined && event.origin !== ancestor) return
    const { data, ports } = event as {
      data: { foyer?: unknown; start?: unknown } | null
      ports: readonly MessagePort[]
    }
    const [port] = ports
    if (data?.foyer !== 'connect' || !port) return
    removeEventListener('message', connect)
    begin(port, event.origin, Object(data.start), load)
  }
}

/** Calls `act` once what is drawn now is on the screen, and what was pressed meanwhile is handled. */
function whenPainted(act: () => void): void {
  requestAnimationFrame(() => {
    // WebKit has no such callback.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: BUSY_MS })
    else setTimeout(act)
  })
}

function begin(port: MessagePort, pageOrigin: string, given: Start, load: typeof loadPanel): void {
  const { dataset } = document.documentElement
  const { foyerAnswers, foyerConnector, foyerConsent, foyerExpose } = dataset
  const { foyerImages, foyerJoin, foyerOff, foyerPage } = dataset
  // The frame's own server names the connector: a page that may embed one frame does not get another connector by it.
  const start: Start = foyerConnector === undefined ? given : { ...given, connector: foyerConnector }
  const post = (message: ToPage) => port.postMessage(message)
  const early: ToPanel[] = []
  let take: (message: ToPanel) => void = (message) => void (early.length < MOST_EARLY && early.push(message))
  // It lasts as long as the frame.
  const { signal } = new AbortController()
  const keyboard = createKeyboard(start, post, signal)
  const screen = createFirstScreen(keyboard, post, (text) => take({ type: 'send', text }))
  const token = askFirstToken(location.origin, start)
  let seen = () => {}
  /** The panel's code holds the processor for longer than all that is shown before it, so it waits until that is on the screen. */
  const isSeen = new Promise<void>((resolve) => {
    seen = resolve
    setTimeout(resolve, screen ? UNSEEN_MS : 0)
  })

  port.onmessage = ({ data }) => {
    const message = readMessage<ToPanel>(data)
    if (message?.type === 'key') return keyboard.press(text(message.key) ?? '')
    if (message?.type === 'show') {
      if (message.shown === true && screen?.hasField() && !lacksConsent(start)) token.ask()
      keyboard.want(message.shown === true && message.focus)
      if (message.shown === true) whenPainted(seen)
    }
    if (message) take(message)
  }
  if (screen) post({ type: 'ready' })

  const late = setTimeout(() => screen?.complain(), PATIENCE_MS)
  const loaded = isSeen.then(() => persist(load, signal, undefined, () => screen?.complain()))
  void loaded.then(async ({ openPanel, loadWords }) => {
    await worded(loadWords(text(start.locale) ?? '', signal))
    clearTimeout(late)
    const panel = openPanel(
      {
        root: document,
        container: document.body,
        start,
        origin: location.origin,
        framed: true,
        first: screen,
        fetch: token.fetch,
        // They stand in the frame's HTML, so that nothing has to wait for the configuration.
        off: foyerOff === 'true',
        automatic: foyerAnswers === 'automatic',
        consentRequired: foyerConsent === 'required',
        pageOrigin: foyerPage === 'true' ? pageOrigin : undefined,
        expose: foyerExpose === 'messages' || foyerExpose === 'wire' ? foyerExpose : 'none',
        config: {
          imageOrigins: foyerImages?.split(' ').filter(Boolean) ?? [],
          chunkJoin: foyerJoin === 'space' ? foyerJoin : undefined,
        },
      },
      post,
    )
    take = panel.take
    // A visitor who has gone on with the page keeps the focus there.
    for (const message of early.splice(0))
      take(message.type === 'show' && !document.hasFocus() ? { ...message, focus: false } : message)
  })
}
