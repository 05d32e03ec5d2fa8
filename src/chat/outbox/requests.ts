// Keeps the visitor's requests beside messages: stop the answer, leave the queue, decide a question, rate an answer or the chat. Each is kept until
// the service has handled it, and sent over any live socket (law L4).

import {
  type ClientEvent,
  customId,
  type Decision,
  type FeedbackRating,
  MAX_COMMENT_LENGTH,
} from '../../protocol/index.ts'
import type { Requested } from '../state/events.ts'
import type { Csat } from '../state/model.ts'
import { inConversation, type Pending, type Requests, type State, streamingKey } from '../state/state.ts'

export const isStoppable = (state: State): boolean =>
  state.session.name === 'live' &&
  state.capabilities?.stop === true &&
  state.conversation.requests.stop === undefined &&
  isAnswering(state) &&
  hasWritten(state)

/** The visitor has written in this session: a greeting is nothing to stop. */
function hasWritten({ transcript }: State): boolean {
  const last = transcript.findLast(
    (entry) => entry.kind === 'divider' || (entry.kind === 'message' && entry.role === 'visitor'),
  )
  return last?.kind === 'message'
}

const isAnswering = (state: State): boolean =>
  state.typing?.role === 'agent' || streamingKey(state) !== undefined

export const isLeavable = ({ session, capabilities, conversation }: State): boolean =>
  session.name === 'live' &&
  capabilities?.leave_queue === true &&
  conversation.requests.leave === undefined &&
  conversation.handoff.state === 'pending'

/** The question that the visitor can decide, by its entry's key. */
export const openQuestion = ({ session, conversation }: State): string | undefined =>
  session.name === 'ended' || session.name === 'expired' ? undefined : conversation.question

const change = (state: State, requests: Partial<Requests>): State =>
  inConversation(state, { requests: { ...state.conversation.requests, ...requests } })

export function stop(state: State): State {
  if (!isStoppable(state)) return state
  const key = streamingKey(state)
  // Pieces without an id belong to no message that the service could name.
  const messageId = key === state.conversation.unnamed ? undefined : key
  return change(state, { stop: { messageId, sent: false } })
}

export const leave = (state: State): State =>
  isLeavable(state) ? change(state, { leave: { sent: false } }) : state

/** Adds a decision, if its question is open and nothing was pressed yet. */
export const decide = (state: State, id: string, key: string, decision: Decision): State =>
  openQuestion(state) === key && state.conversation.requests.decision === undefined
    ? change(state, { decision: { id, confirmId: key, decision, sent: false } })
    : state

/** Adds a rating of the chat. It shows at once, and is sent if the service accepts ratings. */
export function rate(
  state: State,
  id: string,
  given: { score: number; comment?: string | undefined },
): State {
  if (state.sessionId === undefined) return state
  const csat: Csat = { state: 'given', ...given }
  const pending = { id, score: given.score, comment: given.comment, sent: false }
  return inConversation(state.capabilities?.csat ? change(state, { csat: pending }) : state, { csat })
}

/** Adds a rating of an answer. The latest one counts. */
export function giveFeedback(
  state: State,
  id: string,
  key: string,
  rating: FeedbackRating,
  comment: string | undefined,
): State {
  const entry = state.messages.get(key)
  const content = entry?.content.peek()
  if (!entry || !content?.complete || entry.role !== 'agent' || !state.capabilities?.feedback) return state
  if (content.rating === rating && comment === undefined) return state
  entry.content.value = { ...content, rating }
  const others = state.conversation.requests.feedback.filter(({ messageId }) => messageId !== key)
  return change(state, { feedback: [...others, { id, messageId: key, rating, comment, sent: false }] })
}

/** Trims a comment, and cuts one that is too long. */
export const commentOf = (comment: string | undefined): string | undefined =>
  comment
    ?.trim()
    .slice(0, MAX_COMMENT_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '') || undefined

