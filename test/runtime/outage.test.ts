// A database that is away is told once, and told once when it is back; whatever else fails is told each time.

import { describe, expect, it } from 'vitest'
import { createOutageLog } from '../../src/runtime/database/index.ts'
import { noteDatabaseError } from '../../src/runtime/database/unreachable.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:5432'), { code: 'ECONNREFUSED' })
noteDatabaseError(refused)
const broken = new Error('Connection terminated unexpectedly')
noteDatabaseError(broken)
const AWAY =
  'the database cannot be reached (ECONNREFUSED): what chats store waits up to a minute for it, other requests fail'

function opened() {
  const lines: string[] = []
  let now = 1_000
  const outage = createOutageLog(
    (line) => lines.push(line),
    () => now,
  )
  return {
    lines,
    ...outage,
    /** Beats that are recorded, 5 s apart. */
    beats(count: number) {
      for (let beat = 0; beat < count; beat++) {
        now += 5_000
        outage.beaten()
      }
    },
    /** Requests that fail, a millisecond apart. */
    fails(count: number) {
      for (let request = 0; request < count; request++) {
        now++
        outage.logFailure('GET /calls failed', refused)
      }
    },
  }
}

describe('a database that is away', () => {
  it('is told once for 1,000 failures, and once when three beats have come through', () => {
    const { lines, fails, beats } = opened()
    fails(1_000)
    expect(lines).toEqual([AWAY])
    beats(2)
    expect(lines).toEqual([AWAY])
    beats(1)
    expect(lines).toEqual([AWAY, 'the database is back: it was away for 6 s'])
    beats(3)
    expect(lines).toHaveLength(2)
    fails(1)
    expect(lines.slice(2)).toEqual([AWAY])
  })

  it('counts as away where it comes and goes', () => {
    const { lines, fails, beats } = opened()
    for (let round = 0; round < 10; round++) {
      fails(3)
      beats(2)
    }
    expect(lines).toEqual([AWAY])
    beats(1)
    expect(lines[1]).toMatch(/^the database is back: it was away for 96 s$/)
  })

  it.each([
    ['its error has no code', broken],
    ['it is the cause of the failure', new Error('not stored', { cause: refused })],
  ])('is known where %s', (_, error) => {
    const { lines, logFailure } = opened()
    logFailure('a turn failed', error)
    logFailure('a turn failed', error)
    expect(lines).toEqual([expect.stringContaining('the database cannot be reached (')])
  })
})

it('any other failure is told each time, also while the database is away', () => {
  const { lines, logFailure, fails } = opened()
  fails(1)
  const elsewhere = Object.assign(new Error('fetch failed'), {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  })
  for (const error of [elsewhere, elsewhere]) logFailure('embedding failed', error)
  expect(lines.splice(1)).toEqual(['embedding failed: fetch failed', 'embedding failed: fetch failed'])
  for (const error of [new Error('no such column'), new Error('no such column'), 'a text', undefined, null])
    logFailure('heartbeat failed', error)
  expect(lines.slice(1)).toEqual([
    'heartbeat failed: no such column',
    'heartbeat failed: no such column',
    'heartbeat failed: unknown error',
    'heartbeat failed: unknown error',
    'heartbeat failed: unknown error',
  ])
})
