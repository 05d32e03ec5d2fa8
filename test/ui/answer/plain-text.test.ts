// Markdown as text for people.

import { describe, expect, it } from 'vitest'
import { plainText } from '../../../src/ui/answer/plain-text.ts'

describe('an answer as text', () => {
  const RULES: readonly [rule: string, markdown: string, text: string][] = [
    ['has no marks of emphasis', '**Bold**, *slanted*, ~~gone~~, `code`.', 'Bold, slanted, gone, code.'],
    ['keeps the marks that are meant', '2 \\* 3 &amp; a_b_c', '2 * 3 & a_b_c'],
    ['has headings on lines of their own', '## Returns\nWithin 30 days.', 'Returns\n\nWithin 30 days.'],
    ['keeps the lines that were written', 'One\nTwo\n\nThree', 'One\nTwo\n\nThree'],
    ['has dots before the items of a list', '- One\n- Two\n  - Inner', '• One\n• Two\n  • Inner'],
    ['numbers a list from where it begins', '9. Nine\n1. Ten', '9. Nine\n10. Ten'],
    [
      'has the further lines of an item below its words',
      '1. One\n\n   More\n\n2. Two',
      '1. One\n   More\n2. Two',
    ],
    ['ticks the tasks that are done', '- [x] Paid\n- [ ] Sent', '☑ Paid\n☐ Sent'],
    [
      'has the address of a link behind its words',
      '[Help](https://a.example/help).',
      'Help (https://a.example/help).',
    ],
    [
      'says an address once',
      '[a.example](https://a.example/) [me@a.example](mailto:me@a.example)',
      'a.example me@a.example',
    ],
    ['leaves a bare address alone', 'See https://a.example/x.', 'See https://a.example/x.'],
    ['names no address that may not be followed', '[Press](javascript:alert(1))', 'Press'],
    [
      'has an emphasised link with one address',
      '[**All** help](https://a.example/h)',
      'All help (https://a.example/h)',
    ],
    [
      'has the address of a picture behind its name',
      '![Map](https://a.example/m.png)',
      'Map (https://a.example/m.png)',
    ],
    ['has code without fences', 'Run:\n\n```sh\nnpm i\n  npm t\n```', 'Run:\n\nnpm i\n  npm t'],
    ['marks what is quoted as an e-mail does', '> One\n> Two', '> One\n> Two'],
    [
      'has a line for each row of a table',
      '| Plan | Price |\n| :-- | --: |\n| **Pro** | 5 € |\n| Free | |',
      '• Plan: Pro; Price: 5 €\n• Plan: Free',
    ],
    ['has a table without names as its cells', '| | |\n| - | - |\n| a | b |', '• a; b'],
    ['has a line where the text is parted', 'One\n\n---\n\nTwo', 'One\n\n———\n\nTwo'],
    ['has no HTML', '<b>words</b>', '<b>words</b>'],
  ]
  it.each(RULES)('%s', (_, markdown, text) => {
    expect(plainText(markdown)).toBe(text)
  })

  it('holds all words of a deep list', () => {
    const deep = Array.from({ length: 40 }, (_, depth) => `${'  '.repeat(depth)}- ${depth}`).join('\n')
    const text = plainText(deep)
    for (let depth = 0; depth < 40; depth++) expect(text).toMatch(new RegExp(`(^|\\D)${depth}(\\D|$)`))
  })
})
