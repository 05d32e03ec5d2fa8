// Names the header that identifies a request in its answer, in logs and in traces, and reads what a client put into it.

export const correlationHeaderOf = (headerPrefix: string): string => `X-${headerPrefix}-Correlation-Id`

/** The correlation id that a client gave; undefined if it is not a valid one. */
export const correlationOf = (given: string | undefined): string | undefined =>
  given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : undefined
