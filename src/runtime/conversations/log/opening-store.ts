// Stores a conversation as it begins.

import type { Queries } from '../../database/index.ts'

export type Channel = 'WEBCHAT' | 'VOICE-SIP' | 'SMS' | 'RCS'

/** A conversation as it begins. */
export type NewConversation = {
  id: string
  accountId: string
  projectId: string
  environment: string
  channel: Channel
  variant?: { id: string; name: string } | undefined
  /** The user's number; none in a chat. */
  fromNumber?: string
  /** The agent's number; none in a chat. */
  toNumber?: string
  rcsSender?: string
  language?: string | undefined
}

export async function insertConversation(
  tx: Queries,
  conversation: NewConversation,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, variant_id, variant_name,
       from_number, to_number, rcs_sender, language, started_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      conversation.id,
      conversation.accountId,
      conversation.projectId,
      conversation.environment,
      conversation.channel,
      conversation.variant?.id ?? '',
      conversation.variant?.name ?? '',
      conversation.fromNumber ?? '',
      conversation.toNumber ?? '',
      conversation.rcsSender ?? '',
      conversation.language ?? '',
      now.toISOString(),
    ],
  )
}

/** Conversations of all projects that have not ended: each is an active session. */
export async function countOpenConversations(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM foyer.conversation WHERE ended_at IS NULL',
  )
  return row?.count ?? 0
}
