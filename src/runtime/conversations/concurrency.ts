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
    const last = end === undefined ? Number.POSITIVE_INFINITY : Math.max(end, start + 1)
    if (last <= from || start >= to) continue
    changes.push({ at: Math.max(start, from), by: 1 })
    if (last < to) changes.push({ at: last, by: -1 })
  }
  // A span that ends at an instant does not overlap with one that starts at it.
  changes.sort((a, b) => a.at - b.at || a.by - b.by)
  const result: number[] = []
  let open = 0
  let next = 0
  const apply = (before: number) => {
    let peak = open
    for (let change = changes[next]; change && change.at < before; change = changes[++next]) {
      open += change.by
      peak = Math.max(peak, open)
    }
    return peak
  }
  for (let window = from; window < to; window += WINDOW_MS) {
    // First apply what ends or starts exactly at its beginning: a span that ends there is not part of it.
    while (changes[next]?.at === window) open += changes[next++]?.by ?? 0
    result.push(apply(window + WINDOW_MS))
  }
  return result
}
