// Tells whether a message may continue the one before.

import { bare, wordsOf } from '../language.ts'

/** Whether a message may continue the one before (“and in React?”, “how long does it take?”, “why?”). */
export function goesOn(text: string): boolean {
  const bareText = bare(text)
  const count = wordsOf(bareText).length
  return JOINS.test(bareText) || count <= 2 || (count <= LONGEST_FOLLOW_UP && POINTS_BACK.test(bareText))
}

const LONGEST_FOLLOW_UP = 10
const JOINS =
  /^(?:and|und|et|y|or|oder|ou|but|aber|mais|also|auch|aussi|what about|how about|was ist mit|wie sieht es mit|wie ist es mit|quid)(?!\p{L})/u
const POINTS_BACK =
  /(?<!\p{L})(?:it|its|that|this|they|them|those|these|there|one|ones|too|instead|es|das|dies|die|damit|dafür|dort|davon|dann|sie|ihn|ça|cela|celui|celle|en|y|le|la|les)(?!\p{L})/u
