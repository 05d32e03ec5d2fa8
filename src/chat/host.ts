// Serves the other tabs (guests) in the owner tab, in place of the service. Admits their sockets while its own is live,
// replays the events it has received, forwards their frames, and delays a guest whose message is on its way until the
// service has answered (law L9).

import { CLOSE, type Frame, idOf } from '../protocol/index.ts'
import type { From, Message } from './channel.ts'
import { createHistory, type Echo, type History } from './history.ts'
import { echoedBy, sentLast } from './outbox/items.ts'
import type { Event } from './reduce.ts'
import { isMending, isRested, ownClose } from './session/timers.ts'
import type { Clock, KeyValue } from './state/model.ts'
import type { State } from './state/state.ts'

type Guest = {
  tab: string
  socket: number
  session: string
  cursor: number
  /** When the guest asked. */
  at: number
  /** The connection of that time, where the guest asks what became of what it sent over another one. */
  before: number | undefined
  open: boolean
}
type Call = From<Extract<Message, { type: 'enter' }>> & { at: number }
/** When a message was sent, and the highest sequence known then. */
type OnTheWay = { id: string; at: number; text: string; after: number }

export type HostOptions = {
  clock: Clock
  /** The storage that all tabs of the browser share. */
  store: KeyValue
  state(): State
  current(): string | undefined
  remember(session: string): void
  dispatch(event: Event): void
  /** Sends a frame over the owner's socket. False if it is not open. */
  forward(text: string): boolean
  /**
   * Sends a frame (undefined: the visitor's end) in a session that is over for another tab; calls back once the service knows,
   * or cannot be told. `id`: of the frame, so that no frame is sent twice at a time.
   */
  sayFor(id: string, sessionId: string, text: string | undefined, told: () => void): void
  post(message: Message): void
}

/** How long a new guest waits for pending echoes before a replay decides. */
const ECHO_SOON = 2_000
/** The key that stored.ts removes at a sign-out. Written here again, since an import from stored.ts would enlarge what every page loads. */
const NAMES = 'names'
const MOST_NAMES = 100

