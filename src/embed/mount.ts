// Mounts a chat from an app's own bundle. Importing this file has no effect; `mount` needs a browser.

import type { Renderers } from '../ui/index.ts'
import { type Options, readOptions } from './options.ts'
import { createHost, type Handle } from './page/host/host.ts'
import { placePanel } from './page/panel/container.ts'

/** The options of `mount`. */
export type MountOptions = Options & {
  /** For developer tools: the wire log as `wire` events, if the BFF allows it. */
  tools?: boolean
  /** Parts that the page draws itself. Only without a frame (`isolation: 'none'`). */
  render?: Renderers
}

/** Puts a chat on the page, and returns its handle at once: `handle.ready` resolves once the launcher is on the page. `handle.destroy` removes the chat. */
export const mount = (options: MountOptions = {}): Handle => mountFor(undefined, options)

/** `own`: the page's own element for the chat, which holds it where it is embedded, and dispatches its events. */
export function mountFor(own: HTMLElement | undefined, options: MountOptions): Handle {
  const read = readOptions(options)
  const origin = read.origin ?? location.origin
  const key = `foyer:${origin}/${read.connector ?? ''}`
  const attention = () => import('./page/attention/attention.ts')
  return createHost(read, key, placePanel(origin, read.isolation, options, { attention }), own)
}
