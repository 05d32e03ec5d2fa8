// The time of the desk's page: one signal that beats each second, and how times read.

import { signal } from '@preact/signals'

export const now = signal(Date.now())

/** Beats until undone. */
export function beat(): () => void {
  const timer = setInterval(() => {
    now.value = Date.now()
  }, 1_000)
  return () => clearInterval(timer)
}

/** Minutes and seconds since `from` (ISO 8601), from an hour on with hours. */
export function since(from: string, at = now.value): { seconds: number; text: string } {
  const seconds = Math.max(0, Math.floor((at - Date.parse(from)) / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  const text = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
  return { seconds, text }
}

const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' })

export const clockTime = (at: number): string => time.format(at)
/** The day, where it is not today. */
export const dayOf = (at: number): string =>
  new Date(at).toDateString() === new Date(now.peek()).toDateString() ? '' : day.format(at)
