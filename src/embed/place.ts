// Where the panel goes: its place on the page, and in it a frame of the BFF's own origin (whose token and
// transcript the page cannot reach) or, for those who ask for it, the panel itself. Loaded on intent.

import { CHANNEL_VERSION } from './channel.ts'
import type { OpenPanel } from './host.ts'
import css from './place.css?inline'
import { frameTitle } from './words.ts'

export function placePanel(origin: string, isolation: string | undefined): OpenPanel {
  const fill = isolation === 'none' ? inlinePanel(origin) : framedPanel(origin)
  return (box, start, port, root) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    return fill(box, start, port, root)
  }
}

function framedPanel(origin: string): OpenPanel {
  return (box, start, port) => {
    const frame = document.createElement('iframe')
    frame.title = frameTitle(start.locale ?? '')
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
    frame.src = `${origin}/foyer/frame`
    // Said to that origin alone: whatever else may have been loaded there does not hear it.
    frame.onload = () => {
      frame.onload = null
      frame.contentWindow?.postMessage({ foyer: 'connect', version: CHANNEL_VERSION, start }, origin, [port])
      if (start.focus) frame.focus()
    }
    box.append(frame)
    return () => frame.remove()
  }
}

/** The panel's code comes only when it is wanted. What is said to it meanwhile waits in the port. */
function inlinePanel(origin: string): OpenPanel {
  return (box, start, port) => {
    let close = () => {}
    let gone = false
    const container = document.createElement('section')
    // A root of its own: the styles of launcher and place do not reach into the panel.
    const root = container.attachShadow({ mode: 'open' })
    box.append(container)
    void import('./panel.ts').then(
      ({ openPanel }) => {
        if (!gone)
          close = openPanel({ root, container: root, port, start, origin, expose: Promise.resolve('wire') })
      },
      () => console.warn('Foyer: the chat could not be loaded. Check that its origin can be reached.'),
    )
    return () => {
      gone = true
      close()
      container.remove()
    }
  }
}
