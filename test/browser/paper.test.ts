// What is printed: a page without the chat on it, and the conversation as a letter.

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { type FrontDesk, startFrontDesk } from './front-desk.ts'
import { leave, panelOf, startBrowser, visit } from './world.ts'

let desk: FrontDesk
let browser: Browser
let closeBrowser: () => Promise<void>
beforeAll(async () => {
  ;[desk, { browser, close: closeBrowser }] = await Promise.all([startFrontDesk(), startBrowser()])
}, 240_000)
afterAll(async () => {
  await closeBrowser?.()
  await desk?.close()
})
afterEach(async () => {
  await leave()
  await desk.clear()
})

/** The page on paper, without the time at which it was printed. */
async function printed(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.printToPDF', { printBackground: true })
  return Buffer.from(data, 'base64')
    .toString('latin1')
    .replace(/\/(Creation|Mod)Date \(.*?\)/g, '')
}

describe.each(['frame', 'none'] as const)('on paper, with isolation %s', (isolation) => {
  it.runIf(isLong || isolation === 'none')(
    'a page has nothing of the chat, closed or open',
    { timeout: 180_000 },
    async () => {
      const { page } = await visit(browser)
      await page.goto(desk.address[isolation])
      const launcher = page.locator('foyer-host button').first()
      await launcher.waitFor()
      const closed = await printed(page)
      await launcher.click()
      const panel = panelOf(page, isolation)
      await panel.getByRole('textbox', { name: 'Message' }).waitFor()
      await panel.getByRole('log').getByText('Hello, I’m Fern').waitFor()
      const open = await printed(page)
      await page.evaluate(() => document.querySelector('foyer-host')?.remove())
      const without = await printed(page)
      expect([closed === without, open === without]).toEqual([true, true])
    },
  )

  it.runIf(isLong || isolation === 'frame')(
    'the conversation is a letter, with names and times and nothing to press',
    {
      timeout: 180_000,
    },
    async () => {
      const { page, traces } = await visit(browser)
      await page.addInitScript(() => {
        addEventListener('beforeprint', () => console.info(`letter: ${document.documentElement.outerHTML}`))
      })
      await page.goto(desk.address[isolation])
      await page.locator('foyer-host button').first().click()
      const panel = panelOf(page, isolation)
      // Who writes before the conversation has begun is not greeted.
      await panel.getByRole('log').getByText('Hello, I’m Fern').waitFor()
      await panel.getByRole('textbox', { name: 'Message' }).fill('What does it cost?')
      await panel.getByRole('textbox', { name: 'Message' }).press('Enter')
      await panel.getByRole('log').getByText('Tell me more about your bicycle').waitFor()
      await panel.getByRole('button', { name: 'More' }).click()
      await panel.getByRole('menuitem', { name: 'Print' }).click()
      const letters = () => traces.console.filter((line) => line.startsWith('info: letter: '))
      await expect.poll(() => letters().length).toBe(1)
      const [letter = ''] = letters()
      const read = await page.evaluate((html) => {
        const words = html.replace(/<[^>]*>/g, '\n')
        return { words, controls: /<(button|textarea|svg)/.test(html) }
      }, letter)
      expect(read.controls).toBe(false)
      for (const words of [
        'Fern',
        'You',
        'Hello, I’m Fern',
        'What does it cost?',
        'Heron Tour',
        'more about the repair',
      ])
        expect(read.words).toContain(words)
      expect(read.words).toMatch(/\d:\d\d/)
      // Without a screen nothing is printed: the browser waits for the person at its dialog.
      const frame = panel.locator('.foyer > iframe')
      await frame.evaluate((each) =>
        (each as HTMLIFrameElement).contentWindow?.dispatchEvent(new Event('afterprint')),
      )
      await expect.poll(() => frame.count()).toBe(0)
      expect(traces.errors).toEqual([])
      expect(traces.console.filter((line) => /^error|Refused|Trusted|Ignored/i.test(line))).toEqual([])
    },
  )
})
