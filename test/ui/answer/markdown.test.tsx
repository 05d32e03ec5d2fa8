// Markdown as it streams: whatever the pieces, the end is the same as if it had come at once.

import fc from 'fast-check'
import { Fragment, h, render } from 'preact'
import { describe, expect, it } from 'vitest'
import { type Block, finishedBlocks, splitBlocks } from '../../../src/markdown/index.ts'
import { parseBlocks, readWords } from '../../../src/ui/answer/markdown.tsx'
import { createBlocks, drawnOf } from '../../../src/ui/answer/stream.tsx'
import { isLong } from '../../long.ts'
import { hostileTexts } from './gate/texts.ts'
import { steps } from './steps.ts'

function draw(children: preact.ComponentChildren): HTMLElement {
  const box = document.createElement('div')
  render(h(Fragment, null, children), box)
  return box
}
/** What an answer in pieces shows, without the boxes that runs of blocks share. */
function html(blocks: ReturnType<typeof createBlocks>): string {
  const box = draw(blocks.runs())
  for (const run of box.querySelectorAll('.run')) run.replaceWith(...run.childNodes)
  return box.innerHTML
}
function streamed(pieces: readonly string[]): string {
  const blocks = createBlocks()
  for (const piece of pieces) blocks.add(piece, false)
  blocks.add('', true)
  return html(blocks)
}
const once = (text: string) => draw(parseBlocks(text).blocks.map(({ node }) => node)).innerHTML
const letters = (text: string) => text.replace(/[^a-z]/g, '').length

const PARTS = [
  'plain text\n',
  '\n',
  '\n\n',
  '# heading\n',
  'setext\n===\n',
  '- item\n',
  '  - nested\n',
  '1. one\n',
  '2. two\n',
  '   continued\n',
  '> quote\n',
  '```js\n',
  'code();\n',
  '```\n',
  '    indented\n',
  '| a | b |\n',
  '| - | -: |\n',
  '| 1 | 2 |\n',
  '---\n',
  '**bold *both* text**',
  '`code`',
  '[link](https://example.com)',
  '![image](https://example.com/a.png)',
  '[ref]: https://example.com\n',
  '[ref]',
  '<b>html</b>',
  '&amp; &lt;script&gt; &copy; &#65;',
  'https://example.com',
  '😀',
  '\\*',
  ' ',
  '*',
  '_',
  '~~gone~~',
]

describe('a stream', () => {
  it('ends as the whole would, for any text in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PARTS), { maxLength: 25 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (parts, cuts) => {
          const text = parts.join('')
          const places = [...new Set(cuts.map((cut) => (text.length === 0 ? 0 : cut % text.length)))].sort(
            (a, b) => a - b,
          )
          const pieces = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length))
          expect(streamed(pieces)).toBe(once(text))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('ends as the whole would where every character comes alone', () => {
    const text = PARTS.join('\n')
    expect(streamed([...text])).toBe(once(text))
  })
})

describe('a link', () => {
  const addresses = (blocks: ReturnType<typeof createBlocks>) =>
    [...draw(blocks.runs()).querySelectorAll('a')].map((link) => link.getAttribute('href'))
  const link = '[a](https://example.com/)'

  it.each([
    ['a blank line', `${link}\n`, '\n'],
    ['a line of another block', `- ${link}\n\n`, 'words\n'],
    ['the line below a quote', `> ${link}\n`, '# Title\n'],
    ['a row of a table with a line below it', `| a |\n| - |\n| ${link} |\n`, '\n'],
  ])('leads somewhere once %s has ended its block, and looks the same before', (_, open, end) => {
    const blocks = createBlocks()
    blocks.add(open, false)
    expect(addresses(blocks)).toEqual([null])
    const before = draw(blocks.runs()).textContent
    blocks.add(end.slice(0, -1), false)
    expect(addresses(blocks)).toEqual([null])
    blocks.add(end.slice(-1), false)
    expect(addresses(blocks)).toEqual(['https://example.com/'])
    expect(draw(blocks.runs()).textContent?.startsWith(before ?? '')).toBe(true)
  })

  it('leads somewhere once the answer has ended', () => {
    const blocks = createBlocks()
    blocks.add(`${link} and https://example.com/b`, false)
    expect(addresses(blocks)).toEqual([null, null])
    blocks.add('', true)
    expect(addresses(blocks)).toEqual(['https://example.com/', 'https://example.com/b'])
  })
})

