// Every field of every event arrives as itself: no two of them have the same value here.

import { describe, expect, it } from 'vitest'
import {
  type ClientEvent,
  type ClientPayloads,
  type Drop,
  idleWarningLead,
  languagesOf,
  parseFrame,
  readRequest,
  type ServerPayloads,
  socketUrl,
} from '../../src/protocol/index.ts'

const ENVELOPE = { id: 'i', timestamp: '2026-01-01T00:00:00.000Z' }
const attachment = (type: 'IMAGE' | 'URL') => ({
  content_type: `ATTACHMENT_CONTENT_TYPE_${type}` as const,
  content_url: `https://example.com/${type}`,
  title: `title of ${type}`,
  preview_image_url: `https://example.com/preview/${type}`,
  call_to_action_text: `open ${type}`,
})
const MESSAGE = {
  message_id: 'message-1',
  text: 'Hello',
  attachments: [attachment('IMAGE'), attachment('URL')],
  response_suggestions: [{ message_text: 'yes', payload: 'p' }],
  chat_call_actions: [{ title: 'Call us', contact_number: '+15005550100' }],
  agent_name: 'Sarah',
  avatar_url: 'https://example.com/sarah',
  end_conversation: true,
  stopped: false,
}
const capabilities = (
  flag: 'streaming' | 'csat' | 'stop' | 'feedback' | 'leave_queue' | 'confirm' | 'session_status',
) => ({
  ...{
    streaming: false,
    csat: false,
    stop: false,
    feedback: false,
    leave_queue: false,
    confirm: false,
    session_status: false,
  },
  [flag]: true,
  max_message_size_bytes: 1,
  max_reconnect_attempts: 2,
  heartbeat_interval_seconds: 3,
  session_idle_seconds: 4,
})

const SENT: { [T in keyof ServerPayloads]?: ServerPayloads[T][] } = {
  EVENT_TYPE_USER_MESSAGE: [{ text: 'Hi', message_id: 'message-2' }],
  EVENT_TYPE_CSAT_RESPONSE: [{ score: 9, comment: 'good' }],
  EVENT_TYPE_USER_FEEDBACK: [
    { message_id: 'message-1', rating: 'up', comment: 'right' },
    { message_id: 'message-2', rating: 'down', comment: 'wrong' },
  ],
  EVENT_TYPE_USER_DECISION: [
    { confirm_id: 'question-1', decision: 'confirm' },
    { confirm_id: 'question-2', decision: 'cancel' },
  ],
  EVENT_TYPE_SESSION_START: (
    ['streaming', 'csat', 'stop', 'feedback', 'leave_queue', 'confirm', 'session_status'] as const
  ).map((flag) => ({ capabilities: capabilities(flag), context_id: 'context' })),
  EVENT_TYPE_SESSION_END: [{ reason: 'idle' }],
  EVENT_TYPE_SYSTEM_MESSAGE: [
    { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'one', code: 'waiting' },
    { level: 'SYSTEM_MESSAGE_LEVEL_WARNING', message: 'two' },
    { level: 'SYSTEM_MESSAGE_LEVEL_INFO', message: 'three' },
  ],
  EVENT_TYPE_LANGUAGE_CHANGED: [{ language_code: 'de' }],
  EVENT_TYPE_POLY_AGENT_JOINED: [{ agent_name: 'Guide', agent_avatar_url: 'https://example.com/guide' }],
  EVENT_TYPE_POLY_AGENT_MESSAGE: [
    MESSAGE,
    { ...MESSAGE, end_conversation: false, stopped: true },
    {
      ...MESSAGE,
      confirm: { id: 'message-1', title: 'Sure?', summary: 'Two nights', confirm: 'Yes', cancel: 'No' },
    },
  ],
  EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK: [true, false].map((is_complete) => ({
    message_id: 'message-3',
    text: 'part',
    attachments: [attachment('URL')],
    response_suggestions: MESSAGE.response_suggestions,
    chunk_index: 5,
    is_complete,
    stopped: !is_complete,
  })),
  EVENT_TYPE_POLY_AGENT_LEFT: [{ reason: 'over' }],
  EVENT_TYPE_HANDOFF_ACCEPTED: [{ queue_name: 'sales' }],
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: [
    { queue_name: 'sales', position_in_queue: 6, estimated_wait_seconds: 7, display_message: 'soon' },
  ],
  EVENT_TYPE_HANDOFF_FAILED: [{ reason: 'closed' }],
  EVENT_TYPE_HANDOFF_TIMEOUT: [{ reason: 'late' }],
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: [{ reason: 'asked', queue_name: 'sales', route: 'north' }],
  EVENT_TYPE_LIVE_AGENT_JOINED: [
    { agent: { id: 'agent-1', name: 'Sarah', avatar_url: 'https://example.com/s' } },
  ],
  EVENT_TYPE_LIVE_AGENT_TYPING: [
    { state: 'TYPING_STATE_STARTED', agent_id: 'agent-1', agent_name: 'Sarah' },
    { state: 'TYPING_STATE_STOPPED', agent_id: 'agent-2', agent_name: 'Omar' },
  ],
  EVENT_TYPE_LIVE_AGENT_MESSAGE: [{ ...MESSAGE, agent_id: 'agent-1' }],
  EVENT_TYPE_LIVE_AGENT_LEFT: [{ reason: 'done', agent_id: 'agent-1', agent_name: 'Sarah' }],
}

