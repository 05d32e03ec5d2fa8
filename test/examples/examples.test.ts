// The projects of examples/, installed from the packed tarballs outside of the repository, built, started, and used in Chromium.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../../scripts/packages.mjs'
import { countLeftovers, leftoversOf } from '../browser/leftovers.ts'
import { freePort, panelOf, type Server, useBrowser } from '../browser/world.ts'

const BUILD_MS = 600_000
/** What the examples say in place of the address of a BFF. */
const CHAT = 'https://chat.example.com'
const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const { start, visit } = useBrowser()

/** Outside of the repository: nothing of it is found that a project would have to install. */
let folder: string
let server: Server
const tarballs: Record<string, string> = {}
const running: ChildProcess[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-examples-'))
  for (const name of ['foyer-server', 'foyer-webchat'])
    tarballs[name] = `file:${await pack(join(root, 'dist', name), folder)}`
  server = await start()
}, BUILD_MS)
afterEach(() => Promise.all(running.splice(0).map(stop)))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const stop = (child: ChildProcess) =>
  new Promise<void>((ended) => {
    child.on('exit', () => ended())
    if (child.exitCode !== null || !child.pid) return ended()
    process.kill(-child.pid, 'SIGKILL')
  })

/** Installs a copy of the example. `origin`: of its BFF. Resolves to the folder. */
async function install(name: string, origin: string): Promise<string> {
  const project = join(folder, name)
  cpSync(join(root, 'examples', name), project, { recursive: true })
  for (const entry of readdirSync(project, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile()) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(CHAT, origin))
  }
  const about = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  for (const each of Object.keys(tarballs))
    if (about.dependencies[each]) about.dependencies[each] = tarballs[each]
  writeFileSync(join(project, 'package.json'), JSON.stringify(about))
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: project })
  return project
}

const clean = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' }

/** Runs a script of the project until the test is over, and resolves once `site` answers. */
async function serve(
  project: string,
  args: readonly string[],
  site: string,
  env: object = {},
): Promise<void> {
  // A group of its own, with the processes that it starts.
  const child = spawn('npm', ['run', ...args], {
    cwd: project,
    env: { ...clean, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      output += String(part)
    })
  for (;;) {
    if (
      await fetch(site).then(
        () => true,
        () => false,
      )
    )
      return
    if (child.exitCode !== null) throw new Error(`npm run ${args.join(' ')} ended: ${output}`)
    await new Promise((again) => setTimeout(again, 200))
  }
}

/** What a BFF of one's own is told. */
const settings = (own: string, sites: string) => ({
  FOYER_CONNECTOR_TOKEN: 'demo-connector',
  FOYER_CONNECTOR_HOST: 'localhost',
  FOYER_CHAT_URL: server.origin,
  FOYER_COOKIE_SECRET: 'a-secret-of-more-than-32-characters!',
  FOYER_PUBLIC_ORIGIN: own,
  FOYER_ORIGINS: sites,
  FOYER_TRUSTED_PROXIES: 'loopback',
})

/** Serves the plain page, with a BFF at `origin`. */
async function servePage(origin: string): Promise<string> {
  const html = readFileSync(join(root, 'examples/page/index.html'), 'utf8')
  expect(html).toContain(CHAT)
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html.replaceAll(CHAT, origin))
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  pages.unref()
  return `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
}

const hello = (page: Page) => panelOf(page, 'frame').getByText('hello', { exact: true })
const answers = (page: Page) => panelOf(page, 'frame').locator('article.agent').count()

async function talk(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open chat' }).click()
  await expect.poll(() => answers(page)).toBe(1)
  const composer = panelOf(page, 'frame').getByRole('textbox', { name: 'Message' })
  await composer.fill('hello')
  await composer.press('Enter')
  await hello(page).first().waitFor()
  await expect.poll(() => answers(page)).toBe(2)
}

/** A visitor talks, loads the page again, and finds the conversation. Nobody writes into the console. */
async function useSite(site: string, quiet = true) {
  const { page, traces } = await visit()
  await countLeftovers(page)
  await page.goto(site)
  await talk(page)
  await page.reload()
  // The panel is open again by itself, as it was.
  await hello(page).waitFor()
  const lines = () =>
    traces.console.filter((line) => !/React DevTools|\[vite\]|\[HMR\]|Fast Refresh/.test(line))
  expect(traces.errors).toEqual([])
  if (quiet) expect(lines()).toEqual([])
  return { page, traces, lines }
}

/** The visitor goes to the checkout, which has no chat, and comes back. */
async function leaveAndReturn(page: Page, link: (name: string) => Promise<void>): Promise<void> {
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  await link('Checkout')
  await heading('Checkout')
  await expect.poll(async () => (await leftoversOf(page)).elements).toBe(0)
  // What a framework itself waits for settles.
  await expect.poll(async () => (await leftoversOf(page)).timers).toBe(0)
  const before = await leftoversOf(page)
  for (let round = 0; round < 2; round++) {
    await link('Bicycles')
    await heading('Bicycles')
    await hello(page).first().waitFor()
    await link('Checkout')
    await heading('Checkout')
    await expect.poll(() => leftoversOf(page)).toEqual(before)
  }
}
const pressing = (page: Page) => (name: string) => page.getByRole('link', { name, exact: true }).click()

describe.each(['react', 'vue'])('the example of %s', (name) => {
  it('builds, keeps the conversation, and leaves nothing behind where it has no chat', {
    timeout: BUILD_MS,
  }, async () => {
    const project = await install(name, server.origin)
    await run('npm', ['run', 'build'], { cwd: project, env: clean })
    const port = await freePort()
    const site = `http://localhost:${port}`
    await serve(project, ['start', '--', '--port', `${port}`, '--strictPort'], site)
    const { page, lines } = await useSite(site)
    await leaveAndReturn(page, pressing(page))
    expect(lines()).toEqual([])
  })

  it('runs in development', { timeout: BUILD_MS }, async () => {
    const port = await freePort()
    const site = `http://localhost:${port}`
    await serve(join(folder, name), ['dev', '--', '--port', `${port}`, '--strictPort'], site)
    await useSite(site)
  })
})

