// What reaches those who do not see the chat as it was drawn: each announcement of a visit, counted, and the contrast of its colours
// under any accent, as a real browser computes them.

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import {
  CANCEL,
  CHIPS,
  DECIDED,
  type FrontDesk,
  GREETING,
  PERSON,
  QUESTION,
  SARAH,
  startFrontDesk,
} from './front-desk.ts'
import { focused, leave, startBrowser, visit } from './world.ts'

let desk: FrontDesk
let browser: Browser
let closeBrowser: () => Promise<void>
beforeAll(async () => {
  ;[desk, { browser, close: closeBrowser }] = await Promise.all([startFrontDesk(), startBrowser()])
}, 240_000)
afterEach(async () => {
  await leave()
  await desk.clear()
})
afterAll(async () => {
  await closeBrowser?.()
  await desk?.close()
})

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
}
/** `before`: runs in the page before the chat is there. */
async function open(before?: () => void) {
  const visited = await visit(browser)
  await visited.page.goto(desk.address.none)
  if (before) await visited.page.evaluate(before)
  await visited.page.getByRole('button', { name: 'Open chat' }).click()
  await log(visited.page).getByText(GREETING).waitFor()
  return visited
}

/** Keeps what a screen reader is given, from the moment there is a panel: each text that appears in a region while it is live. */
function listen(): void {
  const heard: string[] = []
  Object.assign(globalThis, { heard })
  const regionOf = (node: Node): Element | null => {
    const element = node instanceof Element ? node : node.parentElement
    const region = element?.closest('[aria-live], [role="status"], [role="alert"], [role="log"]') ?? null
    return region?.getAttribute('aria-live') === 'off' ? null : region
  }
  const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim()
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes)
        if (node.isConnected && regionOf(node) && plain(node.textContent)) heard.push(plain(node.textContent))
  })
  const begin = () => {
    const panel = document.querySelector('foyer-host')?.shadowRoot?.querySelector('section')?.shadowRoot
    if (panel) observer.observe(panel, { subtree: true, childList: true, characterData: true })
    else setTimeout(begin)
  }
  begin()
}

it('each thing that happens is announced once, in order, and nothing else is', {
  timeout: 180_000,
}, async () => {
  const { context, page } = await open(listen)
  // How long a wait is expected to be depends on those before. Lines that wait together are said together.
  const heard = async () =>
    ((await page.evaluate('heard')) as string[]).join(' ').replace(/, about \d+ \w+/g, '')
  const hears = (text: string) => expect.poll(heard).toContain(text)

  await hears(GREETING)
  await page.evaluate('heard.length = 0')
  await ask(page, CHIPS.at(-1) ?? '')
  await hears('Fern said: You can return anything within thirty days.')
  await ask(page, PERSON)
  await hears('You’re number 1 in the queue')
  const [{ id } = { id: '' }] = await desk.desk.entries()
  await desk.desk.take(id, SARAH)
  await hears('Sarah joined')
  await desk.desk.answer(id, SARAH.id, 'Hello, this is Sarah.\n\n```\none\ntwo\n```')
  await hears('Code, 2 lines.')
  await desk.desk.leave(id, SARAH.id, true)
  await hears('This chat has ended.')

  await hears('Sarah left')
  const all = await heard()
  // The end has a region of its own, which may come before it.
  expect(all.split('Sarah left')).toHaveLength(2)
  // Said where the place is not known at once.
  const place = /You’re waiting for a person\. |Looking for a person… /g
  expect(all.replace(place, '').replace(' Sarah left', '')).toBe(
    [
      'Fern said: You can return anything within thirty days.',
      'Fern said: One moment.',
      'You’re number 1 in the queue',
      'Sarah joined',
      'Sarah said: Hello, this is Sarah.',
      'Code, 2 lines.',
      'This chat has ended.',
    ].join(' '),
  )
  await context.close()
})

