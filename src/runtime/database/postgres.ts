// Connects to a PostgreSQL server, from version 15 up.

import pg from 'pg'
import type { Database } from './database.ts'
import { createPipeline, isStale } from './pipeline.ts'

/**
 * A process that stands still in the middle of a transaction loses it, and its locks, before others take its work over (15 s). Sent as a
 * statement, since poolers refuse parameters of a connection that they do not know.
 */
const LIMIT_STANDSTILL = "SET idle_in_transaction_session_timeout = '10s'"

/** Opens a pool of connections to `url`. It connects at the first query. */
export function openPostgres(url: string): Database {
  // A server that is gone without a word answers no probe either: what waits for it fails, instead of waiting for ever.
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  const pool = new pg.Pool({
    ...{ connectionString: url, max: 10, application_name: 'foyer', pipeline: true },
    ...keepAlive,
  })
  // A connection that breaks fails its queries and is replaced. Without listeners its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    client.query(LIMIT_STANDSTILL).catch(() => {})
  })
  return {
    ...createPipeline(async (use) => {
      const client = await pool.connect()
      let discard = true
      try {
        const result = await use(client)
        discard = false
        return result
      } catch (error) {
        // A rollback that failed leaves the transaction open.
        discard = isStale(error) || client.getTransactionStatus() !== 'I'
        throw error
      } finally {
        client.release(discard)
      }
    }),
    async script(script) {
      await pool.query(script)
    },
    connections: () => ({ all: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}
