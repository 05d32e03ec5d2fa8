// Every state of the gallery, looked at: light, dark and in forced colours, eight of them in four languages and three sizes. `npm test`
// looks at each state once, and at each theme, language and size in some of them; `npm run test:long` at all.
// `FOYER_TEST_GALLERY=write` takes what is seen as what is to be seen from now on: look at the pictures first.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join, resolve } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STATES } from '../../demo/gallery/states.ts'
import { some as everyNth } from '../long.ts'
import {
  differences,
  faultsOf,
  type Look,
  lookOf,
  type Paints,
  paintsOf,
  unknownPaints,
  withPaints,
} from './gallery-look.ts'
import { freePort, startBrowser } from './world.ts'

const folder = resolve(import.meta.dirname, '../../dist/demo')
const file = join(import.meta.dirname, 'gallery.json')
type Kept = { looks: Record<string, Look>; paints: Record<string, Paints> }
const writes = process.env.FOYER_TEST_GALLERY === 'write'
const known: Kept =
  existsSync(file) && !writes ? JSON.parse(readFileSync(file, 'utf8')) : { looks: {}, paints: {} }
const seen: Kept = { looks: {}, paints: {} }

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
const SIZES = { panel: [448, 728], phone: [390, 844], wide: [1280, 800] } as const
type Size = keyof typeof SIZES

let pages: Server
let browser: Browser
let closeBrowser: () => Promise<void>
let page: Page
let origin: string
const errors: string[] = []

beforeAll(async () => {
  pages = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname
    readFile(join(folder, path)).then(
      (body) => {
        response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
        response.setHeader('content-security-policy', POLICY)
        response.end(body)
      },
      () => response.writeHead(404).end(),
    )
  })
  const port = await freePort()
  await new Promise<void>((listening) => pages.listen(port, '127.0.0.1', listening))
  origin = `http://127.0.0.1:${port}`
  ;({ browser, close: closeBrowser } = await startBrowser())
  const context = await browser.newContext({ timezoneId: 'UTC', reducedMotion: 'reduce' })
  page = await context.newPage()
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(`${origin}/gallery.html`)
  await page.evaluate(axe.source)
})
afterAll(async () => {
  await closeBrowser?.()
  pages?.close()
  // A line for each screen and each theme, so that a change of one reads as one.
  const lines = ([name, kept]: [string, object]) =>
    `"${name}":{\n${Object.entries(kept)
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      .join(',\n')}\n}`
  if (writes) writeFileSync(file, `{${Object.entries(seen).map(lines).join(',\n')}}\n`)
})

type Shown = { state: string; theme?: 'light' | 'dark'; locale?: string; size?: Size; height?: number }
async function show({ size = 'panel', ...shown }: Shown): Promise<void> {
  errors.length = 0
  const [width, height] = SIZES[size]
  await page.setViewportSize({ width, height })
  await page.waitForFunction('window.gallery')
  await page.evaluate(
    (asked) => (window as unknown as { gallery: { show(shown: object): Promise<void> } }).gallery.show(asked),
    { ...shown, size },
  )
}
async function check(name: string, least: number, theme: 'light' | 'dark' = 'light'): Promise<void> {
  expect(errors).toEqual([])
  expect(await faultsOf(page, least)).toEqual([])
  const [look, paints] = [await lookOf(page), await paintsOf(page)]
  seen.looks[name] = look
  seen.paints[theme] = withPaints(seen.paints[theme], paints)
  if (writes) return
  expect(differences(known.looks[name], look)).toEqual([])
  expect(unknownPaints(known.paints[theme], paints)).toEqual([])
}
async function objections(): Promise<string[]> {
  return page.evaluate(async () => {
    const runner = (window as unknown as { axe: typeof axe }).axe
    const { violations } = await runner.run(document, { resultTypes: ['violations'] })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
  })
}

/** A run that writes gallery.json anew draws every state. */
const some: typeof everyNth = (all, nth, first) => (writes ? all : everyNth(all, nth, first))
const NAMES = Object.keys(STATES)

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  it.each(some(NAMES, 3, theme === 'light' ? 0 : 1))(
    '%s is whole, looks as before, and axe objects to nothing',
    async (state) => {
      await show({ state, theme })
      await check(`${state} ${theme}`, 24, theme)
      expect(await objections()).toEqual([])
    },
  )
})

