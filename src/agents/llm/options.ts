// The options of the language-model agent, and its limits.

import type { Log, Meter } from '../../api/index.ts'
import type { Embeddings } from '../../runtime/index.ts'
import type { Contact } from '../contact.ts'
import type { LlmTool } from './tools.ts'

/** The options of `createLlmAgent`. */
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
  /** Whether live agents answer the handoff queue: then the model can hand off. Default: false. */
  handsOff?: boolean
  /** How to reach a person: for who asks for one, or asks what no source answers, where no live agent can take over. */
  contact?: Contact
  /** Finds passages by meaning too. */
  embeddings?: Embeddings
  /** Takes each line of the log. Default: nobody. */
  log?: Log
  /** Takes what the agent measures. Default: nobody. */
  meter?: Meter
  /** Tools of your own, by name. */
  tools?: Readonly<Record<string, LlmTool>>
  /** Addresses of MCP servers whose tools the model may call. Your own tools and Foyer’s take precedence. */
  mcp?: readonly string[]
  /** `any` keeps every link of an answer. Default: only links from sources and instructions. */
  links?: 'sources' | 'any'
  /** The agent's name, shown in the header and beside the answers. Default: `Assistant`. */
  name?: string
  /** Address of the agent's picture. */
  avatarUrl?: string
  /** Limits that differ from their defaults. */
  limits?: Partial<LlmLimits>
  /**
   * Has the model sum up the messages that are too old to be sent with a question, by extra requests in each long
   * conversation. Default: the oldest messages are left out.
   */
  summarise?: boolean
  /** Price of a million tokens, for the metric `llm_cost`. */
  price?: { input: number; output: number }
  /** Sends the requests. Default: the global fetch. */
  fetch?: typeof fetch
  /** The time in milliseconds since 1970. Default: that of the system. */
  now?: () => number
}

/** The limits of answers by a language model. */
export type LlmLimits = {
  /** Most requests to the model for one answer: the first, and one after each round of tools. Default: 6. */
  steps: number
  /** Seconds that one answer may take. Default: 60. */
  seconds: number
  /** Tokens that the model may write in one request. Default: 1,500. */
  outputTokens: number
  /** Input and output tokens that one visitor may use in a day. A visitor is a phone number, or in a chat a session. Default: 200,000. */
  tokensPerDay: number
  /** Input and output tokens that all visitors of one connector may use in a day. Default: 10,000,000. */
  connectorTokensPerDay: number
}

/** Seconds beside those of the model, for what is read before and stored after: an agent that is silent for longer is given up. */
export const BESIDE_SECONDS = 180

/** The defaults of `limits`. */
export const DEFAULT_LLM_LIMITS: LlmLimits = {
  steps: 6,
  seconds: 60,
  outputTokens: 1_500,
  tokensPerDay: 200_000,
  connectorTokensPerDay: 10_000_000,
}
