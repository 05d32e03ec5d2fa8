// What each event of the service changes, by itself: the transcript, the agent, the handoff, and what is known of the
// session's sequence of events.

import { describe, expect, it } from 'vitest'
import type { MessageEntry } from '../../../src/chat/index.ts'
import { newItem, sent } from '../../../src/chat/outbox/items.ts'
import { releaseCopies } from '../../../src/chat/state/mutable-copy.ts'
import { inConversation, initialState, type State } from '../../../src/chat/state/state.ts'
import { acceptReplay } from '../../../src/chat/transcript/answers.ts'
import type { Outcome } from '../../../src/chat/transcript/entries.ts'
import {
  cutReplay,
  endReplay,
  note,
  noteDrop,
  resumeFrom,
  startReplay,
} from '../../../src/chat/transcript/log.ts'
import { receive } from '../../../src/chat/transcript/receive.ts'
import { readFrame } from '../../../src/protocol/index.ts'
import { flat, type Given, given } from '../given.ts'

const WALL = 1_800_000_000_000

type More = { id?: string; custom?: Record<string, string>; first?: number; at?: number; replayed?: boolean }

/** A state that events are put to, one after the other, and what came of the last. */
function start(from: Given = {}) {
  let state = given(initialState(0, { sessionId: 's' }), { everLive: true, shown: true, ...from })
  let now = 1_000
  let after: Outcome = {}
  let count = 0
  const chat = {
    get state() {
      return state
    },
    get after() {
      return after
    },
    /** The event is read off the wire, so that what the reader makes of it counts too. */
    take(
      name: string,
      payload: object = {},
      sequence: number | null = state.conversation.log.cursor + 1,
      { id = `event-${++count}`, custom, first, at = WALL, replayed = false }: More = {},
    ) {
      const event = {
        type: `EVENT_TYPE_${name}`,
        id,
        sequence,
        timestamp: new Date(at).toISOString(),
        payload,
        ...(custom && { metadata: { custom } }),
        ...(first !== undefined && { first_sequence: first }),
      }
      const frame = replayed ? { type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: [event] } } : event
      const [read] = readFrame(JSON.stringify(frame))
      if (!read) throw new Error(`${name} cannot be read`)
      const changed = receive(state, read, { now, wall: WALL, random: 0.5 })
      releaseCopies()
      state = changed.state
      after = changed.outcome ?? {}
      return chat
    },
    chunk: (text: string, index: number | undefined, more: object = {}, sequence?: number, given?: More) =>
      chat.take(
        'POLY_AGENT_MESSAGE_CHUNK',
        { message_id: 'x', text, ...(index !== undefined && { chunk_index: index }), ...more },
        sequence,
        given,
      ),
    answer: (text: string, more: object = {}, sequence?: number, given?: More) =>
      chat.take('POLY_AGENT_MESSAGE', { message_id: 'x', text, ...more }, sequence, given),
    change(to: (state: State) => State) {
      state = to(state)
      return chat
    },
    later(ms: number) {
      now += ms
      return chat
    },
    now: () => now,
    /** What is on the screen: who, what, and a dot for each answer that goes on. */
    screen: () =>
      state.transcript.map((entry) =>
        entry.kind === 'message'
          ? `${entry.role}: ${textOf(entry)}${entry.content.value.complete ? '' : ' …'}`
          : entry.kind === 'notice'
            ? `* ${entry.notice}${entry.name ? ` ${entry.name}` : ''}${entry.text ? ` ${entry.text}` : ''}`
            : `--- ${entry.reason}`,
      ),
    content: (key = 'x') => {
      const entry = state.messages.get(key)
      if (!entry) throw new Error(`there is no message ${key}`)
      return entry.content.value
    },
  }
  return chat
}
const textOf = ({ content }: Pick<MessageEntry, 'content'>) =>
  content.value.pieces.slice(0, content.value.length).join('')
const flight = (text: string, after = 0) => sent([newItem('mine', text, 0, 's')], 'mine', 0, 's', after)

describe('an overload that names a message', () => {
  const busy = (about: string) =>
    [
      'SYSTEM_MESSAGE',
      { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'We are under high load' },
      null,
      { custom: { client_event_id: about } },
    ] as const
  const undelivered = ({ state }: ReturnType<typeof start>) =>
    [...state.messages].flatMap(([key, { content }]) => (content.peek().undelivered ? [key] : []))

  it('that was taken marks that one, though another is on its way', () => {
    const chat = start({ outbox: flight('second') })
    chat.take('USER_MESSAGE', { text: 'first', message_id: 'm' }, 4, { custom: { client_event_id: 'taken' } })
    chat.take(...busy('taken'))
    expect(undelivered(chat)).toEqual(['taken'])
  })

  it('that is on its way marks none of those that were taken', () => {
    const chat = start({ outbox: flight('second') })
    chat.take('USER_MESSAGE', { text: 'first', message_id: 'm' }, 4, { custom: { client_event_id: 'taken' } })
    chat.take(...busy('mine'))
    expect(undelivered(chat)).toEqual([])
  })
})

describe('an event that was seen before', () => {
  it('moves the cursor and changes nothing else', () => {
    const chat = start().answer('one', {}, 4, { id: 'a' })
    const { transcript } = chat.state
    chat.answer('two', { message_id: 'y' }, 9, { id: 'a' })
    expect(chat.state.conversation.log.cursor).toBe(9)
    expect(chat.state.transcript).toBe(transcript)
    expect(chat.after).toEqual({})
  })
  it('is no news, no sign of life of the visitor, and not unread', () => {
    const chat = start({ shown: false }).answer('one', {}, 4, { id: 'a' })
    chat.later(60_000).answer('one', {}, 4, { id: 'a' })
    expect(chat.state).toMatchObject({ unread: 1, activeAt: 1_000 })
  })
  it('still ends the session, where it is its end', () => {
    const chat = start().take('SESSION_END', { reason: 'REASON_USER_END' }, 4, { id: 'end' })
    chat.take('SESSION_END', { reason: 'REASON_USER_END' }, 4, { id: 'end' })
    expect(chat.after.over).toEqual({ expired: false, reason: 'REASON_USER_END' })
  })
})

