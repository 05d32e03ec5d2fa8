// Runs the engine. `dispatch` is the only writer; after each event it sets the signals and starts the effects that the new
// state asks for: entering, connecting, sending, storing, one timer.
//
//   frame ─ socket ─ read ─┐
//   status, timer, storage ┼─▶ dispatch ─▶ reduce(state, event) ─▶ signals ─▶ ui
//   send, retry, end ──────┘                     │
//                                    effects ◀───┘ ─▶ token, session, socket, frames

import { batch, signal } from '@preact/signals-core'
import { CLOSE, type ClientEvent, MAX_MESSAGE_BYTES, parseFrame } from '../protocol/index.ts'
import { AccessError, createAccess } from './access/access.ts'
import { createSealedText } from './access/sealed.ts'
import { gatherChunks, isChunk } from './effects/chunks.ts'
import { createFarewells } from './effects/farewells.ts'
import { watchSleep } from './effects/sleep.ts'
import { createStored, memoryStore } from './effects/stored.ts'
import { isSent, refusalOf, sentAfter, unheld } from './outbox/items.ts'
import { nextToSay } from './outbox/next.ts'
import { ratingOf } from './outbox/requests.ts'
import { type Event, type Fact, reduce } from './reduce.ts'
import { REFUSALS_UNTIL_PROOF, type Session } from './session/table.ts'
import { isConnected, nextDeadline, ownClose } from './session/timers.ts'
import { type Socket, socketOpener } from './socket/socket.ts'
import { systemClock } from './state/clock.ts'
import type { Chat, ChatEvents, ChatOptions } from './state/model.ts'
import { initialState, type State } from './state/state.ts'
import { resumeFrom } from './transcript/log.ts'
import type { Transport } from './transport.ts'
import { createView, factsOf } from './view.ts'

/** True for acts of the visitor, who waits for the result. */
const isAsked = (event: Event): boolean =>
  event.type === 'session'
    ? event.event.type === 'open'
    : event.type === 'send' || event.type === 'typed' || event.type === 'retry' || event.type === 'restart'

