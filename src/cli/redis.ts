// Connects to the Redis server of REDIS_URL. While the server is away, commands fail at once and the connection is tried
// again, so that whoever uses Redis decides how to go on without it.

import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../api/index.ts'
import { StartError } from './start-error.ts'

/** A client of node-redis with its error listener. For subscriptions open another one. */
export type Redis = Awaited<ReturnType<typeof newClient>>

const CONNECT_MS = 5_000
/** A connection without an answer to its ping for so long is dead, though nobody has closed it. */
const PING_MS = 5_000
const SILENCE_MS = 15_000
/** Commands without an answer that are kept at most. */
const MOST_COMMANDS = 10_000
const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 3_000
/** Errors that a later try gets as well: wrong password, missing rights, a database that does not exist. */
const LASTING = /^(WRONGPASS|NOAUTH|NOPERM|ERR)\b/

/**
 * Resolves once the server has answered, or after `patienceMs` if it cannot be reached: the client goes on trying. Rejects with a
 * StartError if the server refuses the credentials or the database of the address.
 */
export async function openRedis(url: string, log: Log, patienceMs = CONNECT_MS): Promise<Redis> {
  let wasReady = false
  let away = false
  const client = await newClient(url, (tries, cause) => {
    if (!wasReady && LASTING.test(cause.message)) return cause
    // With chance, so that all processes do not come back in the same moment.
    return Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
  })
  client.on('error', (error: unknown) => {
    if (!away && client.isOpen)
      log(`Redis is away (${reasonOf(error)}); the connection is tried again`, 'warn')
    away = true
  })
  client.on('ready', () => {
    wasReady = true
    if (away) log('Redis is back', 'info')
    away = false
  })
  let refusal: unknown
  const connected = client.connect().catch((error: unknown) => {
    refusal = error
  })
  await Promise.race([connected, wait(patienceMs, undefined, { ref: false })])
  if (refusal !== undefined)
    throw new StartError(
      `The Redis server of REDIS_URL refuses the connection (${reasonOf(refusal)}). Correct user, password and database in REDIS_URL.`,
    )
  return client
}

async function newClient(url: string, reconnectStrategy: (tries: number, cause: Error) => number | Error) {
  // To load it takes a tenth of a start.
  const { createClient } = await import('redis')
  return createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_COMMANDS,
    pingInterval: PING_MS,
    socket: { connectTimeout: CONNECT_MS, socketTimeout: SILENCE_MS, reconnectStrategy },
  })
}

/** The code of an error, or the first word of what Redis answered; never an address or a password. */
function reasonOf(error: unknown): string {
  const { code, message, originalError } = Object(error) as {
    code?: unknown
    message?: unknown
    originalError?: unknown
  }
  if (originalError !== undefined) return reasonOf(originalError)
  return String(code ?? /^[A-Z]+\b/.exec(String(message))?.[0] ?? 'no answer')
}
