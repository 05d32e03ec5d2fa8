// Describes part 5 of the API, which creates a chat session with an access token, and the question for a session's state.

import * as v from 'valibot'
import { PLATFORMS, SESSION_STATES } from '../protocol/index.ts'
import { ChatError } from './error.ts'
import type { Route } from './route.ts'

/** Unknown fields (`device_type` of the mobile SDKs, say) are ignored. */
export const SessionRequest = v.object({
  /** True: answers arrive as chunks. */
  streaming_enabled: v.optional(v.boolean(), false),
  /** Where the chat runs. `ios-web` and `android-web` are pages inside a native app. */
  platform: v.optional(v.picklist(PLATFORMS), 'web'),
})
export type SessionRequest = v.InferOutput<typeof SessionRequest>

export const SessionCreated = v.object({
  /** The ID of the session, for the address of the socket. */
  session_id: v.string(),
})
export type SessionCreated = v.InferOutput<typeof SessionCreated>

/** The session is bound to its access token: the WebSocket at `/ws` must present the same one. */
export const sessionRoute: Route = {
  name: 'chat.createSession',
  method: 'post',
  path: '/api/v1/sessions',
  summary: 'Create a chat session',
  credential: { name: 'accessToken', is: 'An access token' },
  body: { schema: SessionRequest, required: false },
  responses: {
    200: { when: 'The session', schema: SessionCreated },
    400: { when: 'No Authorization header, or a body that cannot be read', schema: ChatError },
    401: { when: 'The access token is malformed, expired or was tampered with', schema: ChatError },
    405: { when: 'Only POST is allowed here', schema: ChatError },
    413: { when: 'The body is too large', schema: ChatError },
    415: { when: 'The content type is not application/json', schema: ChatError },
    429: { when: 'Too many requests; Retry-After says how many seconds to wait', schema: ChatError },
    500: { when: 'Failed to create session', schema: ChatError },
  },
}

export const SessionStatus = v.object({
  /** What became of the session. */
  state: v.picklist(SESSION_STATES),
})
export type SessionStatus = v.InferOutput<typeof SessionStatus>

/** Foyer's own: other services do not have it, so it is neither in the OpenAPI document nor in the client. */
export const sessionStatusRoute: Route = {
  name: 'chat.sessionStatus',
  method: 'get',
  path: '/api/v1/sessions/{session_id}',
  summary: 'Say whether a chat session still lives',
  credential: { name: 'accessToken', is: 'The access token of the session' },
  responses: {
    200: { when: 'Its state', schema: SessionStatus },
    401: { when: 'The access token is missing, malformed, expired or was tampered with', schema: ChatError },
    405: { when: 'Only GET is allowed here', schema: ChatError },
    429: { when: 'Too many requests; Retry-After says how many seconds to wait', schema: ChatError },
    500: { when: 'Failed to read session', schema: ChatError },
  },
}
