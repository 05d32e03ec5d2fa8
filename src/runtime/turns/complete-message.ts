// Completes a message of the agent: stores it whole, with its attachments, suggestions and buttons.

import {
  cancelConfirm,
  deleteChunks,
  endSession,
  type LockedSession,
  messagePayload,
  type NewEvent,
  type OutgoingMessage,
  openConfirm,
  recordMessage,
  storeOutgoingMessage,
  textMessage,
} from '../sessions/index.ts'
import type { AgentEvent } from './agent.ts'
import type { OpenMessage } from './open-message.ts'

/** The parts of a message beside its text. */
export type Finish = Omit<Extract<AgentEvent, { type: 'finish' }>, 'type'>

export const hasParts = (finish: Finish): boolean =>
  Object.values(finish).some((value) => value !== undefined && value !== false)

/**
 * The speaker: the payload fields that name the agent, and the sequence of the input that it answers. `disclosure`: a sentence before its
 * words, on a phone, whose messages have no chunks.
 */
export type AgentSpeaker = {
  identity: Record<string, unknown>
  inputSequence: number
  disclosure?: string | undefined
}

const MESSAGE = 'EVENT_TYPE_POLY_AGENT_MESSAGE' as const

export async function completeMessage(
  locked: LockedSession,
  message: OpenMessage,
  finish: Finish,
  { identity, inputSequence, disclosure }: AgentSpeaker,
): Promise<void> {
  message.close()
  const outgoing: OutgoingMessage = {
    id: message.id,
    text: withDisclosure(disclosure, message.text),
    attachments: finish.attachments ?? [],
    suggestions: finish.suggestions ?? [],
    callActions: finish.callActions ?? [],
  }
  const by = { agent: true, inputSequence } as const
  const hasButtons = outgoing.callActions.length > 0
  const { isStored, chunks, last } = message.end({
    attachments: outgoing.attachments,
    response_suggestions: hasButtons ? [] : outgoing.suggestions,
  })
  if (last) {
    const [first] = chunks.map((chunk) => locked.sendOnly(chunk).sequence)
    if (isStored) deleteChunks(locked.tx, locked.session.id, { inputSequence, messageId: message.id })
    completeChunks(locked, outgoing, { identity, last, firstSequence: message.firstSequence ?? first })
    await recordMessage(locked, outgoing, by, message.since)
  } else {
    const ending = finish.endConversation ? { end_conversation: true } : {}
    const payload = messagePayload(outgoing, { ...identity, ...ending })
    await storeOutgoingMessage(locked, outgoing, { type: MESSAGE, payload, messageId: message.id }, by)
  }
  if (finish.endConversation) await endSession(locked, 'REASON_NATURAL_END')
}

const withDisclosure = (sentence: string | undefined, text: string): string =>
  [sentence, text].filter(Boolean).join('\n')

type Confirm = Extract<AgentEvent, { type: 'confirm' }>

/** Asks the user to decide: a message with the choices as suggestions, so that every client can answer it by their words. */
export async function storeConfirm(
  locked: LockedSession,
  { id: name, title, summary, confirm, cancel }: Confirm,
  { identity, inputSequence, disclosure }: AgentSpeaker,
): Promise<void> {
  cancelConfirm(locked)
  const id = locked.uuid()
  const text = [title, summary].filter((each) => each !== '').join('\n\n')
  const outgoing: OutgoingMessage = {
    ...textMessage(id, withDisclosure(disclosure, text)),
    suggestions: [{ message_text: confirm }, { message_text: cancel }],
  }
  const payload = messagePayload(outgoing, { ...identity, confirm: { id, title, summary, confirm, cancel } })
  await storeOutgoingMessage(
    locked,
    outgoing,
    { type: MESSAGE, payload, messageId: id },
    { agent: true, inputSequence },
  )
  openConfirm(locked, { id, name, confirm, cancel })
}

/**
 * Sends the last chunk, and stores the whole message in its place. Some clients would show a message twice that arrives
 * both in chunks and whole. So phone buttons, for which chunks have no field, follow in a message of their own, with
 * the suggestions; the end follows as an event.
 */
function completeChunks(
  locked: LockedSession,
  outgoing: OutgoingMessage,
  {
    identity,
    last,
    firstSequence,
  }: { identity: Record<string, unknown>; last: NewEvent; firstSequence: number | undefined },
): void {
  const hasButtons = outgoing.callActions.length > 0
  const whole = hasButtons ? { ...outgoing, suggestions: [], callActions: [] } : outgoing
  const payload = messagePayload(whole, identity)
  locked.append({ type: MESSAGE, payload, messageId: outgoing.id, firstSequence }, last)
  if (!hasButtons) return
  const buttons = { ...outgoing, id: locked.uuid(), text: '', attachments: [] }
  locked.append({ type: MESSAGE, payload: messagePayload(buttons, identity), messageId: buttons.id })
}
