// Draws the facts about a conversation: who is there, since when, the data of the handoff, the notes.

import type { DeskEntry, DeskLine } from '../../src/runtime/index.ts'
import { words } from '../words.ts'
import { clockTime, since } from './clock.ts'
import { Dot } from './queue.tsx'
import { Typed } from './words.tsx'

type Props = { entry: DeskEntry; lines: readonly DeskLine[] | undefined; isOver: boolean }

export function About({ entry, lines, isOver }: Props) {
  const notes = (lines ?? []).filter((line) => line.from === 'note').toReversed()
  return (
    <aside class="about-them" aria-label={words.desk.about}>
      <h3>{words.desk.visitor}</h3>
      <dl>
        {!isOver && (
          <div>
            <dt>{words.desk.isThere}</dt>
            <dd>
              <Dot entry={entry} />
              <span aria-hidden="true">
                {entry.presence ? words.desk.presence[entry.presence] : words.desk.presence.phone}
              </span>
            </dd>
          </div>
        )}
        <div>
          <dt>{words.desk.channel}</dt>
          <dd>{words.desk.channels[entry.channel] ?? entry.channel}</dd>
        </div>
        <div>
          <dt>{words.desk.askedAt}</dt>
          <dd>{clockTime(Date.parse(entry.queuedAt))}</dd>
        </div>
        {entry.takenAt && (
          <div>
            <dt>{words.desk.waited}</dt>
            <dd>{since(entry.queuedAt, Date.parse(entry.takenAt)).text}</dd>
          </div>
        )}
      </dl>
      <PassedOn data={entry.data} />
      {notes.length > 0 && (
        <>
          <h3>{words.desk.notes}</h3>
          {notes.map((note) => (
            <div key={note.id} class="kept">
              <Typed text={note.from === 'note' ? note.text : ''} />
              <small>
                <bdi>{note.from === 'note' ? note.name : ''}</bdi>, {clockTime(Date.parse(note.at))}
              </small>
            </div>
          ))}
        </>
      )}
    </aside>
  )
}

export function PassedOn({ data }: { data: DeskEntry['data'] }) {
  const fields = Object.entries(data)
  if (fields.length === 0) return null
  return (
    <section class="passed-on" aria-label={words.desk.passedOn}>
      <h3>{words.desk.passedOn}</h3>
      <dl>
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{words.desk.fields[name] ?? name.replaceAll('_', ' ')}</dt>
            <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
