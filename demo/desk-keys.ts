// The keys of the desk. They work while one writes, so each takes Alt; the letter is that of the key, whatever the layout types.

import type { Act, DeskState } from './desk-state.ts'

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
    if (state.talk.peek()?.standing === 'mine') state.act.value = state.act.peek() === act ? undefined : act
  }
  function write(to: 'answer' | 'note'): void {
    state.writing.value = to
    document.getElementById('desk-field')?.focus()
  }
  /** From a form to the conversation, from the conversation to the queue. */
  function back(): void {
    if (state.act.peek()) state.act.value = undefined
    else if (state.talk.peek()) {
      const id = state.chosen.peek()
      state.choose(undefined)
      requestAnimationFrame(() => {
        const items = [...document.querySelectorAll<HTMLElement>('.item')]
        const at = state.ordered.peek().findIndex((entry) => entry.id === id)
        items[Math.max(0, at)]?.focus()
      })
    }
  }

  addEventListener('keydown', keyed)
  return () => removeEventListener('keydown', keyed)
}
