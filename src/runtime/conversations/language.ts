// Prepares words of many languages for full-text search: PostgreSQL stems what it has a dictionary for, and every
// text is brought into the shape that its parser understands.

/** PostgreSQL's dictionaries by language, those that version 15 has. */
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

/** The dictionary for a BCP 47 language; English where there is none, or none is known. */
export function dictionaryOf(language: string): string {
  return DICTIONARIES[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? 'english'
}

/** Writing without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED.source}\\p{M}*)+`, 'gu')

/** Text to be stored: each sign of a writing without spaces is a word of its own. */
export const spaced = (text: string): string =>
  text.normalize('NFC').replace(UNSPACED_RUN, (run) => ` ${[...run].join(' ')} `)

/** Text to be looked for: such a run is found as a phrase. Without its quotes, so that it means the same inside some. */
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
/** As much of a text as so many bytes of UTF-8 hold. */
export const beginning = (text: string, bytes: number): string =>
  text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read)

/** What is asked for: one of these has to hold, and of each all. A word, or several that follow each other. */
export type Operand = { text: string; not: boolean }

/** What is written together follows each other too: `well-known`. */
const OPERAND = /(-*)\s*(?:"([^"]*)"?|([^\s"!&|()-][^\s"!&|()]*))/g

/** Reads words, "phrases", or, and -not. */
export function operandsOf(query: string): Operand[][] {
  const found = [...spacedQuery(query).matchAll(OPERAND)]
  const alternatives: Operand[][] = [[]]
  for (const [index, [, minus = '', quoted, bare = '']] of found.entries()) {
    const between = index > 0 && index < found.length - 1
    if (between && minus === '' && bare.toLowerCase() === 'or') alternatives.push([])
    else alternatives.at(-1)?.push({ text: quoted ?? bare, not: minus.length % 2 === 1 })
  }
  return alternatives
}

/** Lower case, without the accents of Latin, Greek and Cyrillic letters: `Café` is found as `cafe`. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
