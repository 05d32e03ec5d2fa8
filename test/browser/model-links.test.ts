// Where a hostile model leads visitors, in Chromium: nowhere but where the operator's instructions lead.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Reply, startStandIn } from '../agents/stand-in.ts'
import { isLong, some } from '../long.ts'
import { buildDrawn } from '../ui/answer/gate/build-drawn.ts'
import type * as Drawn from '../ui/answer/gate/drawn.ts'
import { passedOn } from '../ui/answer/gate/passed-on.ts'
import { GIVEN, hostileTexts, ODD_HOSTS } from '../ui/answer/gate/texts.ts'
import { frameOf, panelOf, useBrowser } from './world.ts'

const { start, visit } = useBrowser()

/** Where the texts lead and no source does, in each state in which Chromium may draw them, or only whole. */
async function foreignIn(page: Page, texts: readonly string[], states: 'each' | 'whole'): Promise<string[]> {
  return page.evaluate(
    ({ all, given, isWhole }) => {
      const { statesOf, linksOfWhole, draw } = (globalThis as unknown as { drawn: typeof Drawn }).drawn
      const wrong: string[] = []
      for (const text of all) {
        const whole = { state: 'whole', links: draw(text, true).links }
        if (whole.links.join() !== linksOfWhole(text).join())
          wrong.push(`not as drawn: ${JSON.stringify(text)}`)
        for (const { state, links } of isWhole ? [whole] : statesOf(text)) {
          const foreign = links.filter((href) => !given.includes(href))
          if (foreign.length > 0) wrong.push(`${JSON.stringify(text)}, ${JSON.stringify(state)}: ${foreign}`)
        }
      }
      return wrong
    },
    { all: texts, given: GIVEN, isWhole: states === 'whole' },
  )
}

describe('the panel as Chromium has it', () => {
  let built: Awaited<ReturnType<typeof buildDrawn>>
  beforeAll(async () => {
    built = await buildDrawn()
  })
  afterAll(() => built?.remove())
  async function open(): Promise<Page> {
    const { page } = await visit()
    const content = `${readFileSync(built.path, 'utf8')}\nglobalThis.drawn = { statesOf, linksOfWhole, draw }`
    await page.addScriptTag({ type: 'module', content })
    return page
  }

  it('leads nowhere else with any host, bare, in brackets or behind words', async () => {
    const signs = Array.from({ length: 0x10000 }, (_, code) => code).filter(
      (code) => code > 0x7f && (code < 0xd800 || code > 0xdfff),
    )
    const hosts = [
      ...ODD_HOSTS,
      ...some(signs, 97).map((code) => `a${String.fromCharCode(code)}b.evil.example`),
    ]
    const texts = hosts.map((host) => `https://${host}/?d=S and <https://${host}/> and [x](https://${host}/)`)
    const said = texts.flatMap((text) => [passedOn(text, text.length).at(-1) ?? ''])
    const page = await open()
    expect(said.length).toBeGreaterThan(500)
    expect(await foreignIn(page, said, 'whole')).toEqual([])
    // They are links for Chromium where they are passed on as they are.
    expect((await foreignIn(page, texts, 'whole')).length).toBeGreaterThan(hosts.length / 2)
  })

  it('leads nowhere else with random texts', async () => {
    const page = await open()
    const part = isLong ? 500 : 100
    for (let seed = 0; seed < (isLong ? 100 : 1); seed++) {
      const texts = fc.sample(fc.tuple(hostileTexts(7), fc.integer({ min: 1, max: 60 })), {
        numRuns: part,
        seed,
      })
      const said = texts.map(([text, size]) => passedOn(text, size).at(-1) ?? '')
      expect(await foreignIn(page, said, 'each')).toEqual([])
    }
  })
})

/** One answer of each kind that has led somewhere else. */
const ANSWERS: Readonly<Record<string, string>> = {
  'an address in the words of a link':
    '[see <https://evil.example/?d=S> <tel:+19005550> <mailto:t@evil.example>](https://good.example/a)',
  'a table that begins as a fence': '~~~|x\n-|-\n[x](https://evil.example/?d=S)',
  'a table that begins as a fence of ticks': '```|x\n-|-\n[x](https://evil.example/?d=S)',
  'a Unicode blank that is no indentation': '\u00a0[click\n2) here](https:evil.example/?d=S)',
  'a host that this server cannot read':
    'https://a\u10a0b.evil.example/?d=S and https://\u3164x.evil.example/',
  'a short host of Latin-1': 'https://é.cc/',
  'an open bracket in an address': 'https://evil.example[?d=S\n- x\n- y',
  'the ends of lines of another system': '```\r\n```\r\n[x](https://evil.example/?d=S)',
  'code that is none yet': 'a ``` https://evil.example/?d=S\n````x\ny```',
  'an entity that browsers do not know': '[x](https://good.example&sol;a)',
  'a picture in a link': '[![x](https://evil.example/p.png)](https://good.example/a)',
}

it('an answer leads nowhere else while it streams, whole, and after a reload', async () => {
  // Each by the letter; in a long run at once too, as each is after the reload.
  const script: Reply[] = some(Object.values(ANSWERS), 4).flatMap((text): Reply[] => [
    ...(isLong ? [{ pieces: [`${text}\n\nThe end`] }] : []),
    { pieces: [...`${text}\n\nThe end`], everyMs: 4 },
  ])
  const model = await startStandIn(script)
  const folder = mkdtempSync(join(tmpdir(), 'foyer-links-'))
  onTestFinished(async () => {
    await model.stop()
    rmSync(folder, { recursive: true })
  })
  writeFileSync(join(folder, 'instructions.md'), 'Name https://good.example/a where you can.')
  const server = await start({
    FOYER_AGENT: 'llm',
    FOYER_LLM_URL: model.url,
    FOYER_LLM_MODEL: 'm',
    FOYER_LLM_INSTRUCTIONS: join(folder, 'instructions.md'),
  })
  const { page, context } = await visit()
  // Each address that any link of an answer has had for a moment.
  await context.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(globalThis, { seen })
    const look = () => {
      for (const link of document.querySelectorAll<HTMLAnchorElement>('article a[href]')) seen.add(link.href)
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
  })
  const seen = async () => {
    const frame = await frameOf(page)
    return frame.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])
  }
  await page.goto(`${server.origin}/embed.html`)
  await page.getByRole('button', { name: 'Open chat' }).click()
  const panel = panelOf(page, 'frame')
  const ends = panel.locator('article:not(.visitor) .text', { hasText: 'The end' })
  for (const index of script.keys()) {
    const composer = panel.getByRole('textbox', { name: 'Message' })
    await composer.fill(`Question ${index}`)
    await composer.press('Enter')
    await expect.poll(() => ends.count()).toBe(index + 1)
  }
  expect(model.requests.length).toBe(script.length)
  const given = GIVEN.filter((href) => href === 'https://good.example/a')
  await expect.poll(seen).toEqual(given)
  await page.reload()
  await expect.poll(() => ends.count()).toBe(script.length)
  await expect.poll(seen).toEqual(given)
})
