// Where the panel goes: its place on the page, and in it a frame of the BFF's own origin (whose token and
// transcript the page cannot reach) or, for those who ask for it, the panel itself. Loaded on intent.
//
//   place                         frame
//     load /foyer/frame  ────────▶
//                        ◀──────── hello
//     connect, with the port ────▶
//                        ◀──────── ready, over the port

import { CHANNEL_VERSION, type Start } from './channel.ts'
import { readConfig } from './config.ts'
import type { OpenPanel, PanelPlace } from './host.ts'
import css from './place.css?inline'
import { placeWords } from './place-words.ts'
import { createWait } from './wait.ts'

export function placePanel(origin: string, isolation: string | undefined): OpenPanel {
  const fill = isolation === 'none' ? inlinePanel : framedPanel
  return (place) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    place.root.adoptedStyleSheets = [...place.root.adoptedStyleSheets, sheet]
    // Open, the launcher shows how to close.
    const icon = place.root.querySelector('path')
    const chevron = icon?.cloneNode() as Element | undefined
    chevron?.setAttribute('d', 'm5 7.75 5 5 5-5')
    if (chevron) icon?.after(chevron)
    return fill(place, origin)
  }
}

function connect(place: PanelPlace, ready: () => void): { start: Start; port: MessagePort } {
  const { connector, platform = 'web', streaming = true } = place.options
  const { start, port } = place.connect(ready)
  const web = platform === 'web' ? platform : `${platform}-web`
  return { start: { ...start, connector, platform: web, streaming, tools: place.tools }, port }
}

function framedPanel(place: PanelPlace, origin: string): () => void {
  const frame = document.createElement('iframe')
  frame.title = placeWords(place.locale).title
  frame.allow = 'clipboard-write'
  if (origin === location.origin)
    console.warn(
      'Foyer: the chat frame has the origin of this page, so scripts of this page can read its token. Serve the BFF from another origin (data-origin).',
    )
  else
    frame.setAttribute(
      'sandbox',
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
    )
  const wait = createWait(
    place,
    `${origin}/foyer/frame did not answer. Check that it can be reached, that the Content-Security-Policy of this page allows ${origin} in frame-src, and that FOYER_ORIGINS of the BFF names ${location.origin}.`,
    () => {
      delete frame.dataset.foyerReady
      frame.src = `${origin}/foyer/frame`
      if (!frame.isConnected) place.box.append(frame)
    },
  )
  /** The frame's own script is there: it, and nothing else that may stand at its address, gets the port. */
  function onMessage({ source, origin: from, data }: MessageEvent): void {
    if (!source || source !== frame.contentWindow || from !== origin || data?.foyer !== 'hello') return
    const { start, port } = connect(place, () => {
      wait.over()
      frame.dataset.foyerReady = ''
    })
    frame.contentWindow?.postMessage({ foyer: 'connect', version: CHANNEL_VERSION, start }, origin, [port])
    if (start.focus) frame.focus()
  }
  addEventListener('message', onMessage)
  wait.begin()
  return () => {
    removeEventListener('message', onMessage)
    wait.dispose()
    frame.remove()
  }
}

/** The panel's code comes only when it is wanted. What is said to it meanwhile waits in the host. */
function inlinePanel(place: PanelPlace, origin: string): () => void {
  const container = document.createElement('section')
  // A root of its own: the styles of launcher and place do not reach into the panel.
  const root = container.attachShadow({ mode: 'open' })
  let close: (() => void) | undefined
  let gone = false
  const wait = createWait(
    place,
    `the chat did not start. Check that ${origin} can be reached and that the Content-Security-Policy of this page allows it in connect-src.`,
    () =>
      void Promise.all([import('./panel.ts'), readConfig(origin)]).then(
        ([{ openPanel }, config]) => {
          if (gone || close) return
          if (config.unframed === false)
            return wait.fail(
              'notHere',
              `the BFF at ${origin} gives no tokens to scripts of ${location.origin}. Add ${location.origin} to its FOYER_UNFRAMED_ORIGINS, or leave data-isolation at "frame".`,
            )
          const { start, port } = connect(place, wait.over)
          place.box.append(container)
          close = openPanel({
            root,
            container: root,
            port,
            start,
            origin,
            // Scripts of the page reach everything anyway.
            config: Promise.resolve({ ...config, expose: 'wire' }),
          })
        },
        () => {
          if (!gone)
            wait.fail(
              'unreachable',
              `the code of the chat could not be loaded. Check that ${origin} can be reached.`,
            )
        },
      ),
  )
  wait.begin()
  return () => {
    gone = true
    wait.dispose()
    close?.()
    container.remove()
  }
}
