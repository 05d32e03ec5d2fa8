// Serves the other tabs (guests) in the owner tab, in place of the service. Admits their sockets while its own is live,
// replays the events it has received, forwards their frames, and delays a guest whose message is on its way until the
// service has answered (law L9).

import { CLOSE, type Frame, idOf } from '../protocol/index.ts'
import type { From, Message } from './channel.ts'
import { createHistory, type Echo, type History } from './history.ts'
import type { Clock, DividerEntry } from './model.ts'
import { echoedBy } from './outbox.ts'
import type { Event } from './reduce.ts'
import type { State } from './state.ts'
import { isRested } from './timers.ts'

type Guest = {
  tab: string
  socket: number
  session: string
  cursor: number
  /** When it asked. */
  at: number
  open: boolean
}
type Call = From<Extract<Message, { type: 'enter' }>>
/** When a message went out, and behind which sequence. */
type OnTheWay = { at: number; text: string; after: number }

export type HostOptions = {
  clock: Clock
  state(): State
  current(): string | undefined
  remember(session: string): void
  dispatch(event: Event): void
  /** Sends a frame over the owner's socket. False if it is not open. */
  forward(text: string): boolean
  /** Says something in a session that is over. */
  sayLate(sessionId: string, id: string, text: string): void
  post(message: Message): void
}

/** How long a new guest waits for pending echoes before a replay decides. */
const ECHO_SOON = 2_000

