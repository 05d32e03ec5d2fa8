// Publishes the events of sessions to the listeners of this process, and by the bus to those of others. Stored events are committed
// before they are published: a listener that misses one finds it in the store.
//
//   news of another process ─┬─ something is stored ──┐
//   gap, look ───────────────┴────────────────────────┴─▶ the store is asked ─┬─ up to which sequence ─▶ listeners
//                                                                             └─ no such session ─────▶ gone

import * as v from 'valibot'
import type { BusListener, News } from '../bus/index.ts'

/** The types of events that are published and never stored. */
export const TRANSIENT = [
  'EVENT_TYPE_POLY_AGENT_THINKING',
  'EVENT_TYPE_LIVE_AGENT_TYPING',
  'EVENT_TYPE_SESSION_IDLE_WARNING',
  // To live agents.
  'EVENT_TYPE_USER_TYPING',
  'note',
  'queue',
  // To the process that runs a turn, or could.
  'stopped',
  'ended',
  'waiting',
  // To those who wait for the answer to what a caller said.
  'settled',
  // To the process that holds a socket whose place was taken.
  'taken',
] as const
export type PublishedType = (typeof TRANSIENT)[number]

/** One event as it goes over the wire. */
export type WireEvent = {
  type: string
  payload: Record<string, unknown>
  /** Null: transient, not stored. */
  sequence: number | null
  id: string
  timestamp: string
  metadata?: { custom: Record<string, string> }
  first_sequence?: number
}

/** What a listener of a topic is told. */
export type Told =
  /** This process published them, or another one published transient ones. */
  | { events: readonly WireEvent[] }
  /** Another process stored events, up to this sequence: the listener can read them from the store. */
  | { storedUpTo: number }
  /** Some may have been missed: the listener looks at the store. */
  | { resync: true }
export type HubListener = (told: Told) => void

/** The events that the listener is told, as far as it is told any. */
export const eventsOf = (told: Told): readonly WireEvent[] => ('events' in told ? told.events : [])

export interface Hub {
  publish(topic: string, events: readonly WireEvent[]): void
  /** Calls only the listeners of this process. For what every process finds out by itself. */
  publishHere(topic: string, events: readonly WireEvent[]): void
  /** Calls back with each publication for the topic, in order; returns the undo. `gone`: the store has no such session any more. */
  subscribe(topic: string, listener: HubListener, gone?: () => void): () => void
  /** Something may have happened to a session without a publication: its listeners, here and elsewhere, get what the store has. */
  look(sessionId: string): void
  /** Anything may have happened without a publication: all listeners of this process look, those of sessions at what the store has. */
  gap(): void
}

/** A hub that gets news of other processes. */
export interface SharedHub extends Hub, BusListener {
  /** The listeners of all sessions get what the store has. */
  lookAtSessions(): void
}

export type HubOptions = {
  /** Tells the other processes. */
  tell?: (news: News) => void
  /** The last sequences of sessions in the store. */
  lastSequences?: (sessionIds: readonly string[]) => Promise<readonly { id: string; sequence: number }[]>
  failed?: (error: unknown) => void
}

/** The id of a session is its topic. Other topics have a kind before their id. */
const isSession = (topic: string): boolean => !topic.includes(':')

/** Events that are taken from other processes. All others are read from the store. */
const Transient = v.looseObject({
  type: v.picklist(TRANSIENT),
  id: v.string(),
  timestamp: v.string(),
  sequence: v.null(),
  payload: v.record(v.string(), v.unknown()),
})

type Topic = {
  /** With what is called when the session is gone. */
  listeners: Map<HubListener, () => void>
  /** Up to here the listeners know what is stored: from the store, or from who stored it. */
  sequence: number
}

/** A listener that throws stops neither the other listeners nor the publisher. */
export function createHub(options: HubOptions = {}): SharedHub {
  const { tell = () => {}, lastSequences = async () => [], failed = () => {} } = options
  const topics = new Map<string, Topic>()
  /** The store is being asked, and the sessions about which to ask next. */
  let asking = false
  const unasked = new Set<string>()

  function call(run: () => void): void {
    try {
      run()
    } catch (error) {
      failed(error)
    }
  }
  function deliver(topic: string, told: Told): void {
    for (const listener of topics.get(topic)?.listeners.keys() ?? []) call(() => listener(told))
  }
  function tellGone(topic: string): void {
    for (const gone of topics.get(topic)?.listeners.values() ?? []) call(gone)
  }
  /** True if the listeners did not know of this sequence. */
  function reach(topic: string, sequence: number): boolean {
    const known = topics.get(topic)
    if (!known || known.sequence >= sequence) return false
    known.sequence = sequence
    return true
  }

  /** Asks about those sessions that have listeners; one question at a time. */
  function ask(sessionIds: Iterable<string>): void {
    for (const id of sessionIds) if (topics.has(id)) unasked.add(id)
    if (!asking) void askStore()
  }
  async function askStore(): Promise<void> {
    asking = true
    while (unasked.size > 0) {
      const ids = [...unasked]
      unasked.clear()
      try {
        const stored = new Map((await lastSequences(ids)).map(({ id, sequence }) => [id, sequence]))
        for (const id of ids) {
          const sequence = stored.get(id)
          if (sequence === undefined) tellGone(id)
          else if (reach(id, sequence)) deliver(id, { storedUpTo: sequence })
        }
      } catch (error) {
        failed(error)
      }
    }
    asking = false
  }

  const lookAtSessions = () => ask([...topics.keys()].filter(isSession))

  return {
    publish(topic, events) {
      const sequence = events.reduce((last, event) => Math.max(last, event.sequence ?? 0), 0)
      reach(topic, sequence)
      deliver(topic, { events })
      if (sequence > 0) tell({ topic, sequence })
      const transient = events.filter((event) => event.sequence === null)
      if (transient.length > 0) tell({ topic, events: transient })
    },

    publishHere: (topic, events) => deliver(topic, { events }),

    subscribe(name, listener, gone = () => {}) {
      const topic = topics.get(name) ?? { listeners: new Map(), sequence: 0 }
      topics.set(name, topic)
      topic.listeners.set(listener, gone)
      return () => {
        topic.listeners.delete(listener)
        if (topic.listeners.size === 0 && topics.get(name) === topic) topics.delete(name)
      }
    },

    look(sessionId) {
      ask([sessionId])
      tell({ topic: sessionId, events: [] })
    },

    heard(news) {
      // What another process says of the store is a hint, and the store decides.
      if (isSession(news.topic) && ('sequence' in news || news.events.length === 0)) return ask([news.topic])
      if ('sequence' in news) return
      const events = news.events.filter((event): event is WireEvent => v.is(Transient, event))
      if (events.length > 0) deliver(news.topic, { events })
    },

    gap() {
      for (const topic of topics.keys()) if (!isSession(topic)) deliver(topic, { resync: true })
      lookAtSessions()
    },

    lookAtSessions,
  }
}
