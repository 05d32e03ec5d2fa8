// Finds the known word that a mistyped or compound word stands for.

import { editDistance } from '../../api/index.ts'
import { withoutAccents } from '../language.ts'

/** The known words, with the frequency of each. */
export interface Vocabulary {
  add(word: string): void
  remove(word: string): void
  count(word: string): number
  /** The known word with the fewest mistakes, then the most frequent; undefined if none is near enough. */
  nearest(word: string): string | undefined
  words(): Iterable<string>
}

/** Mistakes to allow: one in a short word, two in a long one. A word of three letters may only have letters swapped. */
const mistakesIn = (word: string): number => (word.length < 3 ? 0 : word.length < 8 ? 1 : 2)

/** In a word this short another letter makes another word (pasta, paste), unless the key beside it was hit. */
const SHORT_WORD = 5
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop', 'wxcvbn']
const SWAPPED = ['yz', 'aq', 'wz']

function areNeighbours(a: string, b: string): boolean {
  return (
    SWAPPED.some((pair) => pair.includes(a) && pair.includes(b)) ||
    ROWS.some((row) => row.includes(a) && row.includes(b) && Math.abs(row.indexOf(a) - row.indexOf(b)) === 1)
  )
}

/** Whether two words of one length differ in one letter whose keys are not neighbours. */
function isOtherWord(a: string, b: string): boolean {
  if (a.length !== b.length || a.length > SHORT_WORD) return false
  const at = [...a].flatMap((letter, index) => (letter === b[index] ? [] : [index]))
  const [first = 0] = at
  return at.length === 1 && !areNeighbours(a[first] ?? '', b[first] ?? '')
}

/** `letters`: a bit for each letter, so that most words are ruled out by one comparison. */
type Entry = { word: string; count: number; folded: string; letters: number }

export function createVocabulary(): Vocabulary {
  const known = new Map<string, Entry>()
  /** A mistyped word is about as long as the word it stands for. */
  const byLength: Set<Entry>[] = []

  function* nearLength(length: number, most: number): Iterable<Entry> {
    for (let each = Math.max(3, length - most); each <= length + most; each++) yield* byLength[each] ?? []
  }

  function nearest(word: string): string | undefined {
    const mostMistakes = mistakesIn(word)
    if (mostMistakes === 0 || /\p{N}/u.test(word)) return undefined
    const foldedWord = withoutAccents(word)
    const letters = lettersOf(foldedWord)
    let best: string | undefined
    let rank = Number.POSITIVE_INFINITY
    for (const entry of nearLength(word.length, mostMistakes)) {
      const candidate = entry.word
      // One mistake changes at most two letters.
      if (
        bitsOf(entry.letters ^ letters) > 2 * mostMistakes ||
        (word.length === 3 && entry.letters !== letters)
      )
        continue
      const mistakes = editDistance(foldedWord, entry.folded, mostMistakes)
      if (mistakes > mostMistakes || isOtherWord(foldedWord, entry.folded)) continue
      // Typing errors seldom change the first letter.
      const candidateRank =
        mistakes + (candidate[0] === word[0] ? 0 : 0.9) - Math.min(0.5, entry.count / 1_000)
      if (candidateRank < rank && candidateRank < mostMistakes + 0.5) {
        best = candidate
        rank = candidateRank
      }
    }
    return best
  }

  return {
    add(word) {
      const entry = known.get(word)
      if (entry) entry.count++
      else {
        const folded = withoutAccents(word)
        const newEntry = { word, count: 1, folded, letters: lettersOf(folded) }
        known.set(word, newEntry)
        byLength[word.length] ??= new Set()
        byLength[word.length]?.add(newEntry)
      }
    },
    remove(word) {
      const entry = known.get(word)
      if (!entry || --entry.count > 0) return
      known.delete(word)
      byLength[word.length]?.delete(entry)
    },
    count: (word) => known.get(word)?.count ?? 0,
    nearest,
    words: () => known.keys(),
  }
}

function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % 32)
  return letters
}

function bitsOf(number: number): number {
  let rest = number
  let bits = 0
  for (; rest !== 0; bits++) rest &= rest - 1
  return bits
}

const LEAST_PART = 4
const JOINTS = ['', 's', 'n', 'es', 'en']

/** The two known words that a compound is made of (Versand-kosten, Rückgabe-frist); empty if it is not a compound. */
export function partsOf(word: string, isKnown: (part: string) => boolean): string[] {
  for (let at = word.length - LEAST_PART; at >= LEAST_PART; at--) {
    const end = word.slice(at)
    if (!isKnown(end)) continue
    for (const joint of JOINTS) {
      const start = word.slice(0, at)
      if (!start.endsWith(joint)) continue
      const bare = start.slice(0, start.length - joint.length)
      if (bare.length >= LEAST_PART && isKnown(bare)) return [bare, end]
    }
  }
  return []
}
