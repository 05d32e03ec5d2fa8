// The guide: it answers visitors' questions from a folder of Markdown files, and says where it has it from.
// It makes nothing up: what is not in a file, it did not find.

import type { Passage, Passages } from '../store/index.ts'
import type { Act, Agent, Turn } from './agent.ts'
import { GUIDE_NAME, words } from './guide-words.ts'
import { fingerprint, readPassages } from './markdown-folder.ts'
import { findStep, liveTurn, tourStep } from './tour.ts'

export type GuideOptions = {
  passages: Passages
  /** Its Markdown files, with those in folders below, are what the guide knows. */
  folder: string
  /** Milliseconds between two words. */
  pace?: number
}

const PACE_MS = 22
const LONGEST_QUOTE = 1_400

export async function createGuide({ passages, folder, pace = PACE_MS }: GuideOptions): Promise<Agent> {
  let known: string | undefined
  let files = 0

  /** Reads the files again where they changed since. */
  async function refresh(): Promise<void> {
    const now = fingerprint(folder)
    if (now === known) return
    const read = readPassages(folder)
    await passages.replace(folder, read)
    files = new Set(read.map((passage) => passage.file)).size
    known = now
  }
  await refresh()

  async function suggestions(without: readonly Passage[] = []): Promise<{ message_text: string }[]> {
    const used = new Set(without.map((passage) => passage.heading))
    const all = await passages.first(folder, 40)
    // One of each file shows how wide the ground is.
    const byFile = new Map(
      all.filter((passage) => !used.has(passage.heading)).map((passage) => [passage.file, passage]),
    )
    const headings = [...byFile.values()].slice(0, 3).map((passage) => ({ message_text: passage.heading }))
    return [...headings, { message_text: words.tour }]
  }

  async function* answer(turn: Turn): AsyncIterable<Act> {
    const found = await passages.search(folder, turn.text, 4)
    const [best, ...others] = found
    if (!best) {
      yield* say(words.nothing(files), turn)
      yield { type: 'finish', suggestions: await suggestions() }
      return
    }
    yield* say(`${shorten(best.body)}\n\n${words.source(best.file, best.heading)}`, turn)
    const related = [...new Set(others.map((passage) => passage.heading))].filter(
      (heading) => heading !== best.heading,
    )
    yield {
      type: 'finish',
      suggestions:
        related.length > 0
          ? related.slice(0, 3).map((message_text) => ({ message_text }))
          : await suggestions(found),
    }
  }

  /** Word by word, as fast as one reads along. */
  async function* say(text: string, turn: Turn): AsyncIterable<Act> {
    for (const word of text.match(/\s*\S+\s*/g) ?? []) {
      yield { type: 'text', text: word }
      await turn.sleep(pace)
    }
  }

  return {
    name: GUIDE_NAME,
    async *act(turn) {
      if (turn.mode === 'live') return yield* liveTurn(turn)
      yield { type: 'thinking' }
      await refresh()
      if (turn.cause === 'join') {
        yield* say(words.hello(files), turn)
        yield { type: 'finish', suggestions: await suggestions() }
        return
      }
      const step = findStep(turn)
      if (step) return yield* tourStep(step, turn, (text) => say(text, turn))
      yield* answer(turn)
    },
  }
}

/** The beginning of a long passage, cut between blocks so that code and lists stay whole. */
function shorten(body: string): string {
  if (body.length <= LONGEST_QUOTE) return body
  let fenced = false
  let end = 0
  let at = 0
  for (const line of body.split('\n')) {
    if (/^ {0,3}(```|~~~)/.test(line)) fenced = !fenced
    at += line.length + 1
    if (!fenced && line.trim() === '' && at <= LONGEST_QUOTE) end = at
  }
  return `${body.slice(0, end || LONGEST_QUOTE).trim()}\n\n${words.more}`
}
