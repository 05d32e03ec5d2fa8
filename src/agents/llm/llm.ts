// Creates the language-model agent: a model with a chat-completions API answers from a folder of Markdown files.

import { noMeter } from '../../api/index.ts'
import { type Agent, createRedaction } from '../../runtime/index.ts'
import { languageOf, languageOfTag } from '../language.ts'
import { phrasesIn } from '../phrases.ts'
import { openLibrary } from '../search/library.ts'
import type { Passage } from '../search/passages.ts'
import { sourceAddress } from '../search/quote.ts'
import { chooseSuggestions } from '../search/suggest.ts'
import { tellIfSlow } from '../tell-if-slow.ts'
import { complete, createLlmAnswer } from './answer.ts'
import { BESIDE_SECONDS, DEFAULT_LLM_LIMITS, type LlmAgentOptions } from './options.ts'
import { systemPrompt, withContact } from './prompt.ts'
import { createLlmSources } from './sources.ts'
import { llmWordsIn, questionOf } from './words.ts'

/** The agent with a language model. */
export type LlmAgent = Agent & {
  /** The passages of the files whose words match best, best first. */
  find(text: string): Promise<readonly Passage[]>
  /** Stops watching the folder. */
  close(): void
}

const DEFAULT_AGENT_NAME = 'Assistant'
const SUGGESTIONS = 3

/** Creates the agent that answers with a language model. Resolves once every file is read. The model's library is loaded here, so that only users of this agent load it. */
export async function createLlmAgent(options: LlmAgentOptions): Promise<LlmAgent> {
  const { folder, handsOff = false, now = Date.now, log, embeddings } = options
  const instructions = withContact(options.instructions ?? '', options.contact)
  const { createModel } = await import('./model.ts')
  const library =
    folder === undefined ? undefined : await openLibrary({ folder, now, embeddings, ...(log && { log }) })
  const servers = options.mcp?.length
    ? await (await import('./mcp-tools.ts')).openMcpTools(options.mcp)
    : undefined
  const address = sourceAddress(options.sourceUrl)
  const limits = { ...DEFAULT_LLM_LIMITS, ...options.limits }
  const sources = createLlmSources({ library, address, instructions })
  const answer = createLlmAnswer({
    ask: createModel(options),
    system: systemPrompt(instructions, handsOff),
    sources,
    address,
    mcpTools: servers?.tools ?? {},
    tools: options.tools ?? {},
    limits,
    links: options.links ?? 'sources',
    handsOff,
    contact: options.contact,
    summarise: options.summarise ?? false,
    model: options.model,
    mask: createRedaction({ cards: true }).text,
    now,
    log: log ?? (() => {}),
    meter: options.meter ?? noMeter,
    ...(options.price && { price: options.price }),
  })
  return {
    name: options.name ?? DEFAULT_AGENT_NAME,
    ...(options.avatarUrl !== undefined && { avatarUrl: options.avatarUrl }),
    silentSeconds: limits.seconds + BESIDE_SECONDS,
    find: async (text) => (await library?.lookUp(text)) ?? [],
    close() {
      library?.close()
      void servers?.close()
    },
    async *act(turn) {
      yield { type: 'thinking' }
      await sources.refresh()
      if (turn.trigger === 'join') {
        yield { type: 'text', text: phrasesIn(languageOfTag(turn.language)).helloAgain }
        return yield* complete(chooseSuggestions(sources.ofEachFile(), new Set(), SUGGESTIONS))
      }
      const question = questionOf(turn)
      yield* tellIfSlow(answer(turn, question), turn, llmWordsIn(languageOf(question, 'en')).takesLonger)
    },
  }
}
