// Describes a message to the user before it is stored, and the payload of its event.

import type { Attachment, CallAction, Suggestion } from '../../../protocol/index.ts'
import type { LiveAgent } from './session.ts'

/** A message to the user, before it is stored. */
export type OutgoingMessage = {
  id: string
  /** Markdown, unless it is verbatim. */
  text: string
  attachments: readonly Attachment[]
  suggestions: readonly Suggestion[]
  callActions: readonly CallAction[]
  /** The text is sent unchanged, and not read as Markdown. */
  verbatim?: boolean
}

export const textMessage = (id: string, text: string): OutgoingMessage => ({
  id,
  text,
  attachments: [],
  suggestions: [],
  callActions: [],
})

/** The payload of a message's event; `more` are fields such as the speaker's name. */
export const messagePayload = (message: OutgoingMessage, more: Record<string, unknown> = {}) => ({
  message_id: message.id,
  text: message.text,
  attachments: message.attachments,
  response_suggestions: message.suggestions,
  chat_call_actions: message.callActions,
  ...more,
})

/** The payload fields that name a live agent. */
export const liveAgentFields = (agent: LiveAgent | undefined): { agent_id?: string; agent_name?: string } =>
  agent ? { agent_id: agent.id, agent_name: agent.name } : {}
