// Creates the language-model agent: a model with a chat-completions API answers from a folder of Markdown files.

import { type Act, type Agent, createRedaction, type Embeddings, type Turn } from '../runtime/index.ts'
import { HANDOFF_REASON, wordsIn } from './guide-words.ts'
import { languageOf } from './language.ts'
import { openLibrary } from './library.ts'
import { addressesIn, bareAddress, createLinkGate } from './link-gate.ts'
import type { ModelError, ModelEvent } from './llm-model.ts'
import {
  keptOf,
  LONGEST_SUMMARY,
  MOST_SOURCES,
  MOST_TRANSCRIPT,
  notesPrompt,
  SUMMARY_RULES,
  sourcesPrompt,
  summaryPrompt,
  summaryRequest,
  systemPrompt,
  transcriptOf,
} from './llm-prompt.ts'
import { type Asked, type LlmTool, ownTools } from './llm-tools.ts'
import { asksAgain, llmWordsIn } from './llm-words.ts'
import type { Passage } from './passages.ts'
import { sourceAddress } from './quote.ts'
import { goesOn } from './small-talk.ts'
import { createSpending, spentToday } from './spending.ts'
import { chooseQuestions } from './suggest.ts'

export type LlmAgentOptions = {
  /** Base address of the endpoint, such as `https://models.example.com/v1`. */
  url: string
  /** Name of the model at the endpoint. */
  model: string
  /** Bearer key of the endpoint; it never appears in a prompt, a log or an error. */
  key?: string
  /** Markdown that describes the assistant; sent with every question. */
  instructions?: string
  /** Markdown files to answer from. */
  folder?: string
  /** Base address of the files, as in `createGuide`. */
  sourceUrl?: string
  /** Whether live agents answer the handoff queue. */
  handsOff?: boolean
  /** Finds passages by meaning too. */
  embeddings?: Embeddings
  log?: (line: string) => void
  /** Tools of your own, by name. */
  tools?: Readonly<Record<string, LlmTool>>
  /** Addresses of MCP servers whose tools the model may call. Your own tools and Foyer’s take precedence. */
  mcp?: readonly string[]
  /** `any` keeps every link of an answer. Default: only links from sources and instructions. */
  links?: 'sources' | 'any'
  /** Shown in the header and beside the answers. */
  name?: string
  avatarUrl?: string
  limits?: Partial<LlmLimits>
  /**
   * Has the model sum up what is too old to be sent with a question, for which each long conversation makes requests of its
   * own. Default: the oldest messages are left out.
   */
  summarise?: boolean
  /** Price of a million tokens, for the metric `llm_cost`. */
  price?: { input: number; output: number }
  fetch?: typeof fetch
  /** Milliseconds since any fixed point, for latencies. */
  now?: () => number
}

export type LlmLimits = {
  /** Most requests to the model for one answer: the first, and one after each round of tools. */
  steps: number
  /** Seconds that one answer may take. */
  seconds: number
  /** Tokens that the model may write in one request. */
  outputTokens: number
  /** Input and output tokens that one visitor may use in a day. A visitor is a phone number, or in a chat a session. */
  tokensPerDay: number
}

export type LlmAgent = Agent & {
  /** Stops watching the folder. */
  close(): void
}

/** The limits that the options omit. */
export const DEFAULT_LLM_LIMITS: LlmLimits = {
  steps: 6,
  seconds: 60,
  outputTokens: 1_500,
  tokensPerDay: 200_000,
}
const TRIES = 3
const FIRST_PAUSE_MS = 500
const SOURCES = 6
/** Fewer messages are not worth a request. */
const FEWEST_SUMMED = 6
const LONGEST_SUMMARY_TOKENS = 400
const NAME = 'Assistant'

/** `llm_summary`: of the first `llm_summed` messages of the conversation, which no request holds any more. */
type Memory = {
  llm_topic?: string
  llm_offered?: string[]
  llm_summary?: string
  llm_summed?: number
}

