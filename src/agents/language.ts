// Splits text into words, detects its language, and reduces words to their stems.

import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stopwords as dutchStops } from '@orama/stopwords/dutch'
import { stopwords as englishStops } from '@orama/stopwords/english'
import { stopwords as frenchStops } from '@orama/stopwords/french'
import { stopwords as germanStops } from '@orama/stopwords/german'
import { stopwords as italianStops } from '@orama/stopwords/italian'
import { stopwords as portugueseStops } from '@orama/stopwords/portuguese'
import { stopwords as spanishStops } from '@orama/stopwords/spanish'

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const
/** The languages that the search knows. */
export type Language = (typeof LANGUAGES)[number]

/** The language of a BCP 47 tag; undefined if the agents do not know the language. */
export const languageOfTag = (tag = ''): Language | undefined =>
  LANGUAGES.find((each) => each === tag.toLowerCase().split('-')[0])

/** Filler words of questions. They carry no meaning for the search. */
const ASKING: Readonly<Partial<Record<Language, string>>> = {
  en: 'a always yo bro dude u ur lol hmm wanna gonna gotta whos actually behind already also am anybody anyone anything around asap btw could everything somebody someone get gets getting give gives got guys hello hey hi hint idea im ive id just kindly know let like look looking lot maybe me mean need needed needs ok okay one ones please possible possibly pls plz question quick quickly really say see shall show something still stuff sure tell thank thanks thing things think thx try trying understand want wanted wants way whats whether wondering would yes yet got want somehow somewhere exactly use used uses using explain find many much us does dont doesnt cant im',
  de: 'a immer ständig ganze ganzen bestimmte bestimmten bitte brauche brauchen danke denn eigentlich einfach erklär erklären erkläre etwa finde finden frage gern gerne geht gehen geben gib gibt gibts ginge hallo halt hätte irgendwie irgendwo ja kannst könnt könntest lassen lässt mach mache macht mag mal man möchte möchten muss musst müssen nein sag sage sagen schnell überhaupt vielleicht weiß weiss wieviel wohl wüsste woher wohin warum wann wer wozu zeig zeige zeigen eure eurer dein ihr euer wurde sei gut leider gesetzt setzt benutzt benutzen liegen liegt befinden befindet steht stehen bekomme bekommen kriege kriegen verwendet verwenden genutzt nutzen nutze nutzt hoch',
  fr: "a alors toujours aimerais besoin bonjour comment combien dois doit donc est-ce faire fais fait faut lequel merci où peut peut-on peux plaît plait pourquoi pouvez pourrais puis puis-je quand quoi quelque salut savoir si s'il svp trouve veux vouloir voudrais y'a ya peut-il faut-il ça cela tout tous toute toutes plus très bien utilise utiliser utilisé utilisés utilisée utilisées avez-vous",
}

const STOPS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: stopSet('en', englishStops),
  de: stopSet('de', germanStops),
  fr: stopSet('fr', frenchStops),
  es: stopSet('es', spanishStops),
  it: stopSet('it', italianStops),
  pt: stopSet('pt', portugueseStops),
  nl: stopSet('nl', dutchStops),
}

const STEMMERS: Readonly<Record<Language, (word: string) => string>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
}

