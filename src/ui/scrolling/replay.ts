// Decides when what has come is drawn. A replay comes in batches, one right after the other, and of a long one only the end is looked
// at: it is drawn once it is over.

import { effect, type ReadonlySignal, useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { Chat, Entry } from '../../chat/index.ts'

/** A replay that has brought more by its first frame is a long one. */
const SHORT = 200
/** A replay that takes longer is drawn so often. */
const REPLAY_MS = 1_000

/** The entries to draw now. */
export function useDrawnEntries({ transcript, outbox, replaying }: Chat): ReadonlySignal<readonly Entry[]> {
  const drawn = useSignal(transcript.peek())
  useLayoutEffect(() => {
    let own = outbox.peek()
    let stopWaiting: (() => void) | undefined
    const draw = () => {
      stopWaiting?.()
      stopWaiting = undefined
      drawn.value = transcript.peek()
    }
    const drawShort = () => {
      if (drawn.peek().length === 0 && transcript.peek().length <= SHORT) draw()
    }
    const undo = effect(() => {
      // All three are read each time: what an effect has not read does not wake it.
      const [isReplay, , waiting] = [replaying.value, transcript.value, outbox.value]
      // A message leaves the outbox and enters the transcript in one step.
      const isPart = isReplay && waiting === own
      own = waiting
      if (isPart) stopWaiting ??= wait(drawShort, draw)
      else draw()
    })
    return () => {
      undo()
      stopWaiting?.()
    }
  }, [transcript])
  return drawn
}

/** Calls `soon` before the next frame, which a hidden page does not get, and `late` after a while. Returns the undo. */
function wait(soon: () => void, late: () => void): () => void {
  const frame = requestAnimationFrame(soon)
  const timer = setTimeout(late, REPLAY_MS)
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
