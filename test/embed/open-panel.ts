// The panel in the test's own document, with the page's end of its port. The BFF never says how it is set up.

import type { openPanel } from '../../src/embed/frame/panel.ts'

type Own = Pick<Parameters<typeof openPanel>[0], 'start'> & { expose?: 'none' | 'messages'; framed?: boolean }

/** `open`: the function of the panel's module, which some tests load anew. */
export function openIn(open: typeof openPanel, { start, expose = 'none', framed = false }: Own) {
  const { port1: port, port2 } = new MessageChannel()
  const container = document.body.appendChild(document.createElement('div'))
  const undo = open({
    root: document,
    container,
    port: port2,
    start,
    origin: 'https://chat.example.com',
    expose,
    framed,
    config: new Promise(() => {}),
  })
  return { port, container, undo, say: (message: object) => port.postMessage(message) }
}
