// A site keeps a loader for years while its BFF gets newer, or the other way round: the page's scripts of one release work with the server
// and the frame of another one.

import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { focused, freePort, ONE_DOCUMENT, panelOf, SHORT_LIVED, startServer, useBrowser } from './world.ts'

const root = resolve(import.meta.dirname, '../..')
const TREE = join(root, 'dist/foyer-server')
/** Inside node_modules, so that the imports of its server are found. */
const LAST = mkdtempSync(join(root, 'node_modules/.foyer-release-'))

const { visit } = useBrowser()
beforeAll(async () => {
  const tarball = createReadStream(join(root, 'test/release/foyer-server-0.1.0.tgz'))
  await pipeline(tarball, createGunzip(), unpackTar(LAST, { strip: 1 }))
})
afterAll(() => rmSync(LAST, { recursive: true, force: true }))

/** A script tag's loader asks the BFF for the container; an app's bundle has both. */
const ALL = /./
const LOADER = /^foyer\.js$/

const MIXES = [
  { name: 'the last release’s page side with the frame of the tree', loader: LAST, files: ALL, server: TREE },
  { name: 'the page side of the tree with the last release’s frame', loader: TREE, files: ALL, server: LAST },
  { name: 'the last release’s loader with the frame of the tree', loader: LAST, files: LOADER, server: TREE },
  { name: 'the loader of the tree with the last release’s frame', loader: TREE, files: LOADER, server: LAST },
]
// The first two have the messages between page and frame of two releases.
describe.each(isLong ? MIXES : MIXES.slice(0, 2))('$name', ({ loader, files, server: release }) => {
  let server: Awaited<ReturnType<typeof startServer>>
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'foyer-release-'))
    server = await startServer(await freePort(), folder, {}, ONE_DOCUMENT, SHORT_LIVED, release)
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** These files of the page itself come from the loader's release, all others from the server's. */
  async function at(settings: object) {
    const { page, traces } = await visit()
    const fromLoader: string[] = []
    await page.route(/\/foyer(\.js|\/assets\/)/, async (route) => {
      if (route.request().frame() !== page.mainFrame()) return route.continue()
      const name = new URL(route.request().url()).pathname.replace(/^\/foyer\/|^\//, '')
      if (!files.test(name)) return route.continue()
      const file = join(loader, 'public', name)
      expect(existsSync(file), name).toBe(true)
      fromLoader.push(name)
      await route.fulfill({
        body: readFileSync(file),
        contentType: 'text/javascript',
        headers: { 'access-control-allow-origin': '*' },
      })
    })
    await page.addInitScript((given) => Object.assign(window, { foyerSettings: given }), settings)
    await page.goto(`${server.origin}/embed.html`)
    return { page, fromLoader, errors: traces.errors }
  }

  it('opens, takes what was typed and said before, talks, and is told by the page how to look', async () => {
    const { page, fromLoader, errors } = await at({
      theme: 'light',
      accent: '#00aa77',
      greeting: 'Welcome back',
    })
    await page.evaluate(() => {
      const events: string[] = []
      Object.assign(window, { events })
      for (const type of ['open', 'session', 'message', 'close'])
        document.addEventListener(`foyer-${type}`, () => events.push(type))
    })
    // On a slow machine the last release's own field may undo what is written into it.
    const [set, typed] = release === LAST ? ['What is Foyer?', ''] : ['What is ', 'Foyer?']
    await page.evaluate((text) => window.Foyer.setDraft(text), set)
    await page.getByRole('button', { name: 'Open chat' }).focus()
    await page.keyboard.press('Enter')
    const panel = panelOf(page, 'frame')
    const field = panel.getByRole('textbox', { name: 'Message' })
    const log = panel.getByRole('log', { name: 'Conversation' })
    await focused(field)
    await log.getByText('Welcome back').waitFor()
    await expect.poll(() => field.inputValue()).toBe(set)
    await page.keyboard.type(typed)
    await expect.poll(() => field.inputValue()).toBe('What is Foyer?')
    await page.keyboard.press('Enter')
    await log.locator('article.visitor ~ article:not(.visitor) .text').first().waitFor()
    const told = () => page.evaluate(() => (window as unknown as { events: string[] }).events)
    // The page hears of an answer where it is whole.
    await expect.poll(told).toContain('message')
    await page.evaluate(() => window.Foyer.update({ theme: 'dark' }))
    await expect.poll(() => panel.locator('.foyer').getAttribute('class')).toContain('dark')
    await panel.getByRole('button', { name: 'Close chat' }).click()
    await focused(page.getByRole('button', { name: 'Open chat' }))
    await expect.poll(told).toContain('close')
    expect((await told()).slice(0, 2)).toEqual(['open', 'session'])
    await page.keyboard.press('Enter')
    await focused(field)
    await page.reload()
    await log.getByText('What is Foyer?').first().waitFor()
    expect(fromLoader.filter((name) => name === 'foyer.js')).toHaveLength(2)
    // The script of today has it in itself.
    expect(fromLoader.includes('assets/place.js')).toBe(files === ALL && loader === LAST)
    expect(errors).toEqual([])
  })

  it.runIf(isLong || loader === LAST)('asks for consent first, where the page requires it', async () => {
    const { page, errors } = await at({ consent: 'required' })
    await page.getByRole('button', { name: 'Open chat' }).click()
    const panel = panelOf(page, 'frame')
    await panel.getByRole('button', { name: 'Agree' }).click()
    await panel.getByRole('log').locator('article .text').first().waitFor()
    expect(errors).toEqual([])
  })
})
