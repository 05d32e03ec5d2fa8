// Counts how many conversations were open at once, by a sweep over their beginnings and ends.

export const WINDOW_MS = 300_000

/** Start and end of a conversation in milliseconds since 1970; without an end it is still open. */
export type Span = { start: number; end: number | undefined }

export const windowFloor = (time: number): number => Math.floor(time / WINDOW_MS) * WINDOW_MS
export const windowCeiling = (time: number): number => Math.ceil(time / WINDOW_MS) * WINDOW_MS

/**
 * The highest number of spans open at one instant of each window from `from` up to `to`. A span is open from its
 * start up to, but not at, its end; one without length counts for a millisecond.
 */
export function peaks(spans: readonly Span[], from: number, to: number): number[] {
  const changes: { at: number; by: 1 | -1 }[] = []
  for (const { start, end } of spans) {
    const spanEnd = end === undefined ? Number.POSITIVE_INFINITY : Math.max(end, start + 1)
    if (spanEnd <= from || start >= to) continue
    changes.push({ at: Math.max(start, from), by: 1 })
    if (spanEnd < to) changes.push({ at: spanEnd, by: -1 })
  }
  // A span that ends at an instant does not overlap with one that starts at it.
  changes.sort((a, b) => a.at - b.at || a.by - b.by)
  const windowPeaks: number[] = []
  let openSpans = 0
  let nextChange = 0
  const applyChanges = (before: number) => {
    let peak = openSpans
    for (let change = changes[nextChange]; change && change.at < before; change = changes[++nextChange]) {
      openSpans += change.by
      peak = Math.max(peak, openSpans)
    }
    return peak
  }
  for (let window = from; window < to; window += WINDOW_MS) {
    // Apply the changes at the window's first instant first: a span that ends there is not open in the window at all.
    while (changes[nextChange]?.at === window) openSpans += changes[nextChange++]?.by ?? 0
    windowPeaks.push(applyChanges(window + WINDOW_MS))
  }
  return windowPeaks
}
