import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createRedaction, shortReason } from '../../src/runtime/redact.ts'

const clean = createRedaction({ cards: true })

describe('a text', () => {
  it.each([
    ['4111111111111111', '••••••••••••1111'],
    ['4111 1111 1111 1111', '•••• •••• •••• 1111'],
    ['5555-5555-5555-4444', '••••-••••-••••-4444'],
    ['378282246310005', '•••••••••••0005'],
    ['3056.9309.0259.04', '••••.••••.••59.04'],
    ['my card is 6011000990139424, thanks', 'my card is ••••••••••••9424, thanks'],
    ['4111111111111111 and 5555555555554444', '••••••••••••1111 and ••••••••••••4444'],
    ['4111 1111 1111 1111 12/27', '•••• •••• •••• 1111 12/27'],
    ['4111111111111111 123', '••••••••••••1111 123'],
    ['2 4111111111111111', '2 ••••••••••••1111'],
    ['4111  1111 - 1111\n1111', '••••  •••• - ••••\n1111'],
    ['**4111** **1111** **1111** **1111**', '**••••** **••••** **••••** **1111**'],
    ['4111\u20111111\u202f1111_1111', '••••\u2011••••\u202f••••_1111'],
    ['4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', '• • • • • • • • • • • • 1 1 1 1'],
    ['41 11 11 11 11 11 11 11', '•• •• •• •• •• •• 11 11'],
    ['３７８２８２２４６３１０００５', '•••••••••••０００５'],
    ['٤١١١ ١١١١ ١١١١ ١١١١', '•••• •••• •••• ١١١١'],
    [
      '4111111111111111 41111111-1111-4111-8111-111111111111',
      '••••••••••••1111 41111111-1111-4111-8111-111111111111',
    ],
    ['4111111111111111 5555555555554444', '••••••••••••1111 ••••••••••••4444'],
    ['+4111111111111111', '+••••••••••••1111'],
    // The shortest and the longest.
    ['4222222222222', '•••••••••2222'],
    ['6304901234567890129', '•••••••••••••••0129'],
  ])('keeps only the last four digits of a card: %s', (given, masked) => {
    expect(clean.text(given)).toBe(masked)
  })

  it.each([
    ['a number that no card can have', '4111111111111112'],
    ['too few digits', '411111111117'],
    ['too many digits', '55554444333322221119'],
    ['a phone number', '+4915100000006'],
    ['the longest phone number', '+378282246310005'],
    ['a time in milliseconds', 'https://example.com/a.png?v=1732212345676'],
    ['an identifier', '41111111-1111-4111-8111-111111111111'],
    ['zeros', '0000000000000000'],
    ['amounts', '10.00 20.00 30.00 40.00 50.00'],
    ['dates and times', '2026-11-21 2026-11-22 2026-11-23'],
    ['a list of numbers', '17 1834 20 1999 2024 3 44'],
  ])('keeps %s', (_, given) => {
    expect(clean.text(given)).toBe(given)
  })

  it('is stored without the characters that PostgreSQL cannot store', () => {
    expect(clean.text('a\u0000b\ud800c')).toBe('ab\ufffdc')
  })

  it('of digits and blanks reads each group of digits once', () => {
    const groups = 1_000
    const normalize = vi.spyOn(String.prototype, 'normalize')
    clean.text('٤ '.repeat(groups))
    const count = normalize.mock.calls.length
    normalize.mockRestore()
    expect(count).toBe(groups)
  })

  it('keeps its card numbers when masking is off', () => {
    expect(createRedaction({ cards: false }).text('4111111111111111')).toBe('4111111111111111')
  })
})

describe('a value', () => {
  it('is masked at any depth, also in keys and numbers', () => {
    const when = new Date(0)
    expect(
      clean.deep({
        list: ['4111111111111111', 7, null, when],
        customer_id: '4111111111111111',
        '4111111111111111': true,
        message_id: '4111111111111111',
        number: 4111111111111111,
        shortest: 30569309025904,
        total: 1234567812345670,
      }),
    ).toEqual({
      list: ['••••••••••••1111', 7, null, when],
      customer_id: '••••••••••••1111',
      '••••••••••••1111': true,
      message_id: '••••••••••••1111',
      number: '••••••••••••1111',
      shortest: '••••••••••5904',
      total: 1234567812345670,
    })
  })
})

describe('a stream', () => {
  it('is masked as the whole text would be, wherever the pieces end', () => {
    const words = fc.constantFrom(
      '4111111111111111',
      '4111 1111 1111 1111',
      '+4915100000006',
      ' ',
      'a',
      '7',
      '-',
      '.',
      '😀',
    )
    const text = fc.array(words, { maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { maxLength: 12 }), (whole, cuts) => {
        fc.pre(!/[\d .-]{80}/.test(whole))
        const stream = clean.stream()
        let said = ''
        let rest = whole
        for (const cut of cuts) {
          said += stream.push(rest.slice(0, cut))
          rest = rest.slice(cut)
        }
        said += stream.push(rest) + stream.rest()
        expect(said).toBe(clean.text(whole))
      }),
      { numRuns: 2_000 },
    )
  })

  it('without an end is masked too, and the text held back is bounded', () => {
    const stream = clean.stream()
    const said = Array.from({ length: 50 }, () => stream.push('12 34 '))
    expect(said.join('').length).toBeGreaterThan(200)
    expect(stream.push('4111111111111111') + stream.rest()).toContain('••••••••••••1111')
  })

  it('keeps a sign whole that comes in two halves, also where nothing is masked', () => {
    const stream = createRedaction({ cards: false }).stream()
    expect([stream.push('Hi \ud83d'), stream.push('\ude00!\ud83d'), stream.rest()]).toEqual([
      'Hi ',
      '😀!',
      '\ufffd',
    ])
  })

  it('holds back only text that can be part of a number', () => {
    const stream = clean.stream()
    expect(stream.push('I have 3')).toBe('I have ')
    expect(stream.push(' bikes')).toBe('3 bikes')
    // What was held back to the end is said once.
    expect([stream.push(' and 4'), stream.rest(), stream.rest(), stream.push(' more')]).toEqual([
      ...[' and ', '4', '', ' more'],
    ])
  })
})

describe('a reason of another program', () => {
  const CARD = '4111111111111111'
  it.each([
    ['without the words of a visitor', 'no answer to Lena, Lena!', ['Lena'], 'no answer to …, …!'],
    ['with words too short to say anything', 'not an answer to an', ['an'], 'not an answer to an'],
    ['with words of three characters', 'the other', ['the'], 'the other'],
    ['as it is where nothing is left out', 'no answer', [undefined, ''], 'no answer'],
    ['with its cards masked', `refused ${CARD}`, [], 'refused ••••••••••••1111'],
    [
      'to 500 characters, and a card at the cut is masked',
      `${'x'.repeat(485)} ${CARD}`,
      [],
      `${'x'.repeat(485)} ${'•'.repeat(12)}11`,
    ],
    [
      'to 500 characters of what is left',
      `${'Lena'.repeat(600)}${'x'.repeat(600)}`,
      ['Lena'],
      '…'.repeat(500),
    ],
  ])('is shown %s', (_, reason, without, shown) => {
    expect(shortReason(clean, reason, without)).toBe(shown)
  })
})
