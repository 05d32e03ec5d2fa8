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
      const read = readQuery(HandoffQuery, new URL(c.req.url).searchParams)
      if ('error' in read) refuse(400, 'BAD_REQUEST', read.error)
      const { id, shared_id } = read.values
      const conflict = handoffConflict(read.values)
      if (conflict) refuse(400, 'BAD_REQUEST', conflict)
      const by = shared_id === undefined ? { id: id ?? '' } : { sharedId: shared_id }
      const found = await findHandoff(db, project.id, by)
      if (!found) refuse(404, 'NOT_FOUND', 'No handoff has this identifier')
      const answer: HandoffState = {
        id: found.conversation_id,
        ...(found.shared_id !== null && { shared_id: found.shared_id }),
        data: found.data,
      }
      return c.json(answer)
    })
  },
})
