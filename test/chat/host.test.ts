// What the owner of the socket does for the other tabs of its browser, by its state alone.

import { describe, expect, it } from 'vitest'
import type { From, Message } from '../../src/chat/channel.ts'
import { memoryStore } from '../../src/chat/effects/stored.ts'
import { createHost } from '../../src/chat/host.ts'
import { messageFrame, newItem, sent } from '../../src/chat/outbox/items.ts'
import type { Event } from '../../src/chat/reduce.ts'
import { initialState, type State } from '../../src/chat/state/state.ts'
import { type Frame, idOf, parseFrame } from '../../src/protocol/index.ts'

const RUN = { run: 3, fails: 0, refusals: 0, unopened: 0, denials: 0, crowded: false, verdict: undefined }

const echoAt = (sequence: number) => ({
  type: 'EVENT_TYPE_USER_MESSAGE',
  payload: { text: 'ok' },
  id: `event-${sequence}`,
  sequence,
  timestamp: '2026-11-22T00:00:00Z',
})
const namesIn = ({ events }: Frame) => events.map((event) => idOf(event.metadata?.custom))

function hostOf(begin: Partial<State>, store = memoryStore()) {
  const at = { state: { ...initialState(0, 's', []), ...begin } as State }
  const events: Event[] = []
  const posts: Message[] = []
  const remembered: string[] = []
  const host = createHost({
    clock: { now: () => 0, wall: () => 0, after: () => () => {} },
    store,
    state: () => at.state,
    current: () => 's',
    remember: (session) => remembered.push(session),
    dispatch: (event) => events.push(event),
    forward: () => true,
    sayFor() {},
    post: (message) => posts.push(message),
  })
  const enter = (call: number, session: string | undefined, own = session): From => ({
    ...{ type: 'enter', call, session, own, left: undefined, over: [], asked: true, from: `tab ${call}` },
  })
  return {
    at,
    events,
    posts,
    changed: () => host.changed(),
    remembered,
    named: host.named,
    enter: (call: number, session?: string, own?: string) => host.take(enter(call, session, own)),
    forget: host.forget,
    /** Another tab says "ok" over the socket of this one. */
    say(id: string) {
      host.take({ type: 'open', socket: 1, session: 's', cursor: 0, asked: false, from: 'tab' })
      const text = JSON.stringify(messageFrame(id, 'ok'))
      host.take({ type: 'say', socket: 1, text, from: 'tab' })
    },
    types() {
      host.take({ type: 'open', socket: 1, session: 's', cursor: 0, asked: false, from: 'tab' })
      const payload = { state: 'TYPING_STATE_STARTED' }
      const text = JSON.stringify({ type: 'EVENT_TYPE_USER_TYPING', payload })
      host.take({ type: 'say', socket: 1, text, from: 'tab' })
    },
    /** An echo that names no message; returns the message that it is read as. */
    echo(sequence: number) {
      const text = JSON.stringify(echoAt(sequence))
      return namesIn(host.heard(text, parseFrame(text)))[0]
    },
    /** The same in a batch. */
    echoes(...sequences: number[]) {
      const type = 'EVENT_TYPE_EVENT_BATCH'
      const text = JSON.stringify({ type, payload: { events: sequences.map(echoAt) } })
      return namesIn(host.heard(text, parseFrame(text)))
    },
  }
}

it.each([
  ['ended', { name: 'ended', run: 3, reason: 'REASON_USER_END' }, { type: 'restart' }],
  ['expired', { name: 'expired', run: 3 }, { type: 'session', event: { type: 'act' } }],
] as const)(
  'asks once for the session after one that %s, whatever changes until it is there',
  (_, over, asked) => {
    const { at, events, changed, enter } = hostOf({ session: over })
    enter(1)
    enter(2)
    for (let change = 0; change < 3; change++) changed()
    expect(events).toEqual([asked])
    at.state = {
      ...at.state,
      session: { name: 'entering', sessionId: undefined, ...RUN },
      sessionId: undefined,
    }
    changed()
    expect(events).toEqual([asked])
    at.state = { ...at.state, session: { ...over }, sessionId: 'next' }
    changed()
    expect(events).toEqual([asked, asked])
  },
)

it('takes up no session that a tab shows, where that one asks for the one that ended here', () => {
  const { posts, remembered, enter } = hostOf({ session: { name: 'expired', run: 3 } })
  enter(1, 's', 'long ago')
  expect(remembered).toEqual([])
  expect(posts.at(-1)).toMatchObject({ type: 'entered', session: 's' })
  enter(2, 'may go on')
  expect(remembered).toEqual(['may go on'])
})

