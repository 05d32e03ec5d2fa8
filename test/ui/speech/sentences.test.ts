// What a screen reader hears of an answer: every sentence once, in order, whatever the pieces; code by its lines.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readWords } from '../../../src/ui/answer/markdown.tsx'
import { createReader as createLazyReader } from '../../../src/ui/speech/sentences.ts'

const code = (lines: number) => `Code, ${lines} lines.`
/** Reads Markdown as the panel's parser would, as far as these texts need it. */
const plain = (text: string) =>
  text
    .replace(/[*`#>|-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Says each sentence at once, and none that has no words. */
function createReader(...given: Parameters<typeof createLazyReader>) {
  const reader = createLazyReader(...given)
  return {
    add: (text: string, complete: boolean) =>
      reader.add(text, complete).flatMap((sentence) => sentence() || []),
  }
}

function read(pieces: readonly string[]): string[] {
  const reader = createReader(plain, code)
  return [...pieces.flatMap((piece) => reader.add(piece, false)), ...reader.add('', true)]
}

describe('a sentence', () => {
  it('is read as soon as it is whole, and not before', () => {
    const reader = createReader(plain, code)
    expect(reader.add('Hello. How', false)).toEqual(['Hello.'])
    expect(reader.add(' are you?', false)).toEqual([])
    expect(reader.add(' I am', false)).toEqual(['How are you?'])
    expect(reader.add('', true)).toEqual(['I am'])
  })

  it('does not end inside a number, a name or a bold phrase', () => {
    expect(read(['It costs 3.', '14 euros at example.', 'com. ', 'Yes'])).toEqual([
      'It costs 3.14 euros at example.com.',
      'Yes',
    ])
    expect(read(['**Stay. ', 'Here.** Then go.'])).toEqual(['Stay. Here. Then go.'])
  })

  it('is each item of a list, each heading, each paragraph', () => {
    expect(read(['# Hours\n\n- Monday\n- Tuesday', ' nine\n\nThat is', ' all'])).toEqual([
      'Hours',
      'Monday',
      'Tuesday nine',
      'That is all',
    ])
  })
})

it('code is named by its lines, once, and never read', () => {
  expect(read(['Run this:\n``', '`sh\nnpm start. Now.\nnpm test\n', '```\nDone. ', 'Really'])).toEqual([
    'Run this:',
    'Code, 2 lines.',
    'Done.',
    'Really',
  ])
  expect(read(['```\nnever closed'])).toEqual(['Code, 1 lines.'])
})

it('the reader of sentences says the same words, whatever the pieces', () => {
  const parts = [
    'One. ',
    'Two',
    '! ',
    'x 3.5 ',
    '**bold. text** ',
    '\n',
    '\n\n',
    '- item ',
    '```\n',
    'a `b. c` ',
  ]
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts), { maxLength: 20 }),
      fc.array(fc.nat(8), { maxLength: 40 }),
      (texts, cuts) => {
        const whole = texts.join('')
        const pieces: string[] = []
        let at = 0
        for (const cut of cuts) {
          pieces.push(whole.slice(at, at + cut))
          at += cut
        }
        pieces.push(whole.slice(at))
        const words = (said: readonly string[]) => said.join(' ').replace(/\s+/g, ' ')
        expect(words(read(pieces))).toBe(words(read([whole])))
      },
    ),
    { numRuns: 300 },
  )
})

it('the reader of sentences looks at every character a bounded number of times', () => {
  const steps = (text: string) => {
    let seen = 0
    const reader = createReader((part) => {
      seen += part.length
      return part
    }, code)
    for (const sign of text) reader.add(sign, false)
    reader.add('', true)
    return seen
  }
  for (const unit of ['a. ', '**a. ', '[a. ', '`a. ', 'a '])
    expect([unit, steps(unit.repeat(1_000)) <= 3 * unit.length * 1_000]).toEqual([unit, true])
})

it('the reader of sentences reads one with bars in it once it is whole', () => {
  const reader = createReader(plain, code)
  const said = ['We open Mon | Wed | Fri. ', 'Then call us. ', 'We'].flatMap((text) =>
    reader.add(text, false),
  )
  expect(said.join(' ')).toContain('Then call us.')
})

describe('what stands behind a sentence in its line', () => {
  it.each([
    ['It is open in May. 3. June is a holiday. Then', 'It is open in May. 3. June is a holiday. Then'],
    ['Mind the sign. > 5 means more. Yes', 'Mind the sign. > 5 means more. Yes'],
    ['One rule. - no dogs. Two', 'One rule. - no dogs. Two'],
    ['A number. # 7 is yours. Go', 'A number. # 7 is yours. Go'],
    ['Use it. ```x``` is fine. So', 'Use it. x is fine. So'],
    ['Look. **"Here"** it is. There', 'Look. "Here" it is. There'],
  ])('begins no item, quote, heading or code: %s', (text, heard) => {
    for (const size of [1, 3, 7, text.length]) {
      const reader = createReader(readWords, code)
      const said: string[] = []
      for (let at = 0; at < text.length; at += size)
        said.push(...reader.add(text.slice(at, at + size), false))
      said.push(...reader.add('', true))
      expect(said.join(' ')).toBe(heard)
    }
  })

  it('leaves the next line free to begin one', () => {
    const reader = createReader(readWords, code)
    const said = ['Hi. All ', 'of you.\n', '1. one\n', '> two. ', 'three\n'].flatMap((part) =>
      reader.add(part, false),
    )
    expect([...said, ...reader.add('', true)].join(' ')).toBe('Hi. All of you. one two. three')
  })
})
