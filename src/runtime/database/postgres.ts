// Connects to a PostgreSQL server, from version 15 up.

import pg from 'pg'
import { sendBatch } from './batch.ts'
import type { Database } from './database.ts'
import { runTransaction } from './transaction.ts'

/** Opens a pool of connections to `url`. It connects at the first query. */
export function openPostgres(url: string): Database {
  // A server that is gone without a word answers no probe either: what waits for it fails, instead of waiting for ever.
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'foyer', ...keepAlive })
  // A connection that breaks fails its queries and is replaced. Without listeners its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return {
    async query<T>(sql: string, params: readonly unknown[] = [], { prepared = false } = {}) {
      const client = await pool.connect()
      try {
        return (await sendBatch(client, [{ sql, params, prepared }]))[0] as T[]
      } finally {
        client.release()
      }
    },
    async script(script) {
      await pool.query(script)
    },
    async transaction(run) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        return await runTransaction(
          (statements) => sendBatch(client, statements),
          run,
          (error) => {
            broken = error as Error
          },
        )
      } finally {
        client.release(broken)
      }
    },
    close: () => pool.end(),
  }
}
