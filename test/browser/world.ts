// The real thing: what `npm run build` made, served by a process of its own, in a Chromium that is as people
// have it. It is started by hand, since a test tool's own switches turn storage partitioning, the
// back/forward cache and timer throttling off.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  chromium,
  errors,
  type Frame,
  type FrameLocator,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, expect, TestRunner } from 'vitest'
import { atExit } from '../../scripts/at-exit.mjs'

const root = resolve(import.meta.dirname, '../..')
/** Of Playwright, for a step and for the way to a browser that has just started: a busy machine is no failure. */
const PATIENCE_MS = 60_000

/**
 * For servers that listen some time after they were given a port. Those from 32,768 on are given to outgoing connections, of which
 * a suite makes thousands: one of these would take the port meanwhile. The last one that browsers refuse is 10,080.
 */
const PORTS = { first: 10_100, last: 32_700, each: 500 }
let given = Math.floor(Math.random() * PORTS.each)

/** A port that nobody else has: each worker of a run gives out its own, one after the other. */
export async function freePort(): Promise<number> {
  const workers = Math.floor((PORTS.last - PORTS.first) / PORTS.each)
  const first = PORTS.first + (Number(process.env.VITEST_POOL_ID ?? 0) % workers) * PORTS.each
  for (let tries = 0; tries < PORTS.each; tries++) {
    const port = first + (given++ % PORTS.each)
    // A server takes both loopback addresses, where the machine has them.
    if ((await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'))) return port
  }
  throw new Error(`No port from ${first} on is free`)
}

const canListen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/** Resolves with the first match of `pattern` in what the process prints; rejects when it ends before. */
export function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpMatchArray> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (part: unknown) => {
      text += String(part)
      const match = text.match(pattern)
      if (match) resolve(match)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', (code) =>
      reject(new Error(`the process ended (${code}) before it said ${pattern}: ${text}`)),
    )
  })
}

export type Server = Awaited<ReturnType<typeof startServer>>

/**
 * For servers that live for seconds: V8 would compile PGlite a second time, for speed in the long run. It costs more than all else
 * that such a server does.
 */
export const SHORT_LIVED: readonly string[] = ['--liftoff-only']

/** For servers whose tests ask nothing about Foyer: its own docs take as long to read as half of a start. */
export const ONE_DOCUMENT: readonly string[] = [join(import.meta.dirname, 'documents')]

/** Starts Foyer as `npm start` does, in `folder`, and collects all it prints. `flags`: of Node. `release`: the folder of its package. */
export async function startServer(
  port: number,
  folder: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
  flags: readonly string[] = SHORT_LIVED,
  release = join(root, 'dist/foyer-server'),
) {
  const child = spawn(process.execPath, [...flags, join(release, 'cli.js'), ...args], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), FOYER_DEMO: '1', FOYER_ACCESS_LOG: '1', ...env },
  })
  const output: string[] = []
  child.stdout.on('data', (part) => output.push(String(part)))
  child.stderr.on('data', (part) => output.push(String(part)))
  await printed(child, /Foyer is ready/)
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  return {
    child,
    output,
    origin: `http://localhost:${port}`,
    /** As Ctrl-C does: a test does not wait until the server has drained. */
    stop(signal: NodeJS.Signals = 'SIGINT') {
      child.kill(signal)
      return ended
    },
  }
}

/** Where fonts are found by fontconfig, Chromium has these alone. */
const FONTS = join(import.meta.dirname, 'fonts.conf')

/** A Chromium of its own, and where its DevTools protocol is spoken. */
export async function spawnBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'foyer-chromium-'))
  const child = spawn(
    process.env.CHROME_PATH ?? 'chromium',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // The address bar's own pages, which every window loads beside the one it shows: half of what a visit costs. And a process that is
      // started in advance after each page, for another that seldom comes.
      '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, FONTCONFIG_FILE: FONTS } },
  )
  const removeProfile = () =>
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  // Its processes are a group: if the first were killed alone, others would go on writing to the profile.
  const forget = atExit(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    removeProfile()
  })
  const ended = new Promise<void>((resolve) =>
    child.on('exit', () => {
      forget()
      removeProfile()
      resolve()
    }),
  )
  const [, endpoint = ''] = await printed(child, /DevTools listening on (ws:\S+)/)
  return { endpoint, ended }
}

/** The files of a worker share one, since to start it takes as long as two visits. Visits share nothing: each has a profile of its own. */
let running: Promise<Browser> | undefined

async function startShared(): Promise<Browser> {
  const { endpoint } = await spawnBrowser()
  return chromium.connectOverCDP(endpoint, { timeout: PATIENCE_MS })
}

/** A Chromium. `close` ends the visits of this file. */
export async function startBrowser(): Promise<{ browser: Browser; close(): Promise<void> }> {
  // A browser that has crashed, or did not start, is replaced for the next file.
  running = running
    ? running.then((known) => (known.isConnected() ? known : startShared()), startShared)
    : startShared()
  const browser = await running
  const [own] = browser.contexts()
  return {
    browser,
    async close() {
      await Promise.all(browser.contexts().map((context) => context !== own && end(context)))
    },
  }
}

/** Everything that a visit leaves where somebody could look. */
export type Traces = {
  console: string[]
  errors: string[]
  requests: string[]
  sockets: string[]
  tokens: Set<string>
}

const visits = new Set<BrowserContext>()

/** A browser profile of its own, with the patience of these tests. It ends with `leave`, if the test does not end it before. */
export async function newContext(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  context.once('page', lookAnew)
  visits.add(context)
  context.once('close', () => visits.delete(context))
  return context
}

