// Runs conversations by SMS and RCS: what the API opens, what phones write, and what is sent to them.
//
//   API ─▶ open ─┐                                   ┌─▶ carrier ─▶ phone
//                ├─▶ session ─▶ agent ─▶ delivery ───┤
//   phone ─▶ receive                                 └─ not while the user has opted out

import { type IdleWarningDue, type MessageStored, textMessage } from '../sessions/index.ts'
import { createDeliveries, type DeliveriesOptions } from './deliveries.ts'
import { receiveMessage } from './inbound.ts'
import { type Opening, openConversation } from './opening.ts'
import { IDLE_WARNING } from './phone-text.ts'

export interface Messaging {
  /** Opens a conversation with a message, or with the agent's greeting. One that was open between the two ends. */
  open(opening: Opening): Promise<void>
  /** Sends a message that a transaction stores to its phone. */
  messageStored(happening: MessageStored): Promise<void>
  /** Tells the user, in the transaction that notes it, that the conversation will end. */
  idleWarningDue(happening: IdleWarningDue): Promise<void>
  /** Hands over the messages that are due again. */
  deliver(): void
  /** Takes in and sends nothing more. Resolves at the latest after `ms`. */
  stop(ms: number): Promise<void>
}

export function createMessaging(options: DeliveriesOptions): Messaging {
  const { database, sessions, carrier } = options
  const deliveries = createDeliveries(options)
  const disconnect = carrier.connect((message) => receiveMessage(options, message))
  return {
    open: (opening) => openConversation(database, sessions, opening),
    messageStored: deliveries.messageStored,
    async idleWarningDue({ locked }) {
      await deliveries.send(locked, textMessage(locked.uuid(), IDLE_WARNING))
      await locked.log.respond(IDLE_WARNING, locked.now, { agent: false })
    },
    deliver: deliveries.look,
    stop(ms) {
      disconnect()
      return deliveries.stop(ms)
    },
  }
}