describe('the end of a session', () => {
  it.each([
    ['REASON_USER_ABANDONED', true],
    ['REASON_USER_END', false],
    ['REASON_NATURAL_END', false],
    ['REASON_FROM_TOMORROW', false],
  ])('with %s is inactivity: %s', (reason, expired) => {
    expect(start().take('SESSION_END', { reason }).after.over).toEqual({ expired, reason })
  })
  it('without a reason is a natural one', () => {
    expect(start().take('SESSION_END').after.over).toEqual({ expired: false, reason: 'REASON_NATURAL_END' })
  })
  it('completes what was half said, and leaves nobody typing and nothing suggested', () => {
    const chat = start().answer('one', { response_suggestions: [{ message_text: 'More' }] })
    chat.take('POLY_AGENT_THINKING', {}, null).chunk('Half', 1, { message_id: 'y' })
    chat.chunk(' lost', 3, { message_id: 'y' }).take('SESSION_END')
    expect(chat.screen()).toEqual(['agent: one', 'agent: Half lost'])
    expect(flat(chat.state)).toMatchObject({ typing: undefined, suggestions: [] })
  })
})

describe('the echo of a message', () => {
  const outbox = flight('hello')
  it.each([
    ['client_event_id', { client_event_id: 'mine' }],
    ['local_id', { local_id: 'mine' }],
  ])('moves it from the outbox to the transcript by its %s, in one step', (_, custom) => {
    const chat = start({ outbox, suggestions: [{ message_text: 'More' }] })
    chat.take('USER_MESSAGE', { text: 'hello', message_id: 'm' }, 4, { custom })
    expect(chat.state.outbox).toEqual([])
    expect(chat.screen()).toEqual(['visitor: hello'])
    expect(chat.state.transcript[0]?.key).toBe('mine')
    expect(chat.after).toEqual({ delivered: 'mine' })
    expect(chat.state.conversation.suggestions).toEqual([])
  })
  it('that comes twice, by another event, shows it once and tells of it once', () => {
    const chat = start({ outbox })
    const custom = { client_event_id: 'mine' }
    chat
      .take('USER_MESSAGE', { text: 'hello' }, 4, { custom })
      .take('USER_MESSAGE', { text: 'hello' }, 5, { custom })
    expect(chat.screen()).toEqual(['visitor: hello'])
    expect(chat.after).toEqual({})
  })
  it('of an earlier message with the same words takes none that waits to be claimed, in a replay', () => {
    const waits = [{ ...newItem('mine', 'yes', 0, 's'), unclaimed: true }]
    const chat = start({ outbox: waits })
    chat.take('USER_MESSAGE', { text: 'yes', message_id: 'm' }, 4, {
      replayed: true,
      custom: { client_event_id: 'an earlier one' },
    })
    chat.take('USER_MESSAGE', { text: 'yes', message_id: 'n' }, 5, { replayed: true })
    expect(chat.state.outbox.map(({ id }) => id)).toEqual(['mine'])
    expect(chat.screen()).toEqual(['visitor: yes', 'visitor: yes'])
    // What the page that this one is a copy of sends now is the one that waits.
    chat.take('USER_MESSAGE', { text: 'yes', message_id: 'o' }, 6)
    expect(chat.state.outbox).toEqual([])
  })
  it('without an id of ours is matched by text, if it is younger than the sending', () => {
    const old = start({ outbox: flight('hello', 7) }).take(
      'USER_MESSAGE',
      { text: 'hello', message_id: 'm' },
      7,
    )
    expect(old.state.outbox).toHaveLength(1)
    expect(old.state.transcript[0]?.key).toBe('m')
    const young = old.take('USER_MESSAGE', { text: ' hello ', message_id: 'n' }, 8)
    expect(young.state.outbox).toEqual([])
    expect(young.after).toEqual({ delivered: 'mine' })
  })
  it('of another tab or device is shown, and takes nothing out of the outbox', () => {
    const chat = start({ outbox })
    chat.take('USER_MESSAGE', { text: 'hello' }, 4, { custom: { local_id: 'theirs' } })
    expect(chat.state.outbox).toBe(outbox)
    expect(chat.after).toEqual({})
    expect(chat.screen()).toEqual(['visitor: hello'])
  })
  it('stands in its place, though an answer came before it', () => {
    const chat = start({ outbox }).answer('reply', {}, 6)
    chat.take('USER_MESSAGE', { text: 'hello' }, 5, { custom: { local_id: 'mine' } })
    expect(chat.screen()).toEqual(['visitor: hello', 'agent: reply'])
  })
})