/** Runs code of the page. What it throws is an error of the page: its console has it, and the engine goes on. */
function callPage(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** Creates a chat. It contacts, reads and stores nothing before `open` or another act of the visitor. */
export function createChat(options: ChatOptions): Chat {
  const clock = options.clock ?? systemClock
  const random = options.random ?? Math.random
  const uuid = options.uuid ?? (() => crypto.randomUUID())
  const sessions = options.sessionStore ?? memoryStore()
  const access = createAccess({
    tokenUrl: options.tokenUrl,
    platform: options.platform ?? 'web',
    streaming: options.streaming ?? true,
    language: options.language ?? (() => undefined),
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    clock,
    sealed: options.keepSealed ? createSealedText(sessions) : undefined,
    storedMark: (sessionId) => stored.markOf(sessionId),
  })
  const openSocket = socketOpener(options.WebSocket)
  const direct: Transport = {
    enter: ({ session, prove }, abort) => access.enter(session, prove, abort),
    open: (sessionId, cursor, listener) => openSocket(access.socketUrl(sessionId, cursor), listener),
  }
  const stored = createStored(sessions, options.outboxStore ?? memoryStore(), clock)
  const note = (direction: 'in' | 'out' | 'note', text: string) =>
    callPage(() => options.onWire?.({ direction, at: clock.wall(), text }))

  const { chunkJoin } = options
  const initial = initialState(
    clock.now(),
    stored.session(),
    stored.outbox().map((item) => (options.beforeSend ? item : unheld(item))),
    chunkJoin === 'space' ? chunkJoin : undefined,
    stored.isOld(),
  )
  const state = signal<State>(initial)
  const view = createView(state)
  const isBegun = () => view.status.peek() !== 'idle'
  const listeners = new Map<keyof ChatEvents, Set<(detail: never) => void>>()

  let run = 0
  let socket: { run: number; socket: Socket } | undefined
  let entering: { run: number; abort: AbortController } | undefined
  let timer: { at: number; stop: () => void } | undefined
  const sleptSince = watchSleep(clock)
  /** The marks of all sign-outs known here: a store that took no later one gives an old one back. */
  const signOuts = new Set([stored.signedOut()])
  /** The session that the visitor last left for a new one; and all sessions of this tab, which a store may still name. */
  let left: string | undefined
  const past = new Set<string>()
  /** The visitor asked for a new session, or signed out, and there is no session since. */
  let anew = false
  /** Without a working store: the session that another tab brought. */
  let offered: string | undefined
  const current = () => stored.session() ?? offered
  /** The messages that the site is being asked about. */
  const reviewed = new Set<string>()
  /** True while this tab asks its own session before it joins the one that another tab has gone on in. */
  let asksFirst = false
  /** True while the shown history comes from another tab, and no replay of the service has confirmed it. */
  let hearsay = false

  const farewells = createFarewells({
    state: () => state.peek(),
    access,
    tabs: () => tabs,
    openSocket,
    clock,
    random,
    rated: (id) => dispatch({ type: 'rated', id }),
  })
  const tabs = options.tabs?.({
    name: `foyer:${options.tokenUrl}`,
    id: uuid(),
    store: sessions,
    clock,
    direct,
    state: () => state.peek(),
    current,
    remember(session) {
      offered = session
      stored.saveSession(session)
    },
    dispatch,
    forward: (text) => speak(text),
    sayFor: farewells.sayFor,
    logout: (mark) => signOut(mark),
  })
  const transport = tabs?.transport ?? direct

  const chunks = gatherChunks(dispatch)
  // One event at a time: events that effects dispatch wait until all effects are done.
  const queue: Event[] = []
  let busy = false
  function dispatch(event: Event, late = 0): void {
    const gathered = chunks.take()
    if (gathered) queue.push(gathered)
    const slept = sleptSince(late, state.peek().visible)
    if (slept !== undefined) queue.push({ type: 'slept', ms: slept })
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
    // Another tab may get another token from here on.
    if (tabs?.follows() || event.type === 'suspend') access.dropSpare()
    const moment = { now: clock.now(), wall: clock.wall(), random: random(), run: run + 1 }
    let facts: Fact[] = []
    // At the end of the batch the subscribers of the signals run.
    callPage(() =>
      batch(() => {
        const reduced = reduce(before, event, moment)
        facts = reduced.facts
        if (reduced.state === before) return
        if ('run' in reduced.state.session && reduced.state.session.run === moment.run) run = moment.run
        state.value = reduced.state
      }),
    )
    const after = state.peek()
    if (after !== before) {
      follow(before, after, event)
      facts.push(...factsOf(before, after))
    }
    schedule(after)
    for (const fact of facts) tell(fact)
  }

  function tell({ type, detail }: Fact): void {
    for (const listener of listeners.get(type) ?? []) callPage(() => listener(detail as never))
  }

  function schedule(after: State): void {
    const at = nextDeadline(after, clock.now())
    if (timer?.at === at) return
    timer?.stop()
    timer = undefined
    if (at === Number.POSITIVE_INFINITY) return
    const due = Math.max(at, clock.now())
    const stop = clock.after(due - clock.now(), () => {
      timer = undefined
      dispatch({ type: 'tick' }, clock.now() - due)
    })
    timer = { at, stop }
  }

  /** Runs the effects of the new state. Each depends on the state alone, not on the event before (law L4). */
  function follow(before: State, after: State, event: Event): void {
    const { session } = after
    if (before.sessionId !== undefined && before.sessionId !== after.sessionId) past.add(before.sessionId)
    if (after.sessionId !== undefined) past.delete(after.sessionId)
    if (entering && !(session.name === 'entering' && session.run === entering.run)) {
      entering.abort.abort()
      entering = undefined
    }
    const speaks = session.name === 'connecting' || isConnected(after)
    if (socket && !(speaks && 'run' in session && session.run === socket.run)) {
      if ((event.type === 'restart' || event.type === 'logout') && !tabs?.follows())
        emit({ type: 'EVENT_TYPE_USER_END_SESSION', payload: {} })
      socket.socket.close(session.name === 'ended' || session.name === 'expired' ? CLOSE.clean : CLOSE.forced)
      socket = undefined
    }
    if (after.owed !== undefined && after.owed !== before.owed)
      farewells.end(after.owed, before.log.cursor, event.type !== 'logout')
    if (event.type === 'restart') left = before.sessionId
    anew = after.sessionId === undefined && (anew || event.type === 'restart' || event.type === 'logout')
    if (session.name === 'entering' && !entering)
      enter(
        session,
        chooseSession(before, after, event),
        // The slow attempt after a refusal is not asked for by the visitor.
        isAsked(event) || (before.session.name === 'unavailable' && session.denials === 0),
      )
    if (session.name === 'connecting' && !socket) {
      const follows = tabs?.follows() ?? false
      // Replay from before the first unconfirmed message; after a socket that replayed nothing, request the whole history.
      const whole = after.stalls > 0 || (hearsay && !follows)
      hearsay ||= follows
      connect(session.sessionId, session.run, whole ? 0 : resumeFrom(after.log, sentAfter(after.outbox)))
    }
    if (session.name === 'live') {
      hearsay &&= tabs?.follows() ?? false
      asksFirst = false
    }
    if (session.name === 'ended' || session.name === 'expired') rateLate(after)
    if (session.name !== 'disposed') store(before, after)
    if (options.beforeSend && isBegun())
      for (const { id, text, state } of after.outbox)
        if (state === 'held' && !reviewed.has(id)) review(options.beforeSend, id, text)
    if (isConnected(after)) converse(after)
    if (session !== before.session && session.name !== before.session.name) note('note', session.name)
    tabs?.changed(after)
  }

  function review(allows: NonNullable<ChatOptions['beforeSend']>, id: string, text: string): void {
    reviewed.add(id)
    // It may throw, or answer without a promise.
    new Promise<boolean>((answer) => answer(allows({ id, text })))
      .catch(() => true)
      .then((allowed) => {
        dispatch({ type: allowed ? 'released' : 'discard', id })
        reviewed.delete(id)
      })
  }

  /** Sends the visitor's ratings of an ended session, one after the other. */
  function rateLate({ requests, sessionId }: State): void {
    const next = ratingOf(requests, ({ sent }) => !sent)
    if (!next || sessionId === undefined) return
    queue.unshift({ type: 'requested', what: { id: next.id } })
    farewells.rate(sessionId, next.id, JSON.stringify(next.frame))
  }

  /** The session that another tab has gone on in. */
  function elsewhere({ sessionId }: State): string | undefined {
    const named = current()
    return named && named !== sessionId && !past.has(named) ? named : undefined
  }

  /**
   * Another tab may have gone on in a session of its own, which is the conversation of this browser now. A tab that
   * starts a new session, takes over, wakes or retries joins it, unless its own session has to show what became of a message, or
   * events that it lacks: then it asks that one first.
   */
  function chooseSession(before: State, { session, outbox, log }: State, event: Event): string | undefined {
    const own = session.name === 'entering' ? session.sessionId : undefined
    const other = elsewhere(before)
    // Before it makes a session for want of one, this tab goes where another tab waits to go on.
    if (own === undefined || other === undefined)
      return own ?? other ?? (anew ? undefined : tabs?.wanted(past))
    // The browser has the token of the other session: only a tab that holds the token of its own can enter that one.
    if (!access.holds(own)) return other
    const { name } = before.session
    const isMoved = event.type === 'session' && event.event.type === 'moved'
    if (!isMoved && name !== 'unavailable' && name !== 'suspended') return own
    asksFirst =
      outbox.some((item) => isSent(item) && item.session === own) || (log.gap ?? log.torn) !== undefined
    return asksFirst ? own : other
  }

  function enter(
    { sessionId: own, run: attempt, refusals, verdict }: Extract<Session, { name: 'entering' }>,
    wanted: string | undefined,
    asked: boolean,
  ): void {
    const abort = new AbortController()
    const prove = refusals >= REFUSALS_UNTIL_PROOF && !verdict
    entering = { run: attempt, abort }
    transport.enter({ session: wanted, own, left, over: [...past], prove, asked }, abort.signal).then(
      ({ sessionId, resumed, fresh, proven, reason, history }) => {
        // Nobody could tell this tab while it had no channel to the others.
        checkSignedOut()
        if (abort.signal.aborted) return
        // It goes on where something of it is shown.
        if (history !== undefined && state.peek().log.cursor > 0)
          dispatch({ type: 'history', frame: parseFrame(history) })
        dispatch({
          type: 'session',
          event: { type: 'entered', run: attempt, sessionId, fresh, proven, reason },
        })
        tell({ type: 'session', detail: { session_id: sessionId, resumed } })
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
    note('note', `socket opening (session ${sessionId}, cursor ${cursor})`)
    const opening = transport.open(sessionId, cursor, {
      opened() {
        note('note', 'socket open')
        const guest = tabs?.follows() ?? false
        dispatch({ type: 'session', event: { type: 'opened', run: attempt, guest } })
      },
      frame(text) {
        note('in', text)
        const frame = parseFrame(text)
        for (const drop of frame.drops) note('note', `dropped: ${drop.reason}`)
        const passed = tabs?.heard(text, frame) ?? frame
        if (clock.frame && isChunk(passed)) chunks.add(attempt, passed, clock.frame)
        else dispatch({ type: 'frame', run: attempt, frame: passed })
      },
      closed(code) {
        note('note', `socket closed (${code})`)
        dispatch({ type: 'session', event: { type: 'closed', run: attempt, code } })
      },
    })
    socket = { run: attempt, socket: opening }
  }

  function converse(now: State): void {
    const next = nextToSay(now, clock.now(), uuid)
    if (!next) return
    // Noted before anything else happens, so that nothing is said twice. A socket that is closing reports it by
    // itself; what was to be said is still in the state.
    if (emit(next.frame)) queue.unshift(next.noted)
  }

  function emit(event: ClientEvent): boolean {
    return speak(JSON.stringify(event))
  }

  function speak(text: string): boolean {
    if (!socket) return false
    note('out', text)
    return socket.socket.send(text)
  }

  /** A page that was frozen while the visitor signed out in another tab learns it when it becomes visible. */
  function checkSignedOut(): void {
    const mark = stored.signedOut()
    if (mark !== undefined) signOut(mark)
  }

  function signOut(mark: string): void {
    if (signOuts.has(mark) || state.peek().session.name === 'disposed') return
    signOuts.add(mark)
    // Frames that are not sent yet would need a token, which is being deleted.
    farewells.stop()
    dispatch({ type: 'logout' })
    access.drop()
    callPage(() => options.onSignedOut?.())
    stored.forgetOutbox(mark)
  }

  function store(before: State, after: State): void {
    if (after.outbox !== before.outbox) stored.saveOutbox(after.outbox)
    const { name } = after.session
    const over = name === 'expired' || name === 'ended'
    if (over && before.session.name !== name) {
      stored.forgetSession(after.sessionId)
      // The tab asked this session first, and has its answer: it joins the others now. After an end by the visitor it stays.
      if (asksFirst && after.sessionId && !after.owed && elsewhere(after))
        dispatch({ type: 'session', event: { type: name === 'ended' ? 'restart' : 'act' } })
    }
    if (over || after.sessionId === before.sessionId) return
    if (after.sessionId !== undefined) stored.saveSession(after.sessionId, access.markOf(after.sessionId))
    else stored.forgetSession(before.sessionId)
  }

  function refuses(id: string, text: string) {
    const { outbox, capabilities } = state.peek()
    return refusalOf(outbox, id, text, capabilities?.max_message_size_bytes ?? MAX_MESSAGE_BYTES)
  }

  if (chunkJoin instanceof Promise)
    void chunkJoin.then((join) => join && dispatch({ type: 'chunk-join', join }))

  return {
    ...view,
    open() {
      checkSignedOut()
      dispatch({ type: 'session', event: { type: 'open' } })
    },
    send(given) {
      checkSignedOut()
      const id = uuid()
      const text = given.trim()
      const refusal = refuses(id, text)
      if (refusal) {
        const detail = { code: 'not-sent', message: `The message is not sent: ${refusal.reason}` }
        if (refusal.reason !== 'empty') tell({ type: 'error', detail })
        return undefined
      }
      dispatch({ type: 'send', id, text, held: options.beforeSend !== undefined })
      return id
    },
    carriesOn() {
      const { sessionId, old } = state.peek()
      return sessionId !== undefined && !old
    },
    refusal: (text) => refuses(uuid(), text.trim()),
    typed: () => dispatch({ type: 'typed' }),
    retry: (id) => dispatch({ type: 'retry', id, freshId: uuid() }),
    discard(id) {
      // What is on its way cannot be taken back: only its echo, or a replay, says what became of it.
      if (!state.peek().outbox.some((item) => item.id === id && isSent(item)))
        dispatch({ type: 'discard', id })
    },
    stop: () => dispatch({ type: 'stop' }),
    leaveQueue: () => dispatch({ type: 'leave-queue' }),
    feedback: (key, rating, comment) => dispatch({ type: 'feedback', id: uuid(), key, rating, comment }),
    rate: (score, comment) => dispatch({ type: 'rate', id: uuid(), score, comment }),
    keepAlive: () => dispatch({ type: 'keep' }),
    end: () => dispatch({ type: 'end' }),
    restart: () => dispatch({ type: 'restart' }),
    wake() {
      checkSignedOut()
      dispatch({ type: 'wake' })
      // A copy of this tab has to hear whose the waiting messages are, also while this tab connects to nothing.
      if (isBegun() && state.peek().outbox.length > 0) tabs?.join()
    },
    suspend() {
      dispatch({ type: 'suspend' })
      tabs?.leave()
    },
    setOnline: (online) => dispatch({ type: 'online', online }),
    setVisible(visible) {
      if (visible) checkSignedOut()
      dispatch({ type: 'visible', visible })
    },
    setShown: (shown) => dispatch({ type: 'shown', shown }),
    reconnect: () => dispatch({ type: 'session', event: ownClose(state.peek()) }),
    async logout() {
      const mark = uuid()
      stored.signOut(mark)
      signOut(mark)
      tabs?.logout(mark)
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
      farewells.stop()
      listeners.clear()
    },
  }
}
