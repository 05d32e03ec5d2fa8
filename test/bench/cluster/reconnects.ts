// Simulates how 100,000 clients come back that lost their sockets at once, by the engine's own waits and on a clock of its own.

import { CLOSE } from '../../../src/protocol/index.ts'
import { createPolicy } from './policy.ts'

const STEP_MS = 10
const SECOND = 1_000
/** They were connected for so long. */
const STEADY_MS = 600_000

type Case = {
  name: string
  code: number
  /** Whether an attempt succeeds: at this time after the loss, and as so many succeeded within this second. */
  takes(ms: number, thisSecond: number): boolean
}

const CASES: readonly Case[] = [
  { name: 'told to go (1001), others are there', code: CLOSE.goingAway, takes: () => true },
  { name: 'cut (1006), others are there', code: CLOSE.abnormal, takes: () => true },
  { name: 'told to go, nobody is there for 60 s', code: CLOSE.goingAway, takes: (ms) => ms >= 60_000 },
  { name: 'cut, nobody is there for 60 s', code: CLOSE.abnormal, takes: (ms) => ms >= 60_000 },
  {
    name: 'cut, others take 1,000 a second',
    code: CLOSE.abnormal,
    takes: (_, thisSecond) => thisSecond < 1_000,
  },
]

export type Reconnects = {
  name: string
  /** Attempts by second after the loss. */
  attempts: number[]
  /** Milliseconds until the last client is back. */
  backAfter: number
}

export const simulateReconnects = (clients: number): Reconnects[] =>
  CASES.map((each) => simulate(each, clients))

function simulate({ name, code, takes }: Case, clients: number): Reconnects {
  const attempts: number[] = []
  /** The policies whose attempt is due, by step. */
  const due = new Map<number, ReturnType<typeof createPolicy>[]>()
  const plan = (policy: ReturnType<typeof createPolicy>, at: number) => {
    const step = Math.ceil((at - STEADY_MS) / STEP_MS)
    const planned = due.get(step)
    if (planned) planned.push(policy)
    else due.set(step, [policy])
  }
  for (let client = 0; client < clients; client++) {
    const policy = createPolicy()
    policy.live(0)
    plan(policy, policy.lost(STEADY_MS, code))
  }
  let backAfter = 0
  let [second, thisSecond] = [0, 0]
  for (let step = 0; due.size > 0; step++) {
    const ms = step * STEP_MS
    const now = STEADY_MS + ms
    if (Math.floor(ms / SECOND) > second) [second, thisSecond] = [Math.floor(ms / SECOND), 0]
    for (const policy of due.get(step) ?? []) {
      attempts[second] = (attempts[second] ?? 0) + 1
      policy.attempt(now)
      if (takes(ms, thisSecond)) {
        thisSecond++
        backAfter = ms
      } else plan(policy, policy.lost(now, CLOSE.abnormal))
    }
    due.delete(step)
  }
  return { name, attempts: Array.from(attempts, (count) => count ?? 0), backAfter }
}
