// Implements locks for browsers without Web Locks, by a lease in the storage that all tabs share. The holder renews the
// lease; a tab that finds it expired takes it. A tab with throttled timers can lose the lease without noticing: it learns it
// at its next renewal, and until then two tabs have a socket each, which the service allows.

import type { Clock, KeyValue } from './state/model.ts'

const RENEW = 300
const LIFE = 900
/** Two tabs that take the lease at once both wait this long; the last writer has it. */
const SETTLE = 50

/** The one way in which tabs ask for a lock: in the queue. */
export interface QueuedLocks {
  request(name: string, options: { signal: AbortSignal }, held: () => Promise<void>): Promise<unknown>
}

export function leaseLocks(store: KeyValue, clock: Clock, id: string): QueuedLocks {
  const read = (key: string): { id?: unknown; until?: unknown } => {
    try {
      return (JSON.parse(store.get(key) ?? '{}') ?? {}) as object
    } catch {
      return {}
    }
  }
  const isFree = (key: string): boolean => {
    const { until } = read(key)
    return !(typeof until === 'number' && until > clock.wall() && until <= clock.wall() + LIFE)
  }
  const isMine = (key: string): boolean => read(key).id === id
  const write = (key: string) => store.set(key, JSON.stringify({ id, until: clock.wall() + LIFE }))

  return {
    /** Resolves when the lease was given back or lost. */
    request: (name, { signal }, held) =>
      new Promise((resolve) => {
        const key = `lock:${name}`
        let stop = () => {}
        let done = false
        const finish = () => {
          if (done) return
          done = true
          stop()
          if (isMine(key)) store.remove(key)
          resolve(undefined)
        }
        const renew = () => {
          if (!isMine(key)) return finish()
          write(key)
          stop = clock.after(RENEW, renew)
        }
        const settle = () => {
          if (!isMine(key)) return ask()
          // The lock is held: aborting the request has no effect from here on.
          signal.removeEventListener('abort', finish)
          renew()
          void held().then(finish, finish)
        }
        const ask = () => {
          if (isFree(key)) {
            write(key)
            stop = clock.after(SETTLE, settle)
          } else stop = clock.after(RENEW, ask)
        }
        if (signal.aborted) return resolve(undefined)
        signal.addEventListener('abort', finish)
        ask()
      }),
  }
}
