// Stores deliveries and consent.

import type { Condition, Queries } from '../database/index.ts'
import type { OpenConfirm } from '../sessions/index.ts'
import type { Receipt, TextMessage } from './carrier.ts'

/** One outbound message on its way to the carrier. */
export type Delivery = {
  id: string
  session_id: string
  message: TextMessage
  /** Failed attempts so far. */
  attempts: number
  created_at: Date
}

export async function insertDelivery(
  tx: Queries,
  sessionId: string,
  message: TextMessage,
  now: Date,
): Promise<void> {
  await tx.query(
    `WITH outbound AS (INSERT INTO foyer.outbound (id, session_id) VALUES ($1, $2))
     INSERT INTO foyer.delivery (id, session_id, message, due_at, created_at) VALUES ($1, $2, $3::jsonb, $4, $4)`,
    [message.id, sessionId, JSON.stringify(message), now.toISOString()],
  )
}

/**
 * Claims the next delivery that is due, for `owner` alone until its attempt has ended or the owner is gone. A delivery
 * of the owner's that is not in `held` was lost, and is claimed again. Deliveries of one session are sent in order:
 * each waits for the one before it. `storedBy`: the latest time at which it may have been stored.
 */
export async function claimDelivery(
  db: Queries,
  owner: string,
  { now, storedBy }: { now: Date; storedBy: Date },
  held: readonly string[],
): Promise<Delivery | undefined> {
  const [row] = await db.query<Delivery>(
    `UPDATE foyer.delivery SET owner = $1 WHERE position = (
       SELECT d.position FROM foyer.delivery AS d WHERE d.due_at <= $2 AND d.created_at <= $4
         AND (d.owner IS NULL OR CASE WHEN d.owner = $1
           THEN d.id NOT IN (SELECT jsonb_array_elements_text($3::jsonb))
           ELSE d.owner NOT IN (SELECT id FROM foyer.process) END)
         AND NOT EXISTS (SELECT 1 FROM foyer.delivery AS b
           WHERE b.session_id = d.session_id AND b.position < d.position)
       ORDER BY d.due_at, d.position LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, session_id, message, attempts, created_at`,
    [owner, now.toISOString(), JSON.stringify(held), storedBy.toISOString()],
  )
  return row
}

/** Whether any delivery may be claimed. */
export const dueDeliveries = (now: Date): Condition => ({
  sql: 'EXISTS (SELECT 1 FROM foyer.delivery WHERE due_at <= $1)',
  params: [now.toISOString()],
})

export async function countDeliveries(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>('SELECT count(*)::integer AS count FROM foyer.delivery')
  return row?.count ?? 0
}

/** Removes a delivery: the carrier has accepted or refused it, or it was given up. False if it was removed before. */
export async function removeDelivery(db: Queries, id: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM foyer.delivery WHERE id = $1 RETURNING id', [id])
  return rows.length > 0
}

/** A message that was given to the carrier, or is about to be: its session, and its last receipt. */
export async function findOutbound(
  db: Queries,
  id: string,
): Promise<{ session_id: string; receipt: Receipt['status'] | null } | undefined> {
  const [row] = await db.query<{ session_id: string; receipt: Receipt['status'] | null }>(
    'SELECT session_id, receipt FROM foyer.outbound WHERE id = $1',
    [id],
  )
  return row
}

export async function saveReceipt(tx: Queries, { id, status }: Receipt): Promise<void> {
  await tx.query('UPDATE foyer.outbound SET receipt = $2 WHERE id = $1', [id, status])
}

/** Schedules another attempt, unless another process has claimed the delivery since. */
export async function rescheduleDelivery(db: Queries, owner: string, id: string, due: Date): Promise<void> {
  await db.query(
    'UPDATE foyer.delivery SET owner = NULL, attempts = attempts + 1, due_at = $2 WHERE id = $1 AND owner = $3',
    [id, due.toISOString(), owner],
  )
}

type OngoingConversation = { id: string; channel: 'SMS' | 'RCS'; confirm: OpenConfirm | null }

/** The open conversation between two numbers, with its open question. */
export async function findOngoingConversation(
  db: Queries,
  userNumber: string,
  agentNumber: string,
): Promise<OngoingConversation | undefined> {
  const [row] = await db.query<OngoingConversation>(
    `SELECT c.id, c.channel, s.confirm FROM foyer.conversation AS c LEFT JOIN foyer.session AS s ON s.id = c.id
     WHERE c.from_number = $1 AND c.to_number = $2 AND c.ended_at IS NULL AND c.channel IN ('SMS', 'RCS')`,
    [userNumber, agentNumber],
  )
  return row
}

export async function isOptedOut(db: Queries, userNumber: string, agentNumber: string): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 FROM foyer.consent WHERE user_number = $1 AND agent_number = $2 AND opted_out',
    [userNumber, agentNumber],
  )
  return rows.length > 0
}

export async function saveConsent(
  db: Queries,
  { userNumber, agentNumber, optedOut }: { userNumber: string; agentNumber: string; optedOut: boolean },
  now: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO foyer.consent (user_number, agent_number, opted_out, changed_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_number, agent_number) DO UPDATE SET opted_out = $3, changed_at = $4`,
    [userNumber, agentNumber, optedOut, now.toISOString()],
  )
}

export async function eraseConsent(tx: Queries, userNumber: string): Promise<void> {
  await tx.query('DELETE FROM foyer.consent WHERE user_number = $1', [userNumber])
}
