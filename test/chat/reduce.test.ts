// What the state becomes where sessions change: an event at a time, without sockets or clocks.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { newItem } from '../../src/chat/outbox/items.ts'
import { reduce } from '../../src/chat/reduce.ts'
import { END } from '../../src/chat/session/timers.ts'
import type { Event } from '../../src/chat/state/events.ts'
import type { SessionEvent } from '../../src/chat/state/session.ts'
import { initialState, type State } from '../../src/chat/state/state.ts'
import { parseFrame } from '../../src/protocol/index.ts'
import { flat, type Given, given } from './given.ts'

/** A chat that is driven by hand. Runs are numbered as `createChat` numbers them. */
function drive() {
  let state: State = initialState(0)
  let run = 0
  let now = 0
  /** What the wall clock counted while the machine slept. */
  let slept = 0
  const take = (event: Event) => {
    if (event.type === 'slept') slept += event.ms
    state = reduce(state, event, { now, wall: now + slept, random: 0.5, run: run + 1 }).state
    // A state that the reducer has returned never changes, though the reducer changes its own drafts in place.
    for (const known of [state, state.conversation, state.conversation.log, state.outbox])
      Object.freeze(known)
    if ('run' in state.session) run = Math.max(run, state.session.run)
    return chat
  }
  const session = (event: object) => take({ type: 'session', event: { ...event, run } as SessionEvent })
  const frame = (text: string) => take({ type: 'frame', run, frame: parseFrame(text) })
  const chat = {
    take,
    session,
    pass(ms: number) {
      now += ms
      return chat
    },
    batch: (...events: object[]) =>
      frame(JSON.stringify({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events } })),
    live: (event: object) => frame(JSON.stringify(event)),
    /** The echo of the heartbeat that ends the replay. */
    echo() {
      take({ type: 'barrier', id: 'b' })
      return frame(JSON.stringify({ type: 'EVENT_TYPE_HEARTBEAT', metadata: { custom: { local_id: 'b' } } }))
    },
    enter: (sessionId: string) => session({ type: 'entered', sessionId, fresh: true }),
    open: () => session({ type: 'opened' }),
    amend(more: Partial<State>) {
      state = { ...state, ...more }
      return chat
    },
    state: () => state,
    status: () => state.session.name,
    screen: () =>
      state.transcript.map((entry) =>
        entry.kind === 'message'
          ? `${entry.content.value.pieces.join('')}${entry.content.value.complete ? '' : '…'}`
          : entry.kind === 'divider'
            ? `--- ${entry.reason}`
            : `* ${entry.notice}`,
      ),
  }
  return chat
}

/** When the clock that is turned by hand began. */
const timestamp = new Date(0).toISOString()
const START = {
  type: 'EVENT_TYPE_SESSION_START',
  payload: { capabilities: {} },
  id: 'e1',
  sequence: 1,
  timestamp,
}
const answer = (text: string, sequence: number) => ({
  type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
  payload: { text },
  id: `${text} ${sequence}`,
  sequence,
  timestamp,
})
const said = (text: string, sequence: number) => ({
  ...answer(text, sequence),
  type: 'EVENT_TYPE_USER_MESSAGE',
})
const piece = (text: string, index: number, sequence: number, done = false) => ({
  type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
  payload: { text, chunk_index: index, is_complete: done },
  id: `${text} ${sequence}`,
  sequence,
  timestamp,
})
const live = (sessionId: string, ...events: object[]) =>
  drive()
    .session({ type: 'open' })
    .enter(sessionId)
    .open()
    .batch(START, ...events)
    .echo()

it('the reducer holds no state that its caller has let go', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = (() => {
    const before = initialState(0)
    const event: Event = { type: 'session', event: { type: 'open' } }
    const { state } = reduce(before, event, { now: 0, wall: 0, random: 0.5, run: 1 })
    const entered: Event = {
      type: 'session',
      event: { type: 'entered', run: 1, sessionId: 's', fresh: true },
    }
    const { state: connecting } = reduce(state, entered, { now: 0, wall: 0, random: 0.5, run: 2 })
    const opened: Event = { type: 'session', event: { type: 'opened', run: 1 } }
    const { state: replaying } = reduce(connecting, opened, { now: 0, wall: 0, random: 0.5, run: 2 })
    const text = JSON.stringify({
      type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
      payload: { message_id: 'm', text: 'Hello' },
      id: 'e',
      sequence: 1,
      timestamp: '2026-11-22T00:00:00Z',
    })
    const heard: Event = { type: 'frame', run: 1, frame: parseFrame(text) }
    const { state: last } = reduce(replaying, heard, { now: 0, wall: 0, random: 0.5, run: 2 })
    expect(last.transcript).toHaveLength(1)
    return new WeakRef(last)
  })()
  // A WeakRef holds its target until the task is over.
  await new Promise((go) => setTimeout(go))
  collect()
  expect(held.deref()).toBeUndefined()
})

