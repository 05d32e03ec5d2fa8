// Translates agent events into wire events, changes of the session and entries of the log.

import { cancelConfirm, endSession, type LockedSession } from '../sessions/index.ts'
import type { AgentEvent, HandoffDetails } from './agent.ts'
import { type AgentSpeaker, storeConfirm } from './complete-message.ts'
import type { HandedOffEvent } from './handed-off.ts'

/** Agent events that become stored wire events. The others are text, log events, and events that are sent and not stored. */
export type StoredAgentEvent = Extract<
  AgentEvent,
  {
    type: 'confirm' | 'language' | 'system' | 'handoff' | 'handoff-client' | 'end'
  }
>

/** Agent events that only write to the log. */
export type LogEvent = Extract<AgentEvent, { type: 'understood' | 'metric' | 'remember' }>

export const isLogEvent = (event: AgentEvent): event is LogEvent =>
  event.type === 'understood' || event.type === 'metric' || event.type === 'remember'

export function storeLogEvent(locked: LockedSession, event: LogEvent, inputSequence: number): void {
  if (event.type === 'understood') return locked.log.understand(event, inputSequence)
  if (event.type === 'metric') return locked.log.metric(event.name, event.value)
  return locked.log.state(event.memory)
}

export async function storeAgentEvent(
  locked: LockedSession,
  event: StoredAgentEvent,
  speaker: AgentSpeaker,
  handedOff: HandedOffEvent,
): Promise<void> {
  switch (event.type) {
    case 'confirm':
      return storeConfirm(locked, event, speaker)
    case 'language':
      locked.append({ type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: event.code } })
      return locked.log.language(event.code)
    case 'system': {
      const level = `SYSTEM_MESSAGE_LEVEL_${event.level.toUpperCase()}`
      locked.append({ type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { level, message: event.message } })
      return
    }
    case 'handoff': {
      if (!locked.move('handed-off')) return
      cancelConfirm(locked)
      locked.append({ type: 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF', payload: {} })
      locked.append({ type: 'EVENT_TYPE_POLY_AGENT_LEFT', payload: {} })
      const payload = event.queueName ? { queue_name: event.queueName } : {}
      locked.append({ type: 'EVENT_TYPE_HANDOFF_ACCEPTED', payload })
      return handOff(locked, event, handedOff, true)
    }
    case 'handoff-client':
      locked.append({ type: 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF', payload: {} })
      locked.append({
        type: 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED',
        payload: present({ reason: event.reason, queue_name: event.queueName, route: event.route }),
      })
      locked.append({ type: 'EVENT_TYPE_POLY_AGENT_LEFT', payload: {} })
      return handOff(locked, { ...event, ...(event.route && { destination: event.route }) }, handedOff, false)
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
