// Reads office hours such as `Mon-Fri 09:00-17:00; Sat 10:00-14:00`, in a time zone: whether the office is open, and when it opens.

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const DAY_MINUTES = 24 * 60
const MOST_RANGES = 20

/** Minutes since midnight, on days from Sunday (0). `until` may be the next midnight (1440). */
type Range = { days: readonly number[]; from: number; until: number }

/** Undefined where nothing of the text can be used: then no hours hold. */
export function readHours(text: string | undefined): readonly Range[] | undefined {
  const ranges = (text ?? '')
    .toLowerCase()
    .replace(/[–—]/g, '-')
    .split(/[;,]/, MOST_RANGES)
    .flatMap((part): Range[] => {
      const match = /^\s*([a-z]{3})(?:\s*-\s*([a-z]{3}))?\s+(\d\d?):(\d\d)\s*-\s*(\d\d?):(\d\d)\s*$/.exec(
        part,
      )
      if (!match) return []
      const [, first = '', last = first] = match
      const [from, until] = [minutes(match[3], match[4]), minutes(match[5], match[6])]
      const days = daysFrom(DAYS.indexOf(first), DAYS.indexOf(last))
      return days.length > 0 && from < until && until <= DAY_MINUTES ? [{ days, from, until }] : []
    })
  return ranges.length > 0 ? ranges : undefined
}

const minutes = (hours: string | undefined, rest: string | undefined): number =>
  Number(hours) * 60 + Number(rest)

function daysFrom(first: number, last: number): number[] {
  if (first < 0 || last < 0) return []
  const count = ((last - first + 7) % 7) + 1
  return Array.from({ length: count }, (_, index) => (first + index) % 7)
}

/**
 * When the hours next begin, in milliseconds since 1970; undefined while they hold, and where there are none. A time zone that is not known is the
 * visitor's.
 */
export function opensAt(
  ranges: readonly Range[] | undefined,
  zone: string | undefined,
  now: number,
): number | undefined {
  if (!ranges) return undefined
  const local = inZone(now, zone)
  const midnight = local - mod(local, DAY_MINUTES * 60_000)
  const today = new Date(local).getUTCDay()
  const at = (local - midnight) / 60_000
  const holds = ranges.some(({ days, from, until }) => days.includes(today) && at >= from && at < until)
  if (holds) return undefined
  const begins: number[] = []
  for (let day = 0; day <= 7; day++)
    for (const { days, from } of ranges)
      if (days.includes((today + day) % 7)) begins.push(midnight + (day * DAY_MINUTES + from) * 60_000)
  const next = Math.min(...begins.filter((begin) => begin > local))
  // The zone may be at another distance by then.
  const guess = next - (local - now)
  return next - (inZone(guess, zone) - guess)
}

const mod = (value: number, by: number): number => ((value % by) + by) % by

/** The wall clock of a zone, as if it were UTC. */
function inZone(time: number, zone: string | undefined): number {
  const parts = formatter(zone).formatToParts(time)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

function formatter(zone: string | undefined): Intl.DateTimeFormat {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, timeZone: zone })
  } catch {
    return new Intl.DateTimeFormat('en-US', fields)
  }
}

/** The moment as the visitor's clock will show it: `Monday, 9:00 AM`. */
export const sayWhen = (time: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', hour: 'numeric', minute: '2-digit' }).format(time)
