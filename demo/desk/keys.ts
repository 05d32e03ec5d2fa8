// The keys of the desk. They work while one writes, so each takes Alt; the letter is that of the key, whatever the layout types.

import { backToQueue } from './queue.tsx'
import type { Act, DeskState } from './state.ts'

const ACTS: Readonly<Record<string, Act>> = { KeyX: 'transfer', KeyB: 'leave', KeyE: 'end' }

/** Listens until undone. `help`: opens the list of keys. */
export function listenToKeys(state: DeskState, help: () => void): () => void {
  function keyed(event: KeyboardEvent): void {
    if (document.querySelector('dialog[open]')) return
    if (event.key === 'Escape' && !event.isComposing) return back()
    if (!event.altKey || event.ctrlKey || event.metaKey) return
    const run = runFor(event.code)
    if (!run) return
    event.preventDefault()
    run()
  }

  function runFor(code: string): (() => void) | undefined {
    const act = ACTS[code]
    if (act) return () => toggle(act)
    switch (code) {
      case 'ArrowDown':
        return () => state.step(1)
      case 'ArrowUp':
        return () => state.step(-1)
      case 'KeyT':
        return state.takeNext
      case 'KeyN':
        return () => write(state.writing.peek() === 'note' ? 'answer' : 'note')
      case 'KeyR':
        return () => write('answer')
      case 'KeyK':
        return help
      default:
        return undefined
    }
  }

  function toggle(act: Act): void {
    if (state.talk.peek()?.standing !== 'mine') return
    if (state.act.peek() !== act) state.act.value = act
    else closeForm()
  }
  /** The focus was in the form. */
  function closeForm(): void {
    state.act.value = undefined
    document.getElementById('desk-field')?.focus()
  }
  function write(to: 'answer' | 'note'): void {
    state.writing.value = to
    document.getElementById('desk-field')?.focus()
  }
  /** From a form to the conversation, from the conversation to the queue. */
  function back(): void {
    if (state.act.peek()) closeForm()
    else if (state.talk.peek()) backToQueue(state)
  }

  addEventListener('keydown', keyed)
  return () => removeEventListener('keydown', keyed)
}
