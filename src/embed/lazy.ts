// A panel whose code comes only when it is wanted. What is said to it meanwhile waits in the port.

import type { OpenPanel } from './host.ts'

export function lazyPanel(load: () => Promise<OpenPanel>): OpenPanel {
  return (box, start, root) => {
    const { port1, port2 } = new MessageChannel()
    let removed = false
    let inner: ReturnType<OpenPanel> | undefined
    void load().then(
      (openPanel) => {
        if (removed) return
        inner = openPanel(box, start, root)
        const { port } = inner
        port2.onmessage = ({ data }) => port.postMessage(data)
        port.onmessage = ({ data }) => port2.postMessage(data)
      },
      () => console.warn('Foyer: the chat could not be loaded. Check that its origin can be reached.'),
    )
    return {
      port: port1,
      remove() {
        removed = true
        inner?.remove()
        port1.close()
      },
    }
  }
}
