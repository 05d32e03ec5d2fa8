// What is to be said next over a connection, by itself: one thing at a time, in an order, each once.

import { describe, expect, it } from 'vitest'
import { newItem, sent } from '../../../src/chat/outbox/items.ts'
import { nextFrame } from '../../../src/chat/outbox/next.ts'
import { reduce } from '../../../src/chat/reduce.ts'
import type { Session } from '../../../src/chat/state/session.ts'
import { initialState, type State } from '../../../src/chat/state/state.ts'
import { type Given, given, UNTRIED } from '../given.ts'

const NOW = 1_000
const known = {
  sessionId: 's',
  run: 3,
  ...UNTRIED,
}
const START = initialState(0, { sessionId: 's' })
const live = (more: Given = {}): State =>
  given(START, {
    session: { name: 'live', since: 0, ...known },
    log: { ...START.conversation.log, joined: true },
    ...more,
  })
const say = (state: State, now = NOW) => nextFrame(state, now, () => 'fresh')
const FRESH = { custom: { client_event_id: 'fresh', local_id: 'fresh' } }

const barrier: Given = {
  session: { name: 'replaying', ...known },
  replay: { asked: undefined, batch: false, frameAt: 0 },
}
const ending: Given = { endRequest: { sent: false, at: 0 } }
const unjoined: Given = { log: START.conversation.log }
const typing: Given = { typed: { ...START.typed, want: 'STARTED' } }
const probe: Given = { probe: { wanted: 8_000, asked: undefined, last: 0 } }
const message: Given = { outbox: [newItem('a', 'hi', 0, 's')] }