export function createHost(options: HostOptions) {
  const { clock, state, current, remember, dispatch, forward, sayLate, post } = options
  const guests = new Map<string, Guest>()
  let calls: Call[] = []
  /** The socket that was live last. */
  let run: number | undefined
  /** Messages of other tabs that went over it and came not back. */
  const onTheWay = new Map<string, OnTheWay>()
  let stopHold = () => {}
  /** The session that had ended when a guest asked for another one. */
  let renewed: State['session'] | undefined
  /** What was heard of each session that this tab was in. */
  const histories = new Map<string | undefined, History>()
  const history = () => histories.get(state().sessionId)

  const keyOf = (tab: string, socket: number) => `${tab}:${socket}`
  const isOver = () => state().session.name === 'ended' || state().session.name === 'expired'

  function refuse(guest: Guest, code: number): void {
    guests.delete(keyOf(guest.tab, guest.socket))
    post({ type: 'closed', to: guest.tab, socket: guest.socket, code })
  }

  function admit(guest: Guest): void {
    const { tab: to, socket, session, cursor } = guest
    const { log } = state()
    if (session !== state().sessionId) return refuse(guest, CLOSE.replaced)
    // What is missing here is to be mended first.
    if (!isOver() && (state().session.name !== 'live' || log.gap || log.torn)) return
    // It may ask what became of its message, or of one that its page sent before it was reloaded. The history here
    // tells only once the echo has come; what comes not is for a replay of the service.
    if (!isOver() && onTheWay.size > 0) return hold()
    // It may have had a socket of its own until now. What was heard here is all only if this one lives.
    if (!isOver() && state().probe.last < guest.at) return dispatch({ type: 'prove' })
    guest.open = true
    post({ type: 'opened', to, socket, rested: clock.now() - state().activeAt + state().slept })
    if (isOver()) return dismiss(guest)
    post({ type: 'frame', to, socket, session, text: (history() ?? createHistory()).since(cursor) })
  }

  /** The session is over: a tab hears the rest of it. */
  function dismiss(guest: Guest): void {
    const { tab: to, socket, session, cursor } = guest
    post({ type: 'frame', to, socket, session, text: (history() ?? createHistory()).since(cursor) })
    // What the service did not say itself proves nothing of what is on the way.
    if (!history()?.isEnded()) post({ type: 'over', to, session, ...endOf(state()) })
    refuse(guest, CLOSE.clean)
  }

  function hold(): void {
    stopHold()
    const left = Math.min(...[...onTheWay.values()].map(({ at }) => at)) + ECHO_SOON - clock.now()
    if (left > 0) stopHold = clock.after(left, changed)
    else if (state().session.name === 'live') dispatch(reconnect())
  }

  const reconnect = (): Event => {
    const { session } = state()
    const run = 'run' in session ? session.run : -1
    return { type: 'session', event: { type: 'closed', run, code: CLOSE.forced, own: true } }
  }

  /** Whether the conversation of this browser is not the one that is over here: what was never heard of here may go on. */
  function goesOn(session: string): boolean {
    const own = state().sessionId
    const isOver = (named: string | undefined) => named === undefined || named === own
    if (isOver(current()) && session !== own && !histories.has(session)) remember(session)
    return !isOver(current())
  }

  /** Answers guests that ask for a session, once there is one. */
  function answer(): void {
    const { session, sessionId } = state()
    const { name } = session
    if (name === 'unavailable')
      for (const { from, call } of calls.splice(0)) post({ type: 'refused', to: from, call })
    if ((sessionId === undefined && !isOver()) || name === 'entering' || name === 'idle') return
    // One that is over is no answer for who wants a new one, nor where the browser goes on in another.
    const left: Call[] = []
    for (const each of calls.splice(0))
      if (sessionId === undefined || (isOver() && (each.session === undefined || goesOn(each.session))))
        left.push(each)
      else
        post({
          type: 'entered',
          to: each.from,
          call: each.call,
          session: sessionId,
          reason: lastReason(state()),
          // What it was in before: how that went on, as far as it was heard here.
          history: each.session === sessionId ? undefined : histories.get(each.session)?.since(0),
        })
    calls = left
    if (calls.length === 0 || renewed === session) return
    renewed = session
    dispatch(name === 'ended' ? { type: 'restart' } : { type: 'session', event: { type: 'act' } })
  }

  function enter(message: Call): void {
    const { session, left, from } = message
    const now = state()
    calls = [...calls.filter((call) => call.from !== from), message]
    post({ type: 'held', to: from })
    const { name } = now.session
    // After giving up, only an act of the visitor tries again.
    if (name === 'unavailable' && !message.asked) return answer()
    if (name === 'unavailable') return dispatch({ type: 'session', event: { type: 'open' } })
    // The guest left this session for a new one, and no other tab has created one meanwhile.
    if (!isOver() && session !== now.sessionId && left !== undefined && left === now.sessionId)
      return dispatch({ type: 'restart' })
    if (name === 'idle' || name === 'suspended') return dispatch({ type: 'session', event: { type: 'open' } })
    answer()
  }

  function say({ from, socket, text }: From<Extract<Message, { type: 'say' }>>): void {
    const guest = guests.get(keyOf(from, socket))
    if (!guest?.open) return post({ type: 'closed', to: from, socket, code: CLOSE.networkLost })
    const { type, metadata, payload } = JSON.parse(text) as {
      type: string
      payload: { text: string }
      metadata?: { custom: Record<string, string> }
    }
    // The owner asks the service itself whether it lives, and had the agent join.
    if (type === 'EVENT_TYPE_HEARTBEAT') {
      // A sleep is noticed before anything is said about it: what a session at its end proves is for the service to say.
      dispatch({ type: 'tick' })
      if (guest.open && !isRested(state(), clock.now()))
        post({ type: 'frame', to: from, socket, session: guest.session, text })
      return
    }
    if (type === 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN') return
    const id = idOf(metadata?.custom)
    if (!forward(text)) return refuse(guest, CLOSE.networkLost)
    if (id !== undefined && type === 'EVENT_TYPE_USER_MESSAGE')
      onTheWay.set(id, { at: clock.now(), text: payload.text, after: state().log.cursor })
  }

  /** The message whose echo it is: of two tabs that said the same words, one each. */
  function whose({ payload, sequence }: Echo): string | undefined {
    const isIt = ({ text, after }: OnTheWay) =>
      text.trim() === payload.text.trim() && (sequence ?? after + 1) > after
    const { outbox, sessionId } = state()
    const id =
      [...onTheWay].find(([, sent]) => isIt(sent))?.[0] ?? echoedBy(outbox, payload.text, sequence, sessionId)
    return id === undefined || history()?.confirms(id) ? undefined : id
  }

  /** Handles a change of the owner's state: answers waiting guests. */
  function changed(): void {
    const { session, sessionId } = state()
    // The replay of the socket has told what became of them.
    if (session.name === 'live' && session.run !== run) onTheWay.clear()
    if (session.name === 'live') run = session.run
    for (const guest of [...guests.values()]) {
      if (guest.session !== sessionId) refuse(guest, CLOSE.replaced)
      else if (session.name === 'unavailable') refuse(guest, CLOSE.networkLost)
      else if (!guest.open) admit(guest)
      else if (isOver()) dismiss(guest)
      else if (session.name !== 'live') refuse(guest, CLOSE.networkLost)
    }
    answer()
  }

  return {
    /** A frame of the service, or of the owner before: kept, and passed on. Returns it as it is to be read. */
    heard(given: string, read: Frame): Frame {
      const { sessionId } = state()
      if (sessionId === undefined) return read
      const ends = !read.batch && read.events.some(({ type }) => type === 'EVENT_TYPE_SESSION_END')
      // Its end proves nothing of a message that is on the way: the replay does.
      if (ends && onTheWay.size > 0) {
        dispatch(reconnect())
        return { ...read, events: [] }
      }
      if (!histories.has(sessionId)) histories.set(sessionId, createHistory())
      const { text, frame } = history()?.take(given, read, whose) ?? { text: given, frame: read }
      for (const { type, metadata } of frame.events)
        if (type === 'EVENT_TYPE_USER_MESSAGE') onTheWay.delete(idOf(metadata?.custom) ?? '')
      // The others hear of the end once nothing is missing here.
      const isOpen = !ends && [...guests.values()].some((guest) => guest.open)
      if (isOpen && frame.events.some(({ type }) => type !== 'EVENT_TYPE_HEARTBEAT'))
        post({ type: 'frame', session: sessionId, text })
      return frame
    },
    changed,
    take(message: From): void {
      switch (message.type) {
        case 'enter':
          return enter(message)
        case 'open': {
          const { from: tab, socket, session, cursor } = message
          post({ type: 'held', to: tab })
          const guest = { tab, socket, session, cursor, at: clock.now(), open: false }
          guests.set(keyOf(tab, socket), guest)
          return admit(guest)
        }
        case 'say':
          return say(message)
        case 'close':
          guests.delete(keyOf(message.from, message.socket))
          return
        case 'gone':
          for (const [key, guest] of guests) if (guest.tab === message.from) guests.delete(key)
          calls = calls.filter((call) => call.from !== message.from)
          return
        case 'late':
          return sayLate(message.session, message.id, message.text)
        case 'end': {
          // What ends may be over here already, and another begun. It is asked again until it is told.
          const { from: to, session } = message
          if (session !== state().sessionId || (isOver() && history()?.isEnded()))
            return post({ type: 'told', to, session })
          return dispatch({ type: 'end' })
        }
      }
    },
    /** What other tabs sent and is not confirmed went out behind this sequence; Infinity: nothing was. */
    sentAfter: (): number =>
      Math.min(...[...onTheWay.values()].map(({ after }) => after), Number.POSITIVE_INFINITY),
    /** True if every guest's message is confirmed. */
    isFree: (): boolean => onTheWay.size === 0,
    /** Another tab owns the socket now. */
    stop(): void {
      stopHold()
      guests.clear()
      calls = []
      onTheWay.clear()
    },
  }
}

const endOf = ({ session }: State) => ({
  expired: session.name === 'expired',
  reason: session.name === 'ended' ? session.reason : 'REASON_USER_ABANDONED',
})

const lastReason = ({ transcript }: State): DividerEntry['reason'] | undefined => {
  const divider = transcript.findLast((entry) => entry.kind === 'divider')
  return divider?.kind === 'divider' ? divider.reason : undefined
}
