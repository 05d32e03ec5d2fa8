// Finds the passages that an answer of the model rests on, to name them where the model did not.

import { drawnAddresses, parseMarkdown } from '../../markdown/index.ts'
import { languageOf, tellingStemOf, wordsOf } from '../language.ts'
import type { Passage } from '../search/passages.ts'
import { type SourceAddress, sourceOf } from '../search/quote.ts'

const MOST_NAMED = 2
/** Share of the answer's words that a passage has, and the fewest of them. */
const LEAST_SHARE = 0.5
const FEWEST_WORDS = 2

/** The sources of an answer, as Markdown. Empty if the answer names one, or rests on none. */
export function unnamedSources(text: string, passages: readonly Passage[], address: SourceAddress): string[] {
  // Only links that a source has are left in it.
  if (drawnAddresses(parseMarkdown(text)).length > 0 || passages.some(({ file }) => text.includes(file)))
    return []
  const language = languageOf(text, 'en')
  const stemsOf = (words: string) =>
    new Set(wordsOf(words).flatMap((word) => tellingStemOf(word, language) ?? []))
  const said = stemsOf(text)
  const shares = passages.map((passage) => {
    const known = stemsOf([passage.heading, ...passage.blocks.map(({ source }) => source)].join('\n'))
    const shared = [...said].filter((stem) => known.has(stem)).length
    return { source: sourceOf(passage, address), shared, share: shared / said.size }
  })
  const resting = shares
    .filter(({ shared, share }) => shared >= FEWEST_WORDS && share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share)
  return [...new Set(resting.map(({ source }) => source))].slice(0, MOST_NAMED)
}
