// Defines the interface of a carrier for calls, which connects the runtime to phones.

export type PhoneCall = {
  sid: string
  to: string
  from: string
  metadata: Readonly<Record<string, string>>
  encryption: string
}

/** The runtime's end of a call, once it is answered. */
export interface CallLeg {
  /** The user picked up. Resolves to the agent's first words. */
  answered(): Promise<SpokenAnswer>
  /** The user spoke or keyed digits; an input with neither is a silence. Resolves to the agent's answer. */
  heard(input: { speech?: string; dtmf?: string }): Promise<SpokenAnswer>
}
export type SpokenAnswer = {
  /** Plain text, to be spoken. */
  text: string
  /** True: the carrier hangs up after these words. */
  hangUp: boolean
}

/** How a call ended. `completed`: it was answered. `reason` is a sentence for people. */
export type CallOutcome = { status: 'completed' } | { status: 'failed'; reason: string }

export interface CallCarrier {
  /** Places a call. Resolves when the call has ended. */
  call(call: PhoneCall, line: CallLeg, signal: AbortSignal): Promise<CallOutcome>
}

/** How every call ends if no carrier is configured, or one that places no calls. */
export const NO_CARRIER: CallOutcome = { status: 'failed', reason: 'No carrier is configured' }
