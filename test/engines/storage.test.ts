// A visitor's journey in the engines that are no Chromium: what each lets a frame keep differs, and none may lose
// the conversation.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { pathOf } from '../../scripts/programs.mjs'
import { type Engine, eventually, type Place, type Window } from '../browser/engine.ts'
import { startLine, words } from '../browser/line.ts'
import { startTls } from '../browser/tls.ts'
import { freePort, type Server, startServer } from '../browser/world.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

/** How often two tabs reload in turn. */
const RELOADS = Number(process.env.FOYER_TEST_RELOADS) || 0

const ENGINES = [
  {
    name: 'WebKit',
    missing: !pathOf('WebKit'),
    start: () => startWebKit(['--enable-itp=true']),
    /** Whether a third-party frame gets its cookie back: over https, and over http. */
    framed: { https: false, http: false },
    /** Whether a page of the BFF's own origin does. */
    unframed: { https: true, http: false },
  },
  {
    name: 'Firefox',
    missing: !pathOf('Firefox'),
    start: startFirefox,
    framed: { https: true, http: true },
    unframed: { https: true, http: true },
  },
]

type Isolation = 'frame' | 'none'
const PANEL: Readonly<Record<Isolation, { place: Place; root: string }>> = {
  frame: { place: 'frame', root: 'document' },
  none: {
    place: 'page',
    root: `document.querySelector('foyer-host').shadowRoot.querySelector('section').shadowRoot`,
  },
}
const LAUNCHER = `document.querySelector('foyer-host')?.shadowRoot?.querySelector('button[aria-label="Open chat"]')`
const PATIENCE = 60_000

/** The chat in a window. */
function chatIn(window: Window, isolation: Isolation) {
  const { place, root } = PANEL[isolation]
  const said = async () =>
    String((await window.read(place, `${root}.querySelector('[role=log]')?.textContent`)) ?? '')
  const count = async (text: string) => (await said()).split(text).length - 1
  /** What each message is: who said it, or that it is not confirmed yet, and its words. */
  const messages = `[...${root}.querySelectorAll('[role=log] article')].map((each) => [
    ['sending', 'trouble', 'visitor'].find((name) => each.classList.contains(name)) ?? 'agent',
    each.querySelector(':scope > [dir]')?.textContent,
  ])`
  return {
    open: () => eventually(() => window.click('page', LAUNCHER), PATIENCE),
    said,
    messages: async () => (await window.read(place, messages)) as [who: string, text: string][],
    ask: (text: string) =>
      eventually(() => window.enter(place, `${root}.querySelector('textarea')`, text), PATIENCE),
    /** Resolves when the conversation holds the text. */
    hears: (text: string) =>
      eventually(async () => {
        const all = await said()
        if (!all.includes(text)) throw new Error(`Nobody said "${text}". The conversation is: ${all}`)
      }, PATIENCE),
    count,
    /** Resolves once the conversation holds the text so often; rejects where the first that is enough is too often. */
    async counts(text: string, expected: number) {
      let found = 0
      await eventually(async () => {
        found = await count(text)
        if (found < expected) throw new Error(`"${text}" is there ${found} times`)
      }, PATIENCE)
      expect([text, found]).toEqual([text, expected])
    },
    /** Resolves when these are the names of what the chat keeps. */
    keeps: (names: readonly string[]) =>
      eventually(
        async () =>
          expect(Object.keys((await window.read(place, '({ ...localStorage })')) as object).sort()).toEqual(
            names,
          ),
        PATIENCE,
      ),
  }
}

const GREETING = 'Ask me anything, or start'
const LOST = 'Your last chat couldn’t be restored'
const EMBED = { question: 'How do I embed it with a script tag?', answer: 'is where your BFF runs' }
const STORE = { question: 'Where are conversations stored?', answer: 'an embedded PostgreSQL' }
const COOKIE = { question: 'What is the sealed cookie?', answer: 'The first of the cookie secrets seals' }

