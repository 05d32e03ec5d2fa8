// Creates the guide, an agent that answers visitors from a folder of Markdown files and names its source. It says that
// it does not know what no file answers.

import type { Act, Agent, Embeddings, Turn } from '../runtime/index.ts'
import { isSure, spanning } from './choice.ts'
import { GUIDE_NAME, HANDOFF_REASON, wordsIn } from './guide-words.ts'
import type { Language } from './language.ts'
import { openLibrary } from './library.ts'
import type { Passage } from './passages.ts'
import { linkText, quote, sourceAddress, sourceOf } from './quote.ts'
import type { Found, Hit } from './search-index.ts'
import { asksForPerson, goesOn, languageSaid, smallTalkOf, withoutAnd } from './small-talk.ts'
import { chooseQuestions, questionOf } from './suggest.ts'
import { findStep, liveTurn, tourStep } from './tour.ts'
import { tourWords } from './tour-words.ts'

export type GuideOptions = {
  /** The folder of Markdown files to answer from, including its subfolders. */
  folder: string
  /** Whether live agents answer the handoff queue: then the guide hands off visitors who ask for a person. */
  handsOff?: boolean
  /**
   * Address in front of the files, for links to sources: `https://shop.example.com/help/` leads to
   * `…/help/returns#refunds`; with `{file}` in it, the name of the file takes its place. Default: no links.
   */
  sourceUrl?: string
  /** Whether to offer a tour of what a chat can show. For demos. */
  tour?: boolean
  /** Shown in the header and beside the answers. */
  name?: string
  /** Embeddings to find passages by meaning too, such as the runtime's. */
  embeddings?: Embeddings
  log?: (line: string) => void
  /** Milliseconds between two words. */
  pace?: number
}

export type Guide = Agent & {
  /** Stops watching the folder. */
  close(): void
}

/** The state that the guide remembers of a conversation, besides the tour. */
type Memory = {
  /** The current question, and the passages shown for it. */
  topic?: { question: string; shown: string[] } | null
  /** The offer that a “yes” accepts. */
  offer?: 'person' | null
  /** The suggestions beside the last message. */
  offered?: string[]
}

const PACE_MS = 22
const QUEUE_NAME = 'front desk'
const SUGGESTIONS = 3
/** Characters of a passage that is shown in doubt. */
const LONGEST_IN_DOUBT = 600
/** A passage with less than this share of the best one's score is hardly meant. */
const LEAST_OF_BEST = 0.15

