// A browser on one machine: pages that share a cookie, a store, locks and a channel, each with an engine of its own.

import type {
  Channel,
  Chat,
  ChatOptions,
  KeyValue,
  Locks,
  shareTabs,
  WireNote,
} from '../../src/chat/index.ts'
import { type Network, type Page, TOKEN_URL } from './network.ts'
import type { Time } from './time.ts'

/** The engine, or a copy of it with a bug in it. */
export type Engine = {
  createChat(options: ChatOptions): Chat
  shareTabs: typeof shareTabs
}

export type Tab = Page & {
  readonly chat: Chat
  readonly store: Map<string, string>
  visible: boolean
  opened: boolean
  /** The visitor looks at the panel. */
  shown: boolean
  /** When it was last hidden, frozen, asleep or offline. */
  troubledAt: number
  /** When the page last heard that the visitor signed out. */
  signedOutAt: number
  /** When the site allowed what the visitor had sent: from then on the visitor waits for it. */
  readonly released: number[]
  /** Its store did not take what the page last wrote: it holds what was before. */
  isStale: boolean
  /** What the engine threw or left unhandled. */
  readonly broken: string[]
}

/** One page's end of a channel. */
type End = Channel & {
  name: string
  page: Page
  listeners: Set<(event: { data: unknown }) => void>
}

export function createBrowser(
  time: Time,
  network: Network,
  engine: Engine,
  random: () => number,
  webLocks: boolean,
  trace?: (line: string) => void,
  onSignedOut: (tab: Tab) => void = () => {},
) {
  const shared = new Map<string, string>()
  const tabs: Tab[] = []
  let counter = 0
  let ids = 0
  /** Until when the stores take nothing, and whether they give what they have. */
  let storage: { kind: 'full' | 'denied'; until: number } | undefined
  const locks = createLocks(time)
  network.textIn(() => shared.get('sealed'))
  const channels = new Set<End>()

  /** `missed`: told of each write, whether the store took it. */
  const storeOf = (
    values: Map<string, string>,
    missed: (key: string, is: boolean) => void = () => {},
  ): KeyValue => {
    const fault = () => (storage && storage.until > time.now() ? storage.kind : undefined)
    return {
      get: (key) => (fault() === 'denied' ? undefined : values.get(key)),
      set: (key, value) => {
        missed(key, fault() !== undefined)
        if (fault() === undefined) values.set(key, value)
      },
      remove: (key) => {
        missed(key, fault() === 'denied')
        if (fault() !== 'denied') values.delete(key)
      },
    }
  }

  /** A BroadcastChannel: what is said arrives later, at every other one of the name. */
  const channelOf =
    (page: Page) =>
    (name: string): Channel => {
      const listeners = new Set<(event: { data: unknown }) => void>()
      const end: End = {
        page,
        name,
        listeners,
        addEventListener: (_, listener) => void listeners.add(listener),
        postMessage(message) {
          if (!channels.has(end)) throw new DOMException('closed', 'InvalidStateError')
          trace?.(`      ${time.now()} ${page.name} to tabs ${JSON.stringify(message)}`)
          for (const other of channels) {
            if (other === end || other.name !== name) continue
            const data: unknown = structuredClone(message)
            time.deliver(other.page, 1, () => {
              if (channels.has(other)) for (const listener of other.listeners) listener({ data })
            })
          }
        },
        close: () => void channels.delete(end),
      }
      channels.add(end)
      return end
    }

  function newTab(store: Map<string, string>): Tab {
    const page: Page = {
      name: `tab ${++counter}`,
      alive: true,
      frozen: false,
      sockets: new Set(),
      attempts: [],
      frames: [],
    }
    const broken: string[] = []
    const released: number[] = []
    const tab = {
      ...page,
      store,
      visible: true,
      opened: false,
      shown: false,
      troubledAt: time.now(),
      signedOutAt: -1,
      released,
      isStale: false,
      broken,
    } as unknown as Tab & { chat: Chat }
    const options = {
      tokenUrl: TOKEN_URL,
      clock: time.clockOf(tab),
      random,
      uuid: () => `id-${++ids}`,
      fetch: network.fetchOf(tab),
      WebSocket: network.socketClassOf(tab),
      onSignedOut: () => {
        tab.signedOutAt = time.now()
        onSignedOut(tab)
      },
      sessionStore: storeOf(shared),
      outboxStore: storeOf(store, (_, is) => {
        tab.isStale = is
      }),
      keepSealed: network.frame !== undefined,
      beforeSend: ({ text }: { text: string }) =>
        new Promise<boolean>((answer) => {
          const delay = REVIEWS[Math.floor(random() * REVIEWS.length)] ?? 0
          time.clockOf(tab).after(delay, () => {
            if (!isRefused(text)) released.push(time.now())
            answer(!isRefused(text))
          })
        }),
      ...(trace && {
        onWire: ({ direction, text }: WireNote) =>
          trace(`      ${time.now()} ${tab.name} ${direction} ${text}`),
      }),
      tabs: engine.shareTabs({ channel: channelOf(tab), locks: webLocks ? locks.of(tab) : undefined }),
    }
    Object.assign(tab, { chat: engine.createChat(options as ChatOptions) })
    tabs.push(tab)
    return tab
  }

  /** The page is gone: the browser closes its sockets, frees its locks and its channel. */
  function bury(tab: Tab): void {
    for (const socket of [...tab.sockets]) socket.cut(1001, 'taken')
    tab.alive = false
    network.forget(tab)
    locks.free(tab)
    for (const end of [...channels]) if (end.page === tab) channels.delete(end)
    tabs.splice(tabs.indexOf(tab), 1)
  }

  return {
    tabs,
    shared,
    newTab,
    /** `crash`: without a word to the page. */
    async close(tab: Tab, crash: boolean) {
      if (!crash && !tab.frozen) await time.act(tab, () => tab.chat.dispose())
      bury(tab)
    },
    failStorage(kind: 'full' | 'denied', ms: number) {
      storage = { kind, until: time.now() + ms }
    },
    heal() {
      storage = undefined
    },
    storageFails: () => storage !== undefined && storage.until > time.now(),
    isDenied: () => storage?.kind === 'denied' && storage.until > time.now(),
    /** The pages that hold a lock, the one that was given last first. */
    lockHolders: locks.holders,
    /** Nothing that a page stored is left, as in a new profile. */
    forget: () => shared.clear(),
  }
}

