// Defines the engine's state: one value, which only `reduce` replaces (law L1).

import type { Capabilities, Decision, FeedbackRating, Suggestion } from '../../protocol/index.ts'
import type {
  AgentInfo,
  Content,
  Csat,
  DividerEntry,
  Handoff,
  MessageEntry,
  NoticeEntry,
  OutboxItem,
  ReadonlySignal,
} from './model.ts'
import type { Session } from './session.ts'

/** A message as the engine keeps it: the public entry with writable content, and its place. */
export type MessageRecord = Omit<MessageEntry, 'content'> & {
  readonly content: ReadonlySignal<Content> & { value: Content }
  readonly place: number
}
/** A conversation that was left: if the chat returns to its session, it goes on from there. `divider`: the key of the entry below it. */
type Left = { readonly divider: string; readonly conversation: Conversation }
export type EntryRecord =
  | MessageRecord
  | (NoticeEntry & { readonly place: number })
  | (DividerEntry & { readonly place: number })

/** How far the events of a session were read, by their sequences, and which are missing (a gap). */
export type Log = {
  /** The highest sequence read. */
  readonly cursor: number
  /** The highest sequence of an event of a known type. */
  readonly readable: number
  /** Ids of all events seen. Grows in place, since every frame looks it up (law L6). */
  readonly seen: Set<string>
  /** The agent joined in this session. */
  readonly joined: boolean
  /** A gap in live sequences: all events up to `after` were read, and beyond it those with the sequences in `seen`. */
  readonly gap: { readonly after: number; readonly since: number; readonly seen: Set<number> } | undefined
  /** A complete answer lacks a chunk. The answer began after `after`. */
  readonly missingChunk: { readonly key: string; readonly after: number; readonly since: number } | undefined
  /** The sequence before the first unreadable event since the last replay; the next replay reads it again. */
  readonly skipped: number | undefined
  /** On this socket: the highest sequence of the replay so far; undefined once it is over. */
  readonly replayed: number | undefined
  /** Live events that came during the replay: a gap between them is looked for after it. */
  readonly meanwhile: readonly { readonly sequence: number; readonly at: number }[]
}

/** An answer that may continue. Changed in place; the message's own signal holds the shown part. */
export type Stream = {
  readonly key: string
  /** The sequence before its first chunk: a replay from there contains the whole answer. */
  after: number
  /** When its first chunk came. */
  readonly at: number
  readonly texts: Map<number, string>
  /** The index of the chunk to show next. */
  next: number
  /** The index of the last chunk, once that came. */
  last: number | undefined
  /** All chunks are shown although some are missing; late ones are inserted at their place. */
  partial: boolean
  suggestions: readonly Suggestion[]
}

export type OutboxRecord = OutboxItem & {
  /** The session it was written for; undefined: the next one. */
  readonly session: string | undefined
  /** How often it was sent in that session. */
  readonly tries: number
  /** The highest sequence known when it was sent: its echo has a higher one. */
  readonly after: number
  /** When its echo is overdue, by the monotonic clock. */
  readonly echoBy: number
  /** The site is being asked about it. */
  readonly asked?: boolean
  /** It was loaded, and this page may be a copy of another one that lives and sends it: nothing is sent meanwhile. */
  readonly unclaimed?: boolean | undefined
}

/** A rating that the service has not echoed. */
export type Pending = { readonly id: string; readonly sent: boolean }
type PendingCsat = Pending & { readonly score: number; readonly comment: string | undefined }
type PendingDecision = Pending & { readonly confirmId: string; readonly decision: Decision }
type PendingFeedback = Pending & {
  readonly messageId: string
  readonly rating: FeedbackRating
  readonly comment: string | undefined
}

export type Requests = {
  /** The answer to stop; without an id: the running one. */
  readonly stop: { readonly messageId: string | undefined; readonly sent: boolean } | undefined
  readonly leave: { readonly sent: boolean } | undefined
  readonly decision: PendingDecision | undefined
  readonly csat: PendingCsat | undefined
  readonly feedback: readonly PendingFeedback[]
}

/** The heartbeat that is sent to probe the connection. */
type Probe = {
  /** Set: send a heartbeat now, and wait this many milliseconds for its echo. */
  readonly wanted: number | undefined
  /** `soon`: somebody came back to the page and waits for it. */
  readonly asked:
    | { readonly id: string; readonly at: number; readonly deadline: number; readonly soon?: boolean }
    | undefined
  /** When the service last proved that it receives our frames: by an echo, or the end of a replay. */
  readonly last: number
}

/** The replay after a socket opened. It ends with the echo of a heartbeat, after at least one batch (law L9). */
type Replay = {
  readonly asked: { readonly id: string; readonly answered: boolean } | undefined
  /** A batch arrived that proves something. */
  readonly batch: boolean
  /** When the last frame arrived, or the socket opened. */
  readonly frameAt: number
}

