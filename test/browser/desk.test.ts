// The desk: people who take over from the assistant, each in a window of their own, beside the chats of the visitors.

import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isLong, some } from '../long.ts'
import { visitor } from '../process/starts.ts'
import { button, type Place, refused, say, talk, useDemo } from './demo.ts'
import { atRest, focused, ONE_DOCUMENT, panelOf } from './world.ts'

const { origin, visit, openChat, openDesk } = useDemo(ONE_DOCUMENT)

/** A visitor without a browser, for what is asked of the desk alone. `heard`: all that the chat was told. */
async function openVisitor() {
  const person = visitor(origin())
  await person.token(false)
  const { send, until, events, socket } = await person.connect(await person.session(), 0)
  onTestFinished(() => socket.terminate())
  send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
  await until('greeting', () => events.some(({ payload }) => payload.is_complete === true))
  const heard = () => JSON.stringify(events)
  return {
    say: (text: string) => send('EVENT_TYPE_USER_MESSAGE', { text }),
    hears: (text: string) => until(text, () => heard().includes(text)),
    heard,
  }
}

/** Resolves once the field has the words, whole. */
const holds = (field: Locator, words: string) => expect.poll(() => field.inputValue()).toBe(words)

/** Resolves once the page knows that the dialog is closed: until then the keys are the dialog's. */
async function closeDialog(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name, includeHidden: true }).waitFor({ state: 'detached' })
}

/** Presses on places all over the pill, but for those of its buttons, and types a letter at each. */
async function pressAllOver(
  page: Page,
  field: Locator,
  press = (x: number, y: number) => page.mouse.click(x, y),
): Promise<void> {
  const form = field.locator('xpath=ancestor::form')
  const box = await form.boundingBox()
  const button = await form.getByRole('button').first().boundingBox()
  if (!box || !button) throw new Error('there is no pill')
  const right = button.x - 6
  const points = [
    [right, box.y + 3] as const,
    [right, box.y + box.height - 3] as const,
    ...[3, 12, 22, box.height - 3].map((y) => [box.x + 24, box.y + y] as const),
    ...[4, 8, 14].map((x) => [box.x + x, box.y + box.height / 2] as const),
  ]
  // At each rim.
  for (const [x, y] of some(points, 3)) {
    // Empty, so that a second tap selects no word.
    await field.fill('')
    await field.blur()
    await press(x, y)
    await focused(field)
    await page.keyboard.type('x')
    await expect.poll(() => field.inputValue()).toBe('x')
  }
}

describe('the whole pill is the field', () => {
  it('in the chat, under a finger and for a mouse', async () => {
    const { page } = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await page.goto(`${origin()}/embed.html`)
    await button(page, 'Open chat').tap()
    const field = panelOf(page, 'frame').getByRole('textbox', { name: 'Message' })
    await field.waitFor()
    await atRest(page)
    await pressAllOver(page, field, (x, y) => page.touchscreen.tap(x, y))
    await pressAllOver(page, field)
  })

  it('on the phone', async () => {
    const { page } = await visit()
    await page.goto(`${origin()}/phone.html`)
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.waitFor()
    await pressAllOver(page, field)
  })
})

