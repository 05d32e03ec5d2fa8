// Runs PostgreSQL inside this process. There is one connection, so transactions run one at a time.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import type { Log } from '../../api/index.ts'
import type { Database } from './database.ts'
import { lockFolder, restrictFiles } from './lock.ts'
import { createPipeline } from './pipeline.ts'
import { readTemplate, unpackTemplate } from './template.ts'
import { isProtocol, WorkerStream } from './worker-stream.ts'

/** The worker has few and short-lived objects of its own; V8's default would reserve three times as much memory. */
const HEAP = { maxYoungGenerationSizeMb: 12 }

export type PgliteOptions = {
  log?: Log | undefined
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
  // The worker loads PGlite while the template is unpacked.
  const worker = new Worker(new URL('./pglite-worker.js', import.meta.url), { resourceLimits: HEAP })
  const died = deathOf(worker)
  try {
    await Promise.race([start(worker, folder, template), died])
    const stream = new WorkerStream(worker)
    const client = new pg.Client({
      stream: () => stream,
      user: 'postgres',
      database: 'postgres',
      pipeline: true,
    })
    // The client's queries reject with the error.
    client.on('error', () => {})
    await Promise.race([client.connect(), died])
    if (folder !== undefined) restrictFiles(folder)
    return databaseOver(client, worker, died, unlock)
  } catch (error) {
    await worker.terminate()
    unlock()
    throw error
  }
}

/** Rejects once the worker has failed or ended. */
function deathOf(worker: Worker): Promise<never> {
  const died = new Promise<never>((_, reject) => {
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('The database is closed')))
  })
  died.catch(() => {})
  return died
}

/** Resolves once PGlite is running in its worker. */
async function start(
  worker: Worker,
  folder: string | undefined,
  template: string | undefined,
): Promise<void> {
  const ready = new Promise((resolve) => worker.once('message', resolve))
  const db = folder && join(folder, 'db')
  if (db && template && !existsSync(db)) await unpackTemplate(template, db)
  worker.postMessage(db ? { folder: db } : { template: template && readTemplate(template) })
  await ready
}

function databaseOver(
  client: pg.Client,
  worker: Worker,
  died: Promise<never>,
  unlock: () => void,
): PgliteDatabase {
  let gone: Error | undefined
  died.catch((error: Error) => {
    gone = error
    client.connection.stream.destroy(error)
  })

  // The queue for the one connection, first come, first served.
  let lastTransaction: Promise<unknown> = Promise.resolve()
  /** Those that run or wait. */
  let queued = 0
  function inOrder<T>(run: () => Promise<T>): Promise<T> {
    queued++
    const result = lastTransaction.then(() => {
      if (gone) throw gone
      return run()
    })
    lastTransaction = result.then(
      () => void queued--,
      () => void queued--,
    )
    return result
  }

  /** Sends the worker a request outside PostgreSQL's protocol. The worker's next message outside the protocol is the answer. */
  function ask(request: 'dump' | 'close'): Promise<Uint8Array> {
    const answered = new Promise<Uint8Array>((resolve, reject) => {
      worker.on('message', (answer: unknown) => {
        if (isProtocol(answer)) return
        const { error, tar } = answer as { error?: string; tar: Uint8Array }
        if (error === undefined) resolve(tar)
        else reject(new Error(error))
      })
      worker.postMessage(request)
    })
    return Promise.race([answered, died])
  }

  return {
    ...createPipeline((use) => inOrder(() => use(client))),
    script: (script) => inOrder(() => client.query(script).then(() => {})),
    connections: () => ({ all: 1, idle: queued === 0 ? 1 : 0, waiting: Math.max(0, queued - 1) }),
    dump: () => inOrder(() => ask('dump')),
    async close() {
      try {
        if (!gone) await inOrder(() => ask('close'))
      } finally {
        await worker.terminate()
        unlock()
      }
    },
  }
}