/**
 * An end that the service may not know. `now`: it is sent over the chat's socket before that closes. `later`: it is sent over
 * a socket of its own, for which the BFF may be asked for the session's token if `asks`.
 */
export type PendingEnd = {
  readonly session: string
  readonly now: boolean
  readonly later: boolean
  readonly asks: boolean
}

/** The session in which this browser's tabs go on and, if a tab announced it, why that tab has left the session `from`. */
export type Named = {
  readonly session: string
  readonly why?: DividerEntry['reason'] | undefined
  readonly from?: string | undefined
}

/** What is known of the other tabs of this browser, each with a socket of its own (law L10). Times are by the monotonic clock. */
export type OtherTabs = {
  /** False where this tab cannot reach others: then it behaves as if it were alone. */
  readonly shared: boolean
  /** The page is left or frozen: it has no channel and no locks. */
  readonly away: boolean
  /** The visitor has seen or used the chat in this page. */
  readonly seen: boolean
  /** How far the visitor has read in this tab, as it last told the other tabs and the next page, and when. */
  readonly told: { readonly sequence: number; readonly at: number }
  /** The highest sequence that was read in another tab, or on an earlier page: what is not above it is not unread. 0: nobody knows. */
  readonly readTo: number
}

/** All that belongs to one session. The chat leaves it, and returns to it, as one value. */
export type Conversation = {
  readonly log: Log
  /** Answers that may continue, by key. Grows in place, since every chunk looks it up (law L6). */
  readonly streams: Map<string, Stream>
  /** Answers complete from chunk 1 on, which a chunk 0 may still precede. Grows in place. */
  readonly withoutFirst: Set<string>
  /** The answer that chunks without a message id belong to. */
  readonly unnamed: string | undefined
  readonly agent: AgentInfo
  readonly suggestions: readonly Suggestion[]
  /** The key of the question that is open. */
  readonly question: string | undefined
  /** The decisions of this session, by question. One may arrive before its question. Grows in place. */
  readonly decided: Map<string, Decision>
  readonly handoff: Handoff
  readonly csat: Csat
  readonly requests: Requests
  /** True: SESSION_START says that clients may ask the service for the state of a session. Undefined: no SESSION_START was read. */
  readonly hasStatus: boolean | undefined
  /** Sockets in a row whose replay did not end. */
  readonly stalls: number
  /** The request that the agent join: whether it is made on this socket, how often, and not before when. */
  readonly join: {
    readonly asked: boolean
    readonly times: number
    readonly at: number
    readonly notBefore: number
  }
  readonly endRequest: { readonly sent: boolean; readonly at: number } | undefined
}

export type State = {
  readonly session: Session
  /** The session that the tabs of this browser go on in, as far as this one knows. */
  readonly named: Named | undefined
  /** Sessions that this tab has left, which a store may still name. */
  readonly past: ReadonlySet<string>
  /** The marks of all sign-outs known here: a store that took no later one gives an old one back. */
  readonly signOuts: ReadonlySet<string>
  /** Since when this page belongs to its visitor: since it began, or since the last sign-out. An earlier sign-out was another person's. */
  readonly visitorSince: number
  readonly tabs: OtherTabs
  /** The session whose events the log holds; undefined before the first. */
  readonly sessionId: string | undefined
  /** Whether an earlier page stored that session on another day: its loss is not shown. */
  readonly old: boolean
  /** Whether this page was ever connected: distinguishes an interruption from the first connection. */
  readonly everLive: boolean
  /** When the connection was lost, while the chat reconnects. */
  readonly lostAt: number | undefined
  /** Since when the chat tries to connect, over all attempts; undefined while it does not. */
  readonly triedAt: number | undefined
  /** The connection has been lost, or a first one been tried, for long enough to show a notice. It stays until one is there. */
  readonly lostLong: boolean
  readonly visible: boolean
  readonly shown: boolean
  /** What the browser says of its network, which may be wrong. */
  readonly online: boolean

  readonly transcript: readonly EntryRecord[]
  /** The sessions that were left last, by their ids. */
  readonly left: ReadonlyMap<string, Left>
  /** Messages by key. Grows in place, since every chunk looks it up (law L6). */
  readonly messages: Map<string, MessageRecord>
  readonly outbox: readonly OutboxRecord[]
  readonly chunkJoin: 'space' | undefined
  readonly conversation: Conversation

  /** The agent (not a live agent), which answers again after a live agent has left. */
  readonly assistant: AgentInfo
  readonly typing: { readonly role: 'agent' | 'live'; readonly name?: string | undefined } | undefined
  readonly typingSince: number
  readonly language: string | undefined
  readonly capabilities: Capabilities | undefined
  readonly unread: number
  /** The messages counted since the panel was last shown: further chunks of them do not count. */
  readonly counted: ReadonlySet<string>

  /** Time of the last activity of visitor, agent or handoff, by the monotonic clock. */
  readonly activeAt: number
  /** Sleep of the machine since then, which the monotonic clock did not count. */
  readonly slept: number
  /** When the session was last proved alive: by a socket that opened, or by the probe before the last one. Sleep counts. */
  readonly aliveAt: number
  /** When the session will expire, once the service (or the clock) has warned. */
  readonly endsAt: { readonly at: number; readonly wall: number } | undefined

  /** When a replay last showed that the session goes on; once the idle time is over, when the first one since then did. */
  readonly confirmedAt: number

  /** The replay in progress. */
  readonly replay: Replay | undefined
  /**
   * Heartbeats in a row that were not echoed though the history came. After two of them (`echoesNothing`) the service counts as one that
   * echoes none: its connections are live without that proof.
   */
  readonly unechoed: number
  /** The message that was sent before a connection without proof: it is never sent again by itself. */
  readonly unproven: string | undefined
  /** The end of a session that the service still has to learn of. */
  readonly pendingEnd: PendingEnd | undefined
  /** When sessions were created without an act of the visitor, and when sockets were replaced to close a gap. */
  readonly renewals: readonly number[]
  readonly gapReconnects: readonly number[]
  readonly probe: Probe
  /** The visitor's typing: the last state sent and its time, and the time of the last key. */
  readonly typed: {
    readonly sent: 'STARTED' | 'STOPPED'
    readonly sentAt: number
    readonly keyAt: number
    readonly want: 'STARTED' | 'STOPPED' | undefined
    /** The time before which `want` is not sent; 0: it is sent at once. */
    readonly notBefore: number
  }
}

