// Answers GET /v3/…/handoff_state: what the agent stored when it handed a conversation off.

import { HandoffQuery, type HandoffState, handoffConflict, handoffRoute, readQuery } from '../../api/index.ts'
import { authoriseProject } from '../accounts/index.ts'
import { messageRefusal } from '../conversations/index.ts'
import type { Queries } from '../database/index.ts'
import { type NounRoutes, pathPart, refuse, routed } from '../http/index.ts'
import { findHandoff } from './store.ts'

export const handoffRoutes = ({ db, region }: { db: Queries; region: string }): NounRoutes => ({
  endpoints: [{ route: handoffRoute, refusal: messageRefusal, failure: 'Failed to get the handoff state' }],
  install(app) {
    app.get(routed(handoffRoute), async (c) => {
      const project = await authoriseProject(db, {
        secret: c.req.header('x-api-key'),
        account: pathPart(c, 'account_id'),
        project: pathPart(c, 'project_id'),
        region,
        permissions: ['handoff'],
      })
      const parsedQuery = readQuery(HandoffQuery, new URL(c.req.url).searchParams)
      if ('error' in parsedQuery) refuse(400, 'BAD_REQUEST', parsedQuery.error)
      const { id, shared_id } = parsedQuery.values
      const conflict = handoffConflict(parsedQuery.values)
      if (conflict) refuse(400, 'BAD_REQUEST', conflict)
      const by = shared_id === undefined ? { id: id ?? '' } : { sharedId: shared_id }
      const handoff = await findHandoff(db, project.id, by)
      if (!handoff) refuse(404, 'NOT_FOUND', 'No handoff has this identifier')
      const handoffState: HandoffState = {
        id: handoff.conversation_id,
        ...(handoff.shared_id !== null && { shared_id: handoff.shared_id }),
        data: handoff.data,
      }
      return c.json(handoffState)
    })
  },
})
