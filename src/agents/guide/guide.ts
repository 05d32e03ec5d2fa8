// Creates the guide, an agent that answers visitors from a folder of Markdown files and names its source. When no
// file answers a question, the guide says that it does not know.

import type { Log } from '../../api/index.ts'
import type { Agent, AgentEvent, Embeddings, Turn } from '../../runtime/index.ts'
import { type Contact, contactIn } from '../contact.ts'
import { type Language, languageOfTag } from '../language.ts'
import { HANDOFF_REASON } from '../phrases.ts'
import { openLibrary } from '../search/library.ts'
import type { Passage } from '../search/passages.ts'
import { sourceAddress } from '../search/quote.ts'
import { createGuideAnswers } from './answers.ts'
import { asksForPerson, languageOfVisitor, languageSaid, smallTalkOf } from './small-talk.ts'
import { createGuideSpeech, type GuideMemory } from './speech.ts'
import { GUIDE_NAME, wordsIn } from './words.ts'

/** The options of `createGuide`. */
export type GuideOptions = {
  /** The folder of Markdown files to answer from, including its subfolders. */
  folder: string
  /** Whether live agents answer the handoff queue: then the guide hands off visitors who ask for a person. Default: false. */
  handsOff?: boolean
  /**
   * Address in front of the files, for links to sources: `https://shop.example.com/help/` leads to
   * `…/help/returns#refunds`; `{file}` in it stands for the name of the file, `{name}` for the name without its ending. Default: no links.
   */
  sourceUrl?: string
  /** How to reach a person: said to who asks for one, or asks what no file answers, where no live agent can take over. */
  contact?: Contact
  /** A suggestion beside each message that no file gave. */
  offer?: string
  /** The agent's name, shown in the header and beside the answers. Default: `Foyer guide`. */
  name?: string
  /** Embeddings to find passages by meaning too, such as the runtime's. */
  embeddings?: Embeddings
  /** Takes each line of the log. Default: nobody. */
  log?: Log
  /** Milliseconds between two words of an answer. Default: 22. */
  pace?: number
}

/** The guide, an agent. */
export type Guide = Agent & {
  /** The passages of the files whose words match best, best first. */
  find(text: string): Promise<readonly Passage[]>
  /** Stops watching the folder. */
  close(): void
}

const QUEUE_NAME = 'front desk'

