// The tab that owns the socket keeps the events of a session for tabs that come later.

import { afterEach, expect, it, vi } from 'vitest'
import { createHistory } from '../../src/chat/history.ts'
import { parseFrame } from '../../src/protocol/index.ts'

const eventAt = (sequence: number) => ({
  type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
  payload: { message_id: `m${sequence}`, text: `No ${sequence}` },
  id: `event-${sequence}`,
  sequence,
  timestamp: '2026-11-22T00:00:00Z',
})
const batchOf = (from: number, to: number) =>
  JSON.stringify({
    type: 'EVENT_TYPE_EVENT_BATCH',
    payload: { events: Array.from({ length: to - from + 1 }, (_, index) => eventAt(from + index)) },
  })
const sequencesIn = (batch: string) => parseFrame(batch).events.map(({ sequence }) => sequence)

afterEach(() => void vi.restoreAllMocks())

it('of batches is told in order, each event once', () => {
  const history = createHistory()
  for (const text of [batchOf(1, 100), batchOf(1, 101), JSON.stringify(eventAt(102)), batchOf(100, 140)])
    history.take(text, parseFrame(text), () => undefined)
  expect(sequencesIn(history.since(0))).toEqual(Array.from({ length: 140 }, (_, index) => index + 1))
  expect(sequencesIn(history.since(138))).toEqual([139, 140])
})

it('keeps of a replay of what it has heard only what is new', () => {
  const history = createHistory()
  const replays = Array.from({ length: 20 }, (_, index) => batchOf(1, 500 + index))
  for (const text of replays) history.take(text, parseFrame(text), () => undefined)
  const parse = vi.spyOn(JSON, 'parse')
  const told = history.since(0)
  // Only the text of a batch that was kept whole is parsed now: that of the first.
  expect(parse.mock.calls.map(([text]) => replays.indexOf(text))).toEqual([0])
  expect(sequencesIn(told)).toHaveLength(519)
})
