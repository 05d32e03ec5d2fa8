// Where the chat stands on a page: above what the page has, beside its dialogs, and filling a phone.

import { createServer, type Server as HttpServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong, some } from '../long.ts'
import { freePort, focused as hasFocus, panelOf, type Server, useBrowser } from './world.ts'

const { start, visit } = useBrowser()
let server: Server
let pages: HttpServer
let site: string
let html = ''

beforeAll(async () => {
  server = await start()
  pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A page</title><body>${html}</body></html>`,
    )
  })
  const port = await freePort()
  await new Promise<void>((resolve) => pages.listen(port, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${port}`
})
afterAll(() => pages?.close())

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const TALL = '<p style="height:4000px">A long page</p>'
const tag = (attributes = '') => `<script src="${server.origin}/foyer.js" ${attributes}></script>`
const launcher = (page: Page) => page.getByRole('button', { name: 'Open chat' })
const composer = (page: Page) => panelOf(page, 'frame').getByRole('textbox', { name: 'Message' })
async function at(body: string, options?: Parameters<typeof visit>[0]) {
  html = body
  const visited = await visit(options)
  await visited.page.goto(site)
  await launcher(visited.page).waitFor()
  return visited
}
/** What a click in the middle of the launcher would hit. */
const hit = (page: Page) =>
  page.evaluate(() => {
    const button = document.querySelector('foyer-host')?.shadowRoot?.querySelector('div > button')
    if (!button) return 'no launcher'
    const { x, y, width, height } = button.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2)?.localName
  })
const focused = (page: Page) =>
  page.evaluate(() => document.querySelector('foyer-host')?.shadowRoot?.activeElement?.localName)

describe('on a page with layers of its own', () => {
  const BANNER =
    '<div style="position:fixed;inset:auto 0 0;height:200px;background:#fdd;z-index:2147483647">Cookies?</div>'

  it('launcher and panel are above a banner of the highest z-index, and where a transformed body would lose them', async () => {
    const { context, page } = await at(
      `<style>body{transform:translateY(-10px)}</style>${BANNER}${TALL}${tag()}`,
    )
    await expect.poll(() => hit(page)).toBe('foyer-host')
    await launcher(page).click()
    await composer(page).fill('hello')
    const edges = async () => {
      const box = await page.locator('iframe[title="Chat"]').boundingBox()
      const isInside = box !== null && box.y > 0 && box.y + box.height < 800
      return isInside ? 'inside' : JSON.stringify(box)
    }
    await expect.poll(edges).toBe('inside')
    await context.close()
  })

  it('launcher and panel lie on the layer that the page chose', async () => {
    const { context, page } = await at(
      `<style>:root{--foyer-z-index:5;--foyer-offset-x:40px;--foyer-offset-y:30px}</style>${BANNER}${tag()}`,
    )
    await expect.poll(() => hit(page)).toBe('div')
    await page.evaluate(() => document.documentElement.style.setProperty('--foyer-z-index', '2147483647'))
    await expect.poll(() => hit(page)).toBe('foyer-host')
    await expect.poll(() => launcher(page).boundingBox()).toEqual({ x: 1180, y: 710, width: 60, height: 60 })
    await context.close()
  })

  const swaps = [
    ['the body', 'document.body.replaceWith(document.createElement("body"))'],
    ['all that is in the body', 'document.body.replaceChildren("Another page")'],
  ] as const
  it.each(some(swaps, 2))(
    'launcher, panel and conversation come back where a router replaces %s',
    async (_, swap) => {
      const { context, page } = await at(`<main>A page</main>${tag()}`)
      await page.evaluate(swap)
      await launcher(page).click()
      await panelOf(page, 'frame').getByRole('log').locator('article').first().waitFor()
      await composer(page).fill('hello')
      await composer(page).press('Enter')
      const said = panelOf(page, 'frame').getByRole('log').locator('article.visitor')
      await said.waitFor()
      await page.evaluate(swap)
      await said.waitFor()
      await expect.poll(() => hit(page)).toBe('foyer-host')
      await page.evaluate(() => (window as unknown as { Foyer: { destroy(): void } }).Foyer.destroy())
      await page.evaluate(swap)
      await page.evaluate(
        () => new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame))),
      )
      expect(await page.locator('foyer-host').count()).toBe(0)
      await context.close()
    },
  )

  const undrawn = [
    ['on a phone', '', PHONE],
    ['without a launcher', 'data-launcher="hidden"', {}],
  ] as const
  it.each(some(undrawn, 2))(
    'an open panel comes back from a swapped body also %s, where no launcher is drawn',
    async (_, attributes, options) => {
      html = `<main>A page</main>${tag(attributes)}`
      const { context, page } = await visit(options)
      await page.goto(site)
      await page.evaluate(() => (window as unknown as { Foyer: { open(): void } }).Foyer.open())
      await composer(page).waitFor()
      await page.evaluate('document.body.replaceWith(document.createElement("body"))')
      await composer(page).fill('hello')
      await page.evaluate(() => (window as unknown as { Foyer: { close(): void } }).Foyer.close())
      await expect
        .poll(() => page.evaluate('getComputedStyle(document.documentElement).overflow'))
        .toBe('visible')
      await context.close()
    },
  )

  it('a modal dialog of the page stays above an open chat, and the chat works again after it', async () => {
    const { context, page } = await at(`<dialog><button>Pay</button></dialog>${tag()}`)
    await launcher(page).click()
    await composer(page).waitFor()
    await page.evaluate(() => document.querySelector('dialog')?.showModal())
    await page.evaluate(() => (window as unknown as { Foyer: { close(): void } }).Foyer.close())
    await page.evaluate(() => (window as unknown as { Foyer: { open(): void } }).Foyer.open())
    expect(await hit(page)).not.toBe('foyer-host')
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.evaluate(() => document.querySelector('dialog')?.close())
    await composer(page).fill('and now?')
    await context.close()
  })

  it('a modal dialog that was there first is not covered', async () => {
    const { context, page } = await at(
      `<dialog style="position:fixed;inset:auto 0 0 auto;margin:0;width:300px;height:200px"><button>Pay</button></dialog><script>document.querySelector('dialog').showModal()</script>${tag()}`,
    ).catch(async () => {
      throw new Error('The launcher did not come')
    })
    expect(await hit(page)).not.toBe('foyer-host')
    await context.close()
  })
})

