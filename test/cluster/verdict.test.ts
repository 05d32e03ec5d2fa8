// The comparison finds what a cluster may do wrong: each seeded fault in a recorded chat gets its own name.

import { expect, it } from 'vitest'
import { answerTo, type Chat, judge, type Line, type Verdict } from './verdict.ts'

const TEXTS = ['one', 'two', 'three', 'four']
const visitor = (text: string): Line => ({ role: 'visitor', text })
const agent = (text: string): Line => ({ role: 'agent', text: answerTo(text) })
const APOLOGY: Line = { role: 'system', text: 'Something went wrong.' }

/** A chat in which all went well; each end has a list of its own. */
function recorded() {
  const lines = () => TEXTS.flatMap((text) => [visitor(text), agent(text)])
  return {
    sent: [...TEXTS],
    again: new Set<string>(),
    stored: lines(),
    shown: lines(),
    heard: { lines: lines(), sequences: [1, 2, 3, 4, 6, 7, 9, 10] },
  }
}
type Recorded = ReturnType<typeof recorded>

const clean: Verdict = { lost: [], doubled: [], reordered: [], unanswered: [], apologies: 0 }
const kindsOf = (chat: Chat) => {
  const { apologies: _, ...kinds } = judge(chat)
  return Object.entries(kinds).flatMap(([kind, found]) => (found.length > 0 ? [kind] : []))
}

const drop = <T>(list: T[], at: number) => void list.splice(at, 1)
const double = <T>(list: T[], at: number) => void list.splice(at, 0, ...list.slice(at, at + 1))
const swap = <T>(list: T[], at: number) => void list.splice(at, 2, ...list.slice(at, at + 2).reverse())
/** A fault that all ends agree on. */
const everywhere = (chat: Recorded, fault: (lines: Line[]) => void) => {
  for (const lines of [chat.stored, chat.shown, chat.heard.lines]) fault(lines)
}

it('the verdict says nothing about a chat in which all went well', () => {
  expect(judge(recorded())).toEqual(clean)
})

const FAULTS: [string, (chat: Recorded) => void, string[]][] = [
  ['a message that nobody has', (chat) => everywhere(chat, (lines) => lines.splice(2, 2)), ['lost']],
  ['a message that was stored twice', (chat) => everywhere(chat, (lines) => double(lines, 2)), ['doubled']],
  [
    'two messages with their answers in the wrong order',
    (chat) => everywhere(chat, (lines) => lines.splice(2, 4, ...lines.slice(4, 6), ...lines.slice(2, 4))),
    ['reordered'],
  ],
  [
    'a message that was never sent',
    (chat) => everywhere(chat, (lines) => lines.push(visitor('five'), agent('five'))),
    ['doubled'],
  ],
  ['a message without an answer', (chat) => everywhere(chat, (lines) => drop(lines, 3)), ['unanswered']],
  [
    'the last message without an answer',
    (chat) => everywhere(chat, (lines) => drop(lines, 7)),
    ['unanswered'],
  ],
  ['a message with two answers', (chat) => everywhere(chat, (lines) => double(lines, 3)), ['doubled']],
  [
    'answers in another order than the messages',
    (chat) =>
      everywhere(chat, (lines) => lines.splice(0, 4, ...[0, 2, 3, 1].flatMap((at) => lines[at] ?? []))),
    ['reordered'],
  ],
  ['a line that the transcript lacks', (chat) => drop(chat.shown, 5), ['lost']],
  ['the last line that the transcript lacks', (chat) => drop(chat.shown, 7), ['lost']],
  ['a line that the transcript has twice', (chat) => double(chat.shown, 5), ['doubled']],
  ['two lines that the transcript swapped', (chat) => swap(chat.shown, 4), ['reordered']],
  ['a line that the second device lacks', (chat) => drop(chat.heard.lines, 0), ['lost']],
  ['a line that the second device has twice', (chat) => double(chat.heard.lines, 0), ['doubled']],
  ['two lines that the second device swapped', (chat) => swap(chat.heard.lines, 6), ['reordered']],
  ['an event that the second device was sent twice', (chat) => double(chat.heard.sequences, 3), ['doubled']],
  ['an event that the second device was sent late', (chat) => swap(chat.heard.sequences, 3), ['reordered']],
]

it.each(FAULTS)('the verdict finds %s', (_, seed, kinds) => {
  const chat = recorded()
  seed(chat)
  expect(kindsOf(chat)).toEqual(kinds)
})

it('the verdict takes one apology for one answer, and not for two', () => {
  const chat = recorded()
  everywhere(chat, (lines) => lines.splice(3, 1, APOLOGY))
  expect(judge(chat)).toEqual({ ...clean, apologies: 1 })
  everywhere(chat, (lines) => drop(lines, 7))
  expect(kindsOf(chat)).toEqual(['unanswered'])
})

it('the verdict lets a message that the visitor sent once more stand at a later place, and only that one', () => {
  const move = (chat: Recorded) => everywhere(chat, (lines) => lines.push(...lines.splice(2, 2)))
  const chat = recorded()
  move(chat)
  expect(kindsOf(chat)).toEqual(['reordered'])
  chat.again.add('two')
  expect(kindsOf(chat)).toEqual([])
})
