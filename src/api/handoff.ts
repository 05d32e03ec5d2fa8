// Describes part 8 of the API: the state that the agent stored when it handed a conversation off.

import * as v from 'valibot'
import { ErrorMessage } from './concurrency.ts'
import type { Route } from './route.ts'

export const HandoffState = v.object({
  /** The ID of the conversation. */
  id: v.string(),
  /** The integrator's own identifier, if one was stored. */
  shared_id: v.optional(v.string()),
  /** What the agent stored. */
  data: v.record(v.string(), v.unknown()),
})
export type HandoffState = v.InferOutput<typeof HandoffState>

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(256))

/** The query of a handoff state: at least one of the two identifiers; `shared_id` takes precedence. */
export const HandoffQuery = v.object({
  /** The ID of the conversation. */
  id: v.optional(text),
  /** The identifier that the agent stored. */
  shared_id: v.optional(text),
})
export type HandoffQuery = v.InferOutput<typeof HandoffQuery>

export function handoffConflict(query: HandoffQuery): string | undefined {
  return query.id === undefined && query.shared_id === undefined
    ? 'id and shared_id are missing: give one of them'
    : undefined
}

/** For whoever takes the conversation over. Give one of the identifiers; `shared_id` takes precedence. */
export const handoffRoute: Route = {
  name: 'handoff.get',
  method: 'get',
  path: '/v1/{account_id}/{project_id}/handoff_state',
  summary: 'The state stored at the moment of handoff',
  credential: { name: 'apiKey', is: 'An API key with the permission handoff' },
  query: HandoffQuery,
  responses: {
    200: { when: 'The handoff state', schema: HandoffState },
    400: { when: 'Neither id nor shared_id was given', schema: ErrorMessage },
    401: { when: 'The key is missing or unknown', schema: ErrorMessage },
    403: {
      when: 'The key is for another account, project or region, or lacks the permission',
      schema: ErrorMessage,
    },
    404: { when: 'There is no such project, or nothing was stored', schema: ErrorMessage },
    405: { when: 'Only GET is allowed here', schema: ErrorMessage },
    500: { when: 'Unexpected server error', schema: ErrorMessage },
  },
}
