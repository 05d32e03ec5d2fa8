import type { HandoffRow, Handoffs, HandoffWriter } from '../handoffs.ts'
import { compare, type Draft, json, type Tables } from './tables.ts'

const MOST_WAITS = 20

export const createMemoryHandoffWriter = (draft: Draft): HandoffWriter => ({
  find: async () => structuredClone(draft.handoff),
  async save({
    project_id,
    shared_id,
    data,
    queue_name,
    created_at,
    state,
    queued_at,
    taken_at,
    desk_agent,
  }) {
    draft.handoff = structuredClone({
      conversation_id: draft.record.id,
      project_id: draft.handoff?.project_id ?? project_id,
      ...{ shared_id, data: json(data), queue_name, created_at, state, queued_at, taken_at },
      desk_agent: json(desk_agent),
      told_position: null,
    })
  },
  async change(changes) {
    const given = Object.entries(changes).map(([name, value]) => [name, value ?? null])
    if (draft.handoff) draft.handoff = structuredClone({ ...draft.handoff, ...Object.fromEntries(given) })
  },
})

export function createMemoryHandoffs({ conversations }: Tables): Handoffs {
  const all = (): HandoffRow[] => [...conversations.values()].flatMap(({ handoff }) => handoff ?? [])

  return {
    async find(projectId, by) {
      const fitting = all().filter(
        (one) =>
          one.project_id === projectId &&
          ('id' in by ? one.conversation_id === by.id : one.shared_id === by.sharedId),
      )
      return structuredClone(fitting.sort((a, b) => compare([b.created_at, a.created_at]))[0])
    },
    async open() {
      const rows = all().filter(({ state }) => state === 'waiting' || state === 'taken')
      return structuredClone(
        rows.sort((a, b) => compare([a.queued_at, b.queued_at], [a.conversation_id, b.conversation_id])),
      )
    },
    async waits() {
      return all()
        .flatMap(({ queued_at, taken_at }) => (queued_at && taken_at ? [{ queued_at, taken_at }] : []))
        .sort((a, b) => compare([b.taken_at, a.taken_at]))
        .slice(0, MOST_WAITS)
        .map(({ queued_at, taken_at }) => (taken_at.getTime() - queued_at.getTime()) / 1000)
    },
  }
}
