// Turns an answer that is still being written into sentences for a screen reader, each once and in order. Code is named by its
// number of lines. Every character is looked at a bounded number of times.

import { withoutIncomplete } from '../answer/incomplete-markdown.ts'

/** A sentence is waited for this long (characters); what is longer is read in parts. */
const LONGEST = 2_000
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*(?:\s|$)/g
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const NEW_ITEM = /^\s{0,12}(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)\s/

/** Finds the words to say, which may be none. */
export type Sentence = () => string

export type Reader = {
  /**
   * Takes more of the text; returns the sentences that are whole now, each to be read when it is said: words come faster than they
   * are read. `complete`: nothing follows.
   */
  add(text: string, complete: boolean): Sentence[]
}

/** `read`: Markdown to the words that are seen. `codeOf`: what is said of a block of code. */
export function createReader(read: (markdown: string) => string, codeOf: (lines: number) => string): Reader {
  let paragraph = ''
  let line = ''
  /** The line is whole from its start: only there do fences and items begin. */
  let fromStart = true
  /** The open paragraph begins within a line, behind a sentence that was read: there nothing begins a block. */
  let within = false
  let fence: string | undefined
  let codeLines = 0

  return {
    add(text, complete) {
      const said: Sentence[] = []
      const say = (markdown: string) =>
        said.push(within ? () => readWithin(read, markdown) : () => read(markdown))
      const sayCode = (lines: number) => said.push(() => codeOf(lines))
      const flush = () => {
        if (paragraph.trim() !== '') say(paragraph)
        paragraph = ''
        within = false
      }
      const closeLine = () => {
        const mark = fromStart ? FENCE.exec(line)?.[1] : undefined
        if (fence !== undefined) {
          if (mark?.startsWith(fence) && line.trim() === mark) {
            sayCode(codeLines)
            fence = undefined
          } else codeLines++
        } else if (mark !== undefined) {
          flush()
          fence = mark
          codeLines = 0
        } else {
          if (fromStart && (line.trim() === '' || NEW_ITEM.test(line))) flush()
          paragraph += `${line}\n`
        }
        line = ''
        fromStart = true
      }

      const lines = text.split('\n')
      for (const [index, part] of lines.entries()) {
        if (index > 0) closeLine()
        line += part
      }
      if (complete) {
        if (line !== '') closeLine()
        if (fence !== undefined) sayCode(codeLines)
        fence = undefined
        flush()
        return said
      }
      if (fence !== undefined || (fromStart && /^\s{0,3}[|`~]/.test(line))) return said
      // The complete part of the open paragraph: up to the last end of a sentence at which no mark is open.
      if (fromStart && NEW_ITEM.test(line)) flush()
      const open = paragraph + line
      const from = Math.max(0, open.length - text.length - 3)
      const ends = endsOf(open, from)
      // The search has made one piece of it: lines that are joined anew each time would be walked each time.
      paragraph = open.slice(0, paragraph.length)
      for (const end of ends) {
        const whole = open.slice(0, end)
        if (whole.length < LONGEST && withoutIncomplete(whole) !== whole) continue
        say(whole)
        within = open[end - 1] !== '\n'
        const rest = Math.max(end, paragraph.length)
        fromStart &&= end <= paragraph.length
        paragraph = paragraph.slice(end)
        line = open.slice(rest)
        break
      }
      return said
    },
  }
}

/** A sign in front keeps `3. ` or `> ` from being an item or a quote; emphasis may begin behind it as behind a space. */
const readWithin = (read: (markdown: string) => string, markdown: string): string =>
  read(`.${markdown.trimStart()}`).replace(/^\./, '').trim()

/** Behind the ends of sentences after `from`, the last first. An end at the very end may still grow (`3.` to `3.14`). */
function endsOf(text: string, from: number): number[] {
  const ends: number[] = []
  SENTENCE_END.lastIndex = from
  for (let match = SENTENCE_END.exec(text); match; match = SENTENCE_END.exec(text)) {
    const end = match.index + match[0].length
    if (/\s$/.test(match[0])) ends.push(end)
    if (ends.length > 32) ends.shift()
  }
  return ends.reverse()
}

/** Milliseconds that a screen reader needs for a text, at a usual pace of 15 characters a second. */
export const readingTime = (text: string): number => Math.min(8_000, Math.max(1_000, text.length * 66))
