// The component for apps that bring their own bundler. Importing it does nothing; `mount` needs a browser.

import { createHost, type Handle, type OpenPanel, type Tools } from './host.ts'
import { iframePanel } from './iframe.ts'
import { lazyPanel } from './lazy.ts'
import { type Options, readOptions } from './options.ts'
import { launcherWords } from './words.ts'

export type MountOptions = Options & {
  /** For developers' tools: the log of the wire, where the BFF allows it. */
  tools?: boolean
}

/** Puts a chat on the page. The handle's `destroy` takes it away again. */
export function mount(options: MountOptions = {}): Handle & Tools {
  const read = readOptions([options], (text) => console.warn(text))
  const origin = read.origin ?? location.origin
  return createHost(read, storageKey(origin, read.connector), panelFor(read, origin), options.tools ?? false)
}

export function storageKey(origin: string, connector: string | undefined): string {
  return `foyer:${origin}${connector === undefined ? '' : `/${connector}`}`
}

function panelFor(options: Options, origin: string): OpenPanel {
  if (options.isolation === 'none')
    return lazyPanel(() => import('./inline.ts').then(({ inlinePanel }) => inlinePanel(origin)))
  return iframePanel(origin, launcherWords(options.locale ?? 'en').chat)
}
