const DAY = 86_400_000

/** Days since 1970 by the calendar of this machine. */
export const dayOf = (at: number): number =>
  Math.floor((at - new Date(at).getTimezoneOffset() * 60_000) / DAY)
