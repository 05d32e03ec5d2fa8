// Defines the interface of one transaction on a session, and the domain events that it publishes to the nouns above.

import type { ConversationWriter } from '../conversations/index.ts'
import type { Transaction } from '../database/index.ts'
import type { DomainEvent } from '../domain-event.ts'
import type { Redaction } from '../redact.ts'
import type { WireEvent } from './hub.ts'
import type { SaidMessage } from './state/event-store.ts'
import type { ModeEvent, SessionMode } from './state/mode.ts'
import type { OutgoingMessage } from './state/outgoing-message.ts'
import type { LiveAgent, NewEvent, Session, SessionChanges, StoredEvent } from './state/session.ts'

/** A session whose row this transaction has locked. */
export interface LockedSession {
  readonly tx: Transaction
  /** The session with all changes of this transaction. */
  readonly session: Readonly<Session>
  /** Writes the conversation's log. */
  readonly log: ConversationWriter
  readonly events: SessionEvents
  readonly redact: Redaction
  /** The time of this transaction. */
  readonly now: Date
  uuid(): string
  change(changes: SessionChanges): void
  /** Changes who talks with the user. `liveAgent`: who has taken the conversation. False: the event means nothing in this mode. */
  move(event: ModeEvent, liveAgent?: LiveAgent): boolean
  /** Records activity: the inactivity of the session counts from now. */
  touch(): void
  /**
   * Appends an event: it is stored with the next sequence, and sent after the commit. `sentAs` is sent in its place,
   * with the same sequence: clients get the last chunk of a message that is stored whole.
   */
  append(event: NewEvent, sentAs?: NewEvent): StoredEvent
  /** Takes the next sequence for an event that is sent and not stored, since a later event contains it. */
  sendOnly(event: NewEvent): StoredEvent
  /** Stores an event in place of one that was sent before, and sends nothing. */
  replace(place: { sequence: number; createdAt: Date }, event: NewEvent): void
  /** Sends a transient event after the commit, in the order of the calls. */
  send(event: WireEvent): void
  /** Marks the conversation as ended, now. */
  end(): void
  /** Calls back after the commit, once everything was sent. */
  afterCommit(run: () => void): void
}

/** `waiting`: earlier inputs still wait for their answer. `before`: the messages before this one, if known. */
export type InputStored = {
  locked: LockedSession
  input: StoredEvent
  waiting: boolean
  before?: readonly SaidMessage[] | undefined
}
export type MessageStored = { locked: LockedSession; message: OutgoingMessage }
export type IdleWarningDue = { locked: LockedSession }
/** `messageId`: the answer that is to stop; undefined: the running answer. */
export type StopAsked = { locked: LockedSession; messageId: string | undefined }
/** The user waits for a live agent, and wants the agent back. */
export type QueueLeft = { locked: LockedSession }
export type UserTyped = { locked: LockedSession; typing: boolean }
/** The agent has the conversation again, since no live agent came. */
export type AgentBack = { locked: LockedSession }
/** `mode`: the mode of the session until its end. */
export type SessionEnded = { locked: LockedSession; mode: SessionMode }

export type SessionEvents = {
  /** The user joined or said something. */
  inputStored: DomainEvent<InputStored>
  /** The agent, a live agent or the API said something. */
  messageStored: DomainEvent<MessageStored>
  /** Published when the user of a messaging session has to be warned that it will expire. */
  idleWarningDue: DomainEvent<IdleWarningDue>
  /** A chat's user began to type, or stopped. */
  userTyped: DomainEvent<UserTyped>
  stopAsked: DomainEvent<StopAsked>
  queueLeft: DomainEvent<QueueLeft>
  agentBack: DomainEvent<AgentBack>
  sessionEnded: DomainEvent<SessionEnded>
}
