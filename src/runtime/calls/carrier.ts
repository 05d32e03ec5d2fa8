// Defines the interface of a carrier for calls, which connects the runtime to phones.

/** A call to place. */
export type PhoneCall = {
  /** The SID of the call, by which `runtime.leg` finds it. */
  sid: string
  /** The user's number, E.164. */
  to: string
  /** The number from which the project sends SMS, E.164; empty where it has none. */
  from: string
  /** What the caller of the API sent beside the number. */
  metadata: Readonly<Record<string, string>>
  /** The encryption that the caller of the API asks for, such as `TLS/SRTP`. */
  encryption: string
}

/** The runtime's end of a call, once it is answered. */
export interface CallLeg {
  /** The user picked up. Resolves to the agent's first words. */
  answered(): Promise<SpokenAnswer>
  /** The user spoke or keyed digits; an input with neither is a silence. Resolves to the agent's answer. */
  heard(input: { speech?: string; dtmf?: string }): Promise<SpokenAnswer>
}
/** What the agent says in a call. */
export type SpokenAnswer = {
  /** Plain text, to be spoken. */
  text: string
  /** True: the carrier hangs up after these words. */
  hangUp: boolean
}

/** How a call ended. `completed`: it was answered. `reason` is a sentence for people. */
export type CallOutcome = { status: 'completed' } | { status: 'failed'; reason: string }

/** A carrier for calls. */
export interface CallCarrier {
  /** Places a call. Resolves when the call has ended. Hang up where `signal` is aborted. */
  call(call: PhoneCall, line: CallLeg, signal: AbortSignal): Promise<CallOutcome>
}

/** How every call ends if no carrier is configured, or one that places no calls. */
export const NO_CARRIER: CallOutcome = { status: 'failed', reason: 'No carrier is configured' }
