// What the frame's page draws before any script of the panel: the styles and the few words of it, in every language. The build writes them
// into a file for the BFF.

import type { en, Words } from './locales/en.ts'
import css from './theme/first.css?inline'
import page from './theme/page.css?inline'
import { loadWords, TAGS } from './words/languages.ts'

const NAMES = [
  ...(['direction', 'chat', 'closeChat', 'conversation', 'loading'] as const),
  ...(['message', 'placeholder', 'send', 'unavailable'] as const),
] satisfies (keyof Words)[]

type FirstWords = Pick<typeof en, (typeof NAMES)[number]>

/** `words`: by BCP 47 tag. */
export async function firstScreen(): Promise<{ style: string; words: Record<string, FirstWords> }> {
  const { signal } = new AbortController()
  const of = (words: Words) => Object.fromEntries(NAMES.map((name) => [name, words[name]])) as FirstWords
  const words = await Promise.all(TAGS.map(async (tag) => [tag, of(await loadWords(tag, signal))] as const))
  return { style: page + css, words: Object.fromEntries(words) }
}
