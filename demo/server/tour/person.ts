// Plays the person of the tour at the desk: takes the conversations that the tour hands off, and gives them back when the visitor asks.

import { type Clock, type Desk, sleep } from '../../../src/runtime/index.ts'
import { normal, tourWords } from './words.ts'

export const TOUR_QUEUE = 'tour'
const SARAH = { id: 'sarah-of-the-tour', name: 'Sarah' }
const TAKES_MS = 4_000
const READS_MS = 500
const WRITES_MS = 1_200
/** Events after which the person no longer has the conversation. */
const OVER: ReadonlySet<string> = new Set([
  'EVENT_TYPE_LIVE_AGENT_LEFT',
  'EVENT_TYPE_HANDOFF_FAILED',
  'EVENT_TYPE_HANDOFF_TIMEOUT',
  'EVENT_TYPE_SESSION_END',
])

export type TourPersonOptions = { desk: Desk; clock: Clock; log: (line: string) => void }

/** Returns a function that stops the person. */
export function playTourPerson({ desk, clock, log }: TourPersonOptions): () => void {
  /** The person's conversations, each with a function that lets it go. */
  const held = new Map<string, () => void>()
  let stopped = false
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (stopped) return
    for (const { id, queue, state, agent } of await desk.entries()) {
      if (held.has(id)) continue
      if (state === 'waiting' && queue === TOUR_QUEUE) hold(id, true)
      // The person had this conversation when the server was restarted.
      else if (agent?.id === SARAH.id) hold(id, false)
    }
  }
  const lookAgain = () => {
    looking = looking.then(look).catch(failed)
  }
  const failed = (error: Error) => log(`the person of the tour failed: ${error.message}`)

  function hold(id: string, isNew: boolean): void {
    const over = new AbortController()
    let work: Promise<void> = Promise.resolve()
    const wait = (ms: number) => sleep(clock, ms, over.signal, 'The conversation is over')
    /** One act follows the other, as with a person. What is cut off by the end is no failure. */
    const next = (act: () => Promise<unknown>) => {
      work = work
        .then(async () => {
          if (!over.signal.aborted) await act()
        })
        .catch((error: Error) => {
          if (!over.signal.aborted) failed(error)
        })
    }
    const say = async (text: string) => {
      await wait(READS_MS)
      await desk.type(id, SARAH.id, true)
      await wait(WRITES_MS)
      await desk.answer(id, SARAH.id, text)
    }
    const end = () => {
      over.abort()
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
  [tourWords.back, 'bye', 'goodbye'].map(normal).includes(normal(text))
