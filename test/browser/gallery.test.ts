// Every state of the gallery, looked at: light, dark and in forced colours, eight of them in four languages and three sizes.
// `FOYER_TEST_GALLERY=write` takes what is seen as what is to be seen from now on: look at the pictures first.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join, resolve } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STATES } from '../../demo/gallery/states.ts'
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
    // The sheet of a phone has no role: the panel in it is the dialog.
    const found = violations.filter(({ nodes }) =>
      nodes.some(({ html }) => !html.startsWith('<dialog role="none" part="panel"')),
    )
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
}

const NAMES = Object.keys(STATES)

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  it.each(NAMES)('%s is whole, looks as before, and axe objects to nothing', async (state) => {
    await show({ state, theme })
    await check(`${state} ${theme}`, 24, theme)
    expect(await objections()).toEqual([])
  })
})

describe('in forced colours', () => {
  beforeAll(() => page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' }))
  afterAll(() => page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' }))
  it.each(NAMES)('%s is whole, and axe objects to nothing', async (state) => {
    await show({ state })
    expect(errors).toEqual([])
    expect(await faultsOf(page, 24)).toEqual([])
    expect(await objections()).toEqual([])
  })
})

const KEY = ['welcome', 'conversation', 'handoff-waiting', 'unsent', 'ended', 'menu', 'form', 'consent']
const LOCALES = ['en', 'de', 'ar', 'ja']
describe.each(Object.keys(SIZES) as Size[])('as %s', (size) => {
  it.each(KEY.flatMap((state) => LOCALES.map((locale) => [state, locale] as const)))(
    '%s is whole in %s, and looks as before',
    async (state, locale) => {
      await show({ state, locale, size })
      await check(`${state} ${locale} ${size}`, size === 'phone' ? 44 : 24)
    },
  )
})

describe('at 400 % zoom', () => {
  it.each(KEY)('%s is whole', async (state) => {
    await show({ state, size: 'phone' })
    await page.setViewportSize({ width: 320, height: 256 })
    expect((await faultsOf(page, 24)).filter((fault) => !fault.includes('end of the conversation'))).toEqual(
      [],
    )
  })
})

describe('the test itself', () => {
  const look = async (shown: Shown) => {
    await show(shown)
    return lookOf(page)
  }
  /** As a wrong line in a style sheet would. */
  const style = (text: string) =>
    page.evaluate((rule) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(rule)
      document.adoptedStyleSheets.push(sheet)
    }, text)
  const unstyle = () => page.evaluate(() => void document.adoptedStyleSheets.pop())

  it('takes no state for another, and no theme for the other', async () => {
    const welcome = await look({ state: 'welcome' })
    expect(differences(welcome, await look({ state: 'welcome' }))).toEqual([])
    expect(differences(welcome, await look({ state: 'form' }))).not.toEqual([])
    expect(differences(welcome, await look({ state: 'welcome', theme: 'dark' }))).not.toEqual([])
    expect(differences(welcome, await look({ state: 'ended' }))).not.toEqual([])
  })

  it.each([
    ['that is blank', '#stage * { visibility: hidden }'],
    ['whose message is too wide', '.message { min-width: 600px }'],
    ['whose buttons are too small', '.round { width: 16px !important; height: 16px !important }'],
    ['whose composer is covered', '.foot::after { content: ""; position: absolute; inset: 0; z-index: 9 }'],
    ['whose end is cut off', '.log { transform: translateY(60px) }'],
  ])('refuses a screen %s', async (_, rule) => {
    await show({ state: 'conversation' })
    await style(rule)
    expect(await faultsOf(page, 24)).not.toEqual([])
    await unstyle()
  })
  it.each([
    ['without its header', '.header { display: none !important }'],
    ['without its composer', '.composer { display: none !important }'],
    ['whose header is 24 px lower', '.header { transform: translateY(24px) }'],
    ['whose composer is a line and a half higher', '.composer { transform: translateY(-33px) }'],
    ['in other colours', '.foyer { --surface: #ffe08a !important; background: #ffe08a !important }'],
  ])('sees a screen %s', async (_, rule) => {
    const before = await look({ state: 'conversation' })
    await style(rule)
    expect(differences(before, await lookOf(page))).not.toEqual([])
    await unstyle()
  })
  it.each([
    ['the accent', '--accent: #b3261e'],
    ['the words on it', '--on-accent: #eee'],
    ['secondary words', '--muted: #777'],
    ['links and chips', '--link: #b3261e'],
    ['a surface', '--surface-3: #e0e0ff'],
  ])('sees another colour of %s', async (_, token) => {
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
  it('takes another font for no other look', async () => {
    const before = await look({ state: 'conversation' })
    const paints = await paintsOf(page)
    await style('.foyer, .foyer * { font-family: monospace !important }')
    expect(differences(before, await lookOf(page))).toEqual([])
    expect(unknownPaints(paints, await paintsOf(page))).toEqual([])
    await unstyle()
  })
})
