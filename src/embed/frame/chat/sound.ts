// Plays two soft notes, synthesised. Only one tab of a browser plays them: the first that gets the lock.

const NOTES = [660, 880]

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
