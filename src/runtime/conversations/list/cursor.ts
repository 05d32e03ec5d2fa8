// Signs list positions as cursors, so that clients cannot forge one.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'

const searched = { asOf: v.number(), startedAt: v.number(), id: v.string() }
/** Where a page ended: of the list, of a search for words, of a semantic search. The moment `asOf` is that of a search's first page. */
const CursorPlace = v.union([
  v.strictObject({ at: v.number(), id: v.string() }),
  v.strictObject({ ...searched, first: v.number(), last: v.number(), rank: v.number() }),
  v.strictObject({ ...searched, distance: v.number() }),
])
export type CursorPlace = v.InferOutput<typeof CursorPlace>

/** `about`: the query that a cursor belongs to, in a form that is equal for equal queries. */
export interface Cursors {
  sign(place: CursorPlace, about: string): string
  /** Undefined if the cursor is malformed, or belongs to another query. */
  verify(cursor: string, about: string): CursorPlace | undefined
}

const SIGNATURE_BYTES = 16

/** The first key signs; every key verifies. */
export function createCursors(keys: readonly string[]): Cursors {
  const signature = (key: string, text: string, about: string) =>
    createHmac('sha256', key)
      .update(`${text}\n${createHash('sha256').update(about).digest('hex')}`)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  const [first = ''] = keys
  return {
    sign(place, about) {
      const text = JSON.stringify(place)
      return Buffer.concat([signature(first, text, about), Buffer.from(text)]).toString('base64url')
    },
    verify(cursor, about) {
      if (!/^[\w-]{24,1024}$/.test(cursor)) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      const [given, text] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES).toString()]
      if (!keys.some((key) => timingSafeEqual(signature(key, text, about), given))) return undefined
      const parsed = v.safeParse(CursorPlace, JSON.parse(text))
      return parsed.success ? parsed.output : undefined
    },
  }
}
