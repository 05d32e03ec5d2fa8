// What the owner of the socket does for the other tabs of its browser, by its state alone.

import { expect, it } from 'vitest'
import type { From, Message } from '../../src/chat/channel.ts'
import { createHost } from '../../src/chat/host.ts'
import type { Event } from '../../src/chat/reduce.ts'
import { initialState, type State } from '../../src/chat/state.ts'

const RUN = { run: 3, fails: 0, refusals: 0, unopened: 0, verdict: undefined }

function hostOf(begin: Partial<State>) {
  const at = { state: { ...initialState(0, 's', []), ...begin } as State }
  const events: Event[] = []
  const posts: Message[] = []
  const host = createHost({
    clock: { now: () => 0, wall: () => 0, after: () => () => {} },
    state: () => at.state,
    current: () => 's',
    remember() {},
    dispatch: (event) => events.push(event),
    forward: () => true,
    sayFor() {},
    post: (message) => posts.push(message),
  })
  const enter = (call: number, session: string | undefined): From => ({
    ...{ type: 'enter', call, session, left: undefined, over: [], asked: true, from: `tab ${call}` },
  })
  return {
    at,
    events,
    posts,
    changed: () => host.changed(),
    enter: (call: number, session?: string) => host.take(enter(call, session)),
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

it('lets a tab into the session that it asks for, and into no other while that goes on', () => {
  const { at, posts, enter } = hostOf({ session: { name: 'live', since: 0, sessionId: 's', ...RUN } })
  enter(1, 's')
  expect(posts).toMatchObject([{ type: 'wait' }, { type: 'entered', to: 'tab 1', call: 1, session: 's' }])
  at.state = { ...at.state, session: { name: 'entering', sessionId: 's', ...RUN } }
  enter(2, 's')
  expect(posts.at(-1)).toEqual({ type: 'wait', to: 'tab 2' })
})
