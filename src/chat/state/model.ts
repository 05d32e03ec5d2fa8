// Defines the public interface of a chat: read-only values to show, and methods to call.

import type {
  Attachment,
  Capabilities,
  Confirm,
  Decision,
  FeedbackRating,
  Platform,
  ReadCallAction,
  Suggestion,
} from '../../protocol/index.ts'

/** A read-only signal: read its value, or subscribe to its changes. */
export interface ReadonlySignal<T> {
  readonly value: T
  /** Reads the value without subscribing. */
  peek(): T
  /** Calls back now and with each change; returns the undo. */
  subscribe(fn: (value: T) => void): () => void
}

/** The public status, to which the states of the session table are mapped. */
export type ChatStatus =
  /** The chat has not contacted anything yet. */
  | 'idle'
  /** The first connection of a session is being made. */
  | 'connecting'
  | 'live'
  /** Connected before, and trying again. */
  | 'reconnecting'
  /** The browser reports that it is offline. The chat waits until it is online, or the visitor acts. */
  | 'offline'
  /** Ended due to inactivity. The next keystroke or message creates a new session. */
  | 'expired'
  /** Ended by the visitor or the agent. `restart` creates a new session. */
  | 'ended'
  /**
   * Refused, or given up: after too many failures, or since the session gives this tab no socket while another tab has one; that is tried again
   * each half minute. An act of the visitor tries again at once.
   */
  | 'unavailable'

/** Who wrote a message: the visitor, the agent, or a live agent, who is a person. */
export type Role = 'visitor' | 'agent' | 'live'

/** The content of a message so far. `pieces` only grows, unless a whole message replaces it with a new array. */
export type Content = {
  readonly pieces: readonly string[]
  /** The number of pieces when this value was set. */
  readonly length: number
  /** True once the message is complete. */
  readonly complete: boolean
  readonly attachments: readonly Attachment[]
  readonly callActions: readonly ReadCallAction[]
  /** Of a visitor's message: the service accepted it and then reported that it was not delivered. `retry` resends it. */
  readonly undelivered?: boolean
  /** For an answer: the visitor stopped it. */
  readonly stopped?: boolean | undefined
  /** For an answer: the visitor's rating. */
  readonly rating?: FeedbackRating | undefined
  /** For a question that the visitor has to decide: its texts, and the decision once the service has stored one. */
  readonly confirm?: (Confirm & { readonly decision?: Decision | undefined }) | undefined
}

/** The question that waits for the visitor's decision, by its entry's key. `chosen`: the choice that was pressed here and is on its way. */
export type OpenQuestion = { readonly key: string; readonly chosen: Decision | undefined }

/** A message of the transcript. */
export type MessageEntry = {
  readonly kind: 'message'
  /** Identical from the first chunk to the last, and in a replay. */
  readonly key: string
  readonly role: Role
  /** Milliseconds since 1970, by the service's clock. */
  readonly at: number
  readonly agentName?: string | undefined
  readonly avatarUrl?: string | undefined
  /** Each message has its own signal, so that a chunk repaints only its message. */
  readonly content: ReadonlySignal<Content>
}

/** A line between messages; the locale has its words. `text`: the words of the service, if it sent any. */
export type NoticeEntry = {
  readonly kind: 'notice'
  readonly key: string
  readonly at: number
  readonly notice:
    | 'handoff-failed'
    | 'handoff-client'
    /** The visitor left the queue, and the agent answers again. */
    | 'queue-left'
    /** The visitor wrote while nobody was there yet. */
    | 'queue-message'
    | 'live-joined'
    | 'live-left'
    | 'system'
    | 'error'
  readonly name?: string | undefined
  readonly text?: string | undefined
}

/** The line between two sessions, with the reason for the new one. */
export type DividerEntry = {
  readonly kind: 'divider'
  readonly key: string
  readonly at: number
  readonly reason: 'expired' | 'ended' | 'restarted' | 'lost'
}

/** An entry of the transcript. */
export type Entry = MessageEntry | NoticeEntry | DividerEntry

/** A message of the visitor that the service has not confirmed. The screen shows these below the transcript. */
export type OutboxItem = {
  readonly id: string
  readonly text: string
  /** Milliseconds since 1970, by this machine's clock. */
  readonly at: number
  readonly state: /** The site is asked whether it may be sent (`beforeSend`). */
    | 'held'
    /** Waiting for its turn, or for the connection. */
    | 'queued'
    /** Sent, without an echo so far. */
    | 'sent'
    /** Refused or given up. `retry` sends it again. */
    | 'failed'
    /** The session ended before its echo came, so the message may have arrived. `retry` resends it. */
    | 'unconfirmed'
}

