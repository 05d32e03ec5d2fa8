// Outbound calls. A status only ever changes along queued → calling → success or failure, or queued → failure.

import type { Database } from '../database/database.ts'

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

export type Calls = ReturnType<typeof createCalls>

export function createCalls(database: Database) {
  return {
    async create(
      call: Omit<CallRow, 'status' | 'reason' | 'ended_at' | 'owner' | 'conversation_id'>,
    ): Promise<void> {
      await database.query(
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
    },
    async find(sid: string): Promise<CallRow | undefined> {
      const [row] = await database.query<CallRow>('SELECT * FROM foyer.call WHERE sid = $1', [sid])
      return row
    },

    /** The call that waits longest and whose account has a line free, from now on this process's own. */
    take: (owner: string, atOnce: number): Promise<CallRow | undefined> =>
      database.transaction(async (tx) => {
        // Two processes must not both take an account's last line.
        await tx.query("SELECT pg_advisory_xact_lock(hashtext('foyer.call'))")
        const [row] = await tx.query<CallRow>(
          `UPDATE foyer.call SET status = 'calling', owner = $1 WHERE sid = (
             SELECT q.sid FROM foyer.call AS q LEFT JOIN foyer.project AS p ON p.id = q.project_id
             WHERE q.status = 'queued' AND (
               SELECT count(*) FROM foyer.call AS b WHERE b.account_id = q.account_id AND b.status = 'calling'
             ) < coalesce((p.settings ->> 'callsAtOnce')::integer, $2)
             ORDER BY q.created_at, q.sid LIMIT 1)
           RETURNING *`,
          [owner, atOnce],
        )
        return row
      }),
    async attach(sid: string, conversationId: string): Promise<void> {
      await database.query('UPDATE foyer.call SET conversation_id = $2 WHERE sid = $1', [sid, conversationId])
    },
    /** Ends a call that has not ended yet. A call in the queue can only fail. False where it may not end so. */
    async finish(sid: string, status: 'success' | 'failure', reason: string, now: Date): Promise<boolean> {
      const rows = await database.query(
        `UPDATE foyer.call SET status = $2, reason = $3, ended_at = $4, owner = NULL
         WHERE sid = $1 AND (status = 'calling' OR (status = 'queued' AND $2 = 'failure')) RETURNING sid`,
        [sid, status, reason, now.toISOString()],
      )
      return rows.length > 0
    },
    /** Calls that wait since before `time`. */
    async queuedBefore(time: Date): Promise<string[]> {
      const rows = await database.query<{ sid: string }>(
        `SELECT sid FROM foyer.call WHERE status = 'queued' AND created_at <= $1 ORDER BY created_at LIMIT 200`,
        [time.toISOString()],
      )
      return rows.map((row) => row.sid)
    },
    /** Calls of processes that are gone, and those of `owner` that are not among the ones it has placed. */
    abandoned: (own?: { owner: string; placed: readonly string[] }): Promise<CallRow[]> =>
      database.query<CallRow>(
        `SELECT * FROM foyer.call WHERE status = 'calling' AND (owner NOT IN (SELECT id FROM foyer.process)
           OR (owner = $1 AND sid NOT IN (SELECT jsonb_array_elements_text($2::jsonb)))) LIMIT 200`,
        [own?.owner ?? null, JSON.stringify(own?.placed ?? [])],
      ),
    /** Conversations by voice that go on although no call does, begun before `time`: a kill left them. */
    async unattended(time: Date): Promise<string[]> {
      const rows = await database.query<{ id: string }>(
        `SELECT s.id FROM foyer.session AS s WHERE s.state = 'active' AND s.channel = 'VOICE-SIP'
         AND s.created_at <= $1 AND NOT EXISTS (
           SELECT 1 FROM foyer.call AS c WHERE c.conversation_id = s.id AND c.status = 'calling')
         ORDER BY s.created_at LIMIT 200`,
        [time.toISOString()],
      )
      return rows.map((row) => row.id)
    },
    /** Forgets what became of calls that ended before `time`. */
    async forgetEndedBefore(time: Date): Promise<void> {
      await database.query('DELETE FROM foyer.call WHERE ended_at < $1', [time.toISOString()])
    },
  }
}
