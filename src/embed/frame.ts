// The script of the frame page. It tells the page around it that it is there, waits for the one message that
// carries the port, and takes no other.

import { readConfig } from './config.ts'
import { openPanel } from './panel.ts'

const [ancestor] = location.ancestorOrigins ?? []

function connect(event: MessageEvent): void {
  if (event.source !== window.parent || window.parent === window) return
  // Who may embed this page is the policy's to say (frame-ancestors); this is the same origin, asked again.
  if (ancestor !== undefined && event.origin !== ancestor) return
  const { data, ports } = event as {
    data: { foyer?: unknown; start?: unknown } | null
    ports: readonly MessagePort[]
  }
  const [port] = ports
  if (data?.foyer !== 'connect' || !port) return
  window.removeEventListener('message', connect)
  openPanel({
    root: document,
    container: document.body,
    port,
    start: data.start,
    origin: location.origin,
    framed: true,
    // In the page itself: nothing has to be waited for.
    consentRequired: document.documentElement.dataset.foyerConsent === 'required',
    config: readConfig(location.origin),
  })
}

const sheet = new CSSStyleSheet()
sheet.replaceSync(
  'html,body{height:100%;margin:0;overflow:hidden;overscroll-behavior:none}body>div{height:100%}',
)
document.adoptedStyleSheets = [sheet]
window.addEventListener('message', connect)
// Holds no secret, so anybody may hear it. An older loader connects without waiting for it.
if (window.parent !== window) window.parent.postMessage({ foyer: 'hello' }, '*')
