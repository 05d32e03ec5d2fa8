// Reads the transcript to screen readers: each sentence once it is complete, at reading pace.

import { effect } from '@preact/signals'
import type { Content, Entry, MessageEntry } from '../../chat/index.ts'
import { HELD_MS, type PanelState } from '../context/context.ts'
import { isOff, speakerOf } from '../context/site.ts'
import { noticeText } from '../words/notice-text.ts'
import { createReader, readingTime, type Sentence } from './sentences.ts'

/** So many sentences behind, the voice says several at once; and so many at most. */
const FAR_BEHIND = 4
const MOST_AT_ONCE = 32

/** Says what comes after `history`, line by line; undefined once there is nothing more. Returns the undo. */
export function announce(
  panel: PanelState,
  history: readonly Entry[],
  say: (text: string | undefined) => void,
): () => void {
  const { chat, words, withheld } = panel
  const undos: (() => void)[] = []
  let queue: { key: string; read: Sentence }[] = []
  /** Stops the wait for what is said next. */
  let stop: (() => void) | undefined
  const next = () => {
    stop = undefined
    // What the page withholds is read if the page lets it through later. By now it was asked.
    const due = queue.filter(({ key }) => !withheld.has(key))
    const most = due.length > FAR_BEHIND ? MOST_AT_ONCE : 1
    const taken = new Set<object>()
    const lines: string[] = []
    for (const each of due) {
      if (lines.length === most) break
      taken.add(each)
      // A sentence that cannot be read does not silence those behind it.
      try {
        const text = each.read()
        if (text.trim() !== '') lines.push(text)
      } catch (error) {
        reportError(error)
      }
    }
    queue = queue.filter((each) => !taken.has(each))
    const text = lines.length > 0 ? lines.join(' ') : undefined
    say(text)
    if (text === undefined) return
    const timer = setTimeout(next, readingTime(text))
    stop = () => clearTimeout(timer)
  }
  const add = (key: string, read: Sentence) => {
    queue.push({ key, read })
    stop ??= soon(next)
  }

  /** The visitor deleted the chat: its words are nowhere any more. */
  const forget = () => {
    stop?.()
    stop = undefined
    queue = []
    say(undefined)
  }

  const follow = (entry: MessageEntry) => undos.push(readAloud(panel, entry, (read) => add(entry.key, read)))
  const known = new Set(history.map(({ key }) => key))
  const last = history.at(-1)
  // An answer that goes on is read from here.
  if (last?.kind === 'message' && last.role !== 'visitor' && !last.content.peek().complete) follow(last)
  undos.push(
    effect(() => {
      if (chat.transcript.value.length === 0) forget()
      for (const entry of entriesAfter(chat.transcript.value, known)) {
        known.add(entry.key)
        if (entry.kind === 'message') {
          if (entry.role !== 'visitor') follow(entry)
        } else add(entry.key, () => noticeText(entry, words.peek()))
      }
    }),
  )
  undos.push(followOutbox(panel, add))
  undos.push(followRating(panel, add))
  return () => {
    stop?.()
    for (const undo of undos) undo()
  }
}

/** Says that the chat can be rated, whenever it begins to be asked for. Returns the undo. */
function followRating({ chat, rating, site, words }: PanelState, add: (key: string, read: Sentence) => void) {
  let asked = false
  return effect(() => {
    const before = asked
    const { state } = chat.csat.value
    const isOver = /^(ended|expired)$/.test(chat.status.value)
    const asks = state === 'asked' || (state === 'none' && isOver && rating.value !== undefined)
    asked = asks && !isOff(site.value, 'rating')
    if (asked && !before) add('rating', () => (asked ? words.peek().rateChat : ''))
  })
}

