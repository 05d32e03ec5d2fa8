import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { DeskEntry } from '../src/runtime/index.ts'
import type { DeskState, Standing } from './desk-state.ts'
import { words } from './words.ts'

/** Longer waits are shown in the colour of warnings. */
const LONG_SECONDS = 300

const now = signal(Date.now())

type Props = { state: DeskState; onChangeName(): void }

export function Queue({ state, onChangeName }: Props) {
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  const { name } = state.person.value
  const all = state.entries.value
  const of = (standing: Standing) => (all ?? []).filter((entry) => state.standingOf(entry) === standing)
  return (
    <section class="queue" aria-label={words.desk.queue}>
      <h1 class="hidden">{words.desk.title}</h1>
      <div class="person">
        <span class="avatar" aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
        <b>{name}</b>
        <button type="button" class="quiet" onClick={onChangeName}>
          {words.desk.changeName}
        </button>
      </div>
      {all === undefined ? (
        <div class="skeleton" role="status" aria-label={words.desk.loading}>
          <i />
          <i />
        </div>
      ) : (
        <div class="groups">
          <Group title={words.desk.mine} entries={of('mine')} state={state} />
          <Group
            title={words.desk.waiting}
            entries={of('waiting')}
            state={state}
            none={words.desk.noneWaiting}
          />
          <Group title={words.desk.others} entries={of('others')} state={state} />
        </div>
      )}
    </section>
  )
}

type GroupProps = { title: string; entries: readonly DeskEntry[]; state: DeskState; none?: string }

function Group({ title, entries, state, none }: GroupProps) {
  if (entries.length === 0 && none === undefined) return null
  const id = `group-${title}`
  return (
    <section class="group" aria-labelledby={id}>
      <h2 id={id}>
        {title} {entries.length > 0 && <span class="count">{entries.length}</span>}
      </h2>
      {entries.length === 0 && <p>{none}</p>}
      <ul>
        {entries.map((entry) => (
          <li key={entry.id}>
            <Item entry={entry} state={state} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Item({ entry, state }: { entry: DeskEntry; state: DeskState }) {
  const unread = state.unread.value[entry.id] ?? 0
  return (
    <button
      type="button"
      class="item"
      aria-current={state.chosen.value === entry.id ? 'true' : undefined}
      onClick={() => state.choose(entry.id)}
    >
      <span class="request" dir="auto">
        {requestOf(entry)}
      </span>
      <span class="facts">
        <span>{words.desk.channels[entry.channel] ?? entry.channel}</span>
        <span>{entry.queue || words.desk.anyQueue}</span>
        {entry.state === 'waiting' ? <Wait since={entry.queuedAt} /> : <span>{holder(entry, state)}</span>}
        {unread > 0 && (
          <span class="badge">
            {unread}
            <span class="hidden"> {words.desk.unread(unread)}</span>
          </span>
        )}
      </span>
    </button>
  )
}

const holder = (entry: DeskEntry, state: DeskState): string =>
  state.standingOf(entry) === 'mine' ? words.desk.withYou : words.desk.withOther(entry.agent?.name ?? '')

export function Wait({ since }: { since: string }) {
  const seconds = Math.max(0, Math.floor((now.value - Date.parse(since)) / 1_000))
  return (
    <span class={seconds >= LONG_SECONDS ? 'wait long' : 'wait'}>
      {words.desk.waits(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)}
    </span>
  )
}

/** The title of a conversation: the visitor's words at the handoff. */
export function requestOf({ data }: DeskEntry): string {
  const said = data.request ?? Object.values(data).find((value) => typeof value === 'string')
  return typeof said === 'string' && said !== '' ? said : words.desk.noRequest
}
