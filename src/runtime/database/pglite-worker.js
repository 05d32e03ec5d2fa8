// Runs PGlite in a worker thread, so that a long query never blocks the sockets. It is plain JavaScript, since Node
// loads workers without a build. It speaks PostgreSQL's protocol, as a server's socket does; pglite.ts runs the
// transactions one after the other.

import { parentPort } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { createMaintenance } from './pglite-maintenance.js'

/** PostgreSQL's default, 128 MiB, is for a server with the machine to itself. PGlite takes all of it at its start. */
const BUFFERS = '24MB'

const port = parentPort
if (!port) throw new Error('pglite-worker.js runs in a worker thread')
/** @type {{ folder?: string, template?: Uint8Array<ArrayBuffer> }} */
const { folder, template } = await new Promise((resolve) => port.once('message', resolve))
// A port without a listener would let the thread end.
port.ref()

const database = await PGlite.create({
  extensions: { vector },
  ...(folder !== undefined && { dataDir: folder }),
  ...(template && { loadDataDir: new Blob([template]) }),
  // A segment of the log is filled with zeros when it is made: 16 MiB at once, by default.
  initDbStartParams: ['--wal-segsize=1'],
  startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${BUFFERS}`],
})

const maintenance = createMaintenance(database, Date.now)
/** @param {() => Promise<void>} task */
const betweenTransactions = (task) => async () => {
  if (folder !== undefined && !database.isInTransaction()) await task()
}
const timers = [
  setInterval(() => enqueue(betweenTransactions(maintenance.checkpoint)), 5_000),
  // Out of step with the runtime's sweeps, which run every second.
  setInterval(() => enqueue(betweenTransactions(maintenance.tidy)), 1_300),
]

/** @type {Promise<unknown>} */
let queue = Promise.resolve()
/** @param {() => Promise<unknown>} task */
function enqueue(task) {
  queue = queue.then(task, task)
  // Nothing waits for the timer's tasks; a failed one runs again the next time.
  queue.catch(() => {})
}

/**
 * Runs messages of PostgreSQL's protocol and answers in one message. PGlite's own `query` would parse each statement
 * again, in six steps.
 * @param {Uint8Array} bytes
 */
async function speak(bytes) {
  maintenance.asked()
  /** @type {Uint8Array[]} */
  const parts = []
  // A part is only valid during the call.
  await database.execProtocolRawStream(bytes, {
    syncToFs: false,
    onRawData: (part) => parts.push(part.slice()),
  })
  const answer = new Uint8Array(Buffer.concat(parts))
  port?.postMessage(answer, [answer.buffer])
}

/** @param {'dump' | 'close'} request */
async function answer(request) {
  if (request === 'dump') {
    await database.exec('CHECKPOINT')
    const tar = await database.dumpDataDir('none')
    return { tar: new Uint8Array(await tar.arrayBuffer()) }
  }
  for (const timer of timers) clearInterval(timer)
  await database.close()
  return {}
}

port.on('message', (/** @type {Uint8Array | 'dump' | 'close'} */ request) => {
  enqueue(async () => {
    if (typeof request !== 'string')
      return speak(request).catch((error) => {
        // PGlite itself has failed, not a statement: end the thread, which fails whatever waits for an answer.
        setImmediate(() => {
          throw error
        })
      })
    try {
      port.postMessage(await answer(request))
    } catch (error) {
      port.postMessage({ error: /** @type {Error} */ (error).message })
    }
  })
})
port.postMessage({ ready: true })
