// How a good client reads what a service sends: tolerant, and never wrong about what it shows.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  closeMeaning,
  type Drop,
  parseFrame,
  readFrame,
  readRequest,
  socketUrl,
} from '../../src/protocol/index.ts'

/** Every event of the service has an id and a timestamp, unless a test takes them away. */
const whole = (event: unknown) =>
  typeof event === 'object' && event !== null && !Array.isArray(event)
    ? { id: 'i', timestamp: '2026-01-01T00:00:00.000Z', ...event }
    : event
const read = (frame: unknown) => readFrame(JSON.stringify(whole(frame)))
const batch = (...events: unknown[]) =>
  read({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: events.map(whole) } })
const drops = (text: string): Drop[] => {
  const all: Drop[] = []
  readFrame(text, (drop) => all.push(drop))
  return all
}
const message = (payload: unknown) =>
  read({ type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', id: 'i', sequence: 3, payload })[0]

describe('a frame', () => {
  it.each([
    '',
    'nonsense',
    'null',
    '5',
    '"text"',
    '[]',
    '[{"type":"EVENT_TYPE_HEARTBEAT"}]',
    '{}',
    '{"type":5}',
  ])('that does not contain an event (%s) is dropped with a note', (text) => {
    expect(readFrame(text)).toEqual([])
    expect(drops(text)).toHaveLength(1)
  })

  it('of an unknown type is dropped, and the note has its sequence', () => {
    const frame = JSON.stringify({ type: 'EVENT_TYPE_FROM_TOMORROW', sequence: 9, payload: {} })
    expect(readFrame(frame)).toEqual([])
    expect(drops(frame)).toEqual([{ reason: 'unknown type EVENT_TYPE_FROM_TOMORROW', sequence: 9 }])
  })

  it('has a type that is case-sensitive', () => {
    expect(read({ type: 'event_type_heartbeat' })).toEqual([])
    expect(read({ type: 'toString' })).toEqual([])
    expect(read({ type: '__proto__' })).toEqual([])
  })

  it('without an id or a timestamp is dropped, and the note has its sequence; heartbeats need neither', () => {
    for (const lack of [
      { id: undefined },
      { timestamp: undefined },
      { id: 5 },
      { timestamp: '' },
      { id: null },
    ]) {
      const frame = { ...(whole({ type: 'EVENT_TYPE_POLY_AGENT_THINKING', sequence: 4 }) as object), ...lack }
      expect(readFrame(JSON.stringify(frame))).toEqual([])
      expect(drops(JSON.stringify(frame))).toEqual([
        { reason: 'EVENT_TYPE_POLY_AGENT_THINKING without an id or a timestamp', sequence: 4 },
      ])
      expect(read({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: [frame] } })).toEqual([])
    }
    expect(readFrame('{"type":"EVENT_TYPE_HEARTBEAT"}')).toHaveLength(1)
  })

  it('may have no payload or a null one', () => {
    for (const frame of [{}, { payload: null }, { payload: 'text' }, { payload: [] }])
      expect(read({ type: 'EVENT_TYPE_POLY_AGENT_THINKING', ...frame })).toEqual([
        expect.objectContaining({ type: 'EVENT_TYPE_POLY_AGENT_THINKING', payload: {}, replayed: false }),
      ])
  })

  it('may contain unknown fields', () => {
    expect(message({ text: 'a', from_the_future: { deep: 1 } })?.payload).not.toHaveProperty(
      'from_the_future',
    )
  })

  it('never converts other values to text', () => {
    for (const text of [5, null, { type: 'div' }, ['a'], true])
      expect(message({ text })?.payload).toMatchObject({ text: '' })
    expect(read({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: { hostile: 1 } } })).toEqual([])
  })

  it('has a sequence only if it is a whole number', () => {
    for (const sequence of [null, '5', 1.5, -1, Number.NaN, 2 ** 53])
      expect(read({ type: 'EVENT_TYPE_HEARTBEAT', sequence })[0]?.sequence).toBeUndefined()
    expect(read({ type: 'EVENT_TYPE_HEARTBEAT', sequence: 7 })[0]?.sequence).toBe(7)
  })

  it('keeps only the strings of metadata.custom', () => {
    const custom = read({ type: 'EVENT_TYPE_HEARTBEAT', metadata: { custom: { a: 'x', b: 5, c: null } } })[0]
      ?.metadata?.custom
    expect({ ...custom }).toEqual({ a: 'x' })
    expect(read({ type: 'EVENT_TYPE_HEARTBEAT', metadata: { custom: ['a'] } })[0]?.metadata).toBeUndefined()
  })
})

