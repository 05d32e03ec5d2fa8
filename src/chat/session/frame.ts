// Handles what comes over the socket: events, the end of the replay, the echoes of heartbeats.

import { CLOSE, type Frame, idOf, type ServerEvent } from '../../protocol/index.ts'
import type { Context, Event, PublicEvent } from '../state/events.ts'
import { inConversation, type State } from '../state/state.ts'
import { acceptReplay } from '../transcript/answers.ts'
import type { Outcome } from '../transcript/entries.ts'
import * as logs from '../transcript/log.ts'
import { receive } from '../transcript/receive.ts'
import { step } from './step.ts'
import { closed as closedBy, isConnected } from './timers.ts'

/** Tells listeners. */
export type Publish = (event: PublicEvent) => void

export function frame(
  state: State,
  event: Extract<Event, { type: 'frame' }>,
  context: Context,
  publish: Publish,
): State {
  // Ignore frames of a socket that was given up: the next replay has their events.
  if (!isConnected(state) || !('run' in state.session) || state.session.run !== event.run) return state
  const { run } = event
  const { events, drops } = event.frame
  let next = state
  for (const each of events) {
    if (!('run' in next.session) || next.session.run !== run) return next
    if (each.type === 'EVENT_TYPE_HEARTBEAT') next = heartbeat(next, each, context)
    else {
      const { state: received, outcome = {} } = receive(next, each, context)
      next = follow(received, outcome, each, context, publish)
    }
  }
  for (const drop of [...drops].sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0)))
    next = inConversation(next, { log: logs.noteDrop(next.conversation.log, drop.sequence, context.now) })
  return event.frame.batch ? batched(next, event.frame, context) : next
}

/** Handles the end of a batch. It proves something only with a readable event: every replay holds one (`resumeFrom`). */
function batched(state: State, { events }: Frame, { now }: Context): State {
  const { replay } = state
  if (!replay) return state
  const batch = replay.batch || events.length > 0
  // An echo that came before the end of the history does not mark the end: once the last known event is there, send another heartbeat.
  const asked = replay.asked?.answered && batch && !isCutShort(state) ? undefined : replay.asked
  return { ...state, replay: { asked, batch, frameAt: now } }
}

/** The echo of a heartbeat: the end of the replay, or the proof that the connection lives. */
function heartbeat(state: State, event: ServerEvent, context: Context): State {
  const id = idOf(event.metadata?.custom)
  const { replay, probe } = state
  // Without metadata the echo can only belong to the heartbeat that was sent.
  const isFor = (asked: { id: string } | undefined) =>
    asked !== undefined && (id === undefined || id === asked.id)
  if (replay) {
    if (!replay.asked || replay.asked.answered || !isFor(replay.asked)) return state
    const echoed = { ...state, unechoed: 0 }
    if (replay.batch && !isCutShort(state)) return replayed(echoed, context)
    return { ...echoed, replay: { ...replay, asked: { ...replay.asked, answered: true } } }
  }
  if (!isFor(probe.asked)) return state
  // The machine may have slept before this echo was read, so only the previous proof counts as the time when the session was alive.
  const aliveAt = Math.max(state.aliveAt, probe.last)
  // The connection survived, so the machine did not sleep that long.
  const answered = { ...probe, asked: undefined, last: context.now }
  return { ...state, slept: 0, aliveAt, unechoed: 0, unproven: undefined, probe: answered }
}

/**
 * True if an ended session's replay has not reached the last known sequence: a service may echo heartbeats between two batches. Of a
 * session that goes on nobody knows the last sequence.
 */
const isCutShort = ({ session, conversation: { log } }: State): boolean =>
  session.name === 'replaying' && session.endReason !== undefined && (log.replayed ?? 0) < log.cursor

/** `unproven`: nothing shows that the replay is whole. */
export const replayed = (state: State, context: Context, unproven = false): State =>
  step(acceptReplay(state), { type: 'replayed', unproven }, context)

function follow(
  state: State,
  outcome: Outcome,
  event: ServerEvent,
  context: Context,
  publish: Publish,
): State {
  const isNews = !event.replayed || state.everLive
  if (outcome.delivered)
    publish({ type: 'delivery', detail: { message_id: outcome.delivered, state: 'delivered' } })
  if (outcome.message && isNews) {
    const { key, role, text } = outcome.message
    const name = state.messages.get(key)?.agentName
    publish({
      type: 'message',
      detail: { message_id: key, role, length: text.length, text, ...(name !== undefined && { name }) },
    })
  }
  // A page that obeyed an order would obey it again with each replay, and go in circles.
  if (outcome.language && isNews) publish({ type: 'language', detail: { language_code: outcome.language } })
  if (outcome.decision && isNews) publish({ type: 'decision', detail: outcome.decision })
  if (outcome.order && isNews) publish({ type: 'handoff', detail: outcome.order })
  if (outcome.error) publish({ type: 'error', detail: outcome.error })
  if (outcome.session === 'reconnect') return step(state, closedBy(state, CLOSE.networkLost), context)
  if (outcome.session) return step(state, { type: outcome.session }, context)
  // An end that happens during a replay proves nothing about the rest of the replay.
  const { replayed } = state.conversation.log
  const proven = replayed !== undefined && (event.replayed === true || event.sequence === replayed + 1)
  if (outcome.over) return step(state, { type: 'over', ...outcome.over, proven }, context)
  return state
}