describe('a whole message', () => {
  it('is shown, is news, and brings its suggestions; nobody types any more', () => {
    const chat = start({ shown: false }).take('POLY_AGENT_THINKING', {}, null)
    chat.answer('hi', { response_suggestions: [{ message_text: 'More' }] }, 4)
    expect(chat.screen()).toEqual(['agent: hi'])
    expect(chat.after).toEqual({ message: { key: 'x', role: 'agent', text: 'hi' } })
    expect(flat(chat.state)).toMatchObject({
      typing: undefined,
      unread: 1,
      suggestions: [{ message_text: 'More' }],
    })
  })
  it('without words, attachments or buttons is not shown, whatever it suggests', () => {
    const chat = start().answer('', { response_suggestions: [{ message_text: 'More' }] })
    expect(chat.screen()).toEqual([])
    expect(chat.state.conversation.suggestions).toEqual([{ message_text: 'More' }])
    expect(chat.after).toEqual({})
  })
  it.each([
    ['attachments', { attachments: [{ content_url: 'https://example.com/1' }] }],
    ['buttons', { chat_call_actions: [{ title: 'Call', contact_number: '+15005550006' }] }],
  ])('of %s alone is shown, and is not unread', (_, more) => {
    const chat = start({ shown: false }).answer('', more)
    expect(chat.screen()).toEqual(['agent: '])
    expect(chat.state.unread).toBe(0)
  })
  it('replaces a half streamed one in its place, and what comes late of that changes nothing', () => {
    const chat = start().chunk('Hel', 1, {}, 4).take('USER_MESSAGE', { text: 'you' }, 5)
    chat.answer('Hello there', {}, 6, { first: 4 }).chunk('lo', 2, { is_complete: true }, 7)
    expect(chat.screen()).toEqual(['agent: Hello there', 'visitor: you'])
    expect(chat.state.conversation.streams.size).toBe(0)
  })
  it('that says what was streamed leaves the pieces as they are, completes them, and is news once', () => {
    const chat = start().chunk('Hel', 1).chunk('lo', 2)
    const { pieces } = chat.content()
    chat.answer('Hello', { attachments: [{ content_url: 'https://example.com/1' }] })
    expect(chat.content().pieces).toBe(pieces)
    expect(chat.content()).toMatchObject({ complete: true, attachments: [{}] })
    expect(chat.after).toEqual({ message: { key: 'x', role: 'agent', text: 'Hello' } })
    chat.answer('Hello')
    expect(chat.after).toEqual({})
    expect(chat.content().attachments).toHaveLength(1)
  })
  it('with other words under the id of a complete one replaces it, and is no news', () => {
    const chat = start().answer('one', {}, 4).answer('two', {}, 5)
    expect(chat.screen()).toEqual(['agent: two'])
    expect(chat.after).toEqual({})
  })
  it('ends the session where it says so, once known too', () => {
    const over = { expired: false, reason: 'REASON_NATURAL_END' }
    const chat = start().answer('bye', { end_conversation: true })
    expect(chat.after.over).toEqual(over)
    expect(chat.answer('bye', { end_conversation: true }).after).toEqual({ over })
    expect(start().answer('hi', { end_conversation: false }).after.over).toBeUndefined()
  })
  it('of a replay stands where its first chunk did', () => {
    const chat = start().answer('first', { message_id: 'a' }, 3)
    chat.take('USER_MESSAGE', { text: 'meanwhile' }, 6).answer('long', {}, 9, { first: 4 })
    expect(chat.screen()).toEqual(['agent: first', 'agent: long', 'visitor: meanwhile'])
  })
  it('has the agent’s name and picture, and its own where it brings them', () => {
    const chat = start().take('POLY_AGENT_JOINED', {
      agent_name: 'Ada',
      agent_avatar_url: 'https://example.com/a',
    })
    chat
      .answer('one', { message_id: 'a' })
      .answer('two', { message_id: 'b', agent_name: 'Bo' })
      .answer('three', { message_id: 'c', avatar_url: 'https://example.com/c' })
    expect(chat.state.transcript).toMatchObject([
      { agentName: 'Ada', avatarUrl: 'https://example.com/a' },
      { agentName: 'Bo', avatarUrl: 'https://example.com/a' },
      { agentName: 'Ada', avatarUrl: 'https://example.com/c' },
    ])
  })
  it('keeps the rating of the one that it replaces', () => {
    const chat = start().answer('one').take('USER_FEEDBACK', { message_id: 'x', rating: 'up' }).answer('two')
    expect(chat.content()).toMatchObject({ pieces: ['two'], rating: 'up' })
  })
  it('takes no piece that comes late of what it replaces', () => {
    const chat = start().chunk('b', 1, { is_complete: true }).answer('whole').chunk('a', 0)
    expect(chat.screen()).toEqual(['agent: whole'])
  })
  it('has the service’s time, and ours where it names none that can be read', () => {
    const chat = start().answer('one', {}, 1, { at: WALL - 5_000 })
    expect(chat.state.transcript[0]).toMatchObject({ at: WALL - 5_000 })
  })
})

describe('an entry', () => {
  it('without a sequence stands behind what came before it', () => {
    const chat = start().answer('one', {}, 4).take('SYSTEM_MESSAGE', { message: 'Hello' }, null)
    expect(chat.screen()).toEqual(['agent: one', '* system Hello'])
  })
  it('of a new session stands below the line between the two', () => {
    const divider = {
      kind: 'divider',
      key: 'd',
      at: 0,
      reason: 'restarted',
      place: Number.POSITIVE_INFINITY,
    } as const
    const chat = start({ transcript: [divider] }).answer('two', {}, 2)
    chat.take('USER_MESSAGE', { text: 'one' }, 1)
    expect(chat.screen()).toEqual(['--- restarted', 'visitor: one', 'agent: two'])
  })
})

describe('what is unread', () => {
  /** The panel is closed while an answer is written. */
  const begun = () => {
    const { state } = start({ shown: true }).chunk('a', 0, {}, undefined, { id: 'begins' })
    return start({ ...state, shown: false })
  }
  it('is what came while the panel was not shown, history of this page’s beginning excepted', () => {
    const shown = start({ shown: true }).answer('a')
    expect(shown.state.unread).toBe(0)
    const first = start({ shown: false, everLive: false }).answer('a', {}, 1, { replayed: true })
    expect(first.state.unread).toBe(0)
    const back = start({ shown: false }).answer('a', {}, 1, { replayed: true })
    expect(back.state.unread).toBe(1)
  })
  it('is what came behind what was read elsewhere', () => {
    const chat = start({ shown: false })
    chat.change((state) => ({ ...state, tabs: { ...state.tabs, readTo: 5 } }))
    for (const [sequence, unread] of [
      [4, 0],
      [5, 0],
      [6, 1],
    ] as const)
      expect(chat.answer('a', { message_id: `${sequence}` }, sequence).state.unread).toBe(unread)
  })
  it('counts an answer in pieces once', () => {
    const chat = start({ shown: false }).chunk('a', 1).chunk('b', 2).chunk('c', 3, { is_complete: true })
    expect(chat.state.unread).toBe(1)
  })
  it('is an answer that began while the panel was shown, once more of it comes', () => {
    const closed = begun()
    expect(closed.state.unread).toBe(0)
    expect(closed.chunk('b', 1).state.unread).toBe(1)
    expect(closed.chunk('c', 2, { is_complete: true }).state.unread).toBe(1)
    expect(closed.answer('next', { message_id: 'y' }).state.unread).toBe(2)
  })
  it('does not count an answer of which only the end was missing', () => {
    expect(begun().chunk('', 1, { is_complete: true }).state.unread).toBe(0)
  })
  it('is an answer whose whole text comes instead of its pieces', () => {
    expect(begun().answer('ab', { message_id: 'x' }).state.unread).toBe(1)
    expect(begun().answer('a', { message_id: 'x' }).state.unread).toBe(0)
  })

  it('counts each of two answers once, whose words come in turns', () => {
    const chat = start({ shown: false })
    for (const index of [1, 2, 3])
      for (const message_id of ['x', 'y'])
        chat.chunk(`${index} `, index, { message_id, is_complete: index === 3 })
    expect(chat.state.unread).toBe(2)
  })
})

