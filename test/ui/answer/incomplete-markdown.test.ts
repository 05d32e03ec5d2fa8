// Half-written Markdown shows no syntax, whatever the place of the cut.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { h, render } from 'preact'
import { describe, expect, it } from 'vitest'
import { withoutIncomplete } from '../../../src/ui/answer/incomplete-markdown.ts'
import { createBlocks } from '../../../src/ui/answer/stream.tsx'
import { some } from '../../long.ts'

/** The words that are seen of a text, without their spaces, and how many headings there are. */
function drawn(text: string, complete: boolean): { text: string; headings: number } {
  const blocks = createBlocks()
  blocks.add(text, complete)
  const place = document.createElement('div')
  render(h('div', null, blocks.runs()), place)
  for (const button of place.querySelectorAll('button')) button.remove()
  const words = (place.textContent ?? '').replace(/\s+/g, '')
  const { length } = place.querySelectorAll('h3, h4, h5, h6')
  render(null, place)
  return { text: words, headings: length }
}

describe('the end of a stream', () => {
  it.each([
    ['See [the docs](https://exa', 'See the docs'],
    ['See [the do', 'See the do'],
    ['See [the docs]', 'See the docs'],
    ['See ![a pict', 'See a pict'],
    ['a [link](https://example.com) and', 'a [link](https://example.com) and'],
    ['some **bold te', 'some **bold te**'],
    ['some **', 'some '],
    ['some *', 'some '],
    ['**bold *both', '**bold *both***'],
    ['2 * 3 is', '2 * 3 is'],
    ['run `npm sta', 'run `npm sta`'],
    ['run `', 'run '],
    ['run ``a `b', 'run ``a `b``'],
    ['Use ```\n', 'Use '],
    ['~~gone', '~~gone~~'],
    ['\\*not bold', '\\*not bold'],
    ['text\n``', 'text\n'],
    ['text\n#', 'text\n'],
    ['text\n- ', 'text\n'],
    ['```js\nlet a = [', '```js\nlet a = ['],
    ['intro\n| a | b', 'intro\n'],
    ['intro\n\n| a | b |\n| -', 'intro\n\n'],
    ['| a | b |\n| - | - |\n| 1 |', '| a | b |\n| - | - |\n| 1 |'],
    ['plain words', 'plain words'],
  ])('of %j reads %j', (text, expected) => {
    expect(withoutIncomplete(text)).toBe(expected)
  })

  it('never shows a bracket, a tick or an asterisk that the whole does not show', () => {
    const whole = 'Use **bold**, `code` and [a link](https://example.com/a_(b)) *now*.'
    for (let end = 0; end <= whole.length; end++) {
      const shown = withoutIncomplete(whole.slice(0, end))
        .replace(/\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`|\[([^\]]+)\]\([^)]*\)+/g, '$1$2$3$4')
        .replace(/[)]$/, '')
      expect([end, /[[\]`*]/.test(shown)]).toEqual([end, false])
    }
  })
})

describe('a line', () => {
  it.each([
    ['dashes', `> x\n> ${'-'.repeat(200_000)}\n| a`],
    ['bars', `> x\n> ${'|'.repeat(200_000)}\n| a`],
    ['a fence and spaces', `\`\`\`${' '.repeat(200_000)}\``],
    ['tildes and spaces', `~~~${' '.repeat(200_000)}\u2028`],
  ])('of %s is read in time that grows with nothing but its length', (_, text) => {
    // Were it read once for each of its signs, this would take longer than the test may.
    expect(withoutIncomplete(text).length).toBeLessThan(text.length + 8)
  })
})

describe('what is shown of a stream, cut anywhere', () => {
  const wholes = {
    emphasis:
      'This is _very_ good, __bold__ and ***both***, **_mixed_** and **[linked](https://example.com)**; snake_case stays.',
    tasks: 'Do:\n\n- [ ] Lock packed\n- [x] Lights *charged*\n  - [ ] nested\n    - [x] deeper\n',
    'nested items': '- one\n  - two\n    - **three**\n      - four\n\n1. a\n    1. b\n        1. c\n',
    quotes: '> quoted **bold**\n> - an item\n> > deeper\n\nEnd\n',
    'a table':
      'Look:\n\n| Model | Price |\n| :-- | --: |\n| **Fern** | [690](https://example.com) |\n\nEnd.\n',
    'a table in an item': '- item\n\n  | a | b |\n  | - | - |\n  | 1 | *2* |\n',
    'code in an item': '1. Do this:\n\n    ```js\n    const a = [1, *2*]\n    // `x`\n    ```\n2. Then\n',
    'code in waves': '~~~py\nx = [1 * 2\n~~~\nEnd\n',
    links: 'See [the *hand* book](https://example.com/a_(b)) and <https://example.com/x> now.',
  }
  it.each(Object.entries(wholes))('of %s is what the whole begins with', (_, whole) => {
    const seen = drawn(whole, true)
    for (let end = 1; end < whole.length; end++) {
      const part = drawn(whole.slice(0, end), false)
      expect([whole.slice(0, end), seen.text.startsWith(part.text)]).toEqual([whole.slice(0, end), true])
      // The line above one of dashes would become a heading.
      expect(part.headings).toBeLessThanOrEqual(seen.headings)
    }
  })
})

