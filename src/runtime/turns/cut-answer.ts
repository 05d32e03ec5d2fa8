// Keeps an answer that was cut: stores its text as one whole message in place of its last chunk, and in the log.

import {
  chunksOf,
  deleteChunks,
  isActive,
  type LockedSession,
  messagePayload,
  textMessage,
} from '../sessions/index.ts'

export const SORRY = 'Sorry, I encountered an error. Please try again.'

export type CutMessage = {
  /** Default: the message whose chunks are stored. */
  messageId?: string
  cause: number
  /** Fields of the payload that name the agent. */
  identity?: Record<string, unknown>
}

/** Replaces the stored chunks of a message that was cut by one whole message; nothing is sent. */
export async function keepCutMessage(
  locked: LockedSession,
  { messageId, cause, identity = {} }: CutMessage,
): Promise<void> {
  const { tx, session } = locked
  const chunks = await chunksOf(tx, session.id, messageId)
  const [first, last] = [chunks[0], chunks.at(-1)]
  const id = first?.message_id
  if (!first || !last || !id) return
  deleteChunks(tx, session.id, id)
  const text = chunks.map((chunk) => String(chunk.payload.text ?? '')).join('')
  locked.replace(
    { sequence: last.sequence, createdAt: last.created_at },
    {
      type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
      payload: messagePayload(textMessage(id, text), identity),
      messageId: id,
      firstSequence: first.first_sequence ?? first.sequence,
    },
  )
  if (text !== '') locked.log.respond(text, first.created_at, { agent: true, cause })
}

/**
 * Gives a lost turn back: keeps the partial answer and tells the user that it is incomplete. A turn that showed nothing
 * is answered again.
 */
export async function recoverTurn(locked: LockedSession, cause: number): Promise<void> {
  const { session } = locked
  const shown = session.turn?.shown ?? false
  await keepCutMessage(locked, { cause })
  if (shown && isActive(session)) storeApology(locked)
  locked.change({
    turn: undefined,
    mode: session.mode === 'handoff' ? 'agent' : session.mode,
    answered: shown ? Math.max(session.answered, cause) : session.answered,
  })
}

/** Tells the user that the answer is incomplete; a handoff that the agent had begun fails too. */
export function storeApology(locked: LockedSession): void {
  if (locked.session.mode === 'handoff') {
    locked.change({ mode: 'agent' })
    locked.append({ type: 'EVENT_TYPE_HANDOFF_FAILED', payload: {} })
  }
  const level = 'SYSTEM_MESSAGE_LEVEL_ERROR'
  locked.append({ type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { level, message: SORRY } })
}