/**
 * Why `send` refuses a text: it is empty; it is larger than the service accepts (`limit` and `bytes` in UTF-8); or too
 * many messages wait already (50, or 256 KiB).
 */
export type Refusal =
  | { readonly reason: 'empty' }
  | { readonly reason: 'too-long'; readonly bytes: number; readonly limit: number }
  | { readonly reason: 'full' }

/** The agent, or the live agent, that answers. */
export type AgentInfo = {
  readonly name?: string | undefined
  readonly avatarUrl?: string | undefined
  /** True while a person answers. */
  readonly live: boolean
}

/** The handoff to a person. `pending`: the visitor waits in a queue, at `position`, for about `waitSeconds`. `live`: a person answers. */
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

/** The visitor's rating of the chat: not asked for, asked for by the service, or given. `score`: from 0 to 10. */
export type Csat =
  | { readonly state: 'none' }
  | { readonly state: 'asked' }
  | { readonly state: 'given'; readonly score: number; readonly comment?: string | undefined }

/** The notice above the composer; at most one at a time. */
export type Notice =
  | { readonly kind: 'offline' }
  | { readonly kind: 'reconnecting' }
  /** Too many talk at once: the service asked for a wait, and is tried again after it by itself. */
  | { readonly kind: 'busy' }
  /** `endsAt`: milliseconds since 1970, by this machine's clock. */
  | { readonly kind: 'idle-warning'; readonly endsAt: number }
  /** `refused`: the BFF gives this page no token. `gave-up`: too many attempts failed, or the session gives this tab no socket while another tab has one. */
  | { readonly kind: 'unavailable'; readonly cause?: 'refused' | 'gave-up' }

/** The events that `on` listeners get: ids, roles and lengths; `text` only where the chat runs in the page itself. */
export type ChatEvents = {
  /** A session began, or was continued (`resumed` is true). */
  session: { session_id: string; resumed: boolean }
  /** The connection changed. */
  connection: { status: ChatStatus }
  /**
   * A message of the agent or of a live agent was shown; `delivery` tells of the visitor's messages. `length`: in characters. `name`: of who
   * wrote it, where the service names them.
   */
  message: { message_id: string; role: Role; length: number; text: string; name?: string }
  /** The state of a visitor's message changed. */
  delivery: { message_id: string; state: OutboxItem['state'] | 'delivered' }
  /** The number of unread messages changed. */
  unread: { count: number }
  /** A handoff began, changed or ended. `client`: the page must route the visitor; not told again on the next page. */
  handoff: Handoff
  /** The visitor pressed a suggestion. */
  suggestion: { text: string }
  /** The agent switched the language, to a BCP 47 tag; not told again on the next page. */
  language: { language_code: string }
  /** The visitor rated the chat, from 0 to 10. */
  csat: { score: number; comment?: string | undefined }
  /** The visitor rated an answer. */
  feedback: { message_id: string; rating: FeedbackRating; comment?: string | undefined }
  /** The service stored the decision about a question of the agent, whoever made it; not told again on the next page. */
  decision: { message_id: string; decision: Decision }
  /** The session ended. `reason`: `REASON_USER_END`, `REASON_NATURAL_END` or `REASON_USER_ABANDONED` (inactivity). */
  end: { reason: string }
  /**
   * A problem that a developer or an operator has to fix. Never contains a secret. `code`: `refused`, `protocol`, and of a chat on a page also
   * `unreachable`, where the panel did not load.
   */
  error: { code: string; message: string }
}

/** One line of the wire log, for developer tools. Never contains addresses or tokens. */
export type WireNote = {
  readonly direction: 'in' | 'out' | 'note'
  readonly at: number
  readonly text: string
}

/**
 * A chat without a user interface. Its state is signals, which only the chat changes. What a method has to do shows in the signals, never as
 * a rejection.
 */