/** The words of nodes that are not drawn, without their spaces: code is a property, and all else stands between the elements. */
function wordsOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(wordsOf).join('')
  if (typeof node === 'string' || typeof node === 'number') return `${node}`.replace(/\s+/g, '')
  if (Object(node) !== node) return ''
  const { code, children } = Object(Object(node).props) as { code?: unknown; children?: unknown }
  return wordsOf(code ?? children)
}
/** Whether a text begins so, where a bar may still be one of a table, and a bracket that of a link: they come a little later. */
function begins(whole: string, part: string): boolean {
  let at = 0
  for (const sign of part) {
    while (whole[at] !== sign[0] && /[[|]/.test(whole[at] ?? '')) at++
    if (!whole.startsWith(sign, at)) return false
    at += sign.length
  }
  return true
}
/** The block that is cut first where it shows something that the whole does not show, in the place where it stands. */
function firstFlash(whole: string): string | undefined {
  const seen = (text: string, complete: boolean) => {
    const blocks = createBlocks()
    blocks.add(text, complete)
    return wordsOf(blocks.runs())
  }
  const end = seen(whole, true)
  for (let at = 1; at < whole.length; at++) {
    const now = seen(whole.slice(0, at), false)
    if (!begins(end, now))
      return `${JSON.stringify(whole.slice(Math.max(0, at - 60), at))} shows ${now.slice(-40)}`
  }
  return undefined
}

describe('whatever is written in Markdown', () => {
  it.each([
    '**bold that goes on\nin the next line** and on',
    '*one\ntwo\nthree* and ~~gone\naway~~ and __low\nlines__',
    'See [the words\nof a link](https://example.com) here',
    'run `npm\nstart` now',
    'Use ```\nnpm start``` now',
    '> **quoted\n> over lines** and on\n> [a\n> link](https://example.com)',
    '- an **item\n  in two lines**\n- the *next\none*',
    '1. a [link\n   within](https://example.com)\n2. two',
    '- **one**:\n  **two\n  lines**\n\n  *three\n  lines*',
    'Fish &amp; chips, a &lt; b, &quot;so&quot;, &#8364; and &#x20ac; 5&nbsp;m',
    'AT&T, R&D, a & b',
    'Model | Price\n--- | ---\nFern | 690\nMoss | **720**\n\nEnd',
    'Model | Price | Size\n:-- | --: | :-:\n`a` | 1 | *2*\n',
    'Words before\nModel | Price\n-|-\nFern | 690\n',
    'A title\n=======\n\nwords',
    'A title\n-------\n\nwords',
    'words\n\n-----\n\nwords\n\n* * *\n\n___\n\nwords',
    '## A **bold** title ##\n\nwords ## and #\n\n# Title #',
    '***both\nof them*** and **one *in\nthe* other**',
    'a \\*star\\* and a \\[bracket\\]\nin \\`ticks\\`',
    '![a\npicture](https://example.com/a.png "its title") and [words](https://example.com \'a title\')',
    '<https://example.com/a_b_c> and <ana@example.com> and <mailto:ana@example.com>',
    'line one  \n**two**\\\nthree',
    '````md\n```js\nx\n```\n````\nEnd',
    '- [ ] **open\n  one**\n- [x] done',
  ])('shows none of its signs before it is whole: %j', (whole) => {
    expect(firstFlash(whole)).toBeUndefined()
  })

  it('shows none of its signs in blocks of each document', () => {
    const folder = join(import.meta.dirname, '../../../docs')
    const flashes: string[] = []
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.md')))
      for (const block of some(blocksOf(readFileSync(join(folder, name), 'utf8')), 16)) {
        const flash = firstFlash(block)
        if (flash) flashes.push(`${name}: ${flash}`)
      }
    expect(flashes).toEqual([])
  })
})

/** The longest beginning of a block that is cut everywhere, in characters: in long ones the other lines are alike. */
const LONGEST = 240

/** Lines between blank ones, with those of a fence together. */
const blocksOf = (text: string): string[] =>
  (text.match(/^(```|~~~)[\s\S]*?^\1$|(?:^(?!```|~~~).+\n?)+/gm) ?? []).map((block) =>
    block.length > LONGEST ? block.slice(0, block.lastIndexOf('\n', LONGEST) + 1 || LONGEST) : block,
  )
