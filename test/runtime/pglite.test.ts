import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Database, openPglite } from '../../src/runtime/database/index.ts'
import { makeTemplate } from '../../src/runtime/make-template.ts'

const cache = resolve(import.meta.dirname, '../../node_modules/.cache/foyer-template')

/** The workers that were started, oldest first. */
const workers: Worker[] = []
/** Is told of each worker at once. */
let started: (worker: Worker) => void = () => {}
vi.mock('node:worker_threads', async (load) => {
  const threads = await load<typeof import('node:worker_threads')>()
  class Watched extends threads.Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      workers.push(this)
      started(this)
    }
  }
  return { ...threads, Worker: Watched }
})

let folder: string
let database: Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-pglite-'))
  database = await openPglite(folder, { template: await makeTemplate(cache) })
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

it('the database analyses its tables, so that the planner knows their contents', async () => {
  await database.script('CREATE TABLE foyer.many (id integer PRIMARY KEY, word text);')
  const known = async () => {
    const [row] = await database.query<{ rows: number }>(
      "SELECT reltuples::integer AS rows FROM pg_class WHERE oid = 'foyer.many'::regclass",
    )
    return row?.rows
  }
  expect(await known()).toBe(-1)
  await database.query("INSERT INTO foyer.many SELECT n, 'word ' || n FROM generate_series(1, 5000) AS n")
  while ((await known()) === -1) await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await known()).toBe(5_000)
}, 120_000)

it.each<[string, (worker: Worker) => void]>([
  ['ends before it is ready', (worker) => void worker.terminate()],
  ['ends once it is ready', (worker) => worker.once('message', () => void worker.terminate())],
  [
    'fails once it is ready',
    (worker) =>
      worker.once('message', () => {
        worker.emit('error', new Error('out of memory'))
        void worker.terminate()
      }),
  ],
])(
  'opening fails when the worker %s, and a second attempt succeeds',
  async (_, kill) => {
    await database.close()
    started = kill
    const opening = openPglite(folder)
    started = () => {}
    await expect(opening).rejects.toThrow()
    database = await openPglite(folder)
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  },
  120_000,
)

it('closing succeeds when the worker has ended, and the folder can be opened again', async () => {
  const closing = database.close()
  await workers.at(-1)?.terminate()
  await expect(closing).rejects.toThrow('closed')
  database = await openPglite(folder)
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
}, 120_000)
