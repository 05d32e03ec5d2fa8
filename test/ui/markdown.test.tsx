// Markdown as it streams: whatever the pieces, the end is the same as if it had come at once.

import fc from 'fast-check'
import { Fragment, h, render } from 'preact'
import { describe, expect, it } from 'vitest'
import { parseBlocks } from '../../src/ui/markdown.tsx'
import { createBlocks } from '../../src/ui/stream.tsx'

function html(blocks: readonly { node: preact.VNode }[]): string {
  const box = document.createElement('div')
  render(h(Fragment, null, ...blocks.map((block) => block.node)), box)
  return box.innerHTML
}
function streamed(pieces: readonly string[]): string {
  const blocks = createBlocks(parseBlocks)
  for (const piece of pieces) blocks.add(piece, false)
  blocks.add('', true)
  return html(blocks.all())
}
const once = (text: string) => html(parseBlocks(text).blocks)

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
      { numRuns: 600 },
    )
  })

  it('ends as the whole would where every character comes alone', () => {
    const text = PARTS.join('\n')
    expect(streamed([...text])).toBe(once(text))
  })
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
