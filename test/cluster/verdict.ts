// Compares what visitors sent with what is stored, shown and heard: names each message that was lost, doubled, reordered, or not
// answered exactly once.

export type Line = { role: 'visitor' | 'agent' | 'system'; text: string }

/** One chat, as each of its ends knows it. */
export type Chat = {
  /** The texts of the visitor, in order. No two are the same. */
  sent: readonly string[]
  /** Those that the visitor saw fail and sent once more, each of which may stand at a later place. */
  again: ReadonlySet<string>
  /** What the store holds, in the order of a transcript. */
  stored: readonly Line[]
  /** The transcript of the visitor. */
  shown: readonly Line[]
  /** What the second device was sent. `sequences`: of its events as they came, over all its sockets. */
  heard: { lines: readonly Line[]; sequences: readonly number[] }
}

/** Each entry is a sentence. */
export type Verdict = {
  lost: string[]
  doubled: string[]
  reordered: string[]
  unanswered: string[]
  /** Answers that ended with an apology, since their process was killed. */
  apologies: number
}

const ANSWER = 'You said '
export const answerTo = (text: string): string => `${ANSWER}${text}`

export function judge({ sent, again, stored, shown, heard }: Chat): Verdict {
  const stores = stored.flatMap(({ role, text }) => (role === 'visitor' ? [text] : []))
  const said = [...new Set(stores)]
  const answers = stored.filter(({ role, text }) => role === 'agent' && text.startsWith(ANSWER))
  const apologies = stored.filter(({ role }) => role === 'system').length
  const verdict: Verdict = { lost: [], doubled: [], reordered: [], unanswered: [], apologies }

  compare('the store', sent, stores, again, verdict)
  compare('the transcript', stored.map(nameOf), shown.map(nameOf), NONE, verdict)
  compare('the second device', stored.map(nameOf), heard.lines.map(nameOf), NONE, verdict)
  for (const [index, sequence] of heard.sequences.entries()) {
    const before = heard.sequences[index - 1] ?? 0
    if (sequence === before) verdict.doubled.push(`the second device: event ${sequence}`)
    if (sequence < before) verdict.reordered.push(`the second device: event ${sequence} after ${before}`)
  }

  // An answer that was cut is a part of the whole one, and an apology follows it, or stands in its place.
  const whole = said.filter((text) => answers.some((answer) => answer.text === answerTo(text)))
  const cut = said.filter((text) => !whole.includes(text))
  if (cut.length > apologies)
    verdict.unanswered.push(...cut.map((text) => `${text} (of ${cut.length}, with ${apologies} apologies)`))
  const wholeAnswers = answers.filter(({ text }) => said.some((each) => answerTo(each) === text))
  compare(
    'the answers',
    whole.map(answerTo),
    wholeAnswers.map(({ text }) => text),
    new Set([...again].map(answerTo)),
    verdict,
  )
  return verdict
}

const NONE: ReadonlySet<string> = new Set()
/** Apologies are alike, so only their number and their place among the other lines can be compared. */
const nameOf = ({ role, text }: Line): string => `${role}: ${text}`

/** `moved`: those whose place is not looked at. */
function compare(
  where: string,
  expected: readonly string[],
  found: readonly string[],
  moved: ReadonlySet<string>,
  verdict: Verdict,
): void {
  const [wanted, had] = [countsOf(expected), countsOf(found)]
  for (const [text, count] of wanted) {
    const times = had.get(text) ?? 0
    if (times < count) verdict.lost.push(`${where}: ${text}`)
    if (times > count) verdict.doubled.push(`${where}: ${text}`)
  }
  for (const text of had.keys()) if (!wanted.has(text)) verdict.doubled.push(`${where}: ${text}, unasked`)
  // Those that both have, each once, have to be in one order.
  const comparable = (text: string) => wanted.get(text) === 1 && had.has(text) && !moved.has(text)
  const right = expected.filter(comparable)
  const order = [...new Set(found)].filter(comparable)
  for (const [index, text] of order.entries())
    if (right[index] !== text) verdict.reordered.push(`${where}: ${text}`)
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