/** Web Locks: exclusive ones, granted in order, freed with their page. */
function createLocks(time: Time) {
  type Request = { page: Page; name: string; ran: boolean; grant: () => void }
  const held = new Map<string, Request>()
  let waiting: Request[] = []

  function next(name: string): void {
    if (held.has(name)) return
    const request = waiting.find((each) => each.name === name)
    if (!request) return
    waiting = waiting.filter((each) => each !== request)
    held.set(name, request)
    time.deliver(request.page, 1, request.grant)
  }
  const release = (request: Request) => {
    if (held.get(request.name) === request) held.delete(request.name)
    next(request.name)
  }

  return {
    of: (page: Page): Locks => ({
      request: (name, { signal }, callback) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(new DOMException('aborted', 'AbortError'))
          const request: Request = {
            page,
            name,
            ran: false,
            grant: () => {
              if (held.get(name) !== request) return
              request.ran = true
              void (async () => callback())()
                .then(resolve, reject)
                .finally(() => release(request))
            },
          }
          waiting.push(request)
          signal.addEventListener('abort', () => {
            // No page is frozen with a lock that it was just given.
            if (held.get(name) === request && !request.ran) release(request)
            else if (!waiting.includes(request)) return
            waiting = waiting.filter((each) => each !== request)
            reject(new DOMException('aborted', 'AbortError'))
          })
          next(name)
        }),
    }),
    holders: () => [...held.values()].map(({ page }) => page as Tab).reverse(),
    free(page: Page) {
      waiting = waiting.filter((each) => each.page !== page)
      for (const request of [...held.values()]) if (request.page === page) release(request)
    },
  }
}

export type Browser = ReturnType<typeof createBrowser>

/** How long the site takes to answer whether a message may be sent (ms). */
const REVIEWS = [0, 5, 300, 3_000, 20_000]
/** The texts that the site keeps out: a quarter of them, by their letters. */
export const isRefused = (text: string): boolean =>
  text !== 'ok' && [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 4 === 0
