// A carrier: what stands between the runtime and phones. The runtime hands it messages and calls; what comes
// from phones, it hands to the runtime.

import type { Attachment, CallAction, Suggestion } from '../../protocol/index.ts'

/** One message to a phone. */
export type TextMessage = {
  /** The same for every attempt: a carrier that has seen it takes it for done. */
  id: string
  /** E.164. */
  to: string
  from: string
  /** What an SMS says. */
  text: string
  /** With RCS: what a device that has it shows instead. */
  rich?: {
    sender: string
    text: string
    /** At most 10; one is shown as a card, more as a carousel. */
    cards: readonly Attachment[]
    /** At most 3. */
    suggestions: readonly Suggestion[]
    callActions: readonly CallAction[]
  }
}

/** What came from a phone. The carrier knows the words that mean stop, start and help in every language. */
export type InboundMessage = {
  /** The same for every attempt of the carrier to deliver it. */
  id: string
  channel: 'sms' | 'rcs'
  from: string
  to: string
  text: string
  keyword?: 'STOP' | 'START' | 'HELP' | undefined
  media?: readonly { content_type: string; url: string }[]
  location?: { latitude: string; longitude: string; address: string; label: string }
  button?: { payload: string; text: string; type: string }
}

export type PhoneCall = {
  sid: string
  to: string
  from: string
  metadata: Readonly<Record<string, string>>
  encryption: string
}

/** The runtime's end of a call, once it is answered. */
export interface CallLine {
  /** Somebody picked up. Resolves to what the agent says first. */
  answered(): Promise<Said>
  /** What was said or keyed; nothing at all is a silence. Resolves to the agent's answer. */
  heard(input: { speech?: string; dtmf?: string }): Promise<Said>
}
export type Said = {
  /** Plain text, to be spoken. */
  text: string
  /** The agent ends the call with it. */
  hangUp: boolean
}

/** How a call ended. `completed`: it was answered and is over. The reason is a sentence that a person can read. */
export type CallOutcome = { status: 'completed' } | { status: 'failed'; reason: string }

export interface Carrier {
  /** Tells the carrier where to hand over what comes in. Returns the undo. */
  connect(receive: (message: InboundMessage) => Promise<void>): () => void
  /** Hands a message over. Resolves once the carrier has taken it, to the channel it went by; rejects where to try again. */
  send(message: TextMessage): Promise<'sms' | 'rcs'>
  /** Places a call and stays with it to its end. */
  call(call: PhoneCall, line: CallLine, signal: AbortSignal): Promise<CallOutcome>
}

/** Stands in where no carrier is configured: messages wait to be tried again, and every call fails with the reason. */
export const noCarrier: Carrier = {
  connect: () => () => {},
  send: () => Promise.reject(new Error('No carrier is configured')),
  call: async () => ({ status: 'failed', reason: 'No carrier is configured' }),
}
