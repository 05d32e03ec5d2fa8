// Defines the interface of an agent, which reads a conversation and answers with a stream of agent events.

import type { Attachment, CallAction, Platform, Suggestion } from '../../protocol/index.ts'
import type { Channel, Understanding } from '../conversations/index.ts'
import type { Page } from '../sessions/index.ts'

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
  /**
   * Asks the user to decide, by a card with two choices; on a phone by its words. Plain texts; `confirm` and `cancel` are the words of the
   * choices. The turn that answers the decision has it as `decision`. A session has one open question: the user's other words, another
   * question, a handoff and the end of the session cancel it. `id`: the agent's own name for the question, which the user's browser can read;
   * card numbers in it are masked, as in everything that is stored.
   */
  | { type: 'confirm'; id: string; title: string; summary: string; confirm: string; cancel: string }
  /** Switches the language of the conversation, to a BCP 47 tag. */
  | { type: 'language'; code: string }
  /** A message of the system, not of the agent. */
  | { type: 'system'; level: 'info' | 'warning' | 'error'; message: string }
  /**
   * Hands the conversation to a live agent: the wire shows the handoff as triggered, the agent leaving and the handoff
   * as accepted, and the conversation waits in the handoff queue. Where everybody has left the desk, the visitor is told that
   * nobody is there, and the agent keeps the conversation. `data` is stored for the handoff state endpoint.
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

/** Whom an agent answers for: the project and the connector that a conversation belongs to. */
export type Served = {
  /** The account of the project. */
  readonly accountId: string
  readonly projectId: string
  /** The connector through which the chat, or the call, was opened. Undefined where a phone wrote first. */
  readonly connectorId: string | undefined
  /** The environment of the connector or of the sender's number, such as `sandbox` or `live`. */
  readonly environment: string
}

/** One turn: the reason for the call, its data, and the tools to answer it. */
export type Turn = Served & {
  /** Names the turn, also where a lost turn is answered again. Later turns have the visitor's words under it in `history`. */
  readonly id: string
  /** `join`: the visitor opened the chat; greet. `message`: answer `text`. */
  readonly trigger: 'join' | 'message'
  /** The visitor's words; empty for `join`. */
  readonly text: string
  /**
   * The question of a `confirm` event that this message decides, by its `id`. One decision about it is stored, and `text` is the words of
   * the choice, or the other words that cancelled. A turn whose process died before it said anything runs again: to act once, remember the
   * `id`. Undefined: the message decides nothing.
   */
  readonly decision: { readonly id: string; readonly decision: 'confirm' | 'cancel' } | undefined
  /** The conversation; in a chat also the session. */
  readonly sessionId: string
  readonly channel: Channel
  /** The language of the conversation, a BCP 47 tag: of the panel as it began, or what an agent switched to since. Undefined: nobody said. */
  readonly language: string | undefined
  /** The user's number in messaging and voice; empty in a chat. */
  readonly userNumber: string
  /** The platform that the chat's client reports. Undefined by phone. */
  readonly platform: Platform | undefined
  /**
   * The page of the site where the visitor opened the chat: its address without query and fragment (at most 2,048 characters), and its title (at
   * most 200 characters). Undefined by phone, and where the client does not say it. Trust it no more than `text`.
   */
  readonly page: Readonly<Page> | undefined
  /**
   * What the client sent beside this input, as `metadata.custom`: texts by name, without Foyer's own fields; `{}` where nothing came. A visitor
   * can forge it, like `text`.
   */
  readonly custom: Readonly<Record<string, string>>
  /** Data of the carrier beside the text: the `metadata` of attachments, or of the call. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** The variant that answers; undefined if the project has no variants. */
  readonly variant: { id: string; name: string } | undefined
  /** Finished messages of this session, oldest first: of the visitor those before this one, of agents all. */
  readonly history: readonly { id?: string; role: 'visitor' | 'agent' | 'live'; text: string }[]
  /** The dialogue state, which `remember` writes. */
  readonly memory: Readonly<Record<string, unknown>>
  /** The desk, seconds ago. Undefined: nobody was ever at it, or it does not tell. */
  readonly desk: DeskState | undefined
  /** Aborts when the session ends, the user stops the answer, or the runtime stops: return quickly. */
  readonly signal: AbortSignal
  /** Resolves after `ms` milliseconds by the runtime's clock, or rejects when `signal` aborts. */
  sleep(ms: number): Promise<void>
  /**
   * Adds an amount to the visitor's usage of this day (UTC), and returns the sum: over all conversations of a phone
   * number, or of a chat's session, and over all processes. An amount of 0 asks for the sum. `connector`: the usage of all
   * visitors of the connector; where a phone wrote first, of the project.
   */
  addUsage(what: string, amount: number, of?: 'visitor' | 'connector'): Promise<number>
}

/** An agent: a name, and a function that answers. The runtime calls `act` for each input of a user, in chats, texts and calls alike. */
export interface Agent {
  /** The agent's name, shown in the header and beside the answers. */
  readonly name: string
  /** Address of the agent's picture. Default: none; its initials are shown. */
  readonly avatarUrl?: string | undefined
  /** What answers, as phones and the server's own panel tell visitors: `ai`, or `automatic` for an agent without a model. Default `ai`. */
  readonly answers?: 'ai' | 'automatic' | undefined
  /**
   * Most seconds for which the agent may yield nothing before its turn is given up: it may never end. Default 240. An agent that works longer
   * can yield `thinking` meanwhile.
   */
  readonly silentSeconds?: number | undefined
  /** Answers a turn with a stream of events. Where the agent fails, falls silent, or yields something that is not an event, the visitor reads an apology, and the log says why. */
  act(turn: Turn): AsyncIterable<AgentEvent>
}

/**
 * Returns the agent of a project and connector. It is asked once for each in a process, when the first turn needs it; a rejection, or what is
 * no agent within 30 seconds, costs that turn an apology, and the next turn asks again.
 */
export type AgentFor = (served: Served) => Agent | Promise<Agent>
