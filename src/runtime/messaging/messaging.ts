// Runs conversations by SMS and RCS: opens them for the API, takes in messages from phones, and sends messages to them.
//
//   API ─▶ open ─┐                                   ┌─▶ carrier ─▶ phone
//                ├─▶ session ─▶ agent ─▶ delivery ───┤
//   phone ─▶ receive                                 └─ not while the user has opted out

import { findConversation } from '../conversations/index.ts'
import type { Condition } from '../database/index.ts'
import { type IdleWarningDue, type MessageStored, textMessage } from '../sessions/index.ts'
import type { MessageCarrier, SendOutcome } from './carrier.ts'
import { createDeliveries, type DeliveriesOptions, GIVE_UP_AFTER_MS } from './deliveries.ts'
import { idleWarning } from './idle-warning.ts'
import { receiveMessage } from './inbound.ts'
import { type Opening, startConversation } from './opening.ts'
import { storeReceipt } from './receipt.ts'
import { dueDeliveries } from './store.ts'

/** Why nothing is sent where the runtime has no carrier. */
export const NO_CARRIER = 'No carrier is configured'

/** Characters of a cause that are repeated. */
const MOST_SHOWN = 500

/** The carrier cannot be used. The message is one sentence for its author. */
export class CarrierError extends Error {
  override name = 'CarrierError'
}

export interface Messaging {
  /** False without a carrier that sends: nothing can be sent. The first time that somebody asks then, the log says so. */
  canSend(): boolean
  /**
   * Opens a conversation with a message, or with the agent's greeting. An open conversation between the two
   * numbers ends.
   */
  open(opening: Opening): Promise<void>
  /** Queues a message for its phone, in the transaction that stores it. */
  messageStored(happening: MessageStored): Promise<void>
  /** Warns the user that the conversation will end, in the transaction that records the warning. */
  idleWarningDue(happening: IdleWarningDue): Promise<void>
  /** Sends the deliveries that are due again. */
  deliver(): void
  due(): Condition
  /** Sends no more messages. Resolves when the attempts that run have ended. */
  drain(): Promise<void>
  /** Stops taking in and sending. Resolves at the latest after `ms`. */
  stop(ms: number): Promise<void>
}

export type MessagingOptions = Omit<DeliveriesOptions, 'send' | 'leastAgeMs'> & {
  /** Without `send`, messages are refused. */
  carrier: Partial<MessageCarrier> | undefined
  /** Seconds from the warning of an idle conversation to its end. */
  textGraceSeconds: number
}

export function createMessaging(options: MessagingOptions): Messaging {
  const { database, sessions, carrier, textGraceSeconds, log } = options
  let warned = false
  function canSend(): boolean {
    if (carrier?.send) return true
    if (!warned)
      log(
        `${NO_CARRIER}: SMS and RCS messages are refused. Give createRuntime a carrier with the function send.`,
        'warn',
      )
    warned = true
    return false
  }
  /** Refuses a message that no process has sent. */
  async function refuse(): Promise<SendOutcome> {
    canSend()
    return { status: 'refused', reason: NO_CARRIER }
  }
  const deliveries = createDeliveries({
    ...options,
    send: async (message) => (carrier?.send ? carrier.send(message) : refuse()),
    // Another process may have a carrier: it has accepted what is stored, and may still send it.
    leastAgeMs: carrier?.send ? 0 : GIVE_UP_AFTER_MS,
  })
  const disconnect =
    carrier?.connect &&
    undoOf(() =>
      carrier.connect?.(
        (message) => receiveMessage(options, message),
        (receipt) => storeReceipt(options, receipt),
      ),
    )
  return {
    canSend,
    open: (opening) => startConversation(database, sessions, opening),
    messageStored: deliveries.messageStored,
    async idleWarningDue({ locked }) {
      const conversation = await findConversation(locked.tx, locked.session.id)
      const warning = idleWarning(conversation?.language ?? '', textGraceSeconds)
      await deliveries.send(locked, textMessage(locked.uuid(), warning))
      locked.log.respond(warning, locked.now, { agent: false })
    },
    deliver: deliveries.sendDue,
    due: () => dueDeliveries(new Date(options.clock.now())),
    drain: deliveries.drain,
    stop(ms) {
      disconnect?.()
      return deliveries.stop(ms)
    },
  }
}

/** What a carrier's `connect` returns. Throws a CarrierError. */
function undoOf(connect: () => unknown): () => void {
  let undo: unknown
  try {
    undo = connect()
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
    throw new CarrierError(`connect of the carrier threw: ${reason.slice(0, MOST_SHOWN)}`, { cause: error })
  }
  if (typeof undo === 'function') return undo as () => void
  // It may be a promise that rejects, which nobody waits for.
  Promise.resolve(undo).catch(() => {})
  throw new CarrierError('connect of the carrier must return a function, which undoes it, and no promise')
}
