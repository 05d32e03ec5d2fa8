// The consent gate in a real browser: what a page and its chat ask, open and store before the visitor agrees, and after they
// withdrew. And where the chat stands in each layout.

import { createServer, type Server as HttpServer } from 'node:http'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong, some } from '../long.ts'
import { freePort, focused as hasFocus, panelOf, type Server, useBrowser } from './world.ts'

const { start, visit } = useBrowser()
let server: Server
let strict: Server
let pages: HttpServer
let site: string
let html = ''

beforeAll(async () => {
  pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>A page</title><body>${html}</body></html>`)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => pages.listen(port, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${port}`
  const env = { FOYER_DATA: 'memory', FOYER_UNFRAMED_ORIGINS: site }
  server = await start(env)
  strict = await start({ ...env, FOYER_CONSENT: 'required' })
})
afterAll(() => pages?.close())

const tag = (origin: string, attributes = '') => `<script src="${origin}/foyer.js" ${attributes}></script>`
async function at(body: string, options?: Parameters<typeof visit>[0]) {
  html = body
  const visited = await visit(options)
  await visited.page.goto(site)
  return visited
}
/** Everything that the browser keeps for the page and for the chat. */
async function kept(page: Page, context: BrowserContext): Promise<string[]> {
  const found: string[] = []
  for (const frame of page.frames()) {
    const keys = await frame.evaluate(async () => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await indexedDB.databases()).map(({ name }) => `database ${name}`),
      ...(await caches.keys()),
      ...document.cookie.split(';').filter(Boolean),
    ])
    found.push(...keys)
  }
  // `__Host-` cookies of a frame stand in a partition of their own: asked for without an address they are all listed.
  const cookies = await context.cookies()
  return [...found, ...cookies.map(({ name }) => `cookie ${name}`)]
}
const asksFor = (requests: readonly string[], what: RegExp) => requests.filter((url) => what.test(url))
const CONTACT = /access-token|sessions|\/ws/

