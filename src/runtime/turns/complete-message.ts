// Completes a message of the agent: stores it whole, with its attachments, suggestions and buttons.

import {
  deleteChunks,
  endSession,
  type LockedSession,
  messagePayload,
  type OutgoingMessage,
  recordMessage,
  storeOutgoingMessage,
} from '../sessions/index.ts'
import type { AgentEvent } from './agent.ts'
import type { OpenMessage } from './open-message.ts'

/** The parts of a message beside its text. */
export type Finish = Omit<Extract<AgentEvent, { type: 'finish' }>, 'type'>

export const hasParts = (finish: Finish): boolean =>
  Object.values(finish).some((value) => value !== undefined && value !== false)

/** The speaker: the payload fields that name the agent, and the sequence of the input that it answers. */
export type AgentSpeaker = { identity: Record<string, unknown>; inputSequence: number }

const MESSAGE = 'EVENT_TYPE_POLY_AGENT_MESSAGE' as const

export async function completeMessage(
  locked: LockedSession,
  message: OpenMessage,
  finish: Finish,
  { identity, inputSequence }: AgentSpeaker,
): Promise<void> {
  message.close()
  const outgoing: OutgoingMessage = {
    id: message.id,
    text: message.text,
    attachments: finish.attachments ?? [],
    suggestions: finish.suggestions ?? [],
    callActions: finish.callActions ?? [],
  }
  const by = { agent: true, inputSequence } as const
  const stored = message.isStreamed
  const chunks = message.takeChunks()
  if (stored || chunks.length > 0) {
    for (const chunk of chunks) message.firstSequence = locked.sendOnly(chunk).sequence
    if (stored) deleteChunks(locked.tx, locked.session.id, { inputSequence, messageId: message.id })
    completeChunks(locked, message, outgoing, identity)
    await recordMessage(locked, outgoing, by, message.since)
  } else {
    const ending = finish.endConversation ? { end_conversation: true } : {}
    const payload = messagePayload(outgoing, { ...identity, ...ending })
    await storeOutgoingMessage(locked, outgoing, { type: MESSAGE, payload, messageId: message.id }, by)
  }
  if (finish.endConversation) await endSession(locked, 'REASON_NATURAL_END')
}

/**
 * Sends the last chunk, and stores the whole message in its place. Some clients would show a message twice that arrives
 * both in chunks and whole. So phone buttons, for which chunks have no field, follow in a message of their own, with
 * the suggestions; the end follows as an event.
 */
function completeChunks(
  locked: LockedSession,
  message: OpenMessage,
  outgoing: OutgoingMessage,
  identity: Record<string, unknown>,
): void {
  const hasButtons = outgoing.callActions.length > 0
  const whole = hasButtons ? { ...outgoing, suggestions: [], callActions: [] } : outgoing
  const { attachments, suggestions: response_suggestions } = whole
  locked.append(
    {
      type: MESSAGE,
      payload: messagePayload(whole, identity),
      messageId: message.id,
      firstSequence: message.firstSequence,
    },
    message.lastChunk({ attachments, response_suggestions }),
  )
  if (!hasButtons) return
  const buttons = { ...outgoing, id: locked.uuid(), text: '', attachments: [] }
  locked.append({ type: MESSAGE, payload: messagePayload(buttons, identity), messageId: buttons.id })
}
