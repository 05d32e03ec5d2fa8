// The real runtime and the real BFF, each behind a gateway and a TCP proxy, and engines that reach them over real
// sockets. Everything runs many times faster than life: 20 s take one.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { WebSocket } from 'ws'
import { type BffOptions, createBff } from '../../src/bff/index.ts'
import { type Chat, type ChatOptions, createChat } from '../../src/chat/index.ts'
import { newDatabase } from '../contract/store.ts'
import { createWorld as createService, type WorldOptions } from '../contract/world.ts'
import { createGateway } from './gateway.ts'
import { createProxy } from './proxy.ts'
import { createFastTime } from './time.ts'

const SPEED = 40
const START = 1_800_000_000_000

/** As in a browser, where nobody needs to listen for errors. */
class BrowserSocket extends WebSocket {
  constructor(url: string, protocols?: string | string[]) {
    super(url, protocols)
    this.on('error', () => {})
  }
}

export type Page = {
  chat: Chat
  stores: { session: Map<string, string>; outbox: Map<string, string> }
  wire: string[]
}

export async function createFaultWorld(options: { service?: WorldOptions; bff?: Partial<BffOptions> } = {}) {
  let wallStep = 0
  const database = await newDatabase()
  const time = createFastTime(SPEED)
  const { now } = time
  const service = await createService({
    data: {
      database: {
        query: (...given: Parameters<typeof database.query>) => time.hold(database.query(...given)),
        transaction: (run) => time.hold(database.transaction(run)),
        script: (sql) => time.hold(database.script(sql)),
        close: () => database.close(),
      } as typeof database,
    },
    clock: { now: () => START + now(), after: (ms, fn) => time.after(ms, fn) },
    ...options.service,
  })
  const gateway = await createGateway(service.base)
  const proxy = await createProxy(gateway.port, now, time.cross)
  const chatUrl = `http://127.0.0.1:${proxy.port}`

  const log: string[] = []
  let handler = (_: Request): Promise<Response> => Promise.reject(new Error('not started'))
  const listener = getRequestListener((request) => handler(request))
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bffGateway = await createGateway(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const bffProxy = await createProxy(bffGateway.port, now, time.cross)
  const origin = `http://127.0.0.1:${bffProxy.port}`
  const bff = createBff({
    connectorToken: 'connector-secret',
    connectorHost: 'shop.example.com',
    chatUrl,
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
    publicOrigin: origin,
    limits: { address: 100_000, connector: 100_000 },
    now: () => START + now(),
    log: (line) => log.push(line),
    fetch: (input, init) => {
      const url = new URL(input instanceof Request ? input.url : String(input))
      const inner = `http://127.0.0.1:${gateway.port}${url.pathname}`
      return fetch(input instanceof Request ? new Request(inner, input) : inner, init)
    },
    ...options.bff,
  })
  handler = (request) => bff.fetch(request, { address: '127.0.0.1' })

  const pages: Page[] = []
  /** A browser's cookies, and what they were asked for. */
  function createBrowser() {
    let cookie = ''
    const asked: { path: string; at: number }[] = []
    const browserFetch: typeof fetch = async (input, init) => {
      const url = String(input)
      const headers = new Headers(init?.headers)
      asked.push({ path: new URL(url).pathname, at: now() })
      if (url.startsWith(origin)) {
        headers.set('origin', origin)
        if (cookie) headers.set('cookie', cookie)
      }
      const response = await fetch(input, { ...init, headers })
      const set = response.headers.get('set-cookie')
      if (set) cookie = /max-age=0/i.test(set) ? '' : (set.split(';')[0] ?? '')
      return response
    }
    const session = new Map<string, string>()
    return {
      asked,
      session,
      loseCookie: () => {
        cookie = ''
      },
      /** A page of this browser, with an outbox of its own unless it is given one. */
      page(outbox = new Map<string, string>(), more: Partial<ChatOptions> = {}): Page {
        const wire: string[] = []
        const storeOf = (values: Map<string, string>) => ({
          get: (key: string) => values.get(key),
          set: (key: string, value: string) => void values.set(key, value),
          remove: (key: string) => void values.delete(key),
        })
        const chat = createChat({
          tokenUrl: `${origin}/foyer/access-token`,
          fetch: browserFetch,
          WebSocket: BrowserSocket,
          clock: {
            now: () => 1_000 + now(),
            wall: () => START + now() + wallStep,
            after: (ms, fn) => time.after(ms, fn),
          },
          sessionStore: storeOf(session),
          outboxStore: storeOf(outbox),
          // Every wait takes half of its longest, so that no run is luckier than another.
          random: () => 0.5,
          onWire: (note) => wire.push(`${Math.round(now())} ${note.direction} ${note.text}`),
          ...more,
        })
        const page = { chat, stores: { session, outbox }, wire }
        pages.push(page)
        return page
      },
    }
  }
  const undo = time.install()

  /** Resolves once `test` holds; rejects after `ms` of the world, telling what was seen. */
  async function until(test: () => unknown, ms = 40_000, what = test.toString()): Promise<void> {
    const end = now() + ms
    while (!test()) {
      if (now() > end) {
        const shown = pages.map(
          ({ chat, wire }) =>
            `${chat.status.value} ${screen(chat).join(' | ')}\n${wire.slice(-12).join('\n')}`,
        )
        throw new Error(`not within ${ms} ms: ${what}\n${shown.join('\n')}`)
      }
      await new Promise<void>((resolve) => setTimeout(resolve, 20))
    }
  }

  return {
    service,
    gateway,
    proxy,
    bffGateway,
    bffProxy,
    chatUrl,
    origin,
    log,
    now,
    until,
    leap: time.leap,
    createBrowser,
    stepWall(ms: number) {
      wallStep += ms
    },
    /** Lets time of the world go by: the shortest way to see that nothing happens. */
    rest: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    /** A page that is connected and greeted. */
    async live(browser = createBrowser()) {
      const page = browser.page()
      page.chat.open()
      page.chat.setShown(true)
      await until(
        () => page.chat.status.value === 'live' && screen(page.chat).length > 0,
        20_000,
        'the greeting',
      )
      await until(() => complete(page.chat), 20_000, 'the whole greeting')
      return { browser, ...page }
    },
    /** All faults off. */
    calm() {
      for (const each of [gateway, bffGateway]) each.calm()
      for (const each of [proxy, bffProxy]) each.set({})
      wallStep = 0
      for (const { chat } of pages.splice(0)) chat.dispose()
      // No connection of this test is used by the next one.
      for (const each of [proxy, bffProxy]) each.reset()
      for (const struck of [gateway.struck, bffGateway.struck, proxy.struck, bffProxy.struck])
        for (const name of Object.keys(struck)) delete struck[name]
    },
    async close() {
      this.calm()
      undo()
      await proxy.close()
      await gateway.close()
      await bffProxy.close()
      await bffGateway.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await service.close()
      time.stop()
    },
  }
}

export type FaultWorld = Awaited<ReturnType<typeof createFaultWorld>>

/** The screen as a person reads it: transcript, then outbox. */
export const screen = (chat: Chat): string[] => [
  ...chat.transcript.value.map((entry) =>
    entry.kind === 'message'
      ? `${entry.role}: ${entry.content.value.pieces.slice(0, entry.content.value.length).join('')}`
      : entry.kind === 'divider'
        ? `--- ${entry.reason}`
        : `* ${entry.notice}`,
  ),
  ...chat.outbox.value.map((item) => `${item.state}: ${item.text}`),
]

/** No answer is still coming. */
export const complete = (chat: Chat): boolean =>
  chat.transcript.value.every((entry) => entry.kind !== 'message' || entry.content.value.complete)

/** How often a line with the words is on the screen. */
export const count = (chat: Chat, words: string): number =>
  screen(chat).filter((line) => line.includes(words)).length
