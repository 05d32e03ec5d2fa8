// Answers one question with the language model: gathers what it may know and do, filters links, and says what failed.

import type { Log, Meter } from '../../api/index.ts'
import type { AgentEvent, Turn } from '../../runtime/index.ts'
import { contactIn } from '../contact.ts'
import { languageOf } from '../language.ts'
import { HANDOFF_REASON, phrasesIn } from '../phrases.ts'
import { goesOn } from '../search/follow-up.ts'
import type { Passage } from '../search/passages.ts'
import type { SourceAddress } from '../search/quote.ts'
import { chooseSuggestions } from '../search/suggest.ts'
import { createLinkGate, type IsGiven } from './link-gate.ts'
import type { AskModel } from './model.ts'
import type { LlmAgentOptions, LlmLimits } from './options.ts'
import { createPhoneGate, type IsSaid, saidIn } from './phone-gate.ts'
import {
  contextPrompt,
  type LlmMemory,
  MOST_SOURCES,
  MOST_TRANSCRIPT,
  notesPrompt,
  sourcesPrompt,
  summaryPrompt,
  transcriptOf,
} from './prompt.ts'
import type { LlmSources } from './sources.ts'
import { createCounting, createSpending, usedUp } from './spending.ts'
import { sumUp } from './summary.ts'
import { unnamedSources } from './support.ts'
import { type LlmTool, ownTools, type Requested } from './tools.ts'
import { tryModel } from './try-model.ts'
import { usageMetrics } from './usage.ts'
import { llmWordsIn } from './words.ts'

const SUGGESTIONS = 3
const DAY_MS = 86_400_000

export type LlmAnswerOptions = Required<
  Pick<LlmAgentOptions, 'handsOff' | 'links' | 'model' | 'now' | 'summarise' | 'tools'>
> &
  Pick<LlmAgentOptions, 'price'> & {
    contact: LlmAgentOptions['contact']
    ask: AskModel
    /** The system prompt. */
    system: string
    sources: LlmSources
    address: SourceAddress
    /** Tools of MCP servers. */
    mcpTools: Readonly<Record<string, LlmTool>>
    limits: LlmLimits
    mask: (text: string) => string
    log: Log
    meter: Meter
  }

