// What the visitor asks of the service beside messages: stop the answer, leave the queue, rate an answer or the chat. Each is
// kept until the service has done it, and said over whichever socket is live (law L4).

import { type ClientEvent, customId, type FeedbackRating, MAX_COMMENT_LENGTH } from '../protocol/index.ts'
import type { Csat } from './model.ts'
import type { State } from './state.ts'
import { streamingKey } from './transcript.ts'

/** A rating that the service has not echoed. */
type Pending = { readonly id: string; readonly sent: boolean }
export type PendingCsat = Pending & { readonly score: number; readonly comment: string | undefined }
export type PendingFeedback = Pending & {
  readonly messageId: string
  readonly rating: FeedbackRating
  readonly comment: string | undefined
}

export type Requests = {
  /** The answer that is to stop; without an id: the one that runs. */
  readonly stop: { readonly messageId: string | undefined; readonly sent: boolean } | undefined
  readonly leave: { readonly sent: boolean } | undefined
  readonly csat: PendingCsat | undefined
  readonly feedback: readonly PendingFeedback[]
}

export const NO_REQUESTS: Requests = { stop: undefined, leave: undefined, csat: undefined, feedback: [] }

/** What was said: the stop, the leaving, or the rating with this id. */
export type Requested = { type: 'requested'; what: 'stop' | 'leave' | { id: string } }

export const isStoppable = (state: State): boolean =>
  state.session.name === 'live' &&
  state.capabilities?.stop === true &&
  state.requests.stop === undefined &&
  isAnswering(state)

const isAnswering = (state: State): boolean =>
  state.typing?.role === 'agent' || streamingKey(state) !== undefined

export const isLeavable = ({ session, capabilities, requests, handoff }: State): boolean =>
  session.name === 'live' &&
  capabilities?.leave_queue === true &&
  requests.leave === undefined &&
  handoff.state === 'pending'

const change = (state: State, requests: Partial<Requests>): State => ({
  ...state,
  requests: { ...state.requests, ...requests },
})

export function stop(state: State): State {
  if (!isStoppable(state)) return state
  const key = streamingKey(state)
  // Pieces without an id belong to no message that the service could name.
  const messageId = key === state.unnamed ? undefined : key
  return change(state, { stop: { messageId, sent: false } })
}

export const leave = (state: State): State =>
  isLeavable(state) ? change(state, { leave: { sent: false } }) : state

/** A rating of the chat. It is shown as given at once, and told to the service where that takes it. */
export function rate(
  state: State,
  id: string,
  given: { score: number; comment?: string | undefined },
): State {
  if (state.sessionId === undefined) return state
  const csat: Csat = { state: 'given', ...given }
  const pending = { id, score: given.score, comment: given.comment, sent: false }
  return { ...(state.capabilities?.csat ? change(state, { csat: pending }) : state), csat }
}

/** A rating of an answer; the latest one counts. */
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
  const others = state.requests.feedback.filter(({ messageId }) => messageId !== key)
  return change(state, { feedback: [...others, { id, messageId: key, rating, comment, sent: false }] })
}

/** A comment as it may go over the wire: without the whitespace around it, and cut where it is too long. */
export const commentOf = (comment: string | undefined): string | undefined =>
  comment
    ?.trim()
    .slice(0, MAX_COMMENT_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '') || undefined

export function noteRequested(state: State, { what }: Requested): State {
  const { requests } = state
  if (what === 'stop') return change(state, { stop: requests.stop && { ...requests.stop, sent: true } })
  if (what === 'leave') return change(state, { leave: { sent: true } })
  const sent = <T extends Pending>(each: T): T => (each.id === what.id ? { ...each, sent: true } : each)
  return change(state, {
    csat: requests.csat && sent(requests.csat),
    feedback: requests.feedback.map(sent),
  })
}

/** The service echoed a rating, or refused it for good. */
export function answered(state: State, id: string | undefined): State {
  const { csat, feedback } = state.requests
  if (id === undefined || ![csat, ...feedback].some((each) => each?.id === id)) return state
  return change(state, {
    csat: csat?.id === id ? undefined : csat,
    feedback: feedback.filter((each) => each.id !== id),
  })
}

/** Drops what has become pointless: nothing runs that could stop, nothing waits that could be left. */
export function settled(state: State): State {
  const { requests, handoff } = state
  const stop = requests.stop && isAnswering(state) ? requests.stop : undefined
  const leave = handoff.state === 'pending' ? requests.leave : undefined
  return stop === requests.stop && leave === requests.leave ? state : change(state, { stop, leave })
}

/** The socket is gone: nobody knows whether it carried what was said last. */
export function unsent(requests: Requests): Requests {
  if (requests === NO_REQUESTS) return requests
  const again = <T extends { readonly sent: boolean }>(each: T): T => ({ ...each, sent: false })
  return {
    stop: requests.stop && again(requests.stop),
    leave: requests.leave && again(requests.leave),
    csat: requests.csat && again(requests.csat),
    feedback: requests.feedback.map(again),
  }
}

/** The next request to say, and the event that notes it as said. */
export function nextRequest({ stop, leave, csat, feedback }: Requests) {
  const said = (frame: ClientEvent, what: Requested['what']) => ({
    frame,
    noted: { type: 'requested', what } as Requested,
  })
  if (stop && !stop.sent)
    return said({ type: 'EVENT_TYPE_USER_STOP_ANSWER', payload: { message_id: stop.messageId } }, 'stop')
  if (leave && !leave.sent) return said({ type: 'EVENT_TYPE_USER_LEAVE_QUEUE', payload: {} }, 'leave')
  const rating = ratingOf({ csat, feedback }, (each) => !each.sent)
  return rating && said(rating.frame, { id: rating.id })
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