/** Says once of each message that it is not sent: that the page still thinks about it, or that it failed. Returns the undo. */
function followOutbox({ chat, words }: PanelState, add: (key: string, read: Sentence) => void): () => void {
  const isStill = (id: string, state: string) =>
    chat.outbox.peek().some((each) => each.id === id && each.state === state)
  const told = new Map<string, ReturnType<typeof setTimeout> | undefined>()
  const undo = effect(() => {
    for (const { id, state } of chat.outbox.value) {
      const key = `${state} ${id}`
      if ((state !== 'held' && state !== 'failed') || told.has(key)) continue
      const say = () =>
        add(key, () => {
          const { held, notSent } = words.peek()
          return isStill(id, state) ? (state === 'held' ? held : notSent) : ''
        })
      told.set(key, state === 'held' ? setTimeout(say, HELD_MS) : undefined)
      if (state === 'failed') say()
    }
  })
  return () => {
    undo()
    for (const timer of told.values()) clearTimeout(timer)
  }
}

/** New entries stand at the end, or a little before it where sequences say so. */
function entriesAfter(entries: readonly Entry[], known: ReadonlySet<string>): Entry[] {
  let from = entries.length
  while (from > 0 && !known.has(entries[from - 1]?.key ?? '')) from--
  return entries.slice(from)
}

/** Reads one message as it grows. Returns the undo. */
function readAloud(panel: PanelState, entry: MessageEntry, add: (read: Sentence) => void): () => void {
  const { locale, announcements, markdown } = panel
  const reader = createReader(markdown.peek().readWords, (lines) => codeLines(panel, lines))
  let pieces: readonly string[] | undefined
  let taken = 0
  // The one who speaks now: by the time the words are said, somebody else may have joined.
  const name = nameOf(panel, entry)
  let named = false
  let listed = false
  const say = (read: Sentence) =>
    add(() => {
      const choice = announcements.peek()
      if (choice === 'none' || (choice === 'brief' && named)) return ''
      const words = read()
      if (words === '') return ''
      const said = choice === 'brief' ? firstSentence(words, locale.peek()) : words
      const prefix = named ? '' : name
      named = true
      return prefix + said
    })
  return effect(() => {
    const content = entry.content.value
    const isReplaced = pieces !== undefined && content.pieces !== pieces
    const text = isReplaced
      ? restOf(content, pieces?.slice(0, taken) ?? [])
      : content.pieces.slice(taken, content.length).join('')
    pieces = content.pieces
    taken = content.length
    if (text !== undefined) for (const read of reader.add(text, content.complete)) say(read)
    const { attachments, callActions } = content
    if (listed || !content.complete || attachments.length + callActions.length === 0) return
    listed = true
    say(() => titlesOf(panel, content))
  })
}

/** What a whole message adds to the pieces in whose place it came; undefined where it does not begin with them. */
function restOf({ pieces, length }: Content, before: readonly string[]): string | undefined {
  const [whole, taken] = [pieces.slice(0, length).join(''), before.join('')]
  return whole.startsWith(taken) ? whole.slice(taken.length) : undefined
}

/** What hangs on an answer, by its titles. */
function titlesOf({ words }: PanelState, { attachments, callActions }: Content): string {
  const { attachments: name, image } = words.peek()
  const titles = [
    ...attachments.map(({ title, call_to_action_text: action }) => title ?? action ?? image),
    ...callActions.map(({ title }) => title),
  ]
  return `${name}: ${titles.join(', ')}`
}

/** Who speaks, before the first words of a message. */
const nameOf = ({ words, site }: PanelState, { role, agentName }: MessageEntry): string =>
  `${words.peek().said(speakerOf(words.peek(), site.peek(), role === 'live', agentName))} `

/** What is said of a block of code. */
function codeLines({ words, locale }: PanelState, lines: number): string {
  const say = words.peek()
  const shown = new Intl.NumberFormat(locale.peek()).format(lines)
  return say.codeLines(shown, new Intl.PluralRules(say.language).select(lines))
}

/** Of a paragraph that came whole. */
function firstSentence(text: string, locale: string): string {
  if (typeof Intl.Segmenter === 'undefined') return text
  const [first] = new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(text)
  return first?.segment.trim() ?? text
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