/** Resolves once all files are read. */
export async function createGuide(options: GuideOptions): Promise<Guide> {
  const { folder, handsOff = false, tour = false, name = GUIDE_NAME, pace = PACE_MS } = options
  const library = await openLibrary({
    folder,
    embeddings: options.embeddings,
    ...(options.log && { log: options.log }),
  })
  const address = sourceAddress(options.sourceUrl)

  /** Yields the text word by word, at reading speed. */
  async function* say(text: string, turn: Turn): AsyncIterable<Act> {
    for (const word of text.match(/\s*\S+\s*/g) ?? []) {
      yield { type: 'text', text: word }
      await turn.sleep(pace)
    }
  }

  /** Completes the message with suggestions that the previous message did not offer. */
  function* finish(turn: Turn, near: readonly Passage[], first: readonly string[] = []): Iterable<Act> {
    const memory = turn.memory as Memory
    const all = library.passages()
    const before = new Set(memory.offered ?? [])
    for (const { role, text } of turn.history) if (role === 'visitor') before.add(text)
    const after = near[0]
      ? all.slice(all.indexOf(near[0]) + 1).filter(({ file }) => file === near[0]?.file)
      : []
    const shown = new Set(near.slice(0, 1).map((passage) => questionOf(passage) ?? ''))
    const without = new Set([...before, ...shown, ...first])
    const count = first.length === 0 ? SUGGESTIONS : Math.max(1, SUGGESTIONS + 1 - first.length)
    const language = languageSaid(turn.text)
    const fitting = chooseQuestions([...near.slice(1), ...after.slice(0, 4)], without, count, language)
    const others = chooseQuestions(firstOfEach(all), new Set([...without, ...fitting]), count, language)
    const chosen = [...fitting, ...others].slice(0, count)
    const offered = [...first, ...chosen, ...(tour && near.length === 0 ? [tourWords.start] : [])]
    yield { type: 'remember', memory: { offered } }
    yield { type: 'finish', suggestions: offered.map((message_text) => ({ message_text })) }
  }

  async function* answer(turn: Turn): AsyncIterable<Act> {
    const { topic } = turn.memory as Memory
    const before = topic && goesOn(turn.text) ? topic.question : undefined
    const found = await library.find(turn.text, before === undefined ? {} : { before })
    const carries = before !== undefined && (found.isAnswer || found.question.concepts.length === 0)
    // “And where?” asks for another kind of answer to the question before.
    const result =
      carries && found.question.concepts.length === 0
        ? await library.find(`${withoutAnd(turn.text)} ${before}`)
        : found
    if (!result.isAnswer) return yield* doNotKnow(turn, result)
    const hits = spanning(result)
    const question = before === undefined ? turn.text : `${before} ${turn.text}`
    yield* isSure(hits, result) ? show(turn, hits, result, question) : showInDoubt(turn, result, question)
  }

  async function* show(
    turn: Turn,
    shown: readonly Hit[],
    found: Found,
    question: string,
  ): AsyncIterable<Act> {
    const words = wordsIn(found.question.language)
    const bodies = shown.map((hit) =>
      shown.length > 1 ? `**${hit.passage.heading}**\n\n${quote(hit, address)}` : quote(hit, address),
    )
    const from = shown.map(({ passage }) => sourceOf(passage, address)).join(', ')
    yield* say(
      `${bodies.join('\n\n')}\n\n${shown.length > 1 ? words.sources(from) : words.source(from)}`,
      turn,
    )
    const memory = { topic: { question, shown: shown.map(({ passage }) => idOf(passage)) }, offer: null }
    yield { type: 'remember', memory }
    const passages = shown.map(({ passage }) => passage)
    const others = found.hits.filter((hit) => !shown.includes(hit) && hit.coverage > 0.4)
    yield* finish(turn, [...passages, ...others.map(({ passage }) => passage)])
  }

  /** Shows the best passage in short, and names the next ones. */
  async function* showInDoubt(turn: Turn, found: Found, question: string): AsyncIterable<Act> {
    const words = wordsIn(found.question.language)
    const [best, ...others] = found.hits
    if (!best) return
    const near = others.filter(({ score }) => score > best.score * LEAST_OF_BEST)
    const next = near.slice(0, SUGGESTIONS).map(({ passage }) => passage)
    const short = quote(best, address, LONGEST_IN_DOUBT)
    // A block stays whole: a long table would hide the next ones.
    const isShort = short.length <= 2 * LONGEST_IN_DOUBT
    const body = isShort ? short : `**${best.passage.heading}**`
    const from = words.source(sourceOf(best.passage, address))
    const choices = isShort ? next : [best.passage, ...next]
    const meant = chooseQuestions(choices, new Set(), SUGGESTIONS)
    // A chat shows the others as buttons.
    const offersAll = turn.channel === 'WEBCHAT' && meant.length >= choices.length
    const orMeant = next.length > 0 ? [words.orMeant(offersAll ? '' : next.map(nameOf).join(', '))] : []
    yield* say([words.inDoubt, body, from, ...orMeant].join('\n\n'), turn)
    yield { type: 'remember', memory: { topic: { question, shown: [idOf(best.passage)] }, offer: null } }
    yield* finish(turn, [best.passage], meant)
  }

  async function* doNotKnow(turn: Turn, found: Found): AsyncIterable<Act> {
    const words = wordsIn(found.question.language)
    const near = found.hits.slice(0, SUGGESTIONS).filter(({ coverage }) => coverage > 0.2)
    const names = near.map(({ passage }) => nameOf(passage)).join(', ')
    const offers = handsOff && canHandOff(turn)
    const said = [words.nothing(library.files().length), near.length > 0 ? words.nearest(names) : '']
    yield { type: 'understood', outOfDomain: true }
    yield* say([...said, offers ? words.offerPerson : ''].filter(Boolean).join(' '), turn)
    yield { type: 'remember', memory: { offer: offers ? 'person' : null } }
    // First, so that it is visible if only a few are shown.
    yield* finish(
      turn,
      [],
      [
        ...(offers ? [words.person] : []),
        ...chooseQuestions(
          near.map(({ passage }) => passage),
          new Set(),
          2,
        ),
      ],
    )
  }

  const nameOf = (passage: Passage): string => {
    const to = address(passage.file, passage.slug)
    return to ? `[${linkText(passage.heading)}](${to})` : `“${passage.heading}”`
  }

  /** Shows the next passage about the current question. */
  async function* goOn(turn: Turn): AsyncIterable<Act> {
    const { topic } = turn.memory as Memory
    const found = topic ? library.search(topic.question, { limit: 12 }) : undefined
    const next = found?.hits.find(
      ({ passage, coverage }) => coverage > 0.4 && !topic?.shown.includes(idOf(passage)),
    )
    if (topic && found && next) {
      const words = wordsIn(found.question.language)
      yield* say(`${quote(next, address)}\n\n${words.source(sourceOf(next.passage, address))}`, turn)
      yield { type: 'remember', memory: { topic: { ...topic, shown: [...topic.shown, idOf(next.passage)] } } }
      return yield* finish(turn, [next.passage])
    }
    yield* say(topic ? wordsIn(languageSaid(turn.text)).noMore : wordsIn(languageSaid(turn.text)).yes, turn)
    yield* finish(turn, [])
  }

  async function* chat(kind: NonNullable<ReturnType<typeof smallTalkOf>>, turn: Turn): AsyncIterable<Act> {
    const words = wordsIn(languageSaid(turn.text))
    const { offer } = turn.memory as Memory
    if (kind === 'more') return yield* goOn(turn)
    if (kind === 'yes' && offer === 'person' && handsOff) return yield* passOn(turn)
    const { hello: _, abilities, helloAgain, ...fixed } = words
    const said = {
      hello: helloAgain,
      abilities: abilities(library.files().length, handsOff && canHandOff(turn)),
      thanks: fixed.thanks,
      bye: fixed.bye,
      yes: fixed.yes,
      no: fixed.no,
      howAreYou: fixed.howAreYou,
      upset: fixed.upset,
    }[kind]
    yield* say(said, turn)
    const offers = kind === 'upset' && handsOff && canHandOff(turn)
    if (offer || offers) yield { type: 'remember', memory: { offer: offers ? 'person' : null } }
    if (kind === 'bye') return yield { type: 'finish' }
    yield* finish(turn, [], offers ? [words.person] : [])
  }

  /** Hands the visitor off to the queue, with the last question. */
  async function* passOn(turn: Turn): AsyncIterable<Act> {
    const words = wordsIn(languageSaid(turn.text))
    if (!canHandOff(turn)) {
      yield* say(words.handoffInCall, turn)
      return yield { type: 'finish' }
    }
    yield* say(words.handoff, turn)
    yield { type: 'remember', memory: { offer: null } }
    yield { type: 'finish' }
    const asked = turn.history.findLast(
      ({ role, text }) => role === 'visitor' && !asksForPerson(text) && !smallTalkOf(text),
    )
    yield {
      type: 'handoff',
      queueName: QUEUE_NAME,
      reason: HANDOFF_REASON,
      data: { request: turn.text, ...(asked && { last_question: asked.text }) },
    }
  }

  return {
    name,
    close: () => library.close(),
    async *act(turn) {
      if (turn.mode === 'live') return yield* liveTurn(turn)
      yield { type: 'thinking' }
      await library.refresh()
      if (turn.cause === 'join') {
        yield* say(wordsIn(greetingLanguage(library.passages())).hello(library.files().length), turn)
        return yield* finish(turn, [])
      }
      const heard = { ...turn, text: wordsSaid(turn) }
      if (heard.text === '') {
        yield* say(wordsIn('en').noWords, turn)
        return yield* finish(turn, [])
      }
      const step = tour ? findStep(heard) : undefined
      if (step) return yield* tourStep(step, turn, (text) => say(text, turn))
      if (handsOff && asksForPerson(heard.text)) return yield* passOn(heard)
      const talk = smallTalkOf(heard.text)
      yield* talk ? chat(talk, heard) : answer(heard)
    },
  }
}

