// Plays the person of the tour at the desk: takes the conversations that the tour hands off, and gives them back when the visitor asks.

import type { Clock, Desk } from '../../runtime/index.ts'
import { tourWords } from './tour-words.ts'

export const TOUR_QUEUE = 'tour'
const SARAH = { id: 'sarah-of-the-tour', name: 'Sarah' }
const TAKES_MS = 4_000
const READS_MS = 500
const WRITES_MS = 1_200
/** After these the conversation is not hers any more. */
const OVER: ReadonlySet<string> = new Set([
  'EVENT_TYPE_LIVE_AGENT_LEFT',
  'EVENT_TYPE_HANDOFF_FAILED',
  'EVENT_TYPE_HANDOFF_TIMEOUT',
  'EVENT_TYPE_SESSION_END',
])

export type TourPersonOptions = { desk: Desk; clock: Clock; log: (line: string) => void }

/** Returns what stops her. */
export function playTourPerson({ desk, clock, log }: TourPersonOptions): () => void {
  /** Her conversations, each with what ends it. */
  const held = new Map<string, () => void>()
  let stopped = false
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (stopped) return
    for (const { id, queue, state, agent } of await desk.entries()) {
      if (held.has(id)) continue
      if (state === 'waiting' && queue === TOUR_QUEUE) hold(id, true)
      // She had it when the server was restarted.
      else if (agent?.id === SARAH.id) hold(id, false)
    }
  }
  const lookAgain = () => {
    looking = looking.then(look).catch(failed)
  }
  const failed = (error: Error) => log(`the person of the tour failed: ${error.message}`)

  function hold(id: string, isNew: boolean): void {
    let over = false
    let cancel = () => {}
    let work: Promise<void> = Promise.resolve()
    const wait = (ms: number) =>
      new Promise<void>((resolve) => {
        cancel = clock.after(ms, resolve)
      })
    /** One act follows the other, as with a person. */
    const next = (act: () => Promise<unknown>) => {
      work = work.then(async () => void (over || (await act()))).catch(failed)
    }
    const say = async (text: string) => {
      await wait(READS_MS)
      await desk.type(id, SARAH.id, true)
      await wait(WRITES_MS)
      await desk.answer(id, SARAH.id, text)
    }
    const end = () => {
      over = true
      cancel()
      unfollow()
      held.delete(id)
    }
    const unfollow = desk.follow(id, (events) => {
      for (const { type, payload } of events) {
        if (OVER.has(type)) return end()
        if (type !== 'EVENT_TYPE_USER_MESSAGE') continue
        const text = String(payload.text ?? '')
        next(() => (isGoodbye(text) ? say(tourWords.sarahBye) : say(tourWords.sarahEcho(text))))
        if (isGoodbye(text)) next(() => desk.leave(id, SARAH.id, false))
      }
    })
    held.set(id, end)
    if (!isNew) return
    next(() => wait(TAKES_MS))
    next(async () => ((await desk.take(id, SARAH)) ? say(tourWords.sarahHello) : end()))
  }

  const unwatch = desk.watch(lookAgain)
  lookAgain()
  return () => {
    stopped = true
    unwatch()
    for (const end of [...held.values()]) end()
  }
}

const isGoodbye = (text: string): boolean =>
  [tourWords.back, 'bye', 'goodbye'].some(
    (words) => words.toLowerCase() === text.trim().toLowerCase().replace(/[.!]$/, ''),
  )
