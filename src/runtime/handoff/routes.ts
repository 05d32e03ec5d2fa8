// Part 8: what the agent stored at the moment of handoff.

import type { Hono } from 'hono'
import { HandoffQuery, type HandoffState, handoffConflict, handoffRoute, readQuery } from '../../api/index.ts'
import { type Env, projectFor, refuse, routed } from '../http/route.ts'
import type { Handoffs, Registry } from '../store-index.ts'

export function handoffDoor(
  app: Hono<Env>,
  options: { registry: Registry; handoffs: Handoffs; region: string },
): void {
  app.get(routed(handoffRoute), async (c) => {
    const project = await projectFor(c, options, ['handoff'])
    const read = readQuery(HandoffQuery, new URL(c.req.url).searchParams)
    if ('error' in read) refuse(400, 'BAD_REQUEST', read.error)
    const { id, shared_id } = read.values
    const conflict = handoffConflict(read.values)
    if (conflict) refuse(400, 'BAD_REQUEST', conflict)
    const by = shared_id === undefined ? { id: id ?? '' } : { sharedId: shared_id }
    const found = await options.handoffs.find(project.id, by)
    if (!found) refuse(404, 'NOT_FOUND', 'Nothing was stored under this identifier')
    const answer: HandoffState = {
      id: found.conversation_id,
      ...(found.shared_id !== null && { shared_id: found.shared_id }),
      data: found.data,
    }
    return c.json(answer)
  })
}
