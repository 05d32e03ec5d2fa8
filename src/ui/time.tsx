import type { VNode } from 'preact'

const MINUTE = 60_000
/** Making a format costs more than drawing a message, so the last one is kept; and so is its last minute, since many messages share one. */
let clock: { locale: string; format: Intl.DateTimeFormat; minute: number; text: string } | undefined

/** The time of day as people of the locale write it. */
export function clockTime(at: number, locale: string): string {
  if (clock?.locale !== locale) {
    const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
    clock = { locale, format, minute: Number.NaN, text: '' }
  }
  const minute = Math.floor(at / MINUTE)
  // The offsets of time zones are whole minutes.
  if (minute !== clock.minute) Object.assign(clock, { minute, text: clock.format.format(at) })
  return clock.text
}

/** When a message was sent. */
export const drawTime = (at: number, locale: string): VNode => (
  <time class="time" dateTime={new Date(at).toISOString()}>
    {clockTime(at, locale)}
  </time>
)

/** When a silence ended. */
export const drawSilence = (at: number, locale: string): VNode => (
  <time class="time between">{clockTime(at, locale)}</time>
)