describe('a sign-out', () => {
  const signedOut = (ago?: number) =>
    live('a', answer('one', 2)).pass(9_000).take({ type: 'signed-out', mark: 'm', ago })
  it('takes all of its visitor away, whenever the page hears of it', () => {
    for (const ago of [undefined, 0, 9_000]) expect(signedOut(ago).screen()).toEqual([])
  })
  it('that was before the page, or before its last sign-out, was of another person', () => {
    expect(signedOut(9_001).screen()).toEqual(['one'])
    const next = signedOut(1_000)
      .take({ type: 'restart' })
      .enter('b')
      .open()
      .batch(START, answer('hers', 2))
      .echo()
    expect(next.take({ type: 'signed-out', mark: 'older', ago: 1_001 }).screen()).toEqual(['hers'])
    expect(next.take({ type: 'signed-out', mark: 'newer', ago: 1_000 }).screen()).toEqual([])
  })
})

describe('a session that was left', () => {
  const left = () =>
    live('a', answer('one', 2), piece('t', 1, 3), piece('w', 2, 4))
      .pass(5_000)
      .take({ type: 'slept', ms: 900_000 })
      .session({ type: 'closed', code: 4001 })
      .take({ type: 'send', id: 'm', text: 'and?' })

  it('is above a divider once the visitor goes on', () => {
    expect(left().screen()).toEqual(['one', 'tw', '--- expired'])
  })
  it('is entered again where it goes on after all: without the divider, and with nothing a second time', () => {
    const back = left().enter('a').open()
    back.batch(START, answer('one', 2), piece('t', 1, 3), piece('w', 2, 4), piece('o', 3, 5, true)).echo()
    expect(back.screen()).toEqual(['one', 'two'])
    expect(back.state().outbox).toMatchObject([{ state: 'queued', session: 'a' }])
  })
  it('goes on with the person who answered there', () => {
    const joined = {
      ...START,
      type: 'EVENT_TYPE_LIVE_AGENT_JOINED',
      payload: { agent: { name: 'Sam' } },
      id: 'e2',
      sequence: 2,
    }
    const chat = live('a', joined).take({ type: 'restart' }).enter('b').open().batch(START).echo()
    expect(chat.state().conversation).toMatchObject({ agent: { live: false }, handoff: { state: 'none' } })
    chat.take({ type: 'restart' }).enter('a')
    expect(chat.state().conversation).toMatchObject({
      agent: { name: 'Sam', live: true },
      handoff: { state: 'live' },
    })
  })
  it('stands below the one that came between', () => {
    const between = left().enter('b').open().batch(START, answer('between', 2)).echo()
    const back = between.take({ type: 'restart' }).enter('a').open()
    back.batch(START, answer('one', 2), answer('more', 6)).echo()
    expect(back.screen()).toEqual(['between', '--- restarted', 'one', 'tw', 'more'])
  })
  it('stands above one divider, that of its own, however many empty ones were left since', () => {
    const anew = () => left().enter('b').open().batch(START).echo()
    const end: Event = { type: 'session', event: END }
    for (const ways of [
      [{ type: 'restart' }],
      [end, { type: 'restart' }, end],
      [{ type: 'session', event: { type: 'unknown' } }],
    ] satisfies Event[][]) {
      const gone = anew()
      for (const way of ways) gone.take(way)
      gone.take({ type: 'restart' }).enter('c').open().batch(START).echo()
      expect(gone.screen()).toEqual(['one', 'tw', '--- expired'])
      gone.take({ type: 'restart' }).enter('b').open().batch(START, answer('late', 2)).echo()
      expect(gone.screen()).toEqual(['one', 'tw', '--- expired', 'late'])
    }
  })
  it('leaves an entry that holds nothing of what is kept to return to it', () => {
    const [divider] = left()
      .state()
      .transcript.filter(({ kind }) => kind === 'divider')
    expect(Object.keys(divider ?? {}).sort()).toEqual(['at', 'key', 'kind', 'place', 'reason'])
  })
  it('is gone with its visitor', () => {
    expect(left().take({ type: 'signed-out', mark: 'mark' }).state().left.size).toBe(0)
  })
  it('can be returned to while it is one of the eight that were left last', () => {
    const chat = left().enter('b').open().batch(START, answer('b', 2)).echo()
    const leaveFor = (name: string) =>
      chat.take({ type: 'restart' }).enter(name).open().batch(START, answer(name, 2)).echo()
    for (const name of ['c', 'd', 'e', 'f', 'g', 'h']) leaveFor(name)
    expect([...chat.state().left.keys()]).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    leaveFor('a')
    expect([...chat.state().left.keys()]).toEqual(['b', 'c', 'd', 'e', 'f', 'g', 'h'])
    for (const name of ['i', 'k', 'l']) leaveFor(name)
    expect([...chat.state().left.keys()]).toEqual(['d', 'e', 'f', 'g', 'h', 'a', 'i', 'k'])
  })
  it('shows what is replayed of it once, where too many were left after it', () => {
    const chat = live('a', answer('one', 2))
    for (let at = 0; at < 9; at++)
      chat
        .take({ type: 'restart' })
        .enter(`b${at}`)
        .open()
        .batch(START, answer(`b${at}`, 2))
        .echo()
    chat.take({ type: 'restart' }).enter('a').open().batch(START, answer('one', 2), answer('two', 3)).echo()
    expect(chat.screen().filter((line) => line === 'one')).toHaveLength(1)
    expect(chat.screen().at(-1)).toBe('two')
  })
})

