import { dayOf } from './day-of.ts'

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
