// Stores outbound calls.

import { type Condition, type Database, inTransaction, type Queries } from '../database/index.ts'

export type CallState = 'queued' | 'calling' | 'success' | 'failure'

export type CallRow = {
  sid: string
  conversation_id: string | null
  account_id: string
  project_id: string
  connector_id: string
  environment: string
  to_number: string
  from_number: string
  metadata: Record<string, string>
  encryption: string
  status: CallState
  reason: string
  created_at: Date
  ended_at: Date | null
  owner: string | null
}

/** A requested call. */
export type NewCall = Pick<
  CallRow,
  | 'account_id'
  | 'project_id'
  | 'connector_id'
  | 'environment'
  | 'to_number'
  | 'from_number'
  | 'metadata'
  | 'encryption'
>

/** Puts a call into the queue. */
export async function insertCall(
  db: Queries,
  call: NewCall & Pick<CallRow, 'sid' | 'created_at'>,
): Promise<void> {
  await db.query(
    `INSERT INTO foyer.call (sid, account_id, project_id, connector_id, environment, to_number, from_number,
       metadata, encryption, status, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, 'queued', $10)`,
    [
      call.sid,
      call.account_id,
      call.project_id,
      call.connector_id,
      call.environment,
      call.to_number,
      call.from_number,
      JSON.stringify(call.metadata),
      call.encryption,
      call.created_at.toISOString(),
    ],
  )
}

export async function findCall(db: Queries, sid: string): Promise<CallRow | undefined> {
  const [row] = await db.query<CallRow>('SELECT * FROM foyer.call WHERE sid = $1', [sid])
  return row
}

/** Claims for `owner` the oldest queued call whose account has a free line. */
export const claimCall = (
  database: Database,
  owner: string,
  callsAtOnce: number,
): Promise<CallRow | undefined> =>
  inTransaction(database, 'claim a call', async (tx) => {
    // Two processes must not both claim an account's last line.
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('foyer.call'))")
    const [row] = await tx.query<CallRow>(
      `UPDATE foyer.call SET status = 'calling', owner = $1 WHERE sid = (
         SELECT q.sid FROM foyer.call AS q LEFT JOIN foyer.project AS p ON p.id = q.project_id
         WHERE q.status = 'queued' AND (
           SELECT count(*) FROM foyer.call AS b WHERE b.account_id = q.account_id AND b.status = 'calling'
         ) < coalesce((p.settings ->> 'callsAtOnce')::integer, $2)
         ORDER BY q.created_at, q.sid LIMIT 1)
       RETURNING *`,
      [owner, callsAtOnce],
    )
    return row
  })

export async function attachConversation(tx: Queries, sid: string, conversationId: string): Promise<void> {
  await tx.query('UPDATE foyer.call SET conversation_id = $2 WHERE sid = $1', [sid, conversationId])
}

/** Ends a call that is in the state `from`. False if it no longer is. */
export async function finishCall(
  db: Queries,
  sid: string,
  { from, status, reason }: { from: 'queued' | 'calling'; status: 'success' | 'failure'; reason: string },
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE foyer.call SET status = $2, reason = $3, ended_at = $4, owner = NULL
     WHERE sid = $1 AND status = $5 RETURNING sid`,
    [sid, status, reason, now.toISOString(), from],
  )
  return rows.length > 0
}

/** Whether a sweep has work: a call is queued or in progress, or ended before `time`. */
export const dueCalls = (time: Date): Condition => ({
  sql: `EXISTS (SELECT 1 FROM foyer.call WHERE status = 'queued')
    OR EXISTS (SELECT 1 FROM foyer.call WHERE status = 'calling')
    OR EXISTS (SELECT 1 FROM foyer.call WHERE ended_at < $1)`,
  params: [time.toISOString()],
})

export async function countQueuedCalls(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM foyer.call WHERE status = 'queued'`,
  )
  return row?.count ?? 0
}

/** Calls queued before `time`. */
export async function callsQueuedBefore(db: Queries, time: Date): Promise<string[]> {
  const rows = await db.query<{ sid: string }>(
    `SELECT sid FROM foyer.call WHERE status = 'queued' AND created_at <= $1 ORDER BY created_at LIMIT 200`,
    [time.toISOString()],
  )
  return rows.map((row) => row.sid)
}

/** Calls of processes that are gone, and those of `owner` that are not in `held`. */
export const abandonedCalls = (db: Queries, owner: string, held: readonly string[]): Promise<CallRow[]> =>
  db.query<CallRow>(
    `SELECT * FROM foyer.call WHERE status = 'calling'
     AND CASE WHEN owner = $1 THEN sid NOT IN (SELECT jsonb_array_elements_text($2::jsonb))
       ELSE owner NOT IN (SELECT id FROM foyer.process) END LIMIT 200`,
    [owner, JSON.stringify(held)],
  )

export async function forgetCallsEndedBefore(db: Queries, time: Date): Promise<void> {
  await db.query('DELETE FROM foyer.call WHERE ended_at < $1', [time.toISOString()])
}

export async function eraseCallsTo(tx: Queries, number: string): Promise<void> {
  await tx.query('DELETE FROM foyer.call WHERE to_number = $1', [number])
}