describe('a session that is found gone after its idle time', () => {
  type Driven = ReturnType<typeof drive>
  const gone = (chat: Driven) =>
    chat.take({ type: 'send', id: 'q', text: 'and?' }).session({ type: 'closed', code: 4001 }).screen().at(-1)
  const slept = () =>
    live('a', answer('one', 2))
      .take({ type: 'send', id: 'm', text: 'hello?' })
      .take({ type: 'slept', ms: 28_800_000 })

  const probed = (chat: Driven) => {
    for (const _ of [1, 2]) chat.take({ type: 'probed', id: 'b' }).echo().pass(10_000)
    return chat
  }
  const handedOff = () =>
    live('a', answer('one', 2), {
      ...START,
      type: 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF',
      id: 'e3',
      sequence: 3,
    })

  it.each<[string, Event]>([
    ['sent', { type: 'sent', id: 'm' }],
    ['typed', { type: 'typing-sent', state: 'STARTED' }],
    ['typed in another tab', { type: 'active', idleFor: 0 }],
    ['asked to be kept', { type: 'keep' }],
  ])('expired, though something was %s over a connection that nothing has proven since', (_, event) => {
    expect(gone(slept().take(event).pass(20_000))).toBe('--- expired')
  })
  it('expired, though the visitor typed all the while without a connection', () => {
    const chat = live('a', answer('one', 2)).session({ type: 'closed', code: 1006 })
    for (let minute = 0; minute < 25; minute++) chat.pass(60_000).take({ type: 'typed' })
    expect(gone(chat.take({ type: 'tick' }).enter('a'))).toBe('--- expired')
  })
  it.each<[string, Event]>([
    ['sent', { type: 'sent', id: 'm' }],
    ['typed', { type: 'typing-sent', state: 'STARTED' }],
    ['typed in another tab', { type: 'active', idleFor: 0 }],
  ])('is lost, if something was %s after a proof that it went on', (_, event) => {
    const chat = live('a', answer('one', 2)).take({ type: 'send', id: 'm', text: 'hello?' }).pass(3_600_000)
    expect(gone(probed(chat).take(event).pass(20_000))).toBe('--- lost')
  })
  it.each([0, 28_800_000])(
    'expired, though an event of before the sleep arrives as the machine wakes (sleep noticed: %i ms)',
    (ms) => {
      const chat = live('a', answer('one', 2)).pass(28_800_000 - ms)
      expect(gone(chat.take({ type: 'slept', ms }).live(answer('two', 3)).pass(20_000))).toBe('--- expired')
    },
  )
  it('expired, though the end of the connection is told as the machine wakes, before it is known that it slept', () => {
    const chat = live('a', answer('one', 2)).pass(28_800_000).live(answer('two', 3))
    chat.session({ type: 'closed', code: 1006 }).pass(20_000).take({ type: 'tick' }).enter('a')
    expect(gone(chat)).toBe('--- expired')
  })
  it('is lost, if its connection proved to be sound shortly before', () => {
    const chat = probed(live('a', answer('one', 2)).pass(900_000))
    expect(
      gone(chat.take({ type: 'typing-sent', state: 'STARTED' }).take({ type: 'slept', ms: 6_000 })),
    ).toBe('--- lost')
  })
  it.each([0, 28_800_000])(
    'expired, though the answer to a probe of before the sleep arrives as the machine wakes (sleep noticed: %i ms)',
    (ms) => {
      const chat = live('a', answer('one', 2))
        .take({ type: 'probed', id: 'b' })
        .pass(28_800_000 - ms)
      if (ms > 0) chat.take({ type: 'slept', ms })
      expect(gone(chat.echo().take({ type: 'typing-sent', state: 'STARTED' }))).toBe('--- expired')
    },
  )
  it('is lost, if somebody said something a while ago on a service that wants no heartbeats', () => {
    const start = { ...START, payload: { capabilities: { heartbeat_interval_seconds: 0 } } }
    const chat = drive().session({ type: 'open' }).enter('a').open().batch(start, answer('one', 2)).echo()
    expect(gone(chat.pass(900_000).live(answer('two', 3)).pass(60_000))).toBe('--- lost')
  })
  it('expired, if nobody said anything for ten minutes over a sound connection', () => {
    const chat = live('a', answer('one', 2))
    for (let seconds = 0; seconds < 610; seconds += 10)
      chat.pass(10_000).take({ type: 'probed', id: 'b' }).echo()
    expect(gone(chat)).toBe('--- expired')
  })
  it('expired, if the service proved nothing for as long as it lets a session rest', () => {
    const start = { ...START, payload: { capabilities: { session_idle_seconds: 120 } } }
    const chat = drive().session({ type: 'open' }).enter('a').open().batch(start, answer('one', 2)).echo()
    expect(gone(chat.pass(130_000).take({ type: 'typing-sent', state: 'STARTED' }))).toBe('--- expired')
  })
  it('is lost, if a socket to it opened shortly before', () => {
    const chat = live('a', answer('one', 2)).pass(900_000).session({ type: 'closed', code: 1006 })
    chat.pass(20_000).take({ type: 'tick' }).enter('a').open().batch(answer('one', 2)).echo()
    expect(gone(chat.take({ type: 'typing-sent', state: 'STARTED' }))).toBe('--- lost')
  })
  it('is lost, if this page was never in it', () => {
    expect(gone(drive().session({ type: 'open' }).enter('a').pass(900_000).enter('b'))).toBe('--- lost')
  })
  it('expired, though a handoff was going on when the machine fell asleep', () => {
    expect(gone(handedOff().take({ type: 'slept', ms: 28_800_000 }))).toBe('--- expired')
  })
  it('is lost during a handoff that was quiet for long, with a connection up to its end', () => {
    const chat = probed(handedOff().pass(3_600_000))
    chat.session({ type: 'closed', code: 1006 })
    expect(gone(chat.pass(20_000).take({ type: 'tick' }).enter('a'))).toBe('--- lost')
  })
  it('expired all the same where the one after it is lost, before it was ever reached', () => {
    const chat = slept().session({ type: 'closed', code: 4001 }).enter('b')
    gone(chat)
    expect(chat.screen()).toEqual(['one', '--- expired'])
  })
})

