// Creates the agent that asks another agent by its address, over the AG-UI protocol.
//
//   turn ─▶ run input ─▶ ask ─▶ events ─▶ run ─▶ messages, through the link gate ─▶ visitor
//                                          └───▶ state ─▶ remembered, with the next run

import { type Log, type LogLevel, type Meter, noMeter } from '../../api/index.ts'
import type { Agent, AgentEvent, Turn } from '../../runtime/index.ts'
import { type Contact, contactIn } from '../contact.ts'
import { languageOf, languageOfTag } from '../language.ts'
import { createLinkGate } from '../llm/link-gate.ts'
import { BESIDE_SECONDS } from '../llm/options.ts'
import { createPhoneGate, saidIn } from '../llm/phone-gate.ts'
import { asksAgain, questionOf } from '../llm/words.ts'
import { HANDOFF_REASON, phrasesIn } from '../phrases.ts'
import { tellIfSlow } from '../tell-if-slow.ts'
import { AguiError, ReportedError, shownOf } from './agui-error.ts'
import { ask } from './ask.ts'
import { allCancelled, confirmEvent, decide, type Pending, type Question } from './interrupts.ts'
import { createMessages } from './messages.ts'
import { readRun } from './run.ts'
import { type AguiMemory, memoryOf, runInput } from './run-input.ts'
import { createThreadState } from './state.ts'
import { aguiWordsIn } from './words.ts'

/** The options of `createAguiAgent`. */
export type AguiAgentOptions = {
  /** The address that takes a `RunAgentInput`. */
  url: string
  /** Sent as `Authorization: Bearer`; it never appears in a log or an error. */
  key?: string | undefined
  /** The agent's name in the header. Default: `Assistant`. */
  name?: string
  /** Address of the agent's picture. */
  avatarUrl?: string
  /** Most seconds of one run. Default: 60. */
  seconds?: number
  /** Most seconds in which a run sends nothing. Default: 30. */
  silentSeconds?: number
  /**
   * `any`: links lead anywhere. `sources`: only to the hosts of `url` and `sourceUrl`; others become words. Pictures always only from there.
   * Default: `sources`.
   */
  links?: 'sources' | 'any'
  /** An address of the site that links of answers may lead to. */
  sourceUrl?: string | undefined
  /** Whether live agents answer the handoff queue: then the agent has the tool `handoff`. Default: false. */
  handsOff?: boolean
  /** How to reach a person, for who gets no answer where no live agent can take over. */
  contact?: Contact | undefined
  /** Sends the requests. Default: the global fetch. */
  fetch?: typeof fetch
  /** Takes each line of the log. Default: nobody. */
  log?: Log
  /** Takes what the agent measures. Default: nobody. */
  meter?: Meter
}

