// Assembles answers from chunks. They may repeat, arrive out of order, interleave with those of another answer, or
// stop. A chunk in order costs the same however long the answer is (law L6).

import type { Stream } from '../state/state.ts'

/** Most chunks that are buffered while one is missing; with more, all are shown without it. */
const MOST_BUFFERED = 256

export const newStream = (key: string, after: number, at: number): Stream => ({
  key,
  after,
  at,
  texts: new Map(),
  next: 1,
  last: undefined,
  partial: false,
  suggestions: [],
})

/** How a chunk changes the shown text: `add` is appended, `all` replaces it. */
export type Grown = { add: readonly string[] } | { all: readonly string[] }

export const isWhole = (stream: Stream): boolean => stream.last !== undefined && stream.next > stream.last

/** Adds a chunk. One without an index is the next. */
export function grow(stream: Stream, given: number | undefined, text: string, isLast: boolean): Grown {
  const { texts } = stream
  const index = given ?? stream.next
  const repeated = texts.has(index)
  if (!repeated) texts.set(index, text)
  if (isLast) stream.last = given === undefined ? Math.max(index, ...texts.keys()) : index
  if (repeated) return { add: [] }
  if (index === 0) return texts.size === 1 ? { add: [text] } : { all: shown(stream) }
  const add: string[] = []
  for (let next = texts.get(stream.next); next !== undefined; next = texts.get(stream.next)) {
    add.push(next)
    stream.next++
  }
  if (stream.partial) {
    stream.partial = buffered(stream) > 0
    return { all: all(stream) }
  }
  return buffered(stream) > MOST_BUFFERED ? show(stream) : { add }
}

/** The number of chunks that wait for an earlier one. */
const buffered = ({ texts, next }: Stream): number => texts.size - (next - 1) - (texts.has(0) ? 1 : 0)

/** Shows all chunks that arrived, although some are missing. */
export function show(stream: Stream): Grown {
  if (stream.partial || buffered(stream) === 0) return { add: [] }
  stream.partial = true
  return { all: all(stream) }
}

/** The chunks to show, in order, up to the first missing one. */
const shown = (stream: Stream): string[] => (stream.partial ? all(stream) : all(stream, stream.next))
const all = ({ texts }: Stream, before = Number.POSITIVE_INFINITY): string[] =>
  [...texts]
    .filter(([index]) => index < before)
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)

/** Joins chunks for display. `space`: inserts spaces, which some services omit between chunks. */
export function joined(
  pieces: readonly string[],
  add: readonly string[],
  join: 'space' | undefined,
): string[] {
  const result: string[] = []
  let before = pieces.at(-1)
  for (const text of add) {
    if (text === '') continue
    const apart = join === 'space' && before !== undefined && !/\s$/.test(before) && !/^\s/.test(text)
    result.push(apart ? ` ${text}` : text)
    before = text
  }
  return result
}
