// What a visitor does beside writing, in the real frame: by mouse, by keyboard alone, and looked at by axe.

import axe from 'axe-core'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { startToldService } from './service.ts'
import { atRest, counted, frameOf, focused as hasFocus, newContext, startBrowser } from './world.ts'

let browser: Browser
let closeBrowser: () => Promise<void>
let service: Awaited<ReturnType<typeof startToldService>>
let context: BrowserContext
let page: Page
let frame: Frame

beforeAll(async () => {
  ;({ browser, close: closeBrowser } = await startBrowser())
})
afterAll(() => closeBrowser?.())
beforeEach(async () => {
  service = await startToldService()
  // The policy of the frame lets no test tool in; what it forbids is tested with the hostile words.
  context = await newContext(browser, { viewport: { width: 900, height: 900 }, bypassCSP: true })
  page = await context.newPage()
  await page.goto(service.site)
})
afterEach(async () => {
  await context.close()
  service.close()
})

async function open(): Promise<void> {
  await page.getByRole('button', { name: 'Open chat' }).click()
  await service.ready
  frame = await frameOf(page)
  await frame.getByRole('textbox', { name: 'Message' }).waitFor()
}

const button = (name: string) => frame.getByRole('button', { name, exact: true })
const log = () => frame.getByRole('log', { name: 'Conversation' })
const heard = (name: string) =>
  expect.poll(() => service.heard.filter((each) => each.name === name).map(({ payload }) => payload))
const write = async (text: string) => {
  await frame.getByRole('textbox', { name: 'Message' }).fill(text)
  await frame.getByRole('textbox', { name: 'Message' }).press('Enter')
  await log().getByText(text).first().waitFor()
}
const piece = (text: string, chunk_index: number, more: object = {}) =>
  service.say('POLY_AGENT_MESSAGE_CHUNK', {
    message_id: 'answer',
    text,
    chunk_index,
    is_complete: false,
    ...more,
  })
const menu = async (name: string) => {
  await button('More').click()
  await frame.getByRole('menuitem', { name, exact: true }).click()
}

