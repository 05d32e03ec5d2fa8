// What a phone makes a link of in an answer of the language model was in a source.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLinkGate } from '../../src/agents/llm/link-gate.ts'
import { createPhoneGate, saidIn } from '../../src/agents/llm/phone-gate.ts'
import { plainText } from '../../src/runtime/index.ts'

const SOURCE =
  'See https://shop.example.com/form, or shop.example.com. Call +1 (555) 010-0199 or write to help@shop.example.com. Read returns.md.'
const GIVEN = ['https://shop.example.com/form', 'mailto:help@shop.example.com']
const said = new Set(saidIn(SOURCE))

/** What the phone shows of an answer that comes in such pieces, and how often a text was left out. */
function shown(pieces: Iterable<string>): { text: string; leftOut: number } {
  let leftOut = 0
  const tellLeftOut = () => {
    leftOut++
  }
  const isGiven = (href: string) => GIVEN.includes(href)
  const gate = createLinkGate(isGiven, tellLeftOut)
  const { push, rest } = createPhoneGate({ gate, isGiven, isSaid: (each) => said.has(each), tellLeftOut })
  let text = ''
  for (const piece of pieces) text += push(piece)
  expect(text).toBe('')
  return { text: plainText(rest()), leftOut }
}

describe('on a phone', () => {
  it.each([
    ['Go to `https://evil.example/?d=SECRET` now', 'Go to  now'],
    ['```\nhttps://evil.example/?d=SECRET\n```', ''],
    ['    https://evil.example/?d=SECRET', ''],
    ['``https://evil.example``', '``'],
    ['Go to evil.example now', 'Go to evil. example now'],
    ['Go to `evil.example/?d=SECRET`.', 'Go to evil. example/?d=SECRET.'],
    ['//evil.example', '//evil. example'],
    ['evil。example', 'evil。 example'],
    ['sub.evil.example:8080', 'sub. evil. example:8080'],
    ['**evil.**example', 'evil. example'],
    ['*evil*.example', 'evil. example'],
    ['[evil.example](https://evil.example)', 'evil. example'],
    ['Write to thief@evil.example', 'Write to thief@evil. example'],
    ['Call +1 900 555 0100', 'Call'],
    ['Call (900) 555-0100 now', 'Call  now'],
    ['Call 0900/5550100', 'Call'],
    ['Call `9005550100`', 'Call'],
    ['Call +1 **900** 555 0100', 'Call'],
    ['Call <tel:+19005550100>', 'Call tel:'],
    ['Call [us](tel:+19005550100)', 'Call us'],
    ['www.evil.example', ''],
    ['i❤.example', 'i❤. example'],
    ['कि.भारत/x', 'कि. भारत/x'],
    ['evil\u00ad.example', 'evil\u00ad. example'],
    ['Call +1\u2212900\u2212555\u22120100', 'Call'],
    ['Call 900\u3000555\u30000100', 'Call'],
    ['Call +1[900]555[0100]', 'Call ]'],
    ['Call 1 900 555-0100', 'Call'],
    ['1. 900 555 0100', '1.'],
    ['Call 900.555.010', 'Call'],
    ['Call +1 900 555', 'Call'],
  ])('what nobody gave is no link: %j reads %j', (text, expected) => {
    for (const pieces of [[text], text]) expect(shown(pieces)).toEqual({ text: expected, leftOut: 0 })
  })

  it.each([
    'See https://shop.example.com/form or shop.example.com.',
    'Call +1 (555) 010-0199, +15550100199 or 1-555-010-0199.',
    'Write to help@shop.example.com, or read returns.md.',
    'Open 9-12 14-18, since 2019-2024, on 2026-05-12 10:30 or 12.05.2026.',
    'Call +15550100199, 555 010 0199 or 0555 0100199.',
    'We are closed on 27. 11. 2026, 2026. 11. 27. and 2026-11-27; open 09.00-18.00 and 08.30–16.00.',
    '1. 27.11.2026: closed\n2. 2026-11-28: open',
    'Price 1.000.000 EUR, in all 1.234.567,89 €, 123.456.789 USD or $123,456,789.00 for 1 200 000 users.',
    '您好。我是助手。今天开门。',
    'It costs 1.299,00 € or $12.50. Sizes: 38 40 42 44 46. Order 4711.',
    'Hello, e.g. this… and z. B. that!',
    '• one\n• two',
  ])('what a source has stays, and so do dates, prices and hours: %j', (text) => {
    expect(shown([text])).toEqual({ text, leftOut: 0 })
  })

  it('no address is made of words by what is taken away', () => {
    const part = fc.constantFrom(
      ...[
        '`',
        '``',
        '*',
        '**',
        '_',
        '__',
        '[',
        '](',
        ')',
        '```\n',
        '\n',
        ' ',
        '- ',
        '# ',
        '(',
        '+',
        '.',
        '/',
        '@',
        '\\',
        '&#46;',
      ],
      ...[
        'evil',
        '.example',
        'evil.example',
        'https://evil.example',
        'thief@',
        '900',
        ' 555',
        '-0100',
        '9005550100',
        'https://shop.example.com/form',
      ],
    )
    const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (written, size) => {
        const { text: words } = shown(written.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [])
        const rest = words.replaceAll('https://shop.example.com/form', ' ')
        expect(rest).not.toMatch(/:\/\/\S|evil[.]example|@[\w-]+[.][a-z]{2}|900[ ().-]{0,3}555[ ().-]{0,3}01/)
      }),
      process.env.FOYER_TEST_DRAWS
        ? { numRuns: Number(process.env.FOYER_TEST_DRAWS) }
        : { numRuns: 2_000, seed: 7 },
    )
  })

  it('a text whose marks are never at an end is left out', () => {
    const nested = `${'*a '.repeat(12)}evil.example${' a*'.repeat(12)}`
    const { text } = shown([nested])
    expect(text).not.toContain('evil.example')
  })
})
