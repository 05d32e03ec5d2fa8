// Creates a chat: the public methods, which dispatch events, and the public signals. What follows from an event is decided by `reduce`,
// and done by the effects.
//
//   frame ─ socket ─ read ─┐
//   status, timer, storage ┼─▶ dispatch ─▶ reduce(state, event) ─▶ signals ─▶ ui
//   send, retry, end ──────┘                     │
//                                    effects ◀───┘ ─▶ token, session, socket, frames

import { MAX_MESSAGE_BYTES } from '../protocol/index.ts'
import { createAccess } from './access/access.ts'
import { createSealedText } from './access/sealed.ts'
import { createConnection } from './effects/connect.ts'
import { converseEffect, reviewEffect } from './effects/converse.ts'
import { enterEffect } from './effects/enter.ts'
import { createLateSends } from './effects/late-send.ts'
import { callPage, createLoop, type Effect } from './effects/loop.ts'
import { createStoring } from './effects/store.ts'
import { createStored } from './effects/stored.ts'
import { createTabs } from './effects/tabs.ts'
import { isSent, refusalOf, unheld } from './outbox/items.ts'
import { ownClose } from './session/timers.ts'
import { socketOpener } from './socket/socket.ts'
import { systemClock } from './state/clock.ts'
import type { PublicEvent } from './state/events.ts'
import { memoryStore } from './state/memory.ts'
import type { BeginningAct, Chat, ChatEvents, ChatOptions, KeyValue, WireNote } from './state/model.ts'
import { initialState } from './state/state.ts'
import { createView } from './view.ts'

/** Creates a chat. It reads what an earlier page has stored, and contacts nothing before `open` or another act of the visitor. */
export function createChat(options: ChatOptions): Chat {
  const listeners = new Map<keyof ChatEvents, Set<(detail: never) => void>>()
  const tell = ({ type, detail }: PublicEvent) => {
    for (const listener of listeners.get(type) ?? []) callPage(() => listener(detail as never))
  }
  const uuid = options.uuid ?? (() => crypto.randomUUID())
  const { loop, access, stored, storing, tabs, late } = createEngine(options, uuid, tell)
  const { state, dispatch } = loop
  if (options.chunkJoin instanceof Promise)
    void options.chunkJoin.then((join) => join && dispatch({ type: 'chunk-join', join }))

  function refuses(id: string, text: string) {
    const { outbox, capabilities } = state.peek()
    return refusalOf(outbox, id, text, capabilities?.max_message_size_bytes ?? MAX_MESSAGE_BYTES)
  }

  const view = createView(state)
  const carriesOn = () => {
    const { sessionId, old } = state.peek()
    return sessionId !== undefined && !old
  }
  /** Whether the next act of the visitor begins a new chat. */
  function begins(): boolean {
    const status = view.status.peek()
    return status === 'ended' || status === 'expired' || (status === 'idle' && !carriesOn())
  }
  const isHeld = (act: BeginningAct): boolean =>
    (act.type === 'restart' || begins()) && options.mayBegin?.(act) === false

  return {
    ...view,
    open() {
      storing.readAgain()
      dispatch({ type: 'session', event: { type: 'open' } })
    },
    send(given) {
      storing.readAgain()
      const id = uuid()
      const text = given.trim()
      const refusal = refuses(id, text)
      if (refusal) {
        const detail = { code: 'not-sent', message: `The message is not sent: ${refusal.reason}` }
        if (refusal.reason !== 'empty') tell({ type: 'error', detail })
        return undefined
      }
      if (!isHeld({ type: 'send', text }))
        dispatch({ type: 'send', id, text, held: options.beforeSend !== undefined })
      return id
    },
    carriesOn,
    refusal: (text) => refuses(uuid(), text.trim()),
    typed() {
      if (!isHeld({ type: 'typed' })) dispatch({ type: 'typed' })
    },
    retry(id) {
      if (!isHeld({ type: 'retry', id })) dispatch({ type: 'retry', id, freshId: uuid() })
    },
    discard(id) {
      // A sent message cannot be taken back: only its echo or a replay shows whether it arrived.
      if (!state.peek().outbox.some((item) => item.id === id && isSent(item)))
        dispatch({ type: 'discard', id })
    },
    stop: () => dispatch({ type: 'stop' }),
    leaveQueue: () => dispatch({ type: 'leave-queue' }),
    decide: (key, decision) => dispatch({ type: 'decide', id: uuid(), key, decision }),
    feedback: (key, rating, comment) => dispatch({ type: 'feedback', id: uuid(), key, rating, comment }),
    rate: (score, comment) => dispatch({ type: 'rate', id: uuid(), score, comment }),
    keepAlive: () => dispatch({ type: 'keep' }),
    end: () => dispatch({ type: 'end' }),
    restart() {
      if (!isHeld({ type: 'restart' })) dispatch({ type: 'restart' })
    },
    wake() {
      storing.readAgain()
      dispatch({ type: 'wake' })
    },
    suspend: () => dispatch({ type: 'suspend' }),
    setOnline: (online) => dispatch({ type: 'online', online }),
    setVisible(visible) {
      if (visible) storing.readAgain()
      dispatch({ type: 'visible', visible })
    },
    setShown: (shown) => dispatch({ type: 'shown', shown }),
    reconnect: () => dispatch({ type: 'session', event: ownClose(state.peek()) }),
    async logout() {
      const mark = uuid()
      stored.signOut(mark)
      dispatch({ type: 'signed-out', mark })
      tabs.signOut(mark)
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
      late.stop()
      listeners.clear()
    },
  }
}

