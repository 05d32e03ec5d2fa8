// Carries the texts of the bus by Redis, which several deployments may share. Plain publishing reaches every node of a Redis Cluster.

import type { RedisClientType } from 'redis'
import type { Log } from '../../api/index.ts'
import { atMost, systemClock } from '../clock.ts'
import type { BusLink } from './bus.ts'

const channelOf = (deployment: string): string => `foyer:${deployment}:bus`
const MOST_BYTES = 64 * 1024
const PATIENCE_MS = 5_000

const NOT_REACHED =
  'Redis does not answer, so this process learns of what others do with a delay of seconds until it does. Check REDIS_URL.'

/** The options of `createRedisLink`. */
export type RedisLinkOptions = {
  /** A client of the package `redis`, connected or about to be. It stays the caller's. */
  redis: Pick<RedisClientType, 'duplicate' | 'isReady' | 'publish'>
  /** Takes each line of the log. */
  log: Log
  /** Milliseconds for one answer. Default: 5,000. */
  patienceMs?: number
}

/** Carries news between processes by Redis. */
export function createRedisLink({ redis, log, patienceMs = PATIENCE_MS }: RedisLinkOptions): BusLink {
  const subscriber = redis.duplicate()
  subscriber.on('error', () => {})
  let channel = ''

  async function subscribe(heard: (text: string) => void): Promise<void> {
    await subscriber.connect()
    await subscriber.subscribe(channel, heard)
  }

  return {
    mostBytes: MOST_BYTES,
    isAway: () => !redis.isReady || !subscriber.isReady,
    async open(heard, lost, deployment) {
      channel = channelOf(deployment)
      let opened = false
      // The client connects again, and subscribes again, by itself.
      const subscribed = subscribe(heard).then(() => {
        subscriber.on('ready', lost)
        opened = true
      })
      await atMost(systemClock, patienceMs, subscribed)
      if (opened) return
      log(NOT_REACHED, 'warn')
      void subscribed.then(lost, () => {})
    },
    async send(text) {
      if (!redis.isReady) throw new Error('The bus has no connection')
      await redis.publish(channel, text)
    },
    async close() {
      subscriber.destroy()
    },
  }
}