let folder: string
let secure: Server
let tls: { close(): void }
/** As browsers know the one behind TLS; the chat's own origin. A shop has the other loopback name. */
let chatOrigin: string
let shopOrigin: string

const startSecure = async (port: number) =>
  startServer(port, join(folder, 'secure'), { FOYER_PUBLIC_ORIGIN: chatOrigin })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-engines-'))
  for (const name of ['plain', 'secure']) mkdirSync(join(folder, name))
  const [securePort, tlsPort] = [await freePort(), await freePort()]
  chatOrigin = `https://127.0.0.1:${tlsPort}`
  shopOrigin = `https://localhost:${tlsPort}`
  ;[secure, tls] = await Promise.all([startSecure(securePort), startTls(tlsPort, securePort)])
})
afterAll(async () => {
  tls?.close()
  await secure?.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const sessionsOf = (server: Server) =>
  server.output.join('').match(/POST \/api\/v1\/sessions 2/g)?.length ?? 0

describe.each(ENGINES)('$name', { timeout: 300_000 }, ({ missing, start, framed, unframed }) => {
  let engine: Engine
  beforeAll(async () => {
    if (!missing) engine = await start()
  })
  afterAll(() => engine?.close())

  // WebKit keeps the least for a frame of another site.
  it.skipIf(missing)('keeps a framed chat over https through all that a visit can meet', async () => {
    const sessions = sessionsOf(secure)
    const window = await engine.open()
    const chat = chatIn(window, 'frame')
    await window.go(`${shopOrigin}/embed.html`)
    await chat.open()
    await chat.hears(GREETING)
    await chat.ask(EMBED.question)
    await chat.hears(EMBED.answer)

    // A reload in the middle of an answer.
    await chat.ask('A long answer')
    await chat.hears('What it can hold')
    await window.reload()
    await chat.hears('That is the end of the long answer')
    await chat.counts('What it can hold', 1)

    // Another page, and another window.
    await window.go(`${shopOrigin}/embed.html?second`)
    await chat.hears('That is the end of the long answer')
    const second = await engine.open()
    const beside = chatIn(second, 'frame')
    await second.go(`${shopOrigin}/embed.html`)
    await beside.open()
    await beside.hears('That is the end of the long answer')
    await beside.ask(STORE.question)
    await beside.hears(STORE.answer)
    await chat.hears(STORE.answer)
    await second.close()

    // The server is killed. What is asked meanwhile is answered when it is back.
    await secure.stop('SIGKILL')
    await chat.ask(COOKIE.question)
    secure = await startSecure(Number(new URL(secure.origin).port))
    await chat.hears(COOKIE.answer)
    await window.reload()
    await chat.hears(COOKIE.answer)
    for (const text of [GREETING, EMBED.question, STORE.question, COOKIE.question]) await chat.counts(text, 1)
    expect(sessionsOf(secure) - sessions).toBeLessThanOrEqual(1)
    await chat.keeps([...(framed.https ? [] : ['foyer::sealed']), 'foyer::session'])

    // The next person at this browser finds nothing.
    await window.read('page', 'void Foyer.logout()')
    // A sign-out leaves a mark for the other tabs. The mark says nothing of the visitor.
    await chat.keeps(['foyer::signed-out'])
    await eventually(async () => expect(await chat.count(GREETING)).toBe(0), PATIENCE)
    await window.go(`${shopOrigin}/embed.html`)
    await chat.open()
    await chat.hears(GREETING)
    expect(await chat.count(EMBED.question)).toBe(0)
    await window.close()
  })

  const reloading = { timeout: 300_000 + RELOADS * 10_000 }
  it.skipIf(missing || RELOADS === 0)(
    'keeps one chat in two tabs that reload in turn',
    reloading,
    async () => {
      const line = await startLine({ FOYER_LLM_TOKENS_PER_DAY: '100000000' })
      onTestFinished(() => line.close())
      const windows = [await engine.open(), await engine.open()]
      const tabs = windows.map((window) => ({ window, chat: chatIn(window, 'frame') }))
      for (const { window, chat } of tabs) {
        await window.go(`${line.site}/embed.html`)
        await chat.open()
        await eventually(async () => expect(await chat.messages()).toHaveLength(1), PATIENCE)
      }
      // Messages that do not reach the service before the page that sent them is reloaded.
      const lost = new Set<string>()
      line.gateway.onUp((frame) => {
        const [, text] = /"(Lost \d+)/.exec(frame) ?? []
        if (text === undefined || lost.has(text)) return undefined
        lost.add(text)
        return []
      })
      const asked: string[] = []
      for (let reload = 1; reload <= RELOADS; reload++) {
        const { window, chat } = tabs[reload % 2] as (typeof tabs)[0]
        const name = `${reload % 4 < 2 ? 'Lost' : 'Heard'} ${reload}`
        const text = `${name}: 20 words every 30 ms`
        asked.push(text)
        await chat.ask(text)
        if (name.startsWith('Lost')) await eventually(async () => expect(lost).toContain(name), PATIENCE)
        // Otherwise mostly in the middle of the answer.
        await window.reload()
        for (const each of tabs) await each.chat.hears(text)
      }
      const shown: [who: string, text: string][][] = []
      for (const { chat } of tabs)
        await eventually(async () => {
          const all = await chat.messages()
          const of = (visitor: boolean) => all.slice(1).filter(([who]) => (who !== 'agent') === visitor)
          expect(of(true)).toEqual(asked.map((text) => ['visitor', text]))
          expect(of(false)).toEqual(asked.map(() => ['agent', words(20)]))
          shown.push(all)
        }, PATIENCE)
      expect(shown[0]).toEqual(shown[1])
      expect(line.gateway.requests.filter(({ path }) => path === '/api/v1/sessions')).toHaveLength(1)
      expect(line.gateway.open()).toHaveLength(2)
      for (const { window, chat } of tabs) {
        await chat.keeps([...(framed.http ? [] : ['foyer::sealed']), 'foyer::session'])
        await window.close()
      }
    },
  )

  it.skipIf(missing)('keeps a chat without a frame over https', async () => {
    const window = await engine.open()
    const chat = chatIn(window, 'none')
    await window.go(`${chatOrigin}/inline.html`)
    await chat.open()
    await chat.ask(EMBED.question)
    await chat.hears(EMBED.answer)
    await window.reload()
    await chat.hears(EMBED.answer)
    await chat.counts(GREETING, 1)
    await chat.counts(LOST, unframed.https ? 0 : 1)
    await chat.keeps(['foyer::session'])
    await window.close()
  })

  it.skipIf(missing)(
    'keeps a framed chat over plain http, or says that it is lost without a frame',
    async () => {
      const plain = await startServer(await freePort(), join(folder, 'plain'))
      onTestFinished(async () => void (await plain.stop('SIGKILL')))
      const window = await engine.open()
      const inFrame = chatIn(window, 'frame')
      await window.go(`${plain.origin}/embed.html`)
      await inFrame.open()
      await inFrame.ask(EMBED.question)
      await inFrame.hears(EMBED.answer)
      await window.reload()
      await inFrame.hears(EMBED.answer)
      await inFrame.keeps([...(framed.http ? [] : ['foyer::sealed']), 'foyer::session'])

      const chat = chatIn(window, 'none')
      await window.go(`${plain.origin}/inline.html`)
      await chat.open()
      await chat.ask(EMBED.question)
      await chat.hears(EMBED.answer)
      await window.reload()
      await chat.hears(unframed.http ? EMBED.answer : LOST)
      await chat.hears(GREETING)
      await chat.keeps(['foyer::session'])
      await window.close()
    },
  )
})
