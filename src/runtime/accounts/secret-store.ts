// Keeps secrets that are generated once, and hashes the tokens that the database must not hold.

import { createHash, randomBytes } from 'node:crypto'
import type { Queries } from '../database/index.ts'

/** Hashes a connector token or an API key, which is stored and looked up by this hash alone. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Returns the secret of this name; the first call generates it. Concurrent callers get the same one. */
export async function keptSecret(db: Queries, name: string): Promise<string> {
  // An update that changes nothing, because DO NOTHING returns no row if the secret exists.
  const [secret] = await db.query<{ value: string }>(
    `INSERT INTO foyer.setting AS kept (key, value) VALUES ($1, $2)
     ON CONFLICT (key) DO UPDATE SET value = kept.value RETURNING value`,
    [name, randomBytes(32).toString('base64url')],
  )
  if (!secret) throw new Error(`The secret ${name} could not be stored`)
  return secret.value
}
