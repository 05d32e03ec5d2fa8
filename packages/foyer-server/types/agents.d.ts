type LogLevel = 'error' | 'warn' | 'info'

type Log = (line: string, level?: LogLevel) => void

declare const METRICS: {
  readonly foyer_build_info: {
    readonly kind: 'gauge'
    readonly help: 'Always 1: which version this process is'
    readonly labels: {
      readonly version: readonly string[]
    }
  }
  readonly foyer_ready: {
    readonly kind: 'gauge'
    readonly help: '1 while visitors may be sent to this process, as /ready says; else 0'
  }
  readonly foyer_sockets: {
    readonly kind: 'gauge'
    readonly help: 'Open sockets of this process'
  }
  readonly foyer_handshakes_total: {
    readonly kind: 'counter'
    readonly help: 'Handshakes of sockets, by outcome: accepted, given up by the client, left to another process (stopping), or the status of the refusal'
    readonly labels: {
      readonly outcome: readonly ['accepted', 'given up', 'stopping', '400', '401', '404', '429', '500']
    }
  }
  readonly foyer_sessions: {
    readonly kind: 'gauge'
    readonly help: 'Sessions that have not ended; the same number in all processes of one database'
  }
  readonly foyer_messages_total: {
    readonly kind: 'counter'
    readonly help: 'Messages stored by this process: in from users, out to them'
    readonly labels: {
      readonly direction: readonly ['in', 'out']
      readonly family: readonly ['chat', 'messaging', 'voice']
    }
  }
  readonly foyer_turns: {
    readonly kind: 'gauge'
    readonly help: 'Turns that run in this process'
  }
  readonly foyer_turn_first_word_seconds: {
    readonly kind: 'timer'
    readonly buckets: number[]
    readonly help: 'From the start of a turn until the agent’s first text'
  }
  readonly foyer_turn_seconds: {
    readonly kind: 'timer'
    readonly buckets: number[]
    readonly help: 'Turns, by how they ended'
    readonly labels: {
      readonly outcome: readonly ['answered', 'stopped', 'over', 'lost', 'failed']
    }
  }
  readonly foyer_llm_tokens_total: {
    readonly kind: 'counter'
    readonly help: 'Tokens of the language model as its endpoint reports them'
    readonly labels: {
      readonly direction: readonly ['in', 'out']
    }
  }
  readonly foyer_llm_failures_total: {
    readonly kind: 'counter'
    readonly help: 'Requests to the language model, each try, and runs of an agent by its address that failed, by cause'
    readonly labels: {
      readonly cause: readonly [
        'timeout',
        'refused',
        'limited',
        'server',
        'network',
        'malformed',
        'cut',
        'request',
        'length',
        'excess',
      ]
    }
  }
  readonly foyer_clock_ahead_seconds: {
    readonly kind: 'gauge'
    readonly help: 'By how much the clock of this machine is ahead of the database’s, by which all goes'
  }
  readonly foyer_processes: {
    readonly kind: 'gauge'
    readonly help: 'Processes that share the database, as their heartbeats tell; the same number in all processes of one database'
  }
  readonly foyer_queue_waiting: {
    readonly kind: 'gauge'
    readonly help: 'Conversations that wait in the handoff queue; the same number in all processes of one database'
  }
  readonly foyer_queue_wait_seconds: {
    readonly kind: 'timer'
    readonly buckets: number[]
    readonly help: 'Waits in the handoff queue until a live agent took the conversation'
  }
  readonly foyer_deliveries_waiting: {
    readonly kind: 'gauge'
    readonly help: 'Outbound text messages that the carrier has not taken; the same number in all processes of one database'
  }
  readonly foyer_deliveries_total: {
    readonly kind: 'counter'
    readonly help: 'Attempts to hand a text message to the carrier: accepted, refused, perhaps taken (unknown), to be tried again, or given up'
    readonly labels: {
      readonly outcome: readonly ['accepted', 'refused', 'unknown', 'retried', 'given up']
    }
  }
  readonly foyer_receipts_total: {
    readonly kind: 'counter'
    readonly help: 'Receipts of the carrier that said something new of a text message: delivered to the phone, or failed'
    readonly labels: {
      readonly status: readonly ['delivered', 'failed']
    }
  }
  readonly foyer_calls_waiting: {
    readonly kind: 'gauge'
    readonly help: 'Outbound calls that have not begun; the same number in all processes of one database'
  }
  readonly foyer_http_seconds: {
    readonly kind: 'timer'
    readonly buckets: number[]
    readonly help: 'HTTP requests until their answer is sent, by route and status'
    readonly labels: {
      readonly method: readonly string[]
      readonly route: readonly string[]
      readonly status: readonly string[]
    }
  }
  readonly foyer_limited_total: {
    readonly kind: 'counter'
    readonly help: 'What limits refused: requests by route, sockets, frames, questions to the language model'
    readonly labels: {
      readonly limit: readonly [
        'sockets',
        'frames',
        'tokens of a visitor',
        'tokens of a connector',
        ...string[],
      ]
    }
  }
  readonly foyer_bus_news_total: {
    readonly kind: 'counter'
    readonly help: 'News between processes, by direction: sent or received'
    readonly labels: {
      readonly direction: readonly ['sent', 'received']
    }
  }
  readonly foyer_bus_gaps_total: {
    readonly kind: 'counter'
    readonly help: 'Gaps in the news between processes, by direction: told to the others, or noticed by this one'
    readonly labels: {
      readonly direction: readonly ['told', 'noticed']
    }
  }
  readonly foyer_redis_connected: {
    readonly kind: 'gauge'
    readonly help: '1 while Redis answers this process, else 0; left out without REDIS_URL'
  }
  readonly foyer_database_connections: {
    readonly kind: 'gauge'
    readonly help: 'Connections to the database: all, idle ones, and requests that wait for one'
    readonly labels: {
      readonly state: readonly ['all', 'idle', 'waiting']
    }
  }
}
type Of<K extends 'counter' | 'timer' | 'gauge'> = {
  [N in keyof typeof METRICS]: (typeof METRICS)[N]['kind'] extends K ? N : never
}[keyof typeof METRICS]

