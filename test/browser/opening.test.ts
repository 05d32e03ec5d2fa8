// The opening on a slow line: what stands on the screen, what the visitor can write, and which files are asked for.

import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { focused, panelOf, type Server, useBrowser } from './world.ts'

const { start, visit } = useBrowser()
let server: Server
beforeAll(async () => {
  server = await start()
})

const SENTENCE = 'Hello, where is my order 4711 please?'
/** A line of a phone far from a town: milliseconds there and back, and bytes a second for all files together. */
const LATENCY_MS = 400
const RATE = 50_000

const pause = (ms: number) => new Promise((over) => setTimeout(over, ms))

/**
 * Every request of the page and of its frame goes over one slow line. `asked` and `arrived`: paths, in order; `hold`: what is asked
 * of a path, or of the `panel`, waits until the returned function is called.
 */
async function slowLine(page: Page) {
  const asked: string[] = []
  const arrived: string[] = []
  const held = new Map<string, Promise<void>>()
  let free = 0
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    const sent = Date.now()
    await (held.get(pathname) ?? (PANEL.test(pathname) ? held.get('panel') : undefined))
    // A document that did not come from the server itself may open no socket to this machine.
    if (!/\.(js|css)$/.test(pathname)) {
      await pause(LATENCY_MS)
      return route.continue()
    }
    const response = await route.fetch()
    const bytes = Number(response.headers()['content-length'] ?? (await response.body()).length)
    free = Math.max(free, sent + LATENCY_MS) + (bytes / RATE) * 1_000
    await pause(free - Date.now())
    arrived.push(pathname)
    await route.fulfill({ response })
  })
  const hold = (pathname: string) => {
    let release = () => {}
    held.set(
      pathname,
      new Promise((released) => {
        release = released
      }),
    )
    return release
  }
  return { asked, arrived, hold }
}
/** Each request for a file of the widget, from the press on. */
const filesOf = (asked: readonly string[]) =>
  asked.filter((path) => /^\/foyer\/(frame$|config|assets\/)/.test(path))
/** Also where it is asked for once more. */
const PANEL = /\/foyer\/assets\/panel-[\w-]+\.js/
const launcher = (page: Page) => page.getByRole('button', { name: 'Open chat' })
const field = (page: Page) => panelOf(page, 'frame').getByRole('textbox', { name: 'Message' })
/** What the page draws until the panel is there. */
const ground = (page: Page) => page.locator('foyer-host').getByRole('group')

