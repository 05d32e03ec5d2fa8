// What an entry of the handoff queue is about, where a conversation was there before.

import { describe, expect, it } from 'vitest'
import { entryOf } from '../../src/runtime/handoff/desk-view.ts'
import type { QueuedRow } from '../../src/runtime/handoff/store.ts'
import { at } from './store-world.ts'

const SPEAKERS = {
  visitor: 'EVENT_TYPE_USER_MESSAGE',
  agent: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
  live: 'EVENT_TYPE_LIVE_AGENT_MESSAGE',
} as const
type Said = readonly [seconds: number, who: keyof typeof SPEAKERS, text: string]

const SARAH = { id: 'sarah', name: 'Sarah' }
/** A conversation that was handed over for the second time, 100 s after its beginning. */
const row = (said: readonly Said[], more: Partial<QueuedRow> = {}): QueuedRow => ({
  ...{ conversation_id: 'a', channel: 'WEBCHAT', mode: 'queued', queue_name: 'support', data: {} },
  ...{ created_at: at(100), queued_at: at(130), taken_at: null, live_agent: null, told_position: 1 },
  ...{ lost: null, connected: true, here_elsewhere: false },
  messages: said.map(([seconds, who, text]) => ({
    ...{ type: SPEAKERS[who], text, at: at(seconds).toISOString() },
    ...(who === 'live' ? { agent_id: 'sarah', agent_name: 'Sarah' } : { agent_id: null, agent_name: null }),
  })),
  ...more,
})
const FIRST: readonly Said[] = [
  [10, 'visitor', 'Where is my parcel?'],
  [20, 'visitor', 'a person'],
  [30, 'live', 'It is on its way'],
]

describe('the question of an entry', () => {
  it.each<[string, readonly Said[], Partial<QueuedRow>, string]>([
    [
      'the last one before the request that led to the handoff',
      [...FIRST, [50, 'visitor', 'Can I pay by card?'], [60, 'visitor', 'ok'], [100, 'visitor', 'a person?']],
      {},
      'Can I pay by card?',
    ],
    [
      'that of an earlier handoff, where none came since',
      [...FIRST, [60, 'visitor', 'ok'], [100, 'visitor', 'person']],
      {},
      'Where is my parcel?',
    ],
    [
      'the first one while waiting, where none came before',
      [
        [100, 'visitor', 'person'],
        [110, 'visitor', 'hm'],
        [120, 'visitor', 'One?'],
        [125, 'visitor', 'Two?'],
      ],
      {},
      'One?',
    ],
    [
      'not one to the live agent who has taken it',
      [
        [100, 'visitor', 'person'],
        [150, 'visitor', 'Are you there?'],
      ],
      { taken_at: at(140), live_agent: SARAH, mode: 'desk' },
      'person',
    ],
    [
      'one from before it was taken',
      [
        [100, 'visitor', 'person'],
        [140, 'visitor', 'Anybody?'],
        [150, 'visitor', 'Are you there?'],
      ],
      { taken_at: at(140), live_agent: SARAH, mode: 'desk' },
      'Anybody?',
    ],
    [
      'not one to a live agent who has passed it on since',
      [
        [100, 'visitor', 'person'],
        [120, 'live', 'Hello'],
        [125, 'visitor', 'Are you there?'],
      ],
      {},
      'person',
    ],
    [
      'one while waiting, whatever a live agent wrote before this handoff',
      [
        [30, 'live', 'Hello'],
        [100, 'visitor', 'person'],
        [120, 'visitor', 'Anybody?'],
      ],
      {},
      'Anybody?',
    ],
    [
      'what the agent passed on',
      [...FIRST, [100, 'visitor', 'person']],
      { data: { last_question: 'This' } },
      'This',
    ],
    ['the first words, where the request is not among the newest', [[120, 'visitor', 'hm']], {}, 'hm'],
    ['nothing, where nothing was said', [], {}, ''],
  ])('is %s', (_, said, more, question) => {
    expect(entryOf(row(said, more), undefined).question).toBe(question)
  })
})

it('an entry has the times of its handoff and its wait, and who wrote last, whoever has it now', () => {
  const said: readonly Said[] = [...FIRST, [100, 'visitor', 'person'], [120, 'live', 'Hello']]
  const omar = { id: 'omar', name: 'Omar' }
  expect(entryOf(row(said, { taken_at: at(140), live_agent: omar, mode: 'desk' }), 'here')).toMatchObject({
    ...{ state: 'taken', agent: omar, presence: 'here', lost: undefined },
    ...{ queuedAt: at(130).toISOString(), takenAt: at(140).toISOString() },
    last: { from: 'live', text: 'Hello', at: at(120).toISOString(), agent: SARAH },
  })
  const waits = entryOf(row([[100, 'visitor', 'person']], { queued_at: null, lost: 'gone' }), undefined)
  expect(waits).toMatchObject({
    ...{ state: 'waiting', agent: undefined, lost: 'gone', queuedAt: at(100).toISOString() },
    last: { from: 'visitor', text: 'person' },
  })
  expect(waits.last).not.toHaveProperty('agent')
})
