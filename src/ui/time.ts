const DAY = 86_400_000

/** The time of day as people of the locale write it. */
export function clockTime(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(at)
}

/** Days since 1970 by the calendar of this machine. */
export const dayOf = (at: number): number =>
  Math.floor((at - new Date(at).getTimezoneOffset() * 60_000) / DAY)
