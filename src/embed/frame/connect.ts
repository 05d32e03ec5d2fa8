// Announces the frame to the page around it, waits for the one message that carries the port, and ignores all others.

import { openPanel } from './panel.ts'

export function connectFrame(): void {
  const [ancestor] = location.ancestorOrigins ?? []
  const { parent } = window
  const { foyerAnswers, foyerConnector, foyerConsent, foyerExpose, foyerOff } =
    document.documentElement.dataset

  addEventListener('message', connect)
  // It contains no secret, so any origin may receive it. Older loaders connect without it.
  if (parent !== window) parent.postMessage({ foyer: 'hello' }, '*')
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    'html,body{height:100%;margin:0;overflow:hidden;overscroll-behavior:none}body>div{height:100%}',
  )
  document.adoptedStyleSheets = [sheet]

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
    openPanel({
      root: document,
      container: document.body,
      port,
      // The frame's own server names the connector: a page that may embed one frame does not get another connector by it.
      start: foyerConnector === undefined ? data.start : { ...Object(data.start), connector: foyerConnector },
      origin: location.origin,
      framed: true,
      // They stand in the frame's HTML, so that nothing has to wait for the configuration.
      off: foyerOff === 'true',
      automatic: foyerAnswers === 'automatic',
      consentRequired: foyerConsent === 'required',
      expose: foyerExpose === 'messages' || foyerExpose === 'wire' ? foyerExpose : 'none',
    })
  }
}
