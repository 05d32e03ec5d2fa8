// Defines the engine's state: one value, which only `reduce` replaces (law L1).

import type { Capabilities, Suggestion } from '../../protocol/index.ts'
import type { OutboxRecord } from '../outbox/items.ts'
import { NO_REQUESTS, type Requests } from '../outbox/requests.ts'
import type { Session } from '../session/table.ts'
import { type Log, NEW_LOG } from '../transcript/log.ts'
import type { Stream } from '../transcript/streams.ts'
import type {
  AgentInfo,
  Content,
  Csat,
  DividerEntry,
  Handoff,
  MessageEntry,
  NoticeEntry,
  ReadonlySignal,
} from './model.ts'

/** A message as the engine keeps it: the public entry with writable content, and its place. */
export type KeptMessage = Omit<MessageEntry, 'content'> & {
  readonly content: ReadonlySignal<Content> & { value: Content }
  readonly place: number
}
/**
 * What was read of a session that was left: if the chat returns to it, it goes on from there. `divider`: the key of the entry
 * below it; `reason`: why it was left, said here too since that entry may be missing; undefined: this tab cannot tell.
 */
export type Left = { readonly divider: string; readonly reason: DividerEntry['reason'] | undefined } & Pick<
  State,
  'log' | 'streams' | 'headless' | 'unnamed' | 'agent' | 'csat'
>
export type KeptEntry =
  | KeptMessage
  | (NoticeEntry & { readonly place: number })
  | (DividerEntry & { readonly place: number })

/** The heartbeat that is sent to probe the connection. */
export type Probe = {
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
export type Replay = {
  readonly asked: { readonly id: string; readonly answered: boolean } | undefined
  /** A batch arrived that proves something. */
  readonly batch: boolean
  /** When the last frame arrived, or the socket opened. */
  readonly heardAt: number
}

export type State = {
  readonly session: Session
  /** The session whose events the log holds; undefined before the first. */
  readonly sessionId: string | undefined
  /** Whether that is of an earlier page on another day: nobody is told that it is lost. */
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

  readonly transcript: readonly KeptEntry[]
  /** The sessions that were left last, by their ids. */
  readonly left: ReadonlyMap<string, Left>
  /** Answers that may continue, by key. Grows in place, since every chunk looks it up (law L6). */
  readonly streams: Map<string, Stream>
  /** Answers complete from chunk 1 on, which a chunk 0 may still precede. Grows in place. */
  readonly headless: Set<string>
  /** The answer that chunks without a message id belong to. */
  readonly unnamed: string | undefined
  /** Messages by key. Grows in place, since every chunk looks it up (law L6). */
  readonly messages: Map<string, KeptMessage>
  readonly outbox: readonly OutboxRecord[]
  readonly chunkJoin: 'space' | undefined
  readonly log: Log

  readonly agent: AgentInfo
  /** The agent (not a live agent), which answers again after a live agent has left. */
  readonly assistant: AgentInfo
  readonly typing: { readonly role: 'agent' | 'live'; readonly name?: string | undefined } | undefined
  readonly typingSince: number
  readonly suggestions: readonly Suggestion[]
  readonly handoff: Handoff
  readonly language: string | undefined
  readonly capabilities: Capabilities | undefined
  readonly unread: number
  /** The messages that were counted since the panel was last shown: more words of them do not count. */
  readonly counted: ReadonlySet<string>
  readonly csat: Csat
  readonly requests: Requests

  /** Time of the last activity of visitor, agent or handoff, by the monotonic clock. */
  readonly activeAt: number
  /** Sleep of the machine since then, which the monotonic clock did not count. */
  readonly slept: number
  /** When the session certainly went on: a socket opened, or a probe was answered before another one. Sleep counts. */
  readonly soundAt: number
  /** Another tab owns the socket: it decides when the session has expired. */
  readonly guest: boolean
  /** When the session will expire, once the service (or the clock) has warned. */
  readonly endsAt: { readonly at: number; readonly wall: number } | undefined

  /** When a replay last showed that the session goes on; once the idle time is over, when the first one since then did. */
  readonly askedAt: number

  /** The replay in progress. */
  readonly replay: Replay | undefined
  /** Sockets in a row whose replay did not end. */
  readonly stalls: number
  /**
   * Heartbeats in a row that were not echoed though the history came. After two of them (`isSilent`) the service counts as one that
   * echoes none: its connections are live without that proof.
   */
  readonly silent: number
  /** The message that was sent before a connection without proof: it is never sent again by itself. */
  readonly doubted: string | undefined
  /** The request that the agent join: whether it is made on this socket, how often in this session, and not before when. */
  readonly join: {
    readonly asked: boolean
    readonly times: number
    readonly at: number
    readonly notBefore: number
  }
  /** A session that the visitor ended while no socket was open. */
  readonly owed: string | undefined
  readonly ending: { readonly sent: boolean; readonly at: number } | undefined
  /** When sessions were created without an act of the visitor, and when sockets were replaced to fill a hole. */
  readonly renewals: readonly number[]
  readonly mends: readonly number[]
  readonly probe: Probe
  /** The visitor's typing: the last state sent and its time, and the time of the last key. */
  readonly own: {
    readonly told: 'STARTED' | 'STOPPED'
    readonly toldAt: number
    readonly keyAt: number
    readonly want: 'STARTED' | 'STOPPED' | undefined
  }
}

const NO_CSAT: Csat = { state: 'none' }
const NO_JOIN: State['join'] = { asked: false, times: 0, at: 0, notBefore: 0 }

/** The fields of the state that belong to one session, as they are when the session begins. */
export const blank = () => ({
  streams: new Map<string, Stream>(),
  headless: new Set<string>(),
  unnamed: undefined,
  log: NEW_LOG(),
  typing: undefined,
  suggestions: [],
  handoff: { state: 'none' } as const,
  csat: NO_CSAT,
  requests: NO_REQUESTS,
  stalls: 0,
  join: NO_JOIN,
  ending: undefined,
  endsAt: undefined,
})

export function initialState(
  now: number,
  sessionId: string | undefined,
  outbox: readonly OutboxRecord[],
  chunkJoin?: 'space',
  old = false,
): State {
  return {
    ...blank(),
    session: { name: 'idle', sessionId },
    sessionId,
    old,
    everLive: false,
    lostAt: undefined,
    triedAt: undefined,
    lostLong: false,
    visible: true,
    shown: false,
    transcript: [],
    left: new Map(),
    messages: new Map(),
    outbox,
    chunkJoin,
    agent: { live: false },
    assistant: { live: false },
    typingSince: 0,
    language: undefined,
    capabilities: undefined,
    unread: 0,
    counted: new Set(),
    activeAt: now,
    slept: 0,
    soundAt: now,
    guest: false,
    askedAt: now,
    replay: undefined,
    silent: 0,
    doubted: undefined,
    owed: undefined,
    renewals: [],
    mends: [],
    probe: { wanted: undefined, asked: undefined, last: now },
    own: {
      told: 'STOPPED',
      toldAt: Number.NEGATIVE_INFINITY,
      keyAt: Number.NEGATIVE_INFINITY,
      want: undefined,
    },
  }
}
