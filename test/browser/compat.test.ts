// A page that comes from the service's own snippet: its attributes and calls, on the built widget.

import { createServer, type Server as HttpServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WebchatAPI } from '../../src/embed/compat.ts'
import { isLong } from '../long.ts'
import { freePort, panelOf, type Server, useBrowser } from './world.ts'

const { start, visit } = useBrowser()
let server: Server
let pages: HttpServer
let site: string
let html = ''

/** Only scripts with this nonce run, and those that they load; no other script reaches a sink. */
const POLICY =
  "script-src 'nonce-foyer' 'strict-dynamic'; require-trusted-types-for 'script'; trusted-types 'none'"

beforeAll(async () => {
  server = await start()
  pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', POLICY)
    response.end(`<!doctype html><html lang="en"><title>A page</title><body>${html}</body></html>`)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => pages.listen(port, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${port}`
})
afterAll(() => pages?.close())

declare global {
  interface Window {
    WebchatAPI: WebchatAPI
    heard: string[]
  }
}

const script = (path: string, attributes = '') =>
  `<script nonce="foyer" src="${server.origin}${path}" ${attributes}></script>`
const inline = (code: string) => `<script nonce="foyer">${code}</script>`
async function at(body: string) {
  html = body
  const visited = await visit()
  await visited.page.goto(site)
  return visited
}
const launcher = (page: Page) => page.getByRole('button', { name: 'Open chat' })
const composer = (page: Page) => panelOf(page, 'frame').getByRole('textbox', { name: 'Message' })
const call = (page: Page, act: (api: WebchatAPI) => void) => page.evaluate(`(${act})(window.WebchatAPI)`)

it('the attributes and calls of the snippet hide and show the launcher, open, close, point out and destroy', async () => {
  const { context, page, traces } = await at(
    script('/foyer.js', 'data-compat="webchat" data-show-icon="false" data-render-mode="widget"'),
  )
  await page.waitForFunction(() => 'WebchatAPI' in window)
  await call(page, (api) => {
    window.heard = []
    api.onReady(() => window.heard.push('ready'))
    api.on('open', () => window.heard.push('open'))
    const once = () => {
      window.heard.push('close')
      api.off('close', once)
    }
    api.on('close', once)
  })
  await expect.poll(() => page.evaluate(() => window.heard)).toEqual(['ready'])
  expect(await launcher(page).count()).toBe(0)

  await call(page, (api) => api.showIcon())
  await launcher(page).waitFor()
  await call(page, (api) => api.showBubble('May I help?'))
  await page.locator('foyer-host').getByRole('button', { name: 'May I help?' }).waitFor()
  await call(page, (api) => api.animateIcon())
  await call(page, (api) => api.hideIcon())
  await expect.poll(() => launcher(page).count()).toBe(0)

  for (let round = 0; round < 2; round++) {
    await call(page, (api) => api.openWidget())
    await composer(page).waitFor()
    await call(page, (api) => api.closeWidget())
    await composer(page).waitFor({ state: 'hidden' })
  }
  expect(await page.evaluate(() => window.heard)).toEqual(['ready', 'open', 'close', 'open'])

  await call(page, (api) => api.destroy())
  await expect.poll(() => page.locator('foyer-host').count()).toBe(0)
  await call(page, (api) => api.openWidget())
  expect(await page.locator('foyer-host').count()).toBe(0)
  expect(traces.errors).toEqual([])
  await context.close()
})

it('a page has the calls where its own tag, before the chat’s, asks for them, and neither calls nor file where none does', async () => {
  const { context, page, traces } = await at(
    script('/foyer/compat.js') +
      inline('heard=[];WebchatAPI.onReady(()=>heard.push("ready"));WebchatAPI.openWidget()') +
      script('/foyer.js', 'async'),
  )
  await composer(page).waitFor()
  expect(await page.evaluate(() => window.heard)).toEqual(['ready'])

  traces.requests.length = 0
  html = script('/foyer.js', 'data-compat="other"')
  await page.goto(site)
  await page.locator('foyer-host').waitFor({ state: 'attached' })
  await composer(page).waitFor()
  expect(await page.evaluate(() => 'WebchatAPI' in window)).toBe(false)
  expect(traces.requests.filter((url) => url.includes('compat'))).toEqual([])
  expect(traces.errors).toEqual([])
  await context.close()
})

it.runIf(isLong)(
  'a disclaimer stands at the field in the panel’s language, leads to the site’s policies, and ends with the first message',
  async () => {
    const texts = {
      en: 'Chats are kept for 30 days',
      de: 'Wir speichern Chats 30 Tage. Es gelten [Datenschutz](https://example.com/datenschutz) und [Böses](javascript:alert(1)).',
    }
    const { context, page, traces } = await at(
      script(
        '/foyer.js',
        `data-locale="de-AT" data-disclaimer='${JSON.stringify(texts)}' data-disclaimer-place="above" data-disclaimer-once="true"`,
      ),
    )
    await page.locator('foyer-host').getByRole('button').click()
    const panel = panelOf(page, 'frame')
    const policy = panel.getByRole('link', { name: 'Datenschutz' })
    await policy.waitFor()
    expect(await policy.getAttribute('href')).toBe('https://example.com/datenschutz')
    const line = panel.locator('.foot p', { hasText: 'Wir speichern Chats 30 Tage' })
    expect(await line.textContent()).toContain('[Böses](javascript:alert(1))')
    expect(await line.getByRole('link').count()).toBe(1)
    const field = panel.getByRole('textbox', { name: 'Nachricht' })
    const [above, below] = [await line.boundingBox(), await field.boundingBox()]
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0)
    await field.fill('Hallo')
    await field.press('Enter')
    await panel.locator('article.visitor').waitFor()
    await expect.poll(() => line.count()).toBe(0)
    expect(traces.errors).toEqual([])
    await context.close()
  },
)
