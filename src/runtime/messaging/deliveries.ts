// Hands outbound messages to the carrier. Each is stored with its event, claimed by one process, and retried until the
// carrier accepts or refuses it.
//
//   message stored ─▶ delivery (same transaction) ─▶ commit ─▶ claim ─▶ carrier.send ─┬─▶ accepted: removed
//                                                      ▲                              ├─▶ refused: removed, a metric says why
//                                                      │                              ├─▶ unknown: removed, a metric says so
//                                                      └── later, up to an hour ◀─────┘ rejects or silent

import { isObject, isText, type Log, type LogFailure, type Meter } from '../../api/index.ts'
import { type Clock, inTime } from '../clock.ts'
import { findConversation } from '../conversations/index.ts'
import type { Database } from '../database/index.ts'
import { createRunner } from '../jobs/index.ts'
import { type Redaction, shortReason } from '../redact.ts'
import type { LockedSession, MessageStored, OutgoingMessage, Sessions } from '../sessions/index.ts'
import type { MessageCarrier, SendOutcome } from './carrier.ts'
import { carrierCause, createCarrierHealth, shownReason } from './carrier-health.ts'
import { MOST_CARDS, phoneText } from './phone-text.ts'
import {
  claimDelivery,
  type Delivery,
  insertDelivery,
  isOptedOut,
  removeDelivery,
  rescheduleDelivery,
} from './store.ts'

const MOST_AT_ONCE = 8
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60_000
/** The least time and the fewest attempts before a message is given up. */
export const GIVE_UP_AFTER_MS = 3_600_000
const LEAST_ATTEMPTS = 6
const SEND_TIMEOUT_MS = 30_000
/** The metric of a conversation that says why a message of it did not reach the phone. */
const UNDELIVERED = 'undelivered'
/** The metric of a conversation with the ids of messages of which the carrier cannot say whether it took them. */
const UNKNOWN = 'delivery_unknown'

export interface Deliveries {
  /**
   * Queues the delivery of a message, in the transaction that stores it. Does nothing in a chat, which has no
   * phone.
   */
  messageStored(happening: MessageStored): Promise<void>
  send(locked: LockedSession, message: OutgoingMessage): Promise<void>
  /** Sends the deliveries that are due. */
  sendDue(): void
  /** Begins no more attempts. Resolves when those that run have ended. */
  drain(): Promise<void>
  /** Resolves when no attempt is running, at the latest after `ms`. The runtime retries the rest later. */
  stop(ms: number): Promise<void>
}

