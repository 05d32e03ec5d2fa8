// The panel in a frame of the BFF's own origin: the page reaches neither token nor transcript.

import { CHANNEL_VERSION } from './channel.ts'
import type { OpenPanel } from './host.ts'

export function iframePanel(origin: string, title: string): OpenPanel {
  return (box, start) => {
    const { port1, port2 } = new MessageChannel()
    const frame = document.createElement('iframe')
    frame.title = title
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
    frame.onload = () => {
      frame.onload = null
      // Said to that origin alone: whatever else may have been loaded there does not hear it.
      frame.contentWindow?.postMessage({ foyer: 'connect', version: CHANNEL_VERSION, start }, origin, [port2])
    }
    box.append(frame)
    return {
      port: port1,
      remove() {
        port1.close()
        frame.remove()
      },
    }
  }
}