/** Resolves once every file is read. The model's library is loaded here, so that only users of this agent load it. */
export async function createLlmAgent(options: LlmAgentOptions): Promise<LlmAgent> {
  const {
    folder,
    instructions = '',
    handsOff = false,
    links = 'sources',
    tools = {},
    summarise = false,
    price,
    now = Date.now,
  } = options
  const { createModel, guessTokens } = await import('./llm-model.ts')
  const ask = createModel(options)
  const limits = { ...DEFAULT_LLM_LIMITS, ...options.limits }
  const library =
    folder === undefined
      ? undefined
      : await openLibrary({
          folder,
          now,
          embeddings: options.embeddings,
          ...(options.log && { log: options.log }),
        })
  const servers = options.mcp?.length
    ? await (await import('./mcp-tools.ts')).openMcpTools(options.mcp)
    : undefined
  const address = sourceAddress(options.sourceUrl)
  const { text: mask } = createRedaction({ cards: true })
  const system = systemPrompt(instructions, handsOff)

  async function near(text: string, before?: string): Promise<readonly Passage[]> {
    const found = await library?.find(text, before === undefined ? {} : { before })
    return found?.hits.map(({ passage }) => passage) ?? []
  }

  function suggestions(turn: Turn, sources: readonly Passage[]): string[] {
    const { llm_offered: offered = [] } = turn.memory as Memory
    const asked = turn.history.flatMap(({ role, text }) => (role === 'visitor' ? [text] : []))
    return chooseQuestions(sources, new Set([...offered, ...asked, turn.text]), 3)
  }

  async function* close(offered: readonly string[], more: object = {}): AsyncIterable<Act> {
    yield { type: 'remember', memory: { llm_offered: [...offered] } }
    yield { type: 'finish', ...more, suggestions: offered.map((message_text) => ({ message_text })) }
  }

  async function* answer(turn: Turn, question: string): AsyncIterable<Act> {
    const language = languageOf(question, 'en')
    const words = llmWordsIn(language)
    const person = handsOff && turn.channel !== 'VOICE-SIP' ? [wordsIn(language).person] : []
    if ((await spentToday(turn)) >= limits.tokensPerDay) {
      yield { type: 'text', text: words.tooMuch }
      return yield* close(person)
    }
    const { llm_topic: topic } = turn.memory as Memory
    const before = topic !== undefined && goesOn(question) ? topic : undefined
    const sources = (await near(question, before)).slice(0, SOURCES)
    const asked: Asked = { acts: [], end: false }
    const own = ownTools({
      asked,
      handsOff: person.length > 0,
      search: async (query) => {
        const found = (await near(query)).slice(0, SOURCES)
        sources.push(...found)
        return found
      },
      print: (passages) => sourcesPrompt(passages, address),
    })
    const isGiven = (to: string): boolean => links === 'any' || givenAddresses(sources).has(bareAddress(to))
    const gate = createLinkGate(isGiven)
    const used = { input: 0, output: 0, tools: [] as string[] }
    const spend = createSpending(turn)
    const started = now()
    let firstTokenMs: number | undefined
    let shown = ''
    let share = 1
    let failure: unknown
    const limit = new AbortController()
    void turn.sleep(limits.seconds * 1_000).then(
      () => limit.abort(),
      () => limit.abort(),
    )
    for (let tries = 1; tries <= TRIES; tries++) {
      failure = undefined
      try {
        const request = {
          system,
          messages: transcriptOf({
            history: turn.history,
            question,
            sources: sourcesPrompt(sources, address, MOST_SOURCES * share),
            known: [notesPrompt(turn.memory), summaryPrompt((turn.memory as Memory).llm_summary)],
            mask,
            most: MOST_TRANSCRIPT * share,
          }),
          tools: { ...servers?.tools, ...own, ...tools },
          context: { turn, signal: AbortSignal.any([turn.signal, limit.signal]) },
          steps: limits.steps,
          outputTokens: limits.outputTokens,
        }
        // The request under way counts as guessed, and stays so where the visitor stops it.
        const guess = guessTokens(request)
        await spend(sumOf(used) + guess)
        for await (const event of ask(request)) {
          yield* asked.acts.splice(0)
          if (event.type === 'text') {
            firstTokenMs ??= now() - started
            const text = gate.push(event.text)
            shown += text
            if (text !== '') yield { type: 'text', text }
          } else count(event, used)
          if (event.type === 'usage') await spend(sumOf(used) + guess)
          if (event.type === 'tool') yield { type: 'thinking' }
        }
        break
      } catch (error) {
        turn.signal.throwIfAborted()
        failure = error
        const { kind, retryAfterMs } = error as ModelError
        // Do not retry after the first text or act, which would repeat it.
        if (
          shown !== '' ||
          used.tools.length > 0 ||
          kind === 'permanent' ||
          limit.signal.aborted ||
          tries === TRIES
        )
          break
        if (kind === 'too-long') share /= 4
        else await turn.sleep(retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1))
      }
    }
    yield* asked.acts.splice(0)
    const rest = gate.rest()
    if (rest !== '') yield { type: 'text', text: rest }
    shown += rest
    // An answer that broke off cost something too.
    if (failure === undefined || (shown === '' && !limit.signal.aborted)) await spend(sumOf(used))
    yield* metrics({ ...used, firstTokenMs, sources })
    if (failure !== undefined) {
      yield { type: 'metric', name: 'llm_error', value: (failure as Error).message }
      yield { type: 'text', text: shown === '' ? words.failed : `\n\n${words.cut}` }
      return yield* close([words.tryAgain, ...person])
    }
    if (shown.trim() === '' && !asked.handoff) yield { type: 'text', text: words.unsaid }
    yield { type: 'remember', memory: { llm_topic: question } }
    if (asked.handoff) {
      if (shown.trim() === '') yield { type: 'text', text: wordsIn(language).handoff }
      yield { type: 'finish' }
      const { reason = HANDOFF_REASON, ...handoff } = asked.handoff
      return yield {
        ...handoff,
        reason: reason || HANDOFF_REASON,
        data: { ...handoff.data, last_question: question },
      }
    }
    yield* close(asked.end ? [] : suggestions(turn, sources), asked.end ? { endConversation: true } : {})
    if (summarise && !asked.end) yield* sumUp(turn)
  }

  /** Remembers a summary of the messages that requests leave out, once there are enough. */
  async function* sumUp(turn: Turn): AsyncIterable<Act> {
    const used = { input: 0, output: 0, tools: [] }
    const { llm_summary: former, llm_summed: done = 0 } = turn.memory as Memory
    const kept = keptOf(turn.history, mask, MOST_TRANSCRIPT)
    const left = turn.history.slice(done, turn.history.length - kept)
    if (left.length < FEWEST_SUMMED) return
    const spend = createSpending(turn)
    let text = ''
    try {
      const request = {
        system: SUMMARY_RULES,
        messages: [{ role: 'user' as const, content: summaryRequest(former, left, mask) }],
        tools: {},
        context: { turn, signal: turn.signal },
        steps: 1,
        outputTokens: LONGEST_SUMMARY_TOKENS,
      }
      await spend(guessTokens(request))
      for await (const event of ask(request))
        if (event.type === 'text') text += event.text
        else count(event, used)
    } catch {
      if (text === '' && !turn.signal.aborted) await spend(0)
      // The next answer tries again.
      return
    }
    await spend(sumOf(used))
    yield { type: 'metric', name: 'llm_summary_tokens', value: String(sumOf(used)) }
    const memory = { llm_summary: text.trim().slice(0, LONGEST_SUMMARY), llm_summed: done + left.length }
    if (text.trim() !== '') yield { type: 'remember', memory }
  }

  /** Addresses that an answer may link to: those in the sources and the instructions. */
  function givenAddresses(sources: readonly Passage[]): ReadonlySet<string> {
    const texts = [instructions, ...sources.flatMap(({ blocks }) => blocks.map(({ source }) => source))]
    const links = sources.flatMap(({ file, slug }) => [address(file, slug), address(file, '')])
    return new Set([
      ...texts.flatMap(addressesIn),
      ...links.filter((link) => link !== undefined).map(bareAddress),
    ])
  }

  type Done = {
    input: number
    output: number
    tools: readonly string[]
    firstTokenMs: number | undefined
    sources: readonly Passage[]
  }

  function* metrics({ input, output, tools: called, firstTokenMs, sources }: Done): Iterable<Act> {
    const values: Record<string, string | undefined> = {
      llm_model: options.model,
      llm_input_tokens: String(input),
      llm_output_tokens: String(output),
      llm_first_token_ms: firstTokenMs === undefined ? undefined : String(Math.round(firstTokenMs)),
      llm_tools: called.join(' ') || undefined,
      llm_sources:
        [...new Set(sources.map(({ file, slug }) => (slug ? `${file}#${slug}` : file)))].join(' ') ||
        undefined,
      llm_cost: price && ((input * price.input + output * price.output) / 1e6).toFixed(6),
    }
    for (const [name, value] of Object.entries(values))
      if (value !== undefined) yield { type: 'metric', name, value }
  }

  return {
    name: options.name ?? NAME,
    ...(options.avatarUrl !== undefined && { avatarUrl: options.avatarUrl }),
    close() {
      library?.close()
      void servers?.close()
    },
    async *act(turn) {
      yield { type: 'thinking' }
      await library?.refresh()
      if (turn.cause === 'join') {
        yield { type: 'text', text: wordsIn('en').helloAgain }
        return yield* close(chooseQuestions(firstPassages(library?.passages() ?? []), new Set(), 3))
      }
      const before = turn.history.findLast(({ role, text }) => role === 'visitor' && !asksAgain(text))?.text
      yield* answer(turn, asksAgain(turn.text) && before !== undefined ? before : turn.text)
    },
  }
}

const sumOf = ({ input, output }: { input: number; output: number }): number => input + output

function count(event: ModelEvent, used: { input: number; output: number; tools: string[] }): void {
  if (event.type === 'tool') used.tools.push(event.name)
  if (event.type === 'usage') {
    used.input += event.inputTokens
    used.output += event.outputTokens
  }
}

/** One passage of each file, to show the range of topics. */
const firstPassages = (passages: readonly Passage[]): Passage[] =>
  [...new Map([...passages].reverse().map((passage) => [passage.file, passage])).values()].reverse()