describe('in forced colours', () => {
  beforeAll(() => page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' }))
  afterAll(() => page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' }))
  it.each(some(NAMES, 3, 2))('%s is whole, and axe objects to nothing', async (state) => {
    await show({ state })
    expect(errors).toEqual([])
    expect(await faultsOf(page, 24)).toEqual([])
    expect(await objections()).toEqual([])
  })
})

const KEY = ['welcome', 'conversation', 'handoff-waiting', 'unsent', 'ended', 'menu', 'form', 'consent']
const LOCALES = ['en', 'de', 'ar', 'ja']
/** The families of fonts.conf that the gallery is drawn in. */
const BROUGHT = ['DejaVu Sans', 'DejaVu Sans Mono', 'Sawarabi Gothic']
const LOCALISED = KEY.flatMap((state) => LOCALES.map((locale) => [state, locale] as const))
describe.each(Object.keys(SIZES) as Size[])('as %s', (size) => {
  // Each size in each language, and in four states or five.
  it.each(some(LOCALISED, LOCALES.length * 2 + 1, { panel: 4, phone: 0, wide: 2 }[size]))(
    '%s is whole in %s, and looks as before',
    async (state, locale) => {
      await show({ state, locale, size })
      await check(`${state} ${locale} ${size}`, size === 'phone' ? 44 : 24)
    },
  )
})

describe('at 400 % zoom', () => {
  it.each(some(KEY, 4))('%s is whole', async (state) => {
    await show({ state, size: 'phone' })
    await page.setViewportSize({ width: 320, height: 256 })
    expect((await faultsOf(page, 24)).filter((fault) => !fault.includes('end of the conversation'))).toEqual(
      [],
    )
  })
})

/** WCAG 1.4.12: what a reader may ask for. */
const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'
/** As a wrong line in a style sheet would, or a reader's own. */
const style = (text: string) =>
  page.evaluate((rule) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rule)
    document.adoptedStyleSheets.push(sheet)
  }, text)
const unstyle = () => page.evaluate(() => void document.adoptedStyleSheets.pop())

describe('the tools and the time of a message', () => {
  const measured = [
    ['conversation', 'panel', 2, 7],
    ['error', 'panel', 0, 2],
    ['undelivered', 'panel', 0, 2],
    ['unsent', 'panel', 0, 1],
    ['stopped', 'panel', 1, 3],
    ['mixed', 'panel', 1, 4],
    ['restarted', 'panel', 1, 4],
    ['handoff-typing', 'phone', 3, 7],
    ['handoff-left', 'phone', 3, 7],
    ['error', 'phone', 0, 2],
    ['conversation', 'phone', 2, 7],
  ] as const
  it.each(some(measured, 4))(
    'move nothing, and lie on nothing but what follows, on a ground of their own, in %s as %s',
    async (state, size, tools, times) => {
      await show({ state, size })
      // A message that comes in is still on its way to its place.
      await expect
        .poll(() => page.evaluate(readOverlaps, size === 'phone' ? 44 : 24))
        .toEqual({ found: [], measured: { tools, times } })
    },
  )
})

