const DAY = 86_400_000

/** Making a format costs more than drawing a message, so the last one is kept. */
let clock: { locale: string; format: Intl.DateTimeFormat } | undefined

/** The time of day as people of the locale write it. */
export function clockTime(at: number, locale: string): string {
  if (clock?.locale !== locale)
    clock = { locale, format: new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }) }
  return clock.format.format(at)
}

/** Days since 1970 by the calendar of this machine. */
export const dayOf = (at: number): number =>
  Math.floor((at - new Date(at).getTimezoneOffset() * 60_000) / DAY)
