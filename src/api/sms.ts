// Describes part 2 of the API: sends an SMS or RCS message that opens a conversation.

import * as v from 'valibot'
import type { Route } from './route.ts'
import { E164 } from './values.ts'

/** Ten SMS segments of 160 characters. */
export const LONGEST_TEXT = 1_600

export const OutboundSms = v.object({
  /** Plain text. If omitted, the agent sends its greeting. */
  message: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(LONGEST_TEXT))),
  /** E.164; `rcs:` before it sends over RCS. */
  user_number: v.pipe(
    v.string(),
    v.check(
      (number) => E164.test(number.replace(/^rcs:/, '')),
      'must be a number in E.164 format such as +15005550006',
    ),
  ),
  /** One of the project's sender numbers; if omitted, the service picks one. */
  agent_number: v.optional(
    v.pipe(v.string(), v.regex(E164, 'must be a number in E.164 format such as +15005550006')),
  ),
  /** The RCS sender; required with `rcs:`. */
  messaging_service_sid: v.optional(
    v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 visible characters')),
  ),
})
export type OutboundSms = v.InferOutput<typeof OutboundSms>

/** The conflict between fields of a message, in a sentence; undefined if there is none. */
export function smsConflict(message: OutboundSms): string | undefined {
  const isRcs = message.user_number.startsWith('rcs:')
  if (isRcs && message.messaging_service_sid === undefined)
    return 'messaging_service_sid is missing: RCS needs its sender'
  if (!isRcs && message.messaging_service_sid !== undefined)
    return 'messaging_service_sid is for RCS: write rcs: before user_number, or omit messaging_service_sid'
  return undefined
}

/** The error body of texts. */
export const SmsError = v.object({
  /** What is wrong, for people. */
  detail: v.string(),
})

/**
 * Each accepted request sends one text: there is no idempotency key, so repeat a request only after a 429. A user who wrote STOP gets nothing, and
 * the answer is 202 all the same.
 */
export const smsRoute: Route = {
  name: 'sms.send',
  method: 'post',
  path: '/v1/outbound-sms',
  summary: 'Send an SMS or RCS message and open a conversation',
  credential: { name: 'messagingKey', is: 'An API key with the permission messaging' },
  headers: { 'X-TOKEN-ID': 'The connector ID of the project' },
  body: { schema: OutboundSms, required: true },
  responses: {
    202: { when: 'The message will be sent' },
    400: { when: 'The body is invalid, or agent_number is not a sender of the project', schema: SmsError },
    401: { when: 'The key is missing or unknown', schema: SmsError },
    403: { when: 'The key is for another account or region, or lacks the permission', schema: SmsError },
    404: { when: 'The connector, the RCS sender or a sender number does not exist', schema: SmsError },
    405: { when: 'Only POST is allowed here', schema: SmsError },
    413: { when: 'The body is too large', schema: SmsError },
    429: {
      when: 'Too many messages of the project; Retry-After says how many seconds to wait',
      schema: SmsError,
    },
    500: { when: 'Unexpected server error, or no carrier is configured', schema: SmsError },
  },
}
