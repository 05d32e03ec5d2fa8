// The demo's pages around the chat: documents with the widget on them, the home page, and what the QA page says of a
// language model.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startStandIn } from '../agents/stand-in.ts'
import { isLong } from '../long.ts'
import { objections, refused } from './demo.ts'
import { freePort, leave, panelOf, type Server, startBrowser, startServer, visit } from './world.ts'

let folder: string
let guide: Server
let model: Server
let standIn: Awaited<ReturnType<typeof startStandIn>>
let browser: Browser
let closeBrowser: () => Promise<void>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-docs-'))
  for (const name of ['docs', 'one', 'two']) mkdirSync(join(folder, name))
  writeFileSync(
    join(folder, 'docs/about.md'),
    '---\nasked: [who are you]\n---\n# About the workshop\n\nWe mend bicycles. See [prices](prices.md#what-a-tyre-costs).\n\n<script>window.ran = true</script>\n',
  )
  writeFileSync(
    join(folder, 'docs/prices.md'),
    '# Prices\n\n## What a tyre costs\n\n| Tyre | Price |\n| :-- | --: |\n| City | 20 |\n\n## How to buy one\n\n```sh\nbuy tyre\n```\n',
  )
  const documents = join(folder, 'docs')
  standIn = await startStandIn([{ pieces: ['A tyre ', 'costs 20.'] }])
  guide = await startServer(await freePort(), join(folder, 'one'), {}, [documents])
  const env = {
    FOYER_AGENT: 'llm',
    FOYER_LLM_URL: standIn.url,
    FOYER_LLM_MODEL: 'small',
    FOYER_LLM_PRICE: '1,10',
  }
  model = await startServer(await freePort(), join(folder, 'two'), env, [documents])
  ;({ browser, close: closeBrowser } = await startBrowser())
})
afterEach(leave)
afterAll(async () => {
  await closeBrowser?.()
  await guide?.stop()
  await model?.stop()
  await standIn?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function askIn(page: Page, question: string) {
  const panel = panelOf(page, 'frame')
  await panel.getByRole('textbox', { name: 'Message' }).fill(question)
  await panel.getByRole('button', { name: 'Send' }).click()
  return panel.getByRole('log', { name: 'Conversation' })
}

describe('the documents of the demo', () => {
  it('are pages that link to each other and to the demo, show markup as text, and have the chat, which answers and links back', async () => {
    const { page, traces, context } = await visit(browser)
    await page.goto(`${guide.origin}/docs/`)
    expect(new URL(page.url()).pathname).toBe('/docs/about')
    // Markup of a file is text, and nothing of it runs.
    expect(await page.getByRole('main').innerText()).toContain('window.ran')
    expect(await page.evaluate('window.ran')).toBeUndefined()
    const bar = page.getByRole('navigation', { name: 'Pages of the demo' })
    for (const name of ['Chat', 'QA', 'Desk']) expect(await bar.getByRole('link', { name }).count()).toBe(1)
    await page.getByRole('link', { name: 'Next Prices' }).click()
    await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor()
    await page.goto(`${guide.origin}/docs/about`)
    await page.getByRole('main').getByRole('link', { name: 'prices', exact: true }).click()
    await page.getByRole('heading', { name: 'What a tyre costs' }).waitFor()
    await expect.poll(() => page.url()).toMatch(/\/docs\/prices#what-a-tyre-costs$/)
    const price = page.getByRole('main').getByRole('cell', { name: '20' })
    await expect.poll(() => price.count()).toBe(1)
    expect(await price.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('end')
    await page.getByRole('button', { name: 'Open chat' }).click()
    const log = await askIn(page, 'how much is a tyre?')
    await log.getByRole('cell', { name: '20' }).waitFor()
    const link = log.getByRole('link', { name: 'What a tyre costs' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(`${guide.origin}/docs/prices#what-a-tyre-costs`)
    expect(traces.errors).toEqual([])
    expect(refused(traces.console)).toEqual([])
    await context.close()
  })
})

describe('the navigation of the documents', () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

  const copies = { permissions: ['clipboard-read', 'clipboard-write'] }
  it('is open and marks the page beside it, is a closed list on a phone, and fits both; a button copies a block of code', async () => {
    for (const [options, open] of [
      [copies, true],
      [phone, false],
    ] as const) {
      const { page, traces, context } = await visit(browser, options)
      await page.goto(`${guide.origin}/docs/prices`)
      const current = page
        .getByRole('navigation', { name: 'Documents' })
        .getByRole('link', { name: 'Prices' })
      expect(await page.locator('.pages').evaluate((list: HTMLDetailsElement) => list.open)).toBe(open)
      expect(await current.count()).toBe(Number(open))
      if (!open) await page.getByText('Documents', { exact: true }).click()
      expect(await current.getAttribute('aria-current')).toBe('page')
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      // The results of a search have what a window beside it has.
      if (!open || isLong) expect(await objections(page)).toEqual([])
      if (open) {
        await page.getByRole('button', { name: 'Copy' }).press('Enter')
        await page.getByRole('button', { name: 'Copied' }).waitFor()
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe('buy tyre\n')
      }
      expect(refused(traces.console)).toEqual([])
      await context.close()
    }
  })
})

describe('the search of the documents', () => {
  for (const javaScriptEnabled of [true, false])
    it(`works by keyboard ${javaScriptEnabled ? 'with' : 'without'} script, and leads to a heading`, async () => {
      const { page, context } = await visit(browser, { javaScriptEnabled })
      await page.goto(`${guide.origin}/docs/about`)
      const field = page.getByRole('searchbox', { name: 'Search the documents' })
      await field.fill('tyre cost')
      await field.press('Enter')
      await page.getByRole('heading', { name: 'Results for “tyre cost”' }).waitFor()
      if (javaScriptEnabled) expect(await objections(page)).toEqual([])
      const result = page.getByRole('main').getByRole('link', { name: 'What a tyre costs' })
      await result.press('Enter')
      await page.waitForURL('**/docs/prices#what-a-tyre-costs')
      await context.close()
    })
})

describe('the home page', () => {
  it('says what each card shows and how to add a model, and keeps its open panel: other pages begin with a closed one and load nothing of it', async () => {
    const { page, traces, context } = await visit(browser)
    await page.goto(guide.origin)
    for (const card of ['Talk to it', 'Lose the connection', 'Embed it'])
      expect(
        (await page.locator('.way', { hasText: card }).locator('span').innerText()).length,
      ).toBeGreaterThan(20)
    expect(await page.locator('.home').innerText()).toContain('FOYER_AGENT=llm')
    const log = await askIn(page, 'what does a tyre cost?')
    await log.getByRole('cell', { name: '20' }).waitFor()
    for (const path of ['/docs/about', '/embed.html']) {
      traces.requests.length = 0
      await page.goto(`${guide.origin}${path}`)
      await page.getByRole('button', { name: 'Open chat' }).waitFor()
      await page.evaluate('new Promise((done) => requestIdleCallback(done))')
      expect(traces.requests.filter((url) => url.includes('/foyer/'))).toEqual([])
    }
    await page.goto(guide.origin)
    await panelOf(page, 'frame').getByRole('cell', { name: '20' }).waitFor()
    await context.close()
  })
})

describe('the QA page', () => {
  it('shows a window of 1280 by 720 the log beside the settings, and an answer in one row with its time', async () => {
    const { page, traces, context } = await visit(browser)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto(`${guide.origin}/?view=qa`)
    await (await askIn(page, 'how much is a tyre?')).getByRole('cell', { name: '20' }).waitFor()
    const wire = page.getByRole('list', { name: 'Wire' })
    const box = await wire.boundingBox()
    expect(box && box.height > 300 && box.y + box.height <= 720).toBe(true)
    await page.getByRole('combobox', { name: 'Source' }).selectOption('in')
    const answer = wire.getByRole('listitem').filter({ hasText: / ms/ })
    await expect.poll(() => answer.count()).toBe(1)
    await answer.locator('summary').focus()
    await page.keyboard.press('Enter')
    await answer.locator('pre').filter({ hasText: '"is_complete": true' }).waitFor()
    expect(await answer.locator('pre').innerText()).toContain('City')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save' }).click()
    const file = readFileSync(await (await download).path(), 'utf8')
    expect(JSON.parse(file).length).toBeGreaterThan(5)
    expect(file).not.toContain('access_token')
    expect(traces.errors).toEqual([])
    expect(refused(traces.console)).toEqual([])
    await context.close()
  })

  it('says what a language model did: model, tokens, first word, sources and cost', async () => {
    const { page, context } = await visit(browser)
    await page.goto(model.origin)
    expect(await page.locator('.home').innerText()).not.toContain('FOYER_AGENT=llm')
    // The chat of this page opens by itself.
    await page.goto(`${model.origin}/?view=qa`)
    const log = await askIn(page, 'what does a tyre cost?')
    await log.getByText('A tyre costs 20.').waitFor()
    const metrics = page.locator('dl.metrics')
    await metrics.getByText('prices.md#what-a-tyre-costs').waitFor()
    for (const part of ['small', 'Tokens in', '100', 'Tokens out', '20', 'First word', 'Cost', '0.000300'])
      await expect.poll(() => metrics.innerText()).toContain(part)
    await context.close()
  })
})
