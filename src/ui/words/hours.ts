// Reads office hours such as `Mon-Fri 09:00-17:00; Sat 10:00-14:00`, in a time zone: whether the office is open, and when it opens.

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const DAY_MINUTES = 24 * 60
const MINUTE = 60_000
const DAY = DAY_MINUTES * MINUTE
const MOST_RANGES = 20

/** How often what depends on the hours looks at the clock, in milliseconds. */
export const HOURS_CHECK_MS = 15_000

/** Minutes since midnight, on days from Sunday (0). `until` may be on the next day, above 1440. */
type Range = { days: readonly number[]; from: number; until: number }

/** Undefined where nothing of the text can be used: then no hours hold. */
export function readHours(text: string | undefined): readonly Range[] | undefined {
  const ranges = (text ?? '')
    .toLowerCase()
    .replace(/[–—]/g, '-')
    .split(/[;,]/, MOST_RANGES)
    .flatMap((part): Range[] => {
      const match =
        /^\s*([a-z]{3})(?:\s*-\s*([a-z]{3}))?\s+(\d\d?):([0-5]\d)\s*-\s*(\d\d?):([0-5]\d)\s*$/.exec(part)
      if (!match) return []
      const [, first = '', last = first] = match
      const [from, until] = [minutes(match[3], match[4]), minutes(match[5], match[6])]
      const days = daysFrom(DAYS.indexOf(first), DAYS.indexOf(last))
      if (days.length === 0 || from === until || Math.max(from, until) > DAY_MINUTES) return []
      // Over midnight.
      return [{ days, from, until: until < from ? until + DAY_MINUTES : until }]
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
  const clock = clockOf(zone)
  const local = clock(now)
  const midnight = local - mod(local, DAY)
  // From yesterday, whose hours may go on, until a day on which some begin.
  for (let day = -1; day <= 8; day++) {
    const begin = midnight + day * DAY
    const moments = ranges
      .filter(({ days }) => days.includes(new Date(begin).getUTCDay()))
      .map(({ from, until }) => [from, until].map((at) => momentOf(begin + at * MINUTE, clock)))
    if (moments.some(([from = 0, until = 0]) => from <= now && now < until)) return undefined
    // Hours that the clocks skip never begin.
    const begins = moments.flatMap(([from = 0, until = 0]) => (now < from && from < until ? [from] : []))
    const next = Math.min(...begins)
    if (Number.isFinite(next)) return next
  }
  return undefined
}

const mod = (value: number, by: number): number => ((value % by) + by) % by

/** What the clock on a wall shows at a moment, as if it were UTC. */
type WallClock = (time: number) => number

/**
 * The first moment at which the wall clock shows this or more: where the clocks go back, the earlier of two; where they go forward over it, the moment
 * at which they do.
 */
function momentOf(shown: number, clock: WallClock): number {
  const [one = 0, other = 0] = [shown - DAY, shown + DAY].map((time) => shown - (clock(time) - time))
  let early = Math.min(one, other)
  let late = Math.max(one, other)
  if (clock(early) >= shown) return early
  while (late - early > MINUTE) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE) * MINUTE
    if (clock(middle) >= shown) late = middle
    else early = middle
  }
  return late
}

function clockOf(zone: string | undefined): WallClock {
  // To make one takes longer than to ask it a hundred times.
  const format = formatter(zone)
  return (time) => {
    const parts = format.formatToParts(time)
    const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
    return Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    )
  }
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

/** The moment as the visitor's clock will show it: `Monday at 9:00 AM`, joined as the language joins day and time. */
export function sayWhen(time: number, locale: string): string {
  const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).formatToParts(time)
  const begin = whole.findIndex(({ type }) => type === 'hour' || type === 'dayPeriod')
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long' }).format(time)
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(time)
  return day + (whole[begin - 1]?.value ?? ' ') + clock
}
