// What the outside sees of a chat: values to show, acts to call. All of it is read-only but for the acts.

import type { Attachment, Capabilities, Platform, ReadCallAction, Suggestion } from '../protocol/index.ts'
import type { ShareTabs } from './transport.ts'

/** A value that changes, as signals have it: read it, or be called with each new one. Never written from outside. */
export interface ReadonlySignal<T> {
  readonly value: T
  /** Reads without subscribing what reads. */
  peek(): T
  /** Calls back now and with each change; returns the undo. */
  subscribe(fn: (value: T) => void): () => void
}

/** The session table's inner states, mapped to what a person or a page needs to know. */
export type ChatStatus =
  /** Nothing was contacted yet. */
  | 'idle'
  /** The first connection of a session is on its way. */
  | 'connecting'
  | 'live'
  /** Connected before, and trying again. */
  | 'reconnecting'
  /** The browser says that there is no network. Nothing is tried until it says otherwise. */
  | 'offline'
  /** Ended by inactivity. The next keystroke or message makes a new session. */
  | 'expired'
  /** Ended by visitor or agent. `restart` makes a new session. */
  | 'ended'
  /** Refused for good, or tried in vain for too long. Only an act of the visitor tries again. */
  | 'unavailable'

export type Role = 'visitor' | 'agent' | 'live'

/** What a message says so far. `pieces` only ever grows, unless a whole message replaces it (a new array). */
export type Content = {
  readonly pieces: readonly string[]
  /** How many of the pieces there were when this value was set. */
  readonly length: number
  /** True once nothing more will come. */
  readonly complete: boolean
  readonly attachments: readonly Attachment[]
  readonly callActions: readonly ReadCallAction[]
  /** Of a visitor's message: the service took it and then said that it was not delivered. `retry` sends it anew. */
  readonly undelivered?: boolean
}

export type MessageEntry = {
  readonly kind: 'message'
  /** Stays the same from the first chunk to the last, and over a replay. */
  readonly key: string
  readonly role: Role
  /** Milliseconds since 1970, by the service's clock. */
  readonly at: number
  readonly agentName?: string | undefined
  readonly avatarUrl?: string | undefined
  /** A signal of its own for each message, so that a chunk repaints one message and nothing else. */
  readonly content: ReadonlySignal<Content>
}

/** A line that the system says; its words are the locale's. `text` is the service's own where it sent one. */
export type NoticeEntry = {
  readonly kind: 'notice'
  readonly key: string
  readonly at: number
  readonly notice:
    | 'handoff'
    | 'handoff-failed'
    | 'handoff-client'
    | 'live-joined'
    | 'live-left'
    | 'system'
    | 'error'
  readonly name?: string | undefined
  readonly text?: string | undefined
}

/** The line between two sessions, and what made it. */
export type DividerEntry = {
  readonly kind: 'divider'
  readonly key: string
  readonly at: number
  readonly reason: 'expired' | 'ended' | 'restarted' | 'lost'
}

export type Entry = MessageEntry | NoticeEntry | DividerEntry

/** A message of the visitor that the service has not confirmed. The screen shows these below the transcript. */
export type OutboxItem = {
  readonly id: string
  readonly text: string
  /** Milliseconds since 1970, by this machine's clock. */
  readonly at: number
  readonly state: /** Waiting for its turn, or for the connection. */
    | 'queued'
    /** On the wire, its echo not yet here. */
    | 'sent'
    /** Refused or given up. `retry` sends it again. */
    | 'failed'
    /** The session ended before its echo came: not sent, may have arrived. `retry` sends it again. */
    | 'unconfirmed'
}

/**
 * Why `send` does not take a text: nothing in it; larger than the service takes (`limit` and `bytes` in UTF-8); or
 * too much waits to be sent already (50 messages, or 256 KiB).
 */
export type Refusal =
  | { readonly reason: 'empty' }
  | { readonly reason: 'too-long'; readonly bytes: number; readonly limit: number }
  | { readonly reason: 'full' }

/** Who answers. */
export type AgentInfo = {
  readonly name?: string | undefined
  readonly avatarUrl?: string | undefined
  /** True while a person answers. */
  readonly live: boolean
}

export type Handoff =
  | { readonly state: 'none' }
  | {
      readonly state: 'pending'
      readonly queueName?: string | undefined
      readonly position?: number | undefined
      readonly waitSeconds?: number | undefined
      readonly message?: string | undefined
    }
  | { readonly state: 'live' }
  | { readonly state: 'failed'; readonly reason?: string | undefined }
  /** The host page must route the visitor. */
  | {
      readonly state: 'client'
      readonly reason?: string | undefined
      readonly queueName?: string | undefined
      readonly route?: string | undefined
    }

/** What the slim line above the composer has to say; at most one thing at a time. */
export type Notice =
  | { readonly kind: 'offline' }
  | { readonly kind: 'reconnecting' }
  /** `endsAt`: milliseconds since 1970, by this machine's clock. */
  | { readonly kind: 'idle-warning'; readonly endsAt: number }
  /** `refused`: the site's own server does not let this page chat. `gave-up`: tried as often as makes sense. */
  | { readonly kind: 'unavailable'; readonly cause?: 'refused' | 'gave-up' }

