// One browser: tabs that share storage, locks and channels, and can be closed, killed, frozen or copied. Small real
// machines: a lock queue in order, channels that deliver later and never to their sender.

import { type Channel, type Chat, type ChatOptions, type Locks, shareTabs } from '../../src/chat/index.ts'
import { type createService, createSleepingClock } from './service.ts'

type Service = ReturnType<typeof createService>

export function createLocks() {
  const queues = new Map<string, { held: boolean; start(): void }[]>()
  /** How long the browser takes to give a free lock (ms). */
  let delay = 0
  const turn = (name: string) => {
    const first = queues.get(name)?.[0]
    if (!first || first.held) return
    first.held = true
    first.start()
  }
  return {
    delayBy(ms: number) {
      delay = ms
    },
    /** Locks as one tab sees them. `kill` takes back all it holds or asks for, as a closed tab does. */
    forTab() {
      const kills = new Set<() => void>()
      let dead = false
      const locks: Locks = {
        request: (name, { signal }, held) =>
          new Promise((resolve, reject) => {
            if (dead) return
            const queue = queues.get(name) ?? []
            queues.set(name, queue)
            const leave = () => {
              const at = queue.indexOf(entry)
              if (at >= 0) queue.splice(at, 1)
              kills.delete(leave)
              turn(name)
            }
            const entry = {
              held: false,
              start: () =>
                void (delay > 0 ? new Promise((go) => setTimeout(go, delay)) : Promise.resolve())
                  .then(held)
                  .finally(() => {
                    leave()
                    resolve(undefined)
                  }),
            }
            queue.push(entry)
            kills.add(leave)
            signal.addEventListener('abort', () => {
              if (entry.held) return
              leave()
              reject(new DOMException('aborted', 'AbortError'))
            })
            turn(name)
          }),
      }
      return {
        locks,
        kill() {
          dead = true
          for (const leave of [...kills]) leave()
        },
      }
    },
  }
}

export function createChannels() {
  type Opened = Channel & {
    listeners: Set<(event: { data: unknown }) => void>
    arrive(fn: () => void): void
  }
  const open = new Map<string, Set<Opened>>()
  const said: string[] = []
  return {
    /** Everything that went over any channel. */
    said,
    forTab() {
      const mine = new Set<Opened>()
      let dead = false
      let waiting: (() => void)[] | undefined
      const arrive = (fn: () => void) => (waiting ? waiting.push(fn) : fn())
      return {
        channel: (name: string): Channel => {
          const peers = open.get(name) ?? new Set()
          open.set(name, peers)
          const listeners = new Set<(event: { data: unknown }) => void>()
          const channel = {
            listeners,
            arrive,
            addEventListener: (_: 'message', listener: (event: { data: unknown }) => void) =>
              void listeners.add(listener),
            postMessage(message: unknown) {
              if (dead) return
              const text = JSON.stringify(message)
              said.push(text)
              for (const peer of peers)
                if (peer !== channel)
                  setTimeout(() => {
                    peer.arrive(() => {
                      for (const listen of peer.listeners) listen({ data: JSON.parse(text) })
                    })
                  }, 1)
            },
            close: () => void peers.delete(channel),
          }
          peers.add(channel)
          mine.add(channel)
          return channel
        },
        /** What is said to the tab arrives once it runs again. */
        stall(on: boolean) {
          const late = waiting ?? []
          waiting = on ? late : undefined
          if (!on) for (const fn of late) fn()
        },
        kill() {
          dead = true
          for (const channel of mine) {
            channel.listeners.clear()
            channel.close()
          }
        },
      }
    },
  }
}

export function createBrowser(service: Service, { webLocks = true } = {}) {
  const locks = createLocks()
  const channels = createChannels()
  const tabs: { chat: Chat }[] = []

  function openTab(options: Partial<ChatOptions> = {}, copyOf?: Map<string, string>) {
    const stored = new Map(copyOf)
    const held = locks.forTab()
    const heard = channels.forTab()
    const clock = createSleepingClock()
    let dead = false
    let stalled = false
    const late: (() => void)[] = []
    const timers = new Set<() => void>()
    const sockets: InstanceType<Service['Socket']>[] = []
    class Socket extends service.Socket {
      constructor(url: string) {
        super(url)
        sockets.push(this)
      }
    }
    const chat = service.page({
      WebSocket: Socket,
      clock: {
        ...clock,
        after(ms, fn) {
          const stop = clock.after(ms, () => {
            if (stalled) late.push(fn)
            else if (!dead) fn()
          })
          timers.add(stop)
          return stop
        },
      },
      outboxStore: {
        get: (key) => stored.get(key),
        set: (key, value) => void (dead || stored.set(key, value)),
        remove: (key) => void (dead || stored.delete(key)),
      },
      tabs: shareTabs({ channel: heard.channel, locks: webLocks ? held.locks : undefined }),
      ...options,
    })
    const tab = {
      chat,
      clock,
      stored,
      /** The tab's own connections to the service that are open. */
      sockets: () => sockets.filter((socket) => socket.readyState === 1),
      /** The browser holds back the tab's timers and what the others say to it, and later runs them. */
      stall(on: boolean) {
        stalled = on
        heard.stall(on)
        if (!on) for (const fn of late.splice(0)) fn()
      },
      /** The process of the tab is gone: nothing runs, nobody is told. */
      kill() {
        dead = true
        for (const stop of timers) stop()
        heard.kill()
        held.kill()
        for (const socket of sockets) {
          socket.dead = true
          socket.end(1006)
        }
      },
    }
    tabs.push(tab)
    return tab
  }
  return { openTab, channels, locks, tabs, dispose: () => void tabs.map(({ chat }) => chat.dispose()) }
}

export const screenOf = (chat: Chat): string[] => [
  ...chat.transcript.value.map((entry) => {
    if (entry.kind === 'message') return `${entry.role}: ${entry.content.value.pieces.join('')}`
    return entry.kind === 'divider' ? `--- ${entry.reason}` : `* ${entry.notice}`
  }),
  ...chat.outbox.value.map((item) => `${item.state}: ${item.text}`),
]
