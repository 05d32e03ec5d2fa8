// @vitest-environment node
// The page for testers says when the pieces of an answer come in one burst although the service sent them one after the other.

import { describe, expect, it } from 'vitest'
import { createHeldBack } from '../../demo/qa/held-back.ts'

type Piece = { sent: number; came: number; message?: string }

const frame = ({ sent, message = 'm' }: Piece, more: object) =>
  JSON.stringify({
    type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
    timestamp: new Date(1_700_000_000_000 + sent).toISOString(),
    payload: { message_id: message, text: 'a', ...more },
  })

/** What the page says after each frame. */
function told(pieces: readonly Piece[]): (string | undefined)[] {
  const heldBack = createHeldBack()
  return pieces.map((piece, index) =>
    heldBack(frame(piece, { chunk_index: index + 1, is_complete: index === pieces.length - 1 }), piece.came),
  )
}
const every = (count: number, sent: number, came: number): Piece[] =>
  Array.from({ length: count }, (_, index) => ({ sent: index * sent, came: 9_000 + index * came }))

describe('an answer', () => {
  it('that came in one burst is told once, at its end, with both times', () => {
    expect(told(every(11, 100, 1))).toEqual([
      ...Array(10).fill(undefined),
      '11 chunks that the service sent within 1000 ms came within 10 ms. Something between the two holds frames back, such as a proxy that buffers.',
    ])
  })

  it.each<[string, Piece[]]>([
    ['came as it was sent', every(11, 100, 100)],
    ['came a little faster than it was sent', every(11, 100, 60)],
    ['was sent in one burst', every(11, 1, 0)],
    ['has too few pieces to tell', every(3, 400, 0)],
    ['took too short to tell', every(5, 100, 0)],
  ])('that %s is not told', (_, pieces) => {
    expect(told(pieces).every((each) => each === undefined)).toBe(true)
  })

  it('is measured by itself, also where another is sent between its pieces', () => {
    const heldBack = createHeldBack()
    const at = (index: number, message: string, came: number) =>
      heldBack(
        frame({ sent: index * 200, came, message }, { chunk_index: index + 1, is_complete: index === 4 }),
        came,
      )
    const words: (string | undefined)[] = []
    for (let index = 0; index < 5; index++) {
      words.push(at(index, 'slow', index * 200))
      words.push(at(index, 'held', 1_000))
    }
    expect(words.map((each) => each?.slice(0, 8))).toEqual([...Array(9).fill(undefined), '5 chunks'])
  })
})

it.each([
  ['no JSON', '{'],
  ['no object', 'null'],
  ['another event', JSON.stringify({ type: 'EVENT_TYPE_SESSION_END', payload: {} })],
  ['no payload', JSON.stringify({ type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK' })],
  ['no time', JSON.stringify({ type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK', payload: { message_id: 'm' } })],
])('a frame with %s says nothing', (_, text) => {
  expect(createHeldBack()(text, 0)).toBeUndefined()
})

it('the measure forgets answers that never end', () => {
  const heldBack = createHeldBack()
  heldBack(frame({ sent: 0, came: 0, message: 'old' }, {}), 0)
  for (let count = 0; count < 50; count++) heldBack(frame({ sent: 0, came: 0, message: `m${count}` }, {}), 0)
  const ends = Array.from({ length: 4 }, (_, index) =>
    heldBack(frame({ sent: 1_000, came: 1, message: 'old' }, { is_complete: index === 3 }), 1),
  )
  expect(ends).toEqual([undefined, undefined, undefined, undefined])
})
