// Divides the days that a search covers into windows, newest first. A transcript's index holds, beside its words, its project, environment
// and day of start, so that a search for common words reads those of the newest windows alone.

const DAY_MS = 86_400_000
/** Days of a period: 2^4. The function foyer.transcript_days makes the same lexemes. */
const PERIOD_BITS = 4
const PERIOD_DAYS = 1 << PERIOD_BITS
/** A window has at most so many times the days of all windows before it; the first has one day, which may be a short one. */
const MOST_GROWTH = 4
/** A window that is likely to have as many matches as are missing has so many times the days: another window costs more than a few matches. */
const MARGIN = 1.25

/** Days since 1970 in UTC, both included. */
export type Days = { first: number; last: number }

export const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS)
export const startOfDay = (day: number): Date => new Date(day * DAY_MS)

/**
 * The window after those that had `found` matches in `days` days, so that both together have `wanted` matches if matches are spread
 * evenly. It ends on the day `last`, and begins no earlier than `oldest`.
 */
export function nextWindow(
  last: number,
  oldest: number,
  { found, days, wanted }: { found: number; days: number; wanted: number },
): Days {
  const expected =
    found === 0 ? Number.POSITIVE_INFINITY : Math.ceil((MARGIN * (wanted - found) * days) / found)
  const size = days === 0 ? 1 : Math.max(1, Math.min(expected, days * MOST_GROWTH))
  const begin = Math.max(oldest, last - size + 1)
  // Many days are looked up by whole periods.
  return { first: size < PERIOD_DAYS ? begin : (begin >> PERIOD_BITS) << PERIOD_BITS, last }
}

/** The tsquery that finds what began on these days. */
export function daysQuery(
  { projectId, environment }: { projectId: string; environment: string },
  { first, last }: Days,
): string {
  const lexeme = (kind: 'd' | 'p', n: number) =>
    `'${` ${projectId} ${environment} ${kind}${n}`.replace(/['\\]/g, '$&$&')}'`
  const lexemes: string[] = []
  for (let day = last; day >= first; ) {
    const wholePeriod = day % PERIOD_DAYS === PERIOD_DAYS - 1 && day - PERIOD_DAYS >= first - 1
    lexemes.push(wholePeriod ? lexeme('p', day >> PERIOD_BITS) : lexeme('d', day))
    day -= wholePeriod ? PERIOD_DAYS : 1
  }
  return `(${lexemes.join(' | ')})`
}
