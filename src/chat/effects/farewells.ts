// All that is still said in sessions that have no socket here any more: the visitor's ends and ratings, and those for which other tabs ask.

import { idOf, type ServerEvent } from '../../protocol/index.ts'
import { type Access, AccessError } from '../access/access.ts'
import type { State } from '../state/state.ts'
import type { Tabs } from '../transport.ts'
import { ending, type Farewell, type Said, sayFarewell } from './farewell.ts'

type Outer = Pick<Farewell, 'openSocket' | 'clock' | 'random'> & {
  state(): State
  access: Access
  tabs(): Tabs | undefined
  /** The service knows the rating, or the last attempt is over. */
  rated(id: string): void
}

const echoOf =
  (id: string): Said['isHeard'] =>
  ({ metadata }) =>
    idOf(metadata?.custom) === id

export function createFarewells({ state, access, tabs, rated, ...by }: Outer) {
  /** How to stop each. */
  const stops = new Set<() => void>()
  /** Tells another tab that its request is done, by the id of the request. */
  const errands = new Map<string, () => void>()

  function finish(id: string): void {
    errands.get(id)?.()
    errands.delete(id)
  }

  /**
   * Each attempt reads from behind what the one before has read: a long history leaves time for the answer, and an ended session
   * takes a rating only with the sequence of its end.
   */
  function tracked(sessionId: string, { text, isHeard }: Pick<Said, 'text' | 'isHeard'>, from?: number) {
    const { sessionId: own, log } = state()
    let cursor = from ?? (sessionId === own ? log.cursor : 0)
    return {
      text,
      isHeard(event: ServerEvent) {
        cursor = Math.max(cursor, event.sequence ?? 0)
        return isHeard(event)
      },
      cursor: () => cursor,
    }
  }

  /** Sends one event. */
  function say(sessionId: string, said: Said, asks: boolean): void {
    // The session that is being entered comes first: a token is for one session, and one thing at a time asks for it.
    const isFree = () => !['entering', 'waiting'].includes(state().session.name)
    // Read before a session is entered whose token replaces the one that is here.
    const known = access.holds(sessionId) && access.socketUrl(sessionId, 0)
    const address = async () => {
      if (known) return known
      if (!isFree()) throw new AccessError('busy')
      return access.addressAgain(sessionId, asks, state().sessionId)
    }
    const done = () => {
      stops.delete(stop)
      said.done?.()
    }
    const stop = sayFarewell({ ...by, ...said, done, isFree, address })
    stops.add(stop)
  }

  return {
    /** Tells the service that the visitor ended a session while no socket was open. */
    end(sessionId: string, cursor: number, asks: boolean): void {
      const ask = (told: () => void) => tabs()?.end(sessionId, told) ?? false
      // A tab that asks for the same end meanwhile hears of this one.
      if (!errands.has(sessionId)) errands.set(sessionId, () => {})
      say(sessionId, { ...tracked(sessionId, ending, cursor), ask, done: () => finish(sessionId) }, asks)
    },
    /** Sends the visitor's rating of an ended session. */
    rate(sessionId: string, id: string, text: string): void {
      const ask = (told: () => void) => tabs()?.sayLate(sessionId, id, text, told) ?? false
      const said = tracked(sessionId, { text, isHeard: echoOf(id) })
      say(sessionId, { ...said, ask, done: () => rated(id) }, true)
    },
    /**
     * Sends an event for another tab, which repeats its request until it is told: once at a time for each id. Without a text it is the
     * visitor's end.
     */
    sayFor(id: string, sessionId: string, text: string | undefined, told: () => void): void {
      const isAsked = errands.has(id)
      errands.set(id, told)
      if (isAsked) return
      const said = text === undefined ? ending : { text, isHeard: echoOf(id) }
      say(sessionId, { ...tracked(sessionId, said), ask: () => false, done: () => finish(id) }, true)
    },
    /** Stops all: what is not sent yet would need a token, which is being deleted. */
    stop(): void {
      for (const stop of stops) stop()
      stops.clear()
      errands.clear()
    },
  }
}