const idOf = ({ file, slug }: Passage): string => `${file}#${slug}`

/** The files that newcomers are meant to begin with. */
const BEGINS = [
  /^(readme|index|about|overview|introduction)\./i,
  /^(getting-?started|quick-?start)\./i,
  /^(faq|install)/i,
]
const placeOf = ({ file }: Passage): number => {
  const place = BEGINS.findIndex((name) => name.test(file))
  return place === -1 ? BEGINS.length : place
}

/** The first passage with a heading of each file, to show the range of topics; first the files to begin with. */
function firstOfEach(passages: readonly Passage[]): Passage[] {
  const files = new Map<string, Passage>()
  for (const passage of passages) {
    const known = files.get(passage.file)
    if (!known || (questionOf(known) === undefined && questionOf(passage) !== undefined))
      files.set(passage.file, passage)
  }
  return [...files.values()].sort((one, other) => placeOf(one) - placeOf(other))
}

/** The language of most headings. */
function greetingLanguage(passages: readonly Passage[]): Language | undefined {
  return languageSaid(
    passages
      .slice(0, 40)
      .map(({ heading, blocks }) => `${heading} ${blocks[0]?.source ?? ''}`)
      .join(' '),
  )
}

/** The words of the visitor. In SMS and RCS, pictures and places are only markers; a tapped button gives its label. */
function wordsSaid({ channel, text, attributes }: Turn): string {
  if (channel !== 'SMS' && channel !== 'RCS') return text
  const said = text.replace(/\s*<metadata>.*<\/metadata>$/, '')
  if (said !== '' || !text.includes('<button/>')) return said
  const { button } = (attributes.metadata ?? {}) as { button?: { text?: unknown } }
  return typeof button?.text === 'string' ? button.text.trim() : ''
}

/** A live agent writes, and a caller would hear nothing. */
const canHandOff = ({ channel }: Turn): boolean => channel !== 'VOICE-SIP'
