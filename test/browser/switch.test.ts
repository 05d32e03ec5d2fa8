// Two sites at one BFF, whose chats the operator switches off and on: what their visitors see, and what is asked for them.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BffConnector, type BffConnectors, createSitesBff, folderAssets } from '../../src/bff/index.ts'
import { createWorld } from '../contract/world.ts'
import { isLong } from '../long.ts'
import { panelOf, useBrowser } from './world.ts'

const PUBLIC = join(resolve(import.meta.dirname, '../../dist'), 'foyer-server/public')
const CLOSED = 'We’re closed right now'

const { visit } = useBrowser()
const servers: Server[] = []
let world: Awaited<ReturnType<typeof createWorld>>
/** The BFF's origin, and those of the sites. */
let origin: string
let shop: string
let bank: string
/** The script tag's attributes on the shop's page. */
let attributes: string
/** What the BFF was asked for. */
let asked: string[]
let connectors: BffConnectors
const SHOP = (): BffConnector => ({
  connectorToken: 'connector-secret',
  connectorHost: 'shop.example.com',
  chatUrl: world.base,
  origins: [shop],
})
const BANK = (): BffConnector => ({
  connectorToken: 'other-secret',
  connectorHost: 'other.example.com',
  chatUrl: world.base,
  origins: [bank],
})

async function listen(
  host: string,
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<string> {
  const listener = getRequestListener(fetch)
  const server = createServer((request, response) => void listener(request, response))
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://${host}:${(server.address() as AddressInfo).port}`
}
const pageWith = (body: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="data:,">${body}</html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  )
const tag = (given: string) => `<script src="${origin}/foyer.js" ${given}></script>`

beforeAll(async () => {
  world = await createWorld()
  shop = await listen('localhost', () => pageWith(`<h1>The shop</h1>${tag(attributes)}`))
  bank = await listen('localhost', () => pageWith(`<h1>The bank</h1>${tag('data-connector="bank"')}`))
  const bff = createSitesBff({
    connectors: () => connectors,
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
    assets: folderAssets(PUBLIC),
  })
  origin = await listen('127.0.0.1', (request) => {
    asked.push(new URL(request.url).pathname)
    return bff.fetch(request, { address: '127.0.0.1' })
  })
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await world?.close()
})
beforeEach(() => {
  asked = []
  attributes = 'data-connector="shop"'
  connectors = { shop: SHOP(), bank: BANK() }
})
const switchOff = () => {
  connectors = { shop: { ...SHOP(), enabled: false }, bank: BANK() }
}
const switchOn = () => {
  connectors = { shop: SHOP(), bank: BANK() }
}

const launcher = (page: Page) => page.getByRole('button', { name: 'Open chat' })
const composer = (page: Page) => panelOf(page, 'frame').getByRole('textbox', { name: 'Message' })
const closed = (page: Page) => panelOf(page, 'frame').getByRole('heading', { name: CLOSED })
/** Resolves once the script tag has put its chat onto the page. */
const loaded = (page: Page) => page.locator('foyer-host').waitFor({ state: 'attached' })
const call = (page: Page, command: string) =>
  page.evaluate((name) => (window as unknown as { Foyer(name: string): void }).Foyer(name), command)

/** Lets the browser's copy of the script grow too old: by waiting, or in short by deleting it. */
async function outlive(page: Page): Promise<void> {
  if (isLong) return page.waitForTimeout(61_000)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
}

it('a chat that is switched off has no launcher once the script is a minute old, and is back as it was', async () => {
  const { context, page, traces } = await visit()
  await page.goto(shop)
  await launcher(page).waitFor()
  expect(asked).toEqual(['/foyer.js'])

  // Within the minute the browser asks for nothing, and the launcher is there: its chat says that it is closed.
  switchOff()
  await page.goto(shop)
  await launcher(page).click()
  await closed(page).waitFor()
  expect(await panelOf(page, 'frame').getByText('Please try again later.').isVisible()).toBe(true)
  expect(asked.filter((path) => path === '/foyer.js')).toHaveLength(1)
  expect(asked.filter((path) => path.endsWith('access-token'))).toEqual([])

  await outlive(page)
  asked = []
  await page.goto(shop)
  await loaded(page)
  expect(await launcher(page).isVisible()).toBe(false)
  expect(asked).toEqual(['/foyer.js'])
  // The page's own button still gets an answer.
  await call(page, 'open')
  await closed(page).waitFor()

  switchOn()
  // Whoever opens it again has the chat, on the same page.
  await call(page, 'close')
  await call(page, 'open')
  await composer(page).waitFor()
  await outlive(page)
  // A tab of its own, so that no conversation is carried over.
  const next = await context.newPage()
  await next.goto(shop)
  await launcher(next).waitFor()
  expect([
    ...traces.errors,
    ...traces.sockets.filter((url) => !url.startsWith(world.base.replace('http', 'ws'))),
  ]).toEqual([])
})

it.runIf(isLong)('the chat of another site goes on, with a connector of its own', async () => {
  switchOff()
  const { page } = await visit()
  await page.goto(bank)
  await launcher(page).click()
  await composer(page).waitFor()
  expect(asked.filter((path) => /\/(frame|config|access-token)$/.test(path))).not.toEqual([])
  expect(asked.filter((path) => path.includes('shop'))).toEqual([])
})

it('nothing is loaded for a chat that is off, though its tag wants it prepared, opened and pointed out', async () => {
  attributes = 'data-connector="shop" data-auto-open="true" data-teaser="May we help?" data-prepare="idle"'
  switchOff()
  const { page } = await visit()
  await page.goto(shop)
  await loaded(page)
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual(['/foyer.js'])
})

it.runIf(isLong)('a conversation goes on to the next page after its chat was switched off', async () => {
  const { page } = await visit()
  await page.goto(shop)
  await launcher(page).click()
  await composer(page).fill('hello')
  await composer(page).press('Enter')
  const said = panelOf(page, 'frame').getByRole('log').locator('article.visitor')
  await said.waitFor()
  switchOff()
  await composer(page).fill('still here?')
  await composer(page).press('Enter')
  await said.nth(1).waitFor()
  await outlive(page)
  await page.goto(shop)
  await said.nth(1).waitFor()
  expect(await composer(page).isVisible()).toBe(true)
  await call(page, 'close')
  await launcher(page).waitFor()
})

it.runIf(isLong)('a page gets no frame of another site’s connector', async () => {
  attributes = 'data-connector="bank"'
  const { page } = await visit()
  const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await page.goto(shop)
  await launcher(page).click()
  await refusal
  expect(asked.filter((path) => path.endsWith('access-token'))).toEqual([])
})
