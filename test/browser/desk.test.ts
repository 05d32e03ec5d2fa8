// The demo's other windows: a person at the desk, and a phone, each beside the chat or the API they belong to.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, panelOf, type Server, startBrowser, startServer, visit } from './world.ts'

let server: Server
let browser: Browser
let closeBrowser: () => Promise<void>
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-desk-'))
  server = await startServer(await freePort(), folder)
  ;({ browser, close: closeBrowser } = await startBrowser())
})
afterAll(async () => {
  await closeBrowser?.()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

type Place = Page | FrameLocator
const button = (place: Place, name: string | RegExp) => place.getByRole('button', { name, exact: true })
const talk = (place: Place) => place.getByRole('log', { name: 'Conversation' })
const screen = (page: Page) => page.getByRole('log', { name: 'Messages' })

async function say(place: Place, field: 'Message' | 'Answer', text: string): Promise<void> {
  await place.getByRole('textbox', { name: field }).fill(text)
  await button(place, 'Send').click()
}

/** A visitor who opened the chat and was greeted. */
async function openChat() {
  const { context, page, traces } = await visit(browser)
  await page.goto(`${server.origin}/embed.html`)
  await button(page, 'Open chat').click()
  const panel = panelOf(page, 'frame')
  await talk(panel)
    .getByText(/What would you like to know/)
    .waitFor()
  return { context, panel, traces }
}

/** Somebody who came to the desk. */
async function openDesk(name: string) {
  const { context, page, traces } = await visit(browser)
  await page.goto(`${server.origin}/desk.html`)
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await button(page, 'Go to the desk').click()
  await page.getByRole('heading', { name: 'Waiting' }).waitFor()
  return { context, page, traces }
}

async function openPhone(number: string) {
  const { context, page, traces } = await visit(browser)
  await page.goto(`${server.origin}/phone.html?${new URLSearchParams({ number })}`)
  await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
  return { context, page, traces }
}

const sendText = (body: object): Promise<Response> =>
  fetch(`${server.origin}/v1/outbound-sms`, {
    method: 'POST',
    headers: {
      'X-Svc-Auth-Token': 'demo-api-key',
      'X-TOKEN-ID': 'CON-demo0001',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })

async function objections(page: Page): Promise<string[]> {
  // What is still fading in has no contrast yet.
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)))
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const runner = (window as unknown as { axe: typeof axe }).axe
    const { violations } = await runner.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`,
    )
  })
}

const refused = (lines: readonly string[]) =>
  lines.filter((line) => /Content.Security|Trusted|Refused/i.test(line))

describe('the desk', () => {
  it('takes over from the assistant, talks with the visitor, and ends the conversation', async () => {
    const visitor = await openChat()
    const sarah = await openDesk('Sarah')
    await sarah.page.getByText('Nobody waits', { exact: true }).waitFor()
    await say(visitor.panel, 'Message', 'I’d like to talk to a person about my order')
    await visitor.panel.getByText(/number 1 in the queue/).waitFor()

    await button(sarah.page, /talk to a person about my order/).click()
    await talk(sarah.page)
      .getByText(/I’ll pass you on/)
      .waitFor()
    await button(sarah.page, 'Take this conversation').click()
    await talk(visitor.panel).getByText('Sarah joined').waitFor()

    await sarah.page.getByRole('textbox', { name: 'Answer' }).pressSequentially('Hello')
    await visitor.panel.getByText('Typing…').waitFor()
    await say(sarah.page, 'Answer', 'Hello, this is Sarah.')
    await talk(visitor.panel).getByText('Hello, this is Sarah.').waitFor()
    await say(visitor.panel, 'Message', 'Where is my bicycle?')
    await talk(sarah.page).getByText('Where is my bicycle?').waitFor()
    await say(sarah.page, 'Answer', 'In the workshop, and ready.')
    await talk(visitor.panel).getByText('In the workshop, and ready.').waitFor()

    await button(sarah.page, 'End').click()
    await button(sarah.page, 'End the chat').click()
    await button(visitor.panel, 'Start a new chat').waitFor()
    await sarah.page.getByText('This conversation has ended.').waitFor()
    await button(sarah.page, 'Close').click()
    await sarah.page.getByText('Nobody waits', { exact: true }).waitFor()
    expect(sarah.traces.errors).toEqual([])
    expect(refused(sarah.traces.console)).toEqual([])
    await visitor.context.close()
    await sarah.context.close()
  })

  it('passes a conversation on to another queue, and gives it back to the assistant', async () => {
    const visitor = await openChat()
    const sarah = await openDesk('Sarah')
    const tom = await openDesk('Tom')
    await say(visitor.panel, 'Message', 'A real person, please')
    await button(sarah.page, /A real person, please/).click()
    await button(sarah.page, 'Take this conversation').click()
    await button(sarah.page, 'Transfer').click()
    await sarah.page.getByRole('combobox', { name: 'To which queue?' }).fill('billing')
    await button(sarah.page, 'Transfer there').click()
    await talk(visitor.panel).getByText('Sarah left').waitFor()

    await button(tom.page, /A real person, please.*billing/).click()
    await button(tom.page, 'Take this conversation').click()
    await talk(visitor.panel).getByText('Tom joined').waitFor()
    await sarah.page.getByText('Tom talks with them.').waitFor()
    await button(tom.page, 'Hand back').click()
    await button(tom.page, 'Hand back now').click()
    await talk(visitor.panel).getByText('Tom left').waitFor()
    await tom.page.getByText('The assistant answers again.').waitFor()
    await say(visitor.panel, 'Message', 'What is the sealed cookie?')
    await talk(visitor.panel)
      .getByText(/The first of the cookie secrets seals/)
      .waitFor()
    for (const { context } of [visitor, sarah, tom]) await context.close()
  })

  it('goes with the visitor from the queue to the rating, by keyboard at the desk', async () => {
    const visitor = await openChat()
    const sarah = await openDesk('Sarah')
    const tom = await openDesk('Tom')
    const keys = (page: Page, ...pressed: string[]) =>
      pressed.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())
    const item = (page: Page) => button(page, /What is the sealed cookie/)
    const inLog = (place: Place, text: string | RegExp) => talk(place).getByText(text)

    // The visitor asks for a person, sees their place, is not met with silence, and goes back to the agent.
    await say(visitor.panel, 'Message', 'What is the sealed cookie?')
    await inLog(visitor.panel, /The first of the cookie secrets seals/).waitFor()
    await say(visitor.panel, 'Message', 'I want to talk to a person')
    await visitor.panel.getByText(/number 1 in the queue/).waitFor()
    await item(sarah.page).waitFor()
    await expect.poll(() => sarah.page.title()).toMatch(/^\(1\) /)
    await say(visitor.panel, 'Message', 'My order is number 17')
    await inLog(visitor.panel, /The person who joins will read it/).waitFor()
    await button(visitor.panel, 'Leave the queue').click()
    await inLog(visitor.panel, /You left the queue/).waitFor()
    await sarah.page.getByText('Nobody waits', { exact: true }).waitFor()
    await expect.poll(() => sarah.page.title()).toMatch(/^Desk/)
    await say(visitor.panel, 'Message', 'What is a connector?')
    await inLog(visitor.panel, /connector/)
      .last()
      .waitFor()

    // They ask again, and are taken with one key.
    await say(visitor.panel, 'Message', 'I want to talk to a person')
    await visitor.panel.getByText(/number 1 in the queue/).waitFor()
    await button(sarah.page, /What is a connector/).waitFor()
    await keys(sarah.page, 'Alt+t')
    const answer = sarah.page.getByRole('textbox', { name: 'Answer' })
    await answer.waitFor()
    await inLog(visitor.panel, 'Sarah joined').waitFor()
    await visitor.panel.getByText('You’re talking to a person').first().waitFor()

    // Markdown and addresses read alike on both sides; the visitor's typing shows at the desk, and the person's in the chat.
    await answer.pressSequentially('See **here**: https://example.com/help')
    await visitor.panel
      .getByText(/^Typing/)
      .first()
      .waitFor()
    await keys(sarah.page, 'Enter')
    for (const place of [visitor.panel, sarah.page]) {
      await talk(place).locator('strong', { hasText: 'here' }).waitFor()
      await talk(place).getByRole('link', { name: 'https://example.com/help' }).waitFor()
    }
    await visitor.panel.getByRole('textbox', { name: 'Message' }).pressSequentially('Thank you')
    await inLog(sarah.page, 'Visitor is typing…').waitFor()
    await visitor.panel.getByRole('textbox', { name: 'Message' }).press('Enter')
    await inLog(sarah.page, 'Thank you').waitFor()

    // A canned reply by its name, a note that no visitor sees.
    await button(sarah.page, 'Canned replies').first().click()
    await button(sarah.page, 'Add three examples').click()
    await sarah.page.getByText('/moment').waitFor()
    await keys(sarah.page, 'Escape', 'Alt+r')
    await sarah.page.keyboard.type('/mom')
    await sarah.page.getByRole('option', { name: /\/moment/, selected: true }).waitFor()
    await keys(sarah.page, 'Enter')
    expect(await answer.inputValue()).toBe('One moment please, I’m looking it up.')
    await keys(sarah.page, 'Enter')
    await inLog(visitor.panel, 'One moment please, I’m looking it up.').waitFor()
    await keys(sarah.page, 'Alt+n')
    await sarah.page.keyboard.type('Omar helped her last week')
    await keys(sarah.page, 'Enter')
    await inLog(sarah.page, 'Omar helped her last week').waitFor()

    // Passed on with a word, taken by another, given back to the agent, and asked for once more.
    await keys(sarah.page, 'Alt+x')
    await sarah.page.getByRole('combobox', { name: 'To which queue?' }).waitFor()
    await sarah.page.keyboard.type('billing')
    await keys(sarah.page, 'Tab')
    await sarah.page.keyboard.type('Wants a refund')
    await keys(sarah.page, 'Enter')
    await inLog(visitor.panel, 'Sarah left').waitFor()
    await button(tom.page, /What is a connector.*billing/).click()
    await inLog(tom.page, 'Wants a refund').waitFor()
    await inLog(tom.page, 'Omar helped her last week').waitFor()
    await keys(tom.page, 'Alt+t')
    await inLog(visitor.panel, 'Tom joined').waitFor()
    await tom.page.getByRole('textbox', { name: 'Answer' }).waitFor()
    await keys(tom.page, 'Alt+b')
    await tom.page.getByRole('textbox', { name: 'Note for the assistant (optional)' }).waitFor()
    await tom.page.keyboard.type('Refund is on its way')
    await keys(tom.page, 'Enter')
    await inLog(visitor.panel, 'Tom left').waitFor()
    await tom.page.getByText('The assistant answers again.').waitFor()
    await say(visitor.panel, 'Message', 'I want to talk to a person')
    await visitor.panel.getByText(/number 1 in the queue/).waitFor()
    // The desk hears of it by an event of its own: the key takes what the desk shows as waiting.
    await button(tom.page, 'Take this conversation').waitFor()
    await keys(tom.page, 'Alt+t')
    await inLog(visitor.panel, 'Tom joined').nth(1).waitFor()
    await tom.page.getByRole('textbox', { name: 'Answer' }).waitFor()
    await keys(tom.page, 'Alt+e')
    await button(tom.page, 'End the chat').waitFor()
    await keys(tom.page, 'Enter')

    // The end, and what the visitor thinks of it.
    await tom.page.getByText('This conversation has ended.').waitFor()
    await visitor.panel.getByRole('radio', { name: /4/ }).check({ force: true })
    await button(visitor.panel, 'Send rating').click()
    await visitor.panel.getByText('Thank you for your rating.').waitFor()
    const conversations = async () => {
      const path = '/v3/demo/front-desk/conversations?client_env=sandbox&limit=50'
      const response = await fetch(server.origin + path, { headers: { 'x-api-key': 'demo-api-key' } })
      return JSON.stringify(await response.json())
    }
    await expect.poll(conversations).toContain('"csat_score":"4"')
    for (const secret of ['Omar helped', 'Wants a refund'])
      expect(await talk(visitor.panel).textContent()).not.toContain(secret)
    for (const { traces } of [visitor, sarah, tom]) expect(refused(traces.console)).toEqual([])
    for (const { context } of [visitor, sarah, tom]) await context.close()
  })

  it('holds several conversations at once, and counts what is unread', async () => {
    const [ada, bo] = [await openChat(), await openChat()]
    const sarah = await openDesk('Sarah')
    await say(ada.panel, 'Message', 'I’d like to talk to a person about the order of Ada')
    await button(sarah.page, /of Ada/).waitFor()
    await say(bo.panel, 'Message', 'I’d like to talk to a person about the order of Bo')
    await button(sarah.page, /of Bo/).waitFor()
    for (const name of ['Ada', 'Bo']) {
      await sarah.page.keyboard.press('Alt+t')
      await sarah.page.getByRole('heading', { name: new RegExp(`the order of ${name}`) }).waitFor()
      await sarah.page.getByRole('textbox', { name: 'Answer' }).waitFor()
      if (name === 'Ada') await sarah.page.keyboard.press('Escape')
    }
    await sarah.page.getByRole('textbox', { name: 'Answer' }).fill('A draft for Bo')
    await say(ada.panel, 'Message', 'Are you there?')
    await button(sarah.page, /of Ada.*1 unread/).waitFor()
    await expect.poll(() => sarah.page.title()).toMatch(/^\(1\) /)
    await sarah.page.keyboard.press('Alt+ArrowUp')
    await talk(sarah.page).getByText('Are you there?').waitFor()
    await expect.poll(() => sarah.page.title()).toMatch(/^Desk/)
    expect(await sarah.page.getByRole('textbox', { name: 'Answer' }).inputValue()).toBe('')
    await sarah.page.keyboard.press('Alt+ArrowDown')
    await sarah.page.getByRole('heading', { name: /of Bo/ }).waitFor()
    expect(await sarah.page.getByRole('textbox', { name: 'Answer' }).inputValue()).toBe('A draft for Bo')
    for (const name of ['Ada', 'Bo']) {
      await button(sarah.page, new RegExp(`of ${name}`)).click()
      await button(sarah.page, 'End').click()
      await button(sarah.page, 'End the chat').click()
      await sarah.page.getByText('This conversation has ended.').waitFor()
    }
    for (const { context } of [ada, bo, sarah]) await context.close()
  })

  it('says who has left, and never has two scrollbars', async () => {
    const visitor = await openChat()
    const sarah = await openDesk('Sarah')
    await say(visitor.panel, 'Message', 'I’d like to talk to a person about my bill')
    await button(sarah.page, /^Here: .*about my bill/).waitFor()
    await visitor.context.close()
    await button(sarah.page, /^Left the page: .*about my bill/).click()
    await sarah.page.getByText(/The chat ends ten minutes later/).waitFor()
    await sarah.page.setViewportSize({ width: 1100, height: 480 })
    const scrollable = () =>
      sarah.page.evaluate(() => {
        const { scrollHeight, clientHeight } = document.documentElement
        return scrollHeight > clientHeight
      })
    expect(await scrollable()).toBe(false)
    await button(sarah.page, 'Take this conversation').click()
    await button(sarah.page, 'End').click()
    await button(sarah.page, 'End the chat').click()
    await sarah.page.getByText('This conversation has ended.').waitFor()
    expect(await scrollable()).toBe(false)
    await sarah.context.close()
  })

  it('tells whoever comes second that somebody else took it', async () => {
    const visitor = await openChat()
    const sarah = await openDesk('Sarah')
    const tom = await openDesk('Tom')
    await say(visitor.panel, 'Message', 'A human agent, please')
    for (const { page } of [sarah, tom]) await button(page, /A human agent, please/).click()
    await button(tom.page, 'Take this conversation').waitFor()
    // Tom's window hears of nothing for a while.
    await tom.page.route('**/demo/desk', (route) => route.abort())
    await button(sarah.page, 'Take this conversation').click()
    await sarah.page.getByRole('textbox', { name: 'Answer' }).waitFor()
    await button(tom.page, 'Take this conversation').click()
    await tom.page.getByRole('alert').getByText('This conversation does not wait any more').waitFor()
    for (const { context } of [visitor, sarah, tom]) await context.close()
  })
})

describe('the phone', () => {
  it('shows what the API sends to it, and what is written on it the assistant answers', async () => {
    const number = '+15005550041'
    const { context, page, traces } = await openPhone(number)
    expect(await page.getByText(`"user_number": "${number}"`).count()).toBe(1)
    const sent = await sendText({ user_number: number, message: 'Your bicycle is ready.' })
    expect(sent.status).toBe(202)
    await screen(page).getByText('Your bicycle is ready.').waitFor()
    await say(page, 'Message', 'What is the sealed cookie?')
    await screen(page)
      .getByText(/The first of the cookie secrets seals/)
      .waitFor()
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
    await screen(page).getByText('Your bicycle is ready.').waitFor()
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

  it('reaches a person at the desk, who answers by text', async () => {
    const phone = await openPhone('+15005550042')
    const sarah = await openDesk('Sarah')
    await say(phone.page, 'Message', 'Can I talk to somebody about my saddle?')
    await button(sarah.page, /about my saddle.*SMS/).click()
    await button(sarah.page, 'Take this conversation').click()
    await say(sarah.page, 'Answer', 'Of course. Which one?')
    await screen(phone.page).getByText('Of course. Which one?').waitFor()
    await say(phone.page, 'Message', 'The brown one')
    await talk(sarah.page).getByText('The brown one').waitFor()
    await phone.context.close()
    await sarah.context.close()
  })
})

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it('axe objects to nothing on either page', async () => {
    const { context, page } = await visit(browser, { colorScheme })
    const number = colorScheme === 'light' ? '+15005550024' : '+15005550025'
    await page.goto(`${server.origin}/phone.html?${new URLSearchParams({ number })}`)
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
    expect(await objections(page)).toEqual([])
    await button(page, 'Send it now').click()
    await screen(page).getByText('Your bicycle is ready.').waitFor()
    await say(page, 'Message', 'An attachment')
    await screen(page).getByRole('button', { name: 'Read more' }).waitFor()
    expect(await objections(page)).toEqual([])
    await say(page, 'Message', `I want to talk to a person, in the ${colorScheme}`)
    await screen(page)
      .getByText(/I’ll pass you on/)
      .waitFor()

    await page.goto(`${server.origin}/desk.html`)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Sarah')
    expect(await objections(page)).toEqual([])
    await button(page, 'Go to the desk').click()
    await button(page, /An attachment.*waits/).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Called twice')
    await page.keyboard.press('Enter')
    await talk(page).getByText('Called twice').waitFor()
    expect(await objections(page)).toEqual([])
    await button(page, 'Take this conversation').click()
    await say(page, 'Answer', 'Here I am.')
    await talk(page).getByText('Here I am.').waitFor()
    await button(page, 'Transfer').click()
    expect(await objections(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Answer' }).fill('/')
    await button(page, 'Manage canned replies').waitFor()
    expect(await objections(page)).toEqual([])
    await button(page, 'Manage canned replies').click()
    await page.getByRole('dialog', { name: 'Canned replies' }).waitFor()
    expect(await objections(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+k')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    expect(await objections(page)).toEqual([])
    await context.close()
  })
})
