// Publishes the events of sessions to the listeners of this process, and by the bus to those of others. Stored events are committed
// before they are published: a listener that misses one finds it in the store.

import * as v from 'valibot'
import type { BusListener, News } from '../bus/index.ts'

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

/**
 * One of three calls:
 *   with `events`: this process published them, or another one published transient ones;
 *   with `sequence` alone: another process stored events, up to this sequence, which the listener can read from the store;
 *   with neither: news may have been missed, so the listener looks at the store.
 */
export type HubListener = (events: readonly WireEvent[], sequence?: number) => void

export interface Hub {
  publish(topic: string, events: readonly WireEvent[]): void
  /** Calls back with each publication for the topic, in order; returns the undo. */
  subscribe(topic: string, listener: HubListener): () => void
}

/** A hub that gets news of other processes. */
export interface SharedHub extends Hub, BusListener {}

export type HubOptions = {
  /** Tells the other processes. */
  tell?: (news: News) => void
  /** The last sequences of sessions in the store. */
  lastSequences?: (sessionIds: readonly string[]) => Promise<readonly { id: string; sequence: number }[]>
  failed?: (error: unknown) => void
}

/** The id of a session is its topic. Other topics have a kind before their id. */
const isSession = (topic: string): boolean => !topic.includes(':')

/** Events that come from other processes. */
const Transient = v.looseObject({
  type: v.string(),
  id: v.string(),
  timestamp: v.string(),
  sequence: v.null(),
  payload: v.record(v.string(), v.unknown()),
})

type Topic = {
  listeners: Set<HubListener>
  /** Up to here the listeners know what is stored. */
  sequence: number
}

/** A listener that throws stops neither the other listeners nor the publisher. */
export function createHub(options: HubOptions = {}): SharedHub {
  const { tell = () => {}, lastSequences = async () => [], failed = () => {} } = options
  const topics = new Map<string, Topic>()
  /** The store is being asked after a gap, and whether there was another one since. */
  let asking = false
  let askAgain = false

  function deliver(topic: string, events: readonly WireEvent[], sequence?: number): void {
    for (const listener of topics.get(topic)?.listeners ?? []) {
      try {
        listener(events, sequence)
      } catch (error) {
        failed(error)
      }
    }
  }
  /** True if the listeners did not know of this sequence. */
  function reach(topic: string, sequence: number): boolean {
    const known = topics.get(topic)
    if (!known || known.sequence >= sequence) return false
    known.sequence = sequence
    return true
  }

  async function askStore(): Promise<void> {
    asking = true
    while (askAgain) {
      askAgain = false
      const sessionIds = [...topics.keys()].filter(isSession)
      try {
        const rows = sessionIds.length > 0 ? await lastSequences(sessionIds) : []
        for (const { id, sequence } of rows) if (reach(id, sequence)) deliver(id, [], sequence)
      } catch (error) {
        failed(error)
      }
    }
    asking = false
  }

  return {
    publish(topic, events) {
      const sequence = events.reduce((last, event) => Math.max(last, event.sequence ?? 0), 0)
      reach(topic, sequence)
      deliver(topic, events)
      if (sequence > 0) tell({ topic, sequence })
      const transient = events.filter((event) => event.sequence === null)
      if (transient.length > 0) tell({ topic, events: transient })
    },

    subscribe(name, listener) {
      const topic = topics.get(name) ?? { listeners: new Set(), sequence: 0 }
      topics.set(name, topic)
      topic.listeners.add(listener)
      return () => {
        topic.listeners.delete(listener)
        if (topic.listeners.size === 0 && topics.get(name) === topic) topics.delete(name)
      }
    },

    heard(news) {
      if ('sequence' in news) {
        if (reach(news.topic, news.sequence)) deliver(news.topic, [], news.sequence)
      } else
        deliver(
          news.topic,
          news.events.filter((event): event is WireEvent => v.is(Transient, event)),
        )
    },

    gap() {
      for (const topic of topics.keys()) if (!isSession(topic)) deliver(topic, [])
      askAgain = true
      if (!asking) void askStore()
    },
  }
}
