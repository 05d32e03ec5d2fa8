// A frame for a session that has no socket here any more is repeated until the service knows, and not once more.

import { signal } from '@preact/signals-core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Access } from '../../../src/chat/access/access.ts'
import { createLateSends } from '../../../src/chat/effects/late-send.ts'
import type { Loop } from '../../../src/chat/effects/loop.ts'
import type { SocketListener } from '../../../src/chat/socket/socket.ts'
import type { Event } from '../../../src/chat/state/events.ts'
import type { Session } from '../../../src/chat/state/session.ts'
import { inConversation, initialState, type State } from '../../../src/chat/state/state.ts'
import { UNTRIED } from '../given.ts'
import { createSleepingClock, pass } from '../service.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const START = initialState(0, { sessionId: 's' })
const ENDED: Session = { name: 'ended', run: 1, reason: 'REASON_USER_END' }
const EXPIRED: Session = { name: 'expired', run: 1 }
const ENTERING = {
  name: 'entering',
  sessionId: undefined,
  run: 2,
  ...UNTRIED,
  insists: undefined,
} as const
const WAITING = { ...ENTERING, name: 'waiting', since: 0, until: 9_000, earliest: 0 } as const
const url = (session: string) => `wss://chat.example.com/ws?session=${session}`

/** A page whose sockets and BFF answer by hand. `holds`: the token is here. */
function page({ holds = true, cursor = 0 } = {}) {
  const state = signal<State>(inConversation(START, { log: { ...START.conversation.log, cursor } }))
  const dispatched: Event[] = []
  const opened: { url: string; sent: string[]; closed: boolean; listener: SocketListener }[] = []
  const addresses: { asks: boolean; give(url: string | undefined): void; refuse(): void }[] = []
  const access = {
    holds: () => holds,
    socketUrl: url,
    addressAgain: (_: string, asks: boolean) =>
      new Promise((give, refuse) => addresses.push({ asks, give, refuse })),
  } as Partial<Access> as Access
  const loop = {
    state,
    dispatch: (event) => void dispatched.push(event),
    note: (event) => void dispatched.push(event),
  } as Partial<Loop> as Loop
  const { changed, stop } = createLateSends({
    loop,
    access,
    openSocket(to, listener) {
      const socket = { url: to, sent: [] as string[], closed: false, listener }
      opened.push(socket)
      return {
        send: (text) => socket.sent.push(text) > 0,
        close() {
          socket.closed = true
        },
      }
    },
    clock: createSleepingClock(),
    random: () => 0.5,
  })
  const become = (more: Partial<State>) => {
    const before = state.value
    state.value = { ...before, ...more }
    changed(before, state.value)
  }
  return {
    become,
    stop,
    opened,
    addresses,
    dispatched,
    /** The session has ended, and the service is to learn it. Nothing of the next one was read yet. */
    end: (asks = true) =>
      become({
        session: ENDED,
        conversation: START.conversation,
        pendingEnd: { session: 's', now: false, later: true, asks },
      }),
  }
}
const END = '{"type":"EVENT_TYPE_USER_END_SESSION","payload":{}}'
const event = (type: string, more: object = {}) =>
  JSON.stringify({ type, payload: {}, id: 'e', timestamp: new Date(0).toISOString(), ...more })
const OVER = event('EVENT_TYPE_SESSION_END', { payload: { reason: 'REASON_USER_END' }, sequence: 9 })

it('the end is sent as its socket opens, and not once more when the service has told the end', async () => {
  const { end, opened } = page()
  end()
  opened[0]?.listener.opened()
  expect(opened[0]).toMatchObject({ url: url('s'), sent: [END] })
  opened[0]?.listener.frame(OVER)
  await pass(60_000)
  expect(opened).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})

it('the end is not sent where the service knows of it', () => {
  const { become, opened } = page()
  become({ session: ENDED, pendingEnd: { session: 's', now: true, later: false, asks: true } })
  expect(opened).toEqual([])
})

it('the end is sent again while nothing proves it, behind what was read, for ten minutes', async () => {
  const { end, opened } = page({ cursor: 5 })
  end()
  opened[0]?.listener.frame(event('EVENT_TYPE_POLY_AGENT_MESSAGE', { payload: { text: 'hi' }, sequence: 7 }))
  await pass(30_000)
  expect(opened.length).toBeGreaterThan(3)
  expect(new URL(opened[0]?.url ?? '').searchParams.get('cursor')).toBe('5')
  expect(new URL(opened[1]?.url ?? '').searchParams.get('cursor')).toBe('7')
  await pass(600_000)
  const { length } = opened
  await pass(600_000)
  expect(opened).toHaveLength(length)
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  ['during an attempt', 1_000],
  ['in the pause after one', 5_001],
])('the end is sent no more once somebody signs out %s', async (_, ms) => {
  const { end, become, opened } = page()
  end()
  await pass(ms)
  become({ signOuts: new Set(['mark']) })
  expect([opened[0]?.closed, vi.getTimerCount()]).toEqual([true, 0])
  await pass(60_000)
  expect(opened).toHaveLength(1)
})

