// Carries the texts of the bus by Redis: by sharded publishing where the server has it.

import type { RedisClientType } from 'redis'
import type { Log } from '../../api/index.ts'
import { atMost, systemClock } from '../clock.ts'
import type { BusLink } from './bus.ts'

const CHANNEL = 'foyer:bus'
const MOST_BYTES = 64 * 1024
/** The first version with sharded publishing. */
const SHARDED_FROM = 7
const PATIENCE_MS = 5_000

const NOT_REACHED =
  'Redis does not answer, so this process learns of what others do with a delay of seconds until it does. Check REDIS_URL.'

export type RedisLinkOptions = {
  /** Connected, or about to be. It stays the caller's. */
  redis: Pick<RedisClientType, 'duplicate' | 'info' | 'isReady' | 'publish' | 'sPublish'>
  log: Log
  patienceMs?: number
}

export function createRedisLink({ redis, log, patienceMs = PATIENCE_MS }: RedisLinkOptions): BusLink {
  const subscriber = redis.duplicate()
  subscriber.on('error', () => {})
  let sharded = false

  async function subscribe(heard: (text: string) => void): Promise<void> {
    await subscriber.connect()
    const [, major = '0'] = /redis_version:(\d+)/.exec(await subscriber.info('server')) ?? []
    sharded = Number(major) >= SHARDED_FROM
    if (sharded) await subscriber.sSubscribe(CHANNEL, heard)
    else await subscriber.subscribe(CHANNEL, heard)
  }

  return {
    mostBytes: MOST_BYTES,
    async open(heard, lost) {
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
      if (sharded) await redis.sPublish(CHANNEL, text)
      else await redis.publish(CHANNEL, text)
    },
    async close() {
      subscriber.destroy()
    },
  }
}
