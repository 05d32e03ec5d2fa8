// The panel in the test's own document, with the page's end of its port. The BFF never says how it is set up.

import { readMessage, type ToPanel } from '../../../src/embed/channel.ts'
import type { openPanel } from '../../../src/embed/frame/panel.ts'

type Environment = Parameters<typeof openPanel>[0]
type Own = Pick<Environment, 'start'> & { expose?: 'none' | 'messages'; framed?: boolean }

/** Joins a panel with its end of the channel. `open`: the function of the panel's module, which some tests load anew. Returns the undo. */
export function openOn(
  open: typeof openPanel,
  port: MessagePort,
  given: Omit<Environment, 'config'> & { config?: Environment['config'] },
): () => void {
  const panel = open({ config: { imageOrigins: [] }, ...given }, (message) => port.postMessage(message))
  port.addEventListener('message', ({ data }) => {
    const message = readMessage<ToPanel>(data)
    if (message) panel.take(message)
  })
  port.start()
  return () => {
    port.close()
    panel.dispose()
  }
}

export function openIn(open: typeof openPanel, { start, expose = 'none', framed = false }: Own) {
  const { port1: port, port2 } = new MessageChannel()
  const container = document.body.appendChild(document.createElement('div'))
  const origin = 'https://chat.example.com'
  const undo = openOn(open, port2, { root: document, container, start, origin, expose, framed })
  return { port, container, undo, say: (message: object) => port.postMessage(message) }
}
