// `npm run bench`: measures the runtime beside plain references. `-- --quick`: a short run; `-- --exchanges`: only the
// exchanges over sockets.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { copyWorker } from './build.mjs'
import { startPostgres } from './postgres.mjs'
import { ensureDependencies, ensureNode, root } from './setup.mjs'

ensureNode()
ensureDependencies()
const quick = process.argv.includes('--quick')
const only = process.argv.includes('--exchanges') ? 'exchanges' : undefined

// Inside node_modules, so that its imports are found.
const built = join(root, 'node_modules/.cache/foyer-bench')
rmSync(built, { recursive: true, force: true })
const vite = await import('vite')
await vite.build({
  configFile: false,
  root,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'node20',
    outDir: built,
    minify: false,
    ssr: true,
    rolldownOptions: {
      input: Object.fromEntries(
        ['main', 'start', 'server', 'memory'].map((name) => [name, join(root, `test/bench/${name}.ts`)]),
      ),
      external: [/^[^./]/],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash:8].js' },
    },
  },
})
copyWorker(built)
const { bench } = await import(pathToFileURL(join(built, 'main.js')).href)

const begun = Date.now()
// With PostgreSQL's defaults: every commit waits for the disk.
const postgres = await startPostgres({ durable: true })
/** @type {string[]} */
let problems = []
try {
  problems = await bench({ quick, only, postgres })
} finally {
  await postgres?.stop()
}
for (const problem of problems) console.error(`bench: ${problem}`)
console.log(`bench: ${problems.length} problems, in ${Math.round((Date.now() - begun) / 1000)} s`)
process.exit(problems.length === 0 ? 0 : 1)
