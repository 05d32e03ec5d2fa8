// The snippet of the docs in an app of Next.js, by each of its bundlers: the app builds and serves, the chat answers, and what the
// visitor chose is kept. `FOYER_TEST_NEXT` is the version to install.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../../scripts/packages.mjs'
import { freePort, panelOf, useBrowser } from './world.ts'

const VERSION = process.env.FOYER_TEST_NEXT
const BUILD_MS = 600_000
const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

const { start, visit } = useBrowser()
let app: string
const serving: ChildProcess[] = []

/** The component as the docs have it, but for its origin and a teaser. */
function snippet(origin: string): string {
  const docs = readFileSync(join(root, 'docs/frameworks.md'), 'utf8')
  const [, code = ''] = /## How to use it in React or Next\.js\n.*?```jsx\n(.*?)```/s.exec(docs) ?? []
  const options = "{ origin: 'https://chat.example.com' }"
  expect(code).toContain(options)
  return code.replace(options, `{ origin: '${origin}', teaser: 'Can I help?' }`)
}

beforeAll(async () => {
  if (!VERSION) return
  // Outside of the repository: nothing of it is found that an app would have to install.
  app = mkdtempSync(join(tmpdir(), 'foyer-next-'))
  const server = await start({ FOYER_DATA: 'memory' })
  const tarball = await pack(join(root, 'dist/foyer-webchat'), app)
  const dependencies = { next: VERSION, react: '19', 'react-dom': '19', 'foyer-webchat': `file:${tarball}` }
  const files = {
    'package.json': JSON.stringify({ private: true, dependencies }),
    'app/layout.jsx': `import { Chat } from './chat'
export default function Layout({ children }) {
  return <html lang="en"><body>{children}<Chat /></body></html>
}`,
    'app/page.jsx': `import Link from 'next/link'
export default function Page() { return <Link href="/prices">Prices</Link> }`,
    'app/prices/page.jsx': 'export default function Page() { return <h1>All prices</h1> }',
    'app/chat.jsx': snippet(server.origin),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(app, path)), { recursive: true })
    writeFileSync(join(app, path), text)
  }
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: app })
}, BUILD_MS)
afterEach(async () => {
  await Promise.all(serving.splice(0).map(stop))
})
afterAll(() => {
  if (app) rmSync(app, { recursive: true, force: true, maxRetries: 5 })
})

const env = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' }
const next = (...args: readonly string[]) => [join(app, 'node_modules/next/dist/bin/next'), ...args]

/** Serves the app until the test is over. Resolves to its address once it answers. */
async function serve(...args: readonly string[]): Promise<string> {
  const port = await freePort()
  // A group of its own, with the processes that Next starts.
  const child = spawn(process.execPath, next(...args, '-p', `${port}`), {
    cwd: app,
    env,
    detached: true,
    stdio: 'ignore',
  })
  serving.push(child)
  const site = `http://localhost:${port}`
  await expect
    .poll(
      () =>
        fetch(site).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 120_000 },
    )
    .toBe(200)
  return site
}
const stop = (child: ChildProcess) =>
  new Promise<void>((ended) => {
    child.on('exit', () => ended())
    if (child.exitCode !== null || !child.pid) return ended()
    process.kill(-child.pid, 'SIGKILL')
  })

describe.skipIf(!VERSION).each([
  ['Turbopack', '--turbopack'],
  ['webpack', '--webpack'],
])('with %s', (_, bundler) => {
  it('an app builds, its chat answers and stays while pages change, and a teaser is dismissed for good', {
    timeout: BUILD_MS,
  }, async () => {
    await run(process.execPath, next('build', bundler), { cwd: app, env })
    const site = await serve('start')
    const { page, traces } = await visit()
    await page.goto(site)
    const teaser = page.getByRole('button', { name: 'Can I help?' })
    await teaser.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    const kept = () =>
      page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.endsWith(':teaser')))
    await expect.poll(kept).toEqual([[expect.any(String), 'dismissed']])
    await page.goto(site, { waitUntil: 'networkidle' })
    expect(await teaser.count()).toBe(0)

    await page.getByRole('button', { name: 'Open chat' }).click()
    const panel = panelOf(page, 'frame')
    const composer = panel.getByRole('textbox', { name: 'Message' })
    await composer.fill('hello')
    await composer.press('Enter')
    await panel.getByText('hello', { exact: true }).waitFor()
    await expect.poll(() => panel.locator('article.agent').count()).toBeGreaterThan(1)
    await page.getByRole('link', { name: 'Prices' }).click()
    await page.getByRole('heading', { name: 'All prices' }).waitFor()
    expect(await panel.getByText('hello', { exact: true }).count()).toBe(1)
    expect(traces.sockets).toHaveLength(1)
    expect(traces.errors).toEqual([])
  })

  it('an app runs in development', { timeout: BUILD_MS }, async () => {
    const site = await serve('dev', bundler)
    const { page, traces } = await visit()
    await page.goto(site)
    await page.getByRole('button', { name: 'Open chat' }).waitFor()
    expect(traces.errors).toEqual([])
  })
})
