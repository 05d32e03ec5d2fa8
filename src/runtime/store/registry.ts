// What is not a session: settings kept once and for all, connectors, running processes and their sockets.

import { createHash, randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

export type Connector = {
  id: string
  host: string
  allow_subdomains: boolean
  account_id: string
  project_id: string
  environment: string
}

export type Registry = ReturnType<typeof createRegistry>

/** Tokens are stored and looked up by this alone: the database never holds one. */
const hash = (token: string): string => createHash('sha256').update(token).digest('hex')

export function createRegistry(database: Database) {
  return {
    /** A secret that is made once and kept. Whoever comes second gets the first one's. */
    async secret(key: string): Promise<string> {
      await database.query('INSERT INTO foyer.setting (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        key,
        randomBytes(32).toString('base64url'),
      ])
      const [row] = await database.query<{ value: string }>(
        'SELECT value FROM foyer.setting WHERE key = $1',
        [key],
      )
      if (!row) throw new Error(`The setting ${key} could not be kept`)
      return row.value
    },

    async saveConnector(connector: Connector, token: string): Promise<void> {
      await database.query(
        `INSERT INTO foyer.connector (id, token_hash, host, allow_subdomains, account_id, project_id, environment)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash,
           host = excluded.host, allow_subdomains = excluded.allow_subdomains, account_id = excluded.account_id,
           project_id = excluded.project_id, environment = excluded.environment`,
        [
          connector.id,
          hash(token),
          connector.host,
          connector.allow_subdomains,
          connector.account_id,
          connector.project_id,
          connector.environment,
        ],
      )
    },

    /** By its token. The index compares hashes, whose order tells nothing about the token. */
    async findConnector(token: string): Promise<Connector | undefined> {
      const [row] = await database.query<Connector>('SELECT * FROM foyer.connector WHERE token_hash = $1', [
        hash(token),
      ])
      return row
    },

    /** Says that this process lives, and forgets those that have not said so since `deadBefore`. */
    async heartbeat(processId: string, now: Date, deadBefore: Date): Promise<void> {
      await database.query(
        'INSERT INTO foyer.process (id, seen_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = $2',
        [processId, now.toISOString()],
      )
      await database.query('DELETE FROM foyer.process WHERE seen_at < $1 AND id <> $2', [
        deadBefore.toISOString(),
        processId,
      ])
    },
    forgetProcess: (processId: string) =>
      database.query('DELETE FROM foyer.process WHERE id = $1', [processId]),

    /** Counts a socket in; false where the session has as many as it may. */
    async addSocket(id: string, sessionId: string, processId: string, most: number): Promise<boolean> {
      return database.transaction(async (tx) => {
        await tx.query('SELECT 1 FROM foyer.session WHERE id = $1 FOR UPDATE', [sessionId])
        const rows = await tx.query<{ n: number }>(
          'SELECT count(*)::integer AS n FROM foyer.socket WHERE session_id = $1',
          [sessionId],
        )
        if ((rows[0]?.n ?? 0) >= most) return false
        await tx.query('INSERT INTO foyer.socket (id, session_id, process_id) VALUES ($1, $2, $3)', [
          id,
          sessionId,
          processId,
        ])
        return true
      })
    },
    removeSocket: (id: string) => database.query('DELETE FROM foyer.socket WHERE id = $1', [id]),
  }
}