it('a question is decided by keyboard, once in all tabs and after a reload, and what was decided is read once', {
  timeout: 180_000,
}, async () => {
  const { context, page, traces } = await open(listen)
  const other = await context.newPage()
  await other.goto(desk.address.none)
  await other.getByRole('button', { name: 'Open chat' }).click()
  const question = (of: Page) => log(of).getByRole('group', { name: QUESTION.title }).last()
  const choice = (of: Page, name: string) => question(of).getByRole('button', { name })
  const isDecided = (of: Page, text: RegExp) => question(of).getByText(text).waitFor()
  const heard = async () => ((await page.evaluate('heard')) as string[]).join(' ')

  await ask(page, CANCEL)
  for (const each of [page, other]) await choice(each, QUESTION.confirm).waitFor()
  const asked = `Fern said: ${QUESTION.title} ${QUESTION.summary}`
  await expect.poll(heard).toContain(asked)
  // The choices are nowhere else.
  expect(await page.getByRole('button', { name: QUESTION.cancel }).count()).toBe(1)
  await page.keyboard.press('Shift+Tab')
  for (let stops = 0; stops < 5; stops++)
    if (!(await choice(page, QUESTION.confirm).evaluate((element) => element.matches(':focus'))))
      await page.keyboard.press('Shift+Tab')
  await focused(choice(page, QUESTION.confirm))
  await page.keyboard.press('Enter')
  await focused(page.getByRole('textbox', { name: 'Message' }))
  for (const each of [page, other]) {
    await isDecided(each, /^Confirmed · .*Cancel the repair/)
    await log(each).getByText(DECIDED.confirm).waitFor()
    expect(await question(each).getByRole('button').count()).toBe(0)
  }
  await expect.poll(heard).toContain(DECIDED.confirm)
  for (const line of [asked, 'Confirmed · ', DECIDED.confirm])
    expect((await heard()).split(line)).toHaveLength(2)

  await page.reload()
  await isDecided(page, /^Confirmed · /)
  await ask(page, CANCEL)
  // One of them may be gone before the mouse is there.
  const pressed = [
    await choice(page, QUESTION.cancel).elementHandle(),
    await choice(other, QUESTION.confirm).elementHandle(),
  ]
  await Promise.all(pressed.map((each) => each?.evaluate((node) => (node as HTMLElement).click())))
  for (const each of [page, other]) await isDecided(each, /^(Confirmed|Cancelled) · /)
  expect(await question(page).textContent()).toBe(await question(other).textContent())
  await expect.poll(() => log(page).locator('article').count()).toBe(9)
  expect(traces.errors).toEqual([])
  await context.close()
})

it.runIf(isLong)(
  'on the way back each button takes the focus once, those of the newest answer too',
  {
    timeout: 180_000,
  },
  async () => {
    const { context, page } = await open()
    await ask(page, CHIPS.at(-1) ?? '')
    await page.getByRole('button', { name: 'Copy answer' }).waitFor()
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await page.evaluate(() => {
      const focused: (string | null)[] = []
      Object.assign(globalThis, { focused })
      const panel = document.querySelector('foyer-host')?.shadowRoot?.querySelector('section')?.shadowRoot
      panel?.addEventListener('focusin', ({ target }) => {
        const { ariaLabel, textContent } = target as Element
        focused.push(ariaLabel ?? textContent)
      })
    })
    const focused = async () => (await page.evaluate('focused')) as string[]
    for (let stops = 0; stops < 20 && (await focused()).at(-1) !== 'Copy answer'; stops++)
      await page.keyboard.press('Shift+Tab')
    await page.getByRole('article').getByRole('button', { name: 'Copy answer' }).waitFor()
    const names = await focused()
    expect(names.at(-1)).toBe('Copy answer')
    expect(names).toEqual([...new Set(names)])
    await context.close()
  },
)

const ACCENTS = isLong ? 40 : 6

