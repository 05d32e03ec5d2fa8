// Where a streamed answer may be cut.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWordCutter } from '../../src/runtime/turns/word-cutter.ts'

function cut(pieces: readonly string[]): string[] {
  const words = createWordCutter()
  const chunks = pieces.flatMap((piece) => words.push(piece))
  const rest = words.rest()
  return rest === '' ? chunks : [...chunks, rest]
}

describe('a streamed text', () => {
  it.each([
    ['words in pieces', ['Hel', 'lo wor', 'ld'], ['Hello ', 'world']],
    ['words with their space before them', ['Hello', ' there', ', you'], ['Hello ', 'there, ', 'you']],
    ['words with their space behind them', ['Hello ', 'there ', 'you'], ['Hello ', 'there ', 'you']],
    ['a line break between', ['one\n', '\n', 'two'], ['one\n', '\n', 'two']],
    ['late whitespace with words', ['one ', ' two three'], ['one ', ' ', 'two ', 'three']],
    ['only whitespace', [' ', '\n'], [' ', '\n']],
    ['no-break spaces', ['10\u00a0', '000'], ['10\u00a0', '000']],
    ['nothing', ['', ''], []],
  ])('is cut after the whitespace: %s', (_, pieces, chunks) => {
    expect(cut(pieces)).toEqual(chunks)
  })

  it('holds back a word of up to 40 characters until its end', () => {
    expect(cut(['x'.repeat(20), 'x'.repeat(20), ' y'])).toEqual([`${'x'.repeat(40)} `, 'y'])
  })

  it('sends parts of a run of over 40 characters, and holds back words again after it', () => {
    const words = createWordCutter()
    expect(words.push('x'.repeat(41))).toEqual(['x'.repeat(40)])
    expect(words.push('y')).toEqual(['x'])
    expect(words.push('z short')).toEqual(['yz '])
    expect(words.push('er')).toEqual([])
    expect(words.rest()).toBe('shorter')
  })

  it('cuts no grapheme of a long run', () => {
    const family = '👨‍👩‍👧‍👦'
    const text = family.repeat(30)
    const chunks = cut([...text])
    expect(chunks.join('')).toBe(text)
    expect(chunks.length).toBeGreaterThan(10)
    for (const chunk of chunks) expect(chunk.replaceAll(family, '')).toBe('')
  })

  it('sends parts of an endless grapheme, and cuts no code point', () => {
    const text = `x${'\u0301'.repeat(5_000)}${'\u{1e8d0}'.repeat(5_000)}`
    const chunks = cut([...text])
    expect(chunks.join('')).toBe(text)
    for (const chunk of chunks) expect(Buffer.from(chunk).toString()).toBe(chunk)
  })

  it('loses and adds nothing, and keeps each short word whole, whatever the pieces', () => {
    const text = fc.array(fc.constantFrom('a', 'word', ' ', '  ', '\n', 'é', '👍🏽', 'long'.repeat(12)), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.join('')
        const chunks = cut(pieces)
        expect(chunks.join('')).toBe(whole)
        expect(chunks.every((chunk) => chunk !== '')).toBe(true)
        let at = 0
        for (const chunk of chunks.slice(0, -1)) {
          at += chunk.length
          const inside = /\S/.test(whole.charAt(at - 1)) && /\S/.test(whole.charAt(at))
          const run = /\S*$/.exec(whole.slice(0, at))?.[0].length ?? 0
          const after = /^\S*/.exec(whole.slice(at))?.[0].length ?? 0
          if (inside) expect(run + after).toBeGreaterThan(40)
          expect(chunk).not.toMatch(/^\s+\S/)
        }
      }),
    )
  })
})
