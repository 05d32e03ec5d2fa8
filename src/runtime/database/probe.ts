// Tells, before a start or a command, whether a server can work on a PostgreSQL database. It changes nothing there.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Schema, schemaState } from './schema-runner.ts'

const PATIENCE_MS = 5_000
const OLDEST = 150_000

export type PostgresProbe = {
  /** Such as 16.3. */
  version: string
  supported: boolean
  /** `later`: a later build wrote the tables, or something else than Foyer did. */
  tables: 'none' | 'older' | 'current' | 'later'
  /** Whether the user may make or change the tables, or use those that are current. */
  allowed: boolean
  /** Whether a connection hears what another one notifies, which transaction poolers prevent. */
  hears: boolean
  /** Milliseconds by which the machine's clock is ahead of the database's. */
  clockAheadMs: number
}

/** Rejects if the database cannot be reached within seconds. */
export async function probePostgres(url: string, schemas: readonly Schema[]): Promise<PostgresProbe> {
  const [client, other] = [open(url), open(url)]
  try {
    await Promise.all([client.connect(), other.connect()])
    const before = Date.now()
    const { rows } = await client.query<Facts>(FACTS)
    const after = Date.now()
    const [facts] = rows
    if (!facts) throw new Error('the server answers no query')
    const tables = facts.made ? await stateOf(client, schemas) : 'none'
    return {
      version: facts.version.split(' ')[0] ?? '',
      supported: facts.number >= OLDEST,
      tables,
      allowed: tables === 'current' ? facts.may_use : facts.may_change,
      hears: await hears(client, other),
      clockAheadMs: Math.round((before + after) / 2 - facts.now_ms),
    }
  } finally {
    await Promise.all([client.end(), other.end()].map((ended) => ended.catch(() => {})))
  }
}

/** Rejects within seconds if no PostgreSQL server answers: a pool would wait for one without an end. */
export async function reachPostgres(url: string): Promise<void> {
  const client = open(url)
  await client.connect()
  await client.end()
}

type Facts = {
  version: string
  number: number
  now_ms: number
  made: boolean
  may_change: boolean
  may_use: boolean
}

/** A new schema, and the steps of a migration, need the right to create schemas: CREATE SCHEMA IF NOT EXISTS checks it first. */
const FACTS = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
    (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now_ms,
    count(c.oid) > 0 AS made,
    has_database_privilege(current_database(), 'CREATE')
      AND coalesce(has_schema_privilege(to_regnamespace('foyer')::oid, 'CREATE'), true)
      AND coalesce(bool_and(pg_has_role(c.relowner, 'USAGE')), true) AS may_change,
    coalesce(has_schema_privilege(to_regnamespace('foyer')::oid, 'USAGE'), true)
      AND coalesce(bool_and(has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
        AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')), true) AS may_use
  FROM pg_database AS d LEFT JOIN pg_class AS c ON c.relnamespace = to_regnamespace('foyer') AND c.relkind = 'r'
  WHERE d.datname = current_database()`

function open(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: 'foyer check',
  })
  // Its queries reject with the error.
  client.on('error', () => {})
  return client
}

async function stateOf(client: pg.Client, schemas: readonly Schema[]): Promise<PostgresProbe['tables']> {
  try {
    return await schemaState({ query: async (sql) => (await client.query(sql)).rows }, schemas)
  } catch (error) {
    // 42P01 and 42703: the tables are not those of this Foyer. Without the right to read them they are of another user.
    if (/^(42P01|42703)$/.test((error as { code?: string }).code ?? '')) return 'later'
    return 'older'
  }
}

async function hears(client: pg.Client, other: pg.Client): Promise<boolean> {
  const channel = `foyer_check_${randomBytes(6).toString('hex')}`
  let late: ReturnType<typeof setTimeout> | undefined
  const heard = new Promise<boolean>((resolve) => {
    late = setTimeout(() => resolve(false), PATIENCE_MS)
    client.once('notification', () => resolve(true))
  })
  await client.query(`LISTEN ${channel}`)
  // On another connection: a pooler may bring a connection's own notifications back.
  await other.query('SELECT pg_notify($1, $2)', [channel, ''])
  const answer = await heard
  clearTimeout(late)
  return answer
}