const messages = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => answer(`No ${from + n}`, from + n))

describe('the state', () => {
  it('is copied once for a batch, however many messages it holds', () => {
    const chat = live('s', START, ...messages(2, 3))
    const assign = vi.spyOn(Object, 'assign')
    chat.batch(...messages(5, 50), said('hi', 55), ...messages(56, 50))
    const copies = new Set(assign.mock.calls.map(([into]) => into).filter((into) => 'transcript' in into))
    assign.mockRestore()
    expect(copies.size).toBe(1)
    expect(chat.screen()).toHaveLength(104)
  })
})

describe('the transcript', () => {
  it('is copied once for a batch, however many messages it holds', () => {
    const chat = live('s', START, ...messages(2, 3))
    let copies = 0
    const watched = (list: readonly unknown[]): readonly unknown[] =>
      Object.defineProperty(list, 'slice', {
        value: () => {
          copies++
          return watched([...list])
        },
      })
    watched(chat.state().transcript)
    chat.batch(...messages(5, 100))
    expect(copies).toBe(1)
    expect(chat.screen()).toEqual(Array.from({ length: 103 }, (_, n) => `No ${n + 2}`))
  })
  it('of a state stays as it is when later messages come, one by one or in batches', () => {
    const chat = live('s', START, ...messages(2, 3))
    const seen: [readonly unknown[], number][] = []
    const note = () => seen.push([chat.state().transcript, chat.state().transcript.length])
    note()
    for (const n of [5, 6]) {
      chat.live(answer(`No ${n}`, n))
      note()
    }
    chat.batch(...messages(7, 5))
    note()
    chat.batch(...messages(12, 5))
    note()
    expect(seen.map(([, length]) => length)).toEqual([3, 4, 5, 10, 15])
    expect(seen.map(([transcript]) => transcript.length)).toEqual([3, 4, 5, 10, 15])
  })
})

