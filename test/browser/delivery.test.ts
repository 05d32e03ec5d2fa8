// Nothing lost, nothing doubled, in a real Chromium: lines that are cut, pages that are left, frozen, reloaded and closed,
// machines that sleep, storage that fails, many tabs.

import { readdirSync, readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { needed, panelCode } from './assets.ts'
import { startPlainBrowser } from './devtools.ts'
import { chatOn, type Line, socketsOf, startLine, words } from './line.ts'
import { frameOf, leave, listed, newContext as newVisit, panelOf, sessionOf, startBrowser } from './world.ts'

let line: Line
let browser: Browser
let closeBrowser: () => Promise<void>

beforeAll(async () => {
  ;[line, { browser, close: closeBrowser }] = await Promise.all([startLine(), startBrowser()])
})
afterEach(async () => {
  line.gateway.calm()
  await leave()
})
afterAll(async () => {
  await closeBrowser?.()
  await line?.close()
})

async function newContext(init?: () => void) {
  const context = await newVisit(browser, { viewport: { width: 1000, height: 700 } })
  if (init) await context.addInitScript(init)
  return { context, sockets: socketsOf(context) }
}
async function visit(init?: () => void, isolation: 'frame' | 'none' = 'frame') {
  const { context, sockets } = await newContext(init)
  const page = await context.newPage()
  const isFramed = isolation === 'frame'
  await page.goto(isFramed ? `${line.site}/embed.html` : `${line.origin}/inline.html`)
  const chat = chatOn(page, isFramed ? undefined : page)
  await chat.open()
  return { context, page, sockets, chat }
}
/** What was said is there once, in this order, on the screen and at the service. */
async function once(chat: ReturnType<typeof chatOn>, sockets: string[], texts: string[]): Promise<void> {
  await listed(() => chat.said(), texts)
  expect(new Set(sockets.map(sessionOf)).size).toBe(1)
  await listed(() => line.stored(sockets[0] ?? ''), texts)
}

const MOUNTS = isLong ? 100 : 10
const WORDS = isLong ? 200 : 60
/** Chunks of the answer, of which seven or eight come in a second; every third in a long run. */
const CUTS = isLong ? Array.from({ length: 10 }, (_, index) => 3 * (index + 1)) : [4]
describe(`an answer of ${WORDS} words`, () => {
  it(`that is cut after ${CUTS} of its chunks goes on, byte for byte`, { timeout: 120_000 }, async () => {
    const cuts = new Map<unknown, number>()
    let struck = 0
    line.gateway.onUp((frame, client) => {
      const [, after] = /words every \d+ ms, cut after (\d+)/.exec(frame) ?? []
      if (after) cuts.set(client, Number(after))
      return undefined
    })
    line.gateway.onDown((frame, client) => {
      if (!frame.includes(`"chunk_index":${cuts.get(client)},`)) return undefined
      struck++
      setImmediate(() => client.terminate())
      return undefined
    })
    const whole = words(WORDS)
    await Promise.all(
      CUTS.map(async (chunk) => {
        const { chat } = await visit()
        await chat.ask(`${WORDS} words every 20 ms, cut after ${chunk}`)
        await chat.hears(new RegExp(`${WORDS}👋`))
        expect(await chat.answer()).toBe(whole)
      }),
    )
    expect(struck).toBe(CUTS.length)
  })
})

describe('a network that refuses handshakes while HTTP works', () => {
  const refuse = () => {
    line.gateway.onHandshake(() => 503)
    for (const client of line.gateway.open()) client.terminate()
  }
  const refused = () => line.gateway.struck['handshake 503'] ?? 0
  const questions = () =>
    line.gateway.requests.filter(({ method, path }) => method === 'GET' && /\/sessions\/[^/]+$/.test(path))
  async function conversation() {
    const { chat, sockets, page } = await visit()
    await chat.ask('say before')
    await chat.hears('before')
    return { chat, sockets, page }
  }

  it.runIf(isLong)('costs no conversation: the service is asked about it', { timeout: 120_000 }, async () => {
    const { chat, sockets } = await conversation()
    const [from, asked] = [refused(), questions().length]
    refuse()
    await chat.ask('say meanwhile')
    await expect.poll(() => questions().length, { timeout: 60_000 }).toBeGreaterThan(asked)
    await expect.poll(refused, { timeout: 60_000 }).toBeGreaterThanOrEqual(from + 5)
    line.gateway.calm()
    await chat.hears('meanwhile')
    await once(chat, sockets, ['say before', 'say meanwhile'])
    for (const { status } of questions()) expect(status).toBe(200)
  })

  it.runIf(isLong).each([2, 8, 15, 40, 90])(
    'costs no conversation and doubles nothing in %i s, nor after a reload',
    { timeout: 240_000 },
    async (seconds) => {
      const { chat, sockets, page } = await conversation()
      refuse()
      await chat.ask('say meanwhile')
      await new Promise((resolve) => setTimeout(resolve, seconds * 500))
      await page.reload()
      await new Promise((resolve) => setTimeout(resolve, seconds * 500))
      line.gateway.calm()
      await chat.hears('meanwhile')
      await once(chat, sockets, ['say before', 'say meanwhile'])
    },
  )

  it.runIf(isLong)(
    'since ten connections of the page died without a word costs no conversation, which waits for a place',
    { timeout: 400_000 },
    async () => {
      const { chat, sockets, page } = await conversation()
      for (let dead = 1; dead <= 10; dead++) {
        const before = sockets.length
        for (const client of line.gateway.open()) line.gateway.swallow(client)
        // Whoever comes back finds out within seconds that the connection is dead.
        for (const frame of page.frames())
          await frame.evaluate(() => window.dispatchEvent(new Event('focus')))
        await expect.poll(() => sockets.length, { timeout: 30_000 }).toBeGreaterThan(before)
        if (dead < 10) await expect.poll(() => line.gateway.open().length).toBe(1)
      }
      const asked = questions().length
      await chat.ask('say meanwhile')
      await expect.poll(() => questions().length, { timeout: 60_000 }).toBeGreaterThan(asked)
      await expect.poll(() => line.gateway.open().length, { timeout: 240_000 }).toBe(1)
      await chat.hears('meanwhile')
      await once(chat, sockets, ['say before', 'say meanwhile'])
    },
  )
})

describe('a browser', () => {
  it('that is offline keeps what is written, also where its storage is full, and delivers it once it is back', async () => {
    const { context, page, chat, sockets } = await visit()
    await chat.ask('say before')
    await chat.hears('before')
    line.cut()
    await context.setOffline(true)
    await chat.ask('say meanwhile')
    await listed(() => chat.said(), ['say before', 'say meanwhile'])
    line.gateway.calm()
    await context.setOffline(false)
    await chat.hears('meanwhile')

    const frame = await frameOf(page)
    await frame.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    line.cut()
    await chat.ask('say full')
    line.gateway.calm()
    await chat.hears('full')
    await once(chat, sockets, ['say before', 'say meanwhile', 'say full'])
  })

  // Without a frame: the tool that drives the browser loses sight of a frame that comes back with its page.
  it('that goes to another page and back finds the chat as it was, with one socket', async () => {
    const { page, chat, sockets } = await visit(undefined, 'none')
    await chat.ask('say first')
    await chat.hears('first')
    await page.evaluate(() => {
      addEventListener('pageshow', (event) => {
        document.title = event.persisted ? 'kept' : 'loaded'
      })
    })
    await page.goto(`${line.origin}/docs/about`)
    await expect.poll(() => line.gateway.open().length).toBe(0)
    await page.evaluate(() => history.back())
    await expect.poll(() => page.title().catch(() => '')).toBe('kept')
    await chat.ask('say second')
    await chat.hears('second')
    await once(chat, sockets, ['say first', 'say second'])
    await expect.poll(() => line.gateway.open().length).toBe(1)
  })

  it('that freezes the page lets go of the socket, and is back once it runs again', async () => {
    const plain = await startPlainBrowser()
    try {
      const page = await plain.open(`${line.origin}/inline.html`)
      const host = `document.querySelector('foyer-host')?.shadowRoot`
      const panel = `${host}.querySelector('section')?.shadowRoot`
      const says = async (expression: string) => expect.poll(() => page.read(`!!(${expression})`)).toBe(true)
      const answer = () =>
        page.read(`[...${panel}.querySelectorAll('article:not(.visitor) .text')].at(-1).textContent`)
      await says(`${host}?.querySelector('[aria-label="Open chat"]')`)
      await page.read(`${host}.querySelector('[aria-label="Open chat"]').click()`)
      await says(`${panel}?.querySelector('article .text')`)
      await page.read(`${panel}.querySelector('textarea').focus()`)
      await page.send('Input.insertText', { text: '30 words every 100 ms' })
      for (const type of ['keyDown', 'keyUp'])
        await page.send('Input.dispatchKeyEvent', {
          type,
          key: 'Enter',
          code: 'Enter',
          windowsVirtualKeyCode: 13,
          text: '\r',
        })
      await expect.poll(answer).toMatch(/3中/)
      await page.send('Page.setWebLifecycleState', { state: 'frozen' })
      await expect.poll(() => line.gateway.open().length).toBe(0)
      await page.send('Page.setWebLifecycleState', { state: 'active' })
      await expect.poll(answer).toMatch(/30ü/)
      expect(await answer()).toBe(words(30))
      expect(await page.read(`${panel}.querySelectorAll('article.visitor').length`)).toBe(1)
      await expect.poll(() => line.gateway.open().length).toBe(1)
    } finally {
      await plain.close()
    }
  })
})

describe('a machine', () => {
  it('that sleeps in the middle of an answer, and whose network is gone, shows all of it', {
    timeout: 90_000,
  }, async () => {
    const { page, chat, sockets } = await visit()
    await chat.ask('60 words every 50 ms')
    await chat.hears(/5a/)
    const comeBack = line.vanish()
    const pids = await renderers()
    try {
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      // Timers that are late by over 5 s tell a sleep from a busy page.
      await new Promise((resolve) => setTimeout(resolve, 7_000))
    } finally {
      comeBack()
      // The next file has the same browser.
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    await chat.hears(/60👋/)
    expect(await chat.answer()).toBe(words(60))
    await once(chat, sockets, ['60 words every 50 ms'])
    expect(pids.length).toBeGreaterThan(0)
    await page.close()
  })
})

describe('a page that is reloaded', () => {
  it('before the service has a message, after it, and in the middle of an answer delivers each once and shows all', async () => {
    const { page, chat, sockets } = await visit()
    for (const when of ['before', 'after']) {
      let struck = 0
      const swallow = (frame: string) => {
        if (!frame.includes('"EVENT_TYPE_USER_MESSAGE"') || frame.includes('EVENT_BATCH')) return undefined
        struck++
        return []
      }
      if (when === 'before') line.gateway.onUp(swallow)
      else line.gateway.onDown(swallow)
      await chat.ask(`say ${when}`)
      await expect.poll(() => struck).toBe(1)
      line.gateway.calm()
      await page.reload()
      await chat.hears(when)
    }
    await chat.ask('60 words every 30 ms')
    await chat.hears(/9a/)
    await page.reload()
    await chat.hears(/60👋/)
    expect(await chat.answer()).toBe(words(60))
    await once(chat, sockets, ['say before', 'say after', '60 words every 30 ms'])
  })
})

describe('a reload behind an outage in which the session ended', () => {
  let short: Line
  beforeAll(async () => {
    short = await startLine({ FOYER_SESSION_IDLE: '8' })
  })
  afterAll(() => short?.close())

  it.runIf(isLong)(
    'shows the new conversation with what was written meanwhile',
    { timeout: 120_000 },
    async () => {
      const { context, sockets } = await newContext()
      const page = await context.newPage()
      await page.goto(`${short.site}/embed.html`)
      const chat = chatOn(page)
      await chat.open()
      await chat.ask('say before')
      await chat.hears('before')
      const [first] = sockets.map(sessionOf)
      short.cut()
      await chat.ask('say meanwhile')
      // The session expires, and handshakes are refused, which proves nothing.
      const refused = () => short.gateway.struck['handshake 502'] ?? 0
      await expect.poll(refused, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      short.gateway.calm()
      await chat.hears('meanwhile')
      const session = sessionOf(sockets.at(-1) ?? '')
      expect(session).not.toBe(first)
      for (let reload = 0; reload < 2; reload++) {
        const before = sockets.length
        await page.reload()
        await chat.hears('meanwhile')
        expect(sockets.slice(before).map(sessionOf)).toEqual([session])
        await listed(() => chat.said(), ['say meanwhile'])
      }
    },
  )
})

describe('tabs', () => {
  async function openTab(context: BrowserContext) {
    const page = await context.newPage()
    await page.goto(`${line.site}/embed.html`)
    const chat = chatOn(page)
    await chat.open()
    return { page, chat }
  }

  it('that are opened at once make one session, have a socket each, show the same, and forget it once the visitor signs out in one', async () => {
    const { context, sockets } = await newContext()
    // They need no file for each other beside the panel's own code.
    const panel = new Set([...needed(), ...panelCode()])
    await context.route('**/foyer/assets/**', (route) => {
      const isPart = route.request().frame().url().includes('/foyer/frame')
      const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
      return isPart && !panel.has(name) ? route.abort() : route.continue()
    })
    const before = line.gateway.requests.length
    const tabs = await Promise.all([context.newPage(), context.newPage()])
    await Promise.all(tabs.map((page) => page.goto(`${line.site}/embed.html`)))
    const chats = tabs.map((page) => chatOn(page))
    await Promise.all(chats.map((chat) => chat.open()))
    const made = line.gateway.requests.slice(before).filter(({ path }) => path === '/api/v1/sessions')
    expect(made).toHaveLength(1)
    await expect.poll(() => line.gateway.open().length).toBe(2)
    for (const [index, chat] of chats.entries()) {
      await chat.ask(`say from-${index}`)
      for (const each of chats) await each.hears(`from-${index}`)
    }
    for (const chat of chats) await once(chat, sockets, ['say from-0', 'say from-1'])
    expect(line.gateway.open()).toHaveLength(2)

    const known = [...sockets]
    await tabs[0]?.evaluate(() => (window as unknown as { Foyer: { logout(): void } }).Foyer.logout())
    for (const [index, chat] of chats.entries()) {
      await expect.poll(() => chat.log.getByText('from-0').count()).toBe(0)
      await tabs[index]?.reload()
      await chat.open()
      expect(await chat.said()).toEqual([])
    }
    const left = new Set(known.map(sessionOf))
    expect(sockets.slice(known.length).filter((url) => left.has(sessionOf(url)))).toEqual([])
  })

  it.runIf(isLong)('on a line that breaks twice, 12 s apart, both go on', async () => {
    const each = <T>(work: (index: number) => Promise<T>) =>
      Promise.all(Array.from({ length: 5 }, (_, at) => work(at)))
    for (let round = 0; round < 4; round++) {
      const visits = await each(async () => {
        const { context, sockets } = await newContext()
        return { sockets, tabs: [await openTab(context), await openTab(context)] }
      })
      for (const cut of [1, 2]) {
        await new Promise((resolve) => setTimeout(resolve, 12_000))
        for (const client of line.gateway.open()) client.terminate()
        await each(async (at) => {
          const { tabs = [] } = visits[at] ?? {}
          for (const [index, { chat }] of tabs.entries()) await chat.ask(`say cut-${cut}-${index}`)
          for (const { page, chat } of tabs) {
            for (const index of [0, 1]) await chat.hears(`cut-${cut}-${index}`)
            await panelOf(page, 'frame').locator('.notice').waitFor({ state: 'detached' })
          }
        })
      }
      const said = ['say cut-1-0', 'say cut-1-1', 'say cut-2-0', 'say cut-2-1']
      await each(async (at) => {
        const { sockets = [], tabs = [] } = visits[at] ?? {}
        for (const { chat } of tabs) expect((await chat.said()).toSorted()).toEqual(said)
        expect(new Set(sockets.map(sessionOf)).size).toBe(1)
        expect((await line.stored(sockets[0] ?? '')).toSorted()).toEqual(said)
      })
      await leave()
    }
  })

  it.runIf(isLong)(
    'five of them, closed and opened at random, lose and double nothing',
    {
      timeout: 120_000,
    },
    async () => {
      const seed = Number(process.env.FOYER_TEST_SEED) || Date.now() % 100_000
      console.log(`tabs at random: seed ${seed}`)
      const random = randomFrom(seed)
      const { context, sockets } = await newContext()
      let tabs: Page[] = []
      const openOne = async () => {
        tabs.push((await openTab(context)).page)
      }
      await openOne()
      await Promise.all(Array.from({ length: 4 }, openOne))
      const asked: { page: Page; text: string }[] = []
      const doubtful: string[] = []
      for (let round = 1; round <= 8; round++) {
        const page = tabs[Math.floor(random() * tabs.length)] as Page
        const text = `say round-${round}`
        await chatOn(page).ask(text)
        asked.push({ page, text })
        if (random() < 0.5) continue
        tabs = tabs.filter((each) => each !== page)
        await page.close()
        // Nobody is left to send what the closed tab had not delivered, of earlier rounds too.
        const delivered = sockets[0] ? await line.stored(sockets[0]) : []
        for (const each of asked)
          if (each.page === page && !delivered.includes(each.text)) doubtful.push(each.text)
        if (tabs.length < 4) await openOne()
      }
      const kept = asked.map(({ text }) => text).filter((text) => !doubtful.includes(text))
      for (const page of tabs)
        for (const text of kept) await chatOn(page).log.getByText(text).waitFor({ timeout: 60_000 })
      await expect.poll(() => line.gateway.open().length).toBe(tabs.length)
      expect(new Set(sockets.map(sessionOf)).size).toBe(1)
      // A message that a closed tab had sent may still be on its way. Once the service has stored it, every screen shows it.
      const stored = () => line.stored(sockets[0] ?? '')
      const others = async () => {
        const all = await stored()
        const screens = await Promise.all(tabs.map((page) => chatOn(page).said()))
        return screens.filter((said) => JSON.stringify(said) !== JSON.stringify(all))
      }
      await expect.poll(others).toEqual([])
      const all = await stored()
      // Two tabs may speak at the same time, so which of them comes first is not the visitor's.
      expect(all.filter((text) => kept.includes(text)).toSorted()).toEqual(kept.toSorted())
      for (const text of doubtful) expect(all.filter((each) => each === text).length).toBeLessThanOrEqual(1)
    },
  )
})

describe('storage', () => {
  it('that is denied costs the conversation of no visit, and the cookie carries it over a reload', async () => {
    const { page, chat, sockets } = await visit(() => {
      const denied = {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      }
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, denied)
    })
    await chat.ask('say nowhere')
    await chat.hears('nowhere')
    await page.reload()
    await chat.open()
    await chat.hears('nowhere')
    await once(chat, sockets, ['say nowhere'])
  })
})

/** A page of the site that the gateway answers itself. */
function serve(path: string, body: string): void {
  line.gateway.onRequest((_, asked) =>
    asked === path
      ? {
          headers: { 'content-type': 'text/html; charset=utf-8' },
          body: `<!doctype html><title>x</title>${body}`,
        }
      : undefined,
  )
}

describe('the script', () => {
  it.runIf(isLong)('included twice is one chat', async () => {
    const tag = `<script src="${line.origin}/foyer.js" async></script>`
    serve('/twice.html', `<body>${tag}${tag}</body>`)
    const { context, sockets } = await newContext()
    const page = await context.newPage()
    await page.goto(`${line.site}/twice.html`)
    const chat = chatOn(page)
    await chat.open()
    await chat.ask('say twice')
    await chat.hears('twice')
    expect(await page.locator('foyer-host').count()).toBe(1)
    await once(chat, sockets, ['say twice'])
    expect(sockets).toHaveLength(1)
  })
})

describe('a component', () => {
  it(`mounted and unmounted ${MOUNTS} times leaves no listener, node, socket or channel`, {
    timeout: 120_000,
  }, async () => {
    const parts = new URL('../../dist/foyer-webchat/', import.meta.url)
    const files = readdirSync(parts, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    )
    const modules = new Map(files.map((name) => [`/npm/${name}`, readFileSync(new URL(name, parts), 'utf8')]))
    let count = 0
    line.gateway.onRequest((_, path) => {
      if (path === '/mount.html')
        return {
          headers: { 'content-type': 'text/html' },
          body: '<!doctype html><body><script type="module">import { mount } from "/npm/index.js"; window.mount = mount</script>',
        }
      const body = modules.get(path)
      return body === undefined ? undefined : { headers: { 'content-type': 'text/javascript' }, body }
    })
    const { context } = await newContext(() => {
      const open = new Set<unknown>()
      const Real = BroadcastChannel
      const close = Real.prototype.close
      window.BroadcastChannel = class extends Real {
        constructor(name: string) {
          super(name)
          open.add(this)
        }
      }
      Real.prototype.close = function (this: BroadcastChannel) {
        open.delete(this)
        close.call(this)
      }
      Object.assign(window, { channels: () => open.size })
    })
    // Each visitor's address has its own count of tokens.
    await context.route('**/foyer/access-token', (route) =>
      route.continue({
        headers: { ...route.request().headers(), 'x-forwarded-for': `198.51.100.${++count % 250}` },
      }),
    )
    const page = await context.newPage()
    await page.goto(`${line.origin}/mount.html`)
    await page.waitForFunction('mount')
    const devtools = await context.newCDPSession(page)
    const run = (times: number) =>
      page.evaluate(async (times) => {
        const { mount } = window as unknown as {
          mount(options: object): { ready: Promise<void>; open(): void; destroy(): void }
        }
        for (let time = 0; time < times; time++) {
          const chat = mount({ isolation: 'none', origin: location.origin })
          const heard = new AbortController()
          const live = new Promise((resolve) =>
            document.addEventListener(
              'foyer-connection',
              (event) => {
                if ((event as CustomEvent<{ status: string }>).detail.status === 'live') resolve(undefined)
              },
              { signal: heard.signal },
            ),
          )
          await chat.ready
          chat.open()
          if (time % 2 === 0) await live
          chat.destroy()
          heard.abort()
        }
      }, times)
    const measure = async () => {
      await expect.poll(() => line.gateway.open().length).toBe(0)
      await devtools.send('HeapProfiler.collectGarbage')
      const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
      const channels = await page.evaluate(() => (window as unknown as { channels(): number }).channels())
      return { nodes, jsEventListeners, channels }
    }
    /** The browser at times holds the last chat for a moment, why is not known. What each mount left behind would stay. */
    const settles = async (nodes: number, jsEventListeners: number) => {
      const asIsWanted = {
        nodes: expect.toSatisfy((now: number) => now <= nodes),
        jsEventListeners: expect.toSatisfy((now: number) => now <= jsEventListeners),
        channels: 0,
      }
      await expect.poll(measure).toEqual(asIsWanted)
      return measure()
    }
    await run(5)
    const before = await settles(60, 30)
    await run(MOUNTS)
    console.log(
      JSON.stringify({ before, after: await settles(before.nodes + 20, before.jsEventListeners + 5) }),
    )
    expect(await page.locator('foyer-host').count()).toBe(0)
  })
})

/** The processes that run the pages of this browser. */
async function renderers(): Promise<number[]> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}

/** Numbers from 0 up to 1 that a seed repeats. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