describe('a finished block', () => {
  it('never changes, whatever is added', () => {
    const known = (blocks: readonly Block[]) =>
      blocks.map(({ tokens, cells }) => [cells, tokens.map(({ type, content }) => [type, content])])
    fc.assert(
      fc.property(hostileTexts(9), (text) => {
        const whole = known(splitBlocks(text))
        for (let end = 1; end <= text.length; end++) {
          const { blocks, open } = finishedBlocks(text.slice(0, end))
          expect(whole.slice(0, blocks.length)).toEqual(known(blocks))
          const cells = blocks.reduce((sum, block) => sum + block.cells, 0)
          expect(known(splitBlocks(text.slice(open), cells))).toEqual(whole.slice(blocks.length))
        }
      }),
      { numRuns: isLong ? 3_000 : 40 },
    )
  })
})

it('emphasis ends at the same signs in every engine, whatever its Unicode knows of the newest ones', () => {
  // Punctuation since Unicode 15, which a browser of the year before takes for a letter.
  expect(once('a**\u{11b00}b**')).toContain('<strong>')
  expect(once('a**。b**')).not.toContain('<strong>')
})

describe('a bare address', () => {
  it.each([
    'https://example.com/a,b.html',
    'https://example.com/wiki/Datei:Foto.jpg',
    'www.example.com?m=joe+max.mu',
  ])('%s names no other host in its path', (address) => {
    expect(draw(parseBlocks(address).blocks.map(({ node }) => node)).textContent).toBe(address)
  })

  it('whose letters only look like those of another host shows where it leads', () => {
    const text = draw(parseBlocks('https://аррӏе.com/a').blocks.map(({ node }) => node)).textContent
    expect(text).toContain('xn--')
  })
})

describe('one block that never ends', () => {
  it.each(['- item\n', 'word ', '> quote\n', '| a | b |\n'])(
    'of %j is parsed for linear work, and whole in the end',
    (unit) => {
      const text = unit.repeat((isLong ? 65_536 : 16_384) / unit.length)
      let read = 0
      const blocks = createBlocks((part, cells) => {
        read += part.length
        return splitBlocks(part, cells)
      })
      for (let at = 0; at < text.length; at += 64) {
        blocks.add(text.slice(at, at + 64), false)
        // What was not parsed yet is there all the same.
        if (at % 4_096 === 0)
          expect(letters(draw(blocks.runs()).textContent)).toBeGreaterThanOrEqual(letters(text.slice(0, at)))
      }
      blocks.add('', true)
      expect(html(blocks)).toBe(once(text))
      expect(read).toBeLessThan(text.length * 40)
    },
  )
})

describe('hostile text', () => {
  it('becomes no element but those we know, whatever it says', () => {
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[x](javascript:alert(1))',
      '[x](data:text/html;base64,PHNjcmlwdD4=)',
      '![x](javascript:alert(1))',
      '<a href="javascript:alert(1)">x</a>',
      '```"><script>\n',
      '[a](https://example.com "onmouseover=alert(1)")',
      '<svg/onload=alert(1)>',
    ]
    const box = document.createElement('div')
    box.innerHTML = once(hostile.join('\n\n'))
    expect(box.querySelectorAll('script, img, svg, iframe, object, embed, form, style')).toHaveLength(0)
    for (const element of box.querySelectorAll('*'))
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on/)
        expect(value).not.toMatch(/javascript:|data:/)
      }
  })
})

it.each([
  '[https://bank.com](https://evil.example)',
  '[see https://bank.com or me@bank.com](https://evil.example)',
  '[**https://bank.com**](https://evil.example)',
  '[see <https://bank.com> or <me@bank.com>](https://evil.example)',
  '[see <https://bank.com/[a](https://bank.com)> here](https://evil.example)',
  '[![a picture](https://bank.com/a.png)](https://evil.example)',
])('a link holds no other link: %s', (text) => {
  const box = document.createElement('div')
  box.innerHTML = once(text)
  expect([...box.querySelectorAll('a')].map((link) => link.href)).toEqual(['https://evil.example/'])
})