describe('a batch', () => {
  it('returns its events in order, marked as replayed', () => {
    const events = batch(
      { type: 'EVENT_TYPE_SESSION_START', sequence: 1 },
      { type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', sequence: 5, payload: { text: 'a' } },
    )
    expect(events.map(({ sequence, replayed }) => [sequence, replayed])).toEqual([
      [1, true],
      [5, true],
    ])
  })

  it('is sorted by sequence; an event without one stays behind its predecessor', () => {
    const types = batch(
      { type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', sequence: 10, payload: { text: 'second' } },
      { type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { message: 'about the second' } },
      { type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', sequence: 9, payload: { text: 'first' } },
      { type: 'EVENT_TYPE_SESSION_START', sequence: 1 },
    ).map(({ sequence }) => sequence)
    expect(types).toEqual([1, 9, 10, undefined])
  })

  it('is distinguished from a single event, even if it is empty', () => {
    expect(parseFrame('{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[]}}').batch).toBe(true)
    expect(parseFrame('{"type":"EVENT_TYPE_EVENT_BATCH","event_batch":{"events":[5]}}').batch).toBe(true)
    for (const text of ['{"type":"EVENT_TYPE_HEARTBEAT"}', '{"type":"EVENT_TYPE_EVENT_BATCH"}', 'x'])
      expect(parseFrame(text).batch).toBe(false)
  })

  it('may carry a payload under a key named after its type', () => {
    const [event] = batch({ type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', poly_agent_message: { text: 'here' } })
    expect(event?.payload).toMatchObject({ text: 'here' })
  })

  it('loses only its unreadable events', () => {
    const events = read({
      type: 'EVENT_TYPE_EVENT_BATCH',
      payload: { events: [null, 5, 'x', [], { type: 'NO' }, { type: 'EVENT_TYPE_HEARTBEAT' }] },
    })
    expect(events).toHaveLength(1)
    expect(read({ type: 'EVENT_TYPE_EVENT_BATCH', payload: {} })).toEqual([])
  })
})

describe('a payload', () => {
  it('of SESSION_START has a heartbeat of 30 s by default, and 0 if it says so', () => {
    const capabilities = (given: unknown) =>
      read({ type: 'EVENT_TYPE_SESSION_START', payload: { capabilities: given } })[0]?.payload
    expect(capabilities(undefined)).toMatchObject({
      capabilities: { heartbeat_interval_seconds: 30, max_reconnect_attempts: 0, streaming: false },
    })
    expect(capabilities({ heartbeat_interval_seconds: 0, session_idle_seconds: 60 })).toMatchObject({
      capabilities: { heartbeat_interval_seconds: 0, session_idle_seconds: 60 },
    })
    expect(capabilities({ heartbeat_interval_seconds: '5' })).toMatchObject({
      capabilities: { heartbeat_interval_seconds: 30 },
    })
  })

  it.each([0, -1, 0.5, 1e300, '65536', null, undefined])(
    'of SESSION_START has sizes and times that can be kept to where it says %s',
    (given) => {
      const capabilities = {
        max_message_size_bytes: given,
        session_idle_seconds: given,
        max_reconnect_attempts: -1,
        heartbeat_interval_seconds: -1,
      }
      expect(read({ type: 'EVENT_TYPE_SESSION_START', payload: { capabilities } })[0]?.payload).toMatchObject(
        {
          capabilities: {
            max_message_size_bytes: 131_072,
            session_idle_seconds: undefined,
            max_reconnect_attempts: 0,
            heartbeat_interval_seconds: 30,
          },
        },
      )
    },
  )

  it('of a message keeps the valid items of its lists', () => {
    expect(
      message({
        text: 'a',
        attachments: [
          { content_type: 'ATTACHMENT_CONTENT_TYPE_URL', content_url: 'https://example.com', title: 5 },
          { content_type: 'ATTACHMENT_CONTENT_TYPE_VIDEO', content_url: 'https://example.com/video' },
          { content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE' },
          'nonsense',
        ],
        response_suggestions: [{ message_text: 'yes', payload: 'p' }, { message_text: 5 }, null],
        chat_call_actions: [
          { title: 'Call', contact_number: '+1' },
          { title: 'Call us' },
          { contact_number: '+2' },
          { contact_number: 5 },
        ],
      })?.payload,
    ).toMatchObject({
      attachments: [
        { content_type: 'ATTACHMENT_CONTENT_TYPE_URL', content_url: 'https://example.com', title: undefined },
        // Of an unknown type, but it has an address: a link.
        { content_type: 'ATTACHMENT_CONTENT_TYPE_URL', content_url: 'https://example.com/video' },
      ],
      response_suggestions: [{ message_text: 'yes', payload: 'p' }],
      chat_call_actions: [
        { title: 'Call', contact_number: '+1' },
        { title: 'Call us', contact_number: undefined },
        { title: '+2', contact_number: '+2' },
      ],
    })
  })

  it('of a chunk counts from 1 or from 0', () => {
    const index = (chunk_index: unknown) =>
      read({ type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK', payload: { chunk_index } })[0]?.payload
    expect([0, 1, 7].map(index)).toMatchObject([{ chunk_index: 0 }, { chunk_index: 1 }, { chunk_index: 7 }])
    for (const wrong of [-1, 1.5, '1', null]) expect(index(wrong)).toMatchObject({ chunk_index: undefined })
  })

  it('may have the older names', () => {
    expect(
      read({ type: 'EVENT_TYPE_POLY_AGENT_JOINED', payload: { avatar_url: 'a' } })[0]?.payload,
    ).toMatchObject({ agent_avatar_url: 'a' })
    expect(
      read({ type: 'EVENT_TYPE_HANDOFF_QUEUE_STATUS', payload: { position: 3 } })[0]?.payload,
    ).toMatchObject({ position_in_queue: 3 })
    expect(
      read({ type: 'EVENT_TYPE_LIVE_AGENT_JOINED', payload: { agent_id: '1', agent_name: 'Sarah' } })[0]
        ?.payload,
    ).toEqual({
      agent: { id: '1', name: 'Sarah', avatar_url: undefined },
    })
  })

  it('of live typing counts as started by default', () => {
    expect(read({ type: 'EVENT_TYPE_LIVE_AGENT_TYPING' })[0]?.payload).toMatchObject({
      state: 'TYPING_STATE_STARTED',
    })
  })

  it.each([
    'SHOW_CSAT_REQUEST',
    'CSAT_RESPONSE',
    'USER_RECEIVED_MESSAGE',
    'USER_READ_MESSAGE',
    'POLY_AGENT_RECEIVED_MESSAGE',
    'POLY_AGENT_READ_MESSAGE',
    'LIVE_AGENT_RECEIVED_MESSAGE',
    'LIVE_AGENT_READ_MESSAGE',
  ])('of %s, which is not sent today, is read', (type) => {
    expect(read({ type: `EVENT_TYPE_${type}` })).toHaveLength(1)
  })
})

describe('the reader', () => {
  it('never throws, and never changes a prototype', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc
            .object()
            .map((value) => JSON.stringify({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: [value] } })),
        ),
        (text) => {
          expect(Array.isArray(readFrame(text))).toBe(true)
          expect(readRequest(text)).toBeTypeOf('object')
        },
      ),
    )
    readFrame('{"type":"EVENT_TYPE_HEARTBEAT","metadata":{"custom":{"__proto__":"x"}}}')
    expect(({} as { x?: string }).x).toBeUndefined()
    expect(readFrame(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toEqual([])
  })
})

describe('a close code', () => {
  it('has the meaning of the service; an unknown one is transient', () => {
    expect([1000, 1001, 1005, 1006, 1008, 1009, 1011, 1012, 1013, 4001, 4999, 0].map(closeMeaning)).toEqual([
      'reconnect',
      'spread',
      'reconnect',
      'reconnect',
      'later',
      'oversize',
      'spread',
      'spread',
      'spread',
      'renew',
      'reconnect',
      'reconnect',
    ])
  })
})

describe('the address of the socket', () => {
  it('follows the base: https to wss, http to ws on loopback only', () => {
    expect(socketUrl('https://chat.example.com', 's', 't')).toBe(
      'wss://chat.example.com/ws?session_id=s&access_token=t',
    )
    expect(socketUrl('https://example.com/base/', 's', 't', 5)).toBe(
      'wss://example.com/base/ws?session_id=s&access_token=t&cursor=5',
    )
    expect(socketUrl('http://localhost:4700', 's', 't')).toMatch(/^ws:\/\/localhost:4700/)
    expect(socketUrl('http://127.0.0.1:4700', 's', 't')).toMatch(/^ws:/)
  })

  it('is refused elsewhere, by an error without the token', () => {
    for (const base of [
      'http://chat.example.com',
      'http://localhost.example.com',
      'ftp://localhost',
      'nonsense',
      'javascript:alert(1)',
    ])
      expect(() => socketUrl(base, 's', 'the-token')).toThrowError(expect.not.stringContaining('the-token'))
  })
})

describe('the metadata of a client', () => {
  const request = (custom: Record<string, string>) =>
    readRequest(JSON.stringify({ type: 'EVENT_TYPE_HEARTBEAT', payload: {}, metadata: { custom } }))
  const isTaken = (custom: Record<string, string>) => {
    const read = request(custom)
    if ('error' in read) {
      expect(read.error).toMatch(
        /^Invalid metadata: custom takes at most 16 keys, each key and value at most 256 bytes/,
      )
      expect(read.custom).toBeUndefined()
      return false
    }
    expect(read.custom).toEqual(custom)
    return true
  }
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 'v']))

  it('has at most 16 keys', () => {
    expect(isTaken({})).toBe(true)
    expect(isTaken(keys(16))).toBe(true)
    expect(isTaken(keys(17))).toBe(false)
  })

  it.each([
    ['one byte', 'x', 256],
    ['two bytes', 'é', 128],
    ['three bytes', '€', 85],
    ['four bytes', '😀', 64],
  ])('is counted in bytes, not in letters: %s each', (_, letter, most) => {
    expect(isTaken({ key: letter.repeat(most) })).toBe(true)
    expect(isTaken({ key: letter.repeat(most + 1) })).toBe(false)
    expect(isTaken({ [letter.repeat(most)]: 'v' })).toBe(true)
    expect(isTaken({ [letter.repeat(most + 1)]: 'v' })).toBe(false)
  })
})
