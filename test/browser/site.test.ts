// A static site of documents, opened from a disk and below a path of a web server: its search, its buttons and its policy.

import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawSite, writeSite } from '../../src/docs/index.ts'
import { objections, refused } from './demo.ts'
import { useBrowser } from './world.ts'

const { visit } = useBrowser()
const assets = join(import.meta.dirname, '../../dist/foyer-server/site')
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }
let root = ''
let server: Server
let origins: readonly string[]

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'foyer-site-'))
  const folder = join(root, 'docs')
  mkdirSync(join(folder, 'more'), { recursive: true })
  writeFileSync(
    join(folder, 'README.md'),
    '# Larkspur\n\nWe mend bicycles. See [prices](more/prices.md#tyres).\n',
  )
  writeFileSync(
    join(folder, 'more/prices.md'),
    '# Prices\n\n## Tyres\n\nA tyre costs 20.\n\n## How to buy one\n\n```sh\nbuy tyre\n```\n',
  )
  writeFileSync(
    join(folder, 'عن.md'),
    '# عن الورشة\n\nنصلح الدراجات كل يوم.\n\n## الأسعار\n\nالإطار بعشرين.\n\n## الشراء\n\n```sh\nbuy tyre\n```\n',
  )
  await writeSite(await drawSite({ folder }), { folder, out: join(root, 'site'), assets })
  server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname).replace('/a/b/', '/')
    const file = join(root, 'site', path)
    if (!existsSync(file)) return response.writeHead(404).end()
    response.setHeader(
      'content-type',
      `${TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain'}; charset=utf-8`,
    )
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origins = [
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/b/`,
    `${pathToFileURL(join(root, 'site')).href}/`,
  ]
})
afterAll(() => {
  server?.close()
  rmSync(root, { recursive: true, force: true })
})

it.each([0, 1])(
  'a site works below a path and from a disk (%i): links, search, copying and policy',
  async (at) => {
    const origin = origins[at] ?? ''
    const { page, traces, context } = await visit({
      permissions: at === 0 ? ['clipboard-read', 'clipboard-write'] : [],
    })
    await page.goto(`${origin}index.html`)
    await page.getByRole('main').getByRole('link', { name: 'prices', exact: true }).click()
    await page.waitForURL('**/more/prices.html#tyres')
    if (at === 0) {
      await page.getByRole('button', { name: 'Copy' }).press('Enter')
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('buy tyre\n')
    }
    const field = page.getByRole('searchbox', { name: 'Search the documents' })
    await field.fill('tyer cost')
    await field.press('Enter')
    await page.getByRole('heading', { name: 'Results for “tyer cost”' }).waitFor()
    expect(refused(traces.console)).toEqual([])
    // axe itself asks for the style sheet.
    expect(await objections(page)).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Tyres' }).press('Enter')
    await page.waitForURL('**/more/prices.html#tyres')
    await page.getByRole('link', { name: 'This page as Markdown' }).waitFor()
    expect(traces.errors).toEqual([])
    await context.close()
  },
)

it('a page in Arabic is mirrored, and fits a phone; code is not', async () => {
  const { page, context } = await visit({ viewport: { width: 390, height: 844 } })
  await page.goto(`${origins[0]}${encodeURIComponent('عن')}.html`)
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  expect(await page.locator('main pre').evaluate((code) => getComputedStyle(code).direction)).toBe('ltr')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await objections(page)).toEqual([])
  await context.close()
})

it('a printed page is its text alone', async () => {
  const { page, context } = await visit()
  await page.goto(`${origins[0]}more/prices.html`)
  await page.emulateMedia({ media: 'print' })
  for (const name of ['.site-bar', '.aside', '.sections', '.turn', '.foot', '.code button'])
    expect([name, await page.locator(name).first().isVisible()]).toEqual([name, false])
  expect(await page.getByRole('heading', { name: 'Tyres' }).isVisible()).toBe(true)
  await context.close()
})