describe('a table', () => {
  const row = (cells: number) => `|${'a|'.repeat(cells)}\n`
  const rule = (cells: number) => `|${'-|'.repeat(cells)}\n`
  const drawn = (text: string) => {
    const box = document.createElement('div')
    box.innerHTML = once(text)
    const [third, half] = [Math.floor(text.length / 3), Math.floor(text.length / 2) + 1]
    expect(streamed([text.slice(0, third), text.slice(third, half), text.slice(half)])).toBe(box.innerHTML)
    return {
      tables: box.querySelectorAll('table').length,
      cells: box.querySelectorAll('td, th').length,
      text: box.textContent ?? '',
    }
  }

  it('ends the paragraph, list and quote above it, and is drawn once', () => {
    for (const above of ['words\n', 'two\nlines\n', '- item\n\n', '> quote\n\n', '# head\n'])
      expect(drawn(above + row(2) + rule(2) + row(2))).toMatchObject({
        tables: 1,
        cells: 4,
        text: `${above.replace(/[\n#>-]/g, '').trim()}aaaa`,
      })
  })

  it('of 100 columns is drawn, and of 101 is text', () => {
    expect(drawn(row(100) + rule(100) + row(100))).toMatchObject({ tables: 1, cells: 200 })
    const wide = drawn(row(101) + rule(101) + row(101))
    expect(wide).toMatchObject({ tables: 0, cells: 0 })
    expect(wide.text.split('a|')).toHaveLength(203)
  })

  it('is drawn up to 2,000 cells, and its further rows are text', () => {
    expect(drawn(row(4) + rule(4) + row(4).repeat(499))).toMatchObject({
      tables: 1,
      cells: 2_000,
      text: 'a'.repeat(2_000),
    })
    const long = drawn(`${row(4) + rule(4) + row(4).repeat(499)}|the|row|be|yond|\nnext\n`)
    expect(long).toMatchObject({ tables: 1, cells: 2_000 })
    expect(long.text).toContain('|the|row|be|yond|')
  })

  it('makes no more cells of short rows, nor of many tables, however they come', () => {
    const short = drawn(row(100) + rule(100) + '|a\n'.repeat(500))
    expect(short).toMatchObject({ tables: 1, cells: 2_000 })
    expect(short.text.match(/a/g)).toHaveLength(600)
    const many = drawn(`${row(100) + rule(100)}${'|a\n'.repeat(15)}\n`.repeat(20))
    expect(many).toMatchObject({ tables: 2, cells: 2_000 })
    const quoted = drawn(`> ${row(50)}> ${rule(50)}${'> |a\n'.repeat(30)}\n`.repeat(5))
    expect(quoted.cells).toBeLessThanOrEqual(2_000)
    expect(quoted.tables).toBe(2)
  })
})

describe('depth', () => {
  it.each([
    ['emphasis', (n: number) => `${'*a **b '.repeat(n)}${'c** d* '.repeat(n)}`],
    ['quotes', (n: number) => `${'> '.repeat(n)}deep`],
    ['lists', (n: number) => Array.from({ length: n }, (_, i) => `${'  '.repeat(i)}- a\n`).join('')],
  ])('of %s has an end', (_, make) => {
    const box = document.createElement('div')
    box.innerHTML = once(make(400))
    let depth = 0
    for (const element of box.querySelectorAll('*')) {
      let own = 0
      for (let at: Element | null = element; at; at = at.parentElement) own++
      depth = Math.max(depth, own)
    }
    expect(depth).toBeLessThan(110)
  })

  it('of emphasis beyond that loses no word', () => {
    const text = `${'*a **b '.repeat(400)}${'c** d* '.repeat(400)}`
    const box = document.createElement('div')
    box.innerHTML = once(text)
    expect(box.textContent?.match(/[abcd]/g)).toHaveLength(1_600)
  })
})

