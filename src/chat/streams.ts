// Answers that come in pieces. Pieces may repeat, come out of order, interleave with those of another answer, or
// stop. Nothing on the way of a piece that comes in order looks at what came before it (law L6).

import type { Suggestion } from '../protocol/index.ts'

/** An answer that may still go on. Changed in place; what of it is shown is in the message's own signal. */
export type Stream = {
  readonly key: string
  /** The sequence before its first piece: a replay from there holds it all. */
  after: number
  /** When its first piece came. */
  readonly at: number
  readonly texts: Map<number, string>
  /** The index that is to be shown next: all before it is. */
  next: number
  /** The index of the last piece, once that came. */
  last: number | undefined
  /** What came is shown, holes and all; what comes late is put in its place. */
  torn: boolean
  suggestions: readonly Suggestion[]
}

/** So many pieces are held back for one that is missing; then they are shown without it. */
const MOST_HELD = 256

export const newStream = (key: string, after: number, at: number): Stream => ({
  key,
  after,
  at,
  texts: new Map(),
  next: 1,
  last: undefined,
  torn: false,
  suggestions: [],
})

/** What a piece changes of what is shown: `add` comes behind it, `all` takes its place. */
export type Grown = { add: readonly string[] } | { all: readonly string[] }

export const isWhole = (stream: Stream): boolean => stream.last !== undefined && stream.next > stream.last

/** Takes a piece in. One without an index is the next. */
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
  if (stream.torn) {
    stream.torn = held(stream) > 0
    return { all: all(stream) }
  }
  return held(stream) > MOST_HELD ? show(stream) : { add }
}

/** How many pieces wait for one before them. */
const held = ({ texts, next }: Stream): number => texts.size - (next - 1) - (texts.has(0) ? 1 : 0)

/** Shows all that came, holes and all. */
export function show(stream: Stream): Grown {
  if (stream.torn || held(stream) === 0) return { add: [] }
  stream.torn = true
  return { all: all(stream) }
}

/** In the order of their indices, as far as nothing is missing. */
const shown = (stream: Stream): string[] => (stream.torn ? all(stream) : all(stream, stream.next))
const all = ({ texts }: Stream, before = Number.POSITIVE_INFINITY): string[] =>
  [...texts]
    .filter(([index]) => index < before)
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)

/** Pieces as they are shown. `space`: some services leave out the spaces between them. */
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
