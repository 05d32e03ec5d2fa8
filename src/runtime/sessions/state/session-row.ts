// Converts the row of a session, joined with its conversation, into the session union.

import type { Platform } from '../../../protocol/index.ts'
import type { SessionMode } from './mode.ts'
import type { LiveAgent, OpenConfirm, Page, Session, SessionConversation } from './session.ts'

/** The columns of a session and those of its conversation. */
export type SessionRow = {
  id: string
  family: Session['family']
  connector_id: string | null
  mode: SessionMode
  live_agent: LiveAgent | null
  joined: boolean
  idle_since: Date | null
  warned_at: Date | null
  next_sequence: number
  last_input: number
  answered: number
  turn_owner: string | null
  turn_cause: number | null
  turn_shown: boolean
  turn_claims: number
  turn_writes: number
  confirm: OpenConfirm | null
  token_id: string | null
  platform: Platform | null
  streaming: boolean
  engaged: boolean
  disclosed: boolean
  attributes: Record<string, unknown>
  page: Page | null
  account_id: string
  project_id: string
  environment: string
  channel: SessionConversation['channel']
  variant_id: string
  variant_name: string
  from_number: string
  to_number: string
  rcs_sender: string
  language: string
  ended_at: Date | null
  memory: Record<string, unknown>
}

export function sessionOf(row: SessionRow): Session {
  const { variant_id, variant_name } = row
  const base = {
    id: row.id,
    mode: row.mode,
    liveAgent: row.live_agent ?? undefined,
    joined: row.joined,
    idleSince: row.idle_since ?? undefined,
    warnedAt: row.warned_at ?? undefined,
    nextSequence: row.next_sequence,
    lastInput: row.last_input,
    answered: row.answered,
    turn:
      row.turn_owner === null
        ? undefined
        : {
            owner: row.turn_owner,
            inputSequence: row.turn_cause ?? 0,
            shown: row.turn_shown,
            writes: row.turn_writes,
          },
    claims: row.turn_claims,
    confirm: row.confirm ?? undefined,
    disclosed: row.disclosed,
    conversation: {
      accountId: row.account_id,
      projectId: row.project_id,
      environment: row.environment,
      channel: row.channel,
      language: row.language || undefined,
      variant: variant_id || variant_name ? { id: variant_id, name: variant_name } : undefined,
      userNumber: row.from_number,
      agentNumber: row.to_number,
      rcsSender: row.rcs_sender,
      endedAt: row.ended_at ?? undefined,
      memory: row.memory,
    },
  }
  if (row.family === 'chat')
    return {
      ...base,
      family: 'chat',
      connectorId: row.connector_id ?? '',
      tokenId: row.token_id ?? '',
      platform: row.platform ?? 'web',
      streaming: row.streaming,
      page: row.page ?? undefined,
    }
  const { attributes } = row
  return row.family === 'messaging'
    ? {
        ...base,
        family: 'messaging',
        connectorId: row.connector_id ?? undefined,
        engaged: row.engaged,
        attributes,
      }
    : { ...base, family: 'voice', connectorId: row.connector_id ?? '', attributes }
}