/** Creates the agent that answers by the AG-UI protocol at an address: each turn is one run of the thread that the conversation is. It is stateless itself. */
export function createAguiAgent(options: AguiAgentOptions): Agent {
  const { url, name = 'Assistant', links = 'sources', sourceUrl, log = () => {}, meter = noMeter } = options
  const { key, seconds = 60, silentSeconds = 30, fetch = globalThis.fetch } = options
  const { host } = new URL(url)
  const hosts = [url, sourceUrl].flatMap((each) =>
    each !== undefined && URL.canParse(each) ? [new URL(each).host] : [],
  )
  const isGiven = (href: string, kind: string) =>
    (links === 'any' && kind !== 'image') || (URL.canParse(href) && hosts.includes(new URL(href).host))
  const tellLeftOut = () => log('A block of an answer was left out: its links could not be told.', 'warn')

  function createGate({ channel, text, history }: Turn) {
    const gate = createLinkGate(isGiven, tellLeftOut)
    if (channel !== 'SMS' && channel !== 'RCS') return gate
    const texts = [text, ...history.flatMap((each) => (each.role === 'visitor' ? [each.text] : []))]
    const byVisitor = new Set(texts.flatMap(saidIn))
    const isSaid = (said: string) => links === 'any' || byVisitor.has(said) || hosts.includes(said)
    return createPhoneGate({ gate, isGiven, isSaid, tellLeftOut })
  }

  function askVisitor(turn: Turn, { id, text }: Question, words: ReturnType<typeof aguiWordsIn>): AgentEvent {
    const gate = createGate(turn)
    return confirmEvent(id, gate.push(text) + gate.rest(), words)
  }

  async function* answer(turn: Turn, question: string): AsyncIterable<AgentEvent> {
    const language = languageOf(question, languageOfTag(turn.language) ?? 'en')
    const words = aguiWordsIn(language)
    const phrases = phrasesIn(language)
    const canHandOff = Boolean(options.handsOff) && turn.channel !== 'VOICE-SIP' && !turn.desk?.refuses
    const { agui_state: stateBefore = {}, agui_pending: before } = turn.memory as AguiMemory
    const state = createThreadState(stateBefore)
    const messages = createMessages(() => createGate(turn))
    const tell = (what: string, level: LogLevel) => log(`The agent at ${host} ${what}.`, level)
    const limits = { url, key, seconds, silentSeconds, fetch }
    const decided = before && decide(before, turn)
    if (decided) {
      yield { type: 'remember', memory: { agui_pending: decided.pending } }
      const [next] = decided.pending.open
      if (next) return yield askVisitor(turn, next, words)
    }
    const isAnswer = decided?.isChoice || (before?.open.length === 0 && asksAgain(turn.text))
    const text = isAnswer ? undefined : question
    const resume = decided?.pending.answers ?? []
    /** What the agent waits for after the run; null: for nothing. */
    let pending: Pending | null | undefined
    try {
      const events = ask(limits, runInput({ turn, text, canHandOff, resume }), turn)
      const asked = yield* readRun(events, { messages, state, canHandOff, tell })
      const [first] = asked.questions
      if (asked.questions.some(({ field }) => field === undefined)) {
        pending = allCancelled(asked.questions)
        throw new AguiError('request', 'it asks for more than a yes or a no')
      }
      pending = first ? { open: asked.questions, cancel: words.no, answers: [] } : null
      const memory = memoryOf(turn, { ids: messages.ids, changed: state.changed(), pending })
      if (memory) yield { type: 'remember', memory }
      if (asked.handoff) {
        yield* messages.complete(messages.ids.length === 0 ? phrases.handoff : '')
        const { reason, queueName, data } = asked.handoff
        const about = { queueName: queueName || 'front desk', reason: reason || HANDOFF_REASON }
        yield { type: 'handoff', ...about, data: { ...data, last_question: question } }
      } else if (first) {
        if (messages.isOpen) yield* messages.complete()
        yield askVisitor(turn, first, words)
      } else if (messages.isOpen) yield* messages.complete('', asked.end ? { endConversation: true } : {})
      else if (asked.end) yield { type: 'end' }
      else yield* messages.complete(words.unsaid)
    } catch (error) {
      if (turn.signal.aborted) return
      if (!(error instanceof AguiError)) throw error
      const { failure, message } = error
      meter.count('foyer_llm_failures_total', 1, { cause: failure })
      const isLasting = failure === 'refused'
      const said = error instanceof ReportedError ? shownOf(error.said, [key, question]) : ''
      const advice = isLasting ? '. Correct FOYER_AGENT_KEY' : ''
      tell(`failed: ${message}${said && `: ${said}`}${advice}`, 'error')
      yield { type: 'metric', name: 'agui_error', value: message }
      // The state stays as it was before the run.
      if (error instanceof ReportedError) pending = null
      const memory = memoryOf(turn, { ids: messages.ids, pending })
      if (memory) yield { type: 'remember', memory }
      const to = canHandOff ? '' : contactIn(options.contact, language)
      const contact = to ? `\n\n${phrases.contact(to)}` : ''
      messages.suggest(isLasting ? [] : [words.tryAgain])
      const sorry = isLasting ? words.wrongSetup : words.failed
      yield* messages.complete((messages.isOpen ? `\n\n${words.cut}` : sorry) + contact)
    }
  }

  return {
    name,
    silentSeconds: seconds + BESIDE_SECONDS,
    ...(options.avatarUrl !== undefined && { avatarUrl: options.avatarUrl }),
    async *act(turn) {
      if (turn.trigger === 'join') {
        yield { type: 'text', text: phrasesIn(languageOfTag(turn.language)).helloAgain }
        return yield { type: 'finish' }
      }
      yield { type: 'thinking' }
      const question = questionOf(turn)
      yield* tellIfSlow(answer(turn, question), turn, aguiWordsIn(languageOf(question, 'en')).takesLonger)
    },
  }
}