it.each(Object.entries(SENT))('the client reads all of what %s says', (type, payloads) => {
  const name = type.slice('EVENT_TYPE_'.length).toLowerCase()
  const event = { ...ENVELOPE, type, sequence: 8, first_sequence: 7, metadata: { custom: { key: 'value' } } }
  for (const payload of payloads) {
    const read = { ...event, payload, replayed: false }
    expect(parseFrame(JSON.stringify({ ...event, payload })).events).toEqual([read])
    // Older services put the payload under the name of its type.
    const batch = { type: 'EVENT_TYPE_EVENT_BATCH', event_batch: { events: [{ ...event, [name]: payload }] } }
    expect(parseFrame(JSON.stringify(batch)).events).toEqual([{ ...read, replayed: true }])
  }
})

it('the older names of a live agent are read each for itself, and where both are given, the newer one', () => {
  const older = { agent_id: 'agent-1', agent_name: 'Sarah', avatar_url: 'https://example.com/s' }
  const newer = { id: 'agent-2', name: 'Omar', avatar_url: 'https://example.com/o' }
  const read = (payload: object) =>
    parseFrame(JSON.stringify({ ...ENVELOPE, type: 'EVENT_TYPE_LIVE_AGENT_JOINED', payload })).events[0]
      ?.payload
  expect(read(older)).toEqual({ agent: { id: 'agent-1', name: 'Sarah', avatar_url: older.avatar_url } })
  expect(read({ ...older, agent: newer })).toEqual({ agent: newer })
  for (const field of ['id', 'name', 'avatar_url'] as const)
    expect(read({ ...older, agent: { [field]: newer[field] } })).toEqual({
      agent: { id: 'agent-1', name: 'Sarah', avatar_url: older.avatar_url, [field]: newer[field] },
    })
})

it.each<[string, object]>([
  ['an event without a type', { type: undefined }],
  ['unknown type NEW', { type: 'NEW' }],
  ['EVENT_TYPE_USER_FEEDBACK without what it is about', { type: 'EVENT_TYPE_USER_FEEDBACK', payload: {} }],
  [
    'EVENT_TYPE_POLY_AGENT_THINKING without an id or a timestamp',
    { type: 'EVENT_TYPE_POLY_AGENT_THINKING', id: '' },
  ],
])('the note of a drop has its sequence, so that no gap stays open for it: %s', (reason, event) => {
  const dropped = (sequence: number): Drop => ({ reason, sequence })
  const events = [4, 9].map((sequence) => ({ ...ENVELOPE, sequence, ...event }))
  expect(parseFrame(JSON.stringify(events[0])).drops).toEqual([dropped(4)])
  const batch = { type: 'EVENT_TYPE_EVENT_BATCH', payload: { events } }
  expect(parseFrame(JSON.stringify(batch)).drops).toEqual([dropped(4), dropped(9)])
})

it('two events without a sequence stay behind the same predecessor, in their order', () => {
  const events = [7, undefined, undefined, 3].map((sequence, index) => ({
    ...{ ...ENVELOPE, id: String(index), type: 'EVENT_TYPE_POLY_AGENT_THINKING' },
    ...(sequence !== undefined && { sequence }),
  }))
  const batch = { type: 'EVENT_TYPE_EVENT_BATCH', payload: { events } }
  expect(parseFrame(JSON.stringify(batch)).events.map(({ id }) => id)).toEqual(['3', '0', '1', '2'])
})

