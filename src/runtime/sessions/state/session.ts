// Defines the session: a union by family, which never changes. Its conversation holds channel, numbers, end and memory.

import type { Platform, ServerEventType } from '../../../protocol/index.ts'
import type { Channel } from '../../conversations/index.ts'
import type { SessionMode } from './mode.ts'

/** A page of the site: its address without query and fragment, and its title, which may be empty. */
export type Page = { url: string; title: string }

/** A live agent, as visitors see the person. */
export type LiveAgent = { id: string; name: string; avatar_url?: string | undefined }

/**
 * The turn that a process is answering: `inputSequence` is the sequence of its input, `shown` is true once a part of the
 * answer was stored, `writes` counts its transactions.
 */
export type RunningTurn = { owner: string; inputSequence: number; shown: boolean; writes: number }

/** A question that waits for the user's decision. `id`: of its message; `name`: the agent's own. */
export type OpenConfirm = { id: string; name: string; confirm: string; cancel: string }

/** The fields of its conversation that a session needs. */
export type SessionConversation = {
  accountId: string
  projectId: string
  environment: string
  channel: Channel
  /** A BCP 47 tag. */
  language: string | undefined
  variant: { id: string; name: string } | undefined
  /** Empty in a chat. */
  userNumber: string
  agentNumber: string
  rcsSender: string
  /** Undefined: the session is active. */
  endedAt: Date | undefined
  /** The dialogue state. */
  memory: Record<string, unknown>
}

type SessionBase = {
  id: string
  mode: SessionMode
  /** Who has the conversation at the desk. */
  liveAgent: LiveAgent | undefined
  joined: boolean
  /** Undefined while inactivity does not count. */
  idleSince: Date | undefined
  /** When the user was warned that the session will expire. */
  warnedAt: Date | undefined
  nextSequence: number
  /** The sequence of the last input, and the sequence up to which inputs are answered. */
  lastInput: number
  answered: number
  turn: RunningTurn | undefined
  /** How often a turn was claimed so far. The number of its claim fences each write of a turn. */
  claims: number
  confirm: OpenConfirm | undefined
  /** Whether the user of a phone was told that a machine answers. */
  disclosed: boolean
  conversation: SessionConversation
}

export type ChatSession = SessionBase & {
  family: 'chat'
  connectorId: string
  /** The `jti` of the access token; empty once it was revoked. */
  tokenId: string
  platform: Platform
  streaming: boolean
  /** Where the visitor opened the chat. Undefined: the client did not say. */
  page: Page | undefined
}

export type MessagingSession = SessionBase & {
  family: 'messaging'
  /** Undefined: a phone wrote first. */
  connectorId: string | undefined
  /** Whether the user has written. */
  engaged: boolean
  attributes: Record<string, unknown>
}

export type VoiceSession = SessionBase & {
  family: 'voice'
  connectorId: string
  attributes: Record<string, unknown>
}

export type Session = ChatSession | MessagingSession | VoiceSession

/** The fields of a session that a transaction may change, beside its mode. A chat ignores `engaged` and `attributes`. */
export type SessionChanges = Partial<
  Pick<SessionBase, 'joined' | 'warnedAt' | 'answered' | 'turn' | 'claims' | 'confirm' | 'disclosed'> &
    Pick<MessagingSession, 'engaged' | 'attributes'>
>

export const isActive = (session: Session): boolean => session.conversation.endedAt === undefined

/** An event before it has its sequence. */
export type NewEvent = {
  type: ServerEventType
  payload: Record<string, unknown>
  custom?: Record<string, string> | undefined
  clientId?: string | undefined
  messageId?: string | undefined
  firstSequence?: number | undefined
}

export type StoredEvent = {
  sequence: number
  id: string
  type: ServerEventType
  payload: Record<string, unknown>
  custom: Record<string, string> | null
  client_id: string | null
  message_id: string | null
  first_sequence: number | null
  created_at: Date
}