/** Wraps a store of the page. Where the store throws, the page's console has the error, and the chat goes on as if nothing were stored. */
const unfailing = (store: KeyValue): KeyValue => ({
  get: (key) => callPage(() => store.get(key)),
  set: (key, value) => callPage(() => store.set(key, value)),
  remove: (key) => callPage(() => store.remove(key)),
})

/** Puts the parts together. The effects run in the order of this list: a socket is closed before the next session is entered. */
function createEngine(options: ChatOptions, uuid: () => string, tell: (event: PublicEvent) => void) {
  const clock = options.clock ?? systemClock
  const random = options.random ?? Math.random
  const sessions = unfailing(options.sessionStore ?? memoryStore())
  const stored = createStored(sessions, unfailing(options.outboxStore ?? memoryStore()), clock)
  const access = createAccess({
    tokenUrl: options.tokenUrl,
    platform: options.platform ?? 'web',
    streaming: options.streaming ?? true,
    language: options.language ?? (() => undefined),
    page: options.page,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    clock,
    sealed: options.keepSealed ? createSealedText(sessions) : undefined,
    storedMark: (sessionId) => stored.markOf(sessionId),
  })
  const note = (text: string, direction: WireNote['direction'] = 'note') =>
    callPage(() => options.onWire?.({ direction, at: clock.wall(), text }))
  const { beforeSend, chunkJoin, tabs: share } = options
  const initial = initialState(clock.now(), {
    sessionId: stored.session(),
    outbox: stored.outbox().map((item) => ({
      ...(beforeSend ? item : unheld(item)),
      unclaimed: share?.locks !== undefined,
    })),
    chunkJoin: chunkJoin === 'space' ? chunkJoin : undefined,
    old: stored.isOld(),
    signOut: stored.signedOut(),
    shared: share !== undefined,
    readTo: stored.readTo(),
  })
  const effects: Effect[] = []
  const loop = createLoop({ initial, clock, random, tell, effects })
  const openSocket = socketOpener(options.WebSocket)
  const tabs = createTabs(share, { loop, name: `foyer:${options.tokenUrl}`, uuid, clock })
  const connection = createConnection({ loop, access, openSocket, clock, note })
  const late = createLateSends({ loop, access, openSocket, clock, random })
  const storing = createStoring({ loop, access, stored, onSignedOut: options.onSignedOut })
  effects.push(
    connection.changed,
    late.changed,
    enterEffect({ loop, access, storing, tabs, tell, note }),
    storing.changed,
    ...(beforeSend ? [reviewEffect(loop, beforeSend)] : []),
    converseEffect(loop, connection, clock, uuid),
    (before, after) => {
      if (after.session.name !== before.session.name) note(after.session.name)
    },
    tabs.changed,
  )
  return { loop, access, stored, storing, tabs, late }
}
