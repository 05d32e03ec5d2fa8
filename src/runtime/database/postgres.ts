// Connects to a PostgreSQL server, from version 15 up.

import pg from 'pg'
import type { Database } from './database.ts'
import { createPipeline, isStale } from './pipeline.ts'
import { createReads } from './reads.ts'

/**
 * A process that stands still in the middle of a transaction loses it, and its locks, before others take its work over (15 s). Set for each
 * transaction: behind a pooler the connection may be anybody's afterwards.
 */
const LIMIT_STANDSTILL = "SET LOCAL idle_in_transaction_session_timeout = '10s'"

/** The options of a pool of connections to PostgreSQL. */
export type PostgresOptions = {
  /** Connections of the pool, beside which there is one more. Default: 10. */
  connections?: number | undefined
  /** The most seconds for what one request of the API reads. Default: 15. */
  readSeconds?: number | undefined
}

export const DEFAULT_CONNECTIONS = 10
export const DEFAULT_READ_SECONDS = 15
/** So many reads go on at the same time however small the pool is. */
const LEAST_READS = 2

/** Opens a pool of connections to `url`. It connects at the first query. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const { connections = DEFAULT_CONNECTIONS, readSeconds = DEFAULT_READ_SECONDS } = options
  const pool = poolOf(url, connections)
  const apart = poolOf(url, 1)
  const pipeline = createPipeline((use) => onClient(pool, use), [LIMIT_STANDSTILL])
  const most = Math.max(LEAST_READS, Math.floor(connections / 3))
  return {
    ...pipeline,
    apart: createPipeline((use) => onClient(apart, use), [LIMIT_STANDSTILL]),
    reads: createReads(pipeline, { most, seconds: readSeconds }),
    async script(script) {
      await pool.query(script)
    },
    connections: () => ({ all: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await Promise.all([pool.end(), apart.end()])
    },
  }
}

function poolOf(url: string, max: number): pg.Pool {
  // A server that is gone without a word answers no probe either: what waits for it fails, instead of waiting for ever.
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  const pool = new pg.Pool({
    ...{ connectionString: url, max, application_name: 'foyer', pipeline: true },
    ...keepAlive,
  })
  // A connection that breaks fails its queries and is replaced. Without listeners its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function onClient<T>(pool: pg.Pool, use: (client: pg.Client) => Promise<T>): Promise<T> {
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
}