it(`${ACCENTS} accents are readable in every use, in both themes`, { timeout: 180_000 }, async () => {
  const { context, page, traces } = await open()
  await page.getByRole('button', { name: CHIPS[0] ?? '' }).click()
  await log(page)
    .getByText(/more about the repair/)
    .waitFor()
  await page.getByRole('button', { name: CHIPS[0] ?? '' }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('a draft')
  await page.keyboard.press('Shift+Tab')
  const found = await page.evaluate(measure, ACCENTS)
  expect(found.count).toBe(ACCENTS * 2 * 6)
  expect(found.accents).toBeGreaterThan(ACCENTS / 2)
  expect(found.poor).toEqual([])
  expect(traces.errors).toEqual([])
  await context.close()
})

/** Runs in the page: gives the chat one accent after another, and measures what is drawn. */
async function measure(accents: number) {
  const { Foyer } = globalThis as unknown as { Foyer: { update(looks: object): void } }
  const host = document.querySelector('foyer-host')?.shadowRoot as ShadowRoot
  const panel = host.querySelector('section')?.shadowRoot as ShadowRoot
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const rgb = (colour: string): number[] => {
    canvas?.clearRect(0, 0, 1, 1)
    if (canvas) canvas.fillStyle = colour
    canvas?.fillRect(0, 0, 1, 1)
    return [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])]
  }
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = rgb(colour).map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (a: string, b: string): number => {
    const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
    return (high + 0.05) / (low + 0.05)
  }
  /** The colour that is seen behind an element. */
  const ground = (element: Element): string => {
    for (let each: Element | null = element; each; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each)
      if ((rgb(backgroundColor)[3] ?? 0) === 255) return backgroundColor
    }
    return 'white'
  }
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
  // The same colours in every run: over all hues, dark to light, dull to bright.
  const colours = Array.from(
    { length: accents },
    (_, index) => `hsl(${(index * 137) % 360}, ${(index * 61) % 101}%, ${(index * 29) % 101}%)`,
  )
  const fillOf = () => {
    const bubble = panel.querySelector('article.visitor')
    return bubble && getComputedStyle(bubble).backgroundColor
  }
  const unpainted = fillOf()
  const poor: string[] = []
  const fills = new Set<string>()
  let count = 0
  for (const theme of ['light', 'dark'])
    for (const accent of colours) {
      Foyer.update({ accent, theme })
      // What paints is loaded with the first, which is black.
      while (count === 0 && fillOf() === unpainted) await frame()
      // The time is drawn once the pointer is near.
      panel.querySelector('article.visitor')?.dispatchEvent(new PointerEvent('pointerenter'))
      for (let frames = count === 0 ? 60 : 3; frames > 0; frames--) await frame()
      for (const each of [host, panel].flatMap((root) => root.getAnimations())) each.finish()
      const one = (selector: string) => panel.querySelector(selector) as HTMLElement
      const launcher = host.querySelector('button') as HTMLElement
      const [bubble, chip, send] = [one('article.visitor'), one('.chip'), one('.send')]
      const focused = panel.activeElement ?? chip
      fills.add(getComputedStyle(bubble).backgroundColor)
      const uses: [string, number, string, string][] = [
        ['a message', 4.5, getComputedStyle(bubble).color, ground(bubble)],
        ['its time', 4.5, getComputedStyle(one('article.visitor time')).color, ground(one('.log'))],
        ['a chip', 4.5, getComputedStyle(chip).color, ground(chip)],
        ['the send button', 3, getComputedStyle(send).color, ground(send)],
        [
          'the launcher',
          3,
          getComputedStyle(launcher.querySelector('slot') ?? launcher).color,
          ground(launcher),
        ],
        [
          'the focus ring',
          3,
          getComputedStyle(focused).outlineColor,
          ground(focused.parentElement ?? focused),
        ],
      ]
      for (const [use, least, words, behind] of uses) {
        count++
        const ratio = contrast(words, behind)
        if (ratio < least - 0.01)
          poor.push(`${theme} ${accent}: ${use} ${ratio.toFixed(2)} (${words} on ${behind})`)
      }
    }
  return { count, poor, accents: fills.size }
}
