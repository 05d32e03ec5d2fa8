// Carries the texts of the bus by PostgreSQL's NOTIFY, on one connection of its own.

import pg from 'pg'
import type { Log } from '../../api/index.ts'
import type { Queries } from '../database/index.ts'
import type { BusLink } from './bus.ts'

/** PostgreSQL takes less than 8,000. */
const MOST_BYTES = 7_500
const CHANNEL = 'foyer'
/** A connection that does not answer for so long is replaced. */
const PATIENCE_MS = 5_000
/** How often a connection is asked whether it is still there. */
const PROBE_MS = 10_000
/** The wait before a connection is made anew. */
const RETRY_MS = 1_000
/** Begins the text that asks whether notifications arrive at all. */
const CHECK = 'check '

const NOT_HEARD =
  'FOYER_DATABASE_URL leads through a pooler that keeps notifications away, so this process learns of what others do with a delay of seconds. Let the URL lead to PostgreSQL itself (or to a pool in session mode), or set REDIS_URL. A single process needs neither.'

/** The options of `createNotifyLink`. */
export type NotifyOptions = {
  /** Address of the PostgreSQL server. */
  url: string
  /** The pool that statements go through. */
  db: Queries
  /** Takes each line of the log. */
  log: Log
  /** Milliseconds for one answer. Default: 5,000. */
  patienceMs?: number
}

/** Carries news between processes by NOTIFY of PostgreSQL, on a connection of its own. */
export function createNotifyLink({ url, db, log, patienceMs = PATIENCE_MS }: NotifyOptions): BusLink {
  let client: pg.Client | undefined
  let heard: (text: string) => void = () => {}
  let lost = () => {}
  let closed = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let checked = () => {}
  /** Notifications come through the pool that statements go through. */
  let isHeard = false
  /** When the connection was lost; undefined: it is there. */
  let lostAt: number | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: 'foyer bus', keepAlive: true })
    const gone = () => {
      if (client === next) client = undefined
      clearInterval(probing)
      if (closed || retry) return
      if (lostAt === undefined) {
        lostAt = performance.now()
        log('the connection that hears other processes is lost: what they do shows after seconds', 'warn')
      }
      retry = setTimeout(() => {
        retry = undefined
        void connect().then(() => client && lost())
      }, RETRY_MS).unref()
    }
    const probing = setInterval(() => void ask(next, 'SELECT 1').catch(() => {}), PROBE_MS).unref()
    next.on('error', gone)
    next.on('end', gone)
    next.on('notification', ({ payload = '' }) => {
      if (payload.startsWith(CHECK)) checked()
      else heard(payload)
    })
    try {
      await inTime(next, next.connect())
      await ask(next, `LISTEN ${CHANNEL}`)
      if (closed) return void next.end()
      client = next
      if (lostAt !== undefined)
        log(`the connection that hears other processes is back after ${secondsSince(lostAt)} s`, 'info')
      lostAt = undefined
    } catch {
      cut(next)
      gone()
    }
  }

  const ask = (on: pg.Client, sql: string, params: unknown[] = []) => inTime(on, on.query(sql, params))

  /** Cuts a connection that does not answer in time. */
  async function inTime(on: pg.Client, work: Promise<unknown>): Promise<void> {
    const timer = setTimeout(() => cut(on), patienceMs)
    try {
      await work
    } finally {
      clearTimeout(timer)
    }
  }
  const cut = (on: pg.Client) => on.connection.stream.destroy(new Error('the connection was cut'))

  /** Whether notifications come through the pool that statements go through. */
  async function check(): Promise<void> {
    const arrived = new Promise<void>((resolve) => {
      checked = () => {
        isHeard = true
        resolve()
      }
    })
    const late = setTimeout(() => client && log(NOT_HEARD, 'warn'), patienceMs).unref()
    void arrived.then(() => clearTimeout(late))
    await db.query('SELECT pg_notify($1, $2)', [CHANNEL, `${CHECK}${Math.random()}`])
  }

  return {
    mostBytes: MOST_BYTES,
    isAway: () => !client || !isHeard,
    async open(onHeard, onLost) {
      heard = onHeard
      lost = onLost
      await connect()
      await check()
    },
    async send(text) {
      if (!client) throw new Error('The bus has no connection')
      await ask(client, 'SELECT pg_notify($1, $2)', [CHANNEL, text])
    },
    async close() {
      closed = true
      clearTimeout(retry)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}

const secondsSince = (at: number): number => Math.round((performance.now() - at) / 1000)
