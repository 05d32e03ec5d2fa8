// Announces the frame to the page around it, waits for the one message that carries the port, and ignores all others. What the visitor
// sees first is drawn then; the panel's own code, which the browser has asked for meanwhile, runs behind it.

import { attempt, makeShell, persist, type Shell } from '../ui/index.ts'
import { showEarly } from './early.ts'

/** So long the panel's code may take before the visitor is told. */
const PATIENCE_MS = 8_000

const loadPanel = () => import('./panel.ts')
const loadReception = () => import('./reception.ts')

export function connectFrame(): void {
  const [ancestor] = location.ancestorOrigins ?? []
  const { parent } = window
  const { foyerConsent, foyerExpose } = document.documentElement.dataset
  const consentRequired = foyerConsent === 'required'
  let shell: Shell | undefined

  addEventListener('message', connect)
  // It contains no secret, so any origin may receive it. Older loaders connect without it.
  if (parent !== window) parent.postMessage({ foyer: 'hello' }, '*')
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    'html,body{height:100%;margin:0;overflow:hidden;overscroll-behavior:none}body>div{height:100%}',
  )
  document.adoptedStyleSheets = [sheet]
  // While the page answers.
  if (!consentRequired) shell = makeShell(document)

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
    void open(port, data.start)
  }

  async function open(port: MessagePort, start: unknown): Promise<void> {
    const early = shell && (await showEarly(shell, Object(start), port))
    await early?.painted
    let hangs = true
    const late = () => early?.late(() => hangs)
    const waiting = setTimeout(late, PATIENCE_MS)
    const { signal } = new AbortController()
    const { openPanel } = await attempt(loadPanel).catch(() => {
      hangs = false
      late()
      return persist(loadPanel, signal)
    })
    // Before what stands first ends, so that nothing is pressed in vain.
    const reception = early?.details && (await persist(loadReception, signal))
    clearTimeout(waiting)
    openPanel({
      root: document,
      container: document.body,
      port,
      start,
      origin: location.origin,
      framed: true,
      // Both stand in the frame's HTML, so that nothing has to wait for the configuration.
      consentRequired,
      expose: foyerExpose === 'messages' || foyerExpose === 'wire' ? foyerExpose : 'none',
      shell: early?.shell,
      details: early?.details,
      said: early?.handOver(),
      reception,
    })
  }
}
