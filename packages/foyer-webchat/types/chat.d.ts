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

type ReadCallAction = {
  title: string
  contact_number?: string | undefined
}

type Capabilities = {
  streaming: boolean
  max_message_size_bytes: number
  max_reconnect_attempts: number
  heartbeat_interval_seconds: number
  session_idle_seconds?: number | undefined
  csat: boolean
  stop: boolean
  feedback: boolean
  leave_queue: boolean
  confirm: boolean
  session_status: boolean
}

type FeedbackRating = 'up' | 'down'

type Confirm = {
  id: string
  title: string
  summary: string
  confirm: string
  cancel: string
}

type Decision = 'confirm' | 'cancel'

interface ReadonlySignal<T> {
  readonly value: T

  peek(): T

  subscribe(fn: (value: T) => void): () => void
}

type ChatStatus =
  | 'idle'
  | 'connecting'
  | 'live'
  | 'reconnecting'
  | 'offline'
  | 'expired'
  | 'ended'
  | 'unavailable'

type Role = 'visitor' | 'agent' | 'live'

type Content = {
  readonly pieces: readonly string[]
  readonly length: number
  readonly complete: boolean
  readonly attachments: readonly Attachment[]
  readonly callActions: readonly ReadCallAction[]
  readonly undelivered?: boolean
  readonly stopped?: boolean | undefined
  readonly rating?: FeedbackRating | undefined
  readonly confirm?:
    | (Confirm & {
        readonly decision?: Decision | undefined
      })
    | undefined
}

type OpenQuestion = {
  readonly key: string
  readonly chosen: Decision | undefined
}

type MessageEntry = {
  readonly kind: 'message'
  readonly key: string
  readonly role: Role
  readonly at: number
  readonly agentName?: string | undefined
  readonly avatarUrl?: string | undefined
  readonly content: ReadonlySignal<Content>
}

type NoticeEntry = {
  readonly kind: 'notice'
  readonly key: string
  readonly at: number
  readonly notice:
    | 'handoff-failed'
    | 'handoff-client'
    | 'queue-left'
    | 'queue-message'
    | 'live-joined'
    | 'live-left'
    | 'system'
    | 'error'
  readonly name?: string | undefined
  readonly text?: string | undefined
}

type DividerEntry = {
  readonly kind: 'divider'
  readonly key: string
  readonly at: number
  readonly reason: 'expired' | 'ended' | 'restarted' | 'lost'
}

type Entry = MessageEntry | NoticeEntry | DividerEntry

type OutboxItem = {
  readonly id: string
  readonly text: string
  readonly at: number
  readonly state: 'held' | 'queued' | 'sent' | 'failed' | 'unconfirmed'
}

type Refusal =
  | {
      readonly reason: 'empty'
    }
  | {
      readonly reason: 'too-long'
      readonly bytes: number
      readonly limit: number
    }
  | {
      readonly reason: 'full'
    }

type AgentInfo = {
  readonly name?: string | undefined
  readonly avatarUrl?: string | undefined
  readonly live: boolean
}

type Handoff =
  | {
      readonly state: 'none'
    }
  | {
      readonly state: 'pending'
      readonly queueName?: string | undefined
      readonly position?: number | undefined
      readonly waitSeconds?: number | undefined
      readonly message?: string | undefined
    }
  | {
      readonly state: 'live'
    }
  | {
      readonly state: 'failed'
      readonly reason?: string | undefined
    }
  | {
      readonly state: 'client'
      readonly reason?: string | undefined
      readonly queueName?: string | undefined
      readonly route?: string | undefined
    }

type Csat =
  | {
      readonly state: 'none'
    }
  | {
      readonly state: 'asked'
    }
  | {
      readonly state: 'given'
      readonly score: number
      readonly comment?: string | undefined
    }

type Notice =
  | {
      readonly kind: 'offline'
    }
  | {
      readonly kind: 'reconnecting'
    }
  | {
      readonly kind: 'busy'
    }
  | {
      readonly kind: 'idle-warning'
      readonly endsAt: number
    }
  | {
      readonly kind: 'unavailable'
      readonly cause?: 'refused' | 'gave-up'
    }

type ChatEvents = {
  session: {
    session_id: string
    resumed: boolean
  }
  connection: {
    status: ChatStatus
  }

  message: {
    message_id: string
    role: Role
    length: number
    text: string
    name?: string
  }
  delivery: {
    message_id: string
    state: OutboxItem['state'] | 'delivered'
  }
  unread: {
    count: number
  }
  handoff: Handoff
  suggestion: {
    text: string
  }
  language: {
    language_code: string
  }
  csat: {
    score: number
    comment?: string | undefined
  }
  feedback: {
    message_id: string
    rating: FeedbackRating
    comment?: string | undefined
  }
  decision: {
    message_id: string
    decision: Decision
  }
  end: {
    reason: string
  }

  error: {
    code: string
    message: string
  }
}

