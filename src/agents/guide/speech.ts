// Says the guide's messages: word by word at reading speed, and completes each with suggestions.

import type { AgentEvent, Turn } from '../../runtime/index.ts'
import type { Library } from '../search/library.ts'
import type { Passage } from '../search/passages.ts'
import { chooseSuggestions, suggestionOf } from '../search/suggest.ts'
import { languageOfVisitor } from './small-talk.ts'

/** The state that the guide remembers of a conversation. */
export type GuideMemory = {
  /** The current question, and the passages shown for it. */
  topic?: { question: string; shown: string[] } | null
  /** The offer that a “yes” accepts. */
  offer?: 'person' | null
  /** The suggestions beside the last message. */
  offered?: string[]
}

/** Suggestions beside a message. */
export const SUGGESTIONS = 3

export interface GuideSpeech {
  /** Yields the text word by word. */
  say(text: string, turn: Turn): AsyncIterable<AgentEvent>
  /**
   * Completes the message with suggestions that the previous message did not offer: `first`, then those of passages near the
   * answer, then others.
   */
  finish(turn: Turn, near: readonly Passage[], first?: readonly string[]): Iterable<AgentEvent>
}

/** The words of a text, each with the blanks behind it; the first with those before it too. */
export const spokenWords = (text: string): readonly string[] => text.match(/^\s*\S+\s*|\S+\s*/g) ?? []

/** Milliseconds between two words. */
const PACE_MS = 22

/** Yields the text word by word. `pace`: milliseconds between two words. */
export async function* sayInWords(text: string, turn: Turn, pace = PACE_MS): AsyncIterable<AgentEvent> {
  for (const word of spokenWords(text)) {
    yield { type: 'text', text: word }
    await turn.sleep(pace)
  }
}

export function createGuideSpeech({
  library,
  offer,
  pace,
}: {
  library: Library
  /** A suggestion beside each message that no file gave. */
  offer: string | undefined
  /** Milliseconds between two words. */
  pace: number | undefined
}): GuideSpeech {
  function* finish(
    turn: Turn,
    near: readonly Passage[],
    first: readonly string[] = [],
  ): Iterable<AgentEvent> {
    const memory = turn.memory as GuideMemory
    const allPassages = library.passages()
    const offeredBefore = new Set(memory.offered ?? [])
    for (const { role, text } of turn.history) if (role === 'visitor') offeredBefore.add(text)
    const after = near[0]
      ? allPassages.slice(allPassages.indexOf(near[0]) + 1).filter(({ file }) => file === near[0]?.file)
      : []
    const shownSuggestions = new Set(near.slice(0, 1).map((passage) => suggestionOf(passage) ?? ''))
    const without = new Set([...offeredBefore, ...shownSuggestions, ...first])
    const count = first.length === 0 ? SUGGESTIONS : Math.max(1, SUGGESTIONS + 1 - first.length)
    const language = languageOfVisitor(turn)
    const fitting = chooseSuggestions([...near.slice(1), ...after.slice(0, 4)], without, count, language)
    // Beside buttons of the guide's own, those in another language would only be a mixture.
    const others = firstOfEach(allPassages).filter(
      (passage) =>
        passage !== near[0] &&
        (first.length === 0 || language === undefined || passage.language === language),
    )
    const otherSuggestions = chooseSuggestions(others, new Set([...without, ...fitting]), count, language)
    const chosen = [...fitting, ...otherSuggestions].slice(0, count)
    const offered = [...first, ...chosen, ...(offer !== undefined && near.length === 0 ? [offer] : [])]
    yield { type: 'remember', memory: { offered } }
    yield { type: 'finish', suggestions: offered.map((message_text) => ({ message_text })) }
  }

  return { say: (text, turn) => sayInWords(text, turn, pace), finish }
}

/** Names of the files that a newcomer reads first. */
const BEGINS = [
  /^(readme|index|about|overview|introduction)\./i,
  /^(getting-?started|quick-?start)\./i,
  /^(faq|install)/i,
]
const placeOf = ({ file }: Passage): number => {
  const place = BEGINS.findIndex((name) => name.test(file))
  return place === -1 ? BEGINS.length : place
}

/** The first passage with a heading of each file, to show the range of topics. The files for newcomers come first. */
function firstOfEach(passages: readonly Passage[]): Passage[] {
  const files = new Map<string, Passage>()
  for (const passage of passages) {
    const firstPassage = files.get(passage.file)
    if (!firstPassage || (suggestionOf(firstPassage) === undefined && suggestionOf(passage) !== undefined))
      files.set(passage.file, passage)
  }
  return [...files.values()].sort((one, other) => placeOf(one) - placeOf(other))
}
