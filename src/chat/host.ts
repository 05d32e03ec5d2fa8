// What the tab that owns the socket does for the other tabs: to them it is the service. It admits their sockets
// while its own is live, replays what it heard, passes on what they say, and holds back a tab whose message is
// on its way until the service has answered (law L9).

import { CLOSE, type Frame, idOf } from '../protocol/index.ts'
import type { From, Message } from './channel.ts'
import type { Clock, DividerEntry } from './model.ts'
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
type Heard = { sequence: number; text: string }

export type HostOptions = {
  clock: Clock
  state(): State
  dispatch(event: Event): void
  /** Says something over the owner's own socket; false: it is not open. */
  forward(text: string): boolean
  /** Says something in a session that is over. */
  sayLate(sessionId: string, id: string, text: string): void
  post(message: Message): void
}

/** How long a tab that comes waits for the echoes of what is on the way, before a replay is to tell. */
const ECHO_SOON = 2_000

export function createHost({ clock, state, dispatch, forward, sayLate, post }: HostOptions) {
  const guests = new Map<string, Guest>()
  let calls: Call[] = []
  /** Messages of other tabs that went over this socket and came not back, and since when. */
  const onTheWay = new Map<string, number>()
  let stopHold = () => {}
  /** The session that was over when another was asked for. */
  let renewed: State['session'] | undefined
  /** What the service said in the session, by the event's id: a tab that comes later reads it here. */
  let heard = new Map<string, Heard>()
  let heardIn: string | undefined
  let endHeard = false
  let highest = 0
  /** Before the first event that came late: a tab that was here before may lack it. */
  let late = Number.POSITIVE_INFINITY

  const keyOf = (tab: string, socket: number) => `${tab}:${socket}`
  const isOver = () => state().session.name === 'ended' || state().session.name === 'expired'

  function refuse(guest: Guest, code: number): void {
    guests.delete(keyOf(guest.tab, guest.socket))
    post({ type: 'closed', to: guest.tab, socket: guest.socket, code })
  }

  function admit(guest: Guest): void {
    const { tab: to, socket, session, cursor } = guest
    if (session !== state().sessionId) return refuse(guest, CLOSE.replaced)
    if (state().session.name !== 'live' && !isOver()) return
    // It may ask what became of its message, or of one that its page sent before it was reloaded. The history here
    // tells only once the echo has come; what comes not is for a replay of the service.
    if (onTheWay.size > 0) return hold()
    // It may have had a socket of its own until now. What was heard here is all only if this one lives.
    if (!isOver() && state().probe.last < guest.at) return dispatch({ type: 'prove' })
    guest.open = true
    post({ type: 'opened', to, socket })
    const events = [...heard.values()].filter(({ sequence }) => sequence > Math.min(cursor, late))
    const text = `{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[${events.map((event) => event.text).join()}]}}`
    post({ type: 'frame', to, socket, session, text })
    if (!isOver()) return
    // What the service did not say itself proves nothing of what is on the way.
    if (!endHeard) post({ type: 'over', to, session, ...endOf(state()) })
    refuse(guest, CLOSE.clean)
  }

  function hold(): void {
    stopHold()
    const left = Math.min(...onTheWay.values()) + ECHO_SOON - clock.now()
    if (left > 0) stopHold = clock.after(left, changed)
    else if (state().session.name === 'live') dispatch(reconnect())
  }

  const reconnect = (): Event => {
    const { session } = state()
    const run = 'run' in session ? session.run : -1
    return { type: 'session', event: { type: 'closed', run, code: CLOSE.forced, own: true } }
  }

  /** Answers those who ask for a session, as soon as there is one. */
  function answer(): void {
    const { session, sessionId } = state()
    const { name } = session
    if (name === 'unavailable')
      for (const { from, call } of calls.splice(0)) post({ type: 'refused', to: from, call })
    if ((sessionId === undefined && !isOver()) || name === 'entering' || name === 'idle') return
    // One that is over is the answer only for who comes back to it; for the others there is to be another.
    const left: Call[] = []
    for (const each of calls.splice(0))
      if (sessionId === undefined || (isOver() && each.session !== sessionId)) left.push(each)
      else
        post({
          type: 'entered',
          to: each.from,
          call: each.call,
          session: sessionId,
          reason: lastReason(state()),
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
    // Only the visitor tries again where it was given up.
    if (name === 'unavailable' && !message.asked) return answer()
    if (name === 'unavailable') return dispatch({ type: 'session', event: { type: 'open' } })
    // It left this session to start anew, and nobody did so meanwhile.
    if (!isOver() && session !== now.sessionId && left !== undefined && left === now.sessionId)
      return dispatch({ type: 'restart' })
    if (name === 'idle' || name === 'suspended') return dispatch({ type: 'session', event: { type: 'open' } })
    answer()
  }

  function say({ from, socket, text }: From<Extract<Message, { type: 'say' }>>): void {
    const guest = guests.get(keyOf(from, socket))
    if (!guest?.open) return post({ type: 'closed', to: from, socket, code: CLOSE.networkLost })
    const { type, metadata } = JSON.parse(text) as {
      type: string
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
    if (id !== undefined && type === 'EVENT_TYPE_USER_MESSAGE') onTheWay.set(id, clock.now())
  }

  /** The owner's state changed: what waits for it is done. */
  function changed(): void {
    const { session, sessionId } = state()
    if (session.name !== 'live') onTheWay.clear()
    for (const guest of [...guests.values()]) {
      if (guest.session !== sessionId) refuse(guest, CLOSE.replaced)
      else if (session.name === 'unavailable') refuse(guest, CLOSE.networkLost)
      else if (!guest.open) admit(guest)
      else if (session.name !== 'live') refuse(guest, isOver() ? CLOSE.clean : CLOSE.networkLost)
    }
    answer()
  }

  return {
    /** A frame of the service, or of the owner before: kept, and passed on. */
    heard(text: string, { batch, events }: Frame): void {
      const { sessionId } = state()
      if (sessionId !== heardIn) {
        heard = new Map()
        heardIn = sessionId
        endHeard = false
        highest = 0
        late = Number.POSITIVE_INFINITY
      }
      for (const { type, metadata } of events)
        if (type === 'EVENT_TYPE_USER_MESSAGE') onTheWay.delete(idOf(metadata?.custom) ?? '')
      const raw = batch ? rawEvents(text) : undefined
      for (const { id, sequence, type } of events) {
        if (id === undefined || sequence === undefined) continue
        if (sequence < highest && !heard.has(id)) late = Math.min(late, sequence - 1)
        highest = Math.max(highest, sequence)
        heard.set(id, { sequence, text: raw?.get(id) ?? text })
        if (type === 'EVENT_TYPE_SESSION_END') endHeard = true
      }
      const isOpen = [...guests.values()].some((guest) => guest.open)
      if (isOpen && sessionId !== undefined && events.some(({ type }) => type !== 'EVENT_TYPE_HEARTBEAT'))
        post({ type: 'frame', session: sessionId, text })
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
        case 'end':
          // What ends may be over here already, and another begun.
          return message.session === state().sessionId ? dispatch({ type: 'end' }) : undefined
      }
    },
    /** No message of another tab is unconfirmed. */
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

function rawEvents(text: string): Map<string, string> {
  const frame = JSON.parse(text) as { payload?: { events?: object[] }; event_batch?: { events?: object[] } }
  const events = frame.payload?.events ?? frame.event_batch?.events ?? []
  return new Map(
    events.map((event) => [String((event as { id?: unknown } | null)?.id), JSON.stringify(event)]),
  )
}

const lastReason = ({ transcript }: State): DividerEntry['reason'] | undefined => {
  const divider = transcript.findLast((entry) => entry.kind === 'divider')
  return divider?.kind === 'divider' ? divider.reason : undefined
}