describe('the desk', () => {
  it.runIf(isLong)(
    'takes over from the assistant, talks with the visitor, and ends the conversation',
    async () => {
      const visitor = await openChat()
      const sarah = await openDesk('Sarah')
      await sarah.page.getByText('Nobody is waiting', { exact: true }).waitFor()
      await say(visitor.panel, 'Message', 'I’d like to talk to a person about my order')
      await visitor.panel.getByText(/number 1 in the queue/).waitFor()

      await button(sarah.page, /talk to a person about my order/).click()
      await talk(sarah.page)
        .getByText(/I’ll pass you on/)
        .waitFor()
      await button(sarah.page, 'Take this conversation').click()
      await talk(visitor.panel).getByText('Sarah joined').waitFor()

      await sarah.page.getByRole('textbox', { name: 'Reply' }).pressSequentially('Hello')
      await visitor.panel
        .getByText(/^Typing/)
        .first()
        .waitFor()
      await say(sarah.page, 'Reply', 'Hello, this is Sarah.')
      await talk(visitor.panel).getByText('Hello, this is Sarah.').waitFor()
      await say(visitor.panel, 'Message', 'Where is my bicycle?')
      await talk(sarah.page).getByText('Where is my bicycle?').waitFor()
      await say(sarah.page, 'Reply', 'In the workshop, and ready.')
      await talk(visitor.panel).getByText('In the workshop, and ready.').waitFor()

      await button(sarah.page, 'End').click()
      await button(sarah.page, 'End the chat').click()
      await button(visitor.panel, 'Start a new chat').waitFor()
      await sarah.page.getByText('This conversation has ended.').waitFor()
      await button(sarah.page, 'Close').click()
      await sarah.page.getByText('Nobody is waiting', { exact: true }).waitFor()
      expect(sarah.traces.errors).toEqual([])
      expect(refused(sarah.traces.console)).toEqual([])
      await visitor.context.close()
      await sarah.context.close()
    },
  )

  it.runIf(isLong)(
    'passes a conversation on to another queue, and gives it back to the assistant',
    async () => {
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
      await button(tom.page, 'Hand back to the assistant').click()
      await button(tom.page, 'Hand back now').click()
      await talk(visitor.panel).getByText('Tom left').waitFor()
      await tom.page.getByText('The assistant answers again.').waitFor()
      await say(visitor.panel, 'Message', 'What becomes of a message?')
      await talk(visitor.panel)
        .getByText(/is read on the same day/)
        .waitFor()
      for (const { context } of [visitor, sarah, tom]) await context.close()
    },
  )

  it('goes with the visitor from the queue to the rating, by keyboard at the desk', async () => {
    const visitor = await openChat()
    const sarah = await openDesk('Sarah')
    const item = (page: Page) => button(page, /What becomes of a message/)
    const inLog = (place: Place, text: string | RegExp) => talk(place).getByText(text)

    // The visitor asks for a person, sees their place, is not met with silence, and goes back to the agent.
    await say(visitor.panel, 'Message', 'What becomes of a message?')
    await inLog(visitor.panel, /is read on the same day/).waitFor()
    await say(visitor.panel, 'Message', 'I want to talk to a person')
    await visitor.panel.getByText(/number 1 in the queue/).waitFor()
    await item(sarah.page).waitFor()
    await expect.poll(() => sarah.page.title()).toMatch(/^\(1\) /)
    await say(visitor.panel, 'Message', 'My order is number 17')
    await inLog(visitor.panel, /The person who joins will read it/).waitFor()
    await button(visitor.panel, 'Leave the queue').click()
    await inLog(visitor.panel, /You left the queue/).waitFor()
    await sarah.page.getByText('Nobody is waiting', { exact: true }).waitFor()
    await expect.poll(() => sarah.page.title()).toMatch(/^Desk/)
    await say(visitor.panel, 'Message', 'Who mends bicycles?')
    await inLog(visitor.panel, /Larkspur Cycles mends bicycles/).waitFor()

    // They ask again, and are taken with one key.
    await say(visitor.panel, 'Message', 'I want to talk to a person')
    await visitor.panel.getByText(/number 1 in the queue/).waitFor()
    await button(sarah.page, /Who mends bicycles/).waitFor()
    await sarah.page.keyboard.press('Alt+t')
    const answer = sarah.page.getByRole('textbox', { name: 'Reply' })
    await answer.waitFor()
    await inLog(visitor.panel, 'Sarah joined').waitFor()
    await visitor.panel.getByText('You’re talking to a person').first().waitFor()

    // Markdown and addresses read alike on both sides; the visitor's typing shows at the desk, and the person's in the chat.
    await answer.fill('See **here**: https://example.com/hel')
    await answer.press('p')
    await visitor.panel
      .getByText(/^Typing/)
      .first()
      .waitFor()
    await answer.press('Enter')
    for (const place of [visitor.panel, sarah.page]) {
      await talk(place).locator('strong', { hasText: 'here' }).waitFor()
      await talk(place).getByRole('link', { name: 'https://example.com/help' }).waitFor()
    }
    await visitor.panel.getByRole('textbox', { name: 'Message' }).fill('Thank you')
    await inLog(sarah.page, 'Visitor is typing…').waitFor()
    await visitor.panel.getByRole('textbox', { name: 'Message' }).press('Enter')
    await inLog(sarah.page, 'Thank you').waitFor()

    // A canned reply by its name, a note that no visitor sees.
    await button(sarah.page, 'Canned replies').first().click()
    await button(sarah.page, 'Add three examples').click()
    await sarah.page.getByText('/moment').waitFor()
    await closeDialog(sarah.page, 'Canned replies')
    await sarah.page.keyboard.press('Alt+r')
    await focused(answer)
    await sarah.page.keyboard.type('/mom')
    await sarah.page.getByRole('option', { name: /\/moment/, selected: true }).waitFor()
    await sarah.page.keyboard.press('Enter')
    await holds(answer, 'One moment please, I’m looking it up.')
    await sarah.page.keyboard.press('Enter')
    await inLog(visitor.panel, 'One moment please, I’m looking it up.').waitFor()
    await sarah.page.keyboard.press('Alt+n')
    await focused(sarah.page.getByRole('textbox', { name: 'Note' }))
    await sarah.page.keyboard.type('Omar helped her last week')
    await holds(sarah.page.getByRole('textbox', { name: 'Note' }), 'Omar helped her last week')
    await sarah.page.keyboard.press('Enter')
    await inLog(sarah.page, 'Omar helped her last week').waitFor()

    // Passed on with a word, taken by another, given back to the agent, and asked for once more.
    const tom = await openDesk('Tom')
    await sarah.page.keyboard.press('Alt+x')
    const queue = sarah.page.getByRole('combobox', { name: 'To which queue?' })
    const word = sarah.page.getByRole('textbox', { name: 'Note for them (optional)' })
    await focused(queue)
    await sarah.page.keyboard.type('billing')
    await holds(queue, 'billing')
    await sarah.page.keyboard.press('Tab')
    await focused(word)
    await sarah.page.keyboard.type('Wants a refund')
    await holds(word, 'Wants a refund')
    await sarah.page.keyboard.press('Enter')
    await inLog(visitor.panel, 'Sarah left').waitFor()
    await sarah.context.close()
    await button(tom.page, /Who mends bicycles.*billing/).click()
    await inLog(tom.page, 'Wants a refund').waitFor()
    await inLog(tom.page, 'Omar helped her last week').waitFor()
    await button(tom.page, 'Take this conversation').waitFor()
    await tom.page.keyboard.press('Alt+t')
    await inLog(visitor.panel, 'Tom joined').waitFor()
    await tom.page.getByRole('textbox', { name: 'Reply' }).waitFor()
    await tom.page.keyboard.press('Alt+b')
    const note = tom.page.getByRole('textbox', { name: 'Note for the assistant (optional)' })
    await focused(note)
    await tom.page.keyboard.type('Refund is on its way')
    await holds(note, 'Refund is on its way')
    await tom.page.keyboard.press('Enter')
    await inLog(visitor.panel, 'Tom left').waitFor()
    await tom.page.getByText('The assistant answers again.').waitFor()
    await say(visitor.panel, 'Message', 'I want to talk to a person')
    await visitor.panel.getByText(/number 1 in the queue/).waitFor()
    // The desk hears of it by an event of its own: the key takes what the desk shows as waiting.
    await button(tom.page, 'Take this conversation').waitFor()
    await tom.page.keyboard.press('Alt+t')
    await inLog(visitor.panel, 'Tom joined').nth(1).waitFor()
    await tom.page.getByRole('textbox', { name: 'Reply' }).waitFor()
    await tom.page.keyboard.press('Alt+e')
    await focused(button(tom.page, 'End the chat'))
    await tom.page.keyboard.press('Enter')

    // The end, and what the visitor thinks of it.
    await tom.page.getByText('This conversation has ended.').waitFor()
    await visitor.panel.getByRole('radio', { name: /4/ }).check({ force: true })
    await button(visitor.panel, 'Send rating').click()
    await visitor.panel.getByText('Thank you for your rating.').first().waitFor()
    const conversations = async () => {
      const path = '/v3/demo/front-desk/conversations?client_env=sandbox&limit=50'
      const response = await fetch(origin() + path, { headers: { 'x-api-key': 'demo-api-key' } })
      return JSON.stringify(await response.json())
    }
    await expect.poll(conversations).toContain('"csat_score":"4"')
    for (const secret of ['Omar helped', 'Wants a refund'])
      expect(await talk(visitor.panel).textContent()).not.toContain(secret)
    for (const { traces } of [visitor, sarah, tom]) expect(refused(traces.console)).toEqual([])
    for (const { context } of [visitor, sarah, tom]) await context.close()
  })

  it('holds several conversations at once, says what another took first, and counts as unread what is said to the person here', async () => {
    const [ada, bo] = [await openVisitor(), await openVisitor()]
    const [sarah, tom] = [await openDesk('Sarah'), await openDesk('Tom')]
    const reply = sarah.page.getByRole('textbox', { name: 'Reply' })
    ada.say('I’d like to talk to a person about the order of Ada')
    for (const { page } of [sarah, tom]) await button(page, /of Ada/).waitFor()
    await button(tom.page, /of Ada/).click()
    await button(tom.page, 'Take this conversation').waitFor()
    bo.say('I’d like to talk to a person about the order of Bo')
    await button(sarah.page, /of Bo/).waitFor()

    // Tom's window hears of nothing for a while.
    await tom.page.route('**/demo/desk', (route) => route.abort())
    await sarah.page.keyboard.press('Alt+t')
    await sarah.page.getByRole('heading', { name: /the order of Ada/ }).waitFor()
    await focused(reply)
    await button(tom.page, 'Take this conversation').click()
    await tom.page.getByRole('alert').getByText('This conversation is no longer waiting').waitFor()
    await tom.page.unroute('**/demo/desk')

    await sarah.page.keyboard.press('Escape')
    await sarah.page.getByRole('heading', { name: 'Choose a conversation' }).waitFor()
    await sarah.page.keyboard.press('Alt+t')
    await sarah.page.getByRole('heading', { name: /the order of Bo/ }).waitFor()
    await reply.waitFor()
    await reply.fill('A draft for Bo')
    ada.say('Are you there?')
    await button(sarah.page, /of Ada.*1 unread/).waitFor()
    await expect.poll(() => sarah.page.title()).toMatch(/^\(1\) /)
    await tom.page.keyboard.press('Escape')
    await button(tom.page, /Are you there\?/).waitFor()
    expect(await button(tom.page, /unread/).count()).toBe(0)
    await expect.poll(() => tom.page.title()).toMatch(/^Desk/)

    await sarah.page.keyboard.press('Alt+ArrowUp')
    await talk(sarah.page).getByText('Are you there?').waitFor()
    await expect.poll(() => sarah.page.title()).toMatch(/^Desk/)
    await holds(reply, '')
    await sarah.page.keyboard.press('Alt+ArrowDown')
    await sarah.page.getByRole('heading', { name: /of Bo/ }).waitFor()
    await holds(reply, 'A draft for Bo')
    for (const name of ['Ada', 'Bo']) {
      await button(sarah.page, new RegExp(`of ${name}`)).click()
      await sarah.page.getByRole('heading', { name: new RegExp(`the order of ${name}`) }).waitFor()
      await button(sarah.page, 'End').click()
      await button(sarah.page, 'End the chat').click()
      await sarah.page.getByText('This conversation has ended.').waitFor()
    }
  })

  it.runIf(isLong)('gives the conversation of a live agent who closed the page to the next one', async () => {
    const visitor = await openChat()
    const [sarah, tom] = [await openDesk('Sarah'), await openDesk('Tom')]
    await say(visitor.panel, 'Message', 'I want to talk to a person')
    await visitor.panel.getByText(/number 1 in the queue/).waitFor()
    await expect.poll(() => tom.page.title()).toMatch(/^\(1\) /)
    await tom.page.keyboard.press('Alt+t')
    await talk(visitor.panel).getByText('Tom joined').waitFor()
    await tom.page.close()
    await talk(visitor.panel).getByText('Tom left').waitFor({ timeout: 120_000 })
    await sarah.page.getByText('came back, person gone').waitFor()
    await sarah.page.keyboard.press('Alt+t')
    await talk(visitor.panel).getByText('Sarah joined').waitFor()
  })

  it.runIf(isLong)('says who has left, and never has two scrollbars', async () => {
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
    await expect.poll(scrollable).toBe(false)
    await button(sarah.page, 'Take this conversation').click()
    await button(sarah.page, 'End').click()
    await button(sarah.page, 'End the chat').click()
    await sarah.page.getByText('This conversation has ended.').waitFor()
    await expect.poll(scrollable).toBe(false)
    await sarah.context.close()
  })

  it('is in reach at 400 % zoom, leaves the focus where the next key belongs, and loses no draft and no note', async () => {
    const person = await openVisitor()
    const sarah = await openDesk('Sarah')
    const { page } = sarah
    const answer = page.getByRole('textbox', { name: 'Reply' })
    const note = page.getByRole('textbox', { name: 'Note' })
    const item = button(page, /about my bicycle/)
    person.say('I’d like to talk to a person about my bicycle')
    await item.waitFor()

    // Each conversation of the queue is wholly on a screen of 400 % zoom, by the wheel alone.
    await page.setViewportSize({ width: 320, height: 200 })
    await page.mouse.move(160, 150)
    const wholly = () =>
      item.evaluate((each) => {
        const { top, bottom, left } = each.getBoundingClientRect()
        const at = (y: number) => each.contains(document.elementFromPoint(left + 20, y))
        return at(top + 4) && at(bottom - 4)
      })
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 40)
        return wholly()
      })
      .toBe(true)
    await page.setViewportSize({ width: 1280, height: 800 })

    // A note that was begun is a note still where the conversation is taken in mid-sentence.
    await item.click()
    await note.pressSequentially('Ask for ')
    await page.keyboard.press('Alt+t')
    await button(page, 'Hand back to the assistant').waitFor()
    await focused(note)
    await page.keyboard.type('receipt')
    await holds(note, 'Ask for receipt')
    await page.keyboard.press('Enter')
    await talk(page).getByText('Ask for receipt').waitFor()
    await page.keyboard.press('Alt+r')
    await focused(answer)
    await pressAllOver(page, answer)
    await answer.fill('')

    // Closing a form, a conversation, and opening it again.
    await page.keyboard.press('Alt+e')
    await focused(button(page, 'End the chat'))
    await page.keyboard.press('Alt+e')
    await focused(answer)
    await page.keyboard.press('Escape')
    await focused(item)
    await page.keyboard.press('Enter')
    await focused(answer)
    await page.setViewportSize({ width: 390, height: 844 })
    await button(page, 'Back to all conversations').click()
    await focused(item)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.keyboard.press('Enter')
    await focused(answer)

    // A mistyped canned reply stays at the desk. A note stays a note, and a reload keeps it.
    await page.keyboard.type('/zzz')
    await page.getByText(/^There are no canned replies|^No canned reply/).waitFor()
    await page.keyboard.press('Enter')
    await holds(answer, '/zzz')
    await answer.fill('')
    await page.keyboard.press('Alt+n')
    await focused(note)
    await page.keyboard.type('Has called twi')
    await page.keyboard.press('Escape')
    await focused(item)
    await page.keyboard.press('Enter')
    await focused(note)
    await page.keyboard.type('ce')
    await holds(note, 'Has called twice')
    await page.reload()
    await item.click()
    await focused(note)
    await holds(note, 'Has called twice')
    await note.fill('')
    await page.keyboard.press('Alt+r')
    await page.keyboard.type('Hello')
    await page.keyboard.press('Enter')
    await person.hears('"Hello"')
    for (const secret of ['/zzz', 'receipt']) expect(person.heard()).not.toContain(secret)

    // What removes its own button.
    await button(page, 'Canned replies').first().click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('thanks')
    await page.getByRole('textbox', { name: 'Text, in Markdown' }).fill('Thank you!')
    await button(page, 'Save reply').click()
    await button(page, 'Delete thanks').click()
    await button(page, 'Delete thanks').waitFor({ state: 'detached' })
    await focused(name)
    await closeDialog(page, 'Canned replies')
    await page.keyboard.press('Alt+x')
    await focused(page.getByRole('combobox', { name: 'To which queue?' }))
    await page.keyboard.type('billing')
    await page.keyboard.press('Enter')
    await focused(page.getByRole('heading', { name: /about my bicycle/ }))
  })

  it('works where the browser denies storage', async () => {
    const { context, page } = await visit()
    await context.addInitScript(() =>
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      }),
    )
    await page.goto(`${origin()}/desk.html`)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Sarah')
    await button(page, 'Go to the desk').click()
    await page.getByRole('heading', { name: 'Waiting', exact: true }).waitFor()
    await context.close()
  })

  it.runIf(isLong)('cuts off the end of a question, never its start, in Arabic too', async () => {
    const visitor = await openChat()
    const sarah = await openDesk('Sarah')
    await say(visitor.panel, 'Message', `أريد التحدث مع شخص ${'دراجتي '.repeat(30)}`)
    await button(sarah.page, /دراجتي/).click()
    for (const cut of [
      sarah.page.getByRole('heading', { level: 2, name: /دراجتي/ }),
      sarah.page.locator('.request'),
    ])
      expect(await cut.evaluate((each) => getComputedStyle(each).direction)).toBe('rtl')
    for (const { context } of [visitor, sarah]) await context.close()
  })

  it.runIf(isLong)(
    'scrolls its entrance in a small window, where nothing of it is out of reach',
    async () => {
      // A window of 1280 by 1024 pixels shows as much at 400 % zoom.
      const { context, page } = await visit({ viewport: { width: 320, height: 256 } })
      await page.goto(`${origin()}/desk.html`)
      const enter = button(page, 'Go to the desk')
      await enter.waitFor()
      const lowest = () =>
        enter.evaluate((each) => Math.round(each.getBoundingClientRect().bottom) - window.innerHeight)
      // By the wheel alone: the focus would scroll by itself.
      await page.mouse.move(160, 128)
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 100)
          return lowest()
        })
        .toBeLessThanOrEqual(0)
      const top = page.getByRole('heading', { level: 1 })
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, -100)
          return top.evaluate((each) => each.getBoundingClientRect().top)
        })
        .toBeGreaterThanOrEqual(0)
      await context.close()
    },
  )

  it.runIf(isLong)(
    'shows its own people by their whole name, and the chosen conversation in forced colours',
    async () => {
      const visitor = await openChat()
      const sarah = await openDesk('Sarah Weatherby-Featherstone')
      const name = sarah.page.getByText('Sarah Weatherby-Featherstone', { exact: true })
      const isCut = (element: Element) => {
        const box = element.parentElement as Element
        return box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1
      }
      expect(await name.first().evaluate(isCut)).toBe(false)

      await say(visitor.panel, 'Message', 'I’d like to talk to a person about my lamp')
      const item = button(sarah.page, /about my lamp/)
      await item.click()
      await expect.poll(() => item.getAttribute('aria-current')).not.toBeNull()
      await sarah.page.emulateMedia({ forcedColors: 'active' })
      const colours = () =>
        item.evaluate((each) =>
          [...each.querySelectorAll('.facts, .facts *, .preview, .request')]
            .map((part) => getComputedStyle(part).color)
            .filter((colour) => colour !== getComputedStyle(each).color),
        )
      await expect.poll(colours).toEqual([])
      for (const { context } of [visitor, sarah]) await context.close()
    },
  )
})
