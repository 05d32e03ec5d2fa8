// The limits of the API's parameters: the last value that is good, and the first that is not.

import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  ConcurrencyQuery,
  ConversationsQuery,
  concurrencyConflict,
  conversationsConflict,
  correlationOf,
  HandoffQuery,
  handoffConflict,
  hasForm,
  OutboundCall,
  OutboundSms,
  problemFormatAt,
  readQuery,
  smsConflict,
  writeQuery,
} from '../../src/api/index.ts'

const long = (length: number) => 'x'.repeat(length)
const START = '2026-11-01T00:00:00Z'
const RANGE = { start_time: START, end_time: '2026-11-02T00:00:00Z' }
/** Its JSON has so many bytes. */
const metadata = (bytes: number) => ({ a: long(bytes - '{"a":""}'.length) })
/** 26 KB of base64 are not given, whole groups of 3 bytes are. */
const METADATA = ((26 * 1024) / 4) * 3

const QUERIES = { conversations: ConversationsQuery, concurrency: ConcurrencyQuery, handoff: HandoffQuery }
const BODIES = { call: OutboundCall, sms: OutboundSms }
const number = '+15005550006'

it.each<[keyof typeof QUERIES | keyof typeof BODIES, object, string, unknown, unknown]>([
  ['conversations', {}, 'query', long(1_000), long(1_001)],
  ['conversations', {}, 'variant_id', long(256), long(257)],
  ['conversations', {}, 'variant_name', long(256), long(257)],
  ['conversations', {}, 'channel', Array(20).fill('sms'), Array(21).fill('sms')],
  ['conversations', {}, 'channel', [long(64)], [long(65)]],
  ['conversations', {}, 'cursor', long(2_048), long(2_049)],
  ['conversations', {}, 'cursor', 'x', ''],
  ['conversations', {}, 'limit', 1, 0],
  ['conversations', {}, 'limit', 1_000, 1_001],
  ['conversations', {}, 'offset', 0, -1],
  ['conversations', {}, 'offset', 100_000_000, 100_000_001],
  ...(['variant_id', 'variant_name', 'language', 'phone_number'] as const).flatMap(
    (name): ['concurrency', object, string, unknown, unknown][] => [
      ['concurrency', RANGE, name, long(256), long(257)],
      ['concurrency', RANGE, name, 'x', ''],
    ],
  ),
  ['handoff', {}, 'id', long(256), long(257)],
  ['handoff', {}, 'id', 'x', ''],
  ['handoff', {}, 'shared_id', long(256), long(257)],
  ['handoff', {}, 'shared_id', 'x', ''],
  ['call', {}, 'to_number', long(40), long(41)],
  ['call', { to_number: number }, 'metadata', metadata(METADATA - 3), metadata(METADATA - 2)],
  ['sms', { user_number: number }, 'message', long(1_600), long(1_601)],
  ['sms', { user_number: number }, 'messaging_service_sid', long(128), long(129)],
  ['sms', {}, 'user_number', '+1234567', '+123456'],
  ['sms', {}, 'user_number', 'rcs:+123456789012345', 'rcs:+1234567890123456'],
  ['sms', { user_number: number }, 'agent_number', '+123456789012345', '+1234567890123456'],
])('of %s with %j the %s ends between two values', (what, rest, name, good, wrong) => {
  const schema = { ...QUERIES, ...BODIES }[what]
  const isGood = (value: unknown) => v.is(schema, { ...rest, [name]: value })
  expect([isGood(good), isGood(wrong)]).toEqual([true, false])
})