describe('words of any length', () => {
  const SMALL = { width: 320, height: 568 }
  // Every sixth: the longest words, the highest, and from right to left.
  const locales = 'de en es fr fr-CA he hi it ja ko nl pl ar pt sv tr zh-Hans zh-Hant'.split(' ')
  it.each(some(locales, 6))('fit the notice and its button on a small phone, in %s', async (locale) => {
    await show({ state: 'gave-up', locale, size: 'phone' })
    await page.setViewportSize(SMALL)
    expect(await faultsOf(page, 44)).toEqual([])
    const { notice, button, lines } = await page.evaluate(() => {
      const outer = document.querySelector('.notice') as Element
      const inner = outer.querySelector('button') as Element
      const words = document.createRange()
      words.selectNodeContents(inner)
      const [notice, button] = [outer, inner].map((each) => each.getBoundingClientRect().toJSON())
      return { notice, button, lines: words.getClientRects().length }
    })
    expect([button.left >= notice.left, button.right <= notice.right, lines]).toEqual([true, true, 1])
  })
  it.each([
    ['as they are', ''],
    ['in wide letters', SPACING],
  ])('%s fit the header of a small phone, where they wait in a queue', async (_, rule) => {
    await show({ state: 'handoff-waiting', locale: 'de', size: 'phone' })
    await page.setViewportSize(SMALL)
    await style(rule)
    const { cut, above, below } = await page.evaluate(() => {
      const header = document.querySelector('.header') as Element
      const status = document.querySelector('.status') as Element
      const [outer, inner] = [header, header.querySelector('.who') as Element].map((each) =>
        each.getBoundingClientRect(),
      ) as [DOMRect, DOMRect]
      return {
        cut: status.scrollHeight - status.clientHeight,
        above: inner.top - outer.top,
        below: outer.bottom - inner.bottom,
      }
    })
    await unstyle()
    expect(cut).toBeLessThanOrEqual(1)
    expect([above >= 5, below >= 5]).toEqual([true, true])
  })
  it.each([
    ['as they are', ''],
    ['in wide letters', SPACING],
  ])('%s are whole in a suggestion', async (_, rule) => {
    await show({ state: 'suggestions-unfolded', locale: 'de', size: 'phone' })
    await page.setViewportSize(SMALL)
    await page.evaluate((text) => {
      for (const chip of document.querySelectorAll('.chip:not(.more)'))
        (chip.firstChild as Node).textContent = text
    }, 'Ersatzakkubefestigungsschraube: passt sie auch an ein älteres Fahrrad von 2019?')
    await style(rule)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.chip, .chip *')]
        .filter(
          (each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1,
        )
        .map(
          (each) =>
            `${each.localName}: ${each.scrollWidth} of ${each.clientWidth}, ${each.scrollHeight} of ${each.clientHeight}`,
        ),
    )
    await unstyle()
    expect(cut).toEqual([])
  })
})

describe('a long teaser', () => {
  it('shows three whole lines, and nothing of a fourth', async () => {
    await show({ state: 'teaser' })
    const teaser = page.getByRole('button', { name: 'Can I help you find' })
    const visible = await teaser.evaluate((button) => {
      button.textContent = 'Words of a long sentence. '.repeat(20)
      const range = document.createRange()
      range.selectNodeContents(button)
      const { bottom } = button.getBoundingClientRect()
      return [...range.getClientRects()]
        .filter(({ top }) => top < bottom - 4)
        .map((line) => line.bottom <= bottom)
    })
    expect(visible).toEqual([true, true, true])
  })
})

describe('the name in the header', () => {
  it.each(['en', 'ar', 'he'])(
    'stands beside the picture in %s, whatever its own direction',
    async (locale) => {
      for (const name of ['Larkspur', 'مساعد']) {
        await show({ state: 'welcome', locale })
        const gap = await page.evaluate((name) => {
          const bdi = document.querySelector('.name bdi') as Element
          bdi.textContent = name
          const range = document.createRange()
          range.selectNodeContents(bdi)
          const [text, avatar] = [range, document.querySelector('.header .avatar') as Element].map((each) =>
            each.getBoundingClientRect(),
          ) as [DOMRect, DOMRect]
          return Math.max(text.left - avatar.right, avatar.left - text.right)
        }, name)
        expect(Math.round(gap)).toBe(12)
      }
    },
  )
})

describe('an Arabic message among English ones', () => {
  it.each(['visitor', 'agent'])('of the %s begins each line at its right', async (role) => {
    await show({ state: 'mixed' })
    await style('.message.visitor, .message.agent { width: 140px }')
    const rights = await page.evaluate((role) => {
      const text = document.querySelector(`.message.${role} [dir="auto"]`) as Element
      const range = document.createRange()
      range.selectNodeContents(text)
      const lines = new Map<number, number>()
      for (const { top, right } of range.getClientRects())
        lines.set(Math.round(top / 8), Math.max(right, lines.get(Math.round(top / 8)) ?? 0))
      return [...lines.values()].map(Math.round)
    }, role)
    await unstyle()
    expect(rights.length).toBeGreaterThan(1)
    expect(Math.max(...rights) - Math.min(...rights)).toBeLessThanOrEqual(6)
  })
})

