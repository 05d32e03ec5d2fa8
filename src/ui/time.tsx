import { useContext } from 'preact/hooks'
import { Panel } from './context.ts'

/** The time of day as people of the locale write it. */
export function clockTime(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(at)
}

/** When a message was sent: near it, or `between` two where a silence ended. */
export function Time({ at, between }: { at: number; between?: boolean }) {
  const { locale } = useContext(Panel)
  const text = clockTime(at, locale.value)
  if (between) return <time class="time between">{text}</time>
  return (
    <time class="time" dateTime={new Date(at).toISOString()}>
      {text}
    </time>
  )
}