describe('parameters that belong together', () => {
  const conversations = (query: object) => conversationsConflict(query)?.split(' ')[0]
  const concurrency = (query: object) => concurrencyConflict(query)?.split(' ')[0]

  it.each<[object, string | undefined]>([
    [{ query_type: 'semantic', query: 'a', ...RANGE }, undefined],
    [{ sample: 'random', ...RANGE }, undefined],
    [{ query_type: 'semantic', query: 'a', sample: 'random', ...RANGE }, 'query_type'],
    [{ query_type: 'transcript', ...RANGE }, 'query'],
    ...[{ query_type: 'semantic', query: 'a' }, { sample: 'random' }].flatMap((mode): [object, string][] => [
      [{ ...mode, end_time: START }, 'start_time'],
      [{ ...mode, start_time: START }, 'end_time'],
    ]),
    [{ start_time: START }, undefined],
    [{ end_time: START }, undefined],
    [{ start_time: START, end_time: START }, undefined],
    [{ start_time: START, end_time: '2026-10-31T23:59:59.999Z' }, 'end_time'],
    [{ variant_id: 'a' }, undefined],
    [{ variant_name: 'a' }, undefined],
    [{ variant_id: 'a', variant_name: 'a' }, 'variant_id'],
  ])('in a query of conversations are in conflict: %j at %s', (query, field) => {
    expect(conversations(query)).toBe(field)
  })

  it.each<[object, string | undefined]>([
    [RANGE, undefined],
    [{ start_time: START, end_time: START }, undefined],
    [{ start_time: START, end_time: '2026-10-31T23:59:59.999Z' }, 'end_time'],
    [{ start_time: START, end_time: '2026-11-08T00:00:00Z' }, undefined],
    [{ start_time: START, end_time: '2026-11-08T00:00:00.001Z' }, 'start_time'],
    [{ ...RANGE, variant_id: 'a' }, undefined],
    [{ ...RANGE, variant_name: 'a' }, undefined],
    [{ ...RANGE, variant_id: 'a', variant_name: 'a' }, 'variant_id'],
  ])('in a query of concurrency are in conflict: %j at %s', (query, field) => {
    expect(concurrency(query)).toBe(field)
  })

  it('are one of two identifiers of a handoff, and the sender of RCS', () => {
    const isGood = (query: object) => handoffConflict(query) === undefined
    expect([{}, { id: 'a' }, { shared_id: 'a' }, { id: 'a', shared_id: 'b' }].map(isGood)).toEqual([
      ...[false, true],
      ...[true, true],
    ])
    const isSent = (user_number: string, messaging_service_sid?: string) =>
      smsConflict({ user_number, messaging_service_sid, agent_number: number }) === undefined
    expect([
      ...[isSent(number), isSent(number, 'MG1')],
      ...[isSent(`rcs:${number}`), isSent(`rcs:${number}`, 'MG1')],
    ]).toEqual([true, false, false, true])
  })
})

describe('the query of an address', () => {
  it('comes back as it was written', () => {
    const values = {
      ...{ query: 'a b+c&d', channel: ['sms', 'rcs'], limit: 2, offset: 3 },
      ...{ in_progress: false, include_latency: true, client_env: 'live' as const },
    }
    const written = writeQuery({ ...values, cursor: undefined })
    expect(readQuery(ConversationsQuery, new URLSearchParams(written))).toEqual({ values })
  })

  it.each([
    ['limit=1&limit=2', 'limit was given more than once'],
    ['channel=sms&channel=rcs%00', 'channel must be text without NUL'],
    ['variant_id=a&query=a%00', 'query must be text without NUL'],
    ['limit=1&offset=1e3', 'offset: Invalid type'],
  ])('is refused where it is %s', (query, error) => {
    expect(readQuery(ConversationsQuery, new URLSearchParams(query))).toEqual({
      error: expect.stringContaining(error),
    })
  })
})

it.each([
  ['/v3/a/p/conversations', ['data', 'error', 'error_code', 'error_id', 'error_message', 'success']],
  ['/v1/outbound-sms', ['detail']],
  ['/v1/outbound-calling', ['code', 'error']],
  ['/v1/outbound-calling/OUT-1/status', ['code', 'error']],
  ['/v1/a/p/conversations/concurrency', ['error_message']],
  ['/v1/a/p/handoff_state', ['error_message']],
  ['/v1/outbound-smsx', ['error']],
  ['/api/v1/sessions', ['error']],
])('a problem at %s has the fields %j', (path, fields) => {
  const body = problemFormatAt(path)({ code: 'CODE', text: 'Text' }, 'correlation')
  expect(Object.keys(body).sort()).toEqual(fields)
})

it('a correlation id has at most 128 signs', () => {
  expect([long(128), long(129), '', undefined].map(correlationOf)).toEqual([
    long(128),
    ...Array(3).fill(undefined),
  ])
})

it('an address has a form only with as many parts, of which none is empty', () => {
  const form = '/foyer/{connector}/config'
  expect(
    ['/foyer/shop/config', '/foyer//config', '/foyer/config', '/foyer/shop/config/', '/foyer/shop/frame'].map(
      (path) => hasForm(form, path),
    ),
  ).toEqual([true, false, false, false, false])
})
