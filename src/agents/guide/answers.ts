// Answers a visitor's question with passages, in doubt with the best one in short, or says that the guide does not know.

import type { AgentEvent, Turn } from '../../runtime/index.ts'
import type { Language } from '../language.ts'
import { goesOn } from '../search/follow-up.ts'
import type { Library } from '../search/library.ts'
import type { Passage } from '../search/passages.ts'
import { linkText, quote, type SourceAddress, sourceOf } from '../search/quote.ts'
import type { Found } from '../search/search-index.ts'
import { chooseSuggestions } from '../search/suggest.ts'
import { SURE, surenessOf } from './choice.ts'
import { languageOfVisitor, withoutAnd } from './small-talk.ts'
import { type GuideMemory, type GuideSpeech, SUGGESTIONS } from './speech.ts'
import { isSpoken, wordsIn } from './words.ts'

/** Most characters of a passage that the guide shows in doubt. */
const LONGEST_IN_DOUBT = 600
/** The guide names no other passage whose score is below this share of the best score. */
const LEAST_OF_BEST = 0.15
/** The guide shows no passage that covers less of the question. */
const LEAST_NEAR = 0.2

export interface GuideAnswers {
  answer(turn: Turn): AsyncIterable<AgentEvent>
  /** Shows the next passage about the current question. */
  showMore(turn: Turn): AsyncIterable<AgentEvent>
}

export type GuideAnswersOptions = {
  library: Library
  speech: GuideSpeech
  address: SourceAddress
  /** Whether the visitor of this turn can be handed off. */
  offersPerson: (turn: Turn) => boolean
  /** How to reach a person; empty where a live agent can take over. */
  contactFor: (turn: Turn, language?: Language) => string
}