export function createHost(options: HostOptions) {
  const { clock, store, state, current, remember, dispatch, forward, sayFor, post } = options
  const guests = new Map<string, Guest>()
  let calls: Call[] = []
  /** The socket that was live last. */
  let run: number | undefined
  /** Guests' messages that were sent over it and have no echo yet. */
  const onTheWay = new Map<string, OnTheWay>()
  let stopHold = () => {}
  /** The session that had ended when a guest asked for another one. */
  let renewed: State['session'] | undefined
  /** The messages that echoes without a name confirm, by session and id of the echo, as the tabs have found it. */
  const names = new Map<string, unknown>()
  /** The history of each session of this tab. */
  const histories = new Map<string | undefined, History>()
  const history = () => histories.get(state().sessionId)

  const keyOf = (tab: string, socket: number) => `${tab}:${socket}`
  const isOver = () => state().session.name === 'ended' || state().session.name === 'expired'

  function refuse(guest: Guest, code: number): void {
    guests.delete(keyOf(guest.tab, guest.socket))
    post({ type: 'closed', to: guest.tab, socket: guest.socket, code })
  }

  function admit(guest: Guest): void {
    const { tab: to, socket, session, before, at } = guest
    if (session !== state().sessionId) return refuse(guest, CLOSE.replaced)
    if (!isOver()) {
      const { session: now, probe } = state()
      // A hole has to be filled first.
      if (now.name !== 'live' || isMending(state(), clock.now())) return
      // The guest may ask what became of a message, perhaps one from before a reload. The history here shows it only after its
      // echo; without an echo, a replay of the service has to.
      if (onTheWay.size > 0) return hold()
      // Only a replay that began after the guest asked surely holds what the guest sent over another socket.
      if (before === now.run) return dispatch(reconnect())
      // The guest may have had its own socket until now. The history here is complete only if this socket works.
      if (probe.last < at) return dispatch({ type: 'prove' })
    }
    guest.open = true
    post({ type: 'opened', to, socket, rested: clock.now() - state().activeAt + state().slept })
    if (isOver()) dismiss(guest)
    else tell(guest)
  }

  function tell({ tab: to, socket, session, cursor }: Guest): void {
    post({ type: 'frame', to, socket, session, text: (history() ?? createHistory()).since(cursor) })
  }

  /** Sends the rest of an ended session to a guest. */
  function dismiss(guest: Guest): void {
    const { tab: to, session } = guest
    tell(guest)
    // Only the service's own events prove what happened to messages on their way.
    if (!history()?.isEnded()) post({ type: 'over', to, session, ...endOf(state()) })
    refuse(guest, CLOSE.clean)
  }

  function hold(): void {
    stopHold()
    const left = Math.min(...[...onTheWay.values()].map(({ at }) => at)) + ECHO_SOON - clock.now()
    if (left > 0) stopHold = clock.after(left, changed)
    else if (state().session.name === 'live') dispatch(reconnect())
  }

  const reconnect = (): Event => ({ type: 'session', event: ownClose(state()) })

  /** True if the browser's conversation is another one than the session that ended here, which may still be active. */
  function goesOn(session: string): boolean {
    const own = state().sessionId
    const isOver = (named: string | undefined) => named === undefined || named === own
    if (isOver(current()) && session !== own && !histories.has(session)) remember(session)
    return !isOver(current())
  }

  /**
   * True if the session here has ended in the guest, and no later proof says that it goes on; or if the guest is in another one, and
   * this tab is not live.
   */
  function isDoubtful({ session, over, at }: Call): boolean {
    const { sessionId = '', session: own, probe } = state()
    if (isOver()) return false
    const isLive = own.name === 'live'
    if (!isLive && session && session !== sessionId) return true
    return over.includes(sessionId) && !(isLive && probe.last >= at)
  }

  /** Answers guests that ask for a session, once there is one. */
  function answer(): void {
    const { session, sessionId } = state()
    const { name } = session
    if (name === 'unavailable')
      for (const { from, call } of calls.splice(0)) post({ type: 'refused', to: from, call })
    if ((sessionId === undefined && !isOver()) || name === 'entering' || name === 'idle') return
    // Do not offer an ended session to a guest that wants a new one, or if the browser has gone on in another.
    const left: Call[] = []
    const doubted: Call[] = []
    for (const each of calls.splice(0))
      if (sessionId === undefined || (isOver() && (each.session === undefined || goesOn(each.session))))
        left.push(each)
      else if (isDoubtful(each)) doubted.push(each)
      else {
        const { own = each.session } = each
        post({
          type: 'entered',
          to: each.from,
          call: each.call,
          session: sessionId,
          reason: state().left.get(own ?? '')?.reason,
          // The history of the guest's former session, as far as this tab received it.
          history: own === sessionId ? undefined : histories.get(own)?.since(0),
        })
      }
    calls = [...left, ...doubted]
    if (doubted.length > 0 && name === 'live') dispatch({ type: 'prove' })
    if (left.length === 0 || renewed === session) return
    renewed = session
    dispatch(name === 'ended' ? { type: 'restart' } : { type: 'session', event: { type: 'act' } })
  }

  function enter(message: From<Extract<Message, { type: 'enter' }>>): void {
    const { session, left, from } = message
    const now = state()
    calls = [...calls.filter((call) => call.from !== from), { ...message, at: clock.now() }]
    post({ type: 'wait', to: from })
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
    // The owner sends its own heartbeats and has requested the agent.
    if (type === 'EVENT_TYPE_HEARTBEAT') {
      // Detect a sleep before forwarding: only the service knows whether the session has expired meanwhile.
      dispatch({ type: 'tick' })
      if (guest.open && !isRested(state(), clock.now()))
        post({ type: 'frame', to: from, socket, session: guest.session, text })
      return
    }
    if (type === 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN') return
    const id = idOf(metadata?.custom)
    if (!forward(text)) return refuse(guest, CLOSE.networkLost)
    // This tab heard of the key when it was pressed, perhaps long before the service does now.
    if (type === 'EVENT_TYPE_USER_TYPING') dispatch({ type: 'active', rested: 0 })
    if (id !== undefined && type === 'EVENT_TYPE_USER_MESSAGE')
      onTheWay.set(id, { id, at: clock.now(), text: payload.text, after: state().log.cursor })
  }

  /** Reads the names in the store of all tabs: a tab may be frozen when another one finds them. */
  function readNames(): void {
    try {
      for (const [echo, id] of JSON.parse(store.get(NAMES) ?? '[]')) names.set(echo, id)
    } catch {
      // Written by others, or half.
    }
  }

  /** The message that an echo confirms. If two tabs sent the same words, one each. */
  function whose({ id: event, payload, sequence }: Echo): string | undefined {
    const { outbox, sessionId } = state()
    const key = `${sessionId} ${event}`
    readNames()
    const known = names.get(key)
    if (typeof known === 'string') return known
    // An echo of the same frame may have confirmed one that is still noted here.
    const isFree = ({ id }: { id: string }) => !history()?.confirms(id)
    const isIt = ({ text, after }: OnTheWay) =>
      text.trim() === payload.text.trim() && (sequence ?? after + 1) > after
    const guests = [...onTheWay.values()].filter(isIt).filter(isFree)
    const mine = outbox.filter(isFree)
    const own = mine.find(({ id }) => id === echoedBy(mine, payload.text, sequence, sessionId))
    const id = sentLast(own ? [...guests, own] : guests)?.id
    if (id === undefined || event === undefined) return id
    // A tab that is not connected now, and takes over, cannot find it out by itself.
    post({ type: 'named', event: key, message: id })
    names.set(key, id)
    store.set(NAMES, JSON.stringify([...names].slice(-MOST_NAMES)))
    return id
  }

  /** Handles a change of the owner's state: answers waiting guests. */
  function changed(): void {
    const { session, sessionId } = state()
    // The socket's replay has shown what became of these messages.
    if (session.name === 'live' && session.run !== run) {
      run = session.run
      onTheWay.clear()
    }
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
    /** Keeps a frame of the service (or of the owner before), and forwards it to the guests. Returns the frame to read. */
    heard(given: string, read: Frame): Frame {
      const { sessionId } = state()
      if (sessionId === undefined) return read
      const ends = !read.batch && read.events.some(({ type }) => type === 'EVENT_TYPE_SESSION_END')
      // The end proves nothing about a message on its way; the replay does.
      if (ends && onTheWay.size > 0) {
        dispatch(reconnect())
        return { ...read, events: [] }
      }
      if (!histories.has(sessionId)) histories.set(sessionId, createHistory())
      const { text, frame } = history()?.take(given, read, whose) ?? { text: given, frame: read }
      for (const { type, metadata } of frame.events)
        if (type === 'EVENT_TYPE_USER_MESSAGE') onTheWay.delete(idOf(metadata?.custom) ?? '')
      // Tell the guests about the end once no event is missing.
      const isOpen = !ends && [...guests.values()].some((guest) => guest.open)
      if (isOpen && frame.events.some(({ type }) => type !== 'EVENT_TYPE_HEARTBEAT'))
        post({ type: 'frame', session: sessionId, text })
      return frame
    },
    changed,
    /** The session that a guest waits to go on in, none of `over`. */
    wanted: (over: ReadonlySet<string>): string | undefined =>
      calls.find(({ session }) => session && !over.has(session))?.session,
    /** Forgets what was said in all sessions of this tab. */
    forget() {
      histories.clear()
      names.clear()
    },
    /** Another tab has found whose an echo is. */
    named: (event: string, message: string) => void names.set(event, message),
    take(message: From): void {
      switch (message.type) {
        case 'enter':
          return enter(message)
        case 'open': {
          const { from: tab, socket, session, cursor, asked } = message
          post({ type: 'wait', to: tab })
          const { session: now } = state()
          const before = asked && 'run' in now ? now.run : undefined
          const guest = { tab, socket, session, cursor, before, at: clock.now(), open: false }
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
        case 'late': {
          const { from: to, session, id, text } = message
          return sayFor(id, session, text, () => post({ type: 'told', to, id }))
        }
        case 'end': {
          // The guest repeats its request until the service knows.
          const { from: to, session } = message
          const told = () => post({ type: 'told', to, id: session })
          if (histories.get(session)?.isEnded()) return told()
          if (session === state().sessionId && !isOver()) return dispatch({ type: 'end' })
          // This tab may have heard of the end from the guest alone.
          return sayFor(session, session, undefined, told)
        }
      }
    },
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
