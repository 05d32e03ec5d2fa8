// Connects to a PostgreSQL server, from version 15 up.

import pg from 'pg'
import type { Database, Queries } from './database.ts'

/** Opens a pool of connections to `url`. It connects at the first query. */
export function openPostgres(url: string): Database {
  const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'foyer' })
  // An idle connection that breaks is replaced at the next query. Without a listener its error would end the process.
  pool.on('error', () => {})
  const over = (client: {
    query(sql: string, params?: unknown[]): Promise<{ rows: unknown[] }>
  }): Queries => ({
    query: async <T>(sql: string, params: readonly unknown[] = []) =>
      (await client.query(sql, [...params])).rows as T[],
  })
  return {
    ...over(pool),
    async script(script) {
      await pool.query(script)
    },
    async transaction(run) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('BEGIN')
        const result = await run(over(client))
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken = failure
        })
        throw error
      } finally {
        client.release(broken)
      }
    },
    close: () => pool.end(),
  }
}
