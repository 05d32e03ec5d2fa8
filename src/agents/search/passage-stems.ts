// Splits a passage into the stems that the index searches: of its heading, the questions for it, its text and its code.

import { languageOf, tellingStemOf, wordsOf } from '../language.ts'
import { type Passage, plainText } from './passages.ts'
import { foreignStem } from './question.ts'

/** Stems of a passage, by field. */
export type StemFields = {
  heading: string[]
  asked: string[]
  above: string[]
  body: string[]
  code: string[]
}

/** A passage in the index. */
export type PassageStems = {
  passage: Passage
  /** Stems of the heading, and of each question of the front matter. */
  headings: readonly ReadonlySet<string>[]
  /** Stems of each hint. */
  asked: readonly ReadonlySet<string>[]
  /** From 0 to 1: the weight of a word in the body. A long passage has any word somewhere, so its words weigh less. */
  density: number
}

/** A body of up to this many stems has full weight. SPARSENESS: how fast the weight of longer bodies falls. */
const DENSE_STEMS = 100
const SPARSENESS = 0.3

type Title = { text: string; words: string[] }

/** Stems and words of a passage. Stop words are never searched for, and make up half of any text. */
export function stemsOfPassage(passage: Passage) {
  const { blocks, language } = passage
  const stems = (words: readonly string[], spoken = language) => {
    const foundStems: string[] = []
    for (const word of words) {
      const stem = tellingStemOf(word, spoken)
      if (stem !== undefined) foundStems.push(stem)
    }
    return foundStems
  }
  const prose = wordsOf(
    blocks.map(({ kind, source }) => (kind === 'code' ? '' : plainText(source))).join(' '),
  )
  const code = wordsOf(blocks.map(({ kind, source }) => (kind === 'code' ? source : '')).join(' '))
  // A hint may be in another language than the file.
  const [titles, asked] = [[passage.heading, ...passage.questions], passage.asked].map((texts) =>
    texts.map((text) => ({ text, words: wordsOf(text) })),
  ) as [Title[], Title[]]
  const askedStems = asked.flatMap(({ text, words }) => {
    const spoken = languageOf(text, language)
    return spoken === language
      ? [stems(words)]
      : [stems(words), stems(words, spoken).map((stem) => foreignStem(stem, spoken))]
  })
  const above = wordsOf([passage.title, ...passage.above, passage.file.replace(/\.\w+$/, '')].join(' '))
  const fields: StemFields = {
    heading: stems(titles.flatMap(({ words }) => words)),
    asked: askedStems.flat(),
    above: stems(above),
    body: stems(prose),
    code: stems(code),
  }
  return {
    fields,
    headings: titles.map(({ words }) => new Set(stems(words.filter((word) => !/[_-]/.test(word))))),
    asked: askedStems.map((each) => new Set(each)),
  }
}

export const densityOf = (body: readonly string[]): number =>
  Math.min(1, (DENSE_STEMS / Math.max(1, body.length)) ** SPARSENESS)