describe('the service', () => {
  const COMMENT = 'x'.repeat(2_000)
  const ID = 'm'.repeat(256)
  const ASKED: { [T in keyof ClientPayloads]: ClientPayloads[T][] } = {
    EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: [{}],
    EVENT_TYPE_USER_MESSAGE: [{ text: ' Hi ' }],
    EVENT_TYPE_USER_TYPING: [{ state: 'TYPING_STATE_STARTED' }, { state: 'TYPING_STATE_STOPPED' }],
    EVENT_TYPE_USER_END_SESSION: [{}],
    EVENT_TYPE_HEARTBEAT: [{}],
    EVENT_TYPE_CSAT_RESPONSE: [{ score: 0 }, { score: 10, comment: COMMENT }],
    EVENT_TYPE_USER_STOP_ANSWER: [{}, { message_id: 'message-1' }, { message_id: 'message-2' }],
    EVENT_TYPE_USER_FEEDBACK: [
      { message_id: ID, rating: 'up' },
      { message_id: 'message-2', rating: 'down', comment: COMMENT },
    ],
    EVENT_TYPE_USER_DECISION: [
      { confirm_id: ID, decision: 'confirm' },
      { confirm_id: 'question', decision: 'cancel' },
    ],
    EVENT_TYPE_USER_LEAVE_QUEUE: [{}],
  }
  it.each(Object.entries(ASKED))('reads all of what %s says, and its metadata', (type, payloads) => {
    for (const payload of payloads)
      for (const custom of [{ client_event_id: 'one' }, undefined]) {
        const event = { type, payload, ...(custom && { metadata: { custom } }) } as ClientEvent
        const { custom: read, ...rest } = readRequest(JSON.stringify(event))
        expect({ ...rest, custom: read && { ...read } }).toEqual({ event, custom })
      }
  })

  it.each([
    ['EVENT_TYPE_USER_MESSAGE', { text: ' ' }],
    ['EVENT_TYPE_USER_TYPING', { state: 'TYPING_STATE_PAUSED' }],
    ['EVENT_TYPE_CSAT_RESPONSE', { score: -1 }],
    ['EVENT_TYPE_CSAT_RESPONSE', { score: 11 }],
    ['EVENT_TYPE_CSAT_RESPONSE', { score: 5, comment: `${COMMENT}x` }],
    ['EVENT_TYPE_USER_FEEDBACK', { message_id: `${ID}m`, rating: 'up' }],
    ['EVENT_TYPE_USER_FEEDBACK', { message_id: '', rating: 'up' }],
    ['EVENT_TYPE_USER_FEEDBACK', { message_id: ID, rating: 'left' }],
    ['EVENT_TYPE_USER_FEEDBACK', { message_id: ID, rating: 'up', comment: `${COMMENT}x` }],
    ['EVENT_TYPE_USER_DECISION', { confirm_id: `${ID}m`, decision: 'confirm' }],
    ['EVENT_TYPE_USER_DECISION', { confirm_id: '', decision: 'confirm' }],
    ['EVENT_TYPE_USER_DECISION', { confirm_id: ID, decision: 'confirmed' }],
  ])('refuses %s with %j, in an answer that has its metadata', (type, payload) => {
    const custom = { client_event_id: 'one' }
    const request = readRequest(JSON.stringify({ type, payload, metadata: { custom } }))
    expect(request).toMatchObject({ error: expect.stringMatching(/^Invalid /), custom })
  })
})

it.each([
  [10, 5],
  [40, 20],
  [60, 20],
  [200, 20],
  [300, 30],
  [600, 60],
  [3_600, 60],
])('the warning of a session that ends after %i idle seconds comes %i seconds before', (idle, lead) => {
  expect(idleWarningLead(idle)).toBe(lead)
})

it('the address of the socket has nothing of the query and the fragment of its base, and a cursor from 1 on', () => {
  const base = 'https://chat.example.com/base?session_id=other&key=1#part'
  const rest = 'wss://chat.example.com/base/ws?session_id=s&access_token=t'
  expect([0, 1].map((cursor) => socketUrl(base, 's', 't', cursor))).toEqual([rest, `${rest}&cursor=1`])
})

it.each([
  ['zh-TW', ['zh-TW', 'zh-Hant', 'zh']],
  ['zh', ['zh-CN', 'zh-Hans', 'zh']],
  ['fr-Latn-CA', ['fr-CA', 'fr-Latn', 'fr']],
  ['iw', ['he-IL', 'he-Hebr', 'he']],
  ['no tag', []],
])('the words for %s stand under %j', (tag, names) => {
  expect(languagesOf(tag)).toEqual(names)
})