describe('the example of Next', () => {
  it.each([
    ['Turbopack', '--turbopack'],
    ['webpack', '--webpack'],
  ])(
    'builds by %s without a secret, is widget and BFF in one, and leaves nothing behind',
    { timeout: BUILD_MS },
    async (_, bundler) => {
      const project = existsSync(join(folder, 'next')) ? join(folder, 'next') : await install('next', CHAT)
      await run('npm', ['run', 'build', '--', bundler], { cwd: project, env: clean })
      const port = await freePort()
      const site = `http://localhost:${port}`
      await serve(project, ['start', '--', '-p', `${port}`], site, settings(site, site))
      const { page, traces, lines } = await useSite(site)
      const sockets = traces.sockets.length
      await page.getByRole('link', { name: 'Prices' }).click()
      await page.getByRole('heading', { name: 'Prices' }).waitFor()
      expect(await hello(page).count()).toBe(1)
      expect(traces.sockets).toHaveLength(sockets)
      await page.getByRole('link', { name: 'Bicycles' }).click()
      await leaveAndReturn(page, pressing(page))
      expect(lines()).toEqual([])
      // The part of the chat that shows a teaser comes later, by itself.
      const other = await visit()
      await other.page.goto(site)
      await other.page.getByRole('button', { name: 'Can I help?' }).waitFor()
      await other.page.getByRole('button', { name: 'Dismiss' }).click()
      await other.page.reload({ waitUntil: 'networkidle' })
      expect(await other.page.getByRole('button', { name: 'Can I help?' }).count()).toBe(0)
      expect(other.traces.errors).toEqual([])
    },
  )

  it.each([
    ['Turbopack', '--turbopack'],
    ['webpack', '--webpack'],
  ])('runs in development by %s', { timeout: BUILD_MS }, async (_, bundler) => {
    const port = await freePort()
    const site = `http://localhost:${port}`
    await serve(join(folder, 'next'), ['dev', '--', bundler, '-p', `${port}`], site, settings(site, site))
    await useSite(site)
  })
})

describe.each(['express', 'fastify', 'hono'])('the example of %s', (name) => {
  it('is a BFF for the plain page', { timeout: BUILD_MS }, async () => {
    const port = await freePort()
    const own = `http://localhost:${port}`
    const project = await install(name, own)
    const site = await servePage(own)
    await serve(project, ['start'], `${own}/foyer/health`, { ...settings(own, site), PORT: `${port}` })
    await useSite(site)
  })
})

it('the plain page needs nothing but the address of a BFF', async () => {
  await useSite(await servePage(server.origin))
})
