// Rings: two short tones, which need no file. A browser that plays nothing before the first click keeps them back.

const TONES = [660, 880]
const TONE_S = 0.14
const LOUDNESS = 0.08

export function createRing(): () => void {
  let audio: AudioContext | undefined
  return () => {
    if (typeof AudioContext === 'undefined') return
    audio ??= new AudioContext()
    if (audio.state === 'suspended') void audio.resume().catch(() => {})
    const { currentTime, destination } = audio
    const gain = audio.createGain()
    gain.gain.value = LOUDNESS
    gain.connect(destination)
    for (const [index, frequency] of TONES.entries()) {
      const tone = audio.createOscillator()
      tone.frequency.value = frequency
      tone.connect(gain)
      tone.start(currentTime + index * TONE_S)
      tone.stop(currentTime + (index + 1) * TONE_S)
    }
  }
}
