// Keeps the events of one session that a tab has received, for tabs that come later.

import { customId, type Frame, idOf, type ServerEvent } from '../protocol/index.ts'

export type History = {
  /**
   * Keeps the events of a frame. An echo without the id of its message gets the one that `whose` finds. Returns the frame to
   * read and to forward.
   */
  take(text: string, frame: Frame, whose: (echo: Echo) => string | undefined): { text: string; frame: Frame }
  /** Whether the echo of the message has arrived. */
  confirms(id: string): boolean
  /** Whether the service itself has ended the session. */
  isEnded(): boolean
  /** A batch of the events after `cursor`, at least of the last one. */
  since(cursor: number): string
}
export type Echo = Extract<ServerEvent, { type: 'EVENT_TYPE_USER_MESSAGE' }>

export function createHistory(): History {
  /** `isBatch`: the text is that of the whole batch. Few batches are ever asked for, so a batch is taken apart when it is. */
  const heard = new Map<string, { sequence: number; text: string; isBatch: boolean }>()
  const confirmed = new Set<string>()
  let ended = false
  let highest = 0
  /** The sequence before the first late event, which earlier guests may lack. */
  let late = Number.POSITIVE_INFINITY

  return {
    take(text, frame, whose) {
      const fresh = frame.events.filter(({ id }) => id !== undefined && !heard.has(id)).length
      // Little is new in the replay after a reconnection: to keep its whole text for that would keep one history for each connection.
      const isShared = frame.batch && fresh * 2 > frame.events.length
      let raw = frame.batch && !isShared ? rawEvents(text) : undefined
      let passed = text
      const events = frame.events.map((given): ServerEvent => {
        const { id, sequence, type } = given
        const isKnown = id !== undefined && heard.has(id)
        let event = given
        if (given.type === 'EVENT_TYPE_USER_MESSAGE') {
          const name = idOf(given.metadata?.custom)
          const found = name ?? (isKnown ? undefined : whose(given))
          if (found !== undefined) confirmed.add(found)
          if (found !== name) event = { ...given, metadata: customId(found ?? '') }
        }
        if (type === 'EVENT_TYPE_SESSION_END') ended = true
        if (id === undefined || sequence === undefined || isKnown) return event
        if (sequence < highest) late = Math.min(late, sequence - 1)
        highest = Math.max(highest, sequence)
        let kept = isShared ? text : (raw?.get(id) ?? text)
        if (event !== given) {
          if (frame.batch) raw ??= rawEvents(text)
          const own = JSON.parse(raw?.get(id) ?? text) as object
          kept = JSON.stringify({ ...own, metadata: event.metadata })
        }
        if (!frame.batch) passed = kept
        heard.set(id, { sequence, text: kept, isBatch: isShared && event === given })
        return event
      })
      return { text: passed, frame: { ...frame, events } }
    },
    confirms: (id) => confirmed.has(id),
    isEnded: () => ended,
    since(cursor) {
      const after = Math.min(cursor, late, highest - 1)
      const batches = new Map<string, Map<string, string>>()
      const events: string[] = []
      for (const [id, { sequence, text, isBatch }] of heard) {
        if (sequence <= after) continue
        if (isBatch && !batches.has(text)) batches.set(text, rawEvents(text))
        events.push(batches.get(text)?.get(id) ?? text)
      }
      return `{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[${events.join()}]}}`
    },
  }
}

function rawEvents(text: string): Map<string, string> {
  const frame = JSON.parse(text) as { payload?: { events?: object[] }; event_batch?: { events?: object[] } }
  const events = frame.payload?.events ?? frame.event_batch?.events ?? []
  return new Map(
    events.map((event) => [String((event as { id?: unknown } | null)?.id), JSON.stringify(event)]),
  )
}