describe('a double click', () => {
  const opened = [
    ['End chat', 'alertdialog', 'End this chat now?', 'Cancel'],
    ['Delete this chat', 'alertdialog', 'Delete it for good?', 'Cancel'],
    ['Language', 'menu', 'Language', 'Back'],
    ['Screen reader', 'menu', 'Screen reader', 'Back'],
  ] as const
  it.each(opened)(
    'on “%s” in the menu chooses nothing in it, and presses nothing behind it',
    async (act, role, name, back) => {
      await show({ state: 'menu' })
      await page.evaluate(() => {
        const elsewhere: string[] = []
        Object.assign(window, { elsewhere })
        for (const type of ['pointerdown', 'click'])
          document.addEventListener(
            type,
            ({ target }) => {
              if (!(target as Element).closest('.menu, .scrim'))
                elsewhere.push(`${type}: ${(target as Element).className}`)
            },
            // Before the press takes away what it is on.
            { capture: true },
          )
      })
      const shown = () => page.getByRole(role, { name, exact: true })
      await page.getByRole('menuitem', { name: act, exact: true }).dblclick()
      await shown().waitFor()
      expect(await page.evaluate('window.elsewhere')).toEqual([])
      if (role === 'alertdialog') await shown().getByText(back, { exact: true }).click()
      else {
        await shown().getByText(back, { exact: true }).dblclick()
        await page.getByRole('menu', { name: 'More' }).getByText(act, { exact: true }).waitFor()
        expect(await page.evaluate('window.elsewhere')).toEqual([])
      }
      await shown().waitFor({ state: 'detached' })
    },
  )
})