const FRAMES: [string, Given, object][] = [
  [
    'the heartbeat behind which a replay is over',
    barrier,
    {
      frame: { type: 'EVENT_TYPE_HEARTBEAT', payload: {}, metadata: FRESH },
      noted: { type: 'barrier', id: 'fresh' },
    },
  ],
  [
    'the end',
    ending,
    { frame: { type: 'EVENT_TYPE_USER_END_SESSION', payload: {} }, noted: { type: 'end-sent' } },
  ],
  [
    'the request that the agent join',
    unjoined,
    {
      frame: { type: 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', payload: {}, metadata: FRESH },
      noted: { type: 'joined' },
    },
  ],
  [
    'that the visitor types',
    typing,
    {
      frame: { type: 'EVENT_TYPE_USER_TYPING', payload: { state: 'TYPING_STATE_STARTED' } },
      noted: { type: 'typing-sent', state: 'STARTED' },
    },
  ],
  [
    'that the visitor rests',
    { typed: { ...START.typed, want: 'STOPPED' } },
    {
      frame: { type: 'EVENT_TYPE_USER_TYPING', payload: { state: 'TYPING_STATE_STOPPED' } },
      noted: { type: 'typing-sent', state: 'STOPPED' },
    },
  ],
  [
    'the heartbeat that asks for a sign of life',
    probe,
    {
      frame: { type: 'EVENT_TYPE_HEARTBEAT', payload: {}, metadata: FRESH },
      noted: { type: 'probed', id: 'fresh' },
    },
  ],
  [
    'the message that waits',
    message,
    {
      frame: {
        type: 'EVENT_TYPE_USER_MESSAGE',
        payload: { text: 'hi' },
        metadata: { custom: { client_event_id: 'a', local_id: 'a' } },
      },
      noted: { type: 'sent', id: 'a' },
    },
  ],
]

describe('what is said', () => {
  it.each(FRAMES)('goes over the wire in the form of the protocol: %s', (_, wants, said) => {
    expect(say(live(wants))).toEqual(said)
  })
  it.each(FRAMES)('is noted as said, and not said again: %s', (_, wants) => {
    const state = live(wants)
    const said = say(state)
    if (!said) throw new Error('nothing is said')
    const { state: after } = reduce(state, said.noted, { now: NOW, wall: 0, random: 0.5, run: 9 })
    expect(say(after)).toBeUndefined()
  })
  it('is nothing where nothing is wanted', () => expect(say(live())).toBeUndefined())
  it.each<[string, Session]>([
    ['idle', { name: 'idle', sessionId: 's' }],
    ['entering', { name: 'entering', ...known }],
    ['connecting', { name: 'connecting', ...known }],
    ['waiting', { name: 'waiting', since: 0, until: 0, earliest: 0, ...known }],
    ['offline', { name: 'offline', ...known }],
    ['suspended', { name: 'suspended', ...known }],
    ['expired', { name: 'expired', run: 3 }],
    ['ended', { name: 'ended', run: 3, reason: 'x' }],
    ['unavailable', { name: 'unavailable', cause: 'refused', at: 0, ...known }],
    ['disposed', { name: 'disposed' }],
  ])('is nothing while the session is %s, whatever is wanted', (_, session) => {
    expect(say(live({ ...ending, ...unjoined, ...typing, ...probe, ...message, session }))).toBeUndefined()
  })
})

describe('the order', () => {
  const types = (wants: Given) => say(live(wants))?.noted.type
  it('is: end, join, typing, heartbeat, message', () => {
    expect(types({ ...message, ...probe, ...typing, ...unjoined, ...ending })).toBe('end-sent')
    expect(types({ ...message, ...probe, ...typing, ...unjoined })).toBe('joined')
    expect(types({ ...message, ...probe, ...typing })).toBe('typing-sent')
    expect(types({ ...message, ...probe })).toBe('probed')
    expect(types(message)).toBe('sent')
  })
  it('has nothing before the end of a replay, and nothing behind an end', () => {
    const asked = { replay: { asked: { id: 'b', answered: false }, batch: true, frameAt: 0 } }
    expect(types({ ...message, ...probe, ...typing, ...unjoined, ...ending, ...barrier })).toBe('barrier')
    expect(types({ ...message, ...probe, ...typing, ...unjoined, ...barrier, ...asked })).toBeUndefined()
    expect(types({ ...message, ...typing, ...unjoined, endRequest: { sent: true, at: 0 } })).toBeUndefined()
  })
})

describe('the request that the agent join', () => {
  it('is made again not before its pause is over', () => {
    const join = { asked: false, times: 1, at: 0, notBefore: NOW }
    expect(say(live({ ...unjoined, join }), NOW - 1)).toBeUndefined()
    expect(say(live({ ...unjoined, join }), NOW)?.noted).toEqual({ type: 'joined' })
  })
  it('is made once on a socket, and holds up nothing behind it', () => {
    const join = { asked: true, times: 1, at: 0, notBefore: 0 }
    expect(say(live({ ...unjoined, join, ...message }))?.noted.type).toBe('sent')
  })
})

describe('a heartbeat', () => {
  it('is not sent while another is on its way, which holds up nothing', () => {
    const asked = { id: 'p', at: 0, deadline: 9_000 }
    const state = live({ probe: { wanted: 8_000, asked, last: 0 }, ...message })
    expect(say(state)?.noted.type).toBe('sent')
  })
})

describe('a message', () => {
  it('waits while stored ones may be another tab’s, and nothing else does', () => {
    const copied = { ...newItem('stored', 'hi', 0, 'other'), unclaimed: true }
    const unclaimed = { outbox: [newItem('a', 'hi', 0, 's'), copied] }
    expect(say(live(unclaimed))).toBeUndefined()
    expect(say(live({ ...unclaimed, ...typing }))?.noted.type).toBe('typing-sent')
    expect(say(live({ outbox: unclaimed.outbox.slice(0, 1) }))?.noted).toEqual({ type: 'sent', id: 'a' })
  })
  it('of another session waits for that', () => {
    expect(say(live({ outbox: [newItem('a', 'hi', 0, 'other')] }))).toBeUndefined()
  })
  it('waits for the echo of the one before it', () => {
    const [first, second] = [newItem('a', 'hi', 0, 's'), newItem('b', 'you', 0, 's')]
    const outbox = [...sent([first], 'a', NOW, 's', 0), second]
    expect(say(live({ outbox }))).toBeUndefined()
    expect(say(live({ outbox: [{ ...first, state: 'failed' }, second] }))?.noted).toEqual({
      type: 'sent',
      id: 'b',
    })
  })
})
