// Finds lost turns, and inputs that wait for a turn. The turn itself is part of the session.

import type { Queries } from '../database/index.ts'

/** A turn that was claimed and that no process runs. */
export type LostTurn = { sessionId: string; inputSequence: number; owner: string }

/** Turns of processes that are gone, and those of this process that are not among `held`. */
export async function lostTurns(
  db: Queries,
  processId: string,
  held: readonly string[],
): Promise<LostTurn[]> {
  const rows = await db.query<{ id: string; turn_cause: number; turn_owner: string }>(
    `SELECT id, turn_cause, turn_owner FROM foyer.session WHERE turn_owner IS NOT NULL
     AND CASE WHEN turn_owner = $1 THEN id NOT IN (SELECT jsonb_array_elements_text($2::jsonb))
       ELSE turn_owner NOT IN (SELECT id FROM foyer.process) END LIMIT 200`,
    [processId, JSON.stringify(held)],
  )
  return rows.map((row) => ({ sessionId: row.id, inputSequence: row.turn_cause, owner: row.turn_owner }))
}

/** Whether a turn of the session runs, or an input of it waits for the agent. */
export async function isAnswering(db: Queries, sessionId: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM foyer.session
     WHERE id = $1 AND (turn_owner IS NOT NULL OR (last_input > answered AND mode = 'agent'))`,
    [sessionId],
  )
  return rows.length > 0
}

/** Sessions with an input that waits for the agent's answer while no turn runs. */
export async function unansweredSessions(db: Queries): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM foyer.session WHERE turn_owner IS NULL AND last_input > answered AND mode = 'agent' LIMIT 200`,
  )
  return rows.map((row) => row.id)
}
