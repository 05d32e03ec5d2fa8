// Writes errors: each family of endpoints has a body of its own, which the path of a request tells. Code
// that answers in place of an endpoint uses it too.

import * as v from 'valibot'
import { correlationHeaderOf, correlationOf } from './correlation.ts'

/** The error body of the chat family. */
export const ChatError = v.object({
  /** What is wrong, for people. */
  error: v.string(),
})
export type ChatError = v.InferOutput<typeof ChatError>

/** `code`: UPPER_SNAKE_CASE. `text`: for people. */
export type Problem = { code: string; text: string }
/** Formats a problem as one family of endpoints answers it. */
export type ProblemFormat = (problem: Problem, correlation: string) => object

const FAMILIES: readonly [RegExp, ProblemFormat][] = [
  [
    /^\/v3\//,
    ({ code, text }, correlation) => ({
      success: false,
      error: text,
      error_id: correlation,
      error_code: code,
      error_message: text,
      data: null,
    }),
  ],
  [/^\/v1\/outbound-sms(\/|$)/, ({ text }) => ({ detail: text })],
  [/^\/v1\/outbound-calling(\/|$)/, ({ code, text }) => ({ error: text, code })],
  [
    /^\/v1\/[^/]+\/[^/]+\/(conversations\/concurrency|handoff_state)$/,
    ({ text }) => ({ error_message: text }),
  ],
]

const chatFormat: ProblemFormat = ({ code, text }) => ({
  error: code === 'BODY_PARSE_ERROR' ? 'Error parsing request' : text,
})

/** The format of a path's family. A path of none, or an empty one, has the format of chats. */
export const problemFormatAt = (path: string): ProblemFormat =>
  FAMILIES.find(([paths]) => paths.test(path))?.[1] ?? chatFormat

/** What is known of a request that no endpoint answers. `correlation`: its own, if it gave one. */
export type RefusedRequest = { path: string; correlation: string | undefined; headerPrefix: string }

/** Headers and body of the answer to a request that no endpoint answers. `wait`: seconds, for Retry-After. */
export function refusal(
  problem: Problem & { wait?: number },
  { path, correlation: given, headerPrefix }: RefusedRequest,
): { headers: Record<string, string>; body: string } {
  const correlation = correlationOf(given) ?? crypto.randomUUID()
  const body = JSON.stringify(problemFormatAt(path)(problem, correlation))
  return {
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(new TextEncoder().encode(body).length),
      ...(problem.wait !== undefined && { 'Retry-After': String(problem.wait) }),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      [correlationHeaderOf(headerPrefix)]: correlation,
    },
    body,
  }
}