describe.each(['frame', 'none'] as const)('with isolation %s', (isolation) => {
  const agree = (page: Page) => panelOf(page, isolation).getByRole('button', { name: 'Agree and chat' })
  const composer = (page: Page) => panelOf(page, isolation).getByRole('textbox', { name: 'Message' })

  const asking = [
    ['the page', () => tag(server.origin, `data-consent="required" data-isolation="${isolation}"`)],
    ['the BFF', () => tag(strict.origin, `data-isolation="${isolation}"`)],
  ] as const
  it.each(some(asking, 2, isolation === 'frame' ? 1 : 0))(
    'before the consent that %s requires there is no token, session, socket, cookie or storage',
    async (_, body) => {
      const { context, page, traces } = await at(body())
      await page.getByRole('button', { name: 'Open chat' }).click()
      await agree(page).waitFor()
      await page.evaluate(() =>
        (window as unknown as { Foyer: { send(text: string): void } }).Foyer.send('hello'),
      )
      await page.getByRole('button', { name: 'Close chat' }).first().click()
      await page.getByRole('button', { name: 'Open chat' }).click()
      await agree(page).waitFor()
      expect(asksFor(traces.requests, CONTACT)).toEqual([])
      expect(traces.sockets).toEqual([])
      expect(await kept(page, context)).toEqual([])

      await agree(page).click()
      await composer(page).waitFor()
      await panelOf(page, isolation).getByText('hello', { exact: true }).waitFor()
      await expect.poll(() => traces.sockets.length).toBe(1)
      expect(asksFor(traces.requests, /access-token/)).not.toEqual([])
      // The checks above can find what they look for.
      const found = async () => (await kept(page, context)).join(' ')
      await expect.poll(found).toContain('foyer::consent')
      await expect.poll(found).toMatch(/cookie \S*foyer-/)

      // The next page does not ask again.
      await page.reload()
      await composer(page).waitFor()
      // What draws the question comes with the menu, behind the connection: until then the panel would close.
      await panelOf(page, isolation).getByRole('button', { name: 'More' }).waitFor()

      await page.evaluate(() =>
        (window as unknown as { Foyer: { consent(given: boolean): void } }).Foyer.consent(false),
      )
      await agree(page).waitFor()
      // The mark alone, by which other tabs drop what they keep.
      await expect.poll(() => kept(page, context)).toEqual(['foyer::signed-out'])
      const before = traces.sockets.length
      await page.reload()
      await page.getByRole('button', { name: 'Open chat' }).click()
      await agree(page).waitFor()
      expect(traces.sockets).toHaveLength(before)
      expect(await kept(page, context)).toEqual(['foyer::signed-out'])
      expect(traces.errors).toEqual([])
      await context.close()
    },
  )

  it.runIf(isLong || isolation === 'frame')(
    'the focus goes with the visitor from the gate to the composer, also of a later chat',
    async () => {
      const form = JSON.stringify([{ label: 'Name', required: true }])
      const { context, page } = await at(
        tag(
          server.origin,
          `data-consent="required" data-starters="Opening hours" data-form='${form}' data-isolation="${isolation}"`,
        ),
      )
      const panel = panelOf(page, isolation)
      const press = async (name: string, key = 'Enter') => {
        const button = panel.getByRole('button', { name })
        await button.focus()
        await hasFocus(button)
        await page.keyboard.press(key)
      }
      /** That what is typed or pressed next reaches the chat: the focus is in it, and not on a body. */
      const focused = () => expect.poll(() => panel.locator(':focus').count()).toBeGreaterThan(0)
      const inComposer = () => hasFocus(composer(page))
      await page.getByRole('button', { name: 'Open chat' }).click()
      await agree(page).waitFor()
      await press('Agree and chat', 'Space')
      await panel.getByRole('button', { name: 'Write a message' }).waitFor()
      await focused()
      await press('Write a message')
      await panel.getByRole('textbox', { name: 'Name' }).fill('Ana')
      await page.keyboard.press('Enter')
      await inComposer()
      await page.keyboard.type('half a')
      await expect.poll(() => composer(page).inputValue()).toBe('half a')
      await press('More')
      await panel.getByRole('menuitem', { name: 'Start a new chat' }).press('Enter')
      await panel.getByRole('button', { name: 'Write a message' }).waitFor()
      await focused()
      await press('Write a message')
      await panel.getByRole('textbox', { name: 'Name' }).fill('Ben')
      await page.keyboard.press('Enter')
      await inComposer()
      await expect.poll(() => composer(page).inputValue()).toBe('half a')
      await context.close()
    },
  )

  it.runIf(isLong || isolation === 'none')(
    'the page gives the consent where the page alone requires it, and not where its BFF does',
    async () => {
      const consents = async (origin: string) => {
        const visited = await at(tag(origin, `data-consent="required" data-isolation="${isolation}"`))
        await visited.page.evaluate(() =>
          (window as unknown as { Foyer: { consent(given: boolean): void } }).Foyer.consent(true),
        )
        await visited.page.getByRole('button', { name: 'Open chat' }).click()
        return visited
      }
      const own = await consents(server.origin)
      await composer(own.page).waitFor()
      await own.context.close()
      const other = await consents(strict.origin)
      await agree(other.page).waitFor()
      expect(other.traces.sockets).toEqual([])
      await other.context.close()
    },
  )
})

