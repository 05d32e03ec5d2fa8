// All that the engine knows, as one value. Only `reduce` makes a new one (law L1).

import type { Signal } from '@preact/signals-core'
import type { Capabilities, Suggestion } from '../protocol/index.ts'
import type { AgentInfo, Content, DividerEntry, Handoff, MessageEntry, NoticeEntry } from './model.ts'
import type { OutboxRecord } from './outbox.ts'
import type { Session } from './session.ts'

/** A message as the engine keeps it: the same entry, its content writable, and where it stands. */
export type KeptMessage = Omit<MessageEntry, 'content'> & {
  readonly content: Signal<Content>
  readonly place: number
}
export type KeptEntry =
  | KeptMessage
  | (NoticeEntry & { readonly place: number })
  | (DividerEntry & { readonly place: number })

/** An answer that is still coming: which chunk is next, and those that came too early. */
export type Stream = { readonly id: string; next: number; readonly early: Map<number, string> }

/** What is known of the session's own sequence of events. Made anew with each session. */
export type Log = {
  /** The highest sequence seen. */
  readonly cursor: number
  /** Ids of all events seen; grows in place, since it is asked for each frame (law L6). */
  readonly seen: Set<string>
  /** The agent joined in this session. */
  readonly joined: boolean
  /** A hole in live sequences: everything up to `after` is there. `asked`: the one replay was already tried. */
  readonly gap: { readonly after: number; readonly since: number } | undefined
  readonly gapAsked: number
}

/** The heartbeat: what was asked, and since when. */
export type Probe = {
  /** A heartbeat is to be sent now; its echo is waited for this long (ms). */
  readonly wanted: number | undefined
  readonly asked: { readonly id: string; readonly at: number; readonly deadline: number } | undefined
  /** When the last one was answered, or the connection opened. */
  readonly last: number
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
  readonly online: boolean
  readonly visible: boolean
  readonly shown: boolean

  readonly transcript: readonly KeptEntry[]
  readonly streams: ReadonlyMap<string, Stream>
  /** Messages by key. Grows in place: it is asked for each chunk (law L6). */
  readonly messages: Map<string, KeptMessage>
  readonly outbox: readonly OutboxRecord[]
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
  /** The service (or the clock) said that the session ends soon: when. */
  readonly endsAt: { readonly at: number; readonly wall: number } | undefined

  /** On this socket: the join was asked, the barrier's echo is waited for, the end was asked. */
  readonly joinAsked: boolean
  readonly barrier:
    | { readonly id: string; readonly at: number; readonly quietSince: number; readonly slow: boolean }
    | undefined
  readonly ending: { readonly sent: boolean; readonly at: number } | undefined
  readonly probe: Probe
  /** The visitor's own typing: what the service was last told and when, and when a key was last pressed. */
  readonly own: {
    readonly told: 'STARTED' | 'STOPPED'
    readonly toldAt: number
    readonly keyAt: number
    readonly want: 'STARTED' | 'STOPPED' | undefined
  }
}

export const NEW_LOG = (): Log => ({ cursor: 0, seen: new Set(), joined: false, gap: undefined, gapAsked: 0 })

export function initialState(
  now: number,
  sessionId: string | undefined,
  outbox: readonly OutboxRecord[],
): State {
  return {
    session: { name: 'idle', sessionId },
    sessionId,
    everLive: false,
    lostAt: undefined,
    lostLong: false,
    online: true,
    visible: true,
    shown: false,
    transcript: [],
    streams: new Map(),
    messages: new Map(),
    outbox,
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
    endsAt: undefined,
    joinAsked: false,
    barrier: undefined,
    ending: undefined,
    probe: { wanted: undefined, asked: undefined, last: now },
    own: {
      told: 'STOPPED',
      toldAt: Number.NEGATIVE_INFINITY,
      keyAt: Number.NEGATIVE_INFINITY,
      want: undefined,
    },
  }
}
