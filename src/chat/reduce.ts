// Reduces every event to a new state, and to the public events for listeners (law L2). The effects of a state (connecting,
// sending, storing) are in effects/.

import { MAX_SCORE } from '../protocol/index.ts'
import * as outbox from './outbox/items.ts'
import {
  answered,
  commentOf,
  decide,
  giveFeedback,
  leave as leaveQueue,
  noteRequested,
  rate,
  settled,
  stop,
} from './outbox/requests.ts'
import { otherNamed } from './session/choice.ts'
import { frame, type Publish, replayed } from './session/frame.ts'
import * as others from './session/others.ts'
import { forgotten, step } from './session/step.ts'
import { END, isIdleTimedOut, PROBE_ANSWER, PROBE_ANSWER_SOON, tick } from './session/timers.ts'
import type { Context, Event, PublicEvent } from './state/events.ts'
import { releaseCopies } from './state/mutable-copy.ts'
import { inConversation, type State } from './state/state.ts'
import { activity } from './transcript/entries.ts'

type Reduced = { state: State; published: PublicEvent[] }

type Handler<E> = (state: State, event: E, context: Context, publish: Publish) => State
/** Total: each event has a handler, or it does not compile. */
type Handlers = { readonly [T in Event['type']]: Handler<Extract<Event, { type: T }>> }

const TYPING_EVERY = 3_000
const FRESH = 1_000

export function reduce(state: State, event: Event, context: Context): Reduced {
  const published: PublicEvent[] = []
  if (state.session.name === 'disposed') return { state, published }
  try {
    return { state: settled(handle(state, event, context, (each) => published.push(each))), published }
  } finally {
    releaseCopies()
  }
}

const handle = (state: State, event: Event, context: Context, publish: Publish): State =>
  (HANDLERS[event.type] as Handler<Event>)(state, event, context, publish)

const visitor = {
  send(state, event, context) {
    // A message after the end starts a new session, or goes where the other tabs are.
    const open = goneOn(state, context)
    const item = outbox.newItem(event.id, event.text, context.wall, writtenFor(open))
    const added = event.held ? { ...item, state: 'held' as const } : item
    const typed = {
      ...open.typed,
      want: open.typed.sent === 'STARTED' ? ('STOPPED' as const) : undefined,
      notBefore: 0,
    }
    const asked = event.held ? open : inConversation(open, { suggestions: [] })
    return acted({ ...asked, outbox: [...open.outbox, added], typed }, context)
  },
  released(state, event, context) {
    const item = state.outbox.find(({ id }) => id === event.id)
    const goes = state.session.name !== 'ended' && item?.session === writtenFor(state)
    const box = outbox.released(state.outbox, event.id, goes)
    if (box === state.outbox) return state
    const after = { ...state, outbox: box }
    return goes ? needed(inConversation(after, { suggestions: [] }), context) : after
  },
  typed(state, _, context) {
    const { now } = context
    const { sent, sentAt, want } = state.typed
    const free = now - sentAt >= TYPING_EVERY
    const tells = (sent === 'STOPPED' || free) && want !== 'STARTED'
    // A key that comes too soon after the last signal is told later: otherwise nobody learns of a few quick keys.
    const told = { want: 'STARTED' as const, notBefore: free ? 0 : sentAt + TYPING_EVERY }
    return acted({ ...state, typed: { ...state.typed, keyAt: now, ...(tells && told) } }, context)
  },
  retry(state, event, context, publish) {
    const entry = state.messages.get(event.id)
    if (entry?.content.peek().undelivered) {
      entry.content.value = { ...entry.content.peek(), undelivered: false }
      const text = entry.content.peek().pieces.join('')
      return handle(state, { type: 'send', id: event.freshId, text }, context, publish)
    }
    const item = state.outbox.find(({ id }) => id === event.id)
    if (!item) return state
    // It is sent as soon as it can be: the visitor asks for that.
    if (outbox.isWaiting(item)) return acted(state, context)
    const open = goneOn(state, context)
    const box = outbox.again(open.outbox, event.id, event.freshId, context.wall, writtenFor(open))
    return acted({ ...open, outbox: box }, context)
  },
  discard: (state, event) => ({ ...state, outbox: outbox.without(state.outbox, event.id) }),
  stop,
  'leave-queue': leaveQueue,
  decide(state, event, context) {
    const decided = decide(state, event.id, event.key, event.decision)
    return decided === state ? state : acted(decided, context)
  },
  feedback(state, event, _, publish) {
    const comment = commentOf(event.comment)
    const rated = giveFeedback(state, event.id, event.key, event.rating, comment)
    const detail = { message_id: event.key, rating: event.rating, ...(comment !== undefined && { comment }) }
    if (rated !== state) publish({ type: 'feedback', detail })
    return rated
  },
  rate(state, event, _, publish) {
    const { score } = event
    if (!Number.isInteger(score) || score < 0 || score > MAX_SCORE) return state
    const comment = commentOf(event.comment)
    const given = { score, ...(comment !== undefined && { comment }) }
    const rated = rate(state, event.id, given)
    if (rated !== state) publish({ type: 'csat', detail: given })
    return rated
  },
  keep: (state, _, { now }) => ({
    ...state,
    ...(isIdleTimedOut(state, now) ? {} : activity(now)),
    typed: { ...state.typed, keyAt: now, want: 'STARTED', notBefore: 0 },
  }),
  end: (state, _, context) =>
    state.session.name === 'live'
      ? inConversation(state, {
          endRequest: state.conversation.endRequest ?? { sent: false, at: context.now },
        })
      : step(state, END, context),
  restart: (state, _, context) => step(state, { type: 'restart' }, context),
  'signed-out': (state, { mark, ago = 0 }, context) => {
    const at = context.now - ago
    return state.signOuts.has(mark) || at < state.visitorSince
      ? state
      : {
          ...forgotten(step(state, { type: 'logout' }, context)),
          signOuts: new Set(state.signOuts).add(mark),
          visitorSince: at,
        }
  },
} satisfies Partial<Handlers>

