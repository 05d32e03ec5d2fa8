// Draws the actions of a live agent: transfer, give back, end. Each asks for confirmation, with room for a note.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { DeskEntry } from '../../src/runtime/index.ts'
import { words } from '../words.ts'
import type { Act, DeskState } from './state.ts'

export function Acts({ state }: { state: DeskState }) {
  const { act } = state
  const button = (name: Act, label: string) => (
    <button
      type="button"
      class={name === 'end' ? 'plain-button bad' : 'plain-button'}
      aria-expanded={act.value === name}
      onClick={() => {
        act.value = act.value === name ? undefined : name
      }}
    >
      {label}
    </button>
  )
  return (
    <div class="acts">
      {button('transfer', words.desk.transfer)}
      {button('leave', words.desk.leave)}
      {button('end', words.desk.end)}
    </div>
  )
}

export function ActForm({ state, entry }: { state: DeskState; entry: DeskEntry }) {
  switch (state.act.value) {
    case 'transfer':
      return <Transfer state={state} entry={entry} />
    case 'leave':
      return <Leave state={state} id={entry.id} />
    case 'end':
      return <End state={state} id={entry.id} />
    default:
      return null
  }
}

type FormProps = {
  state: DeskState
  hint: string
  go: string
  bad?: boolean
  onGo(): void
  children?: ComponentChildren
}

function Form({ state, hint, go, bad, onGo, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  // Before the next key arrives: a live agent who opened the form by a key goes on typing.
  useLayoutEffect(
    () => form.current?.querySelector<HTMLElement>('input, textarea, button[type="submit"]')?.focus(),
    [],
  )
  const close = () => {
    state.act.value = undefined
    document.getElementById('desk-field')?.focus()
  }
  return (
    <form
      ref={form}
      class="act"
      onSubmit={(event) => {
        event.preventDefault()
        onGo()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      {hint && <p>{hint}</p>}
      {children}
      <div class="buttons">
        <button type="button" class="plain-button" onClick={close}>
          {words.desk.cancel}
        </button>
        <button type="submit" class={bad ? 'primary small bad' : 'primary small'}>
          {go}
        </button>
      </div>
    </form>
  )
}

function NoteField({ label, text, onText }: { label: string; text: string; onText(text: string): void }) {
  return (
    <label>
      <span>{label}</span>
      <input
        class="field"
        dir="auto"
        value={text}
        maxLength={4_000}
        autocomplete="off"
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </label>
  )
}

function Transfer({ state, entry }: { state: DeskState; entry: DeskEntry }) {
  const [queue, setQueue] = useState('')
  const [note, setNote] = useState('')
  const go = () => {
    if (queue.trim() !== '') void state.transfer(entry.id, queue.trim(), note)
  }
  return (
    <Form state={state} hint="" go={words.desk.transferGo} onGo={go}>
      <label>
        <span>{words.desk.transferTo}</span>
        <input
          class="field"
          dir="auto"
          list="queues"
          value={queue}
          required
          maxLength={80}
          autocomplete="off"
          onInput={(event) => setQueue(event.currentTarget.value)}
        />
      </label>
      <datalist id="queues">
        {words.desk.queues
          .filter((each) => each !== entry.queue)
          .map((each) => (
            <option key={each} value={each} />
          ))}
      </datalist>
      <NoteField label={words.desk.transferNote} text={note} onText={setNote} />
    </Form>
  )
}

function Leave({ state, id }: { state: DeskState; id: string }) {
  const [note, setNote] = useState('')
  return (
    <Form
      state={state}
      hint={words.desk.leaveHint}
      go={words.desk.leaveGo}
      onGo={() => void state.leave(id, false, note)}
    >
      <NoteField label={words.desk.leaveNote} text={note} onText={setNote} />
    </Form>
  )
}

const End = ({ state, id }: { state: DeskState; id: string }) => (
  <Form
    state={state}
    hint={words.desk.endHint}
    go={words.desk.endGo}
    bad
    onGo={() => void state.leave(id, true, '')}
  />
)
