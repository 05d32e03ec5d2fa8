// The interface of an agent: it reads a conversation and answers with a stream of acts.

import type { Attachment, CallAction, Suggestion } from '../../protocol/index.ts'
import type { Channel, Understanding } from '../conversations/index.ts'

/** What an agent says or does next. The runtime turns each into events of the wire, stored before sent. */
export type Act =
  /** It works on something: the visitor sees that it thinks. */
  | { type: 'thinking' }
  /** A piece of the current message, Markdown. Pieces are concatenated with nothing between. */
  | { type: 'text'; text: string }
  /** Completes the current message (with or without text) and hangs these on it. */
  | {
      type: 'finish'
      attachments?: Attachment[]
      suggestions?: Suggestion[]
      callActions?: CallAction[]
      /** Ends the session with this message. */
      endConversation?: boolean
    }
  | { type: 'language'; code: string }
  /** A line of the system, not of the agent. */
  | { type: 'system'; level: 'info' | 'warning' | 'error'; message: string }
  /**
   * A person takes over: triggered, the agent leaves, accepted, and the conversation waits at the desk. `data`
   * is kept for whoever asks for the handoff state. `simulated`: the agent brings the person along, with the
   * acts below. Until the person leaves no inactivity counts.
   */
  | ({ type: 'handoff'; simulated?: boolean } & HandoffNote)
  | { type: 'queue'; position?: number; waitSeconds?: number; message?: string }
  | { type: 'handoff-failed'; reason?: string; timeout?: boolean }
  /** The host page must route the visitor. */
  | ({
      type: 'handoff-client'
      reason: 'COMPLEX_QUERY' | 'AGENT_DECISION' | 'POLICY'
      route?: string
    } & Omit<HandoffNote, 'reason'>)
  | { type: 'live-joined'; agent: { id: string; name: string; avatar_url?: string } }
  | { type: 'live-typing'; typing: boolean }
  | { type: 'live-message'; text: string; suggestions?: Suggestion[] }
  | { type: 'live-left'; reason?: string }
  /** What it made of the user's words, for the record. */
  | ({ type: 'understood' } & Understanding)
  /** A figure of the conversation. A second value under one name is kept beside the first. */
  | { type: 'metric'; name: string; value: string }
  /** The dialogue state: found again at the next turn, merged into `memory`, and shown in the record. Any JSON. */
  | { type: 'remember'; memory: Record<string, unknown> }
  /** Ends the session (`REASON_NATURAL_END`). */
  | { type: 'end' }

/** What an agent stores when it hands a conversation off. */
export type HandoffNote = {
  queueName?: string
  reason?: string
  destination?: string
  /** The integrator's own identifier. */
  sharedId?: string
  data?: Record<string, unknown>
}

/** One turn: why the agent is called, and what it may know and use. */
export type Turn = {
  /** `join`: the visitor opened the chat; greet. `message`: answer `text`. */
  cause: 'join' | 'message'
  /** The visitor's words; empty for `join`. */
  text: string
  /** The conversation; in a chat also the session. */
  sessionId: string
  channel: Channel
  /** The user's number in text and voice; empty in a chat. */
  userNumber: string
  /** What the carrier told beside the words: `metadata` of attachments, or that of the call. */
  attributes: Readonly<Record<string, unknown>>
  /** Which variant of itself answers; undefined where the project has none. */
  variant: { id: string; name: string } | undefined
  /** Finished messages of this session before this one, oldest first. */
  history: readonly { role: 'visitor' | 'agent' | 'live'; text: string }[]
  /** What `remember` kept so far. */
  memory: Readonly<Record<string, unknown>>
  /** Whether a person (or the simulation of one) is in the conversation. */
  mode: 'agent' | 'live'
  /** Aborted when the session ends or the runtime stops: finish quickly. */
  signal: AbortSignal
  /** Resolves after so many milliseconds by the runtime's clock, or rejects when `signal` aborts. */
  sleep(ms: number): Promise<void>
}

export interface Agent {
  /** Shown in the header and beside the answers. */
  readonly name: string
  readonly avatarUrl?: string | undefined
  act(turn: Turn): AsyncIterable<Act>
}
