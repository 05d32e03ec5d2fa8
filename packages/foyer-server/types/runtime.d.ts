import { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { RedisClientType } from 'redis'

interface Clock {
  now(): number

  after(ms: number, fn: () => void): () => void
}

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
type QueryOptions = {
  prepared?: boolean
}

interface Queries {
  query<T = Record<string, unknown>>(
    sql: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>
}

interface Transaction extends Queries {
  send(sql: string, params?: readonly unknown[], options?: QueryOptions): void
}

interface Database extends Queries {
  transaction<T>(run: (tx: Transaction) => Promise<T>, purpose?: string): Promise<T>

  apart?: Queries

  reads?: Reads

  connections?(): {
    all: number
    idle: number
    waiting: number
  }

  script(sql: string): Promise<void>
  close(): Promise<void>
}

type Reading = Queries & Pick<Database, 'transaction'>

interface Reads {
  begin(): Reading
}

declare class DataFolderError extends Error {
  name: string

  readonly reason: 'busy' | 'unwritable' | 'other-build' | 'blocked'
  constructor(reason: DataFolderError['reason'], message: string)
}

type PostgresOptions = {
  connections?: number | undefined
  readSeconds?: number | undefined
}

type StoreData =
  | {
      folder: string
    }
  | ({
      databaseUrl: string
    } & PostgresOptions)
  | {
      database: Database
    }
  | 'memory'
declare const PERMISSIONS: readonly ['conversations', 'analytics', 'handoff', 'messaging']

type Permission = (typeof PERMISSIONS)[number]

type KeyKind = 'runtime' | 'build' | 'calling'

type ApiKey = {
  id: string
  kind: KeyKind
  name: string
  region: string
  account_id: string
  project_id: string | null
  connector_id: string | null
  permissions: Permission[]
  created_at: Date
  revoked_at: Date | null
}

type Variant = {
  id: string
  name: string
}

type DeskSettings = {
  goneSeconds?: number
  answerSeconds?: number
  chats?: number
  refuse?: boolean
  nobody?: string
}

type DisclosureSetting = 'off' | Readonly<Record<string, string>>

type ProjectSettings = {
  variants?: readonly Variant[]
  smsPerMinute?: number
  callsPerMinute?: number
  callsAtOnce?: number
  language?: string
  desk?: DeskSettings
  disclosure?: DisclosureSetting
}

type Project = {
  id: string
  slug: string
  account_id: string
  account_slug: string
  transcripts: boolean
  settings: ProjectSettings
}

type Sender = {
  project_id: string
  environment: string
  kind: 'sms' | 'rcs'
  address: string
}

declare class CommandError extends Error {
  name: string
}

type Connector = {
  id: string
  host: string
  allow_subdomains: boolean
  account_id: string
  project_id: string
  environment: string
  outbound_calling: boolean
}

type ConnectorOptions = {
  id: string
  token: string
  host: string
  allowSubdomains?: boolean
  accountId: string
  projectId: string
  environment: string
  outboundCalling?: boolean
}

interface ConnectorCommands {
  createConnector(options: Omit<ConnectorOptions, 'token' | 'id'>): Promise<{
    connector: Connector
    token: string
  }>
  saveConnector(options: Omit<ConnectorOptions, 'token'>, token: string): Promise<Connector>

  connectors(): Promise<
    (Connector & {
      revoked: boolean
    })[]
  >

  revokeConnector(id: string): Promise<boolean>
}

type KeyOptions = {
  id?: string
  kind?: KeyKind
  name?: string
  accountId: string
  projectId?: string
  connectorId?: string
  permissions?: readonly Permission[]
  region?: string
}

interface KeyCommands {
  createKey(options: KeyOptions): Promise<{
    key: ApiKey
    secret: string
  }>
  saveKey(options: KeyOptions, secret: string): Promise<ApiKey>
  keys(): Promise<ApiKey[]>

  revokeKey(id: string): Promise<boolean>
}

type ProjectOptions = {
  id: string
  slug: string
  accountId: string
  accountSlug: string
  transcripts?: boolean
  senders?: readonly {
    environment: string
    kind: 'sms' | 'rcs'
    address: string
  }[]
} & ProjectSettings

type NewProject = {
  id?: string | undefined
  slug: string
  accountId?: string | undefined
  accountSlug?: string | undefined
}

interface ProjectCommands {
  projects(): Promise<Project[]>

  createProject(options: NewProject): Promise<Project>

  saveProject(options: ProjectOptions): Promise<Project>

  setTranscripts(projectId: string, transcripts: boolean): Promise<boolean>

  saveSender(sender: Sender): Promise<void>

  senders(projectId: string): Promise<Sender[]>
}

type UnansweredFilter = {
  days: number
  limit: number
  projectId?: string | undefined
  environment?: string | undefined
}

type UnansweredQuestion = {
  text: string
  count: number
  lastAt: Date
}

interface Embeddings {
  readonly model: string

  readonly size: number
  embed(texts: readonly string[], signal?: AbortSignal): Promise<number[][]>
}

type VectorCounts = {
  made: number
  waiting: number
}

type ConversationCounts = {
  conversations: number
  inProgress: number
  vectors: VectorCounts
}
type Channel = 'WEBCHAT' | 'VOICE-SIP' | 'SMS' | 'RCS'

type Understanding = {
  intents?: readonly string[]
  entities?: readonly Record<string, string | string[]>[]
  outOfDomain?: boolean
  translatedInput?: string
  englishResponse?: string
}

type EndpointOptions = {
  url: string
  model: string
  key?: string | undefined
  fetch?: typeof fetch
}

declare function endpointEmbeddings(options: EndpointOptions): Promise<Embeddings>

interface Erasing {
  eraseConversation(id: string): Promise<boolean>

  eraseNumber(number: string): Promise<number>

  eraseEndedBefore(endedBefore: Date, limit: number): Promise<number>
}

interface BusLink {
  readonly mostBytes: number

  readonly lookMs?: number

  isAway?(): boolean

  open(heard: (text: string) => void, lost: () => void, deployment: string): Promise<void>

  send(text: string): Promise<void>
  close(): Promise<void>
}

type NotifyOptions = {
  url: string
  db: Queries
  log: Log
  patienceMs?: number
}

declare function createNotifyLink({ url, db, log, patienceMs }: NotifyOptions): BusLink

type RedisLinkOptions = {
  redis: Pick<RedisClientType, 'duplicate' | 'isReady' | 'publish'>
  log: Log
  patienceMs?: number
}

declare function createRedisLink({ redis, log, patienceMs }: RedisLinkOptions): BusLink

type PhoneCall = {
  sid: string
  to: string
  from: string
  metadata: Readonly<Record<string, string>>
  encryption: string
}

interface CallLeg {
  answered(): Promise<SpokenAnswer>

  heard(input: { speech?: string; dtmf?: string }): Promise<SpokenAnswer>
}

type SpokenAnswer = {
  text: string
  hangUp: boolean
}

type CallOutcome =
  | {
      status: 'completed'
    }
  | {
      status: 'failed'
      reason: string
    }

interface CallCarrier {
  call(call: PhoneCall, line: CallLeg, signal: AbortSignal): Promise<CallOutcome>
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

type WireEvent = {
  type: string
  payload: Record<string, unknown>
  sequence: number | null
  id: string
  timestamp: string
  metadata?: {
    custom: Record<string, string>
  }
  first_sequence?: number
}

type Page = {
  url: string
  title: string
}

type LiveAgent = {
  id: string
  name: string
  avatar_url?: string | undefined
}
type InactivitySettings = {
  sessionIdleSeconds: number
  textIdleSeconds: number
  textGraceSeconds: number
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

type AgentFor = (served: Served) => Agent | Promise<Agent>
type CallSettings = {
  callsAtOnce: number
  callQueueSeconds: number
  callRetentionSeconds: number
}
type LivenessSettings = {
  beatSeconds: number
  deadAfterSeconds: number
}

type Keyword = 'STOP' | 'START' | 'HELP'

type TextMessage = {
  id: string
  to: string
  from: string
  text: string
  rich?: {
    sender: string
    text: string
    cards: readonly Attachment[]
    suggestions: readonly Suggestion[]
    callActions: readonly CallAction[]
  }
}

type InboundMessage = {
  id: string
  channel: 'sms' | 'rcs'
  from: string
  to: string
  text: string

  keyword?: Keyword | undefined
  media?: readonly {
    content_type: string
    url: string
  }[]
  location?: {
    latitude: string
    longitude: string
    address: string
    label: string
  }
  button?: {
    payload: string
    text: string
    type: string
  }
}

type SendOutcome =
  | {
      status: 'accepted'
      channel: 'sms' | 'rcs'
    }
  | {
      status: 'refused'
      reason: string
    }
  | {
      status: 'unknown'
    }

type Receipt = {
  id: string
  status: 'delivered' | 'failed'
  reason?: string | undefined
}

interface MessageCarrier {
  connect(
    receive: (message: InboundMessage) => Promise<void>,
    report: (receipt: Receipt) => Promise<void>,
  ): () => void

  send(message: TextMessage): Promise<SendOutcome>
}

type RuntimeSettings = InactivitySettings &
  CallSettings &
  LivenessSettings & {
    heartbeatSeconds: number
    tokenTtlSeconds: number
    tokensPerMinute: number
    deskWaitSeconds: number
    retentionDays: number
    maskCards: boolean
  }

type Carrier = Partial<MessageCarrier & CallCarrier>

type RuntimeOptions = {
  data: StoreData
  agent: Agent | AgentFor
  connectors: readonly ConnectorOptions[]
  projects?: readonly ProjectOptions[]
  keys?: readonly (KeyOptions & {
    secret: string
  })[]

  bus?: BusLink | undefined
  carrier?: Carrier
  disclosure?: DisclosureSetting | undefined
  embeddings?: Embeddings
  settings?: Partial<RuntimeSettings>
  signingKeys?: readonly string[]
  region?: string
  headerPrefix?: string
  clock?: Clock
  log?: Log
  meter?: Meter
}

interface Commands extends ProjectCommands, ConnectorCommands, KeyCommands, Erasing {
  status(): Promise<ConversationCounts>

  questions(filter: UnansweredFilter): Promise<UnansweredQuestion[]>
}

type BuildFile = {
  name: string
  type: string
  body: Uint8Array<ArrayBuffer>
}
interface BuildFiles {
  keep(files: readonly BuildFile[]): Promise<void>

  touch(): Promise<void>

  find(name: string): Promise<BuildFile['body'] | undefined>
}

type UserPresence = 'here' | 'away' | 'gone'

type DeskEntry = {
  id: string
  channel: string
  queue: string
  state: 'waiting' | 'taken'
  queuedAt: string
  takenAt: string | undefined
  agent: LiveAgent | undefined
  data: Record<string, unknown>
  question: string
  last:
    | {
        from: 'visitor' | 'agent' | 'live'
        text: string
        at: string
        agent?: Pick<LiveAgent, 'id' | 'name'> | undefined
      }
    | undefined
  presence: UserPresence | undefined
  lost: 'gone' | 'unanswered' | undefined
}

type DeskLine = {
  id: string
  at: string
} & (
  | {
      from: 'visitor' | 'agent' | 'live'
      text: string
      name?: string | undefined
      stopped?: boolean | undefined
    }
  | {
      from: 'note'
      text: string
      name: string
    }
  | {
      from: 'event'
      what: 'handoff' | 'left-queue' | 'timeout' | 'joined' | 'left' | 'transferred' | 'rated' | 'ended'
      name?: string | undefined
      score?: number | undefined
      text?: string | undefined
    }
)

type DeskAgent = {
  id: string
  name: string
  state: 'here' | 'away' | 'gone'
  chats: number
}

declare class DeskError extends Error {
  name: string
  readonly code: 'away' | 'full'
  constructor(code: 'away' | 'full', message: string)
}

type CannedReply = {
  name: string
  text: string
}

interface Desk {
  entries(): Promise<DeskEntry[]>

  lines(id: string): Promise<DeskLine[]>

  beat(agent: LiveAgent, away?: boolean): Promise<void>

  agents(): Promise<DeskAgent[]>

  take(id: string, agent: LiveAgent): Promise<boolean>

  type(id: string, agentId: string, typing: boolean): Promise<boolean>
  answer(id: string, agentId: string, text: string): Promise<boolean>

  note(id: string, agent: LiveAgent, text: string): Promise<boolean>

  transfer(id: string, agentId: string, queue: string, note?: string): Promise<boolean>

  leave(id: string, agentId: string, end: boolean, note?: string): Promise<boolean>

  replies(): Promise<CannedReply[]>

  saveReply(reply: CannedReply): Promise<boolean>
  deleteReply(name: string): Promise<void>

  watch(listener: () => void): () => void

  follow(id: string, listener: (events: readonly WireEvent[]) => void): () => void
}
interface Shutdown {
  drain(ms: number): Promise<void>

  close(): Promise<void>
}

type Runtime = Shutdown & {
  fetch(
    request: Request,
    context: {
      address: string
    },
  ): Promise<Response>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void

  clientError(error: Error, socket: Duplex): void
  expire(sessionId: string): Promise<boolean>
  metrics(conversationId: string): Promise<Readonly<Record<string, string | string[]>> | undefined>

  leg(callSid: string): Promise<CallLeg | undefined>
  healthy(): Promise<boolean>

  countRequest(
    key: string,
    seconds: number,
  ): Promise<{
    count: number
    wait: number
  }>
  cookieSecret(): Promise<string>
  files: BuildFiles
  desk(projectId: string): Desk
  commands: Commands
}

declare function createRuntime(options: RuntimeOptions): Promise<Runtime>
export {
  type Agent,
  type AgentEvent,
  type AgentFor,
  type BusLink,
  type CallLeg,
  type CallOutcome,
  type CannedReply,
  type Carrier,
  type Clock,
  CommandError,
  type Commands,
  type ConnectorOptions,
  DataFolderError,
  type Database,
  type Desk,
  type DeskAgent,
  type DeskEntry,
  DeskError,
  type DeskLine,
  type DeskState,
  type Embeddings,
  type EndpointOptions,
  type InboundMessage,
  type KeyOptions,
  type Log,
  type Meter,
  type PhoneCall,
  type ProjectOptions,
  type Receipt,
  type Runtime,
  type RuntimeOptions,
  type RuntimeSettings,
  type SendOutcome,
  type Served,
  type TextMessage,
  type Turn,
  createNotifyLink,
  createRedisLink,
  createRuntime,
  endpointEmbeddings,
}
