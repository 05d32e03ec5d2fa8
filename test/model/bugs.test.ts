// Proves that no check of the oracle is blind: a bug, patched into a copy of the engine, is found by the one check for its kind of breach.

import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
import type { Engine } from './browser.ts'
import { BUGS } from './bugs.ts'
import { tell } from './counts.ts'
import type { Kind } from './oracle.ts'
import { runSchedule, type Schedule } from './run.ts'
import { RUNTIME } from './schedules.ts'

const KINDS = Object.keys(BUGS) as Kind[]
const root = resolve(import.meta.dirname, '../..')
const engine = join(root, 'src/chat/index.ts')
const folder = join(root, 'dist', `bugs-${process.pid}`)

/** Reads each module once for each bug: the engine with the bug is `index.ts?kind`, and so are the modules that it imports. */
const seeded: Plugin = {
  name: 'seeded',
  enforce: 'pre',
  resolveId(id, importer) {
    if (importer === undefined) return id
    const [path = '', kind] = importer.split('?')
    return kind && id.startsWith('.') ? `${join(dirname(path), id)}?${kind}` : undefined
  },
  load(id) {
    const [path = '', kind] = id.split('?')
    if (!kind) return undefined
    const edits = BUGS[kind as Kind].edits.filter(({ file }) => path === join(root, 'src', file))
    const code = edits.reduce(
      (text, { file, find, put }) => {
        if (text.split(find).length !== 2) throw new Error(`"${find}" does not stand exactly once in ${file}`)
        return text.replace(find, () => put)
      },
      readFileSync(path, 'utf8'),
    )
    return { code, moduleType: 'ts' }
  },
}

beforeAll(() =>
  build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [seeded],
    build: {
      target: 'node20',
      outDir: folder,
      minify: false,
      ssr: true,
      rolldownOptions: {
        input: Object.fromEntries(KINDS.map((kind) => [kind, `${engine}?${kind}`])),
        external: [/^[^./]/],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  }),
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Vitest would transform each of them once more.
const load = (kind: Kind): Engine => createRequire(import.meta.url)(join(folder, `${kind}.cjs`))

it.each(KINDS.map((kind) => ({ kind, ...BUGS[kind] })))(
  '$what: found as $kind, and as nothing else',
  async ({ kind, service = RUNTIME, commands }) => {
    const schedule: Schedule = {
      seed: 2,
      profile: service,
      commands: commands.map(([op, n, after]) => ({ op, tab: 0, n, after })),
    }
    const { breaches } = await runSchedule(load(kind), schedule)
    expect([...new Set(breaches.map((breach) => breach.kind))]).toEqual([kind])
    // It is the bug that breaks it.
    expect((await runSchedule({ createChat, shareTabs }, schedule)).breaches).toEqual([])
  },
)

// Behind the schedules in the closing line.
afterAll(() => tell(`~${KINDS.length} seeded bugs`))