it('each further attempt waits longer than the one before', async () => {
  const { end, opened, stop } = page()
  const at: number[] = []
  end()
  for (let tries = 1; tries <= 5; tries++) {
    expect(opened).toHaveLength(tries)
    at.push(Date.now())
    opened.at(-1)?.listener.closed(1006)
    while (opened.length === tries) await vi.advanceTimersToNextTimerAsync()
  }
  stop()
  expect(at.slice(1).map((time, index) => time - (at[index] ?? 0))).toEqual([1_000, 2_000, 4_000, 7_500])
})

it('the end by a sign-out is sent with the token that is here', async () => {
  const { become, opened } = page()
  const pendingEnd = { session: 's', now: false, later: true, asks: false }
  become({ session: ENDED, pendingEnd, signOuts: new Set(['mark']) })
  expect(opened.map((each) => each.url)).toEqual([url('s')])
})

it.each<[string, (of: ReturnType<typeof page>) => unknown]>([
  ['that is over', () => pass(5_500)],
  ['in which a session begins to be entered', ({ become }) => become({ session: ENTERING })],
])('an attempt %s opens no socket: the next one uses its address', async (_, meanwhile) => {
  const all = page({ holds: false })
  const { end, addresses, become, opened, stop } = all
  end()
  await meanwhile(all)
  expect(addresses.map(({ asks }) => asks)).toEqual([true])
  addresses[0]?.give(url('s'))
  await pass(10)
  expect(opened).toEqual([])
  become({ session: ENDED })
  await pass(2_000)
  expect(opened.map((each) => each.url)).toEqual([url('s')])
  stop()
})

it('the end is given up where the token is gone, and tried again where the BFF does not answer', async () => {
  const { end, addresses, opened } = page({ holds: false })
  end()
  addresses[0]?.refuse()
  await pass(2_000)
  expect(addresses).toHaveLength(2)
  addresses[1]?.give(undefined)
  await pass(60_000)
  expect([addresses.length, opened.length, vi.getTimerCount()]).toEqual([2, 0, 0])
})

it.each<[string, Session]>([
  ['is entered', ENTERING],
  ['waits to be entered', WAITING],
])('the end asks for no token while a session %s, which needs one too', async (_, session) => {
  const { become, addresses, stop } = page({ holds: false })
  become({ session, pendingEnd: { session: 's', now: false, later: true, asks: true } })
  await pass(4_000)
  expect(addresses).toEqual([])
  become({ session: ENDED })
  await pass(10_000)
  expect(addresses.length).toBeGreaterThan(0)
  stop()
})

/** A chat that is over, with a rating that the service does not know. */
const rated = (session: Session): State => {
  const csat = { id: 'rating', score: 9, comment: undefined, sent: false }
  const { log, requests } = START.conversation
  return inConversation(
    { ...START, session },
    { log: { ...log, cursor: 5 }, requests: { ...requests, csat } },
  )
}

it('a rating that is given up at a sign-out does not count as sent', async () => {
  const { become, opened, dispatched } = page()
  become(rated(ENDED))
  become({ ...START, session: ENDED, signOuts: new Set(['mark']) })
  await pass(60_000)
  expect(opened.map(({ closed }) => closed)).toEqual([true])
  expect(dispatched).toEqual([{ type: 'requested', what: { id: 'rating' } }])
})

it.each<[string, Session]>([
  ['end', ENDED],
  ['expiry', EXPIRED],
])(
  'ratings after the %s are sent one after the other, each noted when the service has echoed it',
  async (_, session) => {
    const { become, opened, dispatched } = page()
    become(rated(session))
    expect(dispatched).toEqual([{ type: 'requested', what: { id: 'rating' } }])
    expect(new URL(opened[0]?.url ?? '').searchParams.get('cursor')).toBe('5')
    opened[0]?.listener.opened()
    expect(JSON.parse(opened[0]?.sent[0] ?? '')).toMatchObject({ type: 'EVENT_TYPE_CSAT_RESPONSE' })
    const echoed = (id: string) =>
      event('EVENT_TYPE_CSAT_RESPONSE', {
        payload: { score: 9 },
        metadata: { custom: { client_event_id: id } },
      })
    opened[0]?.listener.frame(echoed('another'))
    await pass(10)
    expect(dispatched).toHaveLength(1)
    opened[0]?.listener.frame(echoed('rating'))
    await pass(10)
    expect(dispatched.slice(1)).toEqual([{ type: 'rated', id: 'rating' }])
  },
)