/** Pieces as they come: index, text, and whether it is the last. What stands there after each, and in the end. */
type Piece = [index: number | undefined, text: string, last?: true]
const STREAMS: [string, Piece[], string[]][] = [
  [
    'in order',
    [
      [1, 'a'],
      [2, 'b'],
      [3, 'c', true],
    ],
    ['a …', 'ab …', 'abc'],
  ],
  [
    'from 0',
    [
      [0, 'a'],
      [1, 'b'],
      [2, 'c', true],
    ],
    ['a …', 'ab …', 'abc'],
  ],
  [
    'from 0, the second first',
    [
      [1, 'b'],
      [0, 'a'],
      [2, 'c', true],
    ],
    ['b …', 'ab …', 'abc'],
  ],
  [
    '0 last of all',
    [
      [1, 'b'],
      [2, 'c', true],
      [0, 'a'],
    ],
    ['b …', 'bc', 'abc'],
  ],
  [
    'repeated',
    [
      [1, 'a'],
      [1, 'a'],
      [2, 'b'],
      [1, 'z'],
      [3, 'c', true],
    ],
    ['a …', 'a …', 'ab …', 'ab …', 'abc'],
  ],
  [
    'one overtaken',
    [
      [1, 'a'],
      [3, 'c', true],
      [2, 'b'],
    ],
    ['a …', 'a …', 'abc'],
  ],
  [
    'two overtaken',
    [
      [4, 'd', true],
      [3, 'c'],
      [1, 'a'],
      [2, 'b'],
    ],
    [undefined, undefined, 'a …', 'abcd'] as string[],
  ],
  [
    'the last repeated',
    [
      [1, 'a'],
      [2, 'b', true],
      [2, 'b', true],
    ],
    ['a …', 'ab', 'ab'],
  ],
  [
    'the last empty',
    [
      [1, 'a'],
      [2, 'b'],
      [3, '', true],
    ],
    ['a …', 'ab …', 'ab'],
  ],
  [
    'without indices',
    [
      [undefined, 'a'],
      [undefined, 'b'],
      [undefined, 'c', true],
    ],
    ['a …', 'ab …', 'abc'],
  ],
  ['one piece', [[1, 'a', true]], ['a']],
  ['one piece from 0', [[0, 'a', true]], ['a']],
  [
    'after the end',
    [
      [1, 'a', true],
      [2, 'b'],
    ],
    ['a', 'a'],
  ],
  [
    '0 repeated after the end',
    [
      [0, 'a'],
      [1, 'b', true],
      [0, 'a'],
    ],
    ['a …', 'ab', 'ab'],
  ],
  [
    'with an index and without',
    [
      [1, 'a'],
      [undefined, 'b', true],
    ],
    ['a …', 'ab'],
  ],
  [
    'repeated with other words, and shown anew',
    [
      [1, 'b'],
      [1, 'z'],
      [0, 'a'],
    ],
    ['b …', 'b …', 'ab …'],
  ],
  [
    'from 0, one overtaken',
    [
      [0, 'a'],
      [1, 'b'],
      [3, 'd', true],
      [2, 'c'],
    ],
    ['a …', 'ab …', 'ab …', 'abcd'],
  ],
]

