// Answers GET /v1/…/handoff_state: what the agent stored when it handed a conversation off.

import { HandoffQuery, type HandoffState, handoffConflict, handoffRoute, readQuery } from '../../api/index.ts'
import { authoriseProject } from '../accounts/index.ts'
import type { Queries } from '../database/index.ts'
import { HttpError, type NounRoutes, projectRequest, routed } from '../http/index.ts'
import { findHandoff } from './store.ts'

export const handoffRoutes = ({ db, region }: { db: Queries; region: string }): NounRoutes => ({
  endpoints: [{ route: handoffRoute, failure: 'Failed to get the handoff state' }],
  install(app) {
    app.get(routed(handoffRoute), async (c) => {
      const project = await authoriseProject(db, projectRequest(c), { region, permissions: ['handoff'] })
      const parsedQuery = readQuery(HandoffQuery, new URL(c.req.url).searchParams)
      if ('error' in parsedQuery) throw new HttpError(400, 'BAD_REQUEST', parsedQuery.error)
      const { id, shared_id } = parsedQuery.values
      const conflict = handoffConflict(parsedQuery.values)
      if (conflict) throw new HttpError(400, 'BAD_REQUEST', conflict)
      const by = shared_id === undefined ? { id: id ?? '' } : { sharedId: shared_id }
      const handoff = await findHandoff(db, project.id, by)
      if (!handoff) throw new HttpError(404, 'NOT_FOUND', 'No handoff has this identifier')
      const handoffState: HandoffState = {
        id: handoff.conversation_id,
        ...(handoff.shared_id !== null && { shared_id: handoff.shared_id }),
        data: handoff.data,
      }
      return c.json(handoffState)
    })
  },
})