export function createLlmAnswer({
  ask,
  system,
  sources,
  address,
  mcpTools,
  tools,
  limits,
  links,
  handsOff,
  contact,
  summarise,
  model,
  price,
  mask,
  now,
  log,
  meter,
}: LlmAnswerOptions): (turn: Turn, question: string) => AsyncIterable<AgentEvent> {
  let toldDay: number | undefined
  /** Tells the operator once a day. */
  function tellLimit(): void {
    const day = Math.floor(now() / DAY_MS)
    if (day !== toldDay)
      log(
        `The language model gets no more questions today: a connector used ${limits.connectorTokensPerDay} tokens.`,
        'warn',
      )
    toldDay = day
  }

  /** What the visitor wrote leads nowhere new. */
  function isSaidIn({ text, history }: Turn, passages: readonly Passage[]): IsSaid {
    const byVisitor = new Set(
      [text, ...history.flatMap((each) => (each.role === 'visitor' ? [each.text] : []))].flatMap(saidIn),
    )
    return (said) => links === 'any' || byVisitor.has(said) || sources.isSaid(said, passages)
  }

  return async function* answer(turn, question): AsyncIterable<AgentEvent> {
    const language = languageOf(question, 'en')
    const words = llmWordsIn(language)
    const canHandOff = handsOff && turn.channel !== 'VOICE-SIP' && !turn.desk?.refuses
    const person = canHandOff ? [phrasesIn(language).person] : []
    const to = canHandOff ? '' : contactIn(contact, language)
    /** A text for a visitor who gets no answer, with the way to reach a person. */
    const sorry = (text: string): AgentEvent => ({
      type: 'text',
      text: to ? `${text}\n\n${phrasesIn(language).contact(to)}` : text,
    })
    const used = await usedUp(turn, limits)
    if (used) {
      meter.count('foyer_limited_total', 1, { limit: `tokens of a ${used}` })
      if (used === 'connector') tellLimit()
      yield sorry(used === 'visitor' ? words.tooMuch : words.tooMuchForAll)
      return yield* complete(person)
    }
    const { llm_topic: topic } = turn.memory as LlmMemory
    const before = topic !== undefined && goesOn(question) ? topic : undefined
    const passages = await sources.near(question, before)
    const requested: Requested = { events: [], end: false }
    const foyerTools = ownTools({
      requested,
      handsOff: person.length > 0,
      search: async (query) => {
        const found = await sources.near(query)
        passages.push(...found)
        return found
      },
      print: (found) => sourcesPrompt(found, address),
    })
    const isGiven: IsGiven = (to, kind) =>
      (links === 'any' && kind !== 'image') || sources.isGiven(to, passages)
    const tellLeftOut = () =>
      log('A block of an answer was left out: its links could not be told from those of the sources.', 'warn')
    const linkGate = createLinkGate(isGiven, tellLeftOut)
    const gate =
      turn.channel === 'SMS' || turn.channel === 'RCS'
        ? createPhoneGate({ gate: linkGate, isGiven, isSaid: isSaidIn(turn, passages), tellLeftOut })
        : linkGate
    const counting = createCounting(turn)
    const { failure, firstTokenMs, ...tried } = yield* tryModel({
      ...{ turn, ask, requested, gate, counting, now, seconds: limits.seconds },
      requestOf: (share, signal) => ({
        system,
        messages: transcriptOf({
          history: turn.history,
          question,
          sources: sourcesPrompt(passages, address, MOST_SOURCES * share),
          known: [
            contextPrompt(turn),
            notesPrompt(turn.memory),
            summaryPrompt((turn.memory as LlmMemory).llm_summary),
          ],
          mask,
          most: MOST_TRANSCRIPT * share,
        }),
        tools: { ...mcpTools, ...foyerTools, ...tools },
        context: { turn, signal },
        steps: limits.steps,
        outputTokens: limits.outputTokens,
      }),
    })
    const heldText = gate.rest()
    const shownText = tried.shownText + heldText
    yield* usageMetrics({ usage: counting.usage, firstTokenMs, sources: passages }, { model, price })
    // Right before what ends the message: the gate has judged this text as a whole, so no beginning of it should be stored alone.
    if (heldText !== '') yield { type: 'text', text: heldText }
    if (failure) {
      const { message, kind } = failure
      log(
        `The language model ${model} failed: ${message}.${kind === 'setup' ? ' Correct FOYER_LLM_KEY.' : ''}`,
      )
      yield { type: 'metric', name: 'llm_error', value: message }
      if (kind === 'setup') {
        yield sorry(words.wrongSetup)
        return yield* complete(person)
      }
      yield sorry(shownText === '' ? words.failed : `\n\n${words.cut}`)
      return yield* complete([words.tryAgain, ...person])
    }
    if (shownText.trim() === '' && !requested.handoff) yield { type: 'text', text: words.unsaid }
    else if (turn.channel !== 'VOICE-SIP' && !requested.handoff) {
      const from = unnamedSources(shownText, passages, address)
      const { source, sources: several } = phrasesIn(languageOf(shownText, language))
      const named = from.join(', ')
      if (named !== '')
        yield { type: 'text', text: `\n\n${from.length > 1 ? several(named) : source(named)}` }
    }
    yield { type: 'remember', memory: { llm_topic: question } }
    if (requested.handoff) {
      if (shownText.trim() === '') yield { type: 'text', text: phrasesIn(language).handoff }
      yield { type: 'finish' }
      const { reason = HANDOFF_REASON, ...handoff } = requested.handoff
      return yield {
        ...handoff,
        reason: reason || HANDOFF_REASON,
        data: { ...handoff.data, last_question: question },
      }
    }
    yield* complete(
      requested.end ? [] : questionsAbout(passages, turn),
      requested.end ? { endConversation: true } : {},
    )
    if (summarise && !requested.end) yield* sumUp(turn, ask, mask, createSpending(turn))
  }
}

/** Completes the message, with these suggestions. */
export async function* complete(offered: readonly string[], more: object = {}): AsyncIterable<AgentEvent> {
  yield { type: 'remember', memory: { llm_offered: [...offered] } }
  yield { type: 'finish', ...more, suggestions: offered.map((message_text) => ({ message_text })) }
}

/** Questions to suggest that the visitor has neither asked nor just been offered. */
function questionsAbout(passages: readonly Passage[], turn: Turn): string[] {
  const { llm_offered: offered = [] } = turn.memory as LlmMemory
  const asked = turn.history.flatMap(({ role, text }) => (role === 'visitor' ? [text] : []))
  return chooseSuggestions(passages, new Set([...offered, ...asked, turn.text]), SUGGESTIONS)
}
