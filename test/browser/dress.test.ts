// A site's own tokens in the real panel: in a frame and without one, from the option and from the page's styles.

import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { type FrontDesk, GREETING, startFrontDesk } from './front-desk.ts'
import { panelOf, startBrowser, visit } from './world.ts'

const TOKENS = {
  surface: '#fff8ec',
  text: 'rgb(60, 20, 0)',
  scale: '1.5',
  space: '24px',
  'bubble-radius': '3px',
}

let desk: FrontDesk
let browser: Browser
let closeBrowser: () => Promise<void>
beforeAll(async () => {
  desk = await startFrontDesk({
    settings: { tokens: JSON.stringify(TOKENS).replaceAll('"', '&quot;'), accent: '#7a1f3d' },
  })
  ;({ browser, close: closeBrowser } = await startBrowser())
}, 240_000)
afterAll(async () => {
  await closeBrowser?.()
  await desk?.close()
})

/** An element that the panel has just put another one in place of has no style: then the other one is looked at. */
async function style(of: Locator, name: string): Promise<string> {
  for (;;) {
    const value = await of.evaluate(
      (element, property) => element.isConnected && getComputedStyle(element).getPropertyValue(property),
      name,
    )
    if (value !== false) return value
  }
}

it.each(isLong ? (['frame', 'none'] as const) : (['frame'] as const))(
  'tokens of the option reach the panel, and the question stays in sight: isolation %s',
  async (isolation) => {
    desk.dress({ styles: ':root { --foyer-shadow: 8px 8px 0 rgb(1, 2, 3); --foyer-font: Courier }' })
    const { context, page, traces } = await visit(browser)
    await page.goto(desk.address[isolation])
    await page.getByRole('button', { name: 'Open chat' }).click()
    const panel = panelOf(page, isolation)
    const dialog = panel.getByRole('dialog', { name: 'Chat' })
    // Only there: it is read aloud too.
    await panel.getByRole('log').getByText(GREETING).waitFor()
    await panel.getByRole('textbox', { name: 'Message' }).fill('Hello')
    await panel.getByRole('button', { name: 'Send' }).click()
    const own = panel.locator('article.visitor').last()
    await own.waitFor()
    const ground = panel.locator('.foyer')
    await expect.poll(() => style(ground, 'background-color')).toBe('rgb(255, 248, 236)')
    expect(await style(ground, 'color')).toBe('rgb(60, 20, 0)')
    expect(await style(own, 'border-start-start-radius')).toBe('3px')
    // What is written is half as large again, and nothing leaves the panel.
    await expect.poll(async () => (await own.boundingBox())?.height ?? 0).toBeGreaterThan(55)
    const [box, field] = [await dialog.boundingBox(), await panel.locator('.composer').boundingBox()]
    if (!box || !field) throw new Error('the panel is not drawn')
    expect(field.x - box.x).toBeCloseTo(36, 0)
    expect(field.x + field.width).toBeLessThanOrEqual(box.x + box.width)
    expect(field.y + field.height).toBeLessThanOrEqual(box.y + box.height)
    // The question is held there, whatever the scale, since the answer is longer than the panel.
    const topOf = async (each: Locator) => (await each.boundingBox())?.y ?? 0
    await expect
      .poll(async () => (await topOf(own)) - (await topOf(panel.locator('.scroll'))))
      .toBeCloseTo(12, 0)
    if (isolation === 'none') {
      expect(await style(page.locator('foyer-host dialog'), 'box-shadow')).toContain('rgb(1, 2, 3)')
      // A token of the page's styles that the option does not give.
      expect(await style(ground, 'font-family')).toBe('Courier')
    }
    expect(traces.errors).toEqual([])
    await context.close()
  },
)
