// Which session is entered: each row of the drawn table of choice.ts is a test.

import { describe, expect, it } from 'vitest'
import { chooseSession, type Known, otherNamed } from '../../../src/chat/session/choice.ts'
import { initialState, type State } from '../../../src/chat/state/state.ts'

/** What the row does not name has no say: each test holds for both values of it. */
type Row = { [Fact in keyof Known]: readonly Known[Fact][] }
const any = [false, true] as const
const ANY = { holds: any, unsettled: any, used: any }

const ROWS: [string, Row, string | undefined][] = [
  ['no session is known: a new one', { ...ANY, own: [undefined], other: [undefined] }, undefined],
  ['only another one is named: that one', { ...ANY, own: [undefined], other: ['other'] }, 'other'],
  ['no other one is named: the own one', { ...ANY, own: ['own'], other: [undefined, 'own'] }, 'own'],
  [
    'the token of the own one is gone: the one that is named',
    { ...ANY, own: ['own'], other: ['other'], holds: [false] },
    'other',
  ],
  [
    'nobody uses the page: the own one',
    { ...ANY, own: ['own'], other: ['other'], holds: [true], used: [false] },
    'own',
  ],
  [
    'something of the own one is unsettled: the own one first',
    { own: ['own'], other: ['other'], holds: [true], unsettled: [true], used: [true] },
    'own',
  ],
  [
    'all of the own one is settled: the one that is named',
    { own: ['own'], other: ['other'], holds: [true], unsettled: [false], used: [true] },
    'other',
  ],
]
const casesOf = ({ own, other, holds, unsettled, used }: Row): Known[] =>
  own.flatMap((own) =>
    other.flatMap((other) =>
      holds.flatMap((holds) =>
        unsettled.flatMap((unsettled) => used.map((used) => ({ own, other, holds, unsettled, used }))),
      ),
    ),
  )

describe('a session to enter', () => {
  it.each(ROWS)('where %s', (_, row, chosen) => {
    for (const known of casesOf(row))
      expect({ ...known, chosen: chooseSession(known) }).toEqual({ ...known, chosen })
  })

  it('is chosen by exactly one row in every case', () => {
    const all = casesOf({ ...ANY, own: [undefined, 'own'], other: [undefined, 'own', 'other'] })
    // Nobody else names a session that this page has never had.
    const real = all.filter(({ own, other }) => own !== undefined || other !== 'own')
    const drawn = ROWS.flatMap(([, row]) => casesOf(row))
    const sorted = (cases: Known[]) => cases.map((known) => JSON.stringify(known)).sort()
    expect(sorted(drawn)).toEqual(sorted(real))
  })
})

describe('the session in which the others go on', () => {
  const START = initialState(0)
  const named = (session: string): State['named'] => ({ session, why: undefined })
  it.each<[string, Partial<State>, string | undefined]>([
    ['none, where none is named', { sessionId: 'own' }, undefined],
    ['none, where the own one is named', { sessionId: 'own', named: named('own') }, undefined],
    ['the one that is named', { sessionId: 'own', named: named('other') }, 'other'],
    ['the one that is named, where there is no own one', { named: named('other') }, 'other'],
    [
      'none, where this tab has left the one that is named',
      { named: named('past'), past: new Set(['past']) },
      undefined,
    ],
  ])('is %s', (_, more, other) => {
    expect(otherNamed({ ...START, ...more })).toBe(other)
  })
})
