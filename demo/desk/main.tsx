// Draws the desk: the queue, and the open conversation. The server knows the live agent by a cookie; the name is asked for.

import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { DeskIcon } from '../icons.tsx'
import { Refusal, read, write } from '../live.ts'
import { Nav } from '../nav.tsx'
import { words } from '../words.ts'
import { Keys, Replies } from './dialogs.tsx'
import { listenToKeys } from './keys.ts'
import { Queue } from './queue.tsx'
import { createDeskState, type DeskState, type Drafts, type Person } from './state.ts'
import { Talk } from './talk.tsx'

const KEY = 'foyer-desk'
const DRAFTS = 'foyer-desk-drafts'

/** A browser may deny storage, or have no room. */
function store(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // A reload forgets it, and no more.
  }
}

function readPerson(): Person {
  try {
    const { id, name } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Person>
    if (typeof id === 'string' && typeof name === 'string') return { id, name }
  } catch {
    // Invalid JSON counts as not signed in.
  }
  return { id: '', name: '' }
}

function readDrafts(): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFTS) ?? '{}') as Drafts
  } catch {
    return {}
  }
}

const state = createDeskState(readPerson(), readDrafts())
effect(() => store(DRAFTS, state.drafts.value))
/** Why nobody could enter. */
const refused = signal<string | undefined>(undefined)
const asked = signal(state.person.peek().name === '')

async function enter(name: string): Promise<void> {
  try {
    await write('desk/enter', { name })
    state.person.value = await read<Person>('desk/me')
    store(KEY, state.person.peek())
    asked.value = false
    refused.value = undefined
  } catch (error) {
    refused.value = error instanceof Refusal ? error.message : words.live.refused
  }
}

function App() {
  return (
    <>
      <Nav here="desk" />
      {asked.value ? <Entrance name={state.person.value.name} /> : <Desk state={state} />}
    </>
  )
}

function Entrance({ name }: { name: string }) {
  const [text, setText] = useState(name)
  return (
    <main class="entrance">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') void enter(text.trim())
        }}
      >
        <span class="avatar">
          <DeskIcon />
        </span>
        <h1>{words.desk.title}</h1>
        <p>{words.desk.lead}</p>
        <label>
          <span>{words.desk.name}</span>
          <input
            class="field"
            value={text}
            required
            maxLength={80}
            autocomplete="given-name"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          {words.desk.enter}
        </button>
        {refused.value && <p role="alert">{refused.value}</p>}
      </form>
    </main>
  )
}

function Desk({ state }: { state: DeskState }) {
  const [dialog, setDialog] = useState<'replies' | 'keys' | undefined>(undefined)
  useEffect(state.begin, [state])
  useLayoutEffect(() => listenToKeys(state, () => setDialog('keys')), [state])
  const { talk, connected } = state
  const attention = state.attention.value
  useEffect(() => {
    document.title = `${attention > 0 ? `(${attention}) ` : ''}${words.places.desk} · Foyer`
  }, [attention])
  const openReplies = () => setDialog('replies')
  const close = () => setDialog(undefined)
  return (
    <main class={talk.value ? 'desk talking' : 'desk'}>
      <Queue
        state={state}
        onChangeName={() => (asked.value = true)}
        onReplies={openReplies}
        onKeys={() => setDialog('keys')}
      />
      {talk.value ? (
        <Talk key={talk.value.entry.id} state={state} {...talk.value} onReplies={openReplies} />
      ) : (
        <Nothing state={state} />
      )}
      {!connected.value && !talk.value && (
        <p class="notice lost" role="status">
          {words.live.lost}
        </p>
      )}
      {dialog === 'keys' && <Keys onClose={close} />}
      {dialog === 'replies' && <Replies state={state} onClose={close} />}
    </main>
  )
}

/** Shown while no conversation is open: how to get one, or to choose one. */
function Nothing({ state: { entries } }: { state: DeskState }) {
  if (entries.value === undefined) return <section class="nothing" />
  if (entries.value.length > 0)
    return (
      <section class="nothing some">
        <h2>{words.desk.choose}</h2>
        <p>{words.desk.chooseHint}</p>
      </section>
    )
  return (
    <section class="nothing">
      <span class="avatar">
        <DeskIcon />
      </span>
      <h2>{words.desk.nobody}</h2>
      <p>{words.desk.howTo}</p>
      <p class="quote">{words.desk.howToWords}</p>
      <p>{words.desk.howToThen}</p>
      <a class="plain-button" href="/" target="_blank" rel="noopener">
        {words.desk.openChat}
        <span class="hidden">, {words.newTab}</span>
      </a>
    </section>
  )
}

const root = document.querySelector('#app')
if (root) render(<App />, root)
