// Computes the public view of the state: read-only signals, and the public events of a change.

import { computed, type ReadonlySignal } from '@preact/signals-core'
import { isLeavable, isStoppable, openQuestion } from './outbox/requests.ts'
import type { PublicEvent } from './state/events.ts'
import type { Chat, ChatStatus, Notice } from './state/model.ts'
import type { State } from './state/state.ts'

type Signals = Pick<
  Chat,
  | 'status'
  | 'sessionId'
  | 'transcript'
  | 'replaying'
  | 'outbox'
  | 'agent'
  | 'typing'
  | 'suggestions'
  | 'question'
  | 'handoff'
  | 'language'
  | 'notice'
  | 'unread'
  | 'capabilities'
  | 'stoppable'
  | 'leavable'
  | 'csat'
>

/** Maps the states of the session table to the public status. */
function statusOf(state: State): ChatStatus {
  const { session } = state
  switch (session.name) {
    case 'idle':
    case 'disposed':
      return 'idle'
    case 'entering':
    case 'connecting':
    case 'replaying':
    case 'waiting':
    case 'suspended':
      return connecting(state)
    default:
      return session.name
  }
}

const connecting = (state: State): ChatStatus =>
  state.everLive && state.sessionId !== undefined ? 'reconnecting' : 'connecting'

const isConnecting = (status: ChatStatus): boolean => status === 'connecting' || status === 'reconnecting'

function noticeKind(state: State): Notice['kind'] | undefined {
  const { session, lostLong, endsAt, online } = state
  if (session.name === 'unavailable') return 'unavailable'
  if (session.name === 'offline') return 'offline'
  // An attempt that the visitor asked for all the same.
  if (!online && isConnecting(statusOf(state))) return 'offline'
  if (session.name === 'waiting' && session.busy) return 'busy'
  if (lostLong) return 'reconnecting'
  return endsAt !== undefined && session.name === 'live' ? 'idle-warning' : undefined
}

/** The public signals. Each changes only when its value does. */
export function createView(state: ReadonlySignal<State>): Signals {
  const of = <T>(pick: (state: State) => T): ReadonlySignal<T> => computed(() => pick(state.value))
  const kind = of(noticeKind)
  const cause = of(({ session }) => (session.name === 'unavailable' ? session.cause : 'gave-up'))
  const question = of(openQuestion)
  const chosen = of((now) => now.conversation.requests.decision?.decision)
  const endsAt = of((now) => now.endsAt?.wall)
  return {
    status: of(statusOf),
    sessionId: of((now) => now.sessionId),
    transcript: of((now) => now.transcript),
    replaying: of(({ session }) => session.name === 'replaying'),
    outbox: of((now) => now.outbox),
    agent: of((now) => now.conversation.agent),
    typing: of((now) => now.typing),
    suggestions: of((now) => now.conversation.suggestions),
    question: computed(() =>
      question.value === undefined ? undefined : { key: question.value, chosen: chosen.value },
    ),
    handoff: of((now) => now.conversation.handoff),
    language: of((now) => now.language),
    notice: computed((): Notice | undefined => {
      if (kind.value === undefined) return undefined
      if (kind.value === 'idle-warning') return { kind: kind.value, endsAt: endsAt.value ?? 0 }
      return kind.value === 'unavailable' ? { kind: kind.value, cause: cause.value } : { kind: kind.value }
    }),
    unread: of((now) => now.unread),
    capabilities: of((now) => now.capabilities),
    stoppable: of(isStoppable),
    leavable: of(isLeavable),
    csat: of((now) => now.conversation.csat),
  }
}

/** The public events that follow from a change of state. */
export function publicEventsOf(before: State, after: State): PublicEvent[] {
  const events: PublicEvent[] = []
  const status = statusOf(after)
  if (status !== statusOf(before)) events.push({ type: 'connection', detail: { status } })
  if (after.unread !== before.unread) events.push({ type: 'unread', detail: { count: after.unread } })
  const { handoff } = after.conversation
  // An order to the page (`client`) is news of the frame that brings it.
  if (handoff !== before.conversation.handoff && handoff.state !== 'client')
    events.push({ type: 'handoff', detail: handoff })
  if (after.session.name === 'ended' && before.session.name !== 'ended')
    events.push({ type: 'end', detail: { reason: after.session.reason } })
  if (after.session.name === 'expired' && before.session.name !== 'expired')
    events.push({ type: 'end', detail: { reason: 'REASON_USER_ABANDONED' } })
  if (after.outbox !== before.outbox)
    for (const { id, state } of after.outbox)
      if (before.outbox.find((each) => each.id === id)?.state !== state)
        events.push({ type: 'delivery', detail: { message_id: id, state } })
  return events
}