export type DeliveriesOptions = {
  database: Database
  sessions: Sessions
  /** Hands a message to the carrier. */
  send: MessageCarrier['send']
  /** Only deliveries that were stored so long ago are claimed. */
  leastAgeMs: number
  clock: Clock
  redact: Redaction
  processId: string
  log: Log
  logFailure: LogFailure
  meter: Meter
}

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { database, sessions, leastAgeMs, clock, redact, processId, log, logFailure, meter } = options
  const health = createCarrierHealth(options)
  const count = (outcome: 'accepted' | 'refused' | 'unknown' | 'retried' | 'given up') =>
    meter.count('foyer_deliveries_total', 1, { outcome })

  const runner = createRunner<Delivery>(
    {
      name: 'a delivery',
      atOnce: MOST_AT_ONCE,
      idOf: ({ id }) => id,
      claim(held) {
        const now = clock.now()
        const times = { now: new Date(now), storedBy: new Date(now - leastAgeMs) }
        return claimDelivery(database, processId, times, held)
      },
      run: handOver,
    },
    { clock, logFailure },
  )

  async function handOver(delivery: Delivery): Promise<void> {
    const { id, session_id: sessionId, message } = delivery
    if (await isOptedOut(database, message.to, message.from)) return void (await removeDelivery(database, id))
    const channel = (await findConversation(database, sessionId))?.channel
    try {
      // Once a conversation fell back to SMS, it stays there.
      const { rich, ...sms } = message
      const sending = options.send(rich && channel === 'RCS' ? { ...sms, rich } : sms)
      // A retry is safe: the carrier knows the message by its id.
      const answer = await inTime(clock, SEND_TIMEOUT_MS, sending, 'The carrier did not answer').catch(
        (error: unknown) => {
          health.failed(error, message.to)
          throw new Error(carrierCause(redact, error, message.to))
        },
      )
      health.answered()
      const outcome = outcomeOf(answer)
      if (outcome.status === 'refused') {
        await giveUp(delivery, (locked) => storeReason(locked, outcome.reason))
        count('refused')
        const reason = shownReason(redact, outcome.reason, message.to)
        return log(`the carrier refused a message: ${reason}`, 'warn')
      }
      if (outcome.status === 'unknown') {
        await giveUp(delivery, (locked) => locked.log.metric(UNKNOWN, id))
        count('unknown')
        const why =
          outcome === answer ? 'cannot say' : 'answered send with no SendOutcome, which does not say'
        return log(
          `the carrier ${why} whether it took a message of ${sessionId}: it is not sent again`,
          'warn',
        )
      }
      if (channel === 'RCS' && outcome.channel === 'sms')
        await sessions.commit(sessionId, 'fall back to SMS', async ({ log: conversation }) =>
          conversation.channel('SMS'),
        )
      await removeDelivery(database, id)
      count('accepted')
    } catch (error) {
      await retryDelivery(delivery, error instanceof Error ? error.message : 'unknown error')
    }
  }

  /** Removes a delivery, so that the next of its conversation is sent, and tells the sender by a metric, unless a receipt removed it. */
  async function giveUp(
    { id, session_id: sessionId }: Delivery,
    tell: (locked: LockedSession) => void,
  ): Promise<void> {
    await sessions.commit(sessionId, 'give a delivery up', async (locked) => {
      if (await removeDelivery(locked.tx, id)) tell(locked)
    })
  }

  async function retryDelivery(delivery: Delivery, reason: string): Promise<void> {
    const { id, attempts, created_at } = delivery
    const attemptsSoFar = attempts + 1
    if (attemptsSoFar >= LEAST_ATTEMPTS && clock.now() - created_at.getTime() > GIVE_UP_AFTER_MS) {
      log(`a message was given up after ${attemptsSoFar} attempts: ${reason}`)
      count('given up')
      return giveUp(delivery, (locked) =>
        storeReason(locked, 'The carrier did not take the message for more than an hour.'),
      )
    }
    count('retried')
    const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS)
    await rescheduleDelivery(database, processId, id, new Date(clock.now() + wait))
  }

  async function send(locked: LockedSession, message: OutgoingMessage): Promise<void> {
    const { tx, session, redact, now } = locked
    const { length } = message.attachments
    if (session.conversation.channel === 'RCS' && length > MOST_CARDS)
      log(
        `an RCS message has ${length} attachments: devices with RCS show the first ${MOST_CARDS} as cards`,
        'warn',
      )
    await insertDelivery(tx, session.id, redact.deep(phoneText(session.conversation, message)), now)
    locked.afterCommit(runner.claimDue)
  }

  return {
    send,
    async messageStored({ locked, message }) {
      if (locked.session.family === 'messaging') await send(locked, message)
    },
    sendDue: runner.claimDue,
    drain: runner.drain,
    stop: runner.stop,
  }
}

/** What a carrier answered. Anything else than an outcome says nothing: it may have taken the message. */
function outcomeOf(answer: SendOutcome): SendOutcome {
  const { status, reason } = isObject(answer) ? (answer as Record<string, unknown>) : {}
  if (status === 'refused') return { status, reason: isText(reason) ? reason : 'The carrier gave no reason.' }
  return status === 'accepted' || status === 'unknown' ? answer : { status: 'unknown' }
}

/** Tells the sender why a message did not reach the phone. */
export function storeReason({ log, redact }: LockedSession, reason: string): void {
  log.metric(UNDELIVERED, shortReason(redact, reason))
}
