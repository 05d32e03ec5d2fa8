// Reads the header Retry-After of a refused request.

const LONGEST_BY_OUR_CLOCK_SECONDS = 60

/**
 * Seconds to wait; undefined where the header is missing, or neither a whole number nor an HTTP date. A date is compared
 * with the Date of the same answer. Without one it is compared with `now` (milliseconds since 1970); since that clock may
 * be wrong, the result is then at most a minute.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text)
  const retryAt = readHttpDate(text)
  if (retryAt === undefined) return undefined
  const answeredAt = readHttpDate(headers.get('date') ?? '')
  const seconds = Math.max(0, Math.ceil((retryAt - (answeredAt ?? now)) / 1000))
  return answeredAt === undefined ? Math.min(LONGEST_BY_OUR_CLOCK_SECONDS, seconds) : seconds
}

function readHttpDate(text: string): number | undefined {
  const time = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