export type Chat = {
  readonly status: ReadonlySignal<ChatStatus>
  /** Undefined before there is a session. */
  readonly sessionId: ReadonlySignal<string | undefined>
  /** The messages that the service has confirmed, notices and dividers, oldest first. */
  readonly transcript: ReadonlySignal<readonly Entry[]>
  /** Whether the service is sending what a new connection missed: it begins when the socket opens, and ends before `status` is `live`. */
  readonly replaying: ReadonlySignal<boolean>
  /** The messages of the visitor that the service has not confirmed, oldest first. */
  readonly outbox: ReadonlySignal<readonly OutboxItem[]>
  readonly agent: ReadonlySignal<AgentInfo>
  /** Who is typing or thinking, if anybody. */
  readonly typing: ReadonlySignal<{ role: 'agent' | 'live'; name?: string | undefined } | undefined>
  /** The suggestions of the last message; empty once the visitor has sent anything. */
  readonly suggestions: ReadonlySignal<readonly Suggestion[]>
  /** Undefined: no question is open. */
  readonly question: ReadonlySignal<OpenQuestion | undefined>
  readonly handoff: ReadonlySignal<Handoff>
  /** BCP 47, as the service last sent it; undefined if it never did. */
  readonly language: ReadonlySignal<string | undefined>
  readonly notice: ReadonlySignal<Notice | undefined>
  /** The number of messages that arrived while the panel was not shown. */
  readonly unread: ReadonlySignal<number>
  /** What the service can do, as it says at the start of a session. Undefined before. */
  readonly capabilities: ReadonlySignal<Capabilities | undefined>
  /** Whether an answer is running that `stop` can stop, and is not asked to already. */
  readonly stoppable: ReadonlySignal<boolean>
  /** Whether the visitor waits in a queue that `leaveQueue` can leave, and has not asked to already. */
  readonly leavable: ReadonlySignal<boolean>
  readonly csat: ReadonlySignal<Csat>

  /** Whether a conversation is there to carry on: one of this page, or of an earlier page on the same day. */
  carriesOn(): boolean
  /** Opens the chat, which makes the first contact. Where the chat waits for the visitor, a further call tries again. */
  open(): void
  /**
   * Sends a text, without the whitespace around it. Returns the id under which the outbox, and later the
   * transcript, shows it; undefined where the text is not taken (see `refusal`): nothing of it is kept then. Nor is it where `mayBegin`
   * refuses, which has got the text; the id then shows nowhere.
   */
  send(text: string): string | undefined
  /** Why `send` would refuse a text; undefined if it would accept it. */
  refusal(text: string): Refusal | undefined
  /** Call when the visitor types. Tells the agent (at most every 3 s), and replaces an expired session. */
  typed(): void
  /** Sends a `failed`, `unconfirmed` or undelivered message again. For one that waits it is an act of the visitor: the chat tries to connect. */
  retry(id: string): void
  /** Removes a message from the outbox. Does nothing while it is `sent`, on its way to the service. */
  discard(id: string): void
  /** Stops the answer that is running; what it said stays. Does nothing where `stoppable` is false. */
  stop(): void
  /** Goes back to the agent instead of waiting for a person. Does nothing where `leavable` is false. */
  leaveQueue(): void
  /**
   * Decides the open question, by its entry's key. The first press counts: it is kept until the service has stored a decision. Does
   * nothing where the question is not open (`question`).
   */
  decide(key: string, decision: Decision): void
  /**
   * Rates an answer, by its entry's key; the latest rating counts. Does nothing where the service takes none
   * (`capabilities.feedback`). A comment has at most 2,000 characters; a longer one is cut.
   */
  feedback(key: string, rating: FeedbackRating, comment?: string): void
  /**
   * Rates the chat, with a whole number from 0 to 10; any other is ignored. Works after the end too. Where the service takes no rating
   * (`capabilities.csat`) it stays an event of the page. A comment has at most 2,000 characters; a longer one is cut.
   */
  rate(score: number, comment?: string): void
  /** "Keep chatting": restarts the idle time. */
  keepAlive(): void
  /** Ends the session. The transcript stays. */
  end(): void
  /** Ends the session and starts a new one below a divider. */
  restart(): void
  /** Call when the network may have changed: on focus, `pageshow` or after sleep. Probes the connection. */
  wake(): void
  /** Call when the page is left or frozen: closes the socket until `wake` or an act of the visitor. */
  suspend(): void
  /** The network status that the browser reports. Offline stops all attempts until the visitor acts, since the browser may be wrong. */
  setOnline(online: boolean): void
  /** Whether the page is visible: decides how often the connection is probed. */
  setVisible(visible: boolean): void
  /** Whether the panel is shown: decides which messages count as unread. */
  setShown(shown: boolean): void
  /** Closes the socket and reconnects to the same session; for developer tools. */
  reconnect(): void
  /**
   * Ends the session and forgets it: transcript, outbox, token, sealed text and the BFF's cookie. Resolves once the
   * BFF has answered, or cannot be reached.
   */
  logout(): Promise<void>
  /** Calls back on each event of the type; returns the undo. An error of the listener is reported to the console. */
  on<T extends keyof ChatEvents>(type: T, listener: (detail: ChatEvents[T]) => void): () => void
  /** Closes the socket and stops every timer. Session and outbox stay stored for the next page. */
  dispose(): void
}

