// Two soft notes, made on the spot. One tab of a browser plays them: the one that gets the lock first.

const NOTES = [660, 880]

export async function playSound(): Promise<void> {
  if (!navigator.locks) return play()
  await navigator.locks.request('foyer:sound', { ifAvailable: true }, (lock) => (lock ? play() : undefined))
}

/** Resolves after two seconds: what other tabs hear of the same message by then makes no second sound. */
async function play(): Promise<void> {
  const context = new AudioContext()
  // Where nobody has touched the page yet, browsers let nothing be heard.
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
