// What the embedded database sends to its worker: one message for all statements that are sent together.

import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type Database, openPglite } from '../../src/runtime/database/index.ts'

let database: Database
const messages: string[] = []
beforeAll(async () => {
  database = await openPglite(undefined)
  const post = Worker.prototype.postMessage
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message, ...rest) {
    if (message instanceof Uint8Array) messages.push(Buffer.from(message).toString('latin1'))
    return post.call(this, message, ...rest)
  })
}, 120_000)
afterAll(async () => {
  vi.restoreAllMocks()
  await database.close()
})
beforeEach(() => {
  messages.length = 0
})

const WORDS = ['BEGIN', 'COMMIT', 'ROLLBACK', 'one', 'two', 'three']
/** The known words of each message, in their order. */
const sent = () =>
  messages.map((message) => [...message.matchAll(new RegExp(WORDS.join('|'), 'g'))].map(([word]) => word))

it('a transaction sends BEGIN with its first statements and COMMIT with its last', async () => {
  await database.transaction(async (tx) => {
    tx.send("SELECT 'one'")
    await tx.query("SELECT 'two'")
    tx.send("SELECT 'one'")
    tx.send("SELECT 'three'")
  })
  expect(sent()).toEqual([
    ['BEGIN', 'one', 'two'],
    ['one', 'three', 'COMMIT'],
  ])
})

it('a statement does not wait for the answers of earlier ones', async () => {
  const rows = await database.transaction(async (tx) => {
    const slow = tx.query("SELECT 'one' AS word FROM pg_sleep(0.2)")
    await new Promise((resolve) => setImmediate(resolve))
    const next = tx.query("SELECT 'two' AS word")
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent()).toEqual([['BEGIN', 'one'], ['two']])
    return Promise.all([slow, next])
  })
  expect(rows).toEqual([[{ word: 'one' }], [{ word: 'two' }]])
})

it('a transaction without statements sends nothing', async () => {
  expect(await database.transaction(async () => 7)).toBe(7)
  await expect(database.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(messages).toEqual([])
})

it('a transaction whose code has seen a failure sends ROLLBACK, not COMMIT', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.query("SELECT 'one' FROM nowhere").catch(() => {})
  })
  await expect(failing).rejects.toThrow('nowhere')
  expect(sent()).toEqual([['BEGIN', 'one'], ['ROLLBACK']])
})
