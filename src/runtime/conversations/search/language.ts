// Prepares words of many languages for full-text search: PostgreSQL stems the languages that it has a dictionary for;
// every text is normalised for its parser.

/** The dictionaries of PostgreSQL 15 by language. */
const DICTIONARIES: Readonly<Record<string, string>> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  el: 'greek',
  hi: 'hindi',
  hu: 'hungarian',
  id: 'indonesian',
  ga: 'irish',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  no: 'norwegian',
  nb: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  es: 'spanish',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
}

export const ALL_DICTIONARIES = [...new Set(Object.values(DICTIONARIES))]

/** The dictionary for a BCP 47 language; English if there is no dictionary for it, or no language is known. */
export function dictionaryOf(language: string): string {
  return DICTIONARIES[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? 'english'
}

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED.source}\\p{M}*)+`, 'gu')

/** Prepares text for the index: each character of a script without spaces becomes a word. */
export const spaced = (text: string): string =>
  text.normalize('NFC').replace(UNSPACED_RUN, (run) => ` ${[...run].join(' ')} `)

/**
 * Prepares text for a query: a run of characters without spaces becomes a phrase, with quotes unless it is inside quotes
 * already.
 */
const spacedQuery = (text: string): string =>
  text
    .normalize('NFC')
    .split('"')
    .map((part, index) =>
      part.replace(UNSPACED_RUN, (run) =>
        index % 2 === 1 ? ` ${[...run].join(' ')} ` : ` "${[...run].join(' ')}" `,
      ),
    )
    .join('"')

const encoder = new TextEncoder()
export const byteLength = (text: string): number => encoder.encode(text).length
/** Cuts a text to at most `bytes` bytes of UTF-8. */
export const beginning = (text: string, bytes: number): string =>
  text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read)

/** A word, or a phrase of several words. */
export type Operand = { text: string; not: boolean }

/** A compound such as `well-known` is a phrase too. */
const OPERAND = /(-*)\s*(?:"([^"]*)"?|([^\s"!&|()-][^\s"!&|()]*))/g

/** Reads words, "phrases", or, and -not into alternatives: a match fulfils every operand of at least one alternative. */
export function operandsOf(query: string): Operand[][] {
  const matchedOperands = [...spacedQuery(query).matchAll(OPERAND)]
  const alternatives: Operand[][] = [[]]
  for (const [index, [, minus = '', quoted, bare = '']] of matchedOperands.entries()) {
    const between = index > 0 && index < matchedOperands.length - 1
    if (between && minus === '' && bare.toLowerCase() === 'or') alternatives.push([])
    else alternatives.at(-1)?.push({ text: quoted ?? bare, not: minus.length % 2 === 1 })
  }
  return alternatives
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** How many words a query has, those of phrases and compounds among them. */
export const wordsOfQuery = (query: string): number =>
  operandsOf(query)
    .flat()
    .reduce((count, { text }) => count + (text.match(WORD)?.length ?? 0), 0)

/** Lower case, without the accents of Latin, Greek and Cyrillic letters: `Café` is found as `cafe`. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
