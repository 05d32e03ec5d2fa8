// What is set up rather than said: secrets made once, projects, senders, connectors, keys, rates, processes.

import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'

export type Connector = {
  id: string
  host: string
  allow_subdomains: boolean
  account_id: string
  project_id: string
  environment: string
  outbound_calling: boolean
}

export type Variant = { id: string; name: string }

export type ProjectSettings = {
  /** Each new conversation gets one of them. */
  variants?: readonly Variant[]
  /** Messages a minute. */
  smsPerMinute?: number
  /** Calls a minute of the account, and calls at once. */
  callsPerMinute?: number
  callsAtOnce?: number
}

export type Project = {
  id: string
  slug: string
  account_id: string
  account_slug: string
  /** Whether the API shows what was said. */
  transcripts: boolean
  settings: ProjectSettings
}

export type Sender = { project_id: string; environment: string; kind: 'sms' | 'rcs'; address: string }

export const PERMISSIONS = ['conversations', 'analytics', 'handoff', 'messaging'] as const
export type Permission = (typeof PERMISSIONS)[number]
export type KeyKind = 'runtime' | 'build' | 'calling'

/** What is known of a key. The key itself is stored nowhere. */
export type ApiKey = {
  id: string
  kind: KeyKind
  name: string
  region: string
  account_id: string
  /** Null: all projects of the account. */
  project_id: string | null
  /** Of a calling token. */
  connector_id: string | null
  permissions: Permission[]
  created_at: Date
  revoked_at: Date | null
}

export type Registry = ReturnType<typeof createRegistry>

/** Tokens are stored and looked up by this alone: the store never holds one. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

const CONNECTOR = 'id, host, allow_subdomains, account_id, project_id, environment, outbound_calling'

/** What stands in the place of the hash of a token that was revoked; no token has such a hash. */
const REVOKED = "token_hash LIKE 'revoked %'"

