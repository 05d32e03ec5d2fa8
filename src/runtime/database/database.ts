// Defines the interface to PostgreSQL. The SQL is the same for both drivers: PGlite in a worker thread, and a server.

export type QueryOptions = {
  /**
   * True: each connection parses and plans the statement once. For SQL whose text and best plan are always the same.
   */
  prepared?: boolean
}

/** Runs one statement with `$1`-style parameters. JSON columns come back parsed, timestamptz as Date. */
export interface Queries {
  query<T = Record<string, unknown>>(
    sql: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>
}

/** A condition in SQL, whose parameters begin at `$1`. */
export type Condition = { sql: string; params: readonly unknown[] }
export const ALWAYS: Condition = { sql: 'true', params: [] }

/** Runs the statements of one transaction in a pipeline: none waits for the answers of earlier ones. */
export interface Transaction extends Queries {
  /** Runs a statement without waiting for it. The next query or the commit rejects with its failure. */
  send(sql: string, params?: readonly unknown[], options?: QueryOptions): void
}

/** An open database. One of your own has to run SQL as PostgreSQL does. */
export interface Database extends Queries {
  /**
   * Runs `run` in one transaction: committed when the returned promise resolves, rolled back when it rejects. If a prepared
   * statement is stale and `run` has read no rows yet, it runs once more, from its beginning. `purpose`: for traces, without names or ids.
   */
  transaction<T>(run: (tx: Transaction) => Promise<T>, purpose?: string): Promise<T>
  /** A connection beside all others, for what may not wait for them: heartbeats and leases. Undefined: there is only one. */
  apart?: Queries
  /** Bounds what requests of the API read. */
  reads?: Reads
  /** Connections: all, those that nobody uses, and the requests that wait for one. */
  connections?(): { all: number; idle: number; waiting: number }
  /** Runs several statements without parameters. */
  script(sql: string): Promise<void>
  close(): Promise<void>
}

/** Runs one transaction, whose span in a trace says what it is for. */
export const inTransaction = <T>(
  database: Pick<Database, 'transaction'>,
  purpose: string,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> => database.transaction(run, purpose)

/** Reads of one request: its statements have one time together, in which they also wait for a connection. */
export type Reading = Queries & Pick<Database, 'transaction'>

/** Bounds the reads of the API. */
export interface Reads {
  /** For one request. Its reads reject with a ReadTimeout once its time is over. */
  begin(): Reading
}

/** Runs again, `tries` times in all, where a statement violated a unique index: another transaction was first. */
export async function retryOnConflict<T>(run: () => Promise<T>, tries: number): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await run()
    } catch (error) {
      if ((error as { code?: string }).code !== '23505' || left <= 1) throw error
    }
  }
}

/** True if another transaction held a lock for longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: string }).code === '55P03'

/** Formats a text[] literal for PostgreSQL, since drivers differ in how they send arrays. */
export const textArray = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
