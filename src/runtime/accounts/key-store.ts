// Stores API keys and calling tokens, by their hashes.

import type { Queries } from '../database/index.ts'
import { hashOf } from './secret-store.ts'

export const PERMISSIONS = ['conversations', 'analytics', 'handoff', 'messaging'] as const
/** What a key may do. */
export type Permission = (typeof PERMISSIONS)[number]
/** What a key is for: `runtime` for the API for servers, `calling` for outbound calls. The API for servers refuses a `build` key. */
export type KeyKind = 'runtime' | 'build' | 'calling'

/** An API key without its secret: only the hash of the secret is stored. */
export type ApiKey = {
  id: string
  kind: KeyKind
  name: string
  region: string
  account_id: string
  /** Null: all projects of the account. */
  project_id: string | null
  /** The connector of a calling token. */
  connector_id: string | null
  permissions: Permission[]
  created_at: Date
  revoked_at: Date | null
}

const KEY_COLUMNS =
  'id, kind, name, region, account_id, project_id, connector_id, permissions, created_at, revoked_at'

export async function saveKey(db: Queries, key: ApiKey, secret: string): Promise<void> {
  await db.query(
    `INSERT INTO foyer.api_key (hash, ${KEY_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11)
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
}

/** Finds a key by its secret. Undefined if the key is unknown or revoked. */
export async function findKey(db: Queries, secret: string): Promise<ApiKey | undefined> {
  const [key] = await db.query<ApiKey>(
    `SELECT ${KEY_COLUMNS} FROM foyer.api_key WHERE hash = $1 AND revoked_at IS NULL`,
    [hashOf(secret)],
  )
  return key
}

export const listKeys = (db: Queries): Promise<ApiKey[]> =>
  db.query<ApiKey>(`SELECT ${KEY_COLUMNS} FROM foyer.api_key ORDER BY created_at, id`)

/** False if the key is unknown or was revoked before. */
export async function markKeyRevoked(db: Queries, id: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    'UPDATE foyer.api_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id',
    [id, now.toISOString()],
  )
  return rows.length > 0
}