describe('on a phone', () => {
  const active = (page: Page) =>
    page
      .frames()
      .find((each) => each.url().includes('/foyer/frame'))
      ?.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.localName)

  it('the sheet fills the window, raises no keyboard, holds the page still, and gives all of it back', async () => {
    const { context, page } = await at(
      `<a href="#x">A link</a>${TALL}<a href="#y">Another</a>${tag()}`,
      PHONE,
    )
    await page.evaluate(() => scrollTo(0, 500))
    const before = await page.evaluate(() => document.documentElement.outerHTML.split('<body>')[0])
    await launcher(page).tap()
    await composer(page).waitFor()
    await expect.poll(() => active(page)).toBe('dialog')
    await expect
      .poll(() => page.locator('iframe[title="Chat"]').boundingBox())
      .toEqual({ x: 0, y: 0, width: 390, height: 844 })
    await expect
      .poll(() => panelOf(page, 'frame').getByRole('dialog', { name: 'Chat' }).getAttribute('aria-modal'))
      .toBe('true')
    await expect
      .poll(() =>
        page.evaluate(() => [
          getComputedStyle(document.documentElement).overflow,
          document.querySelector('foyer-host')?.shadowRoot?.querySelector(':modal')?.localName,
        ]),
      )
      .toEqual(['hidden', 'dialog'])
    for (let tabs = 0; tabs < 12; tabs++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('a')
    }
    await composer(page).tap()
    await hasFocus(composer(page))
    await page.keyboard.press('Escape')
    await launcher(page).waitFor()
    await expect.poll(() => focused(page)).toBe('button')
    await expect
      .poll(() => page.evaluate(() => [getComputedStyle(document.documentElement).overflow, scrollY]))
      .toEqual(['visible', 500])
    await expect
      .poll(() => page.evaluate(() => document.documentElement.outerHTML.split('<body>')[0]))
      .toBe(before)
    await context.close()
  })

  it.runIf(isLong)('the keyboard never covers the composer', async () => {
    const { context, page } = await at(`${TALL}${tag()}`, PHONE)
    // The keyboard leaves a part of the page, as phones tell it.
    await page.evaluate(() => {
      const viewport = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: 844 })
      Object.defineProperty(window, 'visualViewport', { value: viewport, configurable: true })
    })
    await launcher(page).tap()
    await composer(page).tap()
    await page.evaluate(() => {
      Object.assign(window.visualViewport as object, { height: 460, offsetTop: 20 })
      window.visualViewport?.dispatchEvent(new Event('resize'))
    })
    await expect
      .poll(async () => {
        const box = await composer(page).boundingBox()
        return (box?.y ?? 0) + (box?.height ?? 0)
      })
      .toBeLessThanOrEqual(480)
    await context.close()
  })

  it.runIf(isLong)(
    'a page that is turned or made wide has its panel beside it, and the text in the composer stays',
    async () => {
      const { context, page } = await at(`${TALL}${tag()}`, { viewport: { width: 400, height: 800 } })
      await launcher(page).click()
      await composer(page).fill('half a sentence')
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByRole('button', { name: 'Close chat' }).first().waitFor()
      await expect
        .poll(async () => (await page.locator('iframe[title="Chat"]').boundingBox())?.width)
        .toBe(400)
      await expect.poll(() => composer(page).inputValue()).toBe('half a sentence')
      await expect
        .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).overflow))
        .toBe('visible')
      await context.close()
    },
  )
})

