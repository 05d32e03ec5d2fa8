import type { SessionRow } from '../sessions.ts'
import type { DeliveryWriter, Texts } from '../texts.ts'
import { compare, type Draft, json, RuleBroken, type Tables, type WaitingDelivery } from './tables.ts'

export const createMemoryDeliveryWriter = (tables: Tables, draft: Draft): DeliveryWriter => ({
  async send(id, message, now) {
    if (tables.deliveries.has(id) || draft.sent.some((one) => one.id === id))
      throw new RuleBroken('unique', `the delivery ${id}`)
    const session_id = draft.record.id
    const waiting = {
      id,
      session_id,
      message: json(message),
      due_at: new Date(now),
      created_at: new Date(now),
      attempts: 0,
      owner: null,
    }
    draft.sent = [...draft.sent, waiting]
  },
})

export const isText = ({ channel }: SessionRow): boolean => channel === 'SMS' || channel === 'RCS'

export const openTexts = (tables: Tables, userNumber: string, agentNumber: string): SessionRow[] =>
  [...tables.conversations.values()]
    .map(({ session }) => session)
    .filter(
      (session) =>
        session.user_number === userNumber &&
        session.agent_number === agentNumber &&
        session.state === 'active' &&
        isText(session),
    )

export function createMemoryTexts(tables: Tables): Texts {
  const { consents, deliveries, processes } = tables
  const pairOf = (userNumber: string, agentNumber: string) => JSON.stringify([userNumber, agentNumber])

  return {
    async openSession(userNumber, agentNumber) {
      return openTexts(tables, userNumber, agentNumber)[0]?.id
    },

    async isOptedOut(userNumber, agentNumber) {
      return consents.get(pairOf(userNumber, agentNumber))?.optedOut ?? false
    },
    async setOptedOut(userNumber, agentNumber, optedOut) {
      consents.set(pairOf(userNumber, agentNumber), { userNumber, optedOut })
    },

    async take(owner, now, held) {
      const free = (one: WaitingDelivery) =>
        one.owner === null || !processes.has(one.owner) || (one.owner === owner && !held.includes(one.id))
      const begun = new Set<string>()
      const due = [...deliveries.values()].filter((one) => {
        const first = !begun.has(one.session_id)
        begun.add(one.session_id)
        return first && one.due_at <= now && free(one)
      })
      // Those due at one time stay in the order in which they were sent.
      const next = due.sort((a, b) => compare([a.due_at, b.due_at]))[0]
      if (!next) return undefined
      deliveries.set(next.id, { ...next, owner })
      const { id, session_id, message, attempts, created_at } = next
      return structuredClone({ id, session_id, message, attempts, created_at })
    },
    async taken(id) {
      deliveries.delete(id)
    },
    async again(id, due) {
      const one = deliveries.get(id)
      if (!one) return
      deliveries.set(id, { ...one, owner: null, attempts: one.attempts + 1, due_at: new Date(due) })
    },
  }
}
