// The panel in the page itself, for those who write `isolation: 'none'` knowingly: scripts of the page can
// read what it reads.

import type { OpenPanel } from './host.ts'
import { openPanel } from './panel.ts'

export function inlinePanel(origin: string): OpenPanel {
  return (box, start, root) => {
    const { port1, port2 } = new MessageChannel()
    const container = document.createElement('div')
    box.append(container)
    const close = openPanel({ root, container, port: port2, start, origin, expose: Promise.resolve('wire') })
    return {
      port: port1,
      remove() {
        close()
        port1.close()
        container.remove()
      },
    }
  }
}
