// Holds the locks of a page: one tab at a time enters a session, and no two tabs send the same stored message.

import type { Event } from '../state/events.ts'
import type { Clock, Locks } from '../state/model.ts'
import type { OutboxRecord } from '../state/state.ts'

/** A tab that enters keeps the others waiting for at most so long. */
const ENTER_PATIENCE = 15_000
/** After a reload the page before may hold its lock for a moment. */
const CLAIM_PATIENCE = 5_000
const GRACE = 100
/** So many messages of one page have a lock. */
const MOST_LOCKS = 500

export interface PageLocks {
  /** Runs `work` while no other tab does; without a lock, or after 15 s, all the same. */
  alone(work: () => Promise<void>, signal: AbortSignal): Promise<void>
  /**
   * Keeps a lock for each message of this page. A loaded one is this page's if its lock is free: otherwise this page is a copy of one
   * that lives.
   */
  claim(outbox: readonly OutboxRecord[]): void
  /** Gives all locks back. */
  release(): void
}

type Outer = { name: string; clock: Clock; dispatch(event: Event): void }

export function createLocks(locks: Locks | undefined, { name, clock, dispatch }: Outer): PageLocks {
  /** Gives back, or stops waiting for, each lock. */
  const releases = new Set<() => void>()
  /** The same for the lock of each message. */
  const held = new Map<string, () => void>()
  const ignore = () => {}

  /** `settled` is told whether the lock was given within `patience` ms. Returns what gives it back. */
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
    // A page that stood still for so long may have been given the lock meanwhile, and hears of it now.
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
    // Where there are no locks, or the browser denies them, there is nobody to wait for.
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
        // Known before it is settled, so that it is asked for once.
        held.set(id, ignore)
        held.set(
          id,
          request(`message:${id}`, CLAIM_PATIENCE, (given) => {
            if (unclaimed && held.has(id)) dispatch({ type: given ? 'claimed' : 'copied', id })
          }),
        )
      }
      // A page that comes back much later may still wait for a message that was sent here.
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
