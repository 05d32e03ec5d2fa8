// Reads the header Retry-After.

/** Seconds to wait; undefined where the header is missing, or neither a whole number nor an HTTP date. `now`: milliseconds since 1970. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text)
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