type WireNote = {
  readonly direction: 'in' | 'out' | 'note'
  readonly at: number
  readonly text: string
}

type Chat = {
  readonly status: ReadonlySignal<ChatStatus>
  readonly sessionId: ReadonlySignal<string | undefined>
  readonly transcript: ReadonlySignal<readonly Entry[]>
  readonly replaying: ReadonlySignal<boolean>
  readonly outbox: ReadonlySignal<readonly OutboxItem[]>
  readonly agent: ReadonlySignal<AgentInfo>
  readonly typing: ReadonlySignal<
    | {
        role: 'agent' | 'live'
        name?: string | undefined
      }
    | undefined
  >
  readonly suggestions: ReadonlySignal<readonly Suggestion[]>
  readonly question: ReadonlySignal<OpenQuestion | undefined>
  readonly handoff: ReadonlySignal<Handoff>
  readonly language: ReadonlySignal<string | undefined>
  readonly notice: ReadonlySignal<Notice | undefined>
  readonly unread: ReadonlySignal<number>
  readonly capabilities: ReadonlySignal<Capabilities | undefined>
  readonly stoppable: ReadonlySignal<boolean>
  readonly leavable: ReadonlySignal<boolean>
  readonly csat: ReadonlySignal<Csat>
  carriesOn(): boolean
  open(): void

  send(text: string): string | undefined
  refusal(text: string): Refusal | undefined
  typed(): void
  retry(id: string): void
  discard(id: string): void
  stop(): void
  leaveQueue(): void

  decide(key: string, decision: Decision): void

  feedback(key: string, rating: FeedbackRating, comment?: string): void

  rate(score: number, comment?: string): void
  keepAlive(): void
  end(): void
  restart(): void
  wake(): void
  suspend(): void
  setOnline(online: boolean): void
  setVisible(visible: boolean): void
  setShown(shown: boolean): void
  reconnect(): void

  logout(): Promise<void>
  on<T extends keyof ChatEvents>(type: T, listener: (detail: ChatEvents[T]) => void): () => void
  dispose(): void
}

interface Clock {
  now(): number
  wall(): number

  after(ms: number, fn: () => void): () => void

  frame?: (fn: () => void) => () => void
}

interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  close(): void
}

interface Locks {
  request(
    name: string,
    options: {
      signal: AbortSignal
    },
    held: () => Promise<void> | undefined,
  ): Promise<unknown>
}

interface ShareTabs {
  channel(name: string): Channel
  readonly locks: Locks | undefined
}

interface KeyValue {
  get(key: string): string | undefined
  set(key: string, value: string): void
  remove(key: string): void
}

type BeginningAct =
  | {
      readonly type: 'restart' | 'typed'
    }
  | {
      readonly type: 'send'
      readonly text: string
    }
  | {
      readonly type: 'retry'
      readonly id: string
    }

type ChatOptions = {
  tokenUrl: string
  platform?: Platform
  streaming?: boolean
  language?: () => string | undefined

  page?: () =>
    | {
        url: string
        title: string
      }
    | undefined
    | Promise<
        | {
            url: string
            title: string
          }
        | undefined
      >

  chunkJoin?: 'space' | Promise<'space' | undefined>
  clock?: Clock
  random?: () => number
  uuid?: () => string
  fetch?: typeof fetch
  WebSocket?: unknown
  sessionStore?: KeyValue

  keepSealed?: boolean
  tabs?: ShareTabs
  outboxStore?: KeyValue

  beforeSend?: (message: { id: string; text: string }) => Promise<boolean>

  mayBegin?: (act: BeginningAct) => boolean
  onWire?: (note: WireNote) => void
  onSignedOut?: () => void
}

declare function createChat(options: ChatOptions): Chat

declare function memoryStore(): KeyValue

type ShareOptions = {
  channel?: (name: string) => Channel
  locks?: Locks | undefined
}

declare const shareTabs: (options?: ShareOptions) => ShareTabs
export {
  type AgentInfo,
  type BeginningAct,
  type Channel,
  type Chat,
  type ChatEvents,
  type ChatOptions,
  type ChatStatus,
  type Clock,
  type Content,
  type Csat,
  type DividerEntry,
  type Entry,
  type Handoff,
  type KeyValue,
  type Locks,
  type MessageEntry,
  type Notice,
  type NoticeEntry,
  type OpenQuestion,
  type OutboxItem,
  type ReadonlySignal,
  type Refusal,
  type Role,
  type ShareOptions,
  type ShareTabs,
  type WireNote,
  createChat,
  memoryStore,
  shareTabs,
}
