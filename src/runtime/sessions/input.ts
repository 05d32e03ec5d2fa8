// Stores the actions of a user in a session: joins and messages start turns, the other actions change the session.

import { type ClientEvent, type Custom, idOf } from '../../protocol/index.ts'
import { type Decided, decideByWords, storeDecision } from './decision.ts'
import { endSession } from './end.ts'
import type { WireEvent } from './hub.ts'
import type { LockedSession } from './locked-session.ts'
import { isRating, receiveRating } from './rating.ts'
import type { Sessions } from './sessions.ts'
import { findDecision, type SaidMessage } from './state/event-store.ts'
import { isActive } from './state/session.ts'
import { type TransientEvents, wireEvent } from './wire-event.ts'

/** A message of the user. */
export type UserMessage = {
  text: string
  custom?: Custom | undefined
  /** The sender's id of the message. */
  clientId?: string | undefined
  /** In a call: the spoken words only, since `text` may be keyed digits. */
  spoken?: string | undefined
  dtmf?: string | undefined
  silence?: boolean | undefined
  /** The user pressed this choice, whose words are the text. */
  decided?: Decided | undefined
}

/** Stores a message of the user, and begins its turn in the log. `before`: the messages of the session, if known. */
export async function storeUserMessage(
  locked: LockedSession,
  message: UserMessage,
  before?: readonly SaidMessage[],
): Promise<void> {
  const { text, custom, clientId, spoken, dtmf, silence } = message
  const waiting = isWaiting(locked)
  locked.touch()
  if (locked.session.family === 'messaging') locked.change({ engaged: true })
  const decision = message.decided ?? (silence ? undefined : decideByWords(locked, text))
  const messageId = locked.uuid()
  const input = locked.append({
    type: 'EVENT_TYPE_USER_MESSAGE',
    payload: { text, message_id: messageId, ...(decision && { decision }) },
    custom,
    clientId,
    messageId,
  })
  locked.log.beginTurn({
    inputSequence: input.sequence,
    input: spoken ?? String(input.payload.text ?? ''),
    at: locked.now,
    ...(dtmf !== undefined && { dtmf }),
    ...(silence && { silence }),
  })
  await locked.events.inputStored.publish({ locked, input, waiting, before })
}

type DecisionEvent = Extract<ClientEvent, { type: 'EVENT_TYPE_USER_DECISION' }>

/** Stores the first decision about a question, as a message with the words of the choice. Later ones get the first as their echo. */
async function receiveDecision(
  locked: LockedSession,
  transient: TransientEvents,
  event: DecisionEvent,
): Promise<WireEvent[]> {
  const { session, redact, tx } = locked
  const { decision } = event.payload
  const custom = event.metadata?.custom
  const confirmId = redact.id(event.payload.confirm_id)
  const { confirm: question } = session
  if (question?.id !== confirmId) {
    const first = await findDecision(tx, session.id, confirmId)
    return [
      first
        ? wireEvent(first)
        : transient.error('Invalid decision: the session has no such question', custom),
    ]
  }
  const decided = storeDecision(locked, question, decision, custom)
  await storeUserMessage(locked, { text: question[decision], custom, decided })
  return []
}

/** Stores that the user joined: the agent greets. */
export async function storeJoin(locked: LockedSession, custom?: Custom): Promise<void> {
  const waiting = isWaiting(locked)
  locked.touch()
  locked.change({ joined: true })
  const input = locked.append({ type: 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', payload: {}, custom })
  await locked.events.inputStored.publish({ locked, input, waiting })
}

/** True while earlier inputs wait for their answer. */
const isWaiting = ({ session }: LockedSession): boolean => session.lastInput > session.answered

/** Handles an event from a chat client. Returns the answers for the sender alone; all others go through the hub. */
export async function receiveClientEvent(
  sessions: Sessions,
  transient: TransientEvents,
  sessionId: string,
  event: ClientEvent,
): Promise<WireEvent[]> {
  const custom = event.metadata?.custom
  if (event.type === 'EVENT_TYPE_HEARTBEAT') return [transient.event(event.type, {}, custom)]
  const ended = () => [transient.error('Error: The session has ended', custom)]
  const missing = [transient.error('Error: Session not found', custom)]
  if (event.type === 'EVENT_TYPE_USER_MESSAGE') {
    const clientId = idOf(custom)
    const { text } = event.payload
    const answers = await sessions.commitMessage(sessionId, clientId, async (locked, { known, messages }) => {
      if (!isActive(locked.session)) return ended()
      if (known) return [wireEvent(known)]
      await storeUserMessage(locked, { text, custom, clientId }, messages)
      return []
    })
    return answers ?? missing
  }
  const answers = await sessions.commit(sessionId, 'take an event', async (locked): Promise<WireEvent[]> => {
    if (isRating(event)) return receiveRating(locked, transient, event)
    if (event.type === 'EVENT_TYPE_USER_DECISION') return receiveDecision(locked, transient, event)
    if (!isActive(locked.session)) return ended()
    switch (event.type) {
      case 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN':
        if (locked.session.joined) return [transient.event(event.type, {}, custom)]
        await storeJoin(locked, custom)
        return []
      case 'EVENT_TYPE_USER_TYPING':
        locked.touch()
        await locked.events.userTyped.publish({
          locked,
          typing: event.payload.state === 'TYPING_STATE_STARTED',
        })
        return []
      case 'EVENT_TYPE_USER_STOP_ANSWER': {
        const { message_id } = event.payload
        const messageId = message_id === undefined ? undefined : locked.redact.id(message_id)
        await locked.events.stopAsked.publish({ locked, messageId })
        return []
      }
      case 'EVENT_TYPE_USER_LEAVE_QUEUE':
        await locked.events.queueLeft.publish({ locked })
        return []
      case 'EVENT_TYPE_USER_END_SESSION':
        await endSession(locked, 'REASON_USER_END', [{ type: event.type, payload: {}, custom }])
        return []
    }
  })
  return answers ?? missing
}
