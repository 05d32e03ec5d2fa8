// `<foyer-chat>` of the package on a page in Chromium, with a frame and a service behind it.

import { readFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, type Server, useBrowser } from './world.ts'

const PACKAGE = resolve(import.meta.dirname, '../../dist/foyer-webchat')
const { start, visit } = useBrowser()
let server: Server
let pages: HttpServer
let site: string
let html = ''

beforeAll(async () => {
  server = await start()
  pages = createServer(({ url = '' }, response) => {
    const [, file] = url.match(/^\/package\/([\w/.-]+\.js)$/) ?? []
    response.setHeader('content-type', `text/${file ? 'javascript' : 'html'}; charset=utf-8`)
    response.end(
      file
        ? readFileSync(join(PACKAGE, file))
        : `<!doctype html><html lang="en"><title>A page</title><body>${html}</body></html>`,
    )
  })
  const port = await freePort()
  await new Promise<void>((resolve) => pages.listen(port, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${port}`
})
afterAll(() => pages?.close())

const DEFINE = '<script type="module" src="/package/element.js"></script>'
const tag = (attributes = '') => `<foyer-chat origin="${server.origin}" ${attributes}></foyer-chat>`
async function at(body: string) {
  html = body
  const visited = await visit()
  await visited.page.goto(site)
  return visited
}
const launchers = (page: Page) => page.getByRole('button', { name: 'Open chat' })
const panel = (page: Page, nth = 0) => page.locator('foyer-host iframe').nth(nth).contentFrame()
const composer = (page: Page, nth = 0) => panel(page, nth).getByRole('textbox', { name: 'Message' })
async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
  await said(page, text).waitFor()
}
const said = (page: Page, text: string, nth = 0) =>
  panel(page, nth).getByRole('log').locator('article.visitor').getByText(text)
/** What the page heard, by type, with the element that it was dispatched on. */
const LISTEN = `<script>
  heard = []
  for (const type of ['ready', 'open', 'session', 'message', 'destroy'])
    document.addEventListener('foyer-' + type, (event) => heard.push([type, event.target.localName, event.detail]))
</script>`
const heard = (page: Page, type: string) =>
  page.evaluate(
    (type) =>
      (window as unknown as { heard: [string, string, { session_id?: string }][] }).heard.filter(
        ([each]) => each === type,
      ),
    type,
  )
const idsOf = async (page: Page) => (await heard(page, 'session')).map(([, , detail]) => detail.session_id)
/** So many connections have told the page their session, and it is one. */
async function expectOneSession(page: Page, connections: number) {
  await expect.poll(async () => (await idsOf(page)).length).toBe(connections)
  expect(new Set(await idsOf(page)).size).toBe(1)
}

describe('an element', () => {
  it('that is defined late has its attributes and properties, and its events are heard on the page', async () => {
    const { context, page, traces } = await at(
      `${LISTEN}${tag()}<script>document.querySelector('foyer-chat').agentName = 'Fern'</script>`,
    )
    expect(await launchers(page).count()).toBe(0)
    await page.addScriptTag({ type: 'module', url: '/package/element.js' })
    await launchers(page).click()
    await composer(page).waitFor()
    expect(await page.locator('foyer-host iframe').getAttribute('src')).toContain('name=Fern')
    await ask(page, 'hello')
    await expect.poll(async () => (await heard(page, 'message')).length).toBeGreaterThan(0)
    for (const type of ['ready', 'open', 'session'])
      expect((await heard(page, type)).map(([, target]) => target)).toEqual(['foyer-chat'])
    expect(traces.errors).toEqual([])
    await context.close()
  })

  it('that is moved keeps the panel as it is', async () => {
    const { context, page } = await at(`${LISTEN}<main></main>${tag()}${DEFINE}`)
    await launchers(page).click()
    await ask(page, 'hello')
    await composer(page).fill('a draft')
    await page.evaluate(() => {
      const element = document.querySelector('foyer-chat') as Element
      document.querySelector('main')?.append(element)
      element.remove()
      document.body.prepend(element)
    })
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
    expect(await composer(page).inputValue()).toBe('a draft')
    expect(await page.locator('foyer-host').count()).toBe(1)
    expect(await heard(page, 'destroy')).toEqual([])
    expect(await idsOf(page)).toHaveLength(1)
    await context.close()
  })

  it('that is removed leaves nothing, and put back later it has its conversation', async () => {
    const { context, page } = await at(`${LISTEN}${tag()}${DEFINE}`)
    await launchers(page).click()
    await ask(page, 'hello')
    await page.evaluate(() => {
      const element = document.querySelector('foyer-chat') as Element
      Object.assign(window, { element })
      element.remove()
    })
    await expect.poll(() => page.locator('foyer-host').count()).toBe(0)
    await expect.poll(() => page.frames().length).toBe(1)
    await page.evaluate(() => document.body.append((window as unknown as { element: Element }).element))
    await said(page, 'hello').waitFor()
    await expectOneSession(page, 2)
    await context.close()
  })

  it('in which the chat is embedded has it inside, in its own size, and keeps the panel where it is moved by moveBefore', async () => {
    const { context, page } = await at(
      `${LISTEN}<style>foyer-chat{display:block;width:420px;height:500px}</style><main></main>${tag('layout="embedded"')}${DEFINE}`,
    )
    await ask(page, 'hello')
    expect(await page.locator('foyer-chat > foyer-host').count()).toBe(1)
    const box = await page.locator('foyer-host iframe').boundingBox()
    expect([box?.width, box?.height]).toEqual([420, 500])
    await composer(page).fill('a draft')
    const moved = await page.evaluate(() => {
      const main = document.querySelector('main') as Element & { moveBefore?(node: Node, child: null): void }
      main.moveBefore?.(document.querySelector('foyer-chat') as Element, null)
      return main.childElementCount
    })
    expect(moved).toBe(1)
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
    expect(await composer(page).inputValue()).toBe('a draft')

    // Any other move loads a frame again, which then has the same session.
    await page.evaluate(() => document.body.append(document.querySelector('foyer-chat') as Element))
    await said(page, 'hello').waitFor()
    await expectOneSession(page, 2)
    expect(await page.locator('foyer-host').count()).toBe(1)
    expect(await heard(page, 'destroy')).toEqual([])
    await context.close()
  })

  it('beside another of the same origin and connector shows the same conversation, as a second tab does', async () => {
    const { context, page, traces } = await at(
      `${LISTEN}<style>foyer-chat{display:block;width:420px;height:300px}</style>${tag('layout="embedded"')}${tag('layout="embedded"')}${DEFINE}`,
    )
    await composer(page, 1).waitFor()
    await ask(page, 'hello')
    await said(page, 'hello', 1).waitFor()
    await expectOneSession(page, 2)
    expect(traces.errors).toEqual([])
    await context.close()
  })
})
