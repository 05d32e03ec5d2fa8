// What a page makes its own where the chat runs in it: parts that its script draws, parts that its styles reach, and what it
// cancels. On a page with the strictest policy, with code and styles of its own.

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ANSWER, type FrontDesk, GREETING, PERSON, SARAH, startFrontDesk } from './front-desk.ts'
import { leave as leaveAll, listed, startBrowser, visit } from './world.ts'

/** As the journeys have it: many steps, each with a page, a panel and a service behind it. */
const PATIENCE = { timeout: 300_000 }

let desk: FrontDesk
let browser: Browser
let closeBrowser: () => Promise<void>
beforeAll(async () => {
  ;[desk, { browser, close: closeBrowser }] = await Promise.all([startFrontDesk(), startBrowser()])
}, 240_000)
afterAll(async () => {
  await closeBrowser?.()
  await desk?.close()
})

afterEach(async () => {
  await leaveAll()
  await desk.clear()
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
}
async function at(where: 'none' | 'own', given: Parameters<FrontDesk['dress']>[0]) {
  desk.dress(given)
  const visited = await visit(browser)
  await visited.page.goto(desk.address[where])
  return {
    ...visited,
    /** The policy refused nothing, and nothing threw. */
    async leave() {
      expect(visited.traces.errors).toEqual([])
      expect(visited.traces.console.filter((line) => /^error|Refused|Trusted/i.test(line))).toEqual([])
      await visited.context.close()
    },
  }
}
/** Gives a person at the desk to whoever asks for one on the page. */
async function join(page: Page): Promise<string> {
  await ask(page, PERSON)
  return take(page)
}
async function take(page: Page): Promise<string> {
  await expect.poll(async () => (await desk.desk.entries()).length).toBe(1)
  const [{ id } = { id: '' }] = await desk.desk.entries()
  expect(await desk.desk.take(id, SARAH)).toBe(true)
  await log(page).getByText('Sarah joined').waitFor()
  return id
}

describe('a page that draws parts itself', PATIENCE, () => {
  const SCRIPT = `
    import { mount } from '/package/index.js'
    const make = (name, text, part) => {
      const node = document.createElement(name)
      node.textContent = text
      return node
    }
    window.drawn = []
    window.chat = mount({
      isolation: 'none',
      render: {
        header: () => make('h2', 'Ask the workshop'),
        home: () => make('p', 'This week: ten per cent off bells'),
        message: (message) => {
          drawn.push(message)
          if (message.role === 'visitor') return make('b', message.text.toUpperCase())
          if (message.text.startsWith('Hello')) throw new Error('a part that fails')
          return undefined
        },
      },
    })
    await chat.ready
    document.querySelector('foyer-host').append(make('span', 'Help'))`

  it('has its header, its home, its messages and its launcher in the chat, and those of the chat elsewhere', async () => {
    const { page, traces, context } = await at('own', { script: SCRIPT })
    // The launcher keeps its name, which says what it does.
    const launcher = button(page, 'Open chat')
    await launcher.waitFor()
    await page.locator('foyer-host').getByText('Help').waitFor()
    expect(
      await page.evaluate(() => {
        const span = document.querySelector('foyer-host > span')
        return [span?.assignedSlot !== null, (span?.getBoundingClientRect().width ?? 0) > 0]
      }),
    ).toEqual([true, true])
    await launcher.click()

    await page.getByText('This week: ten per cent off bells').waitFor()
    await button(page, 'Write to us')
      .or(button(page, /write|question/i))
      .first()
      .click()
    await page.getByRole('heading', { name: 'Ask the workshop' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Fern' }).count()).toBe(0)
    // A part that throws is reported, and the chat's own is shown instead.
    await log(page).getByText(GREETING).waitFor()
    await listed(() => traces.errors, ['a part that fails'])
    await ask(page, 'hello there')
    await log(page).locator('b', { hasText: 'HELLO THERE' }).waitFor()
    await log(page)
      .getByText(/more about the repair/)
      .waitFor()
    await log(page).getByRole('table').waitFor()

    // Each message is asked for once, when it is complete.
    const drawn = async () =>
      ((await page.evaluate('drawn')) as { role: string; text: string; complete: boolean }[]).map(
        ({ role, text, complete }) => [role, text, complete],
      )
    await listed(drawn, [
      ['agent', GREETING, true],
      ['visitor', 'hello there', true],
      ['agent', ANSWER, true],
    ])
    expect(await log(page).getByRole('table').count()).toBe(1)
    expect(traces.errors).toEqual(['a part that fails'])
    expect(traces.console.filter((line) => /Refused|Trusted|Content Security/i.test(line))).toEqual([])
    await context.close()
  })
})

describe('styles of the page', PATIENCE, () => {
  /** A colour of its own for each, which nothing else has. */
  const PARTS = 'launcher panel header message visitor agent live notice composer send home'.split(' ')
  const colourOf = (part: string) => `rgb(1, 2, ${PARTS.indexOf(part) + 3})`
  const STYLES = PARTS.map(
    (part) => `foyer-host::part(${part}) { outline: 3px solid ${colourOf(part)} }`,
  ).join('\n')
  /** By class and element. */
  const HIDDEN = '.composer, textarea, article, .message, header { display: none !important }'
  /** How many elements have the outline of the part. */
  const reached = (page: Page, part: string) =>
    page.evaluate((colour) => {
      const all = (root: ParentNode): Element[] =>
        [...root.querySelectorAll('*')].flatMap((each) => [
          each,
          ...(each.shadowRoot ? all(each.shadowRoot) : []),
        ])
      return all(document).filter(
        (each) => getComputedStyle(each).outlineColor === colour && each.getBoundingClientRect().width > 0,
      ).length
    }, colourOf(part))
  const reaches = (page: Page, part: string, count = 1) =>
    expect.poll(() => reached(page, part), { message: part }).toBe(count)

  it('reach each documented part, at every time that it is there, and nothing by class or element', async () => {
    const { page, leave } = await at('own', {
      styles: `${STYLES}\n${HIDDEN}`,
      script: `
        import { mount } from '/package/index.js'
        mount({ isolation: 'none', render: { home: () => document.createElement('hr') } })`,
    })
    await button(page, 'Open chat').waitFor()
    await reaches(page, 'launcher')
    await button(page, 'Open chat').click()
    await reaches(page, 'home')
    await reaches(page, 'panel')
    await reaches(page, 'header')
    await button(page, /write|question/i)
      .first()
      .click()
    await log(page).getByText(GREETING).waitFor()
    await ask(page, 'hello there')
    await log(page)
      .getByText(/more about the repair/)
      .waitFor()
    for (const part of ['header', 'composer', 'send', 'visitor']) await reaches(page, part)
    // More than one part of a name that has several: the last rule wins.
    await reaches(page, 'agent', 2)
    await ask(page, PERSON)
    await button(page, 'Leave the queue').waitFor()
    await reaches(page, 'notice')
    const id = await take(page)
    await desk.desk.answer(id, SARAH.id, 'Hello from Sarah')
    await log(page).getByText('Hello from Sarah').waitFor()
    await reaches(page, 'live')
    await leave()
  })
})

describe('a page that cancels', PATIENCE, () => {
  it('the opening keeps the chat closed and contacts nobody, a message sends nothing, an answer shows and reads nothing of it', async () => {
    const { page, traces, leave } = await at('none', {
      script: `
        window.asked = 0
        document.addEventListener('foyer-before-open', (event) => {
          asked++
          if (!window.may) event.preventDefault()
        })
        document.addEventListener('foyer-before-send', (event) => {
          if (/\\d{4}/.test(event.detail.text)) event.preventDefault()
        })
        window.heard = []
        document.addEventListener('foyer-before-receive', (event) => {
          const { role, text, complete } = event.detail
          heard.push(role + complete)
          if (text.startsWith('Here is what I know')) event.preventDefault()
          if (text.includes('secret') && role !== 'visitor') event.preventDefault()
        })`,
    })
    await button(page, 'Open chat').click()
    await expect.poll(() => page.evaluate('asked')).toBe(1)
    await page.evaluate(`Foyer('open')`)
    await expect.poll(() => page.evaluate('asked')).toBe(2)
    expect(await page.evaluate('Foyer.getState().open')).toBe(false)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect([
      traces.sockets,
      traces.requests.filter((url) => /access-token|\/foyer\/frame/.test(url)),
    ]).toEqual([[], []])
    await page.evaluate('may = true')
    await button(page, 'Open chat').click()
    await log(page).getByText(GREETING).waitFor()

    // The words of a message are the visitor's again.
    const field = page.getByRole('textbox', { name: 'Message' })
    await ask(page, 'my card is 4111')
    await expect.poll(() => field.inputValue()).toBe('my card is 4111')
    await page.evaluate('heard = []')
    await ask(page, 'my card is a riddle')
    // The chips come with the end of the answer.
    await expect.poll(() => page.evaluate('heard')).toContain('agenttrue')
    const id = await join(page)
    // What came to the service is what the page let through.
    const said = (await desk.desk.lines(id)).flatMap((line) => (line.from === 'visitor' ? [line.text] : []))
    expect(said).toEqual(['my card is a riddle', PERSON])
    expect(await log(page).getByText('4111').count()).toBe(0)

    await desk.desk.answer(id, SARAH.id, 'This is a secret')
    await desk.desk.answer(id, SARAH.id, 'This is not')
    await log(page).getByText('This is not').waitFor()
    const shown = (await page.getByRole('dialog', { name: 'Chat' }).last().textContent()) ?? ''
    expect(shown).not.toContain('Here is what I know')
    expect(shown).not.toContain('secret')
    expect(shown).toContain(GREETING)
    await leave()
  })
})
