// The real thing behind a line that can be cut: pages, BFF and runtime in a process of their own, an agent that says so
// many words at such a pace, and a gateway through which all goes.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, FrameLocator, Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { createGateway } from '../faults/gateway.ts'
import { freePort, ONE_DOCUMENT, startServer } from './world.ts'

/** What the agent says to `<count> words every <ms> ms`: letters of one to four bytes. */
export const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `${index + 1}${['a', 'ü', '中', '👋'][index % 4]}`).join(' ')

/** Answers as a language model's endpoint does: with so many words, or by saying a text again. */
async function startModel() {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += String(part)
    })
    request.on('end', () => {
      const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] }
      const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content)
      const [, count, pace] = /(\d+) words every (\d+) ms/.exec(asked) ?? []
      const [, said = ''] = /say ([\w-]+)/.exec(asked) ?? []
      const pieces = count === undefined ? [said] : words(Number(count)).split(/(?<= )/)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const frame = (delta: object, finish_reason: string | null = null) =>
        response.write(
          `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
        )
      const next = () => {
        const content = pieces.shift()
        if (content !== undefined) {
          frame({ content })
          return void setTimeout(next, Number(pace ?? 0))
        }
        frame({}, 'stop')
        response.end('data: [DONE]\n\n')
      }
      next()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Stored = { type: string; payload: { text?: string } }

export async function startLine(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-line-'))
  const model = await startModel()
  const port = await freePort()
  const gateway = await createGateway(`http://127.0.0.1:${port}`)
  /** The chat's own origin, and another site that has the chat on its pages. */
  const origin = `http://127.0.0.1:${gateway.port}`
  const start = () =>
    startServer(
      port,
      folder,
      {
        FOYER_PUBLIC_ORIGIN: origin,
        FOYER_AGENT: 'llm',
        FOYER_LLM_URL: model.url,
        FOYER_LLM_MODEL: 'm',
        FOYER_TRUSTED_PROXIES: 'loopback',
        ...env,
      },
      ONE_DOCUMENT,
    )
  let server = await start()
  return {
    gateway,
    origin,
    site: `http://localhost:${gateway.port}`,
    /** All that the process has printed since it started. */
    output: () => server.output.join(''),
    /** The process is killed, and started again in its place. */
    async restart(signal: NodeJS.Signals = 'SIGKILL') {
      await server.stop(signal)
      server = await start()
    },
    /**
     * No packet goes through either way, and nobody is told. Returns what brings the network back; connections of before
     * stay dead.
     */
    vanish(): () => void {
      const dead = new Set(gateway.open())
      gateway.onDown((_, client) => (dead.has(client) ? [] : undefined))
      gateway.onUp((_, client) => (dead.has(client) ? [] : undefined))
      gateway.onHandshake(() => 'hang')
      gateway.onRequest(() => 'stall')
      return () => {
        gateway.onHandshake(() => undefined)
        gateway.onRequest(() => undefined)
      }
    },
    /** Every connection breaks, and a proxy answers 502. */
    cut() {
      gateway.onHandshake(() => 502)
      gateway.onRequest(() => ({ status: 502, body: '<h1>Bad gateway</h1>' }))
      for (const client of gateway.open()) client.terminate()
    },
    /** What the visitor said in the session, as the service has it. `url`: of a socket of the session. */
    async stored(url: string): Promise<string[]> {
      const address = new URL(url)
      const query = new URLSearchParams({
        session_id: address.searchParams.get('session_id') ?? '',
        access_token: address.searchParams.get('access_token') ?? '',
      })
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?${query}`)
      const texts: string[] = []
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('open', () => socket.send('{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}'))
        socket.on('message', (data) => {
          const frame = JSON.parse(String(data)) as { type: string; payload: { events?: Stored[] } }
          if (frame.type === 'EVENT_TYPE_HEARTBEAT') resolve()
          for (const { type, payload } of frame.payload.events ?? [])
            if (type === 'EVENT_TYPE_USER_MESSAGE') texts.push(payload.text ?? '')
        })
      })
      socket.terminate()
      return texts
    },
    async close() {
      await server.stop('SIGKILL')
      model.stop()
      await gateway.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export type Line = Awaited<ReturnType<typeof startLine>>

/** For the message of a failure: what each document of the page shows, and what it has loaded, with status and milliseconds. */
async function seenOn(page: Page): Promise<string> {
  const seen = page.frames().map((frame) =>
    frame
      .evaluate(() => {
        const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const files = loaded.map(({ name, responseStatus, duration }) => {
          const file = new URL(name).pathname.split('/').at(-1)
          return `${file} ${responseStatus} ${Math.round(duration)}`
        })
        return `${document.visibilityState}: ${document.body.innerText.slice(0, 500)}; loaded: ${files.join(', ')}`
      })
      .catch((error: Error) => error.message),
  )
  return (await Promise.all(seen)).join('\n')
}

/** A chat on a page, as its visitor uses it. */
export function chatOn(page: Page, panel: Page | FrameLocator = page.frameLocator('iframe[title="Chat"]')) {
  const log = panel.getByRole('log', { name: 'Conversation' })
  const answers = log.locator('article:not(.visitor) .text')
  return {
    panel,
    log,
    async open() {
      await page.getByRole('button', { name: 'Open chat' }).click()
      await this.greeted()
    },
    greeted: () =>
      answers
        .first()
        .waitFor()
        .catch(async (error: Error) => {
          throw new Error(`${error.message}\n${await seenOn(page)}`)
        }),
    async ask(text: string) {
      const composer = panel.getByRole('textbox', { name: 'Message' })
      await composer.fill(text)
      await composer.press('Enter')
    },
    /** Resolves once an answer with the text is there, from beginning to end. */
    hears: (text: string | RegExp) => answers.filter({ hasText: text }).first().waitFor(),
    /** The last answer, character for character. */
    answer: async () => (await answers.last().textContent()) ?? '',
    /** What the visitor said, in order, however far it got. */
    said: () => log.locator('article.visitor > span[dir]').allTextContents(),
  }
}

/** Sockets of all pages of a browser, with their addresses. */
export function socketsOf(context: BrowserContext): string[] {
  const urls: string[] = []
  const watch = (page: Page) => page.on('websocket', (socket) => urls.push(socket.url()))
  for (const page of context.pages()) watch(page)
  context.on('page', watch)
  return urls
}
