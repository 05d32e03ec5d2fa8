// Holds the locks of a page: one tab at a time enters a session, and no two tabs send the same stored message.

import type { Event } from '../state/events.ts'
import type { Clock, Locks } from '../state/model.ts'
import type { OutboxRecord } from '../state/state.ts'

/** The longest wait for another tab that enters a session. */
const ENTER_PATIENCE = 15_000
/** The longest wait for a message's lock: after a reload the previous page may hold it for a moment. */
const CLAIM_PATIENCE = 5_000
const GRACE = 100
/** Most messages of one page that have a lock. */
const MOST_LOCKS = 500

export interface PageLocks {
  /** Runs `work` while no other tab does; without a lock, or after 15 s, all the same. */
  alone(work: () => Promise<void>, signal: AbortSignal): Promise<void>
  /**
   * Keeps a lock for each message of this page. A loaded one is this page's if its lock is free: otherwise this page is a copy of one
   * that lives.
   */
  claim(outbox: readonly OutboxRecord[]): void
  /** Releases all locks. */
  release(): void
}

type Outer = { name: string; clock: Clock; dispatch(event: Event): void }

export function createLocks(locks: Locks | undefined, { name, clock, dispatch }: Outer): PageLocks {
  /** Releases each lock, or stops waiting for it. */
  const releases = new Set<() => void>()
  /** The release of each message's lock, by the message's id. */
  const held = new Map<string, () => void>()
  const ignore = () => {}

  /** Calls `settled` with whether the lock was granted within `patience` ms. Returns the release. */
  function request(what: string, patience: number, settled: (given: boolean) => void): () => void {
    const abort = new AbortController()
    let tell = settled
    let free = () => {}
    const settle = (given: boolean) => {
      stop()
      tell(given)
      tell = ignore
    }
    const release = () => {
      releases.delete(release)
      abort.abort()
      settle(false)
      free()
    }
    // A page that was frozen for so long may have been granted the lock meanwhile: wait for that event first.
    let stop = clock.after(patience - GRACE, () => {
      stop = clock.after(GRACE, release)
    })
    releases.add(release)
    const isHeld = () => {
      if (abort.signal.aborted) return undefined
      settle(true)
      return new Promise<void>((go) => {
        free = go
      })
    }
    // Without locks, or where the browser denies them, the page acts as if it were alone.
    if (locks) locks.request(`${name}:${what}`, { signal: abort.signal }, isHeld).catch(() => settle(true))
    else settle(true)
    return release
  }

  return {
    async alone(work, signal) {
      let release = ignore
      await new Promise<void>((go) => {
        release = request('enter', ENTER_PATIENCE, () => go())
        signal.addEventListener('abort', release)
      })
      const stop = clock.after(ENTER_PATIENCE, release)
      try {
        await work()
      } finally {
        stop()
        release()
        signal.removeEventListener('abort', release)
      }
    },
    claim(outbox) {
      for (const { id, unclaimed } of outbox) {
        if (held.has(id)) continue
        // Set before the request is settled, so that each lock is requested once.
        held.set(id, ignore)
        held.set(
          id,
          request(`message:${id}`, CLAIM_PATIENCE, (given) => {
            if (unclaimed && held.has(id)) dispatch({ type: given ? 'claimed' : 'copied', id })
          }),
        )
      }
      // Locks of sent messages are kept for a while: a copy of this page that comes back later may still have the message in its outbox.
      for (const [id, release] of held) {
        if (held.size <= MOST_LOCKS) return
        if (outbox.some((item) => item.id === id)) continue
        held.delete(id)
        release()
      }
    },
    release() {
      held.clear()
      for (const release of [...releases]) release()
    },
  }
}
