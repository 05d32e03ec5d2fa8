// Reads the transcript to screen readers: each sentence once it is complete, at reading pace. Loaded after the panel.

import { effect } from '@preact/signals'
import type { Entry, MessageEntry } from '../chat/index.ts'
import type { PanelState } from './context.ts'
import { readWords } from './markdown.tsx'
import { noticeText } from './notice-text.ts'
import { createReader, readingTime } from './speech.ts'
import { allWords } from './words.ts'

/** Says what comes after `history`, line by line; undefined once there is nothing more. Returns the undo. */
export function announce(
  panel: PanelState,
  history: readonly Entry[],
  say: (text: string | undefined) => void,
): () => void {
  const { chat, words, withheld } = panel
  const undos: (() => void)[] = []
  let queue: { key: string; text: string }[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = () => {
    timer = undefined
    // What the page withholds is read if the page lets it through later. By now it was asked.
    const due = queue.filter(({ key }) => !withheld.has(key))
    // Far behind, read the rest at once: nothing is lost.
    const taken = due.slice(0, due.length > 4 ? due.length : 1)
    queue = queue.filter((each) => !taken.includes(each))
    const text = taken.length > 0 ? taken.map(({ text }) => text).join(' ') : undefined
    say(text)
    if (text === undefined) return
    timer = setTimeout(next, readingTime(text))
  }
  const add = (key: string, text: string) => {
    if (text.trim() === '') return
    queue.push({ key, text })
    timer ??= setTimeout(next, 0)
  }

  /** The visitor deleted the chat: its words are nowhere any more. */
  const forget = () => {
    clearTimeout(timer)
    timer = undefined
    queue = []
    say(undefined)
  }

  const follow = (entry: MessageEntry) => undos.push(readAloud(panel, entry, (text) => add(entry.key, text)))
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
        } else add(entry.key, noticeText(entry, allWords(words.peek())))
      }
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const undo of undos) undo()
  }
}

/** New entries stand at the end, or a little before it where sequences say so. */
function entriesAfter(entries: readonly Entry[], known: ReadonlySet<string>): Entry[] {
  let from = entries.length
  while (from > 0 && !known.has(entries[from - 1]?.key ?? '')) from--
  return entries.slice(from)
}

/** Reads one message as it grows. Returns the undo. */
function readAloud(
  { chat, words, locale, announcements }: PanelState,
  entry: MessageEntry,
  add: (text: string) => void,
): () => void {
  const reader = createReader(readWords, (lines) => {
    const say = allWords(words.peek())
    const shown = new Intl.NumberFormat(locale.peek()).format(lines)
    return say.codeLines(shown, new Intl.PluralRules(say.language).select(lines))
  })
  let pieces: readonly string[] | undefined
  let taken = 0
  let named = false
  return effect(() => {
    const content = entry.content.value
    if (pieces !== undefined && content.pieces !== pieces) {
      // A whole message took the place of its pieces: nothing is read twice.
      pieces = content.pieces
      taken = content.length
      return
    }
    pieces = content.pieces
    const text = content.pieces.slice(taken, content.length).join('')
    taken = content.length
    for (const sentence of reader.add(text, content.complete)) {
      const choice = announcements.peek()
      if (choice === 'none' || (choice === 'brief' && named)) continue
      const name = entry.agentName ?? chat.agent.peek().name ?? words.peek().assistant
      const text = choice === 'brief' ? firstSentence(sentence, locale.peek()) : sentence
      add(named ? text : `${words.peek().said(name)} ${text}`)
      named = true
    }
  })
}

/** Of a paragraph that came whole. */
function firstSentence(text: string, locale: string): string {
  if (typeof Intl.Segmenter === 'undefined') return text
  const [first] = new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(text)
  return first?.segment.trim() ?? text
}