/** Before all times. */
const NEVER = Number.NEGATIVE_INFINITY

/** A conversation as its session begins, with the agent that is known. */
export const newConversation = (agent: AgentInfo): Conversation => ({
  log: {
    cursor: 0,
    readable: 0,
    seen: new Set(),
    joined: false,
    gap: undefined,
    missingChunk: undefined,
    skipped: undefined,
    replayed: undefined,
    meanwhile: [],
  },
  streams: new Map(),
  withoutFirst: new Set(),
  unnamed: undefined,
  agent,
  suggestions: [],
  question: undefined,
  decided: new Map(),
  handoff: { state: 'none' },
  csat: { state: 'none' },
  requests: { stop: undefined, leave: undefined, decision: undefined, csat: undefined, feedback: [] },
  hasStatus: undefined,
  stalls: 0,
  join: { asked: false, times: 0, at: 0, notBefore: 0 },
  endRequest: undefined,
})

/** The state with these changes of its conversation. */
export const inConversation = (state: State, changes: Partial<Conversation>): State => ({
  ...state,
  conversation: { ...state.conversation, ...changes },
})

/** What an earlier page has stored, and how this one lives. */
type Start = {
  readonly sessionId?: string | undefined
  readonly outbox?: readonly OutboxRecord[]
  readonly chunkJoin?: 'space' | undefined
  /** The stored session is of another day. */
  readonly old?: boolean
  /** The mark of the last sign-out. */
  readonly signOut?: string | undefined
  /** Whether this tab can reach other tabs. */
  readonly shared?: boolean
  /** How far the visitor has read in the stored session. */
  readonly readTo?: number
}

export function initialState(now: number, start: Start = {}): State {
  const { sessionId, outbox = [], chunkJoin, old = false, signOut, shared = false, readTo = 0 } = start
  return {
    session: { name: 'idle', sessionId },
    named: sessionId === undefined ? undefined : { session: sessionId },
    past: new Set(),
    signOuts: new Set(signOut === undefined ? [] : [signOut]),
    visitorSince: now,
    tabs: {
      shared,
      away: false,
      seen: false,
      told: { sequence: 0, at: NEVER },
      readTo,
    },
    sessionId,
    old,
    everLive: false,
    lostAt: undefined,
    triedAt: undefined,
    lostLong: false,
    visible: true,
    shown: false,
    online: true,
    transcript: [],
    left: new Map(),
    messages: new Map(),
    outbox,
    chunkJoin,
    conversation: newConversation({ live: false }),
    assistant: { live: false },
    typing: undefined,
    typingSince: 0,
    language: undefined,
    capabilities: undefined,
    unread: 0,
    counted: new Set(),
    activeAt: now,
    slept: 0,
    aliveAt: now,
    endsAt: undefined,
    confirmedAt: now,
    replay: undefined,
    unechoed: 0,
    unproven: undefined,
    pendingEnd: undefined,
    renewals: [],
    gapReconnects: [],
    probe: { wanted: undefined, asked: undefined, last: now },
    typed: {
      sent: 'STOPPED',
      sentAt: NEVER,
      keyAt: NEVER,
      want: undefined,
      notBefore: 0,
    },
  }
}

/** The answer that is coming in, by its key; undefined: none. */
export function streamingKey({ conversation: { streams }, messages }: State): string | undefined {
  for (const key of streams.keys()) if (messages.get(key)?.content.peek().complete === false) return key
  return undefined
}
