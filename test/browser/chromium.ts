// Chromium behind the same interface as the other engines.

import type { Frame, JSHandle } from 'playwright-core'
import { type Engine, KEYS, type Place, type Size, type Window } from './engine.ts'
import { startBrowser } from './world.ts'

const NAMES: Readonly<Record<string, string>> = {
  [KEYS.enter]: 'Enter',
  [KEYS.escape]: 'Escape',
  [KEYS.tab]: 'Tab',
  [KEYS.shift]: 'Shift',
  [KEYS.up]: 'ArrowUp',
  [KEYS.down]: 'ArrowDown',
  [KEYS.left]: 'ArrowLeft',
}

export async function startChromium(): Promise<Engine> {
  const { browser, close } = await startBrowser()
  async function open(size?: Size): Promise<Window> {
    const { touch = false, width, height } = size ?? {}
    const viewport = width && height ? { width, height } : null
    const context = await browser.newContext({ viewport, hasTouch: touch, isMobile: touch })
    const page = await context.newPage()
    /** Found by its address: to ask the page for it costs more than all else that a reading does. */
    function frameOf(place: Place): Frame {
      if (place === 'page') return page.mainFrame()
      const frame = page.frames().find((each) => each.url().includes('/foyer/frame'))
      if (!frame) throw new Error('The page has no frame of the chat yet')
      return frame
    }
    async function element(place: Place, expression: string) {
      const handle: JSHandle = await frameOf(place).evaluateHandle(expression)
      const found = handle.asElement()
      if (!found) throw new Error(`There is no element ${expression}`)
      return found
    }
    return {
      async go(url) {
        await page.goto(url)
      },
      async reload() {
        await page.reload()
      },
      read: async (place, expression) => frameOf(place).evaluate(expression),
      async click(place, expression) {
        await (await element(place, expression)).click()
      },
      async enter(place, expression, text) {
        await (await element(place, expression)).click()
        await page.keyboard.insertText(text)
        await page.keyboard.press('Enter')
      },
      async press(text, held) {
        if (held) await page.keyboard.down(NAMES[held] ?? held)
        for (const key of text) await page.keyboard.press(NAMES[key] ?? key)
        if (held) await page.keyboard.up(NAMES[held] ?? held)
      },
      async tap(place, expression) {
        await (await element(place, expression)).tap()
      },
      close: () => context.close(),
    }
  }
  return { open, close }
}
