// Turns headings into questions, and chooses which ones to offer.

import { languageOf } from './language.ts'
import type { Passage } from './passages.ts'

/** Longer ones do not fit a button. */
const LONGEST = 60

/** The question that the passage answers, in a visitor's words; undefined if its heading gives none. */
export function questionOf({ heading, questions, slug }: Passage): string | undefined {
  const asked = questions[0] ?? (slug ? questionFrom(heading) : undefined)
  return asked && asked.length <= LONGEST ? asked : undefined
}

/** `How to install it` → `How do I install it?`; other headings give no question. */
export function questionFrom(heading: string): string | undefined {
  const text = heading.trim().replace(/[.:]$/, '')
  if (text.endsWith('?')) return text
  const to = /^How to (.+)$/i.exec(text)
  if (to) return `How do I ${to[1]}?`
  const there = /^(Which|What|Where|How many) (.+) there (is|are)$/.exec(text)
  if (there) return `${there[1]} ${there[2]} ${there[3]} there?`
  const own = /^(What|Which [\p{L}\p{N} -]+?|How|Where|When) (it|they|you|we|Foyer) (\p{L}+)( .+)?$/u.exec(
    text,
  )
  if (own && !HELPERS.test(own[3] ?? '')) {
    const [, asked, who = '', verb = '', rest = ''] = own
    const isOne = who === 'it' || who === 'Foyer'
    const bare = verb === 'has' ? 'have' : isOne ? verb.replace(/(?<=ss|sh|ch|x)es$|s$/, '') : verb
    return `${asked} ${isOne ? 'does' : 'do'} ${who} ${bare}${rest}?`
  }
  const be =
    /^(What|Where|Who|How|Why|When) ((?:the |your |an? )?[\p{L}\p{N}' -]+?) (is|are|was|were|can|may|must|will)( .+)?$/u.exec(
      text,
    )
  if (be) return `${be[1]} ${be[3]} ${lowerFirst(be[2] ?? '')}${be[4] ?? ''}?`
  const verb =
    /^(What|How|Where|When|Why) ((?:the |your |an? )?[\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+)?) (does|works?|needs?|costs?|means?|runs?|keeps?|sees?)( .+)?$/u.exec(
      text,
    )
  if (verb) {
    const does = verb[3] === 'does' ? 'do' : (verb[3] ?? '').replace(/s$/, '')
    const one = verb[3] === 'does' || verb[3]?.endsWith('s')
    return `${verb[1]} ${one ? 'does' : 'do'} ${lowerFirst(verb[2] ?? '')} ${does}${verb[4] ?? ''}?`
  }
  if (/^(What|Which|Who|How (?:many|much|long|fast|big)) /.test(text)) return `${text}?`
  if (
    /^(Wie|Was|Wo|Wann|Wer|Welche[rsnm]?|Warum|Comment|Combien|Où|Quand|Pourquoi|Quels?|Quelles?) /.test(text)
  )
    return `${text}?`
  return text.startsWith('If ') ? `What ${lowerFirst(text)}?` : undefined
}

const HELPERS = /^(?:is|are|was|were|can|may|must|will|would|should)$/

/** A name such as `Foyer` or `SMS` keeps its capital; an article does not. */
const lowerFirst = (text: string): string =>
  /^(The|Your|An?|If|It|This) /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** A text to tap for a heading that gives no question. */
const topicOf = (heading: string): string => {
  const language = languageOf(heading, 'en')
  const about = language === 'de' ? 'Mehr zu' : language === 'fr' ? 'En savoir plus :' : 'Tell me about'
  return `${about} ${heading}`
}

/**
 * At most `count` questions that passages answer, in their order: proper questions first, at most one of a
 * passage, none of those in `without`.
 */
export function chooseQuestions(
  passages: readonly Passage[],
  without: ReadonlySet<string>,
  count: number,
): string[] {
  const questions = passages.map((passage) => questionOf(passage)).filter((each) => each !== undefined)
  const topics = passages
    .filter((passage) => questionOf(passage) === undefined && passage.slug !== '')
    .map(({ heading }) => topicOf(heading))
    .filter((each) => each.length <= LONGEST)
  return [...new Set([...questions, ...topics])].filter((each) => !without.has(each)).slice(0, count)
}