describe('the menu in forced colours', () => {
  beforeAll(() => page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' }))
  afterAll(() => page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' }))
  it('draws its pictures in the colour of its words', async () => {
    await show({ state: 'menu' })
    const others = await page.evaluate(() =>
      [...document.querySelectorAll('.menu .icon')]
        .map((icon) => [icon, icon.parentElement as Element].map((each) => getComputedStyle(each).color))
        .filter(([own, parents]) => own !== parents),
    )
    expect(others).toEqual([])
  })
  it.each(['switch', 'switch on'])('shows the knob of a %s', async (name) => {
    await show({ state: 'menu' })
    const [track, knob] = await page.evaluate((name) => {
      const shown = document
        .querySelector('.menu button')
        ?.appendChild(document.createElement('i')) as Element
      shown.className = name
      return [undefined, '::after'].map((part) => getComputedStyle(shown, part).backgroundColor)
    }, name)
    expect(knob).not.toBe(track)
  })
})

describe('the test itself', () => {
  const look = async (shown: Shown) => {
    await show(shown)
    return lookOf(page)
  }
  it('takes no state for another, and no theme for the other', async () => {
    const welcome = await look({ state: 'welcome' })
    expect(differences(welcome, await look({ state: 'welcome' }))).toEqual([])
    expect(differences(welcome, await look({ state: 'form' }))).not.toEqual([])
    expect(differences(welcome, await look({ state: 'welcome', theme: 'dark' }))).not.toEqual([])
    expect(differences(welcome, await look({ state: 'ended' }))).not.toEqual([])
  })

  it('refuses a screen that is blank, too wide, too small, covered or cut off', async () => {
    await show({ state: 'conversation' })
    for (const rule of [
      '#stage * { visibility: hidden }',
      '.message { min-width: 600px }',
      '.round { width: 16px !important; height: 16px !important }',
      '.foot::after { content: ""; position: absolute; inset: 0; z-index: 9 }',
      '.log { transform: translateY(60px) }',
    ]) {
      await style(rule)
      expect(await faultsOf(page, 24), rule).not.toEqual([])
      await unstyle()
    }
    expect(await faultsOf(page, 24)).toEqual([])
  })

  it('sees a screen that lacks something, is moved by little, or has other colours', async () => {
    const before = await look({ state: 'conversation' })
    for (const rule of [
      '.header { display: none !important }',
      '.composer { display: none !important }',
      '.header { transform: translateY(24px) }',
      '.composer { transform: translateY(-33px) }',
      '.foyer { --surface: #ffe08a !important; background: #ffe08a !important }',
    ]) {
      await style(rule)
      expect(differences(before, await lookOf(page)), rule).not.toEqual([])
      await unstyle()
    }
    expect(differences(before, await lookOf(page))).toEqual([])
  })

  const tokens = [
    ['the accent', '--accent: #b3261e'],
    ['the words on it', '--on-accent: #eee'],
    ['secondary words', '--muted: #777'],
    ['links and chips', '--link: #b3261e'],
    ['a surface', '--surface-3: #e0e0ff'],
  ] as const
  it.each(some(tokens, 3))('sees another colour of %s', async (_, token) => {
    await show({ state: 'welcome' })
    const before = await paintsOf(page)
    await show({ state: 'conversation' })
    const known = withPaints(before, await paintsOf(page))
    await style(`.foyer { ${token} !important }`)
    const after = await paintsOf(page)
    await show({ state: 'welcome' })
    expect([...unknownPaints(known, after), ...unknownPaints(known, await paintsOf(page))]).not.toEqual([])
    await unstyle()
  })
  it.each(some(LOCALES, 3))('draws no letter in a font of the machine, in %s', async (locale) => {
    await show({ state: 'conversation', locale })
    const devtools = await page.context().newCDPSession(page)
    for (const domain of ['DOM', 'CSS'] as const) await devtools.send(`${domain}.enable`)
    const { nodes } = await devtools.send('DOM.getFlattenedDocument', { depth: -1, pierce: true })
    const drawn = new Set<string>()
    for (const { nodeId } of nodes) {
      const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
      for (const { familyName } of fonts) drawn.add(familyName)
    }
    await devtools.detach()
    expect([...drawn].filter((name) => !BROUGHT.includes(name))).toEqual([])
    expect(drawn).toContain('DejaVu Sans')
  })
})

/**
 * Gives each message the focus, and says what its tools and its time then move, what they cover but the lines below an older answer, and which
 * tool is smaller than `least` (px).
 * Counts what it measured. Runs in the page.
 */
async function readOverlaps(
  least: number,
): Promise<{ found: string[]; measured: { tools: number; times: number } }> {
  const found: string[] = []
  const measured = { tools: 0, times: 0 }
  const frames = async () => {
    for (let count = 0; count < 3; count++)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }
  const OTHERS = '.message, .line, .divider, .time.between, .outcome, .chip, .dots, .notice, .composer'
  const boxes = () => {
    const scroll = document.querySelector('.scroll') as Element
    return [...document.querySelectorAll('.message')].map(
      (each) => `${Math.round(each.getBoundingClientRect().top + scroll.scrollTop)}`,
    )
  }
  const isShown = (part: Element | null) =>
    part?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    part.getBoundingClientRect().width > 0
  /** They come with the focus. */
  const comes = async (message: Element, part: string) => {
    for (const end = performance.now() + 20_000; !isShown(message.querySelector(part)); await frames())
      if (performance.now() > end) return false
    return true
  }
  for (const message of document.querySelectorAll<HTMLElement>('article.message[tabindex]')) {
    const before = boxes().join()
    message.focus()
    const parts = message.matches('.visitor, .greets') ? ['.time'] : ['.tools', '.time']
    for (const part of parts)
      if (!(await comes(message, part))) {
        const focus = document.activeElement
        const why = `no ${part}, the focus is on ${focus?.localName}.${focus?.className}`
        return { found: [`${message.textContent}: ${why}`], measured }
      }
    await frames()
    const after = boxes().join()
    if (after !== before) found.push(`${message.textContent}: moved from ${before} to ${after}`)
    for (const tool of message.querySelectorAll('.tool')) {
      const { width, height } = tool.getBoundingClientRect()
      if (width < least || height < least) found.push(`${tool.className}: ${width} x ${height}`)
    }
    for (const part of message.querySelectorAll('.tools, .time')) {
      if (!isShown(part)) continue
      measured[part.matches('.time') ? 'times' : 'tools']++
      const own = part.getBoundingClientRect()
      const place = (document.querySelector('.scroll') as Element).getBoundingClientRect()
      if (own.left < place.left - 1 || own.right > place.right + 1) found.push(`${part.className}: cut`)
      const rest = [...document.querySelectorAll(OTHERS)].filter((other) => !other.contains(part))
      const inside = [...message.children].filter((other) => other !== part && !other.matches('.hidden'))
      for (const other of [...rest, ...inside]) {
        if (message.contains(other) && !inside.includes(other)) continue
        const { left, right, top, bottom } = other.getBoundingClientRect()
        const isApart =
          right <= own.left + 1 || left >= own.right - 1 || bottom <= own.top + 1 || top >= own.bottom - 1
        const isBelow = message.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING
        const hasGround = !/rgba|transparent|\//.test(getComputedStyle(part).backgroundColor)
        const mayCover =
          !message.matches('.visitor, .last:not(.greets)') && isBelow && hasGround && rest.includes(other)
        if (!isApart && !mayCover)
          found.push(`${part.className} of “${message.textContent}” lies on ${other.className}`)
      }
    }
  }
  return { found, measured }
}