describe('a replay', () => {
  const again = () => live('a', answer('one', 2)).session({ type: 'closed', code: 1006 }).pass(20_000)
  const reopened = () => again().take({ type: 'tick' }).enter('a').open()

  it('is proven by an event, and by no batch without one', () => {
    expect(reopened().batch(answer('one', 2)).echo().status()).toBe('live')
    expect(reopened().batch().echo().status()).toBe('replaying')
    const unreadable = { type: 'X', sequence: 2 }
    expect(reopened().batch(unreadable).echo().status()).toBe('replaying')
  })
  it('says nothing of what happens meanwhile: what is missing there is a hole', () => {
    const chat = reopened().batch(answer('one', 2)).live(answer('three', 4)).live(answer('four', 5)).echo()
    expect(chat.status()).toBe('live')
    expect(chat.state().conversation.log).toMatchObject({ cursor: 5, gap: { after: 2 } })
    const whole = reopened().batch(answer('one', 2)).live(answer('two', 3)).echo()
    expect(whole.state().conversation.log).toMatchObject({ cursor: 3, gap: undefined })
  })
  it('holds what happens meanwhile back from the cursor until it is over', () => {
    const chat = reopened().batch(answer('one', 2)).live(answer('four', 5))
    expect(chat.session({ type: 'closed', code: 1006 }).state().conversation.log.cursor).toBe(2)
  })
})

describe('the last replay of a session that is over', () => {
  it('has not come to the end before its last known event, though nobody can read that one', () => {
    const unreadable = { type: 'EVENT_TYPE_FROM_NEXT_YEAR', id: 'e3', sequence: 3, timestamp }
    const chat = live('a', answer('one', 2))
      .take({ type: 'send', id: 'm', text: 'hello?' })
      .take({ type: 'sent', id: 'm' })
      .live(unreadable)
      .session({ type: 'over', expired: true, reason: 'REASON_USER_ABANDONED', proven: false })
    chat.enter('a').open().batch(answer('one', 2)).echo()
    expect(chat.status()).toBe('replaying')
    expect(chat.batch(unreadable).echo().state().outbox).toMatchObject([{ state: 'queued' }])
    expect(chat.screen()).toEqual(['one', '--- expired'])
  })
})

describe('a service that has lost hold of the session', () => {
  const lost = {
    type: 'EVENT_TYPE_SYSTEM_MESSAGE',
    payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'Unable to retrieve session' },
    timestamp,
  }
  const lostAs = (id: string) => ({ ...lost, id })
  it('is asked again in the same session, after a pause that grows as behind a cut', () => {
    const chat = live('a', answer('one', 2)).live(lostAs('x'))
    expect(chat.state().session).toMatchObject({ name: 'waiting', sessionId: 'a', fails: 1 })
    chat
      .pass(20_000)
      .take({ type: 'tick' })
      .enter('a')
      .open()
      .batch(answer('one', 2))
      .echo()
      .live(lostAs('y'))
    expect(chat.state().session).toMatchObject({ name: 'waiting', sessionId: 'a', fails: 2 })
    expect(chat.screen()).toEqual(['one'])
  })
})

describe('a socket that is dead when somebody comes back', () => {
  type Driven = ReturnType<typeof drive>
  const probed = (chat: Driven) => chat.take({ type: 'probed', id: 'p' })
  const WAYS: [string, (chat: Driven) => Driven][] = [
    ['to the focus', (chat) => probed(chat.take({ type: 'wake' }))],
    ['to a page seen again', (chat) => probed(chat.take({ type: 'visible', visible: true }))],
    ['while a probe is on its way', (chat) => probed(chat.take({ type: 'typed' })).take({ type: 'wake' })],
  ]

  it.each(WAYS)('%s, is replaced within a second of being found, however often', (_, come) => {
    const chat = live('a', answer('one', 2))
    // Each socket lives too shortly to forgive the one before: the back-off grows to its longest.
    for (let times = 0; times < 5; times++) {
      come(chat.pass(2_500)).pass(2_000).take({ type: 'tick' })
      expect(chat.status()).toBe('waiting')
      expect(chat.pass(1_000).take({ type: 'tick' }).status()).toBe('entering')
      chat.enter('a').open().batch(answer('one', 2)).echo()
    }
  })
})