/** A wait looks anew after so long. */
const LOOK_MS = 5_000
let looksAnew = false

/**
 * A wait that begins in the moment in which a frame gets another document may go on in the one before (Playwright 1.65): it sees nothing of
 * what is on the screen, for as long as it lasts.
 */
function lookAnew(page: Page): void {
  if (looksAnew) return
  looksAnew = true
  const locators = Object.getPrototypeOf(page.locator('html')) as Locator
  const { waitFor } = locators
  locators.waitFor = async function (this: Locator, { timeout = PATIENCE_MS, ...how } = {}) {
    for (let left = timeout; ; left -= LOOK_MS)
      try {
        return await waitFor.call(this, { ...how, timeout: Math.min(LOOK_MS, left) })
      } catch (error) {
        if (!(error instanceof errors.TimeoutError) || left <= LOOK_MS) throw error
      }
  }
}

/**
 * Ends every visit: for `afterEach`, so that a test that failed leaves nobody behind who waits for something. What was on the screens
 * of one that failed goes to its output.
 */
export async function leave(): Promise<void> {
  if (TestRunner.getCurrentTest()?.result?.state === 'fail') for (const context of visits) await tell(context)
  await Promise.all([...visits].map(end))
}

const MOST_TOLD = 3_000

async function tell(context: BrowserContext): Promise<void> {
  for (const frame of context.pages().flatMap((page) => page.frames())) {
    const seen = await frame
      .locator('body')
      .ariaSnapshot({ timeout: LOOK_MS })
      .catch((error: Error) => error.message)
    console.log(`seen at ${frame.url().replace(/\?.*/, '')}:\n${seen.slice(-MOST_TOLD)}`)
  }
}

/** Whatever a test answers by itself and has not answered yet fails with the visit, which is nobody's error. */
async function end(context: BrowserContext): Promise<void> {
  const ignored = { behavior: 'ignoreErrors' } as const
  await Promise.all([context, ...context.pages()].map((each) => each.unrouteAll(ignored)))
  await context.close()
}

/** A visitor with a browser of their own, whose traces are kept. */
export async function visit(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await newContext(browser, options)
  const page: Page = await context.newPage()
  const traces: Traces = { console: [], errors: [], requests: [], sockets: [], tokens: new Set() }
  page.on('console', (message) => traces.console.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => traces.errors.push(error.message))
  page.on('request', (request) => traces.requests.push(request.url()))
  page.on('websocket', (socket) => {
    const token = new URL(socket.url()).searchParams.get('access_token')
    if (token) traces.tokens.add(token)
    traces.sockets.push(socket.url())
  })
  return { context, page, traces }
}

/** For the tests of one file: servers and a browser, which end with the file, and visits, which end with their test. */
export function useBrowser() {
  let started: ReturnType<typeof startBrowser> | undefined
  const servers: Server[] = []
  const folders: string[] = []
  afterEach(leave)
  afterAll(async () => {
    await (await started)?.close()
    await Promise.all(servers.map((server) => server.stop()))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    /** Starts a server in a folder of its own. */
    async start(env: Record<string, string> = {}): Promise<Server> {
      const folder = mkdtempSync(join(tmpdir(), 'foyer-browser-'))
      folders.push(folder)
      const server = await startServer(await freePort(), folder, env, ONE_DOCUMENT)
      servers.push(server)
      return server
    },
    /** Starts the browser with the first visit. */
    async visit(options?: Parameters<Browser['newContext']>[0]) {
      started ??= startBrowser()
      return visit((await started).browser, options)
    },
  }
}

/** The panel, wherever it is: in its frame, or in the page itself. */
export const panelOf = (page: Page, isolation: 'frame' | 'none'): Page | FrameLocator =>
  isolation === 'frame' ? page.frameLocator('iframe[title="Chat"]') : page

/** The frame of the panel, once the browser has told of it. */
export async function frameOf(page: Page): Promise<Frame> {
  const find = () => page.frames().find((each) => each.url().includes('/foyer/frame'))
  await expect.poll(() => find() !== undefined).toBe(true)
  return find() as Frame
}

export const sessionOf = (url: string): string | null => new URL(url).searchParams.get('session_id')

/**
 * Resolves once the element has the focus, and so gets what is typed and pressed from now on. In a frame that has no focus itself
 * no element matches.
 */
export const focused = (element: Locator): Promise<void> =>
  expect.poll(() => element.evaluate((each) => each.matches(':focus'))).toBe(true)

/**
 * Resolves once `read` finds this many; rejects where the first that are enough are too many. A copy that goes away later is a
 * fault, so no later reading is asked.
 */
export async function counted(read: () => number | Promise<number>, count: number): Promise<void> {
  let found = 0
  const newest = async () => {
    found = await read()
    return found
  }
  await expect.poll(newest).toBeGreaterThanOrEqual(count)
  expect(found).toBe(count)
}

/** Resolves once `read` finds as many as are expected; rejects where these are others. */
export async function listed<T>(read: () => T[] | Promise<T[]>, expected: T[]): Promise<void> {
  let found: T[] = []
  const newest = async () => {
    found = await read()
    return found.length
  }
  await expect.poll(newest).toBeGreaterThanOrEqual(expected.length)
  expect(found).toEqual(expected)
}

/** Resolves once nothing fades or moves any more: what still fades in has no contrast yet. What goes on for ever does not count. */
export const atRest = (place: Page | Frame): Promise<void> =>
  expect
    .poll(() =>
      place.evaluate(
        () =>
          document
            .getAnimations()
            .filter(
              ({ effect, playState }) =>
                playState === 'running' &&
                effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
            ).length,
      ),
    )
    .toBe(0)
