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
