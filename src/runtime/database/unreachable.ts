// Repeats what failed because the database could not be reached: a restart of the database harms no chat.

import type { Clock } from '../clock.ts'

const RETRY_MS = 500
/** After a longer time the work has failed. */
const PATIENCE_MS = 60_000

/** Errors of the network, of a database server that ends or is starting, and of a transaction that stood still for too long. */
const CODES = /^(E[A-Z]+|08\w{3}|57P0[123]|25P03)$/
const MESSAGES = /connection (terminated|error|closed)/i

/** True if the connection to the database could not be made or broke. What ran then may be stored, or not. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return (typeof code === 'string' && CODES.test(code)) || MESSAGES.test(String(message))
}

/** What went wrong between here and the database. The network of an agent, or of an endpoint, fails with the same codes. */
const ofDatabase = new WeakSet<object>()

/** Remembers that an error came from the database, or from the way there. */
export function noteDatabaseError(error: unknown): void {
  if (typeof error === 'object' && error !== null) ofDatabase.add(error)
}

/** True if a failure has no other cause than that the database cannot be reached. */
export function isOutage(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown }
  return [error, cause].some((each) => ofDatabase.has(Object(each)) && isUnreachable(each))
}

/** Runs `work` again while the database cannot be reached, for a minute. So `work` may run twice. */
export async function whileUnreachable<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  const until = clock.now() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || clock.now() > until) throw error
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve))
    }
  }
}
