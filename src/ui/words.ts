// Provides all words for the parts that are loaded on demand. English words are loaded with them; other languages have all words
// from the start.

import { useContext } from 'preact/hooks'
import { Panel } from './context.ts'
import { en, type Words } from './locales/en.ts'
import type { CoreWords } from './locales/en-core.ts'

const whole = new WeakMap<CoreWords, Words>()

export function allWords(words: CoreWords): Words {
  const known = whole.get(words)
  if (known) return known
  const all = { ...en, ...words }
  whole.set(words, all)
  return all
}

export const useWords = (): Words => allWords(useContext(Panel).words.value)