describe('the focus', () => {
  it('goes into the frame each time that the chat is opened, to the composer with the first letter, and back each time that it is closed', async () => {
    const { context, page } = await at(tag())
    for (let round = 0; round < (isLong ? 6 : 3); round++) {
      await launcher(page).click()
      await composer(page).waitFor()
      await hasFocus(composer(page))
      // On nothing in the frame, it goes to the composer with the first letter, which is not lost.
      await composer(page).evaluate((each: HTMLElement) => each.blur())
      await page.keyboard.type('hello')
      await expect.poll(() => composer(page).inputValue()).toBe('hello'.repeat(round + 1))
      if (round % 2 === 0) await composer(page).evaluate((each: HTMLElement) => each.blur())
      await page.keyboard.press('Escape')
      await launcher(page).waitFor()
      await expect.poll(() => focused(page)).toBe('button')
    }
    await context.close()
  })
})

describe('a card at the launcher', () => {
  it('teases until it is dismissed, with keys, and not again', async () => {
    const { context, page, traces } = await at(tag('data-teaser="May I help you?"'))
    const card = page.getByRole('button', { name: 'May I help you?' })
    await card.waitFor()
    expect(await page.locator('foyer-host aside').count()).toBe(1)
    expect(traces.requests.filter((url) => url.includes('/foyer/frame'))).toEqual([])
    await page.getByRole('button', { name: 'Dismiss' }).focus()
    await page.keyboard.press('Enter')
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('button')
    // Whether that may be kept is asked at the BFF first.
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage)))
      .toEqual([`foyer:${server.origin}/:teaser`])
    await page.reload()
    await launcher(page).waitFor()
    // The launcher swells after what the page and this call want to be teased with was shown, or was not.
    await page.evaluate(() => {
      const { animate } = Element.prototype
      Element.prototype.animate = function (...given) {
        document.title = 'The launcher swells'
        return animate.apply(this, given)
      }
      const { Foyer } = window as unknown as {
        Foyer: { showTeaser(text: string): void; animateLauncher(): void }
      }
      Foyer.showTeaser('Really?')
      Foyer.animateLauncher()
    })
    await expect.poll(() => page.title()).toBe('The launcher swells')
    expect(await page.locator('foyer-host aside').count()).toBe(0)
    await context.close()
  })

  it.runIf(isLong)('says that there is a message when one comes to a closed chat, and opens it', async () => {
    const { context, page } = await at(tag('data-notify="preview title"'))
    await launcher(page).click()
    await panelOf(page, 'frame')
      .getByRole('log')
      // Its last words: what comes after the chat was closed is unread.
      .getByText(/start with one of these/)
      .waitFor()
    await hasFocus(composer(page))
    await page.keyboard.press('Escape')
    await launcher(page).waitFor()
    // The answer comes after the chat was closed, however slow the machine is.
    await page.evaluate(() =>
      (window as unknown as { Foyer: { send(text: string): void } }).Foyer.send('A long answer'),
    )
    // The words of the message, where it had some when it came.
    const card = page.getByRole('button', { name: /New message|A long answer|Hello/ })
    await card.waitFor()
    await expect.poll(() => page.title()).toBe('(1) A page')
    await card.click()
    await composer(page).waitFor()
    await expect.poll(() => page.title()).toBe('A page')
    await context.close()
  })
})
