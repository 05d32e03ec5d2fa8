// Reads and writes the data that survives a reload: the session with a mark of its token, for all tabs, and the outbox of this tab. Never
// stores the token, the transcript or the cursor. Checks everything it reads: it may be written by others, or half.

import { MOST_BYTES, MOST_ITEMS, newItem } from '../outbox/items.ts'
import { isWorking } from '../state/memory.ts'
import type { Clock, KeyValue } from '../state/model.ts'
import type { OutboxRecord } from '../state/state.ts'

const SESSION = 'session'
const OUTBOX = 'outbox'
const SIGNED_OUT = 'signed-out'
/** Most sign-outs that one page remembers. An outbox that was stored under an older one is dropped. */
const MOST_MARKS = 50
/** Nobody misses an older session. The clock may be wrong: the service is asked for it all the same (law L9). */
const OLDEST_SESSION = 24 * 60 * 60 * 1000

export type Stored = {
  session(): string | undefined
  /** Whether other tabs can read what this one stores. */
  isShared(): boolean
  /** Whether the stored session is of another day, by the wall clock. */
  isOld(): boolean
  /** `mark`: of the session's token, kept as it is where this tab does not know the token. */
  saveSession(sessionId: string, mark?: string): void
  /** The mark of its token that is stored with the session. */
  markOf(sessionId: string): string | undefined
  /** Whether the service tells how the session stands; kept with the session, unless the store names another one. */
  hasStatus(sessionId: string): boolean
  saveStatus(sessionId: string, hasStatus: boolean): void
  /** How far the visitor has read in the stored session, in any tab; 0: nobody knows. */
  readTo(): number
  saveReadTo(sessionId: string, sequence: number): void
  /** Keeps the stored session if it is of another tab, which this one never entered (undefined) or which replaced its own. */
  forgetSession(sessionId: string | undefined): void
  /** The mark of the last sign-out: older data belongs to another person. */
  signedOut(): string | undefined
  /** Only for the tab that signs out: in a tab that learns of it later, the stored session may be the next visitor's. */
  signOut(mark: string): void
  outbox(): OutboxRecord[]
  saveOutbox(outbox: readonly OutboxRecord[]): void
  /** After a sign-out with this mark, which the shared store may have failed to keep: what is saved from now on belongs to another visitor. */
  forgetOutbox(mark: string): void
}

export function createStored(sessions: KeyValue, outboxes: KeyValue, clock: Clock): Stored {
  /** The mark of the last sign-out that this tab knows: its messages are stored with it. */
  let by = sessions.get(SIGNED_OUT)
  /**
   * Sign-outs that happened while the shared store could not be read. Once it can, it holds one of them. Messages written after any of
   * them are this visitor's.
   */
  let also: readonly string[] = []
  /** Notes the last sign-out. An unreadable store tells nothing, so marks of sign-outs are collected until it can be read again. */
  function noteSignOut(mark?: string): void {
    const known = sessions.get(SIGNED_OUT)
    by = known ?? by
    also = known !== undefined ? [] : mark === undefined ? also : [...also, mark].slice(-MOST_MARKS)
  }
  type StoredSession = { id?: unknown; at?: unknown; mark?: unknown; hasStatus?: unknown; readTo?: unknown }
  const storedSession = (): StoredSession => parse(sessions.get(SESSION))
  const readTo = (): number => count(storedSession().readTo)
  const change = (sessionId: string, changes: StoredSession) => {
    const session = storedSession()
    if (session.id === sessionId) sessions.set(SESSION, JSON.stringify({ ...session, ...changes }))
  }
  function markOf(sessionId: string): string | undefined {
    const { id, mark } = storedSession()
    return id === sessionId && typeof mark === 'string' ? mark : undefined
  }
  function hasStatus(sessionId: string): boolean {
    const { id, hasStatus } = storedSession()
    return id === sessionId && hasStatus === true
  }
  return {
    session() {
      const { id, at } = storedSession()
      return typeof id === 'string' && id && typeof at === 'number' ? id : undefined
    },
    isShared: () => isWorking(sessions),
    isOld() {
      const { at } = storedSession()
      return typeof at === 'number' && Math.abs(clock.wall() - at) >= OLDEST_SESSION
    },
    saveSession(sessionId, mark = markOf(sessionId)) {
      const { id, ...more } = storedSession()
      const kept = id === sessionId ? more : {}
      sessions.set(SESSION, JSON.stringify({ ...kept, id: sessionId, at: clock.wall(), mark }))
    },
    markOf,
    hasStatus,
    saveStatus(sessionId, status) {
      if (hasStatus(sessionId) !== status) change(sessionId, { hasStatus: status })
    },
    readTo,
    saveReadTo(sessionId, sequence) {
      if (sequence > readTo()) change(sessionId, { readTo: sequence })
    },
    forgetSession(sessionId) {
      const { id } = storedSession()
      if (id === sessionId) sessions.remove(SESSION)
    },
    signedOut: () => sessions.get(SIGNED_OUT),
    signOut(mark) {
      sessions.set(SIGNED_OUT, mark)
      sessions.remove(SESSION)
    },
    outbox() {
      const { items, mark, also } = parse(outboxes.get(OUTBOX)) as Record<string, unknown>
      const last = sessions.get(SIGNED_OUT)
      if (!Array.isArray(items) || !(mark === last || (Array.isArray(also) && also.includes(last)))) return []
      return items.slice(0, MOST_ITEMS).flatMap((item) => readItem(item) ?? [])
    },
    saveOutbox(outbox) {
      if (outbox.length === 0) {
        noteSignOut()
        return outboxes.remove(OUTBOX)
      }
      outboxes.set(OUTBOX, JSON.stringify({ items: outbox, mark: by, also }))
    },
    forgetOutbox(mark) {
      noteSignOut(mark)
      outboxes.remove(OUTBOX)
    },
  }
}

const count = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, value as number) : 0)

function parse(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const STATES = ['held', 'queued', 'sent', 'failed', 'unconfirmed'] as const

function readItem(item: unknown): OutboxRecord | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const { id, text, at, state, session, tries, after } = item as Record<string, unknown>
  if (typeof id !== 'string' || !id || typeof text !== 'string' || !text || text.length > MOST_BYTES)
    return undefined
  const known = STATES.find((each) => each === state)
  if (!known) return undefined
  return {
    ...newItem(id, text, count(at), typeof session === 'string' ? session : undefined),
    state: known,
    tries: count(tries),
    after: count(after),
  }
}
