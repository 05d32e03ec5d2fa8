// Limits how often tokens are requested. The counts are of this process, or of a store that several processes share; while
// that store is away, each process counts for itself.

/// <reference path="./rate-limiter-memory.d.ts" />
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import type { Log } from '../../api/index.ts'

/**
 * Counts one more request of `key`. Resolves to the requests in the current window of so many seconds, and the seconds
 * until it ends; rejects if it cannot count.
 */
export type CountRequest = (key: string, seconds: number) => Promise<{ count: number; wait: number }>

export interface Limiter {
  /** Counts a request. Resolves to the seconds to wait, or undefined if no more than `most` were sent in this minute. */
  check(key: string, most: number): Promise<number | undefined>
}

const WINDOW_SECONDS = 60
/** A store that takes longer is away: the visitor does not wait for it. */
const STORE_MS = 1_000

export function createLimiter(store: CountRequest | undefined, log: Log): Limiter {
  const memory = createMemoryStore()
  let away = false

  async function count(key: string): ReturnType<CountRequest> {
    if (!store) return memory(key, WINDOW_SECONDS)
    try {
      const counted = await inTime(store(key, WINDOW_SECONDS))
      if (away) log('access-token: the limits are shared between processes again', 'info')
      away = false
      return counted
    } catch {
      if (!away)
        log('access-token: the store of the limits is away, so this process counts for itself', 'warn')
      away = true
      return memory(key, WINDOW_SECONDS)
    }
  }
  return {
    async check(key, most) {
      const { count: requests, wait } = await count(key)
      return requests > most ? Math.max(1, Math.ceil(wait)) : undefined
    },
  }
}

function createMemoryStore(): CountRequest {
  const limiter = new RateLimiterMemory({ points: 1, duration: WINDOW_SECONDS })
  return async (key, seconds) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, 1, { customDuration: seconds })
    return { count: consumedPoints, wait: msBeforeNext / 1000 }
  }
}

async function inTime<T>(counted: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), STORE_MS)
  })
  try {
    return await Promise.race([counted, late])
  } finally {
    clearTimeout(timer)
  }
}
