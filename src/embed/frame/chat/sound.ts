// Plays two soft notes, synthesised, for a new message, if the visitor or the site wants it. Only one tab of a browser plays them: the first
// that gets the lock.

import type { KeyValue } from '../../../chat/index.ts'

/** The visitor's choice, as the menu shows it. */
export type SoundChoice = { readonly on: boolean; turn(on: boolean): void }

export type Sound = {
  choice(): SoundChoice
  /** `notify`: how the site points out new messages; the visitor's choice in the menu wins over it. */
  setDefault(notify: string): void
  /** There are so many unread messages now. `isNews`: one that is more has just come. */
  unread(count: number, isNews: boolean): void
}

const NOTES = [660, 880]

/** `store`: keeps the visitor's choice. `onChange` is called when the visitor makes one. */
export function createSound(store: KeyValue, notify: string, onChange: () => void): Sound {
  let byDefault = notify
  let before = 0
  function choice(): SoundChoice {
    const chosen = store.get('sound')
    return {
      on: chosen === undefined ? /sound/.test(byDefault) : chosen === 'on',
      turn(on) {
        store.set('sound', on ? 'on' : 'off')
        onChange()
      },
    }
  }
  return {
    choice,
    setDefault(notify) {
      byDefault = notify
    },
    unread(count, isNews) {
      if (isNews && count > before && choice().on) playSound().catch(() => {})
      before = count
    },
  }
}

export async function playSound(): Promise<void> {
  if (!navigator.locks) return play()
  await navigator.locks.request('foyer:sound', { ifAvailable: true }, (lock) => (lock ? play() : undefined))
}

/** Resolves after two seconds, during which other tabs do not play a sound for the same message. */
async function play(): Promise<void> {
  const context = new AudioContext()
  // Before the first interaction with the page, browsers play no sound.
  if (context.state === 'running')
    NOTES.forEach((frequency, index) => {
      const note = context.createOscillator()
      const volume = context.createGain()
      const start = context.currentTime + index * 0.12
      note.frequency.value = frequency
      volume.gain.setValueAtTime(0.08, start)
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.25)
      note.connect(volume).connect(context.destination)
      note.start(start)
      note.stop(start + 0.25)
    })
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  await context.close()
}
