// Runs conversations by SMS and RCS: opens them for the API, takes in messages from phones, and sends messages to them.
//
//   API ─▶ open ─┐                                   ┌─▶ carrier ─▶ phone
//                ├─▶ session ─▶ agent ─▶ delivery ───┤
//   phone ─▶ receive                                 └─ not while the user has opted out

import { type IdleWarningDue, type MessageStored, textMessage } from '../sessions/index.ts'
import { createDeliveries, type DeliveriesOptions } from './deliveries.ts'
import { receiveMessage } from './inbound.ts'
import { type Opening, startConversation } from './opening.ts'
import { IDLE_WARNING } from './phone-text.ts'

export interface Messaging {
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
  /** Sends no more messages. Resolves when the attempts that run have ended. */
  drain(): Promise<void>
  /** Stops taking in and sending. Resolves at the latest after `ms`. */
  stop(ms: number): Promise<void>
}

export function createMessaging(options: DeliveriesOptions): Messaging {
  const { database, sessions, carrier } = options
  const deliveries = createDeliveries(options)
  const disconnect = carrier.connect((message) => receiveMessage(options, message))
  return {
    open: (opening) => startConversation(database, sessions, opening),
    messageStored: deliveries.messageStored,
    async idleWarningDue({ locked }) {
      await deliveries.send(locked, textMessage(locked.uuid(), IDLE_WARNING))
      locked.log.respond(IDLE_WARNING, locked.now, { agent: false })
    },
    deliver: deliveries.sendDue,
    drain: deliveries.drain,
    stop(ms) {
      disconnect()
      return deliveries.stop(ms)
    },
  }
}
