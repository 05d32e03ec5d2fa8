// The page that a chat was opened on, as the agent learns it: of one site at a BFF that lets it through, and not of another.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSitesBff, folderAssets } from '../../src/bff/index.ts'
import { createWorld } from '../contract/world.ts'
import { panelOf, useBrowser } from './world.ts'

const PUBLIC = join(resolve(import.meta.dirname, '../../dist'), 'foyer-server/public')
const PATH = '/bikes/7?token=secret#secret'

const { visit } = useBrowser()
const servers: Server[] = []
let world: Awaited<ReturnType<typeof createWorld>>
/** The BFF's origin, and the site's. */
let origin: string
let site: string
/** The script tag's attributes on the page. */
let attributes: string

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

beforeAll(async () => {
  world = await createWorld({
    agent: {
      name: 'Echo',
      async *act({ page }) {
        yield {
          type: 'text',
          text: page ? `You are on “${page.title}” at ${page.url} now` : 'Where are you?',
        }
      },
    },
  })
  site = await listen('localhost', () => {
    // An element of this name hides the document's title from scripts that do not look out.
    const body = `<img name="title" alt=""><script src="${origin}/foyer.js" ${attributes}></script>`
    const head = '<title>Heron &lt;b&gt;</title><link rel="icon" href="data:,">'
    return new Response(`<!doctype html><html lang="en">${head}<body>${body}</body></html>`, {
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
  })
  const connector = {
    ...{ connectorToken: 'connector-secret', connectorHost: 'shop.example.com', chatUrl: world.base },
    ...{ origins: [site], unframedOrigins: [site] },
  }
  const bff = createSitesBff({
    connectors: { shop: { ...connector, page: true }, bank: connector },
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
    assets: folderAssets(PUBLIC),
  })
  origin = await listen('127.0.0.1', (request) => bff.fetch(request, { address: '127.0.0.1' }))
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await world?.close()
})

async function open(isolation: 'frame' | 'none', connector: string) {
  attributes = `data-connector="${connector}" data-isolation="${isolation}"`
  const { page, traces } = await visit()
  await page.goto(site + PATH)
  await page.getByRole('button', { name: 'Open chat' }).click()
  return { page, traces, talk: panelOf(page, isolation).getByRole('log', { name: 'Conversation' }) }
}
const restart = (page: Page) =>
  page.evaluate(() => (window as unknown as { Foyer(name: string): void }).Foyer('restart'))

it.each(['frame', 'none'] as const)(
  'isolation %s: the agent learns on which page each chat began, without what its address asks for',
  async (isolation) => {
    const { page, traces, talk } = await open(isolation, 'shop')
    await talk.getByText(`You are on “Heron <b>” at ${site}/bikes/7 now`).waitFor()
    // Another page of an app that loads no document for it.
    await page.evaluate(() => history.pushState(null, '', '/cart?coupon=secret'))
    await restart(page)
    await talk.getByText(`You are on “Heron <b>” at ${site}/cart now`).waitFor()
    expect(traces.requests.filter((url) => url.includes('secret') && !url.startsWith(site))).toEqual([])
    expect(traces.errors).toEqual([])
  },
)

it.each(['frame', 'none'] as const)(
  'isolation %s: of a site that does not let it through, the agent learns no page',
  async (isolation) => {
    const { talk } = await open(isolation, 'bank')
    await talk.getByText('Where are you?').waitFor()
  },
)
