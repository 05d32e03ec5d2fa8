import type { VNode } from 'preact'

/** Making a format costs more than drawing a message, so the last one is kept. */
let clock: { locale: string; format: Intl.DateTimeFormat } | undefined

/** The time of day as people of the locale write it. */
export function clockTime(at: number, locale: string): string {
  if (clock?.locale !== locale)
    clock = { locale, format: new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }) }
  return clock.format.format(at)
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
