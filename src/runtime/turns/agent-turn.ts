// Describes a claimed turn to the agent: the input, the history before it, and what the agent may call.

import { addedTo } from '../../protocol/index.ts'
import { type Clock, sleep } from '../clock.ts'
import { type Database, whileUnreachable } from '../database/index.ts'
import { addUsage } from '../jobs/index.ts'
import { type Decided, messagesBefore } from '../sessions/index.ts'
import type { Served, Turn } from './agent.ts'
import { type Claim, isJoin } from './claim.ts'
import type { DeskPresence } from './handed-off.ts'

export const ENDED = 'The turn was ended'

export type AgentTurnOptions = {
  database: Database
  clock: Clock
  claim: Claim
  desk: Pick<DeskPresence, 'state'>
  /** Aborts when the answer is no longer needed. */
  signal: AbortSignal
}

export async function agentTurn({ database, clock, claim, desk, signal }: AgentTurnOptions): Promise<Turn> {
  const { session, input, before } = claim
  const { channel, language, userNumber, variant, memory } = session.conversation
  const chat = session.family === 'chat' ? session : undefined
  const messages =
    before ?? (await whileUnreachable(clock, () => messagesBefore(database, session.id, input.sequence)))
  return {
    id: input.message_id ?? input.id,
    ...servedBy(session),
    trigger: isJoin(input) ? 'join' : 'message',
    text: isJoin(input) ? '' : String(input.payload.text ?? ''),
    decision: input.payload.decision as Decided | undefined,
    sessionId: session.id,
    channel,
    language,
    userNumber,
    platform: chat?.platform,
    page: chat?.page,
    custom: addedTo(input.custom),
    attributes: session.family === 'chat' ? {} : session.attributes,
    variant,
    history: messages
      // Phone buttons are messages of their own, without text.
      .filter(({ text }) => text !== '')
      .map(({ id, type, text }) => ({ id, role: roleOf(type), text })),
    memory,
    // A desk that cannot be asked is no reason to be silent.
    desk: await desk.state(session.conversation.projectId).catch(() => undefined),
    signal,
    sleep: (ms) => sleep(clock, ms, signal, ENDED),
    addUsage(what, amount, of = 'visitor') {
      const whose = of === 'visitor' ? userNumber || session.id : connectorOf(session)
      return whileUnreachable(clock, () =>
        addUsage(database, what, whose, Math.round(amount), new Date(clock.now())),
      )
    },
  }
}

/** Whom the agent of a session answers for. */
export const servedBy = ({ connectorId, conversation }: Claim['session']): Served => ({
  accountId: conversation.accountId,
  projectId: conversation.projectId,
  connectorId,
  environment: conversation.environment,
})

/** Begins with its kind, so that no visitor has the same identifier. */
const connectorOf = ({ connectorId, conversation }: Claim['session']): string =>
  connectorId === undefined ? `project ${conversation.projectId}` : `connector ${connectorId}`

function roleOf(type: string): 'visitor' | 'agent' | 'live' {
  if (type === 'EVENT_TYPE_USER_MESSAGE') return 'visitor'
  return type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE' ? 'live' : 'agent'
}