describe('the panel that is prepared', () => {
  /** The panel as it is drawn out of sight. */
  const drawn = (page: Page, isolation: 'frame' | 'none' = 'frame') =>
    panelOf(page, isolation).locator('textarea').waitFor({ state: 'attached' })

  it('is there in idle time: nothing is begun, kept, told, moved or to be reached until a key or a press opens it', async () => {
    html = `<p>Text</p>${tag(server.origin, 'data-prepare="idle"')}`
    const { context, page, traces } = await visit()
    await page.addInitScript(() => {
      const told: string[] = []
      const shifts: number[] = []
      Object.assign(window, { told, shifts })
      for (const type of ['before-open', 'open', 'session', 'connection', 'message', 'unread', 'error'])
        document.addEventListener(`foyer-${type}`, () => told.push(type))
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(site)
    const launcher = page.getByRole('button', { name: 'Open chat' })
    await launcher.waitFor()
    await drawn(page)
    // Whatever it does by itself, it has done by then.
    await expect.poll(() => asksFor(traces.requests, /markdown/).length).toBeGreaterThan(0)
    expect(asksFor(traces.requests, CONTACT)).toEqual([])
    expect(traces.sockets).toEqual([])
    expect(await kept(page, context)).toEqual([])
    expect(await page.evaluate('[told, shifts]')).toEqual([[], []])
    expect(await page.evaluate('Foyer.getState().open')).toBe(false)
    expect(await page.getByRole('dialog').count()).toBe(0)
    // The frame is not in the tree that screen readers read.
    const devtools = await context.newCDPSession(page)
    const { nodes } = await devtools.send('Accessibility.getFullAXTree')
    const roles = nodes.filter(({ ignored }) => !ignored).map(({ role }) => role?.value)
    expect(roles).toContain('button')
    expect(roles).not.toContain('Iframe')
    await page.keyboard.press('Tab')
    await hasFocus(launcher)
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.querySelector('foyer-host').shadowRoot.activeElement")).toBeNull()
    expect(
      await page.locator('iframe[title="Chat"]').evaluate((each) => getComputedStyle(each).visibility),
    ).toBe('hidden')

    // A key shows it, and the composer has the focus.
    const before = asksFor(traces.requests, /\/foyer\/frame/).length
    await launcher.focus()
    await hasFocus(launcher)
    await page.keyboard.press('Enter')
    await hasFocus(panelOf(page, 'frame').getByRole('textbox', { name: 'Message' }))
    await expect.poll(() => traces.sockets.length).toBe(1)
    expect(asksFor(traces.requests, /\/foyer\/frame/)).toHaveLength(before)
    expect(before).toBe(1)
    expect(await page.evaluate('told.slice(0, 2)')).toEqual(['before-open', 'open'])
    await page.keyboard.press('Escape')
    await hasFocus(launcher)
    await launcher.click()
    await hasFocus(panelOf(page, 'frame').getByRole('textbox', { name: 'Message' }))
    expect(asksFor(traces.requests, /\/foyer\/frame/)).toHaveLength(before)
    expect(traces.errors).toEqual([])
    await context.close()
  })

  it.runIf(isLong)('and could not be had is loaded by the press, once the BFF answers again', async () => {
    html = tag(server.origin, 'data-prepare="idle"')
    const { context, page, traces } = await visit()
    let failing = true
    await context.route(/\/foyer\/frame\?/, (route) =>
      failing ? route.fulfill({ status: 503, body: 'Not now' }) : route.continue(),
    )
    await page.goto(site)
    await page.frameLocator('iframe').getByText('Not now').waitFor({ state: 'attached' })
    expect(await page.getByRole('alert').count()).toBe(0)
    failing = false
    await page.getByRole('button', { name: 'Open chat' }).click()
    await hasFocus(panelOf(page, 'frame').getByRole('textbox', { name: 'Message' }))
    expect(asksFor(traces.requests, /\/foyer\/frame/)).toHaveLength(2)
    await context.close()
  })
})

describe('the layouts', () => {
  const box = (page: Page) => page.locator('iframe[title="Chat"]').boundingBox()
  const opened = (page: Page) => panelOf(page, 'frame').getByRole('textbox', { name: 'Message' }).waitFor()

  it('float stands in its corner by offsets of the page, fullscreen fills the window', async () => {
    const { context, page } = await at(tag(server.origin, 'data-offset-x="40px" data-offset-y="30px"'))
    await page.getByRole('button', { name: 'Open chat' }).click()
    await opened(page)
    await expect.poll(() => box(page)).toMatchObject({ x: 1280 - 40 - 400, width: 400 })
    html = tag(server.origin, 'data-layout="fullscreen"')
    await page.goto(site)
    await opened(page)
    await expect.poll(() => box(page)).toMatchObject({ x: 0, y: 0, width: 1280, height: 800 })
    await context.close()
  })

  it.runIf(isLong)('embedded stands at the end of the page where the selector is none', async () => {
    const { context, page } = await at(tag(server.origin, 'data-layout="embedded" data-target="#[[["'))
    await opened(page)
    await expect.poll(async () => (await box(page))?.height).toBeGreaterThan(300)
    await context.close()
  })
})
