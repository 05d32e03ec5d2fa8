// All that the engine knows, as one value. Only `reduce` makes a new one (law L1).

import type { Signal } from '@preact/signals-core'
import type { Capabilities, Suggestion } from '../protocol/index.ts'
import { type Log, NEW_LOG } from './log.ts'
import type { AgentInfo, Content, DividerEntry, Handoff, MessageEntry, NoticeEntry } from './model.ts'
import type { OutboxRecord } from './outbox.ts'
import type { Session } from './session.ts'
import type { Stream } from './streams.ts'

/** A message as the engine keeps it: the same entry, its content writable, and where it stands. */
export type KeptMessage = Omit<MessageEntry, 'content'> & {
  readonly content: Signal<Content>
  readonly place: number
}
export type KeptEntry =
  | KeptMessage
  | (NoticeEntry & { readonly place: number })
  | (DividerEntry & { readonly place: number })

/** The heartbeat: what was asked, and since when. */
export type Probe = {
  /** A heartbeat is to be sent now; its echo is waited for this long (ms). */
  readonly wanted: number | undefined
  readonly asked: { readonly id: string; readonly at: number; readonly deadline: number } | undefined
  /** When the service last proved that it hears us: an echo, or the end of a replay. */
  readonly last: number
}

/** The replay of a socket that opened: its end is the echo of a heartbeat, once a batch arrived (law L9). */
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
  /** Whether this page was ever connected (an interruption is told from a first connection). */
  readonly everLive: boolean
  /** When the connection was lost, while it is being found again. */
  readonly lostAt: number | undefined
  /** It has been lost for long enough to say so. */
  readonly lostLong: boolean
  readonly visible: boolean
  readonly shown: boolean

  readonly transcript: readonly KeptEntry[]
  /** Answers that may go on, by key. Grows in place: it is asked for each chunk (law L6). */
  readonly streams: Map<string, Stream>
  /** Answers that are complete from piece 1 on: a piece 0 may still come. Grows in place. */
  readonly headless: Set<string>
  /** The answer that pieces without a message id belong to. */
  readonly unnamed: string | undefined
  /** Messages by key. Grows in place: it is asked for each chunk (law L6). */
  readonly messages: Map<string, KeptMessage>
  readonly outbox: readonly OutboxRecord[]
  readonly chunkJoin: 'space' | undefined
  readonly log: Log

  readonly agent: AgentInfo
  /** The agent that is no person: it answers again when one has left. */
  readonly assistant: AgentInfo
  readonly typing: { readonly role: 'agent' | 'live'; readonly name?: string | undefined } | undefined
  readonly typingSince: number
  readonly suggestions: readonly Suggestion[]
  readonly handoff: Handoff
  readonly language: string | undefined
  readonly capabilities: Capabilities | undefined
  readonly unread: number

  /** When the visitor, the agent or a handoff last did something, by the monotonic clock. */
  readonly activeAt: number
  /** Time since then that the monotonic clock did not count, because the machine slept. */
  readonly slept: number
  /** The service (or the clock) said that the session ends soon: when. */
  readonly endsAt: { readonly at: number; readonly wall: number } | undefined

  /** The socket's replay, while it is under way. */
  readonly replay: Replay | undefined
  /** Sockets in a row whose replay did not come to its end. */
  readonly stalls: number
  /** The request that the agent join: whether it is made on this socket, how often in this session, and not before when. */
  readonly join: {
    readonly asked: boolean
    readonly times: number
    readonly at: number
    readonly notBefore: number
  }
  /** A session that the visitor ended while nobody could be told. */
  readonly owed: string | undefined
  readonly ending: { readonly sent: boolean; readonly at: number } | undefined
  /** When sessions were made that nobody asked for, and when connections were made anew to fill a hole. */
  readonly renewals: readonly number[]
  readonly mends: readonly number[]
  readonly probe: Probe
  /** The visitor's own typing: what the service was last told and when, and when a key was last pressed. */
  readonly own: {
    readonly told: 'STARTED' | 'STOPPED'
    readonly toldAt: number
    readonly keyAt: number
    readonly want: 'STARTED' | 'STOPPED' | undefined
  }
}

export const NO_JOIN: State['join'] = { asked: false, times: 0, at: 0, notBefore: 0 }

export function initialState(
  now: number,
  sessionId: string | undefined,
  outbox: readonly OutboxRecord[],
  chunkJoin?: 'space',
): State {
  return {
    session: { name: 'idle', sessionId },
    sessionId,
    everLive: false,
    lostAt: undefined,
    lostLong: false,
    visible: true,
    shown: false,
    transcript: [],
    streams: new Map(),
    headless: new Set(),
    messages: new Map(),
    unnamed: undefined,
    outbox,
    chunkJoin,
    log: NEW_LOG(),
    agent: { live: false },
    assistant: { live: false },
    typing: undefined,
    typingSince: 0,
    suggestions: [],
    handoff: { state: 'none' },
    language: undefined,
    capabilities: undefined,
    unread: 0,
    activeAt: now,
    slept: 0,
    endsAt: undefined,
    replay: undefined,
    stalls: 0,
    join: NO_JOIN,
    owed: undefined,
    ending: undefined,
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
