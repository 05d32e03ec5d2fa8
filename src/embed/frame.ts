// The script of the frame page. It waits for the one message that carries the port, and takes no other.

import { openPanel } from './panel.ts'

const [ancestor] = location.ancestorOrigins ?? []

/** What the page around may be told is for our own server to say, not for that page. */
async function exposed(): Promise<'none' | 'messages' | 'wire'> {
  try {
    const response = await fetch('/foyer/config', { credentials: 'omit' })
    const { expose } = (await response.json()) as { expose?: unknown }
    return expose === 'messages' || expose === 'wire' ? expose : 'none'
  } catch {
    return 'none'
  }
}

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
    expose: exposed(),
  })
}

const sheet = new CSSStyleSheet()
sheet.replaceSync(
  'html,body{height:100%;margin:0;overflow:hidden;overscroll-behavior:none}body>div{height:100%}',
)
document.adoptedStyleSheets = [sheet]
window.addEventListener('message', connect)
