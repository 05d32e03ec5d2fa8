// The engine's outer ring. `dispatch` is the only writer; after each event the signals are set and what
// follows from the new state is done: entering, connecting, sending, storing, one timer.
//
//   frame ─ socket ─ read ─┐
//   status, timer, storage ┼─▶ dispatch ─▶ reduce(state, event) ─▶ signals ─▶ ui
//   send, retry, end ──────┘                     │
//                       what follows from it ◀───┘ ─▶ token, session, socket, frames

import { batch, signal } from '@preact/signals-core'
import { CLOSE, type ClientEvent, type Drop, readFrame } from '../protocol/index.ts'
import { AccessError, createAccess } from './access.ts'
import { systemClock } from './clock.ts'
import type { Chat, ChatEvents, ChatOptions } from './model.ts'
import { type Event, type Fact, reduce } from './reduce.ts'
import { createSealedText } from './sealed.ts'
import { type Socket, socketOpener } from './socket.ts'
import { nextToSay } from './speak.ts'
import { initialState, type State } from './state.ts'
import { createStored, memoryStore } from './stored.ts'
import { isConnected, nextDeadline } from './timers.ts'
import { createView, factsOf } from './view.ts'

/** Makes a chat. Nothing is contacted, read or stored before `open` (or another act of the visitor). */
export function createChat(options: ChatOptions): Chat {
  const clock = options.clock ?? systemClock
  const random = options.random ?? Math.random
  const uuid = options.uuid ?? (() => crypto.randomUUID())
  const sessions = options.sessionStore ?? memoryStore()
  const access = createAccess({
    tokenUrl: options.tokenUrl,
    platform: options.platform ?? 'web',
    streaming: options.streaming ?? true,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    clock,
    sealed: options.keepSealed ? createSealedText(sessions) : undefined,
  })
  const openSocket = socketOpener(options.WebSocket)
  const stored = createStored(sessions, options.outboxStore ?? memoryStore(), clock)
  const note = (direction: 'in' | 'out' | 'note', text: string) =>
    options.onWire?.({ direction, at: clock.wall(), text })

  const initial = initialState(clock.now(), stored.session(), stored.outbox())
  const state = signal<State>(initial)
  const view = createView(state)
  const listeners = new Map<keyof ChatEvents, Set<(detail: never) => void>>()

  let run = 0
  let socket: { run: number; socket: Socket } | undefined
  let entering: { run: number; abort: AbortController } | undefined
  let timer: { at: number; stop: () => void } | undefined

  // One event at a time: what an event's consequences dispatch waits until they are done.
  const queue: Event[] = []
  let busy = false
  function dispatch(event: Event): void {
    queue.push(event)
    if (busy) return
    busy = true
    try {
      for (let next = queue.shift(); next; next = queue.shift()) take(next)
    } finally {
      busy = false
    }
  }

  function take(event: Event): void {
    const before = state.peek()
    const moment = { now: clock.now(), wall: clock.wall(), random: random(), run: run + 1 }
    let facts: Fact[] = []
    batch(() => {
      const reduced = reduce(before, event, moment)
      facts = reduced.facts
      if (reduced.state === before) return
      if ('run' in reduced.state.session && reduced.state.session.run === moment.run) run = moment.run
      state.value = reduced.state
    })
    const after = state.peek()
    if (after !== before) {
      follow(before, after, event)
      facts.push(...factsOf(before, after))
    }
    schedule(after)
    for (const fact of facts) tell(fact)
  }

  function tell({ type, detail }: Fact): void {
    for (const listener of listeners.get(type) ?? []) listener(detail as never)
  }

  function schedule(after: State): void {
    const at = nextDeadline(after)
    if (timer?.at === at) return
    timer?.stop()
    timer = undefined
    if (at === Number.POSITIVE_INFINITY) return
    const stop = clock.after(Math.max(0, at - clock.now()), () => {
      timer = undefined
      dispatch({ type: 'tick' })
    })
    timer = { at, stop }
  }

  /** What the new state asks for. Each is a level: true until done, whatever led to it (law L4). */
  function follow(before: State, after: State, event: Event): void {
    const { session } = after
    if (entering && !(session.name === 'entering' && session.run === entering.run)) {
      entering.abort.abort()
      entering = undefined
    }
    const wanted = session.name === 'connecting' || isConnected(after) ? session : undefined
    if (socket && socket.run !== (wanted && 'run' in wanted ? wanted.run : undefined)) {
      if (event.type === 'restart' || event.type === 'logout')
        emit({ type: 'EVENT_TYPE_USER_END_SESSION', payload: {} })
      socket.socket.close(session.name === 'ended' || session.name === 'expired' ? CLOSE.clean : CLOSE.forced)
      socket = undefined
    }
    if (session.name === 'entering' && !entering) enter(session.sessionId, session.run)
    if (session.name === 'connecting' && !socket) connect(session.sessionId, session.run, after.log.cursor)
    if (session.name !== 'disposed') store(before, after)
    if (isConnected(after)) converse(after)
    if (session !== before.session && session.name !== before.session.name) note('note', session.name)
  }

  function enter(sessionId: string | undefined, attempt: number): void {
    const abort = new AbortController()
    entering = { run: attempt, abort }
    access.enter(sessionId, abort.signal).then(
      (entered) => {
        if (abort.signal.aborted) return
        dispatch({ type: 'session', event: { type: 'entered', run: attempt, sessionId: entered.sessionId } })
        tell({ type: 'session', detail: { session_id: entered.sessionId, resumed: entered.resumed } })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        const known = error instanceof AccessError ? error : new AccessError('unexpected answer')
        note('note', `no access: ${known.message}`)
        dispatch({
          type: 'session',
          event: known.refused
            ? { type: 'refused', run: attempt }
            : { type: 'failed', run: attempt, retryAfter: known.retryAfter },
        })
        if (known.refused) tell({ type: 'error', detail: { code: 'refused', message: known.message } })
      },
    )
  }

  function connect(sessionId: string, attempt: number, cursor: number): void {
    let opened = false
    const report = (code: number, answered?: boolean) => {
      note('note', `socket closed (${code})`)
      dispatch({
        type: 'session',
        event: { type: 'closed', run: attempt, code, ...(answered && { answered }) },
      })
    }
    note('note', `socket opening (session ${sessionId}, cursor ${cursor})`)
    let url: string
    try {
      url = access.socketUrl(sessionId, cursor)
    } catch {
      // A chat_url that no socket can be made of: nothing to retry until somebody mends the configuration.
      tell({
        type: 'error',
        detail: { code: 'chat-url', message: 'The BFF named a chat_url that cannot be used' },
      })
      dispatch({ type: 'session', event: { type: 'closed', run: attempt, code: CLOSE.abnormal } })
      return
    }
    const opening = openSocket(url, {
      opened() {
        opened = true
        note('note', 'socket open')
        dispatch({ type: 'session', event: { type: 'opened', run: attempt } })
      },
      frame(text) {
        note('in', text)
        const drops: Drop[] = []
        const events = readFrame(text, (drop) => drops.push(drop))
        for (const drop of drops) note('note', `dropped: ${drop.reason}`)
        dispatch({ type: 'frame', run: attempt, events, drops })
      },
      closed(code) {
        if (opened) return report(code)
        // A browser hides why a handshake failed. Whether the host answers HTTP tells a refusal from an outage.
        const probe = new AbortController()
        const stop = clock.after(5_000, () => probe.abort())
        void access.reachable(probe.signal).then((answered) => {
          stop()
          report(code, answered)
        })
      },
    })
    socket = { run: attempt, socket: opening }
  }

  function converse(now: State): void {
    const next = nextToSay(now, clock.now(), uuid)
    if (!next) return
    emit(next.frame)
    // Noted before anything else happens, so that nothing is said twice.
    queue.unshift(next.noted)
  }

  function emit(event: ClientEvent): void {
    if (!socket) return
    const text = JSON.stringify(event)
    note('out', text)
    // A socket that is closing reports it by itself; what was to be sent is still in the state.
    socket.socket.send(text)
  }

  function store(before: State, after: State): void {
    if (after.outbox !== before.outbox) stored.saveOutbox(after.outbox)
    const { name } = after.session
    const over = name === 'expired' || name === 'ended'
    if (over && before.session.name !== name) stored.forgetSession(after.sessionId)
    if (over || after.sessionId === before.sessionId) return
    if (after.sessionId !== undefined) stored.saveSession(after.sessionId)
    else stored.forgetSession(before.sessionId)
  }

  return {
    ...view,
    open: () => dispatch({ type: 'session', event: { type: 'open' } }),
    send(text) {
      const id = uuid()
      dispatch({ type: 'send', id, text })
      return id
    },
    typed: () => dispatch({ type: 'typed' }),
    retry: (id) => dispatch({ type: 'retry', id, freshId: uuid() }),
    discard: (id) => dispatch({ type: 'discard', id }),
    keepAlive: () => dispatch({ type: 'keep' }),
    end: () => dispatch({ type: 'end' }),
    restart: () => dispatch({ type: 'restart' }),
    wake: () => dispatch({ type: 'wake' }),
    setOnline: (online) => dispatch({ type: 'online', online }),
    setVisible: (visible) => dispatch({ type: 'visible', visible }),
    setShown: (shown) => dispatch({ type: 'shown', shown }),
    reconnect() {
      const { session } = state.peek()
      if ('run' in session)
        dispatch({ type: 'session', event: { type: 'closed', run: session.run, code: CLOSE.forced } })
    },
    async logout() {
      dispatch({ type: 'logout' })
      stored.forgetSession(undefined)
      stored.saveOutbox([])
      await access.forget()
    },
    on(type, listener) {
      const set = listeners.get(type) ?? new Set()
      listeners.set(type, set)
      set.add(listener as (detail: never) => void)
      return () => {
        set.delete(listener as (detail: never) => void)
      }
    },
    dispose() {
      dispatch({ type: 'session', event: { type: 'dispose' } })
      access.close()
      timer?.stop()
      timer = undefined
      listeners.clear()
    },
  }
}
