// The one timer of the loop, on a clock that is turned by hand.

import { expect, it } from 'vitest'
import { createLoop } from '../../../src/chat/effects/loop.ts'
import type { Session } from '../../../src/chat/state/session.ts'
import { initialState } from '../../../src/chat/state/state.ts'
import { UNTRIED } from '../given.ts'

const WAITING: Session = {
  name: 'waiting',
  sessionId: 's',
  run: 1,
  since: 0,
  until: 1_000,
  earliest: 0,
  ...UNTRIED,
  fails: 1,
}

/** A chat that waits until 1,000. */
function waiting() {
  let now = 0
  let set: { at: number; run(): void }[] = []
  const clock = {
    now: () => now,
    wall: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run }
      set.push(timer)
      return () => {
        set = set.filter((each) => each !== timer)
      }
    },
  }
  const initial = { ...initialState(0, { sessionId: 's' }), session: WAITING }
  const loop = createLoop({ initial, clock, random: () => 0.5, tell() {}, effects: [] })
  loop.dispatch({ type: 'tick' })
  return {
    loop,
    name: () => loop.state.peek().session.name,
    due: () => set.map(({ at }) => at),
    /** The browser runs what is set at this time, though it may be early. */
    fires(at: number) {
      now = at
      for (const { run } of set.splice(0)) run()
    },
    pass(to: number) {
      now = to
    },
  }
}

it('a deadline whose timer comes early has another one', () => {
  const { name, due, fires } = waiting()
  expect(due()).toEqual([1_000])
  fires(999)
  expect([name(), due()]).toEqual(['waiting', [1_000]])
  fires(1_000)
  expect(name()).toBe('entering')
})

it('a deadline that comes back after there was none has its timer again', () => {
  const { loop, name, due, fires, pass } = waiting()
  pass(500)
  loop.dispatch({ type: 'online', online: false })
  expect([name(), due()]).toEqual(['offline', []])
  loop.dispatch({ type: 'online', online: true })
  expect([name(), due()]).toEqual(['waiting', [1_000]])
  fires(1_000)
  expect(name()).toBe('entering')
})