type Labels<N extends keyof typeof METRICS> = (typeof METRICS)[N] extends {
  labels: infer L extends Readonly<Record<string, readonly string[]>>
}
  ? [labels: { readonly [K in keyof L]: L[K][number] }]
  : []

interface Meter {
  count<N extends Of<'counter'>>(name: N, by: number, ...labels: Labels<N>): void
  time<N extends Of<'timer'>>(name: N, seconds: number, ...labels: Labels<N>): void

  gauge<N extends Of<'gauge'>>(name: N, read: () => number | Promise<number>, ...labels: Labels<N>): void
}

interface Embeddings {
  readonly model: string

  readonly size: number
  embed(texts: readonly string[], signal?: AbortSignal): Promise<number[][]>
}
type Channel = 'WEBCHAT' | 'VOICE-SIP' | 'SMS' | 'RCS'

type Understanding = {
  intents?: readonly string[]
  entities?: readonly Record<string, string | string[]>[]
  outOfDomain?: boolean
  translatedInput?: string
  englishResponse?: string
}

declare const PLATFORMS: readonly ['web', 'ios', 'android', 'ios-web', 'android-web', 'custom']

type Platform = (typeof PLATFORMS)[number]

type Attachment = {
  content_type: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE'
  content_url: string
  title?: string | undefined
  preview_image_url?: string | undefined
  call_to_action_text?: string | undefined
}

type Suggestion = {
  message_text: string
  payload?: string | undefined
}

type CallAction = {
  title: string
  contact_number: string
}

type Page = {
  url: string
  title: string
}

type AgentEvent =
  | {
      type: 'thinking'
    }
  | {
      type: 'text'
      text: string
    }
  | {
      type: 'finish'
      attachments?: Attachment[]
      suggestions?: Suggestion[]
      callActions?: CallAction[]
      endConversation?: boolean
    }
  | {
      type: 'confirm'
      id: string
      title: string
      summary: string
      confirm: string
      cancel: string
    }
  | {
      type: 'language'
      code: string
    }
  | {
      type: 'system'
      level: 'info' | 'warning' | 'error'
      message: string
    }
  | ({
      type: 'handoff'
    } & HandoffDetails)
  | ({
      type: 'handoff-client'
      reason: 'COMPLEX_QUERY' | 'AGENT_DECISION' | 'POLICY'
      route?: string
    } & Omit<HandoffDetails, 'reason'>)
  | ({
      type: 'understood'
    } & Understanding)
  | {
      type: 'metric'
      name: string
      value: string
    }
  | {
      type: 'remember'
      memory: Record<string, unknown>
    }
  | {
      type: 'end'
    }

