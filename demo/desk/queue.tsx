import { useEffect } from 'preact/hooks'
import type { DeskEntry } from '../../src/runtime/index.ts'
import { words } from '../words.ts'
import { beat, since } from './clock.ts'
import type { DeskState } from './state.ts'
import { plainWords } from './words.tsx'

/** Longer waits are shown in the colour of warnings. */
const LONG_SECONDS = 300

type Props = { state: DeskState; onChangeName(): void; onReplies(): void; onKeys(): void }

export function Queue({ state, onChangeName, onReplies, onKeys }: Props) {
  useEffect(beat, [])
  const { name } = state.person.value
  const isRead = state.entries.value !== undefined
  const of = (standing: string) => state.ordered.value.filter((entry) => state.standingOf(entry) === standing)
  return (
    <section class="queue" aria-label={words.desk.queue} tabIndex={-1}>
      <h1 class="hidden">{words.desk.title}</h1>
      <div class="person">
        <span class="avatar" aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
        <b title={name}>
          <bdi>{name}</bdi>
        </b>
        <button
          type="button"
          class="quiet available"
          role="switch"
          aria-checked={!state.away.value}
          onClick={() => void state.setAway(!state.away.value)}
        >
          <span class={state.away.value ? 'dot away' : 'dot here'} aria-hidden="true" />
          {state.away.value ? words.desk.away : words.desk.available}
        </button>
      </div>
      <Colleagues state={state} />
      {isRead ? (
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
      ) : (
        <div class="skeleton" role="status" aria-label={words.desk.loading}>
          <i />
          <i />
        </div>
      )}
      <div class="tools">
        <button type="button" class="quiet" onClick={onReplies}>
          {words.desk.replies}
        </button>
        <button type="button" class="quiet" onClick={onKeys}>
          {words.desk.keys}
        </button>
        <button type="button" class="quiet" onClick={onChangeName}>
          {words.desk.changeName}
        </button>
      </div>
    </section>
  )
}

/** The other live agents who are here or away. */
function Colleagues({ state: { agents, person } }: { state: DeskState }) {
  const others = agents.value.filter(({ id, state }) => id !== person.value.id && state !== 'gone')
  if (others.length === 0) return null
  return (
    <ul class="colleagues" aria-label={words.desk.colleagues}>
      {others.map(({ id, name, state, chats }) => (
        <li key={id}>
          <span class={`dot ${state}`} aria-hidden="true" />
          <bdi>{name}</bdi>
          <span class="facts">{words.desk.colleague(state, chats)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Closes the conversation. The focus goes to its place in the queue. */
export function backToQueue(state: DeskState): void {
  const id = state.chosen.peek()
  state.choose(undefined)
  requestAnimationFrame(() => {
    const items = document.querySelectorAll<HTMLElement>('.item')
    const at = state.ordered.peek().findIndex((entry) => entry.id === id)
    const next = items[Math.max(0, at)] ?? document.querySelector<HTMLElement>('.queue')
    next?.focus()
  })
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
  const typing = state.typingVisitors.value.includes(entry.id)
  const isWaiting = entry.state === 'waiting'
  return (
    <button
      type="button"
      class={`item${unread > 0 ? ' unread' : ''}${entry.presence === 'gone' ? ' gone' : ''}`}
      aria-current={state.chosen.value === entry.id ? 'true' : undefined}
      onClick={() => state.choose(entry.id)}
    >
      <Dot entry={entry} />
      <span class="request" dir="auto">
        {questionOf(entry)}
      </span>
      {unread > 0 && (
        <span class="badge">
          {unread > 99 ? '99+' : unread}
          <span class="hidden"> {words.desk.unread(unread)}</span>
        </span>
      )}
      <span class={typing ? 'preview typing' : 'preview'} dir="auto">
        {typing ? words.desk.visitorTypes : previewOf(entry, state)}
      </span>
      <span class="facts">
        {entry.channel !== 'WEBCHAT' && <span>{words.desk.channels[entry.channel] ?? entry.channel}</span>}
        <span dir="auto">{entry.queue || words.desk.anyQueue}</span>
        {isWaiting ? <Wait since={entry.queuedAt} /> : <span dir="auto">{holderOf(entry, state)}</span>}
        {isWaiting && entry.lost && <span class="wait long">{words.desk.lost[entry.lost]}</span>}
        {entry.presence === 'gone' && <span>{words.desk.gone}</span>}
      </span>
    </button>
  )
}

/** Shows whether the visitor is there, by shape and colour, and in words for screen readers. */
export function Dot({ entry: { presence } }: { entry: Pick<DeskEntry, 'presence'> }) {
  if (presence === undefined) return <span class="dot phone" aria-hidden="true" />
  return (
    <span class={`dot ${presence}`} title={words.desk.presence[presence]}>
      <span class="hidden">{words.desk.presence[presence]}: </span>
    </span>
  )
}

const holderOf = (entry: DeskEntry, state: DeskState): string =>
  state.standingOf(entry) === 'mine' ? words.desk.withYou : words.desk.withOther(entry.agent?.name ?? '')

export function Wait({ since: from }: { since: string }) {
  const { seconds, text } = since(from)
  return <span class={seconds >= LONG_SECONDS ? 'wait long' : 'wait'}>{words.desk.waits(text)}</span>
}

/** The title of a conversation: the visitor's question. */
export const questionOf = ({ question }: DeskEntry): string =>
  question === '' ? words.desk.noRequest : plainWords(question)

/** The newest message, with its writer. What the assistant said last is nothing that somebody at the desk has to answer. */
export function previewOf({ last, question }: DeskEntry, state: Pick<DeskState, 'person'>): string {
  if (!last || last.from === 'agent' || last.text === question) return ''
  const text = plainWords(last.text)
  if (last.from === 'visitor') return text
  const { agent } = last
  const name = agent?.id === state.person.value.id ? words.desk.you : agent?.name || words.desk.somebody
  return `${name}: ${text}`
}
