// Runs PGlite in a worker thread, so that a long query never blocks the sockets. It is plain JavaScript, since Node
// loads workers without a build. It runs one statement at a time and answers with its rows; pglite.ts groups statements
// into transactions and serialises them.

import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'

const CHECKPOINT_EVERY = 30_000
const CHECKPOINT_BYTES = 16 * 1024 * 1024

/** PostgreSQL's default, 128 MiB, is for a server with the machine to itself. Takes effect at the next start. */
const BUFFERS = '32MB'

/** @type {{ folder?: string, template?: Uint8Array<ArrayBuffer> }} */
const { folder, template } = workerData
const port = parentPort
if (!port) throw new Error('pglite-worker.js runs in a worker thread')

const database = await PGlite.create({
  extensions: { vector },
  ...(folder !== undefined && { dataDir: folder }),
  ...(template && { loadDataDir: new Blob([template]) }),
})
await sizeBuffers()

async function sizeBuffers() {
  const { rows } = await database.query("SELECT current_setting('shared_buffers') AS size")
  const [{ size }] = /** @type {[{ size: string }]} */ (rows)
  if (size !== BUFFERS) await database.exec(`ALTER SYSTEM SET shared_buffers = '${BUFFERS}'`)
}

// Without checkpoints a start after a kill would replay everything since the last clean stop.
let written = 0
let last = Date.now()
async function checkpoint() {
  if (folder === undefined || written === 0 || depth > 0) return
  if (written < CHECKPOINT_BYTES && Date.now() - last < CHECKPOINT_EVERY) return
  written = 0
  last = Date.now()
  await database.query('CHECKPOINT')
}
// Does the work of autovacuum, which only a PostgreSQL server has. Without statistics the planner would scan whole
// tables to search for a rare word.
async function tidy() {
  if (folder === undefined || depth > 0) return
  const { rows } = await database.query(
    `SELECT relname AS name FROM pg_stat_user_tables WHERE schemaname = 'foyer'
     AND greatest(n_mod_since_analyze, n_dead_tup) > 1000 + n_live_tup / 5
     ORDER BY n_mod_since_analyze DESC LIMIT 1`,
  )
  // One table at a time, so that the next statement waits for one table at most.
  for (const { name } of /** @type {{ name: string }[]} */ (rows))
    await database.exec(`VACUUM (ANALYZE) foyer."${name}"`)
}
const timer = setInterval(() => {
  enqueue(checkpoint)
  enqueue(tidy)
}, 5_000)

/** @type {Promise<unknown>} */
let queue = Promise.resolve()
/** @param {() => Promise<unknown>} task */
function enqueue(task) {
  queue = queue.then(task, task)
  // Nothing waits for the timer's tasks; a failed one runs again the next time.
  queue.catch(() => {})
}

let depth = 0

port.on(
  'message',
  (/** @type {{ id: number, sql?: string, params?: unknown[], script?: string, dump?: true }} */ request) => {
    enqueue(async () => {
      const { id, sql, params, script, dump } = request
      try {
        if (script !== undefined) {
          await database.exec(script)
          port.postMessage({ id, rows: [] })
        } else if (dump) {
          await database.exec('CHECKPOINT')
          const tar = await database.dumpDataDir('none')
          port.postMessage({ id, rows: [new Uint8Array(await tar.arrayBuffer())] })
        } else if (sql === undefined) {
          clearInterval(timer)
          await database.close()
          port.postMessage({ id, rows: [] })
        } else {
          const { rows } = await database.query(sql, params)
          if (sql === 'BEGIN') depth++
          if (sql === 'COMMIT' || sql === 'ROLLBACK') depth--
          if (!/^\s*select/i.test(sql)) written += 256 + JSON.stringify(params ?? []).length
          if (depth === 0 && written >= CHECKPOINT_BYTES) await checkpoint()
          port.postMessage({ id, rows })
        }
      } catch (error) {
        const { message, code } = /** @type {{ message: string, code?: string }} */ (error)
        port.postMessage({ id, error: { message, code } })
      }
    })
  },
)
port.postMessage({ ready: true })
