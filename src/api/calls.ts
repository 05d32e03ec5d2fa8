// Describes parts 6 and 7 of the API: starting an outbound call, and its status.

import * as v from 'valibot'
import type { Route } from './route.ts'

const ENCRYPTIONS = ['TLS/SRTP', 'TLS/RTP', 'UDP/SRTP', 'UDP/RTP'] as const
const CALL_STATUSES = ['queued', 'calling', 'success', 'failure'] as const
type CallStatusName = (typeof CALL_STATUSES)[number]

/** Bytes of the metadata in base64. */
const LARGEST_METADATA = 26 * 1024

const isNotList = (value: unknown) => !Array.isArray(value)
const base64Length = (value: unknown) =>
  4 * Math.ceil(new TextEncoder().encode(JSON.stringify(value)).length / 3)

export const OutboundCall = v.object({
  /** The number to call: E.164, or a national number with `country_code`. */
  to_number: v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(40)),
  /** ISO 3166-1 alpha-2. */
  country_code: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z]{2}$/, 'must be two letters such as GB'))),
  /** Metadata for the agent. */
  metadata: v.optional(
    v.pipe(
      // A record schema alone would accept a list.
      v.custom<Record<string, string>>(isNotList, 'must be an object'),
      v.record(v.string(), v.string('every value must be a string')),
      v.check((value) => base64Length(value) < LARGEST_METADATA, 'must be smaller than 26 KB in base64'),
    ),
  ),
  /** Encryption of signalling and sound. */
  encryption: v.optional(v.picklist(ENCRYPTIONS), 'TLS/SRTP'),
})
export type OutboundCall = v.InferOutput<typeof OutboundCall>

export const CALL_SID = /^OUT-[\w-]{1,64}$/

export const CallStarted = v.object({
  /** Names the call in the request for its status. */
  call_sid: v.pipe(v.string(), v.regex(CALL_SID)),
})
export type CallStarted = v.InferOutput<typeof CallStarted>

export const CallStatus = v.object({
  /** How the call stands. */
  status: v.picklist(CALL_STATUSES),
  /** The reason for a failure; else empty. */
  reason: v.string(),
})
export type CallStatus = v.InferOutput<typeof CallStatus>

/** `success` and `failure` are final. */
export const isTerminal = (status: CallStatusName): boolean => status === 'success' || status === 'failure'

/** The error body of calls. */
export const CallError = v.object({
  /** What is wrong, for people. */
  error: v.string(),
  /** The kind of error, in UPPER_SNAKE_CASE. */
  code: v.string(),
})

const credential = { name: 'callingToken', is: 'The outbound-calling token' } as const

/** The answer comes before the phone rings: ask for the status of the call every 2 to 5 seconds. Each accepted request places one call. */
export const callRoute: Route = {
  name: 'calls.start',
  method: 'post',
  path: '/v1/outbound-calling',
  summary: 'Start an outbound call',
  credential,
  body: { schema: OutboundCall, required: true },
  responses: {
    200: { when: 'The call is queued', schema: CallStarted },
    400: { when: 'The number or the metadata is invalid', schema: CallError },
    401: { when: 'The token is missing or unknown, or its connector may not call', schema: CallError },
    403: { when: 'The token is for another region', schema: CallError },
    405: { when: 'Only POST is allowed here', schema: CallError },
    413: { when: 'The body is too large', schema: CallError },
    415: { when: 'The content type is not application/json', schema: CallError },
    429: {
      when: 'Too many calls of the account; Retry-After says how many seconds to wait',
      schema: CallError,
    },
    500: { when: 'Unexpected server error', schema: CallError },
  },
}

/** `success` and `failure` are final. */
export const callStatusRoute: Route = {
  name: 'calls.status',
  method: 'get',
  path: '/v1/outbound-calling/{call_sid}/status',
  summary: 'Get the status of an outbound call',
  credential,
  responses: {
    200: { when: 'The status', schema: CallStatus },
    400: { when: 'The call SID is malformed', schema: CallError },
    401: { when: 'The token is missing or unknown', schema: CallError },
    403: { when: 'The token is for another region', schema: CallError },
    404: { when: 'There is no such call, or it ended too long ago', schema: CallError },
    405: { when: 'Only GET is allowed here', schema: CallError },
    500: { when: 'Failed to retrieve the status', schema: CallError },
  },
}
