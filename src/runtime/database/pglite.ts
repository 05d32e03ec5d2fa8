// Runs PostgreSQL inside this process. There is one connection, so transactions run one at a time.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Database, Queries } from './database.ts'
import { closeFiles, lockFolder } from './lock.ts'
import { readTemplate, unpackTemplate } from './template.ts'

export type PgliteOptions = {
  log?: ((line: string) => void) | undefined
  /** The template file that a new folder, or a database in memory, starts from. */
  template?: string | undefined
}

export type PgliteDatabase = Database & {
  /** The whole database, as a tar. */
  dump(): Promise<Uint8Array>
}

type Request = { sql?: string; params?: readonly unknown[]; script?: string; dump?: true }
type Answer = { id: number; rows?: unknown[]; error?: { message: string; code?: string }; ready?: true }

/** Opens the database in `folder`, or one in memory. Throws a DataFolderError if the folder is in use. */
export async function openPglite(
  folder: string | undefined,
  { log, template }: PgliteOptions = {},
): Promise<PgliteDatabase> {
  const unlock = folder === undefined ? () => {} : lockFolder(folder, log)
  let workerData = {}
  try {
    if (folder === undefined) workerData = { template: template && readTemplate(template) }
    else {
      workerData = { folder: join(folder, 'db') }
      if (template && !existsSync(join(folder, 'db'))) await unpackTemplate(template, join(folder, 'db'))
    }
  } catch (error) {
    unlock()
    throw error
  }
  const worker = new Worker(new URL('./pglite-worker.js', import.meta.url), { workerData })
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

  function call(request: Request): Promise<unknown[]> {
    if (gone) return Promise.reject(gone)
    const id = ++counter
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject })
      worker.postMessage({ id, ...request })
    })
  }

  // The queue for the one connection, first come, first served.
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
    dump: () => inTurn(async () => (await call({ dump: true }))[0] as Uint8Array),
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
