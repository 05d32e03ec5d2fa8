// Keeps an answer that was cut: stores its text as one whole message in place of its last chunk, and in the log.

import { AGENT_FAILED } from '../../protocol/index.ts'
import {
  chunksOf,
  deleteChunks,
  hasAnswerAfter,
  isActive,
  type LockedSession,
  messagePayload,
  type NewEvent,
  recordMessage,
  textMessage,
} from '../sessions/index.ts'

export type CutMessage = {
  /** Default: the message whose chunks are stored. */
  messageId?: string
  inputSequence: number
  /** Fields of the payload that name the agent. */
  identity?: Record<string, unknown>
}

/** Replaces the stored chunks of a message that was cut by one whole message; nothing is sent. */
export async function keepCutMessage(
  locked: LockedSession,
  { messageId, inputSequence, identity = {} }: CutMessage,
): Promise<void> {
  const { tx, session } = locked
  const chunks = await chunksOf(tx, session.id, { inputSequence, messageId })
  const [first, last] = [chunks[0], chunks.at(-1)]
  const id = first?.message_id
  if (!first || !last || !id) return
  deleteChunks(tx, session.id, { inputSequence, messageId: id })
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
  if (text !== '') locked.log.respond(text, first.created_at, { agent: true, inputSequence })
}

/** `messageId`: the answer to stop; undefined: the running answer. */
export type StopAnswer = {
  messageId: string | undefined
  inputSequence: number
  identity: Record<string, unknown>
}

/**
 * Ends a running turn that the user stopped, and completes its answer with the text so far. An answer without text ends as an empty
 * message, so that no client waits for it; a whole answer stays as it is. False: `messageId` is of another answer.
 */
export async function stopAnswer(
  locked: LockedSession,
  { messageId, inputSequence, identity }: StopAnswer,
): Promise<boolean> {
  const { tx, session } = locked
  const chunks = await chunksOf(tx, session.id, { inputSequence, messageId })
  const [first, last] = [chunks[0], chunks.at(-1)]
  if (messageId !== undefined && first?.message_id !== messageId) return false
  locked.touch()
  locked.change({ turn: undefined, answered: Math.max(session.answered, inputSequence) })
  if (!first && (await hasAnswerAfter(tx, session.id, inputSequence))) return true
  const id = first?.message_id ?? locked.uuid()
  const text = chunks.map((chunk) => String(chunk.payload.text ?? '')).join('')
  const whole: NewEvent = {
    type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
    payload: messagePayload(textMessage(id, text), { ...identity, stopped: true }),
    messageId: id,
    firstSequence: first && (first.first_sequence ?? first.sequence),
  }
  if (!last) locked.append(whole)
  else {
    deleteChunks(tx, session.id, { inputSequence, messageId: id })
    const endPayload = { text: '', is_complete: true, stopped: true }
    const payload = { ...last.payload, ...endPayload, chunk_index: Number(last.payload.chunk_index) + 1 }
    locked.append(whole, { type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK', payload, messageId: id })
  }
  await recordMessage(locked, textMessage(id, text), { agent: true, inputSequence }, first?.created_at)
  return true
}

/**
 * Gives a lost turn back: keeps the partial answer and tells the user that it is incomplete. A turn that showed nothing
 * is answered again.
 */
export async function recoverTurn(locked: LockedSession, inputSequence: number): Promise<void> {
  const { session } = locked
  const answerShown = session.turn?.shown ?? false
  await keepCutMessage(locked, { inputSequence })
  if (answerShown && isActive(session)) storeApology(locked)
  locked.change({
    turn: undefined,
    answered: answerShown ? Math.max(session.answered, inputSequence) : session.answered,
  })
}

/** Tells the user that the answer is incomplete. */
export function storeApology(locked: LockedSession): void {
  const level = 'SYSTEM_MESSAGE_LEVEL_ERROR'
  locked.append({ type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { level, message: AGENT_FAILED } })
}
