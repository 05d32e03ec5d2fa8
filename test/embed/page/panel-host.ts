// A host of the panel for what stands beside its launcher: an element on the page with a shadow root, and nothing in the frame.

import type { Options } from '../../../src/embed/index.ts'
import type { PanelHost } from '../../../src/embed/page/host/panel-host.ts'

export function createPanelHost(options: Options, own: Partial<PanelHost> = {}): PanelHost {
  const element = document.body.appendChild(document.createElement('foyer-host'))
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = []
  return {
    element,
    key: 'foyer:https://chat.example.com/',
    launcher: root.appendChild(document.createElement('button')),
    state: { open: false, status: 'live', sessionId: undefined, unread: 0, version: 1 },
    phone: { matches: false } as MediaQueryList,
    options: () => options,
    locale: () => options.locale ?? 'en',
    attach() {},
    draw() {},
    tell: () => true,
    open() {},
    close() {},
    ...own,
  }
}
