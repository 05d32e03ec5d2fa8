// Defines the interface of a carrier for messages, which connects the runtime to phones by SMS and RCS.

import type { Attachment, CallAction, Suggestion } from '../../protocol/index.ts'
import type { Keyword } from './keywords.ts'

/** One message to a phone. */
export type TextMessage = {
  /** Identical in every attempt: carriers must deduplicate by it. */
  id: string
  /** The user's number, E.164. */
  to: string
  /** The number of the project, E.164. */
  from: string
  /** The text of an SMS. */
  text: string
  /** RCS only: the content that devices with RCS show instead of `text`. */
  rich?: {
    sender: string
    text: string
    /** At most 10 cards; one is shown as a card, more as a carousel. */
    cards: readonly Attachment[]
    /** At most 3 suggestions. */
    suggestions: readonly Suggestion[]
    callActions: readonly CallAction[]
  }
}

/** One message from a phone. */
export type InboundMessage = {
  /** Identical in every attempt of the carrier to deliver it: a second copy is dropped. */
  id: string
  channel: 'sms' | 'rcs'
  /** The user's number, E.164. */
  from: string
  /** The number of the project, E.164. */
  to: string
  /** May be empty, beside media, a location or a button. */
  text: string
  /**
   * What the carrier takes the message for, whatever its words and their language. A carrier that recognises keywords gives this in each
   * message, `undefined` in those that are none. Where it is missing, the runtime looks at the text.
   */
  keyword?: Keyword | undefined
  /** Pictures, sound and video, at the carrier. */
  media?: readonly { content_type: string; url: string }[]
  location?: { latitude: string; longitude: string; address: string; label: string }
  /** A tap on a button of a card. */
  button?: { payload: string; text: string; type: string }
}

/**
 * What became of a message. `accepted`: with the channel that the carrier used. `refused`: for good, such as at a landline; `reason`
 * is a sentence for people, which the log and the API show. `unknown`: the carrier cannot say whether it took the message, and sending it
 * again could double it.
 */
export type SendOutcome =
  | { status: 'accepted'; channel: 'sms' | 'rcs' }
  | { status: 'refused'; reason: string }
  | { status: 'unknown' }

/** What the carrier learned of a message after it took it. */
export type Receipt = {
  /** That of the `TextMessage`. */
  id: string
  status: 'delivered' | 'failed'
  /** A sentence for people: why it failed. */
  reason?: string | undefined
}

/** A carrier for SMS and RCS. */
export interface MessageCarrier {
  /**
   * Subscribes to inbound messages, and to receipts. Returns the undo. `report` takes receipts at any time, in any order and repeatedly, in
   * whatever process: `delivered` is final, and a receipt for a message that nobody knows is ignored. It resolves once the receipt is stored.
   */
  connect(
    receive: (message: InboundMessage) => Promise<void>,
    report: (receipt: Receipt) => Promise<void>,
  ): () => void
  /**
   * Resolves once the carrier has accepted or refused the message. Rejects if the runtime should send it again: the runtime tries for more
   * than an hour, also where this is silent for 30 seconds.
   */
  send(message: TextMessage): Promise<SendOutcome>
}
