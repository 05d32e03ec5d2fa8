// The search of a site, as it runs in a browser.

import { expect, it } from 'vitest'
import { excerptOf, searchEntries, titleFor } from '../../src/docs/site/search.ts'

const entry = (heading: string, text: string) => ({
  title: 'Larkspur',
  heading,
  address: `${heading}.html`,
  text,
})
const ENTRIES = [
  entry('Tyres', 'A tyre costs 20. Bells are free.'),
  entry('Bells', 'They ring.'),
  entry('営業時間', '月曜日から金曜日まで営業しています。'),
  ...Array.from({ length: 40 }, (_, index) => entry(`Spoke ${index}`, 'A spoke of a wheel.')),
]
const found = (query: string) => searchEntries(ENTRIES, query).map(({ heading }) => heading)

it('the search of a site finds headings first, beginnings of words, words with a slip, and Japanese', () => {
  expect(found('bells')).toEqual(['Bells', 'Tyres'])
  expect(found('cost')).toEqual(['Tyres'])
  expect(found('tyras')).toEqual(['Tyres'])
  expect(found('金曜日')).toEqual(['営業時間'])
  expect(found('xyzzy')).toEqual([])
})

it('the search of a site puts passages with every word first, and shows so many at most', () => {
  expect(found('bells free')[0]).toBe('Tyres')
  expect(found('spoke')).toHaveLength(20)
})

it('the search of a site finds the words in which visitors ask', () => {
  const asked = [...ENTRIES, { ...entry('Returns', 'By post.'), asked: 'where is my money' }]
  expect(searchEntries(asked, 'money').map(({ heading }) => heading)).toEqual(['Returns'])
})

it('an excerpt shows the text around the first word that was searched for', () => {
  const text = `${'before '.repeat(40)}the tyre ${'after '.repeat(40)}`
  expect(excerptOf(text, 'tyre')).toMatch(/^… before .*the tyre after .* …$/)
  for (const query of ['tyre?', '(tyre', '“tyre”', ' tyre '])
    expect(excerptOf(text, query)).toContain(' tyre ')
  expect(excerptOf('A tyre.', 'tyre')).toBe('A tyre.')
  expect(excerptOf('A tyre.', 'xyzzy')).toBe('A tyre.')
})

it('the title of the search page shows the query as it is', () => {
  expect(titleFor('Search – Larkspur', '$& $1')).toBe('Results for “$& $1” – Larkspur')
  expect(titleFor('Search', 'tyre')).toBe('Results for “tyre” ')
})