const KEY =
  'id, kind, name, region, account_id, project_id, connector_id, permissions, created_at, revoked_at'

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

    async saveProject(project: Project): Promise<void> {
      await database.query(
        `INSERT INTO foyer.project (id, slug, account_id, account_slug, transcripts, settings)
         VALUES ($1, $2, $3, $4, $5, $6::jsonb) ON CONFLICT (id) DO UPDATE SET slug = excluded.slug,
           account_id = excluded.account_id, account_slug = excluded.account_slug,
           transcripts = excluded.transcripts, settings = excluded.settings`,
        [
          project.id,
          project.slug,
          project.account_id,
          project.account_slug,
          project.transcripts,
          JSON.stringify(project.settings),
        ],
      )
    },
    /** By either form of both names. */
    async findProject(account: string, project: string): Promise<Project | undefined> {
      const [row] = await database.query<Project>(
        `SELECT * FROM foyer.project WHERE (account_id = $1 OR account_slug = $1) AND (id = $2 OR slug = $2)
         ORDER BY id = $2 DESC LIMIT 1`,
        [account, project],
      )
      return row
    },
    /** The account that is meant, whether or not it has the project. */
    async findAccount(account: string): Promise<string | undefined> {
      const [row] = await database.query<{ account_id: string }>(
        'SELECT account_id FROM foyer.project WHERE account_id = $1 OR account_slug = $1 LIMIT 1',
        [account],
      )
      return row?.account_id
    },
    projects: (): Promise<Project[]> =>
      database.query<Project>('SELECT * FROM foyer.project ORDER BY account_id, id'),
    async projectOf(id: string): Promise<Project | undefined> {
      const [row] = await database.query<Project>('SELECT * FROM foyer.project WHERE id = $1', [id])
      return row
    },

    async saveSender(sender: Sender): Promise<void> {
      await database.query(
        `INSERT INTO foyer.sender (project_id, environment, kind, address) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [sender.project_id, sender.environment, sender.kind, sender.address],
      )
    },
    senders: (projectId: string, environment: string): Promise<Sender[]> =>
      database.query<Sender>(
        'SELECT * FROM foyer.sender WHERE project_id = $1 AND environment = $2 ORDER BY kind, address',
        [projectId, environment],
      ),
    /** Whose number it is that somebody wrote to. */
    async findSender(address: string): Promise<Sender | undefined> {
      const [row] = await database.query<Sender>(
        'SELECT * FROM foyer.sender WHERE address = $1 ORDER BY environment LIMIT 1',
        [address],
      )
      return row
    },

    async saveConnector(connector: Connector, token: string): Promise<void> {
      await database.query(
        `INSERT INTO foyer.connector
           (id, token_hash, host, allow_subdomains, account_id, project_id, environment, outbound_calling)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash,
           host = excluded.host, allow_subdomains = excluded.allow_subdomains, account_id = excluded.account_id,
           project_id = excluded.project_id, environment = excluded.environment,
           outbound_calling = excluded.outbound_calling`,
        [
          connector.id,
          hashOf(token),
          connector.host,
          connector.allow_subdomains,
          connector.account_id,
          connector.project_id,
          connector.environment,
          connector.outbound_calling,
        ],
      )
    },
    /** By its token. The index compares hashes, whose order tells nothing about the token. */
    async findConnector(token: string): Promise<Connector | undefined> {
      const [row] = await database.query<Connector>(
        `SELECT ${CONNECTOR} FROM foyer.connector WHERE token_hash = $1`,
        [hashOf(token)],
      )
      return row
    },
    /** Undefined where it is unknown or revoked. */
    async connectorOf(id: string): Promise<Connector | undefined> {
      const [row] = await database.query<Connector>(
        `SELECT ${CONNECTOR} FROM foyer.connector WHERE id = $1 AND NOT ${REVOKED}`,
        [id],
      )
      return row
    },
    /**
     * From now on nobody gets an access token with it, and those it gave are good for nothing: neither for a new
     * session nor for a socket of an old one. False where it is unknown or was revoked before.
     */
    async revokeConnector(id: string): Promise<boolean> {
      return database.transaction(async (tx) => {
        const rows = await tx.query(
          `UPDATE foyer.connector SET token_hash = 'revoked ' || id, outbound_calling = false
           WHERE id = $1 AND NOT ${REVOKED} RETURNING id`,
          [id],
        )
        // A statement of its own: it sees the sessions that the first one had to wait for.
        await tx.query(`UPDATE foyer.session SET token_id = '' WHERE connector_id = $1 AND token_id <> ''`, [
          id,
        ])
        return rows.length > 0
      })
    },
    /** All, also those that were revoked. */
    connectors: (): Promise<(Connector & { revoked: boolean })[]> =>
      database.query(`SELECT ${CONNECTOR}, ${REVOKED} AS revoked FROM foyer.connector ORDER BY id`),

    async saveKey(key: ApiKey, secret: string): Promise<void> {
      await database.query(
        `INSERT INTO foyer.api_key (hash, ${KEY}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11)
         ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, kind = excluded.kind, name = excluded.name,
           region = excluded.region, account_id = excluded.account_id, project_id = excluded.project_id,
           connector_id = excluded.connector_id, permissions = excluded.permissions`,
        [
          hashOf(secret),
          key.id,
          key.kind,
          key.name,
          key.region,
          key.account_id,
          key.project_id,
          key.connector_id,
          JSON.stringify(key.permissions),
          key.created_at.toISOString(),
          key.revoked_at?.toISOString() ?? null,
        ],
      )
    },
    /** By the key itself; undefined where it is unknown or revoked. */
    async findKey(secret: string): Promise<ApiKey | undefined> {
      const [row] = await database.query<ApiKey>(
        `SELECT ${KEY} FROM foyer.api_key WHERE hash = $1 AND revoked_at IS NULL`,
        [hashOf(secret)],
      )
      return row
    },
    keys: (): Promise<ApiKey[]> =>
      database.query<ApiKey>(`SELECT ${KEY} FROM foyer.api_key ORDER BY created_at, id`),
    async revokeKey(id: string, now: Date): Promise<boolean> {
      const rows = await database.query(
        'UPDATE foyer.api_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id',
        [id, now.toISOString()],
      )
      return rows.length > 0
    },

    /** Counts one more within a window of `seconds`. Returns the count, and the seconds until the next one. */
    async count(key: string, seconds: number, now: Date): Promise<{ count: number; wait: number }> {
      const start = Math.floor(now.getTime() / (seconds * 1000)) * seconds * 1000
      const [row] = await database.query<{ count: number }>(
        `INSERT INTO foyer.rate AS r (key, window_start, count) VALUES ($1, $2, 1) ON CONFLICT (key) DO UPDATE SET
           count = CASE WHEN r.window_start = excluded.window_start THEN r.count + 1 ELSE 1 END,
           window_start = excluded.window_start RETURNING count`,
        [key, new Date(start).toISOString()],
      )
      return { count: row?.count ?? 1, wait: Math.ceil((start + seconds * 1000 - now.getTime()) / 1000) }
    },
    forgetRates: (before: Date) =>
      database.query('DELETE FROM foyer.rate WHERE window_start < $1', [before.toISOString()]),

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
    async forgetProcess(processId: string): Promise<void> {
      await database.query('DELETE FROM foyer.process WHERE id = $1', [processId])
    },

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
    async removeSocket(id: string): Promise<void> {
      await database.query('DELETE FROM foyer.socket WHERE id = $1', [id])
    },
  }
}