/** The clock of the engine, in milliseconds: `now` is monotonic, `wall` counts from 1970. */
export interface Clock {
  now(): number
  wall(): number
  /** Calls back once after `ms`; returns the undo. */
  after(ms: number, fn: () => void): () => void
  /**
   * Calls back once before the next frame is drawn, or after 100 ms, later in a page whose timers the browser slows down;
   * returns the undo. Undefined where nothing is drawn.
   */
  frame?: (fn: () => void) => () => void
}

/** The members of BroadcastChannel that the engine uses. */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  close(): void
}

/** The members of Web Locks that the engine uses. */
export interface Locks {
  request(
    name: string,
    options: { signal: AbortSignal },
    held: () => Promise<void> | undefined,
  ): Promise<unknown>
}

/** How the tabs of a browser reach each other. Without locks, which insecure pages do not have, two tabs may each begin a conversation. */
export interface ShareTabs {
  channel(name: string): Channel
  readonly locks: Locks | undefined
}

/** A small store of strings that may fail silently (private windows, full disks). */
export interface KeyValue {
  get(key: string): string | undefined
  set(key: string, value: string): void
  remove(key: string): void
}

/** An act that begins a chat: `restart` always, the others where none is open and none is there to carry on. */
export type BeginningAct =
  | { readonly type: 'restart' | 'typed' }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'retry'; readonly id: string }

/** The options of `createChat`. */
export type ChatOptions = {
  /** Where the BFF gives out tokens: `https://host/foyer/access-token`. */
  tokenUrl: string
  /** What the chat runs on, as the service stores it. Default `web`. */
  platform?: Platform
  /** Whether answers come in chunks. Default true. */
  streaming?: boolean
  /** The language that the visitor reads as a conversation begins, a BCP 47 tag. Default: the browser's. */
  language?: () => string | undefined
  /**
   * The page on which a conversation begins, for the service to store with it. Sent are its address (http or https, at most 2 KB) without
   * credentials, query and fragment, and its title (at most 200 characters). A new conversation waits for it, at most a second. Default: no page.
   */
  page?: () =>
    | { url: string; title: string }
    | undefined
    | Promise<{ url: string; title: string } | undefined>
  /**
   * Joins chunks with one space where neither has whitespace. Default: with nothing. A promise if the BFF decides it: chunks
   * that arrive before it resolves are joined with nothing.
   */
  chunkJoin?: 'space' | Promise<'space' | undefined>
  /** The time and the timers, for tests. Default: those of the page. */
  clock?: Clock
  /** A number from 0 up to 1, for jitter. Default: `Math.random`. */
  random?: () => number
  /** A new UUID. Default: of WebCrypto. */
  uuid?: () => string
  /** Sends requests to the BFF and the service. Default: the global fetch. */
  fetch?: typeof fetch
  /** The constructor of sockets. Default: the global WebSocket. */
  WebSocket?: unknown
  /** Stores the session, which all tabs of the browser share. Default: memory. */
  sessionStore?: KeyValue
  /**
   * Keeps the BFF's sealed text in `sessionStore` where the browser returns no cookie. Only for a frame of the BFF's
   * own origin. Default false.
   */
  keepSealed?: boolean
  /** Keeps the chats of all tabs of a browser in one conversation: `shareTabs()`. Default: this chat is alone. */
  tabs?: ShareTabs
  /** Stores the outbox of this tab. Default: memory. */
  outboxStore?: KeyValue
  /**
   * Asked about each message before it is sent, and again after a reload if it had not answered: false removes the message. It
   * waits in the outbox meanwhile, as do those behind it. Default: every message is sent.
   */
  beforeSend?: (message: { id: string; text: string }) => Promise<boolean>
  /**
   * Asked before an act other than `open` begins a new chat, where steps may come first. False: the act does nothing now, and whoever
   * answered keeps it. Default: every new chat begins at once.
   */
  mayBegin?: (act: BeginningAct) => boolean
  /** Called with every frame and every change of the connection; for developer tools. */
  onWire?: (note: WireNote) => void
  /** Called when the visitor signed out, here or in another tab: what waits elsewhere belongs to that person. */
  onSignedOut?: () => void
}
