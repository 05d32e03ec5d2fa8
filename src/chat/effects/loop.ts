// Handles one event after another. `dispatch` is the only writer of the state (law L1): it reduces the event, sets the signals, runs the
// effects that the new state asks for, sets one timer for the next deadline, and tells the listeners.

import { batch, type ReadonlySignal, signal } from '@preact/signals-core'
import { reduce } from '../reduce.ts'
import { nextDeadline } from '../session/timers.ts'
import type { Event, PublicEvent } from '../state/events.ts'
import type { Clock } from '../state/model.ts'
import type { State } from '../state/state.ts'
import { publicEventsOf } from '../view.ts'
import { gatherChunks } from './chunks.ts'
import { watchSleep } from './sleep.ts'

/** Does what a new state asks for. It sees the state before and after an event, not the event itself (law L4). */
export type Effect = (before: State, after: State) => void

/** The part of the engine that effects use. */
export interface Loop {
  readonly state: ReadonlySignal<State>
  dispatch(event: Event): void
  /** Dispatches an event before any effect runs again, so that what an effect has just sent or asked is not repeated. */
  note(event: Event): void
  /** Gathers the chunks of an answer until the next frame of the screen. */
  readonly chunks: ReturnType<typeof gatherChunks>
}

type LoopOptions = {
  initial: State
  clock: Clock
  random: () => number
  tell(event: PublicEvent): void
  /** In the order in which they run. They need the loop, so they are added to this list after it is created. */
  effects: readonly Effect[]
}

/** Runs code of the page. What it throws is an error of the page: its console has it, and the engine goes on, without a result. */
export function callPage<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
    return undefined
  }
}

export function createLoop({ initial, clock, random, tell, effects }: LoopOptions): Loop {
  const state = signal<State>(initial)
  const chunks = gatherChunks(dispatch)
  const sleptSince = watchSleep(clock)
  /** One event at a time: events that effects dispatch wait until all effects are done. */
  const queue: Event[] = []
  const noted: Event[] = []
  let busy = false
  let run = 0
  let timer: { at: number; stop: () => void } | undefined

  function dispatch(event: Event, late = 0): void {
    const gathered = chunks.take()
    if (gathered) queue.push(gathered)
    const slept = sleptSince(late, state.peek().visible)
    if (slept !== undefined) queue.push({ type: 'slept', ms: slept })
    queue.push(event)
    if (busy) return
    busy = true
    try {
      while (noted.length + queue.length > 0) take(noted.length > 0 ? noted.splice(0) : queue.splice(0, 1))
    } finally {
      busy = false
    }
  }

  function take(events: readonly Event[]): void {
    const before = state.peek()
    const published: PublicEvent[] = []
    // At the end of the batch the subscribers of the signals run.
    callPage(() =>
      batch(() => {
        for (const event of events) {
          const context = { now: clock.now(), wall: clock.wall(), random: random(), run: run + 1 }
          const reduced = reduce(state.peek(), event, context)
          published.push(...reduced.published)
          if ('run' in reduced.state.session && reduced.state.session.run === context.run) run = context.run
          state.value = reduced.state
        }
      }),
    )
    const after = state.peek()
    if (after !== before) {
      for (const effect of effects) effect(before, after)
      published.push(...publicEventsOf(before, after))
    }
    schedule(after)
    for (const each of published) tell(each)
  }

  function schedule(after: State): void {
    const at = nextDeadline(after, clock.now())
    if (timer?.at === at) return
    timer?.stop()
    timer = undefined
    if (at === Number.POSITIVE_INFINITY) return
    const due = Math.max(at, clock.now())
    const stop = clock.after(due - clock.now(), () => {
      timer = undefined
      dispatch({ type: 'tick' }, clock.now() - due)
    })
    timer = { at, stop }
  }

  return { state, dispatch, note: (event) => void noted.push(event), chunks }
}
