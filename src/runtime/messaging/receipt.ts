// Stores the carrier's receipts as metrics of the conversation: which messages reached the phone, and which did not.
//
//   none ──▶ failed ──▶ delivered, which is final
//     └──────────────────▶

import * as v from 'valibot'
import type { Meter } from '../../api/index.ts'
import type { Database } from '../database/index.ts'
import type { Sessions } from '../sessions/index.ts'
import type { Receipt } from './carrier.ts'
import { storeReason } from './deliveries.ts'
import { findOutbound, removeDelivery, saveReceipt } from './store.ts'

const RECEIPT = v.object({
  id: v.pipe(v.string(), v.maxLength(200), v.excludes('\0')),
  status: v.picklist(['delivered', 'failed']),
  reason: v.optional(v.string()),
})

export type ReceiptOptions = { database: Database; sessions: Sessions; meter: Meter }

/** Rejects with a TypeError if the receipt is none. Ignores one for a message that nobody knows, and one that says nothing new. */
export async function storeReceipt(
  { database, sessions, meter }: ReceiptOptions,
  given: Receipt,
): Promise<void> {
  const parsed = v.safeParse(RECEIPT, given)
  if (!parsed.success)
    throw new TypeError("A receipt must be { id, status: 'delivered' or 'failed', reason? }")
  const { id, status, reason } = parsed.output
  const saysNews = (before: Receipt['status'] | null) => before !== status && before !== 'delivered'
  // Most receipts that come again end here, without a lock.
  const outbound = await findOutbound(database, id)
  if (!outbound || !saysNews(outbound.receipt)) return
  const isNew = await sessions.commit(outbound.session_id, 'store a receipt', async (locked) => {
    const { tx, log } = locked
    if (!saysNews((await findOutbound(tx, id))?.receipt ?? null)) return false
    await saveReceipt(tx, { id, status })
    log.metric(`delivery_${status}`, id)
    if (status === 'failed' && reason) storeReason(locked, reason)
    // If it comes before the answer of `send`, which may be lost: the carrier had the message.
    await removeDelivery(tx, id)
    return true
  })
  if (isNew) meter.count('foyer_receipts_total', 1, { status })
}