/** Facts for whoever listens. Ids, roles and lengths; `text` is there for a chat in the page's own realm. */
export type ChatEvents = {
  session: { session_id: string; resumed: boolean }
  connection: { status: ChatStatus }
  message: { message_id: string; role: Role; length: number; text: string }
  delivery: { message_id: string; state: OutboxItem['state'] | 'delivered' }
  unread: { count: number }
  handoff: Handoff
  suggestion: { text: string }
  language: { language_code: string }
  end: { reason: string }
  /** Something to fix, by a developer or an operator. Never holds a secret. */
  error: { code: string; message: string }
}

/** One line of the log of the wire, for tools. Addresses and tokens never get into it. */
export type WireNote = {
  readonly direction: 'in' | 'out' | 'note'
  readonly at: number
  readonly text: string
}

export type Chat = {
  readonly status: ReadonlySignal<ChatStatus>
  readonly sessionId: ReadonlySignal<string | undefined>
  readonly transcript: ReadonlySignal<readonly Entry[]>
  readonly outbox: ReadonlySignal<readonly OutboxItem[]>
  readonly agent: ReadonlySignal<AgentInfo>
  /** Who is typing or thinking; undefined: nobody. */
  readonly typing: ReadonlySignal<{ role: 'agent' | 'live'; name?: string | undefined } | undefined>
  /** Of the last message; empty once one was used or something else was sent. */
  readonly suggestions: ReadonlySignal<readonly Suggestion[]>
  readonly handoff: ReadonlySignal<Handoff>
  /** BCP 47, as the service last said; undefined where it never did. */
  readonly language: ReadonlySignal<string | undefined>
  readonly notice: ReadonlySignal<Notice | undefined>
  /** Messages of the agent that came while the panel was not shown. */
  readonly unread: ReadonlySignal<number>
  readonly capabilities: ReadonlySignal<Capabilities | undefined>

  /** The visitor opened the chat: the first contact. Harmless when repeated. */
  open(): void
  /**
   * Sends a text, without the whitespace around it. Returns the id under which the outbox, and later the
   * transcript, shows it; undefined where the text is not taken (see `refusal`): nothing of it is kept then.
   */
  send(text: string): string | undefined
  /** Why `send` would not take a text; undefined: it would. */
  refusal(text: string): Refusal | undefined
  /** The visitor typed. Tells the agent (at most every 3 s), and wakes a session that expired. */
  typed(): void
  /** Sends a `failed`, `unconfirmed` or undelivered message again. */
  retry(id: string): void
  /** Takes a message that was not sent out of the outbox. */
  discard(id: string): void
  /** "Keep chatting": starts the time of inactivity anew. */
  keepAlive(): void
  /** Ends the session. The transcript stays. */
  end(): void
  /** Ends the session and starts a new one below a divider. */
  restart(): void
  /** Something suggests that the network is worth a look now (focus, `pageshow`, a wake from sleep). */
  wake(): void
  /** The page is being left or frozen: lets go of the socket until `wake`, or an act of the visitor. */
  suspend(): void
  /** What the browser says of its network; a hint, and offline stops all attempts. */
  setOnline(online: boolean): void
  /** Whether the page is visible (how often the connection is probed). */
  setVisible(visible: boolean): void
  /** Whether the panel is shown (what counts as unread). */
  setShown(shown: boolean): void
  /** Drops the socket and connects again with the same session; for tools. */
  reconnect(): void
  /**
   * Ends the session and forgets it: transcript, outbox, token, sealed text and the BFF's cookie. Resolves once the
   * BFF has answered, or cannot be reached.
   */
  logout(): Promise<void>
  /** Calls back on each fact of the type; returns the undo. */
  on<T extends keyof ChatEvents>(type: T, listener: (detail: ChatEvents[T]) => void): () => void
  /** Closes the socket, stops every timer. Session and outbox stay stored, for the next page. */
  dispose(): void
}

/** Time as the engine needs it. `now` is monotonic, `wall` is what people call the time; both in milliseconds. */
export interface Clock {
  now(): number
  wall(): number
  /** Calls back once after `ms`; returns the undo. */
  after(ms: number, fn: () => void): () => void
}

/** A small store of strings that may fail silently (private windows, full disks). */
export interface KeyValue {
  get(key: string): string | undefined
  set(key: string, value: string): void
  remove(key: string): void
}

export type ChatOptions = {
  /** Where the BFF gives out tokens: `https://host/foyer/access-token`. */
  tokenUrl: string
  /** Default `web`. */
  platform?: Platform
  /** Whether answers come in chunks. Default true. */
  streaming?: boolean
  /**
   * Puts one space between chunks that have none there. Default: nothing. A promise, where the BFF says so: chunks that
   * come before it are joined with nothing.
   */
  chunkJoin?: 'space' | Promise<'space' | undefined>
  clock?: Clock
  /** A number from 0 up to 1, for jitter. */
  random?: () => number
  /** A new UUID. */
  uuid?: () => string
  fetch?: typeof fetch
  WebSocket?: unknown
  /** What all tabs of this browser share: the session. Default: memory. */
  sessionStore?: KeyValue
  /**
   * Keeps the BFF's sealed text in `sessionStore` where the browser returns no cookie. Only for a frame of the BFF's
   * own origin. Default false.
   */
  keepSealed?: boolean
  /**
   * Shares one conversation and one socket among the tabs of a browser: `shareTabs()`. Default: this chat is alone.
   */
  tabs?: ShareTabs
  /** What belongs to this tab: the outbox. Default: memory. */
  outboxStore?: KeyValue
  /** Told of every frame and what became of the connection; for tools. */
  onWire?: (note: WireNote) => void
}
