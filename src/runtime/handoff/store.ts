// What an agent stored when it handed a conversation off, and where that conversation stands at the desk.

import type { Database, Queries } from '../database/database.ts'

export type DeskAgent = { id: string; name: string; avatar_url?: string | undefined }

/** `away`: handed off elsewhere. `waiting`: in the desk's queue. `taken`: somebody talks. `done`: over. */
export type HandoffStateName = 'away' | 'waiting' | 'taken' | 'done'

export type HandoffRow = {
  conversation_id: string
  project_id: string
  shared_id: string | null
  data: Record<string, unknown>
  queue_name: string
  created_at: Date
  state: HandoffStateName
  queued_at: Date | null
  taken_at: Date | null
  desk_agent: DeskAgent | null
  /** The place in the queue that the visitor was told last. */
  told_position: number | null
}

/** The writer of one conversation's handoff, within a transaction. */
export interface HandoffWriter {
  find(): Promise<HandoffRow | undefined>
  save(handoff: Omit<HandoffRow, 'conversation_id' | 'told_position'>): Promise<void>
  change(
    changes: Partial<
      Pick<HandoffRow, 'state' | 'queue_name' | 'queued_at' | 'taken_at' | 'desk_agent' | 'told_position'>
    >,
  ): Promise<void>
}

export type Handoffs = ReturnType<typeof createHandoffs>

export function createHandoffWriter(tx: Queries, id: string): HandoffWriter {
  return {
    async find() {
      const [row] = await tx.query<HandoffRow>('SELECT * FROM foyer.handoff WHERE conversation_id = $1', [id])
      return row
    },
    async save(handoff) {
      await tx.query(
        `INSERT INTO foyer.handoff (conversation_id, project_id, shared_id, data, queue_name, created_at, state,
           queued_at, taken_at, desk_agent) VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9, $10::jsonb)
         ON CONFLICT (conversation_id) DO UPDATE SET shared_id = excluded.shared_id, data = excluded.data,
           queue_name = excluded.queue_name, created_at = excluded.created_at, state = excluded.state,
           queued_at = excluded.queued_at, taken_at = excluded.taken_at, desk_agent = excluded.desk_agent,
           told_position = NULL`,
        [
          id,
          handoff.project_id,
          handoff.shared_id,
          JSON.stringify(handoff.data),
          handoff.queue_name,
          handoff.created_at.toISOString(),
          handoff.state,
          handoff.queued_at?.toISOString() ?? null,
          handoff.taken_at?.toISOString() ?? null,
          handoff.desk_agent && JSON.stringify(handoff.desk_agent),
        ],
      )
    },
    async change(changes) {
      const entries = Object.entries(changes)
      const sets = entries.map(
        ([name], index) => `${name} = $${index + 2}${name === 'desk_agent' ? '::jsonb' : ''}`,
      )
      const values = entries.map(([, value]) => {
        if (value instanceof Date) return value.toISOString()
        return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
      })
      await tx.query(`UPDATE foyer.handoff SET ${sets.join(', ')} WHERE conversation_id = $1`, [
        id,
        ...values,
      ])
    },
  }
}

export function createHandoffs(database: Database) {
  return {
    /** By the conversation, or by the newest that has this identifier of the integrator's. */
    async find(
      projectId: string,
      by: { id: string } | { sharedId: string },
    ): Promise<HandoffRow | undefined> {
      const [row] = await database.query<HandoffRow>(
        `SELECT * FROM foyer.handoff WHERE project_id = $1 AND ${'id' in by ? 'conversation_id' : 'shared_id'} = $2
         ORDER BY created_at DESC LIMIT 1`,
        [projectId, 'id' in by ? by.id : by.sharedId],
      )
      return row
    },
    /** All that wait at the desk or are talked to there, those who wait longest first. */
    open: (): Promise<HandoffRow[]> =>
      database.query<HandoffRow>(
        `SELECT * FROM foyer.handoff WHERE state IN ('waiting', 'taken') ORDER BY queued_at, conversation_id`,
      ),
    /** How long each of the last twenty waited, in seconds. */
    async waits(): Promise<number[]> {
      const rows = await database.query<{ wait: number }>(
        `SELECT extract(epoch FROM taken_at - queued_at)::double precision AS wait FROM foyer.handoff
         WHERE taken_at IS NOT NULL ORDER BY taken_at DESC LIMIT 20`,
      )
      return rows.map((row) => row.wait)
    },
  }
}
