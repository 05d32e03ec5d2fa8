import { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'

type LogLevel = 'error' | 'warn' | 'info'

type Log = (line: string, level?: LogLevel) => void
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

type Carrier = Partial<MessageCarrier & CallCarrier>

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

type ServerOptions = {
  env?: Readonly<Record<string, string | undefined>>
  documents?: string
  agent?: Agent | AgentFor
  carrier?: Carrier
  bus?: BusLink
  log?: Log
}

interface Server {
  readonly origin: string

  readonly runtime: Runtime | undefined

  close(drainMs?: number): Promise<void>
}

declare function startServer(options?: ServerOptions): Promise<Server>
export { type Server, type ServerOptions, startServer }