type HandoffDetails = {
  queueName?: string
  reason?: string
  destination?: string
  sharedId?: string
  data?: Record<string, unknown>
}

type DeskState = {
  here: number
  waitSeconds: number
  refuses: boolean
}

type Served = {
  readonly accountId: string
  readonly projectId: string
  readonly connectorId: string | undefined
  readonly environment: string
}

type Turn = Served & {
  readonly id: string
  readonly trigger: 'join' | 'message'
  readonly text: string

  readonly decision:
    | {
        readonly id: string
        readonly decision: 'confirm' | 'cancel'
      }
    | undefined
  readonly sessionId: string
  readonly channel: Channel
  readonly language: string | undefined
  readonly userNumber: string
  readonly platform: Platform | undefined

  readonly page: Readonly<Page> | undefined

  readonly custom: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, unknown>>
  readonly variant:
    | {
        id: string
        name: string
      }
    | undefined
  readonly history: readonly {
    id?: string
    role: 'visitor' | 'agent' | 'live'
    text: string
  }[]
  readonly memory: Readonly<Record<string, unknown>>
  readonly desk: DeskState | undefined
  readonly signal: AbortSignal
  sleep(ms: number): Promise<void>

  addUsage(what: string, amount: number, of?: 'visitor' | 'connector'): Promise<number>
}

interface Agent {
  readonly name: string

  readonly avatarUrl?: string | undefined

  readonly answers?: 'ai' | 'automatic' | undefined

  readonly silentSeconds?: number | undefined

  act(turn: Turn): AsyncIterable<AgentEvent>
}
declare const LANGUAGES: readonly ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']

type Language = (typeof LANGUAGES)[number]

type Contact = string | Readonly<Record<string, string>>

type AguiAgentOptions = {
  url: string
  key?: string | undefined
  name?: string
  avatarUrl?: string
  seconds?: number
  silentSeconds?: number

  links?: 'sources' | 'any'
  sourceUrl?: string | undefined
  handsOff?: boolean
  contact?: Contact | undefined
  fetch?: typeof fetch
  log?: Log
  meter?: Meter
}

declare function createAguiAgent(options: AguiAgentOptions): Agent

type Block = {
  kind: 'prose' | 'list' | 'table' | 'code'
  source: string
}

type Passage = {
  file: string
  title: string
  language: Language
  heading: string
  slug: string
  above: readonly string[]
  questions: readonly string[]
  asked: readonly string[]
  blocks: readonly Block[]
}

type GuideOptions = {
  folder: string
  handsOff?: boolean

  sourceUrl?: string
  contact?: Contact
  offer?: string
  name?: string
  embeddings?: Embeddings
  log?: Log
  pace?: number
}

type Guide = Agent & {
  find(text: string): Promise<readonly Passage[]>
  close(): void
}

declare function createGuide(options: GuideOptions): Promise<Guide>

type LlmTool = {
  description: string
  input: Record<string, unknown>
  execute(input: Record<string, unknown>, context: ToolContext): Promise<unknown> | unknown
}

type ToolContext = {
  turn: Turn
  signal: AbortSignal
}

type LlmAgentOptions = {
  url: string
  model: string
  key?: string
  instructions?: string
  folder?: string
  sourceUrl?: string
  handsOff?: boolean
  contact?: Contact
  embeddings?: Embeddings
  log?: Log
  meter?: Meter
  tools?: Readonly<Record<string, LlmTool>>
  mcp?: readonly string[]
  links?: 'sources' | 'any'
  name?: string
  avatarUrl?: string
  limits?: Partial<LlmLimits>

  summarise?: boolean
  price?: {
    input: number
    output: number
  }
  fetch?: typeof fetch
  now?: () => number
}

type LlmLimits = {
  steps: number
  seconds: number
  outputTokens: number
  tokensPerDay: number
  connectorTokensPerDay: number
}

type LlmAgent = Agent & {
  find(text: string): Promise<readonly Passage[]>
  close(): void
}

declare function createLlmAgent(options: LlmAgentOptions): Promise<LlmAgent>
export {
  type AguiAgentOptions,
  type Contact,
  type Guide,
  type GuideOptions,
  type LlmAgent,
  type LlmAgentOptions,
  type LlmLimits,
  type LlmTool,
  type ToolContext,
  createAguiAgent,
  createGuide,
  createLlmAgent,
}
