// The parts of the panel come in requests of their own. Without them the visitor writes, sends and reads answers as plain text; with
// them, late or at a later attempt, the panel is whole.

import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { isLong, some } from '../long.ts'
import { needed, panelCode } from './assets.ts'
import { startToldService } from './service.ts'
import { atRest, focused, frameOf, newContext, startBrowser } from './world.ts'

let browser: Browser
let closeBrowser: () => Promise<void>
let service: Awaited<ReturnType<typeof startToldService>>
let context: BrowserContext
let page: Page
let frame: Frame
const errors: string[] = []
/** Requests for parts, by their file. */
let asked: Map<string, number>

beforeAll(async () => {
  ;({ browser, close: closeBrowser } = await startBrowser())
})
afterAll(() => closeBrowser?.())
beforeEach(async () => {
  service = await startToldService()
  context = await newContext(browser, { viewport: { width: 900, height: 900 } })
  page = await context.newPage()
  errors.length = 0
  page.on('pageerror', (error) => errors.push(error.message))
  asked = new Map()
})
afterEach(async () => {
  await context.close()
  service.close()
})

const PLACE = ['first.js', 'inline.js', 'attention.js']
/** Decides about each request for a part of the panel: how often it was made before says what happens; `failure`: how it fails. */
async function parts(
  decide: (name: string, times: number) => Promise<boolean> | boolean,
  failure: 'aborted' | 503 = 'aborted',
): Promise<void> {
  const first = needed()
  await page.route('**/foyer/assets/**', async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    if (first.has(name) || PLACE.some((each) => name.startsWith(each))) return route.continue()
    const times = asked.get(name) ?? 0
    asked.set(name, times + 1)
    if (await decide(name, times)) await route.continue()
    else if (failure === 'aborted') await route.abort()
    else await route.fulfill({ status: failure, body: 'Try again later' })
  })
}
async function open(): Promise<void> {
  await page.goto(service.site)
  await page.getByRole('button', { name: 'Open chat' }).click()
  await service.ready
  frame = await frameOf(page)
  await frame.getByRole('textbox', { name: 'Message' }).waitFor()
}
const log = () => frame.getByRole('log', { name: 'Conversation' })
async function write(text: string): Promise<void> {
  await frame.getByRole('textbox', { name: 'Message' }).fill(text)
  await frame.getByRole('button', { name: 'Send' }).click()
  await log().getByText(text).first().waitFor()
}
const piece = (text: string, chunk_index: number, is_complete = false) =>
  service.say('POLY_AGENT_MESSAGE_CHUNK', { message_id: 'answer', text, chunk_index, is_complete })

it.runIf(isLong)(
  'with the panel’s own code and no part beside it, a message is sent and its streamed answer read as plain text',
  async () => {
    const panel = panelCode()
    await parts((name) => panel.has(name))
    await open()
    await write('Where is it?')
    await expect
      .poll(() =>
        service.heard.filter(({ name }) => name === 'USER_MESSAGE').map(({ payload }) => payload.text),
      )
      .toEqual(['Where is it?'])
    piece('It is **on', 1)
    await log().getByText('It is on').waitFor()
    piece(' its way**', 2, true)
    await log().getByText('It is on its way').waitFor()
    expect(await log().getByText('Where is it?').count()).toBe(1)
    expect(errors).toEqual([])
  },
)

const FAILURES = [
  [1, 'aborted'],
  [2, 'aborted'],
  [1, 503],
  [2, 503],
] as const
it.each(some(FAILURES, 4, 3))(
  'a part whose request fails %i times (%s) is there later, and the conversation goes on',
  async (most, failure) => {
    await parts((_, times) => times >= most, failure)
    await open()
    await write('Where is it?')
    service.say('POLY_AGENT_MESSAGE', { message_id: 'a1', text: 'It is **on its way**.' })
    await log().locator('strong', { hasText: 'on its way' }).waitFor()
    service.say('SESSION_END', { reason: 'REASON_NATURAL_END' })
    await frame.getByRole('button', { name: 'Start a new chat' }).waitFor()
    for (const [, times] of asked) expect(times).toBeGreaterThan(most)
    expect([...asked.keys()].map((name) => name.replace(/-[\w-]{8}\.js$/, '')).sort()).toEqual([
      'extras',
      'markdown-part',
    ])
    expect(errors).toEqual([])
  },
)

/** The parts beside the panel's own code come once the returned function is called. */
async function holdParts(): Promise<() => void> {
  const panel = panelCode()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await parts(async (name) => {
    if (!panel.has(name)) await held
    return true
  })
  return () => release()
}

it('parts that come after the end leave the focus in the panel, on what stands in the composer’s place', async () => {
  const release = await holdParts()
  await open()
  await write('Where is it?')
  await frame.getByRole('textbox', { name: 'Message' }).focus()
  service.say('SESSION_END', { reason: 'REASON_NATURAL_END' })
  await frame.getByText('Chat ended').first().waitFor()
  release()
  const again = frame.getByRole('button', { name: 'Start a new chat' })
  await again.waitFor()
  await focused(again)
  expect(errors).toEqual([])
})

it('parts that come late take neither the draft nor the focus, and move nothing', async () => {
  const release = await holdParts()
  await open()
  await write('Where is it?')
  service.say('POLY_AGENT_THINKING', {})
  await frame.locator('.dots').waitFor({ state: 'attached' })
  const field = frame.getByRole('textbox', { name: 'Message' })
  await field.fill('half a thought')
  const places = () =>
    frame.evaluate(() =>
      ['.header', '.composer', 'article', '.dots'].map((name) => {
        const { top, left, width, height } = document.querySelector(name)?.getBoundingClientRect() ?? {}
        return [name, top, left, width, height].join(' ')
      }),
    )
  await atRest(frame)
  const before = await places()
  release()
  // Both have arrived once their styles are adopted.
  await frame.waitForFunction(() => document.adoptedStyleSheets.length >= 3)
  await frame.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  )
  await atRest(frame)
  expect(await places()).toEqual(before)
  expect(await field.inputValue()).toBe('half a thought')
  expect(await field.evaluate((control) => control === document.activeElement)).toBe(true)
  expect(errors).toEqual([])
})