describe('a page of several, whose others go on in another session', () => {
  type Driven = ReturnType<typeof drive>
  const end = {
    ...START,
    type: 'EVENT_TYPE_SESSION_END',
    payload: { reason: 'REASON_USER_END' },
    id: 'end',
    sequence: 3,
  }
  const named = (chat: Driven, why?: 'restarted' | 'expired' | 'lost') =>
    chat.take({ type: 'named', session: 'b', ...(why && { why }) })
  const there = (chat: Driven) =>
    chat.session({ type: 'entered', sessionId: 'b' }).open().batch(START, answer('two', 2)).echo()
  const PAGES: [string, () => Driven][] = [
    ['in a session that is live still', () => named(live('a', answer('one', 2)), 'restarted')],
    ['in a session that has ended', () => named(live('a', answer('one', 2)).live(end), 'restarted')],
    [
      'in a session that has ended, which names no reason',
      () => named(live('a', answer('one', 2)).live(end)),
    ],
    [
      'in a session that has expired',
      () =>
        named(
          live('a', answer('one', 2)).live({ ...end, payload: { reason: 'REASON_USER_ABANDONED' } }),
          'expired',
        ),
    ],
  ]
  it.each(PAGES)('sends a new message there, once it is there: %s', (_, page) => {
    const chat = page().take({ type: 'send', id: 'm', text: 'and?' })
    expect(chat.state().session).toMatchObject({ name: 'entering' })
    expect(there(chat).state().outbox).toMatchObject([{ id: 'm', state: 'queued', session: 'b' }])
    expect(chat.status()).toBe('live')
  })
  it.each(PAGES)('sends a failed message there when the visitor says so: %s', (_, page) => {
    const chat = page()
    const failed = { ...newItem('f', 'hm', 0, 'a'), state: 'failed' as const }
    chat.amend({ outbox: [failed] }).take({ type: 'retry', id: 'f', freshId: 'g' })
    expect(there(chat).state().outbox).toMatchObject([{ id: 'f', state: 'queued', session: 'b' }])
  })
})

describe('a page of several', () => {
  const shared = (more: Partial<State> = {}) => {
    const chat = live('a', answer('one', 2))
    return chat.amend({ tabs: { ...chat.state().tabs, shared: true }, ...more })
  }
  const named = () => shared().take({ type: 'named', session: 'b' })
  const items = [newItem('p', 'hi', 0, 'a'), newItem('q', 'you', 0, 'a')]

  it('follows the others as its panel is shown, and only then', () => {
    expect(named().take({ type: 'shown', shown: true }).state()).toMatchObject({
      shown: true,
      session: { name: 'entering', sessionId: 'b' },
    })
    expect(named().take({ type: 'shown', shown: false }).status()).toBe('live')
    expect(shared().take({ type: 'shown', shown: true }).status()).toBe('live')
  })
  it.each<[string, Event]>([
    ['typing', { type: 'typed' }],
    ['a look', { type: 'wake' }],
    ['being seen', { type: 'visible', visible: true }],
    ['a message', { type: 'send', id: 'm', text: 'hi' }],
    ['opening', { type: 'session', event: { type: 'open' } }],
  ])('follows the others by %s', (_, event) => {
    expect(named().take(event).state().session).toMatchObject({ name: 'entering', sessionId: 'b' })
  })
  it.each<[string, Event]>([
    ['time', { type: 'tick' }],
    ['its network', { type: 'online', online: true }],
    ['being hidden', { type: 'visible', visible: false }],
  ])('does not follow them by %s', (_, event) => {
    expect(named().take(event).status()).toBe('live')
  })

  it('claims what waits in it anew once it is back from being left', () => {
    const chat = shared({ outbox: items })
    chat.take({ type: 'suspend' })
    expect(chat.state()).toMatchObject({
      session: { name: 'suspended' },
      tabs: { away: true },
      outbox: items,
    })
    chat.take({ type: 'wake' })
    expect(chat.state()).toMatchObject({
      tabs: { away: false },
      outbox: [{ unclaimed: true }, { unclaimed: true }],
    })
  })
  it('knows whether anybody has ever seen it', () => {
    const chat = shared().take({ type: 'visible', visible: false })
    expect(chat.state()).toMatchObject({ visible: false, tabs: { seen: true } })
    const idle = drive().take({ type: 'visible', visible: false })
    expect(idle.state().tabs.seen).toBe(false)
    expect(idle.take({ type: 'visible', visible: true }).state().tabs.seen).toBe(true)
  })
  it('connects as somebody looks at it, where another tab had the connection before', () => {
    const chat = drive().take({ type: 'visible', visible: false }).session({ type: 'open' })
    chat.session({ type: 'suspend' })
    expect(chat.state().tabs.away).toBe(false)
    expect(chat.take({ type: 'visible', visible: true }).state().session).toMatchObject({
      name: 'entering',
      follows: true,
    })
  })
})

