// What the owner of the socket does for the other tabs of its browser, by its state alone.

import { describe, expect, it } from 'vitest'
import type { From, Message } from '../../src/chat/channel.ts'
import { createHost } from '../../src/chat/host.ts'
import { newItem, sent } from '../../src/chat/outbox.ts'
import type { Event } from '../../src/chat/reduce.ts'
import { initialState, type State } from '../../src/chat/state.ts'
import { idOf, parseFrame } from '../../src/protocol/index.ts'

const RUN = { run: 3, fails: 0, refusals: 0, unopened: 0, verdict: undefined }

function hostOf(begin: Partial<State>) {
  const at = { state: { ...initialState(0, 's', []), ...begin } as State }
  const events: Event[] = []
  const posts: Message[] = []
  const remembered: string[] = []
  const host = createHost({
    clock: { now: () => 0, wall: () => 0, after: () => () => {} },
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
    enter: (call: number, session?: string, own?: string) => host.take(enter(call, session, own)),
    named: host.named,
    forget: host.forget,
    /** An echo that names no message; returns the message that it is read as. */
    echo(sequence: number) {
      const text = JSON.stringify({
        type: 'EVENT_TYPE_USER_MESSAGE',
        payload: { text: 'ok' },
        id: `event-${sequence}`,
        sequence,
        timestamp: '2026-11-22T00:00:00Z',
      })
      const [event] = host.heard(text, parseFrame(text)).events
      return idOf(event?.metadata?.custom)
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

describe('an echo that names no message', () => {
  const own = sent([newItem('mine', 'ok', 0, 's')], 'mine', 0, 's', 3)

  it('is told to all tabs once it is known whose it is, and only then', () => {
    const { at, posts, echo } = hostOf({ outbox: own })
    expect(echo(3)).toBeUndefined()
    expect(echo(4)).toBe('mine')
    at.state = { ...at.state, outbox: [] }
    expect(echo(5)).toBeUndefined()
    expect(posts).toEqual([{ type: 'named', event: 'event-4', message: 'mine' }])
  })

  it('confirms no message of this tab where another tab knows that it is not its echo', () => {
    const { posts, echo, named } = hostOf({ outbox: own })
    named('event-4', 'of another tab')
    expect(echo(4)).toBe('of another tab')
    expect(echo(5)).toBe('mine')
    expect(posts).toEqual([{ type: 'named', event: 'event-5', message: 'mine' }])
  })

  it('is not named by what was known of a visitor who has signed out', () => {
    const { echo, named, forget } = hostOf({ outbox: own })
    named('event-4', 'of another tab')
    forget()
    expect(echo(4)).toBe('mine')
  })
})
