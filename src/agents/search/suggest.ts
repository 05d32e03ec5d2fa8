// Chooses the suggestions beside a message: questions of the front matter, and headings as they are written.

import type { Language } from '../language.ts'
import type { Passage } from './passages.ts'

/** Longer suggestions do not fit a button. */
const LONGEST_SUGGESTION = 60

/** The first question of the front matter, else the heading; undefined if there is none that fits a button. */
export function suggestionOf({ heading, questions, slug }: Passage): string | undefined {
  const text = questions[0] ?? (slug ? heading : undefined)
  return text && text.length <= LONGEST_SUGGESTION ? text : undefined
}

/**
 * Chooses at most `count` suggestions in the order of the passages, one of each passage, and none of those in `without`.
 * Suggestions in the visitor's language come first.
 */
export function chooseSuggestions(
  passages: readonly Passage[],
  without: ReadonlySet<string>,
  count: number,
  language?: Language,
): string[] {
  const all = passages.flatMap((passage) => {
    const text = suggestionOf(passage)
    if (text === undefined) return []
    const isForeign = language !== undefined && passage.language !== language
    // Passages with words of visitors are written for visitors.
    const isForVisitors = passage.asked.length > 0
    return [{ text, rank: (isForeign ? 2 : 0) + (isForVisitors ? 0 : 1) }]
  })
  const sorted = all.sort((a, b) => a.rank - b.rank).map(({ text }) => text)
  return [...new Set(sorted)].filter((each) => !without.has(each)).slice(0, count)
}
