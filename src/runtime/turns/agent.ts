// Defines the interface of an agent, which reads a conversation and answers with a stream of agent events.

import type { Attachment, CallAction, Suggestion } from '../../protocol/index.ts'
import type { Channel, Understanding } from '../conversations/index.ts'

/** One event of an agent's answer. The runtime turns it into wire events, and stores them before it sends them. */
export type AgentEvent =
  /** Shows the visitor that the agent is working on the answer. */
  | { type: 'thinking' }
  /** A piece of the current message, Markdown. Pieces are concatenated with nothing between. */
  | { type: 'text'; text: string }
  /** Completes the current message (with or without text), and attaches these to it. */
  | {
      type: 'finish'
      attachments?: Attachment[]
      suggestions?: Suggestion[]
      callActions?: CallAction[]
      /** Ends the session with this message. */
      endConversation?: boolean
    }
  | { type: 'language'; code: string }
  /** A message of the system, not of the agent. */
  | { type: 'system'; level: 'info' | 'warning' | 'error'; message: string }
  /**
   * Hands the conversation to a live agent: the wire shows the handoff as triggered, the agent leaving and the handoff
   * as accepted, and the conversation waits in the handoff queue. While nobody is at the desk, the visitor reads that instead, and the agent
   * keeps the conversation. `data` is stored for the handoff state endpoint.
   * Inactivity does not count until the agent has the conversation again. Nothing happens if it waits already.
   */
  | ({ type: 'handoff' } & HandoffDetails)
  /** The host page must route the visitor. */
  | ({
      type: 'handoff-client'
      reason: 'COMPLEX_QUERY' | 'AGENT_DECISION' | 'POLICY'
      route?: string
    } & Omit<HandoffDetails, 'reason'>)
  /** How the agent understood the user, for the log. */
  | ({ type: 'understood' } & Understanding)
  /** A metric of the conversation. Values under the same name are all kept. */
  | { type: 'metric'; name: string; value: string }
  /** Any JSON to merge into the dialogue state, which the next turn gets as `memory` and the log shows. */
  | { type: 'remember'; memory: Record<string, unknown> }
  /** Ends the session (`REASON_NATURAL_END`). */
  | { type: 'end' }

/** The data that an agent stores when it hands a conversation off. */
export type HandoffDetails = {
  queueName?: string
  reason?: string
  destination?: string
  /** The integrator's own identifier. */
  sharedId?: string
  data?: Record<string, unknown>
}

/**
 * What a project's desk is like: how many live agents take new conversations, how long a visitor would wait, and whether a handoff is
 * refused, since nobody is here.
 */
export type DeskState = { here: number; waitSeconds: number; refuses: boolean }

/** One turn: the reason for the call, its data, and the tools to answer it. */
export type Turn = {
  /** `join`: the visitor opened the chat; greet. `message`: answer `text`. */
  trigger: 'join' | 'message'
  /** The visitor's words; empty for `join`. */
  text: string
  /** The conversation; in a chat also the session. */
  sessionId: string
  channel: Channel
  /** The language of the conversation, a BCP 47 tag: of the panel as it began, or what an agent switched to since. Undefined: nobody said. */
  language: string | undefined
  /** The user's number in messaging and voice; empty in a chat. */
  userNumber: string
  /** Data of the carrier beside the text: the `metadata` of attachments, or of the call. */
  attributes: Readonly<Record<string, unknown>>
  /** The variant that answers; undefined if the project has no variants. */
  variant: { id: string; name: string } | undefined
  /** Finished messages of this session before this one, oldest first. */
  history: readonly { role: 'visitor' | 'agent' | 'live'; text: string }[]
  /** The dialogue state, which `remember` writes. */
  memory: Readonly<Record<string, unknown>>
  /** The desk, seconds ago. Undefined: nobody was ever at it, or it does not tell. */
  desk: DeskState | undefined
  /** Aborts when the session ends, the user stops the answer, or the runtime stops: return quickly. */
  signal: AbortSignal
  /** Resolves after `ms` milliseconds by the runtime's clock, or rejects when `signal` aborts. */
  sleep(ms: number): Promise<void>
  /**
   * Adds an amount to the visitor's usage of this day (UTC), and returns the sum: over all conversations of a phone
   * number, or of a chat's session, and over all processes. An amount of 0 asks for the sum. `connector`: the usage of all
   * visitors of the connector; where a phone wrote first, of the project.
   */
  addUsage(what: string, amount: number, of?: 'visitor' | 'connector'): Promise<number>
}

export interface Agent {
  /** The agent's name, shown in the header and beside the answers. */
  readonly name: string
  readonly avatarUrl?: string | undefined
  act(turn: Turn): AsyncIterable<AgentEvent>
}
