// Translates the agent's acts into wire events, changes of the session and entries of the log.

import { endSession, type LockedSession } from '../sessions/index.ts'
import type { Act, HandoffDetails } from './agent.ts'
import type { HandedOffEvent } from './handed-off.ts'

/** Acts that store events. The others are text, log acts, and acts that are sent and not stored. */
export type StoredAct = Extract<
  Act,
  {
    type: 'language' | 'system' | 'handoff' | 'handoff-client' | 'end'
  }
>

/** Acts that only write to the log. */
export type LogAct = Extract<Act, { type: 'understood' | 'metric' | 'remember' }>

export const isLogAct = (act: Act): act is LogAct =>
  act.type === 'understood' || act.type === 'metric' || act.type === 'remember'

export function storeLogAct(locked: LockedSession, act: LogAct, cause: number): void {
  if (act.type === 'understood') return locked.log.understand(act, cause)
  if (act.type === 'metric') return locked.log.metric(act.name, act.value)
  return locked.log.state(act.memory)
}

export async function storeAct(
  locked: LockedSession,
  act: StoredAct,
  handedOff: HandedOffEvent,
): Promise<void> {
  switch (act.type) {
    case 'language':
      locked.append({ type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: act.code } })
      return locked.log.language(act.code)
    case 'system': {
      const level = `SYSTEM_MESSAGE_LEVEL_${act.level.toUpperCase()}`
      locked.append({ type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { level, message: act.message } })
      return
    }
    case 'handoff': {
      if (!locked.move('handed-off')) return
      locked.append({ type: 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF', payload: {} })
      locked.append({ type: 'EVENT_TYPE_POLY_AGENT_LEFT', payload: {} })
      const payload = act.queueName ? { queue_name: act.queueName } : {}
      locked.append({ type: 'EVENT_TYPE_HANDOFF_ACCEPTED', payload })
      return handOff(locked, act, handedOff, true)
    }
    case 'handoff-client':
      locked.append({ type: 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF', payload: {} })
      locked.append({
        type: 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED',
        payload: present({ reason: act.reason, queue_name: act.queueName, route: act.route }),
      })
      locked.append({ type: 'EVENT_TYPE_POLY_AGENT_LEFT', payload: {} })
      return handOff(locked, { ...act, ...(act.route && { destination: act.route }) }, handedOff, false)
    case 'end':
      return endSession(locked, 'REASON_NATURAL_END')
  }
}

async function handOff(
  locked: LockedSession,
  details: HandoffDetails,
  handedOff: HandedOffEvent,
  queued: boolean,
): Promise<void> {
  locked.log.handoff(details.reason ?? '', details.destination ?? details.queueName ?? '')
  await handedOff.publish({ locked, details, queued })
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
