// Provides `window.WebchatAPI`, the calls of the service's own snippet, by the public calls and events of `window.Foyer`. Loaded by the
// script tag with `data-compat="webchat"`, or before it by a tag of its own.

import type { Listener, PageEventType } from './page-events.ts'

type Foyer = ((command: string, ...args: unknown[]) => unknown) & { q?: unknown[][]; ready?: Promise<void> }

/** A listener of the page: the event that it hears, the page's function, and `undo`, which returns true the first time. */
type Heard = { type: string; listener: unknown; undo(): boolean }

export type WebchatAPI = {
  /** Calls back once the launcher is on the page; at once if it is there already. Returns the undo. */
  onReady(listener: (api: WebchatAPI) => void): () => void
  openWidget(): void
  closeWidget(): void
  /** Shows the launcher, also where the script tag hides it. */
  showIcon(): void
  hideIcon(): void
  /** A card beside the launcher. */
  showBubble(bubble: string | { text?: string; message?: string }): void
  /** Swells the launcher once, whatever the type and the duration. */
  animateIcon(): void
  /** By the names of Foyer's events. Returns the undo. */
  on<T extends PageEventType>(type: T, listener: Listener<T>): () => void
  /** Without a listener: all of the event. */
  off(type: string, listener?: unknown): void
  destroy(): void
  /** These two have no effect, and warn. */
  onContextRequired(): void
  refreshVerifiedContext(): void
}

const page = window as unknown as { Foyer?: unknown; WebchatAPI?: Partial<WebchatAPI> }
const heard = new Set<Heard>()

/** The page's chat, or until the script is here what keeps the calls for it. An element of that name is neither. */
function foyer(): Foyer {
  if (!(page.Foyer instanceof Function)) {
    const calls: unknown[][] = []
    page.Foyer = Object.assign((...call: unknown[]) => calls.push(call), { q: calls })
  }
  return page.Foyer as Foyer
}

function listen(type: string, listener: unknown, hear: (detail: never) => void): Heard {
  const onEvent = (event: Event) => hear((event as CustomEvent).detail as never)
  document.addEventListener(`foyer-${type}`, onEvent)
  const one: Heard = {
    type,
    listener,
    undo() {
      document.removeEventListener(`foyer-${type}`, onEvent)
      return heard.delete(one)
    },
  }
  heard.add(one)
  return one
}

const lacks = (name: string) => () =>
  console.warn(`Foyer: WebchatAPI.${name} has no effect, since Foyer has no verified context`)

const api: WebchatAPI = {
  onReady(listener) {
    const call = () => {
      if (one.undo()) listener(api)
    }
    const one = listen('ready', listener, call)
    void foyer().ready?.then(call)
    return () => void one.undo()
  },
  openWidget: () => void foyer()('open'),
  closeWidget: () => void foyer()('close'),
  showIcon: () => void foyer()('update', { launcher: 'auto' }),
  hideIcon: () => void foyer()('update', { launcher: 'hidden' }),
  showBubble(bubble) {
    const { text = bubble, message = text } = Object(bubble) as { text?: unknown; message?: unknown }
    // Without words the launcher would swell.
    if (message && typeof message === 'string') foyer()('showTeaser', message)
  },
  animateIcon: () => void foyer()('animateLauncher'),
  on(type, listener) {
    const one = listen(type, listener, listener)
    return () => void one.undo()
  },
  off(type, listener) {
    for (const each of heard)
      if (each.type === type && (listener === undefined || each.listener === listener)) each.undo()
  },
  destroy: () => void foyer()('destroy'),
  onContextRequired: lacks('onContextRequired'),
  refreshVerifiedContext: lacks('refreshVerifiedContext'),
}

// A second copy leaves the listeners of the first alone.
if (!page.WebchatAPI?.openWidget) page.WebchatAPI = api