describe('an answer in pieces', () => {
  it.each(STREAMS)(
    'is shown after each piece as far as nothing before it is missing: %s',
    (_, pieces, shown) => {
      const chat = start()
      for (const [at, [index, text, last]] of pieces.entries()) {
        chat.chunk(text, index, { is_complete: last ?? false })
        expect(chat.screen()).toEqual(shown[at] === undefined ? [] : [`agent: ${shown[at]}`])
      }
    },
  )
  it('is news when it is whole, once, with all its words', () => {
    const chat = start().chunk('a', 1)
    expect(chat.after).toEqual({})
    chat.chunk('c', 3, { is_complete: true })
    expect(chat.after).toEqual({})
    chat.chunk('b', 2)
    expect(chat.after).toEqual({ message: { key: 'x', role: 'agent', text: 'abc' } })
    expect(chat.chunk('b', 2).after).toEqual({})
  })
  it('that has no words in the end is no news, and nothing to see', () => {
    const chat = start().chunk('', 1, { is_complete: true })
    expect(chat.after).toEqual({})
    expect(chat.screen()).toEqual([])
  })
  it('grows in place: no piece that comes in order copies those before it', () => {
    const chat = start().chunk('a', 1)
    const { pieces } = chat.content()
    const { transcript } = chat.state
    chat.chunk('b', 2).chunk('c', 3)
    expect(chat.content().pieces).toBe(pieces)
    expect(chat.state.transcript).toBe(transcript)
    expect(chat.content().length).toBe(3)
  })
  it('interleaved with another is whole, as is the other', () => {
    const chat = start()
    chat
      .chunk('a', 1)
      .chunk('1', 1, { message_id: 'y' })
      .chunk('b', 2)
      .chunk('2', 2, { message_id: 'y', is_complete: true })
    chat.chunk('c', 3, { is_complete: true })
    expect(chat.screen()).toEqual(['agent: abc', 'agent: 12'])
  })
  it('moves to where it began once its first piece comes, late, and is counted from 0', () => {
    const chat = start().chunk('b', 1, { is_complete: true }, 3).answer('another', { message_id: 'y' }, 2)
    expect(chat.screen()).toEqual(['agent: another', 'agent: b'])
    expect(chat.chunk('a', 0, {}, 1).screen()).toEqual(['agent: ab', 'agent: another'])
  })
  it.each(['POLY_AGENT_MESSAGE', 'LIVE_AGENT_MESSAGE'])(
    'counts as complete once another one comes as a whole, and takes what comes late of it: %s',
    (name) => {
      const chat = start().chunk('a', 1).take(name, { message_id: 'y', text: 'whole' })
      expect(chat.content().complete).toBe(true)
      chat.chunk('b', 2, { is_complete: true })
      expect(chat.screen()[0]).toBe('agent: ab')
    },
  )
  it('counts as complete once another begins, and takes what comes late of it', () => {
    const chat = start().chunk('a', 1).chunk('c', 3).chunk('1', 1, { message_id: 'y' })
    expect(chat.screen()).toEqual(['agent: ac', 'agent: 1 …'])
    chat.chunk('b', 2)
    expect(chat.screen()[0]).toMatch(/^agent: abc/)
    chat.chunk('d', 4, { is_complete: true })
    expect(chat.screen()).toEqual(['agent: abcd', 'agent: 1 …'])
  })
  it('stops the typing with its first word, and not before', () => {
    const chat = start().take('POLY_AGENT_THINKING', {}, null).chunk('', 1)
    expect(chat.state.typing).toEqual({ role: 'agent' })
    expect(chat.chunk('a', 2).state.typing).toBeUndefined()
    const empty = start().take('POLY_AGENT_THINKING', {}, null).chunk('', 1, { is_complete: true })
    expect(empty.state.typing).toBeUndefined()
    expect(empty.screen()).toEqual([])
  })
  it('adds its attachments up by address, and suggests what its pieces suggested last', () => {
    const url = (name: string) => ({ content_url: `https://example.com/${name}` })
    const chat = start().chunk('a', 1, {
      attachments: [url('1'), url('1')],
      response_suggestions: [{ message_text: 'One' }],
    })
    expect(chat.state.conversation.suggestions).toEqual([])
    chat.chunk('b', 2, { attachments: [url('1'), url('2')], response_suggestions: [{ message_text: 'Two' }] })
    chat.chunk('c', 3, { is_complete: true })
    expect(chat.content().attachments.map(({ content_url }) => content_url)).toEqual([
      'https://example.com/1',
      'https://example.com/2',
    ])
    expect(chat.state.conversation.suggestions).toEqual([{ message_text: 'Two' }])
  })
  it('that repeats a piece takes what that brings beside its words', () => {
    const chat = start().chunk('a', 1).chunk('a', 1, { is_complete: true })
    expect(chat.screen()).toEqual(['agent: a'])
  })
  it('without an id belongs to one message until it is complete', () => {
    const chat = start()
    const none = { message_id: undefined }
    chat
      .chunk('a', 1, none)
      .chunk('b', 2, { ...none, is_complete: true })
      .chunk('c', 1, none)
    expect(chat.screen()).toEqual(['agent: ab', 'agent: c …'])
    // The end of another answer is not its own.
    chat.chunk('other', 1, { is_complete: true }).chunk('d', 2, none)
    expect(chat.screen()).toEqual(['agent: ab', 'agent: cd …', 'agent: other'])
  })
  it('is complete with its last piece, though that has no number and came before others', () => {
    const chat = start().chunk('a', 1).chunk('d', 4).chunk('b', undefined, { is_complete: true })
    expect(chat.screen()).toEqual(['agent: ab …'])
    expect(chat.chunk('c', 3).screen()).toEqual(['agent: abcd'])
  })
  it('stands where its first piece did, also where that came late', () => {
    const chat = start().take('USER_MESSAGE', { text: 'one' }, 1).chunk('b', 2, {}, 5)
    chat.take('USER_MESSAGE', { text: 'two' }, 4).chunk('a', 1, {}, 2)
    expect(chat.screen()).toEqual(['visitor: one', 'agent: ab …', 'visitor: two'])
  })
  it('moves to its first piece, where that came when others were shown', () => {
    const chat = start().take('USER_MESSAGE', { text: 'one' }, 1).chunk('b', 1, {}, 5)
    chat.take('USER_MESSAGE', { text: 'two' }, 4).chunk('a', 0, {}, 2)
    expect(chat.screen()).toEqual(['visitor: one', 'agent: ab …', 'visitor: two'])
  })
  it('takes the suggestions of the message before it from the screen', () => {
    const chat = start().answer('one', { message_id: 'a', response_suggestions: [{ message_text: 'More' }] })
    expect(chat.chunk('t', 1).state.conversation.suggestions).toEqual([])
  })
  it.each([0, 1])(
    'that was shown with a hole grows in place again once the hole is filled, from %i on',
    (first) => {
      const chat = start()
        .chunk('a', first)
        .chunk('c', first + 2)
        .chunk('1', 1, { message_id: 'y' })
      const { pieces } = chat.chunk('b', first + 1).content()
      chat.chunk('d', first + 3)
      expect(chat.content().pieces).toBe(pieces)
      expect(pieces).toEqual(['a', 'b', 'c', 'd'])
    },
  )
  it('holds 256 pieces back for one that is missing, then shows them without it, and takes it late', () => {
    const chat = start()
    for (let index = 2; index <= 257; index++) chat.chunk('.', index)
    expect(chat.screen()).toEqual([])
    chat.chunk('.', 258)
    expect(textOf(chat.state.messages.get('x') as MessageEntry)).toBe('.'.repeat(257))
    chat.chunk('a', 1)
    expect(textOf(chat.state.messages.get('x') as MessageEntry)).toBe(`a${'.'.repeat(257)}`)
  })
  it('is joined with one space where the site asks for it, and with none where there is one', () => {
    const chat = start({ chunkJoin: 'space' })
    for (const [index, text] of ['one', 'two ', 'three', '', ' four'].entries()) chat.chunk(text, index + 1)
    expect(chat.screen()).toEqual(['agent: one two three four …'])
    // Two that come on the screen together.
    expect(chat.chunk('six', 7).chunk('five ', 6).screen()).toEqual(['agent: one two three four five six …'])
  })
})

describe('an answer that says that it is complete and is not', () => {
  const hole = () => start().chunk('a', 1, {}, 4).chunk('c', 3, { is_complete: true }, 5)
  it('is worth a replay from before its first piece', () => {
    const chat = hole()
    expect(chat.state.conversation.log.missingChunk).toEqual({ key: 'x', after: 3, since: 1_000 })
    expect(resumeFrom(chat.state.conversation.log)).toBe(3)
  })
  it('is not, once the piece has come, or the whole', () => {
    expect(hole().chunk('b', 2).state.conversation.log.missingChunk).toBeUndefined()
    expect(hole().answer('abc').state.conversation.log.missingChunk).toBeUndefined()
  })
  it('keeps its place in the row though another one is torn too', () => {
    const chat = hole().later(500).chunk('3', 3, { message_id: 'y', is_complete: true }, 6)
    expect(chat.state.conversation.log.missingChunk).toMatchObject({ key: 'x', since: 1_000 })
    expect(chat.answer('y', { message_id: 'y' }).state.conversation.log.missingChunk).toMatchObject({
      key: 'x',
    })
  })
  it('counts as complete after a replay that lacks the piece too, and takes it should it come', () => {
    const chat = hole().change(acceptReplay)
    expect(chat.screen()).toEqual(['agent: ac'])
    expect(chat.state.conversation.log.missingChunk).toBeUndefined()
    expect(chat.chunk('b', 2).screen()).toEqual(['agent: abc'])
  })
  it('is left alone by the end of a replay while it only goes on', () => {
    expect(start().chunk('a', 1).change(acceptReplay).screen()).toEqual(['agent: a …'])
  })
})

