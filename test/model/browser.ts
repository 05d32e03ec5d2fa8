// A browser on one machine: pages that share a cookie, a store, locks and a channel, each with an engine of its own.

import type { Chat, ChatOptions, KeyValue, WireNote } from '../../src/chat/index.ts'
import { type Network, type Page, TOKEN_URL } from './network.ts'
import type { Time } from './time.ts'

export type CreateChat = (options: ChatOptions) => Chat

export type Tab = Page & {
  readonly chat: Chat
  readonly store: Map<string, string>
  visible: boolean
  opened: boolean
  /** What the engine threw or left unhandled. */
  readonly broken: string[]
}

export function createBrowser(
  time: Time,
  network: Network,
  createChat: CreateChat,
  random: () => number,
  trace?: (line: string) => void,
) {
  const shared = new Map<string, string>()
  const tabs: Tab[] = []
  let counter = 0
  let ids = 0
  /** Until when the stores take nothing, and whether they give what they have. */
  let storage: { kind: 'full' | 'denied'; until: number } | undefined
  const locks = createLocks(time)
  const channels = new Set<{ name: string; page: Page; take(data: unknown): void }>()

  const storeOf = (values: Map<string, string>): KeyValue => {
    const fault = () => (storage && storage.until > time.now() ? storage.kind : undefined)
    return {
      get: (key) => (fault() === 'denied' ? undefined : values.get(key)),
      set: (key, value) => {
        if (fault() === undefined) values.set(key, value)
      },
      remove: (key) => {
        if (fault() !== 'denied') values.delete(key)
      },
    }
  }

  const channelOf = (page: Page) =>
    class {
      onmessage: ((event: { data: unknown }) => void) | null = null
      readonly #listeners = new Set<(event: { data: unknown }) => void>()
      readonly #end: { name: string; page: Page; take(data: unknown): void }
      readonly name: string
      constructor(name: string) {
        this.name = name
        this.#end = {
          name,
          page,
          take: (data) => {
            this.onmessage?.({ data })
            for (const listener of [...this.#listeners]) listener({ data })
          },
        }
        channels.add(this.#end)
      }
      addEventListener(_: string, listener: (event: { data: unknown }) => void) {
        this.#listeners.add(listener)
      }
      removeEventListener(_: string, listener: (event: { data: unknown }) => void) {
        this.#listeners.delete(listener)
      }
      postMessage(data: unknown) {
        if (!channels.has(this.#end)) throw new DOMException('closed', 'InvalidStateError')
        // What cannot be cloned throws, as in a browser.
        const copy = structuredClone(data)
        for (const other of channels)
          if (other !== this.#end && other.name === this.name)
            time.deliver(other.page, 1, () => channels.has(other) && other.take(structuredClone(copy)))
      }
      close() {
        channels.delete(this.#end)
      }
    }

  function newTab(store: Map<string, string>, features: 'locks' | 'none' = 'locks'): Tab {
    const page: Page = {
      name: `tab ${++counter}`,
      alive: true,
      frozen: false,
      sockets: new Set(),
      attempts: [],
      frames: [],
    }
    const broken: string[] = []
    const tab = { ...page, store, visible: true, opened: false, broken } as Tab & { chat: Chat }
    const options = {
      tokenUrl: TOKEN_URL,
      clock: time.clockOf(tab),
      random,
      uuid: () => `id-${++ids}`,
      fetch: network.fetchOf(tab),
      WebSocket: network.socketClassOf(tab),
      sessionStore: storeOf(shared),
      outboxStore: storeOf(store),
      ...(trace && {
        onWire: ({ direction, text }: WireNote) =>
          trace(`      ${time.now()} ${tab.name} ${direction} ${text}`),
      }),
      ...seams(tab, features),
    }
    Object.assign(tab, { chat: createChat(options as ChatOptions) })
    tabs.push(tab)
    return tab
  }

  /** How the engine reaches the browser's other tabs. */
  function seams(page: Page, features: 'locks' | 'none'): object {
    return {
      locks: features === 'locks' ? locks.of(page) : undefined,
      BroadcastChannel: features === 'locks' ? channelOf(page) : undefined,
    }
  }

  /** The page is gone: the browser closes its sockets, frees its locks and its channel. */
  function bury(tab: Tab): void {
    for (const socket of [...tab.sockets]) socket.cut(1001, 'taken')
    tab.alive = false
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
  }
}

/** Web Locks: exclusive ones, granted in order, freed with their page. */
function createLocks(time: Time) {
  type Request = { page: Page; name: string; grant: () => void; lost: (error: unknown) => void }
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
    of: (page: Page) => ({
      request(name: string, ...rest: unknown[]): Promise<unknown> {
        const callback = rest.at(-1) as (lock: { name: string; mode: string } | null) => unknown
        const options = (rest.length > 1 ? rest[0] : {}) as {
          signal?: AbortSignal
          ifAvailable?: boolean
          steal?: boolean
        }
        return new Promise((resolve, reject) => {
          if (options.signal?.aborted) return reject(new DOMException('aborted', 'AbortError'))
          const request: Request = {
            page,
            name,
            lost: reject,
            grant: () => {
              if (held.get(name) !== request) return
              void (async () => callback({ name, mode: 'exclusive' }))()
                .then(resolve, reject)
                .finally(() => release(request))
            },
          }
          if (options.steal) {
            held.get(name)?.lost(new DOMException('stolen', 'AbortError'))
            held.delete(name)
            waiting.unshift(request)
          } else if (options.ifAvailable && (held.has(name) || waiting.some((each) => each.name === name))) {
            void (async () => callback(null))().then(resolve, reject)
            return
          } else waiting.push(request)
          options.signal?.addEventListener('abort', () => {
            if (!waiting.includes(request)) return
            waiting = waiting.filter((each) => each !== request)
            reject(new DOMException('aborted', 'AbortError'))
          })
          next(name)
        })
      },
      async query() {
        return { held: [...held.keys()].map((name) => ({ name, mode: 'exclusive' })), pending: [] }
      },
    }),
    free(page: Page) {
      waiting = waiting.filter((each) => each.page !== page)
      for (const request of [...held.values()]) if (request.page === page) release(request)
    },
  }
}

export type Browser = ReturnType<typeof createBrowser>
