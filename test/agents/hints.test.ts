// Hints of the front matter lead visitors to passages, are never shown, and are told where they cannot be used.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGuide } from '../../src/agents/guide/guide.ts'
import { splitFrontMatter } from '../../src/agents/search/front-matter.ts'
import { openLibrary } from '../../src/agents/search/library.ts'
import { readPassages } from '../../src/agents/search/passages.ts'
import { createSearchIndex } from '../../src/agents/search/search-index.ts'
import type { AgentEvent } from '../../src/runtime/index.ts'
import { turnOf } from './turn.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-hints-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

async function ask(text: string) {
  const guide = await createGuide({ folder })
  const events: AgentEvent[] = []
  for await (const event of guide.act(turnOf(text))) events.push(event)
  guide.close()
  const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  return { said, events }
}

describe('a hint', () => {
  const hints = (...items: string[]) => `---\nasked:\n${items.map((item) => `  - ${item}\n`).join('')}---\n`
  const handbook =
    '# Shop\n\nWe are here all week.\n\n## Returns\n\nSend it to us.\n\n## Repairs\n\nWe mend chains.'
  const hinted = `${hints('the front door', '"#returns: I want my money back"', '"#returns Wohin schicke ich das Paket?"')}${handbook}`
  const told = (text: string): string[] => {
    const flaws: string[] = []
    readPassages(text, 'shop.md', (flaw) => flaws.push(flaw))
    return flaws
  }
  const askedOf = (text: string) =>
    Object.fromEntries(readPassages(text, 'shop.md').map(({ slug, asked }) => [slug, asked]))

  it.each(['money back please', 'wohin mit dem paket'])(
    'leads to the section that it names: %s',
    async (text) => {
      write('shop.md', hinted)
      const { said } = await ask(text)
      expect(said).toContain('Send it to us.')
      expect(said).not.toMatch(/asked|money back|Paket|---/)
    },
  )

  it('without a section leads to the first passage of the page', async () => {
    write('shop.md', hinted)
    expect((await ask('which is the front door?')).said).toContain('We are here all week.')
    expect(askedOf(`${hints('door')}## A\n\n## B\n\nb\n\n## C\n\nc`)).toEqual({ b: ['door'], c: [] })
  })

  it('is forgotten with the file', () => {
    const index = createSearchIndex()
    index.put('shop.md', hinted)
    expect(index.search('money back').isAnswer).toBe(true)
    index.put('shop.md', handbook)
    expect(index.search('money back').hits).toEqual([])
  })

  it('is never suggested; the heading is', async () => {
    write(
      'shop.md',
      `${hints('"#returns: money back"', '"#how-to-pay: Cash?"')}${handbook}\n\n## How to pay\n\nBy card.`,
    )
    const { events } = await ask('money back')
    expect(JSON.stringify(events.at(-1))).toContain('How to pay')
    expect(JSON.stringify(events.at(-1))).not.toContain('Cash')
  })

  it('is one text, or each of a list, in any form of YAML', () => {
    expect(askedOf(`---\nasked: door\n---\n${handbook}`)).toMatchObject({ shop: ['door'] })
    expect(askedOf(`---\nasked: [door, "a, b", 'dog''s', 24, true]\n---\n${handbook}`)).toMatchObject({
      shop: ['door', 'a, b', "dog's", '24', 'true'],
    })
    expect(
      askedOf(`${hints('error: none', '>\n    one\n    line', 'x # 3 times')}${handbook}`),
    ).toMatchObject({
      shop: ['error: none', 'one line', 'x'],
    })
  })

  it.each([
    ['"#refunds: money"', '"#refunds: money" names no heading with a text below it'],
    ['"#returns"', 'item 2 of asked, "#returns", has no words behind its heading'],
    ['#returns: money', 'item 2 of asked is empty (a text that begins with # needs quotes)'],
    ['|\n    two\n    lines', 'item 2 of asked, "two lines ", has several lines'],
    [
      'where are you?',
      'item 2 of asked, "where are you?", has no word to search for, only words that stand in every text',
    ],
    ['"???"', 'item 2 of asked, "???", has no word to search for, only words that stand in every text'],
    ['x'.repeat(501), `item 2 of asked, "${'x'.repeat(60)}", is longer than 500 characters`],
  ])('of a wrong form is told and left out: %j', (item, why) => {
    const text = `${hints('door', item)}${handbook}`
    expect(told(text)).toEqual([`A hint in shop.md is left out: ${why}.`])
    expect(askedOf(text)).toEqual({ shop: ['door'], returns: [], repairs: [] })
  })

  it('is one of at most 200 in a page', () => {
    const text = `${hints(...Array.from({ length: 203 }, (_, index) => `door ${index}`))}${handbook}`
    expect(told(text)).toEqual([
      'A hint in shop.md is left out: item 201 of asked, and each below it, is more than the 200 of a page.',
    ])
    expect(askedOf(text).shop).toHaveLength(200)
  })

  it('is a line of the log where it cannot be used, when the file is read', async () => {
    const lines: string[] = []
    write('shop.md', `${hints('"#refunds: money"')}${handbook}`)
    const library = await openLibrary({ folder, log: (line, level) => lines.push(`${level}: ${line}`) })
    library.close()
    expect(lines).toEqual([
      'warn: A hint in shop.md is left out: "#refunds: money" names no heading with a text below it.',
    ])
  })
})

