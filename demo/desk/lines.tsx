// The lines of one conversation: messages, what happened between them, notes.

import type { DeskLine } from '../../src/runtime/index.ts'
import { NoteIcon } from '../icons.tsx'
import { words } from '../words.ts'
import { clockTime, dayOf } from './clock.ts'
import { Marked, Typed } from './words.tsx'

const SILENCE_MS = 300_000

export function Lines({ lines }: { lines: readonly DeskLine[] }) {
  return (
    <>
      {lines.map((line, index) => (
        <Line key={line.id} line={line} before={lines[index - 1]} />
      ))}
    </>
  )
}

function Line({ line, before }: { line: DeskLine; before: DeskLine | undefined }) {
  const at = Date.parse(line.at)
  const day = dayOf(at)
  const isNewDay = day !== '' && (!before || dayOf(Date.parse(before.at)) !== day)
  const silent = !before || at - Date.parse(before.at) >= SILENCE_MS
  return (
    <>
      {(silent || isNewDay) && (
        <time class="between" dateTime={line.at}>
          {isNewDay ? `${day}, ${clockTime(at)}` : clockTime(at)}
        </time>
      )}
      {line.from === 'event' ? (
        <p class="happened" dir="auto">
          {whatHappened(line)}
        </p>
      ) : line.from === 'note' ? (
        <Note line={line} />
      ) : (
        <Message line={line} joined={!silent && !isNewDay && isJoined(line, before)} />
      )}
    </>
  )
}

type MessageLine = Extract<DeskLine, { from: 'visitor' | 'agent' | 'live' }>

const isJoined = (line: MessageLine, before: DeskLine | undefined): boolean =>
  before?.from === line.from && (line.from !== 'live' || before.name === line.name)

function Message({ line, joined }: { line: MessageLine; joined: boolean }) {
  const name = (line.from === 'live' && line.name) || words.desk.from[line.from]
  return (
    <article class={`line ${line.from}${joined ? ' joined' : ''}`} title={clockTime(Date.parse(line.at))}>
      <b class={joined ? 'hidden' : 'by'}>
        <bdi>{name}</bdi>
        <span class="hidden">:</span>
      </b>
      {line.from === 'visitor' ? <Typed text={line.text} /> : <Marked text={line.text} />}
      {line.stopped && <small>{words.desk.stopped}</small>}
    </article>
  )
}

function Note({ line }: { line: Extract<DeskLine, { from: 'note' }> }) {
  return (
    <article class="line note" title={clockTime(Date.parse(line.at))}>
      <b class="by">
        <NoteIcon />
        <span>
          <bdi>{line.name}</bdi> · {words.desk.noteBy}
        </span>
      </b>
      <Typed text={line.text} />
    </article>
  )
}

function whatHappened(line: Extract<DeskLine, { from: 'event' }>): string {
  const say = words.desk.happened
  const name = line.name || words.desk.somebody
  switch (line.what) {
    case 'handoff':
      return say.handoff
    case 'left-queue':
      return say.leftQueue
    case 'timeout':
      return say.timeout
    case 'joined':
      return say.joined(name)
    case 'left':
      return say.left(name)
    case 'transferred':
      return say.transferred(name)
    case 'rated':
      return say.rated(line.score ?? 0, line.text)
    case 'ended':
      return say.ended
  }
}
