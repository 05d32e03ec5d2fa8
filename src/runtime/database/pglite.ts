// Runs PostgreSQL inside this process. It has one connection, so transactions take turns at it.

import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Database, Queries } from './database.ts'
import { closeFiles, lockFolder } from './lock.ts'

type Answer = { id: number; rows?: unknown[]; error?: { message: string; code?: string }; ready?: true }

/** Opens the database in `folder`, or one that lives in memory. Throws a DataFolderError where it is in use. */
export async function openPglite(
  folder: string | undefined,
  log: (line: string) => void = () => {},
): Promise<Database> {
  const unlock = folder === undefined ? () => {} : lockFolder(folder, log)
  const worker = new Worker(new URL('./pglite-worker.js', import.meta.url), {
    workerData: folder === undefined ? {} : { folder: join(folder, 'db') },
  })
  const pending = new Map<number, { resolve: (rows: unknown[]) => void; reject: (error: Error) => void }>()
  let counter = 0
  let gone: Error | undefined

  const fail = (error: Error) => {
    gone = error
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (answer: Answer) => {
        if (answer.ready) return resolve()
        const call = pending.get(answer.id)
        pending.delete(answer.id)
        if (answer.error)
          call?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
        else call?.resolve(answer.rows ?? [])
      })
      worker.on('error', (error) => {
        reject(error)
        fail(error)
      })
      worker.on('exit', () => fail(new Error('The database is closed')))
    })
    if (folder !== undefined) closeFiles(folder)
  } catch (error) {
    unlock()
    throw error
  }

  function call(request: { sql?: string; params?: readonly unknown[]; script?: string }): Promise<unknown[]> {
    if (gone) return Promise.reject(gone)
    const id = ++counter
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject })
      worker.postMessage({ id, ...request })
    })
  }

  // Turns at the one connection, first come, first served.
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = last.then(run, run)
    last = turn.catch(() => {})
    return turn
  }
  const direct: Queries = {
    query: <T>(sql: string, params: readonly unknown[] = []) =>
      call({ sql, params: [...params] }) as Promise<T[]>,
  }

  return {
    query: (sql, params) => inTurn(() => direct.query(sql, params)),
    script: (script) => inTurn(() => call({ script }).then(() => {})),
    transaction: (run) =>
      inTurn(async () => {
        await direct.query('BEGIN')
        try {
          const result = await run(direct)
          await direct.query('COMMIT')
          return result
        } catch (error) {
          await direct.query('ROLLBACK').catch(() => {})
          throw error
        }
      }),
    async close() {
      if (!gone) {
        await inTurn(() => call({}))
        await worker.terminate()
      }
      unlock()
    },
  }
}