/** Creates the agent that answers from a folder of Markdown files, without a language model. Resolves once all files are read. */
export async function createGuide(options: GuideOptions): Promise<Guide> {
  const { folder, handsOff = false, contact, offer, name = GUIDE_NAME, pace } = options
  const library = await openLibrary({
    folder,
    embeddings: options.embeddings,
    ...(options.log && { log: options.log }),
  })
  const offersPerson = (turn: Turn): boolean => handsOff && canHandOff(turn) && !turn.desk?.refuses
  const speech = createGuideSpeech({ library, offer, pace })
  const { say, finish } = speech
  const address = sourceAddress(options.sourceUrl)
  /** Empty where a live agent can take over, or the operator gave none. */
  const contactFor = (turn: Turn, language = languageToSpeak(turn)): string => {
    const to = offersPerson(turn) ? '' : contactIn(contact, language)
    return to && wordsIn(language).contact(to)
  }
  const { answer, showMore } = createGuideAnswers({ library, speech, address, offersPerson, contactFor })

  const wordsFor = (turn: Turn) => wordsIn(languageToSpeak(turn) ?? languageOfMost(library.passages()))

  async function* talk(
    kind: NonNullable<ReturnType<typeof smallTalkOf>>,
    turn: Turn,
  ): AsyncIterable<AgentEvent> {
    const words = wordsFor(turn)
    const { offer } = turn.memory as GuideMemory
    if (kind === 'more') return yield* showMore(turn)
    if (kind === 'yes' && offer === 'person' && handsOff) return yield* passOn(turn)
    if (kind === 'distress') return yield* comfort(turn)
    const { abilities, helloAgain, ...fixed } = words
    const saidByKind = {
      hello: helloAgain,
      abilities: abilities(offersPerson(turn)),
      thanks: fixed.thanks,
      bye: fixed.bye,
      yes: fixed.yes,
      no: fixed.no,
      upset: fixed.upset,
    }[kind]
    const to = kind === 'upset' ? contactFor(turn) : ''
    yield* say([saidByKind, to].filter(Boolean).join('\n\n'), turn)
    const offers = kind === 'upset' && offersPerson(turn)
    if (offer || offers) yield { type: 'remember', memory: { offer: offers ? 'person' : null } }
    if (kind === 'bye') return yield { type: 'finish' }
    yield* finish(turn, [], offers ? [words.person] : [])
  }

  /** Says that a person helps better, and how to reach one: no passage, and no other question. */
  async function* comfort(turn: Turn): AsyncIterable<AgentEvent> {
    const words = wordsFor(turn)
    const offers = offersPerson(turn)
    yield* say([words.distress, contactFor(turn)].filter(Boolean).join('\n\n'), turn)
    yield { type: 'remember', memory: { offer: offers ? 'person' : null } }
    yield { type: 'finish', suggestions: offers ? [{ message_text: words.person }] : [] }
  }

  function greeting(turn: Turn): string {
    const { hello, helloUnready, helloAgain } = wordsFor(turn)
    if (library.passages().length === 0) return helloUnready
    // Only a chat has buttons.
    return turn.channel === 'WEBCHAT' ? hello : helloAgain
  }

  /** To a live agent; where none can take over, to the operator's contact. */
  async function* passOn(turn: Turn): AsyncIterable<AgentEvent> {
    const to = contactFor(turn)
    if (!to) return yield* handOff(turn)
    const nobody = turn.desk?.refuses ? [wordsFor(turn).nobodyHere] : []
    yield* say([...nobody, to].join(' '), turn)
    yield* finish(turn, [])
  }

  /** Hands the visitor off to the queue, with the last question. */
  async function* handOff(turn: Turn): AsyncIterable<AgentEvent> {
    const words = wordsFor(turn)
    if (!canHandOff(turn)) {
      yield* say(words.handoffInCall, turn)
      return yield { type: 'finish' }
    }
    // While nobody is at the desk, the runtime tells the visitor.
    if (!turn.desk?.refuses) yield* say(words.handoff, turn)
    yield { type: 'remember', memory: { offer: null } }
    yield { type: 'finish' }
    const lastQuestion = turn.history.findLast(
      ({ role, text }) => role === 'visitor' && !asksForPerson(text) && !smallTalkOf(text),
    )
    yield {
      type: 'handoff',
      queueName: QUEUE_NAME,
      reason: HANDOFF_REASON,
      data: { request: turn.text, ...(lastQuestion && { last_question: lastQuestion.text }) },
    }
  }

  return {
    name,
    answers: 'automatic',
    find: library.lookUp,
    close: () => library.close(),
    async *act(turn) {
      yield { type: 'thinking' }
      await library.refresh()
      if (turn.trigger === 'join') {
        yield* say(greeting(turn), turn)
        return yield* finish(turn, [])
      }
      const heard = { ...turn, text: wordsSaid(turn) }
      if (heard.text === '') {
        yield* say(wordsFor(turn).noWords, turn)
        return yield* finish(turn, [])
      }
      if (asksForPerson(heard.text) && (handsOff || contact)) return yield* passOn(heard)
      const kind = smallTalkOf(heard.text)
      yield* kind ? talk(kind, heard) : answer(heard)
    },
  }
}

/** The visitor's, by what they wrote, else by the panel in which they read. */
const languageToSpeak = (turn: Turn): Language | undefined =>
  languageOfVisitor(turn) ?? languageOfTag(turn.language)

/** The language of most headings. */
function languageOfMost(passages: readonly Passage[]): Language | undefined {
  return languageSaid(
    passages
      .slice(0, 40)
      .map(({ heading, blocks }) => `${heading} ${blocks[0]?.source ?? ''}`)
      .join(' '),
  )
}

/** The words of the visitor, without the markers for pictures and places in SMS and RCS. A tapped button counts as its label. */
export function wordsSaid({
  channel,
  text,
  attributes,
}: Pick<Turn, 'channel' | 'text' | 'attributes'>): string {
  if (channel !== 'SMS' && channel !== 'RCS') return text
  const said = withoutMarker(text)
  if (said !== '' || !text.includes('<button/>')) return said
  const { button } = (attributes.metadata ?? {}) as { button?: { text?: unknown } }
  return typeof button?.text === 'string' ? button.text.trim() : ''
}

/** A marker stands alone in the last line. */
function withoutMarker(text: string): string {
  const start = text.lastIndexOf('\n') + 1
  const isMarker = text.startsWith('<metadata>', start) && text.endsWith('</metadata>')
  return isMarker ? text.slice(0, start).trimEnd() : text
}

/** Whether a live agent can take over: not in a call, since live agents write. */
const canHandOff = ({ channel }: Turn): boolean => channel !== 'VOICE-SIP'
