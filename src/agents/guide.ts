// The guide: it answers visitors' questions from a folder of Markdown files, and says where it has it from.
// It makes nothing up: what is not in a file, it did not find.

import type { Act, Agent, Passage, Passages, Turn } from '../runtime/index.ts'
import { GUIDE_NAME, personPhrases, words } from './guide-words.ts'
import { fingerprint, readPassages } from './markdown-folder.ts'
import { findStep, liveTurn, tourStep } from './tour.ts'

export type GuideOptions = {
  passages: Passages
  /** Its Markdown files, with those in folders below, are what the guide knows. */
  folder: string
  /** Whether people sit at the desk: then it passes on who asks for one. */
  desk: boolean
  /** Milliseconds between two words. */
  pace?: number
}

const PACE_MS = 22
const LONGEST_QUOTE = 1_400
const QUEUE_NAME = 'front desk'

export async function createGuide({ passages, folder, desk, pace = PACE_MS }: GuideOptions): Promise<Agent> {
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
    const byFile = new Map<string, string>()
    for (const { file, heading } of all)
      if (!byFile.has(file) && !used.has(heading)) byFile.set(file, heading)
    const headings = [...byFile.values()].slice(0, 3).map((heading) => ({ message_text: heading }))
    return [...headings, { message_text: words.tour }]
  }

  async function* answer(turn: Turn): AsyncIterable<Act> {
    const found = await passages.search(folder, turn.text, 4)
    const [best, ...others] = found
    if (!best) {
      yield* say(words.nothing(files), turn)
      // First, so that it is seen where only a few are shown.
      const person = desk && canHandOff(turn) ? [{ message_text: words.person }] : []
      yield { type: 'finish', suggestions: [...person, ...(await suggestions())] }
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

  /** Passes the visitor on to whoever sits at the desk, with what they asked last. */
  async function* passOn(turn: Turn): AsyncIterable<Act> {
    if (!canHandOff(turn)) {
      yield* say(words.handoffInCall, turn)
      return yield { type: 'finish' }
    }
    yield* say(words.handoff, turn)
    yield { type: 'finish' }
    const asked = turn.history.findLast(({ role, text }) => role === 'visitor' && !asksForPerson(text))
    yield {
      type: 'handoff',
      queueName: QUEUE_NAME,
      reason: words.handoffReason,
      data: { request: turn.text, ...(asked && { last_question: asked.text }) },
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
      const heard = { ...turn, text: wordsOf(turn) }
      if (heard.text === '') {
        yield* say(words.noWords, turn)
        return yield { type: 'finish', suggestions: await suggestions() }
      }
      const step = findStep(heard)
      if (step) return yield* tourStep(step, turn, (text) => say(text, turn))
      if (desk && asksForPerson(heard.text)) return yield* passOn(heard)
      yield* answer(heard)
    },
  }
}

/** What was said. By text, pictures and places leave only a marker; a tapped button says what stands on it. */
function wordsOf({ channel, text, attributes }: Turn): string {
  if (channel !== 'SMS' && channel !== 'RCS') return text
  const said = text.replace(/\s*<metadata>.*<\/metadata>$/, '')
  if (said !== '' || !text.includes('<button/>')) return said
  const { button } = (attributes.metadata ?? {}) as { button?: { text?: unknown } }
  return typeof button?.text === 'string' ? button.text.trim() : ''
}

const personPattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${personPhrases.join('|')})(?![\\p{L}\\p{N}])`, 'iu')

/** Whether somebody wants a person, in one of the phrases known for it. */
const asksForPerson = (text: string): boolean =>
  personPattern.test(text.normalize('NFC').replace(/[’‘ʼ]/g, "'").replace(/\s+/g, ' '))

/** The desk writes; a caller would hear nothing of it. */
const canHandOff = ({ channel }: Turn): boolean => channel !== 'VOICE-SIP'

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
