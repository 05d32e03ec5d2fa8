// A chat on a line that breaks all the time, for as long as FOYER_TEST_SOAK_MINUTES says: what it holds does not grow.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chatOn, type Line, socketsOf, startLine } from './line.ts'
import { sessionOf, startBrowser } from './world.ts'

const MINUTES = Number(process.env.FOYER_TEST_SOAK_MINUTES) || 0
const MIB = 1_048_576
const TYPING_ROUNDS = 20
/** Chromium keeps them for each change of a text field, to undo it. */
const NODES_OF_A_CHANGE = 2

let line: Line
let browser: Browser
let closeBrowser: () => Promise<void>
beforeAll(async () => {
  if (MINUTES === 0) return
  ;[line, { browser, close: closeBrowser }] = await Promise.all([startLine(), startBrowser()])
})
afterAll(async () => {
  await closeBrowser?.()
  await line?.close()
})

it.skipIf(MINUTES === 0)(
  'minutes of a line that comes and goes leave heap, listeners and sockets as they were',
  { timeout: MINUTES * 60_000 + 180_000 },
  async () => {
    const context = await browser.newContext()
    const sockets = socketsOf(context)
    const page = await context.newPage()
    // Without a frame: page and chat share one heap, which is the one that is measured.
    await page.goto(`${line.origin}/inline.html`)
    const chat = chatOn(page, page)
    await chat.open()
    const composer = page.getByRole('textbox', { name: 'Message' })
    const devtools = await context.newCDPSession(page)
    const measure = async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      const { usedSize } = await devtools.send('Runtime.getHeapUsage')
      const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
      return { heap: usedSize, nodes, jsEventListeners }
    }
    const live = () =>
      expect.poll(() => line.gateway.open().length, { timeout: 60_000, interval: 50 }).toBe(1)
    /** The line breaks, and is back; the visitor looks, so that no wait is long. */
    async function flap(round: number): Promise<void> {
      // Keys now and then: a session in which nothing happens for ten minutes is over.
      if (round % TYPING_ROUNDS === 0) for (const text of ['still here', '']) await composer.fill(text)
      if (round % 3 === 0) {
        line.cut()
        await new Promise((resolve) => setTimeout(resolve, 500))
        line.gateway.calm()
      } else for (const client of line.gateway.open()) client.terminate()
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await live()
    }
    for (let round = 0; round < 10; round++) await flap(round)
    const before = await measure()
    const end = Date.now() + MINUTES * 60_000
    let rounds = 0
    while (Date.now() < end) await flap(rounds++)
    const after = await measure()
    console.log(JSON.stringify({ rounds, sockets: sockets.length, before, after }))
    expect(rounds).toBeGreaterThan(MINUTES * 5)
    expect(after.heap - before.heap).toBeLessThan(2 * MIB)
    expect(after.jsEventListeners).toBeLessThanOrEqual(before.jsEventListeners + 2)
    const typed = Math.ceil(rounds / TYPING_ROUNDS)
    expect(after.nodes).toBeLessThanOrEqual(before.nodes + 50 + NODES_OF_A_CHANGE * typed)
    expect(line.gateway.open()).toHaveLength(1)
    expect(new Set(sockets.map(sessionOf)).size).toBe(1)
    await chat.ask('say still-here')
    await chat.hears('still-here')
    await context.close()
  },
)