it('lets a tab into the session that it asks for, and into no other while that goes on', () => {
  const { at, posts, enter } = hostOf({ session: { name: 'live', since: 0, sessionId: 's', ...RUN } })
  enter(1, 's')
  expect(posts).toMatchObject([{ type: 'wait' }, { type: 'entered', to: 'tab 1', call: 1, session: 's' }])
  at.state = { ...at.state, session: { name: 'entering', sessionId: 's', ...RUN } }
  enter(2, 's')
  expect(posts.at(-1)).toEqual({ type: 'wait', to: 'tab 2' })
})

it('takes no tab out of another session while it is not live in its own', () => {
  const { at, posts, changed, enter } = hostOf({
    session: { name: 'connecting', last: false, sessionId: 's', ...RUN },
  })
  enter(1, 'other')
  changed()
  expect(posts).toEqual([{ type: 'wait', to: 'tab 1' }])
  enter(2, 's')
  expect(posts.at(-1)).toMatchObject({ type: 'entered', to: 'tab 2', session: 's' })
  at.state = {
    ...at.state,
    session: { name: 'live', since: 0, sessionId: 's', ...RUN },
  }
  changed()
  expect(posts.at(-1)).toMatchObject({ type: 'entered', to: 'tab 1', session: 's' })
})

it('counts the typing of another tab from when the service hears of it', () => {
  const { events, types } = hostOf({ session: { name: 'live', since: 0, sessionId: 's', ...RUN } })
  types()
  expect(events).toEqual([{ type: 'active', rested: 0 }])
})

describe('an echo that names no message', () => {
  const own = sent([newItem('mine', 'ok', 0, 's')], 'mine', 0, 's', 3)

  it('is told to all tabs once it is known whose it is, and only then', () => {
    const { at, posts, echo } = hostOf({ outbox: own })
    expect(echo(3)).toBeUndefined()
    expect(echo(4)).toBe('mine')
    at.state = { ...at.state, outbox: [] }
    expect(echo(5)).toBeUndefined()
    expect(posts).toEqual([{ type: 'named', event: 's event-4', message: 'mine' }])
  })

  it('confirms no message of this tab where another tab says that it is not its echo, also without a store', () => {
    const { posts, echo, named } = hostOf({ outbox: own }, { get: () => undefined, set() {}, remove() {} })
    named('s event-4', 'of another tab')
    expect(echo(4)).toBe('of another tab')
    expect(echo(5)).toBe('mine')
    expect(posts).toEqual([{ type: 'named', event: 's event-5', message: 'mine' }])
  })

  it('confirms no message of this tab where another tab found that it is not its echo, also while this one was frozen', () => {
    const store = memoryStore()
    const theirs = sent([newItem('theirs', 'ok', 0, 's')], 'theirs', 0, 's', 3)
    expect(hostOf({ outbox: theirs }, store).echo(4)).toBe('theirs')
    const { echo } = hostOf({ outbox: own }, store)
    expect(echo(4)).toBe('theirs')
    expect(echo(5)).toBe('mine')
  })

  it('confirms another message than the echo beside it in the same batch: each of two tabs has one', () => {
    const store = memoryStore()
    const log = { ...initialState(0, 's', []).log, cursor: 3 }
    const live = { name: 'live', since: 0, sessionId: 's', ...RUN } as const
    const { say, echoes } = hostOf({ session: live, outbox: own, log }, store)
    say('theirs')
    expect(echoes(4, 5).toSorted()).toEqual(['mine', 'theirs'])
    expect((JSON.parse(store.get('names') ?? '') as string[][]).map(([, id]) => id).toSorted()).toEqual([
      'mine',
      'theirs',
    ])
  })

  it('is known by the last hundred of what the tabs have found, and by nothing else that is stored', () => {
    const store = memoryStore()
    for (let sequence = 4; sequence < 105; sequence++) hostOf({ outbox: own }, store).echo(sequence)
    expect((JSON.parse(store.get('names') ?? '') as string[][]).map(([echo]) => echo)).toEqual(
      Array.from({ length: 100 }, (_, index) => `s event-${index + 5}`),
    )
    for (const text of ['[["s event-4",7]]', '[]', 'null', '"x', '{"s event-4":"x"}', '[null]']) {
      store.set('names', text)
      expect(hostOf({ outbox: own }, store).echo(4)).toBe('mine')
    }
  })

  it('confirms a message of its own session, where another session has an event of the same id', () => {
    const store = memoryStore()
    const { at, echo, forget } = hostOf({ outbox: own }, store)
    expect(echo(4)).toBe('mine')
    forget()
    at.state = {
      ...at.state,
      sessionId: 'next',
      outbox: sent([newItem('new', 'ok', 0, 'next')], 'new', 0, 'next', 3),
    }
    expect(echo(4)).toBe('new')
  })

  it('is not named by what was said of a visitor who has signed out', () => {
    const { echo, named, forget } = hostOf({ outbox: own })
    named('s event-4', 'of another tab')
    forget()
    expect(echo(4)).toBe('mine')
  })
})
