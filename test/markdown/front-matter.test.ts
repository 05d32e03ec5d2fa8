// What stands above a document, between two lines of dashes.

import { expect, it } from 'vitest'
import { splitFrontMatter } from '../../src/markdown/index.ts'

const read = (text: string) => {
  const { values, body, lines } = splitFrontMatter(text)
  return { values: Object.fromEntries(values), body, lines }
}

it('front matter gives a value or a list for each key, and leaves the body', () => {
  expect(
    read('---\ntitle: "A: b"\nlang: ar\nasked:\n  - how much?\n  - \'#sizes which one\'\n---\n# Tyres\n'),
  ).toEqual({
    values: { title: ['A: b'], lang: ['ar'], asked: ['how much?', '#sizes which one'] },
    body: '# Tyres\n',
    lines: 7,
  })
})

it('front matter may be empty, have the line ends of Windows, or end with the file', () => {
  expect(read('---\n---\nText')).toEqual({ values: {}, body: 'Text', lines: 2 })
  expect(read('---\r\nlang: de\r\n---\r\nText')).toEqual({ values: { lang: ['de'] }, body: 'Text', lines: 3 })
  expect(read('---\nlang: de\n---')).toEqual({ values: { lang: ['de'] }, body: '', lines: 3 })
})

it.each(['# Tyres\n\n---\nlang: de\n---\n', '---\nlang: de\n', '----\nlang: de\n---\n', ''])(
  'a text without front matter is a body: %j',
  (text) => {
    expect(read(text)).toEqual({ values: {}, body: text, lines: 0 })
  },
)