export function noteRequested(state: State, { what }: Requested): State {
  const { requests } = state.conversation
  if (what === 'stop') return change(state, { stop: requests.stop && { ...requests.stop, sent: true } })
  if (what === 'leave') return change(state, { leave: { sent: true } })
  const sent = <T extends Pending>(each: T): T => (each.id === what.id ? { ...each, sent: true } : each)
  return change(state, {
    decision: requests.decision && sent(requests.decision),
    csat: requests.csat && sent(requests.csat),
    feedback: requests.feedback.map(sent),
  })
}

/** Removes a rating that the service echoed or refused, or a decision that it refused. */
export function answered(state: State, id: string | undefined): State {
  const { decision, csat, feedback } = state.conversation.requests
  if (id === undefined || ![decision, csat, ...feedback].some((each) => each?.id === id)) return state
  return change(state, {
    decision: decision?.id === id ? undefined : decision,
    csat: csat?.id === id ? undefined : csat,
    feedback: feedback.filter((each) => each.id !== id),
  })
}

/** Drops obsolete requests: no answer runs, the session does not wait in the queue, or the question is decided. */
export function settled(state: State): State {
  const { requests, handoff, question } = state.conversation
  const stop = requests.stop && isAnswering(state) ? requests.stop : undefined
  const leave = handoff.state === 'pending' ? requests.leave : undefined
  const decision = requests.decision?.confirmId === question ? requests.decision : undefined
  return stop === requests.stop && leave === requests.leave && decision === requests.decision
    ? state
    : change(state, { stop, leave, decision })
}

/** Handles the loss of the socket: the last request may not have arrived, so it is sent again. */
export function unsent(requests: Requests): Requests {
  const again = <T extends { readonly sent: boolean }>(each: T): T => ({ ...each, sent: false })
  return {
    stop: requests.stop && again(requests.stop),
    leave: requests.leave && again(requests.leave),
    decision: requests.decision && again(requests.decision),
    csat: requests.csat && again(requests.csat),
    feedback: requests.feedback.map(again),
  }
}

/** The next request to send, and the event that notes it as sent. */
export function nextRequest({ stop, leave, decision, csat, feedback }: Requests) {
  const request = (frame: ClientEvent, what: Requested['what']) => ({
    frame,
    noted: { type: 'requested', what } as Requested,
  })
  if (stop && !stop.sent)
    return request({ type: 'EVENT_TYPE_USER_STOP_ANSWER', payload: { message_id: stop.messageId } }, 'stop')
  if (leave && !leave.sent) return request({ type: 'EVENT_TYPE_USER_LEAVE_QUEUE', payload: {} }, 'leave')
  if (decision && !decision.sent) {
    const { id, confirmId: confirm_id, decision: decided } = decision
    const payload = { confirm_id, decision: decided }
    return request({ type: 'EVENT_TYPE_USER_DECISION', payload, metadata: customId(id) }, { id })
  }
  const rating = ratingOf({ csat, feedback }, (each) => !each.sent)
  return rating && request(rating.frame, { id: rating.id })
}

/** The first rating that `where` accepts, as a frame. */
export function ratingOf(
  { csat, feedback }: Pick<Requests, 'csat' | 'feedback'>,
  where: (each: Pending) => boolean = () => true,
): { id: string; frame: ClientEvent } | undefined {
  if (csat && where(csat)) {
    const { id, score, comment } = csat
    return {
      id,
      frame: { type: 'EVENT_TYPE_CSAT_RESPONSE', payload: { score, comment }, metadata: customId(id) },
    }
  }
  const each = feedback.find(where)
  if (!each) return undefined
  const { id, messageId: message_id, rating, comment } = each
  return {
    id,
    frame: {
      type: 'EVENT_TYPE_USER_FEEDBACK',
      payload: { message_id, rating, comment },
      metadata: customId(id),
    },
  }
}
