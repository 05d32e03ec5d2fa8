// Chooses the next frame to send over an open connection, from the state alone (law L4): a frame is next until it is noted
// as sent. Reconnecting needs no code of its own.

import { type ClientEvent, customId, joinMetadata } from '../../protocol/index.ts'
import type { Event } from '../state/events.ts'
import type { State } from '../state/state.ts'
import { head, messageFrame } from './items.ts'
import { nextRequest } from './requests.ts'

export const END_FRAME: ClientEvent = { type: 'EVENT_TYPE_USER_END_SESSION', payload: {} }

/** A frame, and the event that notes it as sent. */
type NextFrame = { frame: ClientEvent; noted: Event }

/** The frame to send now, if any. */
export function nextFrame(state: State, now: number, uuid: () => string): NextFrame | undefined {
  const { session, probe, typed } = state
  const { log, endRequest, join, requests } = state.conversation
  if (session.name === 'replaying') return state.replay?.asked ? undefined : heartbeat('barrier', uuid())
  if (session.name !== 'live') return undefined
  if (endRequest) return endRequest.sent ? undefined : { frame: END_FRAME, noted: { type: 'end-sent' } }
  if (!log.joined && !join.asked && join.notBefore <= now) {
    const follows = head(state.outbox, state.sessionId) !== undefined
    return {
      frame: {
        type: 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN',
        payload: {},
        metadata: joinMetadata(uuid(), follows),
      },
      noted: { type: 'joined' },
    }
  }
  const request = nextRequest(requests)
  if (request) return request
  if (typed.want && typed.notBefore <= now)
    return {
      frame: { type: 'EVENT_TYPE_USER_TYPING', payload: { state: `TYPING_STATE_${typed.want}` } },
      noted: { type: 'typing-sent', state: typed.want },
    }
  if (probe.wanted !== undefined && !probe.asked) return heartbeat('probed', uuid())
  const item = head(state.outbox, state.sessionId)
  if (!item || state.outbox.some(({ unclaimed }) => unclaimed)) return undefined
  return { frame: messageFrame(item.id, item.text), noted: { type: 'sent', id: item.id } }
}

const heartbeat = (type: 'barrier' | 'probed', id: string): NextFrame => ({
  frame: { type: 'EVENT_TYPE_HEARTBEAT', payload: {}, metadata: customId(id) },
  noted: { type, id },
})
