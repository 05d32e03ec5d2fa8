// Runs the contract on several runtimes behind a round robin of requests and sockets, as FOYER_TEST_BUS asks: `notify` and `redis` are
// the real ones, `lossy` is one that loses, delays and doubles what it carries.

import { createClient, type RedisClientType } from 'redis'
import {
  type BusLink,
  createNotifyLink,
  createRedisLink,
  createRuntime,
  type Database,
  type Runtime,
  type RuntimeOptions,
} from '../../src/runtime/index.ts'
import { LOSSES, lossyLink } from '../cluster/lossy-bus.ts'
import { urlOf } from './store.ts'

const kind = process.env.FOYER_TEST_BUS
const PROCESSES = 3
/** A lossy bus leaves it to this to find what it lost. */
const LOOK_MS = 250
/** Of so many texts a bus that loses a fifth has lost some. */
const MANY = 50

/** One runtime, or as many as the run asks for; `next` names them in turn. */
export async function createRuntimes(
  options: RuntimeOptions,
): Promise<{ runtime: Runtime; next(): Runtime; close(): Promise<void> }> {
  const { data } = options
  if (kind === undefined || typeof data !== 'object' || !('database' in data)) {
    const runtime = await createRuntime(options)
    return { runtime, next: () => runtime, close: runtime.close }
  }
  const { database } = data
  const kept: Database = { ...database, close: async () => {} }
  const runtimes: Runtime[] = []
  const carried = { sent: 0, dropped: 0 }
  const wire = lossyWire(
    () => void carried.sent++,
    () => void carried.dropped++,
  )
  const redis = kind === 'redis' ? await connectRedis() : undefined
  for (let n = 0; n < PROCESSES; n++)
    runtimes.push(
      await createRuntime({
        ...options,
        data: { database: kept },
        bus: redis
          ? createRedisLink({ redis, log: options.log ?? (() => {}) })
          : kind === 'notify'
            ? createNotifyLink({ url: urlOf(database), db: database, log: options.log ?? (() => {}) })
            : wire(),
      }),
    )
  let turn = 0
  /** What each process was given to serve. */
  const served = new Map(runtimes.map((runtime) => [runtime, 0]))
  const [first] = runtimes
  if (!first) throw new Error('There is no runtime')
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= (async () => {
      await Promise.all(runtimes.map((runtime) => runtime.close()))
      redis?.destroy()
      await database.close()
      // A run on one process, or on a whole bus, would prove nothing of several.
      if (turn >= 2 * PROCESSES && Math.min(...served.values()) === 0)
        throw new Error(`of ${turn} requests the processes served ${[...served.values()].join(', ')}`)
      if (carried.sent >= MANY && carried.dropped === 0)
        throw new Error(`of ${carried.sent} texts the lossy bus lost none`)
    })()
    return closing
  }
  return {
    runtime: { ...first, desk: (project) => runtimes[1]?.desk(project) ?? first.desk(project), close },
    next() {
      const runtime = runtimes[turn++ % PROCESSES] ?? first
      served.set(runtime, (served.get(runtime) ?? 0) + 1)
      return runtime
    },
    close,
  }
}

async function connectRedis(): Promise<RedisClientType> {
  const url = process.env.FOYER_TEST_REDIS_URL
  if (!url) throw new Error('FOYER_TEST_REDIS_URL is not set: run it by npm run test:contract')
  const redis = createClient({ url }) as RedisClientType
  redis.on('error', () => {})
  await redis.connect()
  return redis
}

/** Opens links that carry to all of them, and lose the same in every run. */
function lossyWire(sent: () => void, dropped: () => void): () => BusLink {
  const hearers = new Set<(text: string) => void>()
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const whole = (): BusLink => {
    let own: ((text: string) => void) | undefined
    return {
      mostBytes: 7_500,
      lookMs: LOOK_MS,
      async open(heard) {
        own = heard
        hearers.add(heard)
      },
      async send(text) {
        sent()
        for (const heard of hearers) setImmediate(() => hearers.has(heard) && heard(text))
      },
      async close() {
        if (own) hearers.delete(own)
      },
    }
  }
  return () => lossyLink(whole(), dropped, LOSSES, random)
}
