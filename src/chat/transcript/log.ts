// Tracks the sequences of a session's events: how far they were read, and which are missing (a gap).

import type { Log } from '../state/state.ts'

/** Most sequences that are remembered behind a gap. With more, only a replay closes it. */
const MOST_SEQUENCES = 256

/**
 * The cursor to connect with: before what is missing, or else before the last readable event, so that every replay of a session
 * holds at least one event that was read before. `before`: the sequence before the first unconfirmed message.
 */
export const resumeFrom = (
  { cursor, readable, gap, missingChunk, skipped = cursor }: Log,
  before = cursor,
): number =>
  Math.max(
    0,
    Math.min(cursor - 1, readable - 1, gap?.after ?? cursor, missingChunk?.after ?? cursor, skipped, before),
  )

export const startReplay = (log: Log): Log => ({ ...log, replayed: 0, meanwhile: [] })

/** Ends the replay, or the wait for one. Sequences that are still missing in it do not exist. */
export function endReplay(log: Log): Log {
  const ended: Log = {
    ...log,
    cursor: log.replayed || log.cursor,
    gap: undefined,
    missingChunk: undefined,
    skipped: undefined,
    replayed: undefined,
    meanwhile: [],
  }
  return log.meanwhile.reduce((at, event) => note(at, event.sequence, event.at), ended)
}

/** Handles a lost connection. A replay comes in order, so nothing is missing up to its last event. */
export function cutReplay(log: Log): Log {
  const { replayed, gap } = log
  if (replayed === undefined) return log
  const cursor = Math.max(log.cursor, replayed)
  const left = gap && replayed < log.cursor ? { ...gap, after: Math.max(gap.after, replayed) } : undefined
  return { ...log, cursor, gap: left, replayed: undefined, meanwhile: [] }
}

/** Notes the sequence of an event. A replayed event opens no gap. */
export function note(log: Log, sequence: number | undefined, now: number, replayed = false): Log {
  if (sequence === undefined) return log
  // The usual case: this event is the next one, and none is missing.
  if (sequence === log.cursor + 1 && log.cursor === log.readable && log.replayed === undefined && !log.gap)
    return { ...log, cursor: sequence, readable: sequence }
  const noted = advance(log, sequence, now, replayed)
  return sequence > log.readable ? { ...noted, readable: sequence } : noted
}

function advance(log: Log, sequence: number, now: number, replayed: boolean): Log {
  if (log.replayed !== undefined && !replayed)
    return { ...log, meanwhile: [...log.meanwhile, { sequence, at: now }].slice(-MOST_SEQUENCES) }
  if (log.replayed !== undefined) return sequence > log.replayed ? { ...log, replayed: sequence } : log
  const cursor = Math.max(log.cursor, sequence)
  if (log.gap) return { ...log, cursor, gap: fill(log.gap, sequence, cursor) }
  if (sequence <= log.cursor) return log
  const opensGap = !replayed && log.cursor > 0 && sequence > log.cursor + 1
  const gap = opensGap ? { after: log.cursor, since: now, seen: new Set([sequence]) } : undefined
  return { ...log, cursor, gap }
}

/** Notes the sequence of a dropped event. It counts only if it is the next one. */
export function noteDrop(log: Log, sequence: number | undefined, now: number): Log {
  const before = log.replayed ?? log.gap?.after ?? log.cursor
  if (sequence === undefined || before === 0 || sequence !== before + 1) return log
  const noted = advance(log, sequence, now, log.replayed !== undefined)
  return log.replayed === undefined ? { ...noted, skipped: log.skipped ?? before } : noted
}

function fill(gap: NonNullable<Log['gap']>, sequence: number, cursor: number): Log['gap'] {
  let { after } = gap
  const { seen } = gap
  if (seen.size < MOST_SEQUENCES) seen.add(sequence)
  while (seen.delete(after + 1)) after++
  if (after >= cursor) return undefined
  return after === gap.after ? gap : { ...gap, after }
}
