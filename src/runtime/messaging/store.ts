// Text conversations: who may be written to, and what is on its way. A message is stored here in the
// transaction that stores its event, and leaves when the carrier has taken it.

import type { Database, Queries } from '../database/database.ts'

/** A message on its way out. `attachments` are kept no longer than this. */
export type Delivery = {
  id: string
  session_id: string
  message: Record<string, unknown>
  /** How often the carrier did not take it. */
  attempts: number
  created_at: Date
}

/** Writes within the transaction of a session. */
export interface DeliveryWriter {
  send(id: string, message: Readonly<Record<string, unknown>>, now: Date): Promise<void>
}

export type Texts = ReturnType<typeof createTexts>

export const createDeliveryWriter = (tx: Queries, sessionId: string): DeliveryWriter => ({
  async send(id, message, now) {
    await tx.query(
      'INSERT INTO foyer.delivery (id, session_id, message, due_at, created_at) VALUES ($1, $2, $3::jsonb, $4, $4)',
      [id, sessionId, JSON.stringify(message), now.toISOString()],
    )
  },
})

export function createTexts(database: Database) {
  return {
    /** The open conversation between two numbers. */
    async openSession(userNumber: string, agentNumber: string): Promise<string | undefined> {
      const [row] = await database.query<{ id: string }>(
        `SELECT id FROM foyer.session WHERE user_number = $1 AND agent_number = $2 AND state = 'active'
         AND channel IN ('SMS', 'RCS')`,
        [userNumber, agentNumber],
      )
      return row?.id
    },

    async isOptedOut(userNumber: string, agentNumber: string): Promise<boolean> {
      const rows = await database.query(
        'SELECT 1 FROM foyer.consent WHERE user_number = $1 AND agent_number = $2 AND opted_out',
        [userNumber, agentNumber],
      )
      return rows.length > 0
    },
    async setOptedOut(userNumber: string, agentNumber: string, optedOut: boolean, now: Date): Promise<void> {
      await database.query(
        `INSERT INTO foyer.consent (user_number, agent_number, opted_out, changed_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_number, agent_number) DO UPDATE SET opted_out = $3, changed_at = $4`,
        [userNumber, agentNumber, optedOut, now.toISOString()],
      )
    },

    /**
     * Takes the next message that is due, for `owner` alone until it says what became of it or is gone. What is
     * the owner's and not in `held` it no longer knows of: that is taken anew.
     * Those of one session go in order: the first holds up the others.
     */
    async take(owner: string, now: Date, held: readonly string[]): Promise<Delivery | undefined> {
      const [row] = await database.query<Delivery>(
        `UPDATE foyer.delivery SET owner = $1 WHERE position = (
           SELECT d.position FROM foyer.delivery AS d WHERE d.due_at <= $2
             AND (d.owner IS NULL OR d.owner NOT IN (SELECT id FROM foyer.process)
               OR (d.owner = $1 AND d.id NOT IN (SELECT jsonb_array_elements_text($3::jsonb))))
             AND NOT EXISTS (SELECT 1 FROM foyer.delivery AS b
               WHERE b.session_id = d.session_id AND b.position < d.position)
           ORDER BY d.due_at, d.position LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING id, session_id, message, attempts, created_at`,
        [owner, now.toISOString(), JSON.stringify(held)],
      )
      return row
    },
    async taken(id: string): Promise<void> {
      await database.query('DELETE FROM foyer.delivery WHERE id = $1', [id])
    },
    /** It was not taken: tried again when it is due. */
    async again(id: string, due: Date): Promise<void> {
      await database.query(
        'UPDATE foyer.delivery SET owner = NULL, attempts = attempts + 1, due_at = $2 WHERE id = $1',
        [id, due.toISOString()],
      )
    },
  }
}
