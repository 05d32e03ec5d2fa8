// Where token requests are counted: one counter for each key of each deployment, apart from the limits of the runtime.

import { expect, it } from 'vitest'
import type { Redis } from '../../src/cli/redis.ts'
import { databaseStore, redisStore } from '../../src/cli/start/limit-store.ts'
import type { Runtime } from '../../src/runtime/index.ts'

/** Does what the script of the limiter does, at a standing clock. */
function countingRedis() {
  const counters = new Map<string, { count: number; seconds: number }>()
  const redis = {
    isReady: true,
    async eval(
      _: string,
      { keys: [key = ''], arguments: [by, seconds] }: { keys: string[]; arguments: string[] },
    ) {
      const counter = counters.get(key) ?? { count: 0, seconds: Number(seconds) }
      counter.count += Number(by)
      counters.set(key, counter)
      return [counter.count, counter.seconds * 1_000]
    },
  }
  return redis as unknown as Redis
}

it('in Redis, a request counts for its own key, deployment and time', async () => {
  const redis = countingRedis()
  const [one, other] = [redisStore(redis, 'one'), redisStore(redis, 'other')]
  expect(await one('shop', 60)).toEqual({ count: 1, wait: 60 })
  expect(await one('shop', 60)).toEqual({ count: 2, wait: 60 })
  expect(await one('desk', 3_600)).toEqual({ count: 1, wait: 3_600 })
  expect(await other('shop', 10)).toEqual({ count: 1, wait: 10 })
})

it('in the database, a request counts under a name that no limit of the runtime has', async () => {
  const asked: unknown[] = []
  const count = databaseStore({
    async countRequest(...given: unknown[]) {
      asked.push(given)
      return { count: asked.length, wait: 1 }
    },
  } as unknown as Runtime)
  expect([await count('shop', 60), await count('desk', 10)]).toEqual([
    { count: 1, wait: 1 },
    { count: 2, wait: 1 },
  ])
  expect(asked).toEqual([
    ['bff shop', 60],
    ['bff desk', 10],
  ])
})
