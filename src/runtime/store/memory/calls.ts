import type { CallRow, Calls } from '../calls.ts'
import { compare, json, RuleBroken, type Tables } from './tables.ts'

const MOST_AT_ONCE = 200

export function createMemoryCalls({ calls, conversations, processes, projects }: Tables): Calls {
  const oldestFirst = (a: CallRow, b: CallRow) => compare([a.created_at, b.created_at], [a.sid, b.sid])
  const queued = () => [...calls.values()].filter(({ status }) => status === 'queued').sort(oldestFirst)
  const change = (call: CallRow, changes: Partial<CallRow>) => calls.set(call.sid, { ...call, ...changes })

  return {
    async create({ sid, account_id, project_id, connector_id, environment, ...rest }) {
      if (calls.has(sid)) throw new RuleBroken('unique', `the call ${sid}`)
      const { to_number, from_number, metadata, encryption, created_at } = rest
      calls.set(sid, {
        ...{ sid, account_id, project_id, connector_id, environment, to_number, from_number, encryption },
        metadata: json(metadata),
        created_at: new Date(created_at),
        conversation_id: null,
        status: 'queued',
        reason: '',
        ended_at: null,
        owner: null,
      })
    },
    find: async (sid) => structuredClone(calls.get(sid)),

    async take(owner, atOnce) {
      const busy = new Map<string, number>()
      for (const { account_id, status } of calls.values())
        if (status === 'calling') busy.set(account_id, (busy.get(account_id) ?? 0) + 1)
      const lines = (call: CallRow) => projects.get(call.project_id)?.settings.callsAtOnce ?? atOnce
      const next = queued().find((call) => (busy.get(call.account_id) ?? 0) < lines(call))
      if (!next) return undefined
      change(next, { status: 'calling', owner })
      return structuredClone(calls.get(next.sid))
    },
    async attach(sid, conversationId) {
      const call = calls.get(sid)
      if (!call) return
      if (!conversations.has(conversationId))
        throw new RuleBroken('missing', `the conversation ${conversationId}`)
      change(call, { conversation_id: conversationId })
    },
    async finish(sid, status, reason, now) {
      const call = calls.get(sid)
      const may = call?.status === 'calling' || (call?.status === 'queued' && status === 'failure')
      if (!call || !may) return false
      change(call, { status, reason, ended_at: new Date(now), owner: null })
      return true
    },
    async queuedBefore(time) {
      const waiting = queued().filter(({ created_at }) => created_at <= time)
      return waiting.slice(0, MOST_AT_ONCE).map(({ sid }) => sid)
    },
    async abandoned(own) {
      const lost = ({ sid, owner }: CallRow) =>
        owner !== null && (!processes.has(owner) || (owner === own?.owner && !own.placed.includes(sid)))
      const rows = [...calls.values()].filter((call) => call.status === 'calling' && lost(call))
      return structuredClone(rows.slice(0, MOST_AT_ONCE))
    },
    async unattended(time) {
      const attended = new Set(
        [...calls.values()].filter(({ status }) => status === 'calling').map((call) => call.conversation_id),
      )
      return [...conversations.values()]
        .map(({ session }) => session)
        .filter(({ state, channel }) => state === 'active' && channel === 'VOICE-SIP')
        .filter(({ id, created_at }) => created_at <= time && !attended.has(id))
        .sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
        .slice(0, MOST_AT_ONCE)
        .map(({ id }) => id)
    },
    async forgetEndedBefore(time) {
      for (const { sid, ended_at } of calls.values())
        if (ended_at !== null && ended_at < time) calls.delete(sid)
    },
  }
}
