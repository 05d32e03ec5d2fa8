// Turns headings into questions, and chooses which ones to offer.

import type { Language } from '../language.ts'
import type { Passage } from './passages.ts'

/** Longer questions do not fit a button. */
const LONGEST_QUESTION = 60

/** The question that the passage answers, in a visitor's words; undefined if its heading gives none. */
export function questionOf({ heading, questions, slug }: Passage): string | undefined {
  const asked = questions[0] ?? (slug ? questionFrom(heading) : undefined)
  return asked && asked.length <= LONGEST_QUESTION ? asked : undefined
}

/**
 * The question behind a heading: `How to install it` → `How do I install it?`. A clause whose verb is unclear is asked for
 * as it is (`Tell me how texts reach phones`), since a wrong question reads worse. Undefined for other headings.
 */
export function questionFrom(heading: string): string | undefined {
  const text = heading.trim().replace(/[.:]$/, '')
  // “How often?” says nothing without the headings above it.
  if (text.endsWith('?')) return text.includes(' ', text.indexOf(' ') + 1) ? text : undefined
  if (FOREIGN_CLAUSE.test(text)) return `${text}?`
  if (PROBLEM.test(text)) return text
  const turned = fromVisitor(text)
  if (text.startsWith('If ')) return `What ${lowerFirst(turned)}?`
  // After a comma stands another clause.
  const question = text.includes(',') && !text.startsWith('How to ') ? undefined : direct(turned)
  if (question) return `${question}?`
  return CLAUSE.test(text) ? `Tell me ${lowerFirst(turned)}` : undefined
}

const CLAUSE = /^(?:In )?(?:What|Which|Who|Whose|How|Where|When|Why|Whether) /i
const FOREIGN_CLAUSE =
  /^(?:Wie|Was|Wo|Wann|Wer|Welche[rsnm]?|Warum|Comment|Combien|Où|Quand|Pourquoi|Quels?|Quelles?) /
