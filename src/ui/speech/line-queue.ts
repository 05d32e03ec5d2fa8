// Decides what a screen reader is told next: urgent lines at once, the others one after the other at reading pace.
//
//   add ──▶ waiting ── urgent: with the next frame ──────────────▶ say ── reading time ──┐
//              └────── others: once the line before is read ────────▶ say ◀──────────────┘

import { readingTime, type Sentence } from './sentences.ts'

export type Line = {
  /** Of the entry that it belongs to. */
  key: string
  /** Finds the words when the line is said; none are said of a line that says nothing by then. */
  read: Sentence
  /** Goes before all others, and waits for none of them. */
  urgent?: boolean
  /** Is to be heard also after the visitor has gone on. */
  lasts?: boolean
}

export type LineQueue = {
  /** `replaces`: takes the place of a line with the same key that still waits. */
  add(line: Line, replaces?: boolean): void
  /** The visitor has gone on: drops the lines that wait, but for those that last and urgent ones. */
  drop(): void
  /** Nothing that was said or waits is to be heard any more. */
  clear(): void
  /** Says nothing any more. */
  stop(): void
}

/** So many lines behind, several are said at once; and so many at most. */
const FAR_BEHIND = 4
const MOST_AT_ONCE = 32

/** `say` gets each line; undefined once there is nothing more. `isWithheld`: whether the lines of an entry are not to be heard now. */
export function createLineQueue(
  say: (text: string | undefined) => void,
  isWithheld: (key: string) => boolean,
): LineQueue {
  let waiting: Line[] = []
  /** What is said next is waited for, by a frame or by the reading time of the last line. */
  let wait: { reading: boolean; stop(): void } | undefined

  function next(): void {
    wait = undefined
    // What the page withholds is read if the page lets it through later. By now it was asked.
    const due = waiting.filter(({ key }) => !isWithheld(key))
    const urgent = due.filter((line) => line.urgent)
    const from = urgent.length > 0 ? urgent : due
    const most = urgent.length > 0 || due.length > FAR_BEHIND ? MOST_AT_ONCE : 1
    const taken = new Set<Line>()
    const texts: string[] = []
    for (const line of from) {
      if (texts.length === most) break
      taken.add(line)
      const text = wordsOf(line)
      if (text !== '') texts.push(text)
    }
    waiting = waiting.filter((line) => !taken.has(line))
    const text = texts.length > 0 ? texts.join(' ') : undefined
    say(text)
    if (text === undefined) return
    const timer = setTimeout(next, readingTime(text))
    wait = { reading: true, stop: () => clearTimeout(timer) }
  }
  function stop(): void {
    wait?.stop()
    wait = undefined
    waiting = []
  }
  return {
    add(line, replaces = false) {
      if (replaces) waiting = waiting.filter(({ key }) => key !== line.key)
      waiting.push(line)
      if (line.urgent && wait?.reading) {
        wait.stop()
        wait = undefined
      }
      wait ??= { reading: false, stop: soon(next) }
    },
    drop() {
      waiting = waiting.filter(({ urgent, lasts }) => urgent || lasts)
    },
    clear() {
      stop()
      say(undefined)
    },
    stop,
  }
}

/** A line that cannot be read does not silence those behind it. */
function wordsOf({ read }: Line): string {
  try {
    return read().trim()
  } catch (error) {
    reportError(error)
    return ''
  }
}

/** Calls `fn` at the next frame, or after 100 ms: a hidden page gets no frames. Returns the undo. */
function soon(fn: () => void): () => void {
  const stop = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  const run = () => {
    stop()
    fn()
  }
  const frame = requestAnimationFrame(run)
  const timer = setTimeout(run, 100)
  return stop
}