function stopSet(language: Language, words: readonly string[]): ReadonlySet<string> {
  const all = [...words, ...(ASKING[language] ?? '').split(' ')].filter(Boolean)
  return new Set(
    all.flatMap((word) => [word, word.replace(/['’]/g, '')]).map((word) => word.normalize('NFC')),
  )
}

export const isStopWord = (word: string, language: Language): boolean => STOPS[language].has(word)

/** Number of words used to detect the language of a text: more take time and change nothing. */
const LOOKED_AT = 160

/** The languages that a word tells, a bit for each, so that one look-up answers for all. */
const toldBy = new Map<string, number>()
for (const [index, language] of LANGUAGES.entries())
  for (const word of STOPS[language]) toldBy.set(word, (toldBy.get(word) ?? 0) | (1 << index))

/** The language with the most stop words in the text; `otherwise` if the text has none. */
export function languageOf(text: string, otherwise: Language): Language {
  const start = text
    .slice(0, LOOKED_AT * 12)
    .toLowerCase()
    .normalize('NFC')
    .replaceAll('’', "'")
  const counts: number[] = LANGUAGES.map(() => 0)
  for (const word of start.match(/[\p{L}']+/gu)?.slice(0, LOOKED_AT) ?? []) {
    const languages = toldBy.get(word) ?? 0
    if (languages !== 0)
      for (let index = 0; index < LANGUAGES.length; index++)
        counts[index] = (counts[index] ?? 0) + ((languages >> index) & 1)
  }
  const most = Math.max(...counts)
  if (most === 0 || counts[LANGUAGES.indexOf(otherwise)] === most) return otherwise
  return LANGUAGES[counts.indexOf(most)] ?? otherwise
}

/** Longer runs are not words that visitors ask for. */
const LONGEST_WORD = 48
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** A word in lower case. A name such as `FOYER_DESK_WAIT`, `data-accent` or `publicOrigin` has parts. */
export type Token = { word: string; parts: readonly string[] }

const NAME = /[_-]|[\p{Ll}\p{N}]\p{Lu}/u

const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_'’-]*/gu
/** Most words: neither a name nor of a script without spaces. */
const PLAIN = /^(?:[A-Za-z][a-z]*|[A-Z]+)$/
const NO_PARTS: readonly string[] = []

/** Words of a text, in order. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const addToken = (word: string, parts = NO_PARTS) => tokens.push({ word: word.toLowerCase(), parts })
  for (const found of text.normalize('NFC').match(TOKEN) ?? []) {
    if (PLAIN.test(found)) {
      addToken(found.length > LONGEST_WORD ? found.slice(0, LONGEST_WORD) : found)
      continue
    }
    const name = found.slice(0, LONGEST_WORD).replace(/[-_'’]+$/, '')
    if (WITHOUT_SPACES.test(name)) {
      for (const { segment, isWordLike } of segmenter.segment(name)) if (isWordLike) addToken(segment)
    } else if (/['’](t|re|ve|ll|m)$/i.test(name)) addToken(name.replace(/['’]/g, ''))
    else if (/['’]/.test(name)) {
      // Of l'adresse and person's keep the long part.
      for (const part of name.split(/['’]/)) if (part.length > 1) addToken(part)
    } else if (!NAME.test(name)) addToken(name)
    else {
      const parts = name
        .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
        .split(/[\s_-]+/)
        .filter((part) => part.length > 1)
        .map((part) => part.toLowerCase())
      addToken(name, parts.length > 1 || /[_-]/.test(name) ? parts : NO_PARTS)
    }
  }
  return tokens
}

/** Words of a text in order, each name followed by its parts. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const { word, parts } of tokensOf(text)) {
    words.push(word)
    for (const part of parts) words.push(part)
  }
  return words
}

type Known = { stem: string; isStop: boolean }
const known: Readonly<Record<Language, Map<string, Known>>> = {
  en: new Map(),
  de: new Map(),
  fr: new Map(),
  es: new Map(),
  it: new Map(),
  pt: new Map(),
  nl: new Map(),
}
const KNOWN_STEMS = 100_000

function knownOf(word: string, language: Language): Known {
  const all = known[language]
  const found = all.get(word)
  if (found !== undefined) return found
  const stem = word.length < 3 || /[\p{N}_-]/u.test(word) ? word : STEMMERS[language](word)
  const made = { stem: withoutAccents(stem), isStop: isStopWord(word, language) }
  if (all.size >= KNOWN_STEMS) all.clear()
  all.set(word, made)
  return made
}

/** Stem of a word in lower case, without accents. A name with a digit, `_` or `-` stays as it is. */
export const stemOf = (word: string, language: Language): string => knownOf(word, language).stem

/** Undefined for a stop word. */
export function tellingStemOf(word: string, language: Language): string | undefined {
  const { stem, isStop } = knownOf(word, language)
  return isStop ? undefined : stem
}

const ASCII = /^[\x20-\x7e]*$/

const withoutAccents = (text: string): string =>
  ASCII.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')

/** The words of a text as people compare them: in lower case, without marks, of its first 4,000 characters. */
export const bare = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’‘ʼ]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 4_000)