describe('front matter that cannot be read', () => {
  it.each([
    [
      'is not valid YAML (Nested mappings are not allowed in compact mappings at line 2, column 8)',
      'title: a: b',
    ],
    ['has the key asked twice', 'asked: [a]\nasked: [b]'],
    ['is not valid YAML (Tabs are not allowed as indentation at line 3, column 1)', 'asked:\n\t- a'],
    ['has no keys', 'a text'],
    ['is longer than 131072 characters', `asked: [${'x,'.repeat(70_000)}]`],
    [/^is (nested too deeply|not valid YAML \(.*\))$/, '['.repeat(16_000)],
  ])('is told and left out, and the page is read: it %s', (why, matter) => {
    const flaws: string[] = []
    const passages = readPassages(`---\n${matter}\n---\n# Shop\n\nOpen.`, 'shop.md', (flaw) =>
      flaws.push(flaw),
    )
    expect(passages).toMatchObject([{ title: 'Shop', asked: [], blocks: [{ source: 'Open.' }] }])
    const [, found] = /^The front matter of shop\.md is left out: it (.*)\.$/s.exec(flaws.join()) ?? []
    expect(found).toEqual(typeof why === 'string' ? why : expect.stringMatching(why))
  })
})

describe('front matter', () => {
  const read = (text: string) => {
    const { values, ...rest } = splitFrontMatter(text)
    return { values: Object.fromEntries(values), ...rest }
  }

  it('gives a value or a list for each key, and leaves the body', () => {
    expect(
      read(
        '---\ntitle: "A: b"\nlang: ar\nasked:\n  - how much?\n  - \'#sizes which one\'\nmore:\n---\n# Tyres\n',
      ),
    ).toEqual({
      values: { title: ['A: b'], lang: ['ar'], asked: ['how much?', '#sizes which one'], more: [] },
      body: '# Tyres\n',
      lines: 8,
    })
  })

  it('may be empty, have the line ends of Windows, or end with the file', () => {
    expect(read('---\n---\nText')).toEqual({ values: {}, body: 'Text', lines: 2 })
    expect(read('---\r\nlang: de\r\n---\r\nText')).toEqual({
      values: { lang: ['de'] },
      body: 'Text',
      lines: 3,
    })
    expect(read('---\nlang: de\n---')).toEqual({ values: { lang: ['de'] }, body: '', lines: 3 })
  })

  it.each(['# Tyres\n\n---\nlang: de\n---\n', '---\nlang: de\n', '----\nlang: de\n---\n', ''])(
    'is not in a text that begins otherwise: %j',
    (text) => {
      expect(read(text)).toEqual({ values: {}, body: text, lines: 0 })
    },
  )
})
