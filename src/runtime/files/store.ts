// Stores the files of builds. Bodies travel as base64, which each driver passes on alike.

import { type Queries, textArray } from '../database/index.ts'

/** A file whose bytes never change under its name: the name has a hash of them, or a version. */
export type BuildFile = { name: string; type: string; body: Uint8Array<ArrayBuffer> }

/** Records that these files are in use. Returns the names of those that are stored. Locks them in one order. */
export async function touchFiles(db: Queries, names: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `WITH own AS (SELECT name FROM foyer.build_file WHERE name = ANY ($1::text[]) ORDER BY name FOR UPDATE)
     UPDATE foyer.build_file AS f SET seen_at = now() FROM own WHERE f.name = own.name RETURNING f.name`,
    [textArray(names)],
  )
  return rows.map(({ name }) => name)
}

export async function insertFile(db: Queries, { name, type, body }: BuildFile): Promise<void> {
  await db.query(
    `INSERT INTO foyer.build_file (name, type, body, seen_at) VALUES ($1, $2, decode($3, 'base64'), now())
     ON CONFLICT (name) DO NOTHING`,
    [name, type, Buffer.from(body).toString('base64')],
  )
}

/** Deletes files that no process has had for so many days, and the oldest above a sum of bytes. */
export async function forgetFiles(db: Queries, days: number, mostBytes: number): Promise<void> {
  await db.query(
    `DELETE FROM foyer.build_file WHERE seen_at < now() - $1::integer * interval '1 day' OR name IN (
       SELECT name FROM (SELECT name, sum(octet_length(body)) OVER (ORDER BY seen_at DESC, name) AS total
         FROM foyer.build_file) AS f WHERE total > $2)`,
    [days, mostBytes],
  )
}

/** Its type follows from its name: earlier builds read it from the row. */
export async function findFile(db: Queries, name: string): Promise<BuildFile['body'] | undefined> {
  const [row] = await db.query<{ body: string }>(
    `SELECT encode(body, 'base64') AS body FROM foyer.build_file WHERE name = $1`,
    [name],
  )
  return row && new Uint8Array(Buffer.from(row.body, 'base64'))
}
