// Random texts of a hostile model, made of what its links, its blocks and its hosts have been made of.

import fc from 'fast-check'

/** What a source had. */
export const GIVEN = [
  'https://good.example/a',
  'https://good.example/',
  'mailto:help@good.example',
  'tel:+15550100',
]

/** What a line begins with, and with what of it lines go on or end a block. */
const LEADS = [
  '',
  '',
  '',
  '',
  ' ',
  '   ',
  '    ',
  '\t',
  '- ',
  '* ',
  '  - ',
  '1. ',
  '2) ',
  '10. ',
  '> ',
  '> - ',
  '# ',
  '- [ ] ',
  '|',
  '\u00a0',
  '\u2003',
  '\u3000',
  '\u0085',
]
/** Lines that say what the lines around them are. */
const TURNS = [
  '',
  '',
  '```',
  '~~~',
  '````',
  '```sh',
  '   ```',
  '  ~~~',
  '> ```',
  '- ```',
  '```|x',
  '~~~|x',
  '-|-',
  '|-|',
  '- | -',
  ':-:',
  '|-|-|',
  '===',
  '---',
  '- - -',
  '[x]:',
  '``` ',
  '```x`',
  '````x',
]
const ENDS = ['\n', '\n', '\n', '\n', '\n\n', '\r\n', '\r', '\u2028', '  \n', '\\\n', '']
const MARKS = [
  ...[
    '[',
    '![',
    ']',
    '](',
    ')',
    '(',
    '<',
    '>',
    '`',
    '``',
    '\\',
    '*',
    '**',
    '_',
    '~~',
    '!',
    '"',
    "'",
    '&',
    ';',
    '[x]: ',
    '[[',
    ']]',
  ],
  ...['&amp;', '&#58;', '&#x2f;', '&colon;', '&sol;', '&lsquo;', '&nbsp;', '&Tab;', '&lt;', '&gt;', '&#32;'],
]
const BLANKS = [' ', '\u00a0', '\u2003', '\u3000', '\u2028', '\u200b', '\ufeff', '\u0085', '\0', '\u180e']
const FOREIGN = [
  ...[
    '](https://evil.example/?d=S)',
    '](https:evil.example)',
    "](https:evil.example 't')",
    '[x](https://evil.example/)',
    '![x](https://evil.example/p.png)',
  ],
  ...[
    'https://evil.example/?d=S',
    '<https://evil.example/>',
    '<tel:+19005550>',
    '<mailto:t@evil.example>',
    '<t@evil.example>',
    'www.evil.example',
    't@evil.example',
  ],
  ...[
    'https://evil.example[?d=S',
    'https://evil.example]',
    'https:',
    '//evil.example',
    'https://',
    'www.',
    'evil.example',
    't@',
    'mailto:',
    'tel:+1900',
  ],
]
/** Hosts that engines read in different ways, or did. */
export const ODD_HOSTS = [
  'a\u10a0b.evil.example',
  '\u3164x.evil.example',
  'é.cc',
  'évil.example',
  'a\u1e9eb.example',
  'xn--a.example',
  '%C3%A9.cc',
  'a\u{1f1ff}b.example',
  '1.2.3',
  '[::1]',
  'evil。example',
  'a_b.example',
  'a b.example',
  '\u00adevil.example',
]
const ODD = ODD_HOSTS.flatMap((host) => [`https://${host}/`, `](https://${host}/)`, `<https://${host}/>`])
const GIVEN_FORMS = [
  '[see ',
  '](https://good.example/a)',
  '[x](https://good.example/a)',
  'https://good.example/a',
  '<https://good.example/a>',
  'https://good.example/',
  'help@good.example',
  '![x](https://good.example/a)',
  '[x](tel:+15550100)',
]
const WORDS = ['word ', 'a', 'x', '1', 'é', '。', '😀', '\u1b4e', '\ua7cd', 'See ', '. ', ', ']

const inline = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...MARKS) },
  { weight: 2, arbitrary: fc.constantFrom(...FOREIGN) },
  ...[['|', ' | ', '\n', '\n2) '], BLANKS, ODD, GIVEN_FORMS, WORDS].map((parts) => ({
    weight: 1,
    arbitrary: fc.constantFrom(...parts),
  })),
)
const joined = (parts: readonly string[]) => parts.join('')
const line = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...TURNS),
      fc.tuple(fc.constantFrom(...LEADS), fc.array(inline, { maxLength: 6 }).map(joined)).map(joined),
      fc.tuple(fc.constantFrom(...LEADS), fc.array(inline, { maxLength: 6 }).map(joined)).map(joined),
    ),
    fc.constantFrom(...ENDS),
  )
  .map(joined)

export const hostileTexts = (lines: number) =>
  fc.array(line, { minLength: 1, maxLength: lines, size: 'max' }).map(joined)