export function createGuideAnswers({
  library,
  speech,
  address,
  offersPerson,
  contactFor,
}: GuideAnswersOptions): GuideAnswers {
  const { say, finish } = speech

  async function* answer(turn: Turn): AsyncIterable<AgentEvent> {
    const { topic } = turn.memory as GuideMemory
    const alone = await library.find(turn.text)
    // What alone has a sure answer gets it in any conversation. The rest is a follow-up if that makes the answer surer.
    const mayContinue = topic && surenessOf(alone) < SURE && goesOn(turn.text)
    const continued = mayContinue ? await findAfter(topic.question, turn.text) : undefined
    const continues = topic && continued && surenessOf(continued) > surenessOf(alone)
    const found = continues ? continued : alone
    const question = continues ? `${topic.question} ${turn.text}` : turn.text
    yield* surenessOf(found) === SURE ? show(turn, found, question) : showNearest(turn, found, question)
  }

  async function findAfter(before: string, text: string): Promise<Found> {
    const found = await library.find(text, { before })
    // “And where?” asks for another kind of answer to the previous question.
    return found.question.concepts.length > 0 ? found : library.find(`${withoutAnd(text)} ${before}`)
  }

  async function* show(turn: Turn, found: Found, question: string): AsyncIterable<AgentEvent> {
    const language = languageOfAnswer(turn, found)
    const words = wordsIn(language)
    const [best, ...others] = found.hits
    if (!best) return
    const { passage } = best
    const foreign = foreignOf(passage, language)
    const only = foreign ? [words.onlyIn(words.languages[foreign])] : []
    const source = words.source(sourceOf(passage, address))
    yield* say([...only, quote(best, address), source].join('\n\n'), turn)
    yield { type: 'remember', memory: { topic: { question, shown: [idOf(passage)] }, offer: null } }
    const near = others.filter(({ coverage }) => coverage > 0.4)
    yield* finish(turn, [passage, ...near.map((hit) => hit.passage)])
  }

  /** Shows the best passage in short with the doubt said, and names the next passages; with none, says that it does not know. */
  async function* showNearest(turn: Turn, found: Found, question: string): AsyncIterable<AgentEvent> {
    const language = languageOfAnswer(turn, found)
    const words = wordsIn(language)
    const offers = !found.isAnswer && offersPerson(turn)
    if (!found.isAnswer) yield { type: 'understood', outOfDomain: true }
    const [best, ...others] = found.isAnswer
      ? found.hits
      : found.hits.filter(({ coverage }) => coverage > LEAST_NEAR)
    if (!best) {
      const notKnown = [words.nothing, offers ? words.offerPerson : contactFor(turn, language)]
      yield* say(notKnown.filter(Boolean).join(' '), turn)
      yield { type: 'remember', memory: { offer: offers ? 'person' : null } }
      return yield* finish(turn, [], offers ? [words.person] : [])
    }
    const near = others.filter(({ score }) => score > best.score * LEAST_OF_BEST)
    const next = near.slice(0, SUGGESTIONS).map(({ passage }) => passage)
    const short = quote(best, address, LONGEST_IN_DOUBT)
    // Blocks stay whole, and a long table would hide the names of the next passages.
    const isShort = short.length <= 2 * LONGEST_IN_DOUBT
    const body = isShort ? short : `**${best.passage.heading}**`
    const from = words.source(sourceOf(best.passage, address))
    const choices = isShort ? next : [best.passage, ...next]
    const meant = chooseSuggestions(choices, new Set(), SUGGESTIONS, language)
    // A chat shows the other passages as buttons.
    const offersAll = turn.channel === 'WEBCHAT' && meant.length >= choices.length
    const orMeant = next.length > 0 ? [words.orMeant(offersAll ? '' : next.map(nameOf).join(', '))] : []
    const foreign = foreignOf(best.passage, language)
    const doubt = (found.isAnswer ? words.inDoubt : words.nearest)(foreign ? words.languages[foreign] : '')
    const to = found.isAnswer ? '' : contactFor(turn, language)
    const offer = offers ? [words.offerPerson] : to ? [to] : []
    yield* say([doubt, body, from, ...orMeant, ...offer].join('\n\n'), turn)
    const topic = { question, shown: [idOf(best.passage)] }
    yield { type: 'remember', memory: { topic, offer: offers ? 'person' : null } }
    // The offer of a person comes first, so that it is visible if only a few suggestions are shown.
    yield* finish(turn, [best.passage], [...(offers ? [words.person] : []), ...meant])
  }

  const nameOf = (passage: Passage): string => {
    const to = address(passage.file, passage.slug)
    return to ? `[${linkText(passage.heading)}](${to})` : `“${passage.heading}”`
  }

  async function* showMore(turn: Turn): AsyncIterable<AgentEvent> {
    const { topic } = turn.memory as GuideMemory
    const found = topic ? library.search(topic.question, { limit: 12 }) : undefined
    const next = found?.hits.find(
      ({ passage, coverage }) => coverage > 0.4 && !topic?.shown.includes(idOf(passage)),
    )
    if (topic && found && next) {
      const words = wordsIn(languageOfAnswer(turn, found))
      yield* say(`${quote(next, address)}\n\n${words.source(sourceOf(next.passage, address))}`, turn)
      yield { type: 'remember', memory: { topic: { ...topic, shown: [...topic.shown, idOf(next.passage)] } } }
      return yield* finish(turn, [next.passage])
    }
    const { noMore, yes } = wordsIn(languageOfVisitor(turn))
    yield* say(topic ? noMore : yes, turn)
    yield* finish(turn, [])
  }

  return { answer, showMore }
}

/** A short question without a word that tells its language is in that of most files. */
const languageOfAnswer = (turn: Turn, { question }: Found): Language =>
  languageOfVisitor(turn) ?? question.language

/** The language of a passage, if it is another than the visitor's. Nothing is said about it in a language that the guide does not speak. */
const foreignOf = (passage: Passage | undefined, language: Language): Language | undefined =>
  passage && passage.language !== language && isSpoken(language) ? passage.language : undefined

const idOf = ({ file, slug }: Passage): string => `${file}#${slug}`
