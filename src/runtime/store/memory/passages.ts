import { type Passages, proseOf, significantWords, storable } from '../passages.ts'
import type { Tables } from './tables.ts'
import { type Forms, fading, readPassage, stem } from './words.ts'

const IN_HEADING = 1
const IN_BODY = 0.2

export const createMemoryPassages = ({ passages }: Tables): Passages => ({
  async replace(collection, given) {
    const rows = given.map(storable).map((passage) => ({
      passage,
      heading: readPassage(passage.heading),
      body: readPassage(proseOf(passage.body)),
    }))
    passages.set(collection, rows)
  },

  async search(collection, question, limit) {
    const words = significantWords(question)
    return (passages.get(collection) ?? [])
      .map(({ passage, heading, body }) => {
        const hits = words.map((word) => [
          ...beginning(heading, word).map(() => IN_HEADING),
          ...beginning(body, word).map(() => IN_BODY),
        ])
        const found = hits.filter(({ length }) => length > 0)
        const length = heading.words.length + body.words.length
        const sum = found.reduce((so, weights) => so + fading(weights), 0)
        return { passage, rank: (sum / (1 + Math.log(Math.max(1, length)))) * found.length }
      })
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank)
      .slice(0, limit)
      .map(({ passage }) => ({ ...passage }))
  },

  first: async (collection, limit) =>
    (passages.get(collection) ?? []).slice(0, limit).map(({ passage }) => ({ ...passage })),
})

/** The words that begin as `word` does, in any of its forms. */
function beginning({ words, stems }: Forms, word: string): string[] {
  const form = stem(word, 'english')
  return words.filter((one, at) => one.startsWith(word) || stems[at]?.startsWith(form))
}
