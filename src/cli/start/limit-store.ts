// Chooses where the BFF counts token requests: in Redis, in the PostgreSQL server, or in this process.

import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { CountRequest } from '../../bff/index.ts'
import type { Runtime } from '../../runtime/index.ts'
import type { Redis } from '../redis.ts'

/** `deployment`: several may share one Redis. */
export function redisStore(redis: Redis, deployment: string): CountRequest {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    useRedisPackage: true,
    keyPrefix: `foyer:${deployment}:limit`,
    points: 1,
    duration: 60,
  })
  return async (key, seconds) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, 1, { customDuration: seconds })
    return { count: consumedPoints, wait: msBeforeNext / 1000 }
  }
}

/** Beside the runtime's own limits, in the table that the runtime makes and tidies. */
export const databaseStore =
  (runtime: Runtime): CountRequest =>
  (key, seconds) =>
    runtime.countRequest(`bff ${key}`, seconds)
