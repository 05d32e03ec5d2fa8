// Starts one Redis server for the files whose processes tell each other by it.

import { lacks } from '../needs.ts'
import { startRedis } from '../process/redis.ts'

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.FOYER_TEST_BUS !== 'redis' || lacks('Redis')) return undefined
  const redis = await startRedis()
  process.env.FOYER_TEST_REDIS_URL = redis.url
  return redis.stop
}