describe('who is there', () => {
  const joined = () => start().take('POLY_AGENT_JOINED', { agent_name: 'Ada' })
  it('is the agent once it joined', () => {
    expect(flat(joined().state)).toMatchObject({ agent: { name: 'Ada', live: false }, log: { joined: true } })
  })
  it('is a person while one is there, and the agent again after', () => {
    const chat = joined().take('LIVE_AGENT_JOINED', {
      agent: { id: '1', name: 'Sam', avatar_url: 'https://example.com/s' },
    })
    expect(flat(chat.state)).toMatchObject({
      agent: { name: 'Sam', avatarUrl: 'https://example.com/s', live: true },
      handoff: { state: 'live' },
    })
    chat.take('LIVE_AGENT_MESSAGE', { text: 'hi', message_id: 'l' }, 3)
    chat.take('LIVE_AGENT_TYPING', {}, null).take('LIVE_AGENT_LEFT', {})
    expect(flat(chat.state)).toMatchObject({
      agent: { name: 'Ada', live: false },
      handoff: { state: 'none' },
      typing: undefined,
    })
    expect(chat.screen()).toEqual(['* live-joined Sam', 'live: hi', '* live-left Sam'])
  })
})

describe('a handoff', () => {
  const pending = () =>
    start().take('POLY_AGENT_TRIGGERED_HANDOFF').take('HANDOFF_ACCEPTED', { queue_name: 'support' })
  it('is pending with its queue, and the place in it as last told', () => {
    expect(pending().state.conversation.handoff).toEqual({ state: 'pending', queueName: 'support' })
    const placed = pending().take('HANDOFF_QUEUE_STATUS', { position: 2 })
    expect(placed.take('HANDOFF_ACCEPTED', { queue_name: 'night' }).state.conversation.handoff).toMatchObject(
      {
        queueName: 'night',
        position: 2,
      },
    )
    const chat = pending().take('HANDOFF_QUEUE_STATUS', {
      position: 2,
      estimated_wait_seconds: 60,
      display_message: 'Soon',
    })
    expect(chat.state.conversation.handoff).toEqual({
      state: 'pending',
      queueName: 'support',
      position: 2,
      waitSeconds: 60,
      message: 'Soon',
    })
    expect(
      chat.take('HANDOFF_QUEUE_STATUS', { queue_name: 'night' }).state.conversation.handoff,
    ).toMatchObject({
      queueName: 'night',
    })
    // The notice above the field says it.
    expect(chat.screen()).toEqual([])
  })
  it.each(['HANDOFF_FAILED', 'HANDOFF_TIMEOUT'])(
    'that ends with %s leaves the visitor with the agent',
    (type) => {
      const chat = pending().take('POLY_AGENT_THINKING', {}, null).take(type, { reason: 'closed' })
      expect(flat(chat.state)).toMatchObject({
        handoff: { state: 'failed', reason: 'closed' },
        typing: undefined,
      })
      expect(chat.screen()).toEqual(['* handoff-failed closed'])
    },
  )
  it('that the page has to make says where to', () => {
    const chat = start().take('CLIENT_HANDOFF_REQUIRED', {
      reason: 'POLICY',
      queue_name: 'q',
      route: '/contact',
    })
    expect(chat.state.conversation.handoff).toEqual({
      state: 'client',
      reason: 'POLICY',
      queueName: 'q',
      route: '/contact',
    })
    expect(chat.screen()).toEqual(['* handoff-client'])
  })
})