describe('a sign-out', () => {
  const out = (mark: string): Event => ({ type: 'signed-out', mark })
  const full = () =>
    live('a', answer('one', 2)).amend({
      named: { session: 'b', why: 'lost' },
      outbox: [{ ...newItem('m', 'hi', 0, 'a'), unclaimed: true }],
      unread: 1,
      renewals: [1],
      assistant: { name: 'Ada', live: false },
    })
  it('forgets everything of the visitor, and the session of the tabs with it', () => {
    const state = full().take(out('mark')).state()
    expect(state).toMatchObject({
      session: { name: 'ended' },
      named: undefined,
      sessionId: undefined,
      transcript: [],
      outbox: [],
      unread: 0,
      renewals: [],
      past: new Set(['a']),
      signOuts: new Set(['mark']),
    })
    expect(state.messages.size + state.left.size).toBe(0)
    expect([state.assistant, state.conversation.agent]).toEqual([{ live: false }, { live: false }])
  })
  it('counts once, however often its mark is read, and is followed by the next', () => {
    const first = full().take(out('mark'))
    const { session: before } = first.state()
    const again = first.take({ type: 'send', id: 'n', text: 'the next visitor' }).enter('c')
    const entered = again.state()
    expect(entered.sessionId).toBe('c')
    expect(again.take(out('mark')).state()).toBe(entered)
    expect(before).toMatchObject({ name: 'ended' })
    expect(again.take(out('later')).state()).toMatchObject({
      session: { name: 'ended' },
      signOuts: new Set(['mark', 'later']),
    })
  })
  it('that an earlier page has stored is known from the start', () => {
    const known = initialState(0, { signOut: 'mark', sessionId: 'a' })
    const moment = { now: 0, wall: 0, random: 0.5, run: 1 }
    expect(reduce(known, out('mark'), moment).state.sessionId).toBe('a')
    expect(reduce(known, out('other'), moment).state.sessionId).toBeUndefined()
  })
  it('leaves a session that a store may name again, and that no tab goes on in', () => {
    const chat = full().take(out('mark')).take({ type: 'named', session: 'a' })
    expect(chat.take({ type: 'shown', shown: true }).status()).toBe('ended')
  })
})

describe('an event that is handled', () => {
  const NOW = 100_000
  const typed = { sent: 'STOPPED', sentAt: NOW - 1, keyAt: 1, want: undefined, notBefore: NOW + 5 } as const
  const probe = { wanted: undefined, asked: undefined, last: NOW - 5_000 }
  const asked = { id: 'p', at: 0, deadline: NOW + 8_000, soon: false }
  const join = { asked: false, times: 2, at: 5, notBefore: 6 }
  const request = { sent: true, at: 8 }
  const wake: Event = { type: 'wake' }
  const key: Event = { type: 'typed' }
  it.each<[string, Given, Event, object]>([
    [
      'by sending that the visitor types: it is wanted no more',
      { typed: { ...typed, want: 'STARTED' } },
      { type: 'typing-sent', state: 'STARTED' },
      { typed: { sent: 'STARTED', sentAt: NOW, want: undefined } },
    ],
    [
      'by asking for a sign of life, in a hurry',
      { probe: { ...probe, wanted: 2_000 } },
      { type: 'probed', id: 'p' },
      { probe: { ...probe, asked: { id: 'p', at: NOW, deadline: NOW + 2_000, soon: true } } },
    ],
    [
      'by asking for a sign of life, in no hurry',
      { probe: { ...probe, wanted: 8_000 } },
      { type: 'probed', id: 'p' },
      { probe: { ...probe, asked: { id: 'p', at: NOW, deadline: NOW + 8_000, soon: false } } },
    ],
    [
      'by asking the agent to join, one more time',
      { join },
      { type: 'joined' },
      { join: { asked: true, times: 3, at: NOW, notBefore: 0 } },
    ],
    [
      'by telling at once that the visitor stays',
      { typed },
      { type: 'keep' },
      { typed: { ...typed, keyAt: NOW, want: 'STARTED', notBefore: 0 } },
    ],
    [
      'by telling with a message at once that the visitor types no more',
      { typed: { ...typed, sent: 'STARTED' } },
      { type: 'send', id: 'm', text: 'hi' },
      { typed: { want: 'STOPPED', notBefore: 0 } },
    ],
    ['by telling the first key late', { typed }, key, { typed: { want: 'STARTED', notBefore: NOW + 2_999 } }],
    [
      'by telling no further key so soon',
      { typed: { ...typed, sent: 'STARTED' } },
      key,
      { typed: { want: undefined, keyAt: NOW } },
    ],
    [
      'by telling at once that the visitor has stopped typing',
      { typed: { ...typed, sent: 'STARTED', keyAt: NOW - 5_000 } },
      { type: 'tick' },
      { typed: { want: 'STOPPED', notBefore: 0 } },
    ],
    [
      'by counting one more sleep in all that is known of the time',
      { slept: 60, aliveAt: 500, renewals: [90_000], probe },
      { type: 'slept', ms: 1_000 },
      {
        slept: 1_060,
        aliveAt: -500,
        renewals: [89_000],
        probe: { last: Number.NEGATIVE_INFINITY, wanted: 2_000 },
      },
    ],
    [
      'by counting anew what comes once the panel is hidden again',
      { unread: 3, counted: new Set(['k']) },
      { type: 'shown', shown: true },
      { unread: 0, counted: new Set() },
    ],
    [
      'by waiting no longer for an end that is asked for again',
      { endRequest: request },
      { type: 'end' },
      { endRequest: request },
    ],
    [
      'by waiting less for a sign of life that was asked for',
      { probe: { ...probe, asked } },
      wake,
      { probe: { asked: { ...asked, deadline: NOW + 2_000, soon: true } } },
    ],
    [
      'by waiting no longer for a sign of life that was due sooner',
      { probe: { ...probe, asked: { ...asked, deadline: NOW + 500 } } },
      wake,
      { probe: { asked: { ...asked, deadline: NOW + 500, soon: true } } },
    ],
    ['by asking a quiet line', { probe: { ...probe, last: NOW - 1_000 } }, key, { probe: { wanted: 8_000 } }],
    [
      'by asking no line that was heard',
      { probe: { ...probe, last: NOW - 999 } },
      key,
      { probe: { wanted: undefined } },
    ],
    ['by asking no less hurried', { probe: { ...probe, wanted: 2_000 } }, key, { probe: { wanted: 2_000 } }],
  ])('changes the state %s', (_, fields, event, expected) => {
    const { state } = reduce(given(live('a', answer('one', 2)).state(), fields), event, {
      now: NOW,
      wall: NOW,
      random: 0.5,
      run: 9,
    })
    expect(flat(state)).toMatchObject(expected)
  })
})