describe('a bracket', () => {
  it('that begins no link is text, and takes nothing from the links around it', () => {
    const box = document.createElement('div')
    box.innerHTML = once('[a [b](https://example.com/b) [c] ![d [*e*](https://example.com/e) [')
    expect(box.textContent).toBe('[a b [c] ![d e [')
    expect([...box.querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual(['b', 'e'])
  })

  it('begins a link of a thousand characters, and of no more', () => {
    const box = document.createElement('div')
    const linkOf = (length: number) => `[${'a'.repeat(length)}](https://example.com/)`
    box.innerHTML = once(`${linkOf(999)} ${linkOf(1_001)}`)
    expect([...box.querySelectorAll('a')].map(({ textContent }) => textContent?.length)).toEqual([
      999,
      // The address of the other one, by itself.
      'https://example.com/'.length,
    ])
  })
})

describe('words for a voice', () => {
  it('of a line without marks are those that the parser finds', () => {
    const sign = fc.constantFrom(...'a.1)- #+*=>:\t\u00a0é!"\r')
    const begin = fc.constantFrom('', '- ', '* ', '1. ', '23) ', '## ', ' ', '    ', '-', '#', '1.', '+ - ')
    const lines = fc.tuple(begin, fc.string({ unit: sign, maxLength: 12 })).map((parts) => parts.join(''))
    fc.assert(
      // What stands behind it makes the parser read the line.
      fc.property(lines, (line) => readWords(`${line}\n\n&`) === `${readWords(line)} &`.trim()),
      { numRuns: 1_000 },
    )
    expect(readWords(' 12) Loosen  the axle.\n')).toBe('Loosen the axle.')
  })
})

describe('work', () => {
  it.each([
    ['alone', '['.repeat(32_768)],
    ['of pictures', '!['.repeat(16_384)],
    ['far before a link', `${'['.repeat(32_760)}](a)`],
  ])('for brackets %s is a few steps for each', (_, text) => {
    expect(steps(() => readWords(text))).toBeLessThan(32 * text.length)
  })

  it.each([
    ['open brackets', '['],
    ['pictures', '!['],
    ['open fences', '```'],
    ['emphasis', '*a **b '],
    ['underlines', '_a'],
    ['links', '[a]('],
    ['ticks and a', '`a``a```a'],
    ['quotes', '> '],
    ['closing', ']('],
    ['tables', '|a\n|-\n'],
    ['angles', '<a'],
  ])('for a text of %s grows as the text does', (_, part) => {
    const text = (size: number) => part.repeat(Math.ceil(size / part.length)).slice(0, size)
    const few = steps(() => readWords(text(4_096)))
    const many = steps(() => readWords(text(32_768)))
    expect(few).toBeGreaterThan(4_096 / 4)
    // Eight times the text; a square would be 64.
    expect(many / few).toBeLessThan(20)
  })
})

describe('what is kept of an answer', () => {
  const whole = { pieces: ['One *two*'], length: 1, complete: true, attachments: [], callActions: [] }
  it('is what parses it while it goes on, and the nodes alone once it is complete', () => {
    const open = drawnOf({ ...whole, complete: false })
    expect(open.blocks).toBeDefined()
    const more = { ...whole, pieces: whole.pieces, complete: false }
    expect(drawnOf(more, open).blocks).toBe(open.blocks)
    const done = drawnOf(whole, open)
    expect(done.blocks).toBeUndefined()
    expect(drawnOf(whole, done)).toBe(done)
    expect(drawnOf(whole).blocks).toBeUndefined()
  })
})

describe('a long answer', () => {
  const paragraph = (n: number) => `Paragraph ${n} of it.\n\n`
  const drawn = (blocks: ReturnType<typeof createBlocks>, box: HTMLElement) => {
    render(h('div', { class: 'text' }, blocks.runs()), box)
    return box.firstElementChild as HTMLElement
  }

  it('gives Preact a few nodes for each words that come, however long it is', () => {
    const blocks = createBlocks()
    const most = { nodes: 0 }
    let before: readonly unknown[] = []
    for (let n = 0; n < 800; n++) {
      blocks.add(paragraph(n), false)
      const runs = blocks.runs()
      const fresh = runs.filter((run, index) => run !== before[index])
      const count = (node: unknown): number =>
        Array.isArray(node)
          ? node.reduce((sum: number, each) => sum + count(each), 0)
          : 1 + count((node as preact.VNode | undefined)?.props?.children ?? [])
      most.nodes = Math.max(most.nodes, count(fresh))
      before = runs
    }
    // The end, and once in eight times the run that is finished: a paragraph is a node in a fragment around its words.
    expect(most.nodes).toBeLessThan(90)
  })

  it('keeps the elements of what is finished, in their order, and shows what the whole would', () => {
    const text = Array.from({ length: 50 }, (_, n) =>
      n % 7 === 3 ? `- item ${n}\n- more\n\n` : paragraph(n),
    ).join('')
    const blocks = createBlocks()
    const box = document.createElement('div')
    const seen: Element[] = []
    for (let at = 0; at < text.length; at += 13) {
      blocks.add(text.slice(at, at + 13), false)
      const elements = [...drawn(blocks, box).querySelectorAll('p, ul')].slice(0, -3)
      for (const [index, element] of seen.entries()) expect(elements[index]).toBe(element)
      seen.push(...elements.slice(seen.length))
    }
    blocks.add('', true)
    const end = drawn(blocks, box)
    for (const run of end.querySelectorAll('.run')) run.replaceWith(...run.childNodes)
    expect(end.innerHTML).toBe(once(text))
    expect(seen.length).toBeGreaterThan(45)
  })

  it('hides nothing of its end, and nothing of what came whole', () => {
    const text = Array.from({ length: 40 }, (_, n) => paragraph(n)).join('')
    const blocks = createBlocks()
    for (const part of text.split(/(?<=\n\n)/)) blocks.add(part, false)
    const end = drawn(blocks, document.createElement('div'))
    expect([...end.querySelectorAll('.run')].map((each) => each.classList.contains('done'))).toEqual([
      true,
      true,
      true,
      false,
    ])
    const whole = createBlocks()
    whole.add(text, true)
    expect(drawn(whole, document.createElement('div')).querySelector('.done')).toBeNull()
  })
})