describe.each([
  { size: 'desktop', options: {}, box: { x: 864, y: 28, width: 400, height: 680 } },
  {
    size: 'phone',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    box: { x: 0, y: 0, width: 390, height: 844 },
  },
])('on a $size', ({ size, options, box }) => {
  /** At its middle: the driver's own presses wait for a frame that is on its way. */
  async function press(control: Locator): Promise<void> {
    await control.waitFor()
    const { x = 0, y = 0, width = 0, height = 0 } = (await control.boundingBox()) ?? {}
    const middle = [x + width / 2, y + height / 2] as const
    if (size === 'phone') await control.page().touchscreen.tap(...middle)
    else await control.page().mouse.click(...middle)
  }
  it.runIf(isLong || size === 'phone')(
    'something with a way out is on the screen from the first file on, and nothing else until the panel is whole',
    async () => {
      const { page, traces } = await visit(options)
      const { arrived, hold } = await slowLine(page)
      const release = hold('/foyer/frame')
      await page.goto(`${server.origin}/embed.html`)
      await press(launcher(page))
      await ground(page).waitFor()
      expect(filesOf(arrived)).toEqual([])
      expect(await ground(page).getByRole('button').allInnerTexts()).toEqual([''])
      await page.keyboard.press('Escape')
      await expect.poll(() => ground(page).isVisible()).toBe(false)
      await press(launcher(page))
      await press(ground(page).getByRole('button', { name: 'Close chat' }))
      await expect.poll(() => ground(page).isVisible()).toBe(false)
      await press(launcher(page))
      // It stands where the panel will.
      await expect.poll(() => ground(page).boundingBox()).toEqual(box)
      release()
      await field(page).waitFor()
      expect(await page.locator('iframe[title="Chat"]').boundingBox()).toEqual(box)
      expect(traces.errors).toEqual([])
    },
  )

  it.runIf(isLong || size === 'phone')(
    'the visitor writes, and sends, before the panel’s code is here, and goes on writing as it comes',
    async () => {
      const { page, traces } = await visit(options)
      const { asked, hold } = await slowLine(page)
      const release = hold('panel')
      await page.goto(`${server.origin}/embed.html`)
      await press(launcher(page))
      await field(page).waitFor()
      if (size === 'phone') await field(page).tap()
      else await focused(field(page))
      const element = await field(page).elementHandle()
      await page.keyboard.type(SENTENCE)
      await page.keyboard.press('Enter')
      const panel = panelOf(page, 'frame')
      await panel.getByRole('log').getByText(SENTENCE).waitFor()
      expect(await field(page).inputValue()).toBe('')
      await page.keyboard.type(SENTENCE.slice(0, 10))
      const before = filesOf(asked)
      expect(before.filter((path) => path.startsWith('/foyer/assets/first'))).toHaveLength(1)
      // The token is asked for beside the code, and what only comes beside it later.
      expect(asked).toContain('/foyer/access-token')
      expect(before.filter((path) => /(markdown-part|extras)-|config/.test(path))).toEqual([])
      release()
      for (const letter of SENTENCE.slice(10)) await page.keyboard.type(letter, { delay: 20 })
      // Its answer is the first word: nothing greets before it.
      await panel.locator('article:not(.visitor) .text').first().waitFor()
      expect(await panel.locator('article').first().getAttribute('class')).toContain('visitor')
      expect(await field(page).inputValue()).toBe(SENTENCE)
      expect(await panel.locator('article.visitor').count()).toBe(1)
      expect(await field(page).evaluate((now, then) => now === then, element)).toBe(true)
      await panel.getByRole('button', { name: 'More' }).click()
      await panel.getByRole('menuitem').first().waitFor()
      expect(filesOf(asked).length).toBeLessThanOrEqual(5)
      expect(asked.filter((path) => path === '/foyer/access-token').length).toBeLessThanOrEqual(2)
      expect(traces.errors).toEqual([])
    },
  )
})

it.runIf(isLong)('what an input method composes as the panel’s code comes stays as it is', async () => {
  const { page, context } = await visit()
  const { hold } = await slowLine(page)
  const release = hold('panel')
  await page.goto(`${server.origin}/embed.html`)
  await launcher(page).click()
  await focused(field(page))
  const session = await context.newCDPSession(page)
  const composed = { text: 'に', selectionStart: 1, selectionEnd: 1 }
  await session.send('Input.imeSetComposition', composed)
  await expect.poll(() => field(page).inputValue()).toBe('に')
  const ended = await field(page).evaluateHandle((each) => {
    const ends = { count: 0 }
    each.addEventListener('compositionend', () => ends.count++)
    return ends
  })
  release()
  await panelOf(page, 'frame').getByRole('button', { name: 'More' }).waitFor()
  await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 })
  await expect.poll(() => field(page).inputValue()).toBe('にほ')
  expect(await ended.evaluate(({ count }) => count)).toBe(0)
  await session.send('Input.insertText', { text: '日本' })
  await expect.poll(() => field(page).inputValue()).toBe('日本')
})

it('what was being written is there once after a reload, and the browser itself restores nothing', async () => {
  const { page } = await visit()
  await page.goto(`${server.origin}/embed.html`)
  await launcher(page).click()
  const log = panelOf(page, 'frame').getByRole('log')
  await log.locator('article .text').first().waitFor()
  await field(page).fill(SENTENCE)
  const { hold } = await slowLine(page)
  const release = hold('panel')
  await page.reload()
  await field(page).waitFor()
  expect(await field(page).inputValue()).toBe('')
  release()
  await expect.poll(() => field(page).inputValue()).toBe(SENTENCE)
})

it.runIf(isLong)('a panel whose code does not come says so under what is written, which stays', async () => {
  const { page } = await visit()
  await page.route(PANEL, (route) => route.abort())
  await page.goto(`${server.origin}/embed.html`)
  await launcher(page).click()
  await focused(field(page))
  await page.keyboard.type(SENTENCE)
  await panelOf(page, 'frame').getByRole('status').getByText('The chat can’t be reached right now.').waitFor()
  await page.unroute(PANEL)
  await panelOf(page, 'frame').getByRole('button', { name: 'More' }).waitFor()
  expect(await field(page).inputValue()).toBe(SENTENCE)
})