const page = {
  wake: (state, _, context) => wake(state, context),
  slept: (state, event, context) =>
    // A proof from before the sleep does not count any more, nor what was made long before.
    wake(
      {
        ...state,
        slept: state.slept + event.ms,
        aliveAt: state.aliveAt - event.ms,
        renewals: state.renewals.map((at) => at - event.ms),
        probe: { ...state.probe, last: Number.NEGATIVE_INFINITY },
      },
      context,
    ),
  suspend: (state, _, context) =>
    step({ ...state, tabs: { ...state.tabs, away: true } }, { type: 'suspend' }, context),
  online: (state, { online }, context) =>
    step({ ...state, online }, { type: online ? 'online' : 'offline' }, context),
  visible(state, { visible }, context) {
    const { tabs, session } = state
    const seen = visible || tabs.seen || session.name !== 'idle'
    const looked = { ...state, visible, tabs: { ...tabs, seen } }
    return visible ? wake(looked, context) : looked
  },
  shown(state, { shown }, context) {
    const looked = { ...state, shown, ...(shown && { unread: 0, counted: new Set<string>() }) }
    return shown && otherNamed(state) ? step(looked, { type: 'wake' }, context) : looked
  },
  'chunk-join': (state, { join }) => ({ ...state, chunkJoin: join }),
  asked: (state, { id }) => ({ ...state, outbox: outbox.asked(state.outbox, id) }),
} satisfies Partial<Handlers>

const wire = {
  frame,
  sent: (state, { id }, { now }) => ({
    ...state,
    outbox: outbox.sent(state.outbox, id, now, state.sessionId, state.conversation.log.cursor),
    ...activity(now),
  }),
  joined: (state, _, { now }) =>
    inConversation(state, {
      join: { asked: true, times: state.conversation.join.times + 1, at: now, notBefore: 0 },
    }),
  barrier: (state, { id }) =>
    state.replay ? { ...state, replay: { ...state.replay, asked: { id, answered: false } } } : state,
  probed(state, { id }, { now }) {
    const patience = state.probe.wanted ?? 0
    const asked = { id, at: now, deadline: now + patience, soon: patience === PROBE_ANSWER_SOON }
    return { ...state, probe: { ...state.probe, wanted: undefined, asked } }
  },
  'typing-sent': (state, event, { now }) => ({
    ...state,
    ...activity(now),
    typed: { ...state.typed, sent: event.state, sentAt: now, want: undefined },
  }),
  requested: noteRequested,
  rated: (state, { id }) => answered(state, id),
  'end-sent'(state) {
    const { endRequest } = state.conversation
    return endRequest ? inConversation(state, { endRequest: { ...endRequest, sent: true } }) : state
  },
} satisfies Partial<Handlers>

const HANDLERS: Handlers = {
  ...visitor,
  ...page,
  ...wire,
  session: (state, { event }, context) => step(state, event, context),
  tick: ticked,
  named: others.named,
  active: others.activeElsewhere,
  read: others.read,
  claimed: others.claimed,
  copied: others.copied,
}

/** The session that a message written now is for; undefined: the next one. */
const writtenFor = ({ session, sessionId }: State): string | undefined =>
  session.name === 'expired' || ('sessionId' in session && session.sessionId !== sessionId)
    ? undefined
    : sessionId

/** The conversation in which the visitor goes on. */
const goneOn = (state: State, context: Context): State => {
  if (otherNamed(state)) return step(state, { type: 'act' }, context)
  return state.session.name === 'ended' ? step(state, { type: 'restart' }, context) : state
}

/** Handles an act of the visitor. After the idle time an act does not extend the session, of which only the service knows whether it goes on. */
const acted = (state: State, context: Context): State =>
  needed(isIdleTimedOut(state, context.now) ? state : { ...state, ...activity(context.now) }, context)

/** The connection is needed now. */
function needed(state: State, context: Context): State {
  const after = hurry(step(state, { type: 'act' }, context), context)
  const { session, probe } = after
  // Keystrokes come many a second: do not probe a connection that answered within the last second.
  if (context.now - probe.last < FRESH) return after
  if (session.name !== 'live' || probe.asked || probe.wanted !== undefined) return after
  // A slow connection is not a dead one, so the echo has time.
  return { ...after, probe: { ...probe, wanted: PROBE_ANSWER } }
}

/** Ends a wait early. */
const hurry = (state: State, context: Context): State => step(state, { type: 'wake' }, context)

/** Handles a return to the page: probes the connection, with a short time for the echo. */
function wake(state: State, context: Context): State {
  const after = hurry(state, context)
  if (after.session.name !== 'live') return after
  const { probe, endsAt } = after
  // Nobody is warned of an end that is past.
  const woken = { ...after, endsAt: endsAt && endsAt.wall > context.wall ? endsAt : undefined }
  if (!probe.asked) return { ...woken, probe: { ...probe, wanted: PROBE_ANSWER_SOON } }
  const deadline = Math.min(probe.asked.deadline, context.now + PROBE_ANSWER_SOON)
  return { ...woken, probe: { ...probe, asked: { ...probe.asked, deadline, soon: true } } }
}

function ticked(state: State, _: unknown, context: Context): State {
  const { state: next, events, passed } = tick(state, context.now, context.wall)
  const after = passed ? replayed(next, context, true) : next
  return events.reduce((at, event) => step(at, event, context), after)
}
