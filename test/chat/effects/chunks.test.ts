// Which frames are gathered until the screen is drawn.

import { expect, it } from 'vitest'
import { isChunk } from '../../../src/chat/effects/chunks.ts'
import { type Frame, parseFrame } from '../../../src/protocol/index.ts'

const chunk = (is_complete = false): Frame =>
  parseFrame(
    JSON.stringify({
      type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
      payload: { message_id: 'm', text: 'a', chunk_index: 1, is_complete },
      id: 'e',
      sequence: 1,
      timestamp: '2026-11-22T00:00:00Z',
    }),
  )
const { events } = chunk()

it.each<[string, boolean, Frame]>([
  ['a piece of an answer', true, chunk()],
  ['its last piece', false, chunk(true)],
  ['a history', false, { ...chunk(), batch: true }],
  ['a piece and another event', false, { ...chunk(), events: [...events, ...events] }],
  ['a piece and what cannot be read', false, { ...chunk(), drops: [{ reason: 'no event', sequence: 2 }] }],
  ['nothing', false, { ...chunk(), events: [] }],
])('%s is gathered: %s', (_, waits, frame) => {
  expect(isChunk(frame)).toBe(waits)
})
