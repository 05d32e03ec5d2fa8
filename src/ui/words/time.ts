// Writes days and times as people of a locale do.

const DAY = 86_400_000

/** Days since 1970 by the calendar of this machine. */
export const dayOf = (at: number): number =>
  Math.floor((at - new Date(at).getTimezoneOffset() * 60_000) / DAY)

/** “Today”, “yesterday”, a weekday of the last week, or a date, as the locale writes them. */
export function dayText(at: number, now: number, locale: string): string {
  const ago = dayOf(now) - dayOf(at)
  if (ago === 0 || ago === 1) {
    const text = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-ago, 'day')
    return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
  }
  const isNear = ago > 1 && ago < 7
  return new Intl.DateTimeFormat(
    locale,
    isNear ? { weekday: 'long' } : { day: 'numeric', month: 'long', year: 'numeric' },
  ).format(at)
}

/** Minutes and seconds such as `1:05`, in the digits of the locale. */
export function countdown(seconds: number, locale: string): string {
  const two = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 })
  return `${new Intl.NumberFormat(locale).format(Math.floor(seconds / 60))}:${two.format(seconds % 60)}`
}

/** Making a format costs more than drawing a message, so the last one is kept; and so is its text, which many messages share. */
let last: { locale: string; format: Intl.DateTimeFormat; minute?: number; text?: string } | undefined

/** The time of day as people of the locale write it. */
export function clockTime(at: number, locale: string): string {
  if (last?.locale !== locale)
    last = { locale, format: new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }) }
  const minute = Math.floor(at / 60_000)
  if (last.minute !== minute) Object.assign(last, { minute, text: last.format.format(at) })
  return last.text as string
}
