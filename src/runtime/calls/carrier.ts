// The interface of a carrier for calls: what stands between the runtime and the phones that it rings.

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
  /** Somebody spoke or keyed digits; neither is a silence. Resolves to the agent's answer. */
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

export interface CallCarrier {
  /** Places a call and stays with it to its end. */
  call(call: PhoneCall, line: CallLine, signal: AbortSignal): Promise<CallOutcome>
}

/** Stands in where no carrier is configured: every call fails with the reason. */
export const noCallCarrier: CallCarrier = {
  call: async () => ({ status: 'failed', reason: 'No carrier is configured' }),
}
