// The phone, beside the API that texts it and the desk that answers it; and what axe finds on the phone and at the desk.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { button, objections, refused, say, screen, talk, useDemo } from './demo.ts'
import { focused } from './world.ts'

const { origin, openDesk, openPhone } = useDemo()

/** The command that the page offers has the same words as the message that it sends. */
const received = (page: Page, text: string): Promise<void> =>
  screen(page).getByRole('article').getByText(text).waitFor()

const sendText = (body: object): Promise<Response> =>
  fetch(`${origin()}/v1/outbound-sms`, {
    method: 'POST',
    headers: {
      'X-Svc-Auth-Token': 'demo-api-key',
      'X-TOKEN-ID': 'CON-demo0001',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })

describe('the phone', () => {
  it('shows what the API sends to it, and what is written on it the assistant answers', async () => {
    const number = '+15005550041'
    const { context, page, traces } = await openPhone(number)
    await expect.poll(() => page.getByText(`"user_number": "${number}"`).count()).toBe(1)
    const sent = await sendText({ user_number: number, message: 'Your bicycle is ready.' })
    expect(sent.status).toBe(202)
    await received(page, 'Your bicycle is ready.')
    await say(page, 'Message', 'What is the sealed cookie?')
    // The text of the API, the question, and its answer.
    await expect.poll(() => screen(page).getByRole('article').count()).toBe(3)
    await button(page, 'HELP').click()
    await screen(page)
      .getByText(/Reply STOP to get no more messages/)
      .waitFor()
    expect(traces.errors).toEqual([])
    expect(refused(traces.console)).toEqual([])
    await context.close()
  })

  it('with RCS shows cards and buttons, and sends taps, pictures and places', async () => {
    const { context, page } = await openPhone('+15005550023')
    await button(page, 'Send it now').click()
    await received(page, 'Your bicycle is ready.')
    await say(page, 'Message', 'An attachment')
    await screen(page).getByRole('button', { name: 'Read more' }).waitFor()
    await button(page, 'A phone button').click()
    await screen(page).getByRole('link', { name: 'Call the front desk, +15005550006' }).waitFor()
    await button(page, 'Picture').click()
    await screen(page).getByRole('img', { name: 'A photo of the bicycle' }).waitFor()
    await screen(page)
      .getByText(/I only understand words/)
      .waitFor()
    await context.close()
  })

  it('can be written on at 400 % zoom, by the wheel alone', async () => {
    const { context, page } = await openPhone('+15005550043', { viewport: { width: 320, height: 200 } })
    const field = page.getByRole('textbox', { name: 'Message' })
    await page.mouse.move(160, 90)
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 60)
        return field.evaluate((each) => {
          const { left, top } = each.getBoundingClientRect()
          return document.elementFromPoint(left + 4, top + 4) === each
        })
      })
      .toBe(true)
    // The page itself has nothing to scroll.
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(200)
    await context.close()
  })

  it('reaches a person at the desk, who answers by text', async () => {
    const phone = await openPhone('+15005550042')
    const sarah = await openDesk('Sarah')
    await say(phone.page, 'Message', 'Can I talk to somebody about my saddle?')
    await button(sarah.page, /about my saddle.*SMS/).click()
    await button(sarah.page, 'Take this conversation').click()
    await say(sarah.page, 'Reply', 'Of course. Which one?')
    await screen(phone.page).getByText('Of course. Which one?').waitFor()
    await say(phone.page, 'Message', 'The brown one')
    await talk(sarah.page).getByText('The brown one').waitFor()
    await phone.context.close()
    await sarah.context.close()
  })
})

describe.each(isLong ? (['light', 'dark'] as const) : (['light'] as const))('in %s', (colorScheme) => {
  it('axe objects to nothing on either page', async () => {
    const number = colorScheme === 'light' ? '+15005550024' : '+15005550025'
    const { context, page } = await openPhone(number, { colorScheme })
    if (isLong) expect(await objections(page)).toEqual([])
    await button(page, 'Send it now').click()
    await received(page, 'Your bicycle is ready.')
    await say(page, 'Message', 'An attachment')
    await screen(page).getByRole('button', { name: 'Read more' }).waitFor()
    expect(await objections(page)).toEqual([])
    await say(page, 'Message', `I want to talk to a person, in the ${colorScheme}`)
    await screen(page)
      .getByText(/I’ll pass you on/)
      .waitFor()

    await page.goto(`${origin()}/desk.html`)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Sarah')
    expect(await objections(page)).toEqual([])
    await button(page, 'Go to the desk').click()
    await button(page, /An attachment.*waiting/).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Called twice')
    await page.getByRole('textbox', { name: 'Note' }).press('Enter')
    await talk(page).getByText('Called twice').waitFor()
    if (isLong) expect(await objections(page)).toEqual([])
    await button(page, 'Take this conversation').click()
    await say(page, 'Reply', 'Here I am.')
    await talk(page).getByText('Here I am.').waitFor()
    await button(page, 'Transfer').click()
    await focused(page.getByRole('combobox', { name: 'To which queue?' }))
    expect(await objections(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'To which queue?' }).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Reply' }).fill('/')
    await button(page, 'Manage canned replies').waitFor()
    expect(await objections(page)).toEqual([])
    await button(page, 'Manage canned replies').click()
    const replies = page.getByRole('dialog', { name: 'Canned replies', includeHidden: true })
    await replies.waitFor()
    expect(await objections(page)).toEqual([])
    await page.keyboard.press('Escape')
    await replies.waitFor({ state: 'detached' })
    await page.keyboard.press('Alt+k')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    expect(await objections(page)).toEqual([])
    await context.close()
  })
})