describe('the echo of a heartbeat', () => {
  const probed = () =>
    live('a', answer('one', 2)).amend({
      probe: { wanted: undefined, asked: { id: 'p', at: 0, deadline: 9, soon: false }, last: 7 },
      aliveAt: 3,
      slept: 5,
      unechoed: 1,
      unproven: 'm',
    })
  const echo = (local_id: string) => ({ type: 'EVENT_TYPE_HEARTBEAT', metadata: { custom: { local_id } } })
  it('proves the line, and all that was doubted of it', () => {
    expect(probed().live(echo('p')).state()).toMatchObject({
      probe: { asked: undefined, last: 0 },
      aliveAt: 7,
      slept: 0,
      unechoed: 0,
      unproven: undefined,
    })
  })
  it('of another one proves nothing', () => {
    const before = probed()
    const known = before.state()
    expect(before.live(echo('q')).state()).toEqual(known)
  })
  it('at the end of a replay counts as one, too', () => {
    const chat = drive().session({ type: 'open' }).enter('a').open().batch(START).amend({ unechoed: 1 })
    expect(chat.echo().state()).toMatchObject({ session: { name: 'live' }, unechoed: 0 })
  })
})

describe('a frame', () => {
  const late = { type: 'frame', frame: parseFrame(JSON.stringify(answer('late', 9))) } as const
  it('of a socket that was given up says nothing', () => {
    expect(
      live('a', answer('one', 2))
        .take({ ...late, run: 99 })
        .screen(),
    ).toEqual(['one'])
  })
  it('says nothing behind the event that ends its socket', () => {
    const end = { ...START, type: 'EVENT_TYPE_SESSION_END', id: 'e8', sequence: 8 }
    const chat = drive().session({ type: 'open' }).enter('a').open()
    expect(chat.batch(START, answer('one', 2), end, answer('late', 9)).screen()).toEqual(['one'])
  })
  it.each([
    ['right behind the history proves what that holds', 2, 'ended'],
    ['further behind proves nothing', 4, 'entering'],
  ])('with an end %s', (_, sequence, status) => {
    const unconfirmed = { ...newItem('m', 'hi', 0, 'a'), state: 'sent' as const }
    const end = { ...START, type: 'EVENT_TYPE_SESSION_END', id: 'end', sequence }
    const chat = drive()
      .session({ type: 'open' })
      .enter('a')
      .amend({ outbox: [unconfirmed] })
      .open()
      .batch(START)
    expect(chat.live(end).status()).toBe(status)
  })
  it('of a history is waited for from the last one on, the first of which proves what an empty one does not', () => {
    const chat = drive().session({ type: 'open' }).enter('a').open().batch(START).pass(50).batch()
    expect(chat.state().replay).toMatchObject({ batch: true, frameAt: 50 })
  })
})

describe('the site', () => {
  it('is asked about a message once', () => {
    const held = { ...newItem('m', 'hi', 0, 'a'), state: 'held' as const }
    const chat = live('a', answer('one', 2)).amend({ outbox: [held, { ...held, id: 'n' }] })
    expect(chat.take({ type: 'asked', id: 'm' }).state().outbox).toEqual([
      { ...held, asked: true },
      { ...held, id: 'n' },
    ])
    const { outbox } = chat.state()
    expect(chat.take({ type: 'asked', id: 'm' }).state().outbox).toBe(outbox)
  })
})
