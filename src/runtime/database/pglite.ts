// Runs PostgreSQL inside this process. There is one connection, so transactions run one at a time.

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { sendBatch } from './batch.ts'
import type { Database } from './database.ts'
import { closeFiles, lockFolder } from './lock.ts'
import { readTemplate, unpackTemplate } from './template.ts'
import { type RoundTrip, runTransaction } from './transaction.ts'
import { isProtocol, WorkerStream } from './worker-stream.ts'

export type PgliteOptions = {
  log?: ((line: string) => void) | undefined
  /** The template file that a new folder, or a database in memory, starts from. */
  template?: string | undefined
}

export type PgliteDatabase = Database & {
  /** The whole database, as a tar. */
  dump(): Promise<Uint8Array>
}

/** Opens the database in `folder`, or one in memory. Throws a DataFolderError if the folder is in use. */
export async function openPglite(
  folder: string | undefined,
  { log, template }: PgliteOptions = {},
): Promise<PgliteDatabase> {
  const unlock = folder === undefined ? () => {} : lockFolder(folder, log)
  let worker: Worker | undefined
  try {
    worker = await startWorker(folder, template)
    const stream = new WorkerStream(worker)
    const client = new pg.Client({ stream: () => stream, user: 'postgres', database: 'postgres' })
    // Its queries reject with the error.
    client.on('error', () => {})
    await client.connect()
    if (folder !== undefined) closeFiles(folder)
    return databaseOver(client, worker, unlock)
  } catch (error) {
    await worker?.terminate()
    unlock()
    throw error
  }
}

/** Resolves once PGlite is running in its worker. */
async function startWorker(folder: string | undefined, template: string | undefined): Promise<Worker> {
  // The worker loads PGlite while the template is unpacked.
  const worker = new Worker(new URL('./pglite-worker.js', import.meta.url))
  try {
    const ready = once(worker, 'message')
    ready.catch(() => {})
    const db = folder && join(folder, 'db')
    if (db && template && !existsSync(db)) await unpackTemplate(template, db)
    worker.postMessage(db ? { folder: db } : { template: template && readTemplate(template) })
    await ready
    return worker
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

function databaseOver(client: pg.Client, worker: Worker, unlock: () => void): PgliteDatabase {
  let gone: Error | undefined
  worker.on('error', (error: Error) => {
    gone = error
  })
  worker.on('exit', () => {
    gone ??= new Error('The database is closed')
    client.connection.stream.destroy(gone)
  })

  // The queue for the one connection, first come, first served.
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = last.then(() => {
      if (gone) throw gone
      return run()
    })
    last = turn.catch(() => {})
    return turn
  }
  const roundTrip: RoundTrip = (statements) => sendBatch(client, statements)

  /** Asks the worker itself: the answer is its next message that is not the protocol's. */
  const ask = (request: 'dump' | 'close') =>
    new Promise<Uint8Array>((resolve, reject) => {
      worker.on('message', (answer: unknown) => {
        if (isProtocol(answer)) return
        const { error, tar } = answer as { error?: string; tar: Uint8Array }
        if (error === undefined) resolve(tar)
        else reject(new Error(error))
      })
      worker.postMessage(request)
    })

  return {
    query: <T>(sql: string, params: readonly unknown[] = [], { prepared = false } = {}) =>
      inTurn(async () => (await roundTrip([{ sql, params, prepared }]))[0] as T[]),
    script: (script) => inTurn(() => client.query(script).then(() => {})),
    dump: () => inTurn(() => ask('dump')),
    transaction: (run) => inTurn(() => runTransaction(roundTrip, run)),
    async close() {
      if (!gone) {
        await inTurn(() => ask('close'))
        await worker.terminate()
      }
      unlock()
    },
  }
}