/** “The chat does not connect” is what a visitor says. */
const PROBLEM = /^(?:The|My|I|It) [\p{L}' -]+? (?:(?:does|do|is|are|can|will) not|cannot|is|are|was) \p{L}/u

/** A handbook calls its reader “you” and its owner “we”. A visitor says “I” and “you”. */
const fromVisitor = (text: string): string =>
  text.replace(/\b(?:you|your|yours|we|us|our)\b/g, (word, at: number) =>
    word === 'you' ? (/^you \p{L}/u.test(text.slice(at)) ? 'I' : 'me') : (TURNED[word] ?? word),
  )
const TURNED: Readonly<Record<string, string>> = {
  your: 'my',
  yours: 'mine',
  we: 'you',
  us: 'you',
  our: 'your',
}

const WITH_TO = /^((?:What|Which .+?|Who|Where|When|How)) to (.+)$/
const THERE = /^(Which .+|What|Where|How many .+) there (is|are)$/
const WHETHER = /^Whether (you|they|I) (.+)$/
const PRONOUN = /^((?:What|Why|Where|When|Who|Which|How)(?: .+?)?) (it|they|you|I|Foyer) (\p{L}+)( .+)?$/u
/** The question word is the subject, so that the clause is a question already. */
const IS_DIRECT =
  /^(?:What|Who|Which [\p{L}\p{N}]+|How many [\p{L}-]+) (?:is|are|was|were|can|cannot|may|must|will|happens|remains|moves|answers) ?/u
const QUALITY = /^How (\p{L}+) ((?:the|my|your|an?) [\p{L}-]+) (is|are)( .+)?$/u
const HELPERS = /^(?:is|are|was|were|can|may|must|will|would|should|does|do)$/
const ASKED = /^(?:What|Why|Where|When|How(?: (?:long|far|often|fast))?|Which [\p{L}-]+(?= (?:the|an?) )) /u
const ARTICLE = /^(?:the|an?|my|your|its)$/
/** Words that join clauses: a text with one of them is more than a name. */
const CONNECTS =
  /^(?:happens?|before|after|when|while|that|which|who|to|of|and|or|in|on|at|by|with|from|for|not|like)$/
const LONGEST_NAME = 4

/** The question without its mark; undefined if it is unclear which word is the verb. */
function direct(text: string): string | undefined {
  const to = WITH_TO.exec(text)
  if (to) return `${to[1]} do I ${to[2]}`
  const there = THERE.exec(text)
  if (there) return `${there[1]} ${there[2]} there`
  const whether = WHETHER.exec(text)
  if (whether) return `Do ${whether[1]} ${whether[2]}`
  if (IS_DIRECT.test(text)) return text
  const said = PRONOUN.exec(text)
  if (said) return ask(said[1] ?? '', said[2] ?? '', said[3] ?? '', said[4] ?? '')
  const quality = QUALITY.exec(text)
  if (quality) return `How ${quality[1]} ${quality[3]} ${quality[2]}${quality[4] ?? ''}`
  const asked = ASKED.exec(text)?.[0].trim()
  if (asked === undefined || text.includes(' and ')) return undefined
  const words = text.slice(asked.length + 1).split(' ')
  const foundQuestions: { question: string; rank: number }[] = []
  for (let length = 1; length <= LONGEST_NAME && length < words.length; length++) {
    const name = words.slice(0, length)
    const verb = words[length] ?? ''
    if (name.some((word, index) => CONNECTS.test(word) || (index > 0 && ARTICLE.test(word)))) break
    if (ARTICLE.test(name.at(-1) ?? '') || ARTICLE.test(verb) || CONNECTS.test(verb)) continue
    const rest = words.slice(length + 1).map((word) => ` ${word}`)
    const question = ask(asked, name.join(' '), verb, rest.join(''))
    // Most clauses end with their verb: “what the close codes mean”.
    if (question) foundQuestions.push({ question, rank: HELPERS.test(verb) ? 2 : rest.length === 0 ? 1 : 0 })
  }
  return foundQuestions.sort((a, b) => b.rank - a.rank)[0]?.question
}

/** Undefined if `verb` cannot be the verb of `who`. */
function ask(asked: string, who: string, verb: string, rest: string): string | undefined {
  const name = lowerFirst(who)
  if (/^do(?:es)?$/.test(verb) && rest === '') return `${asked} ${verb} ${name} do`
  if (HELPERS.test(verb)) return `${asked} ${verb} ${name}${rest}`
  if (!/^\p{Ll}{3,}$/u.test(verb) || (verb.endsWith('ed') && verb !== 'need')) return undefined
  const isMany = /^(?:they|you|I)$/.test(who) || /[^s]s$/.test(who)
  const endsInS = /[^s]s$/.test(verb)
  if (isMany) return endsInS ? undefined : `${asked} do ${name} ${verb}${rest}`
  return endsInS ? `${asked} does ${name} ${bareVerb(verb)}${rest}` : undefined
}

const bareVerb = (verb: string): string =>
  verb === 'has' ? 'have' : verb.replace(/ies$|(?<=ss|sh|ch|x|o)es$|s$/, (end) => (end === 'ies' ? 'y' : ''))

/** A name such as `Foyer` or `SMS` keeps its capital; a word that only begins the heading does not. */
const lowerFirst = (text: string): string => {
  const [first = '', ...others] = text.split(' ')
  const isPlain = /^\p{Lu}\p{Ll}+$/u.test(first) || /^An?$/.test(first)
  const isName = others.some((word) => /^\p{Lu}/u.test(word)) || (others.length === 0 && first === 'Foyer')
  return isPlain && (!isName || LOWERED.test(first)) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}
const LOWERED =
  /^(?:The|Your|My|An?|If|It|This|What|Which|Who|How|Where|When|Why|Whether|In|\p{Lu}\p{Ll}+ing)$/u

/**
 * The suggestion for a passage whose heading gives no question; undefined if the heading does not name a topic. Its words are of the
 * visitor's language, and the heading is spelled as it is.
 */
function topicOf({ heading, language }: Passage, visitors = language): string | undefined {
  if (CLAUSE.test(heading) || heading.endsWith('?') || ADVERBIAL.test(heading)) return undefined
  if (visitors === 'de') return `Mehr zu: ${heading}`
  if (visitors === 'fr') return `En savoir plus : ${heading}`
  return language === 'en' ? `Tell me about ${fromVisitor(lowerFirst(heading))}` : heading
}
const ADVERBIAL = /^(?:Behind|Without|With|Before|After|In|On|At|For|From|To|If|When|While|By|Under) /

/**
 * Chooses at most `count` questions in the order of the passages, one of each passage, and none of those in `without`.
 * Questions in the visitor's language come first, and questions before topics.
 */
export function chooseQuestions(
  passages: readonly Passage[],
  without: ReadonlySet<string>,
  count: number,
  language?: Language,
): string[] {
  const all = passages.flatMap((passage) => {
    const question = questionOf(passage)
    const text = question ?? (passage.slug === '' ? undefined : topicOf(passage, language))
    if (text === undefined || text.length > LONGEST_QUESTION) return []
    const isForeign = language !== undefined && passage.language !== language
    // Passages with words of visitors are written for visitors.
    const isForVisitors = passage.asked.length > 0
    return [{ text, rank: (isForeign ? 4 : 0) + (isForVisitors ? 0 : 2) + (question === undefined ? 1 : 0) }]
  })
  const sorted = all.sort((a, b) => a.rank - b.rank).map(({ text }) => text)
  return [...new Set(sorted)].filter((each) => !without.has(each)).slice(0, count)
}
