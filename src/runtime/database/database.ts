// The interface to PostgreSQL. There is one SQL and two drivers: PGlite in a worker thread, or a server.

/** Runs one statement with `$1`-style parameters. JSON columns come back parsed, timestamptz as Date. */
export interface Queries {
  query<T = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<T[]>
}

export interface Database extends Queries {
  /** Runs `run` in one transaction: committed when the returned promise resolves, rolled back when it rejects. */
  transaction<T>(run: (queries: Queries) => Promise<T>): Promise<T>
  /** Runs several statements without parameters. */
  script(sql: string): Promise<void>
  close(): Promise<void>
}

/** True where a statement broke a unique index: somebody else was quicker. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505'