describe('who types', () => {
  it('is the agent while it thinks, and not in a replay', () => {
    const chat = start().later(500).take('POLY_AGENT_THINKING', {}, null)
    expect(chat.state).toMatchObject({ typing: { role: 'agent' }, typingSince: 1_500 })
    expect(start().take('POLY_AGENT_THINKING', {}, 3, { replayed: true }).state.typing).toBeUndefined()
  })
  it.each([
    ['a message', 'POLY_AGENT_MESSAGE', { text: 'hi' }],
    ['a leave', 'POLY_AGENT_LEFT', {}],
    ['an error', 'SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'Sorry' }],
    ['the end', 'SESSION_END', {}],
  ])('is nobody after %s', (_, type, payload) => {
    expect(start().take('POLY_AGENT_THINKING', {}, null).take(type, payload).state.typing).toBeUndefined()
  })
  it('is the person that is there, until it stops', () => {
    const chat = start()
      .take('LIVE_AGENT_JOINED', { agent: { name: 'Sam' } })
      .take('LIVE_AGENT_TYPING', {}, null)
    expect(chat.state.typing).toEqual({ role: 'live', name: 'Sam' })
    chat.take('LIVE_AGENT_TYPING', { state: 'TYPING_STATE_STOPPED' }, null)
    expect(chat.state.typing).toBeUndefined()
    const nobody = start({ agent: { name: 'Ada', live: false } }).take('LIVE_AGENT_TYPING', {}, null)
    expect(nobody.state.typing).toEqual({ role: 'live', name: undefined })
    const named = start().take('LIVE_AGENT_TYPING', { agent_name: 'Kim' }, null)
    expect(named.state.typing).toEqual({ role: 'live', name: 'Kim' })
    expect(start().take('LIVE_AGENT_TYPING', {}, 3, { replayed: true }).state.typing).toBeUndefined()
  })
})

describe('what else the service says', () => {
  it('is what the service can do', () => {
    const chat = start().take('SESSION_START', {
      capabilities: { streaming: true, session_idle_seconds: 60 },
    })
    expect(chat.state.capabilities).toMatchObject({ streaming: true, session_idle_seconds: 60 })
  })
  it('is the language, the latest that it names', () => {
    const chat = start().take('LANGUAGE_CHANGED', { language_code: 'de-DE' })
    expect(chat.after).toEqual({ language: 'de-DE' })
    expect(chat.take('LANGUAGE_CHANGED', {}).after).toEqual({})
    expect(chat.state.language).toBe('de-DE')
  })
  it('is that the session ends soon: in a minute, or a tenth of its life, and not in a replay', () => {
    const warned = (payload: object, replayed = false) =>
      start().take('SESSION_START', payload, 1).take('SESSION_IDLE_WARNING', {}, 2, { replayed }).state.endsAt
    expect(warned({})).toEqual({ at: 61_000, wall: WALL + 60_000 })
    expect(warned({ capabilities: { session_idle_seconds: 300 } })).toEqual({
      at: 31_000,
      wall: WALL + 30_000,
    })
    expect(warned({}, true)).toBeUndefined()
  })
  it.each([
    ['earlier', { at: 60_999, wall: 5 }, { at: 61_000, wall: WALL + 60_000 }],
    ['later', { at: 61_001, wall: 5 }, { at: 61_001, wall: 5 }],
  ])('is that the session ends at the later time where our own clock has an %s one', (_, endsAt, later) => {
    expect(start({ endsAt }).take('SESSION_IDLE_WARNING').state.endsAt).toEqual(later)
  })
  it.each(['CSAT_RESPONSE', 'USER_READ_MESSAGE', 'LIVE_AGENT_RECEIVED_MESSAGE', 'USER_END_SESSION'])(
    'may be %s, which changes nothing but the log',
    (type) => {
      const before = start().answer('hi')
      const { state } = before
      const after = before.take(type, {}, 7).state
      const { log } = after.conversation
      expect(after).toEqual(inConversation(state, { log }))
      expect(log.cursor).toBe(7)
    },
  )
})

describe('inactivity', () => {
  it.each([
    ['USER_MESSAGE', { text: 'hi' }],
    ['POLY_AGENT_JOINED', {}],
    ['REQUEST_POLY_AGENT_JOIN', {}],
    ['POLY_AGENT_THINKING', {}],
    ['POLY_AGENT_MESSAGE', { text: 'hi' }],
    ['POLY_AGENT_MESSAGE_CHUNK', { text: 'hi', chunk_index: 1 }],
    ['POLY_AGENT_LEFT', {}],
    ['POLY_AGENT_TRIGGERED_HANDOFF', {}],
    ['HANDOFF_ACCEPTED', {}],
    ['HANDOFF_QUEUE_STATUS', {}],
    ['HANDOFF_FAILED', {}],
    ['CLIENT_HANDOFF_REQUIRED', {}],
    ['LIVE_AGENT_JOINED', {}],
    ['LIVE_AGENT_TYPING', {}],
    ['LIVE_AGENT_MESSAGE', { text: 'hi' }],
    ['LIVE_AGENT_LEFT', {}],
  ])('begins anew with %s', (type, payload) => {
    const chat = start({ slept: 7_000, endsAt: { at: 1, wall: 1 } })
      .later(5_000)
      .take(type, payload)
    expect(chat.state).toMatchObject({ activeAt: 6_000, slept: 0, endsAt: undefined })
  })
  it.each([
    ['SESSION_START', {}],
    ['SYSTEM_MESSAGE', { message: 'Hello' }],
    ['LANGUAGE_CHANGED', { language_code: 'de' }],
    ['SESSION_IDLE_WARNING', {}],
  ])('goes on through %s', (type, payload) => {
    expect(start().later(5_000).take(type, payload).state.activeAt).toBe(0)
  })
  it('begins anew at the time of what a replay tells, within the cut', () => {
    const tell = (age: number, from: Partial<State> = {}) =>
      start({ activeAt: 2_000, lostAt: 10_000, ...from })
        .later(29_000)
        .answer('late', {}, 4, { replayed: true, at: WALL - age }).state.activeAt
    expect(tell(5_000)).toBe(25_000)
    // Older than the cut, or by a clock that is wrong: somewhere in the cut; never in the future, never back.
    expect(tell(500_000)).toBe(10_000)
    expect(tell(-5_000)).toBe(30_000)
    expect(tell(500_000, { activeAt: 12_000 })).toBe(12_000)
    // The history that a page begins with is as good as new.
    expect(tell(5_000, { everLive: false })).toBe(30_000)
  })
})

describe('the cursor', () => {
  const log = (...sequences: number[]) =>
    sequences.reduce(
      (to, sequence) => note(to, sequence, 1_000),
      initialState(0, { sessionId: 's' }).conversation.log,
    )
  it('is the highest sequence read; what has none moves nothing', () => {
    expect(log(1, 2, 3).cursor).toBe(3)
    expect(note(log(1, 2), undefined, 0)).toEqual(log(1, 2))
    expect(log(1, 2, 3, 2).cursor).toBe(3)
  })
  it('to connect with is one back, so that every replay holds an event', () => {
    expect(resumeFrom(log(1, 2, 3))).toBe(2)
    expect(resumeFrom(log())).toBe(0)
  })
  it('to connect with is from before whatever is missing', () => {
    expect(resumeFrom(log(1, 2, 5))).toBe(2)
    expect(resumeFrom({ ...log(1, 2, 5), missingChunk: { key: 'x', after: 1, since: 0 } })).toBe(1)
    expect(resumeFrom({ ...log(1, 2, 3, 4), skipped: 1 })).toBe(1)
  })

  it('opens a hole where live sequences jump, and closes it when they have come', () => {
    expect(log(1, 2, 5).gap).toMatchObject({ after: 2, since: 1_000 })
    expect(log(1, 2, 5, 3).gap).toMatchObject({ after: 3 })
    expect(log(1, 2, 5, 4).gap).toMatchObject({ after: 2 })
    expect(log(1, 2, 5, 4, 3).gap).toBeUndefined()
    expect(log(1, 2, 5, 6, 3, 4).gap).toBeUndefined()
    expect(log(1, 2, 5, 7, 3, 4).gap).toMatchObject({ after: 5 })
    expect(log(1, 2, 5, 7, 3, 4, 6).gap).toBeUndefined()
    expect(log(5).gap).toBeUndefined()
  })
  it('opens none in history, and none for what was seen before', () => {
    expect(note(log(1, 2), 5, 0, true)).toMatchObject({ cursor: 5, gap: undefined })
    expect(log(1, 2, 3, 1).gap).toBeUndefined()
  })
  it('keeps the time of the first hole', () => {
    expect(note(log(1, 3), 9, 5_000).gap?.since).toBe(1_000)
  })

  it('is moved by what cannot be read only where that is the next; that is read again after a cut', () => {
    expect(noteDrop(log(1, 2), 3, 0)).toMatchObject({ cursor: 3, skipped: 2, gap: undefined })
    // From before the last that could be read: a replay of unreadable events alone would prove nothing.
    expect(resumeFrom(noteDrop(log(1, 2), 3, 0))).toBe(1)
    for (const sequence of [undefined, 2, 4, 90]) expect(noteDrop(log(1, 2), sequence, 0)).toEqual(log(1, 2))
    const twice = noteDrop(noteDrop(log(1, 2), 3, 0), 4, 0)
    expect(twice).toMatchObject({ cursor: 4, skipped: 2 })
    expect(resumeFrom(endReplay({ ...twice, replayed: 4 }))).toBe(1)
    expect(noteDrop(log(), 1, 0)).toEqual(log())
    // In a hole the next is the first that is missing.
    expect(noteDrop(log(1, 2, 4), 3, 0)).toMatchObject({ gap: undefined, cursor: 4 })
    expect(noteDrop(log(1, 2, 5), 6, 0)).toEqual(log(1, 2, 5))
  })
})

describe('a replay', () => {
  const live = [1, 2, 5].reduce(
    (to, sequence) => note(to, sequence, 0),
    initialState(0, { sessionId: 's' }).conversation.log,
  )
  const replay = (...sequences: number[]) =>
    sequences.reduce((to, sequence) => note(to, sequence, 0, true), startReplay(live))
  it('leaves cursor and hole alone while it is under way', () => {
    expect(replay(3, 4)).toMatchObject({ cursor: 5, gap: { after: 2 }, replayed: 4 })
  })
  it('that is over is the truth: its end is the cursor, and nothing is missing', () => {
    const over = endReplay({ ...replay(3, 4), missingChunk: { key: 'x', after: 1, since: 0 }, skipped: 1 })
    expect(over).toMatchObject({ cursor: 4, gap: undefined, missingChunk: undefined, skipped: undefined })
    expect(over.replayed).toBeUndefined()
  })
  it('that was empty leaves the cursor where it was', () => {
    expect(endReplay(replay())).toMatchObject({ cursor: 5, gap: undefined })
  })
  it('that was cut has closed the hole as far as it came', () => {
    expect(cutReplay(replay(3))).toMatchObject({ cursor: 5, gap: { after: 3 } })
    expect(cutReplay(replay(3, 4, 5, 6))).toMatchObject({ cursor: 6, gap: undefined })
    expect(cutReplay(replay())).toMatchObject({ cursor: 5, gap: { after: 2 } })
    expect(cutReplay(live)).toBe(live)
  })
  it('reads what it cannot understand as it comes, and has nothing to read again', () => {
    expect(noteDrop(replay(3), 4, 0)).toMatchObject({ replayed: 4, skipped: undefined })
    expect(noteDrop(replay(3), 9, 0)).toEqual(replay(3))
  })
})

it('a rating from another tab shows while a rating of another answer is on its way', () => {
  const chat = start()
  for (const id of ['a', 'b']) chat.take('POLY_AGENT_MESSAGE', { message_id: id, text: id })
  const { conversation } = chat.state
  const feedback = [{ id: 'r', messageId: 'b', rating: 'up' as const, comment: undefined, sent: true }]
  const requests = { ...conversation.requests, feedback }
  const own = start({ ...chat.state, conversation: { ...conversation, requests } } as never)
  own.take('USER_FEEDBACK', { message_id: 'a', rating: 'down' }, undefined, { id: 'feedback-a' })
  expect(own.state.messages.get('a')?.content.peek().rating).toBe('down')
})

it('a taken message that the service could not forward is marked while another one is on its way', () => {
  const custom = { client_event_id: 'one', local_id: 'one' }
  const chat = start({ outbox: sent([newItem('two', 'two', 0, 's')], 'two', 0, 's', 0) } as never)
  chat.take('USER_MESSAGE', { text: 'one' }, 1, { custom })
  const message = 'Failed to forward message to live agent'
  chat.take('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message }, null, { custom })
  expect(chat.state.messages.get('one')?.content.peek().undelivered).toBe(true)
})

it('a message of the agent is none that could not be forwarded', () => {
  const message = 'Failed to forward message to live agent'
  const chat = start().answer('mine')
  chat.take('SYSTEM_MESSAGE', { message }, null, { custom: { client_event_id: 'x', local_id: 'x' } })
  expect(chat.content().undelivered).toBeUndefined()
})

it('a rating of the chat that comes back does not take the place of a newer one on its way', () => {
  const requests = initialState(0).conversation.requests
  const csat = { id: 'newer', score: 5, comment: undefined, sent: true }
  const chat = start({ requests: { ...requests, csat }, csat: { state: 'given', score: 5 } })
  const echo = (id: string, score: number) =>
    chat.take('CSAT_RESPONSE', { score }, null, { custom: { client_event_id: id, local_id: id } }).state
      .conversation
  expect(echo('older', 1).csat).toMatchObject({ score: 5 })
  expect(echo('newer', 5)).toMatchObject({ csat: { score: 5 }, requests: { csat: undefined } })
  expect(echo('of another tab', 2).csat).toMatchObject({ score: 2 })
})

describe('a service that does not know the conversation', () => {
  const LONG = 300_000
  const asked = { asked: true, times: 1, at: 900, notBefore: 0 }
  it.each<[string, State['conversation']['join'], number, object]>([
    ['the first time, is asked again after 1 s', asked, 0, { times: 1, notBefore: 2_000 }],
    ['the third time, is asked again after 4 s', { ...asked, times: 3 }, 0, { times: 3, notBefore: 5_000 }],
    [
      'long after the fifth time, is asked again as at first',
      { ...asked, times: 5 },
      LONG,
      { times: 0, notBefore: LONG + 2_000 },
    ],
  ])('%s', (_, join, ms, expected) => {
    const chat = start({ join, log: { ...initialState(0).conversation.log, joined: true } }).later(ms)
    chat.take('SYSTEM_MESSAGE', { message: 'Conversation not found' }, null)
    expect(chat.state.conversation).toMatchObject({
      join: { asked: false, ...expected },
      log: { joined: false },
    })
    // It says so once more meanwhile.
    const known = chat.state.conversation.join
    chat.later(10).take('SYSTEM_MESSAGE', { message: 'Conversation not found' }, null)
    expect(chat.state.conversation.join).toEqual(known)
  })
  it('the fifth time, is asked no more', () => {
    const chat = start({ join: { ...asked, times: 5 } })
    chat.take('SYSTEM_MESSAGE', { message: 'Conversation not found' }, null)
    expect(chat.after).toEqual({ session: 'exhausted' })
  })
})