/** What axe finds wrong with the panel as it stands. */
async function faults(): Promise<string[]> {
  await atRest(frame)
  await frame.evaluate(axe.source)
  return frame.evaluate(async () => {
    const runner = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations } = await runner.run({
      // The frame is a part of a page, which has its landmarks and its own title.
      rules: {
        region: { enabled: false },
        'landmark-one-main': { enabled: false },
        'page-has-heading-one': { enabled: false },
      },
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
  })
}

it.runIf(isLong)(
  'by mouse a visitor stops, asks again, rates, searches, leaves the queue, rates the chat and deletes',
  {
    timeout: 120_000,
  },
  async () => {
    await open()
    await write('Tell me all about brakes')
    piece('Brakes come ', 1)
    await log().getByText('Brakes come').waitFor()
    await button('Stop answering').click()
    await heard('USER_STOP_ANSWER').toHaveLength(1)
    piece('', 2, { is_complete: true, stopped: true })
    await log().getByText('Stopped').waitFor()
    await button('Ask again').click()
    await counted(() => log().getByText('Tell me all about brakes').count(), 2)
    service.say('POLY_AGENT_MESSAGE', { message_id: 'whole', text: 'Rim brakes, disc brakes, and none.' })
    await button('Good answer').click()
    await heard('USER_FEEDBACK').toEqual([{ message_id: 'whole', rating: 'up' }])
    await expect.poll(() => button('Good answer').getAttribute('aria-pressed')).toBe('true')
    expect(await faults()).toEqual([])

    await menu('Search this chat')
    await frame.getByRole('searchbox').fill('brakes')
    await frame.getByText('4 of 4').waitFor()
    await button('Previous').click()
    await frame.getByText('3 of 4').waitFor()
    expect(await faults()).toEqual([])
    await button('Close search').click()

    service.say('POLY_AGENT_TRIGGERED_HANDOFF', {})
    service.say('HANDOFF_QUEUE_STATUS', { position_in_queue: 2, estimated_wait_seconds: 240 })
    await frame.getByText('You’re number 2 in the queue, about 4 min').waitFor()
    expect(await faults()).toEqual([])
    await button('Leave the queue').click()
    await heard('USER_LEAVE_QUEUE').toHaveLength(1)
    service.say('HANDOFF_FAILED', { reason: 'left' })
    await log().getByText('You left the queue.').waitFor()
    await expect.poll(() => button('Leave the queue').count()).toBe(0)

    service.say('SHOW_CSAT_REQUEST', {})
    await frame
      .getByText('4 stars')
      .or(frame.getByRole('radio', { name: '4 stars' }))
      .first()
      .check({ force: true })
    await frame.getByRole('textbox', { name: /Anything to add/ }).fill('Quick')
    expect(await faults()).toEqual([])
    await button('Send rating').click()
    await heard('CSAT_RESPONSE').toEqual([{ score: 4, comment: 'Quick' }])
    await frame.getByText('Thank you for your rating.').first().waitFor()

    await menu('Delete this chat')
    await frame.getByRole('alertdialog').getByRole('button', { name: 'Delete this chat' }).click()
    await frame.getByText('This chat was deleted.').first().waitFor()
    await expect.poll(() => log().getByRole('article').count()).toBe(0)
    expect(await faults()).toEqual([])
    const acts = ['USER_STOP_ANSWER', 'USER_FEEDBACK', 'USER_LEAVE_QUEUE', 'CSAT_RESPONSE']
    expect(service.heard.map(({ name }) => name).filter((name) => acts.includes(name))).toEqual(acts)
  },
)

it.runIf(isLong)(
  'by keyboard alone a visitor opens, writes, walks the log, rates, uses the menu, searches and closes',
  {
    timeout: 120_000,
  },
  async () => {
    const keys = page.keyboard
    const focused = () =>
      frame.evaluate(() => {
        const at = document.activeElement
        return at?.getAttribute('aria-label') ?? (at?.localName === 'article' ? 'a message' : at?.textContent)
      })
    const launcher = page.getByRole('button', { name: 'Open chat' })
    await launcher.waitFor()
    await keys.press('Tab')
    await hasFocus(launcher)
    await keys.press('Enter')
    await service.ready
    frame = await frameOf(page)
    await hasFocus(frame.getByRole('textbox', { name: 'Message' }))
    await keys.type('Hello')
    await keys.press('Shift+Enter')
    await keys.type('there')
    await expect.poll(() => frame.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Hello\nthere')
    await keys.press('Enter')
    await heard('USER_MESSAGE').toEqual([{ text: 'Hello\nthere' }])
    service.say('POLY_AGENT_MESSAGE', { message_id: 'one', text: 'First answer.' })
    service.say('POLY_AGENT_MESSAGE', { message_id: 'two', text: 'Second answer.' })
    // An older answer has tools too, while it is the newest.
    await log().locator('article').last().filter({ hasText: 'Second answer.' }).waitFor()
    await button('Good answer').waitFor()
    await expect.poll(focused).toBe('Message')

    // Back from the composer: what can be done with the newest answer, then the log, then the header.
    const back: (string | null | undefined)[] = []
    for (let count = 0; count < 5; count++) {
      const before = await focused()
      await keys.press('Shift+Tab')
      await expect.poll(focused).not.toBe(before)
      back.push(await focused())
    }
    expect(back.slice(0, 3)).toEqual(['Bad answer', 'Good answer', 'Copy answer'])
    expect(back[4]).toBe('Close chat')
    await keys.press('Tab')
    await expect.poll(focused).not.toBe('Close chat')
    // An older answer is reached by arrows, and what can be done with it by Tab.
    await keys.press('ArrowUp')
    await keys.press('ArrowUp')
    await expect.poll(focused).toBe('a message')
    await keys.press('Tab')
    await expect.poll(focused).toBe('Copy answer')
    await keys.press('Tab')
    await expect.poll(focused).toBe('Good answer')
    await keys.press('Enter')
    await heard('USER_FEEDBACK').toEqual([{ message_id: 'one', rating: 'up' }])

    await button('More').focus()
    await hasFocus(button('More'))
    await keys.press('Enter')
    await expect.poll(focused).toBe('Start a new chat')
    await keys.press('s')
    await expect.poll(focused).toBe('Search this chat')
    await keys.press('Enter')
    // The menu's item has the same name as the field that it opens.
    await hasFocus(frame.getByRole('searchbox'))
    await keys.type('answer')
    await expect.poll(() => frame.getByRole('searchbox').inputValue()).toBe('answer')
    await frame.getByText('2 of 2').waitFor()
    await keys.press('Enter')
    await frame.getByText('1 of 2').waitFor()
    await keys.press('Escape')
    await expect.poll(focused).toBe('More')
    await keys.press('Escape')
    await page.getByRole('button', { name: 'Open chat' }).waitFor()
  },
)

it('the panel keeps the language that the visitor chose over a reload', { timeout: 60_000 }, async () => {
  await open()
  service.say('POLY_AGENT_MESSAGE', { message_id: 'one', text: 'Hello' })
  await log().getByText('Hello').waitFor()
  await menu('Language')
  await frame.getByRole('menuitemradio', { name: 'العربية' }).click()
  await frame.getByRole('textbox', { name: 'الرسالة' }).waitFor()
  expect(await faults()).toEqual([])
  await page.reload()
  await page.frameLocator('iframe').getByRole('textbox', { name: 'الرسالة' }).waitFor()
})
