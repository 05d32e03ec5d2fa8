// Reads the transcript to screen readers: each sentence once it is complete, and nothing that is older than what the visitor wrote last.

import { effect } from '@preact/signals'
import type { Content, DividerEntry, Entry, MessageEntry, NoticeEntry } from '../../chat/index.ts'
import { HELD_MS, type PanelState } from '../context/context.ts'
import { isGreeting, isOff, speakerOf } from '../context/site.ts'
import { queueText } from '../notices/queue.tsx'
import { decidedText } from '../words/decided-text.ts'
import { noticeText } from '../words/notice-text.ts'
import { createLineQueue, type LineQueue } from './line-queue.ts'
import { createReader, type Sentence } from './sentences.ts'

/** Says what comes after `history`, line by line; undefined once there is nothing more. Returns the undo. */
export function announce(
  panel: PanelState,
  history: readonly Entry[],
  say: (text: string | undefined) => void,
): () => void {
  const { chat, words, site, withheld } = panel
  const undos: (() => void)[] = []
  const queue = createLineQueue(say, (key) => withheld.has(key))

  const known = new Set(history.map(({ key }) => key))
  /** The message that the visitor wrote last. What is older is not read any more. */
  let newest: string | undefined
  const follow = (entry: MessageEntry, before?: Entry) => {
    const { greeting } = site.peek()
    if (greeting !== undefined && isGreeting(entry, before))
      return queue.add({ key: `greeting ${entry.key}`, read: () => greeting })
    const asked = newest
    const urgent = entry.role === 'live'
    undos.push(
      readAloud(panel, entry, (read) => {
        if (urgent || asked === newest) queue.add({ key: entry.key, read, urgent })
      }),
    )
  }
  /** The visitor wrote a message. */
  const asks = (key: string) => {
    if (known.has(key)) return
    known.add(key)
    newest = key
    queue.drop()
  }
  const last = history.at(-1)
  // An answer that goes on is read from here.
  if (last?.kind === 'message' && last.role !== 'visitor' && !last.content.peek().complete)
    follow(last, history.at(-2))
  undos.push(
    effect(() => {
      for (const { id } of chat.outbox.value) asks(id)
    }),
    effect(() => {
      const entries = chat.transcript.value
      if (entries.length === 0) queue.clear()
      for (const entry of entriesAfter(entries, known)) {
        // An echo without the id of its message may come behind the beginning of the answer.
        if (entry.kind === 'message' && entry.role === 'visitor' && entry === entries.at(-1)) asks(entry.key)
        if (known.has(entry.key)) continue
        known.add(entry.key)
        // What is left of the broken answer would be heard behind it.
        if (entry.kind === 'notice' && entry.notice === 'error') queue.drop()
        if (entry.kind !== 'message')
          queue.add({ key: entry.key, read: () => noticeText(entry, words.peek()), urgent: isUrgent(entry) })
        else if (entry.role !== 'visitor') follow(entry, entries[entries.indexOf(entry) - 1])
      }
    }),
    followConnection(panel, queue),
    followQueue(panel, queue),
    followOutbox(panel, queue),
    followRating(panel, queue),
    followDecisions(panel, queue),
  )
  return () => {
    queue.stop()
    for (const undo of undos) undo()
  }
}

/** An error, and who comes, cannot wait until an old answer is read. */
const isUrgent = (entry: NoticeEntry | DividerEntry): boolean =>
  entry.kind === 'notice' && ['error', 'live-joined', 'live-left', 'handoff-failed'].includes(entry.notice)

/** Says that the chat is connected, after a time in which the panel said that it was not. Returns the undo. */
function followConnection({ chat, words }: PanelState, queue: LineQueue): () => void {
  let wasMissing = false
  return effect(() => {
    const kind = chat.notice.value?.kind
    if (kind !== undefined && kind !== 'idle-warning') wasMissing = true
    if (chat.status.value !== 'live' || !wasMissing || kind !== undefined) return
    wasMissing = false
    queue.add({ key: 'connection', read: () => words.peek().connected, urgent: true })
  })
}

/** Says that the visitor waits, and each new place in the queue, behind what the agent said before. Returns the undo. */
function followQueue({ chat, words, locale }: PanelState, queue: LineQueue): () => void {
  let told: string | undefined
  const placeNow = () => {
    const handoff = chat.handoff.peek()
    return handoff.state === 'pending' ? queueText(words.peek(), locale.peek(), handoff) : undefined
  }
  return effect(() => {
    const { state } = chat.handoff.value
    const place = placeNow()
    if (state !== 'pending') told = undefined
    if (place === undefined || place === told) return
    told = place
    queue.add({ key: 'queue', read: () => placeNow() ?? '', lasts: true }, true)
  })
}

/** Says that the chat can be rated, whenever it begins to be asked for. Returns the undo. */
function followRating({ chat, rating, site, words }: PanelState, queue: LineQueue): () => void {
  let asked = false
  return effect(() => {
    const before = asked
    const { state } = chat.csat.value
    const isOver = /^(ended|expired)$/.test(chat.status.value)
    const asks = state === 'asked' || (state === 'none' && isOver && rating.value !== undefined)
    asked = asks && !isOff(site.value, 'rating')
    if (asked && !before)
      queue.add({ key: 'rating', read: () => (asked ? words.peek().rateChat : ''), lasts: true })
  })
}

/** Says what was decided about a question, here or in another tab. Returns the undo. */
const followDecisions = ({ chat, words }: PanelState, queue: LineQueue): (() => void) =>
  chat.on('decision', ({ message_id }) => {
    const entry = chat.transcript.peek().find(({ key }) => key === message_id)
    if (entry?.kind !== 'message') return
    const read = () => decidedText(words.peek(), entry.content.peek().confirm) ?? ''
    queue.add({ key: message_id, read, urgent: true })
  })

/** Says of each message that it is not sent, whenever that begins: that the page still thinks about it, or that it failed. Returns the undo. */
function followOutbox({ chat, words }: PanelState, queue: LineQueue): () => void {
  const stateOf = (id: string) => chat.outbox.peek().find((each) => each.id === id)?.state
  const told = new Map<string, { state: string; timer: ReturnType<typeof setTimeout> | undefined }>()
  const undo = effect(() => {
    for (const { id, state } of chat.outbox.value) {
      const before = told.get(id)
      if (before?.state === state) continue
      clearTimeout(before?.timer)
      const read = () => {
        const { held, notSent } = words.peek()
        return stateOf(id) === state ? (state === 'held' ? held : notSent) : ''
      }
      const say = () => queue.add({ key: `${state} ${id}`, read, urgent: state === 'failed' })
      told.set(id, { state, timer: state === 'held' ? setTimeout(say, HELD_MS) : undefined })
      if (state === 'failed') say()
    }
  })
  return () => {
    undo()
    for (const { timer } of told.values()) clearTimeout(timer)
  }
}

/**
 * The entries that may be news: those behind the last known one, and behind what the visitor wrote last in this session, where a new
 * connection puts what a lost one held back. What comes before is shown, and not read.
 */
function entriesAfter(entries: readonly Entry[], known: ReadonlySet<string>): Entry[] {
  const last = entries.findLastIndex(({ key }) => known.has(key))
  const asked = entries.findLastIndex((entry) => entry.kind === 'divider' || isOfVisitor(entry))
  return entries.slice(Math.min(last, asked) + 1)
}

const isOfVisitor = (entry: Entry): boolean => entry.kind === 'message' && entry.role === 'visitor'

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
