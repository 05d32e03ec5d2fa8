// The whole bench: lists on PostgreSQL and on PGlite, their plans, and how fast the embedded store starts.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, migrate, openPglite, openPostgres } from '../../src/runtime/database/index.ts'
import { makeTemplate } from '../../src/runtime/make-template.ts'
import { SCHEMAS } from '../../src/runtime/schemas.ts'
import { answerProblems, measureAnswers } from './answers.ts'
import { benchExchanges, type ExchangesOptions } from './exchanges.ts'
import { apiLists, type ListOptions, refusesSemantic, sweepLists } from './lists.ts'
import { plansOf } from './plans.ts'
import { type Figure, measure } from './rounds.ts'
import { type Size, seed } from './seed.ts'
import { measureFullStarts, measureNode, measureStarts, type Start } from './starts.ts'
import { type Keep, rounded } from './table.ts'

export type BenchOptions = {
  quick: boolean
  only: 'exchanges' | undefined
  /** A PostgreSQL server, in which a database of our own is made and dropped. */
  postgres: { url: string; version: string } | undefined
  keep: Keep
}

const NOW = new Date(Date.UTC(2026, 0, 31, 12))
/** Of a page 1,000 there must be one on the embedded store too. */
const PAGE = 50
const FAR = 1_000

const SIZES = {
  full: {
    postgres: { conversations: 1_000_000, recent: 50_000, batch: 20_000, atOnce: 2 },
    pglite: { conversations: 100_000, recent: 20_000, batch: 5_000, atOnce: 1 },
    rounds: 15,
    starts: 3,
    written: 2_000,
    files: 5_000,
  },
  quick: {
    postgres: { conversations: 10_000, recent: 1_000, batch: 2_500, atOnce: 2 },
    pglite: { conversations: 5_000, recent: 1_000, batch: 2_500, atOnce: 1 },
    rounds: 5,
    starts: 1,
    written: 200,
    files: 500,
  },
} satisfies Record<
  string,
  { postgres: Size; pglite: Size; rounds: number; starts: number; written: number; files: number }
>

const log = (line: string) => console.log(line)

/** Returns what is not as it has to be, in words. */
export async function bench({ quick, only, postgres, keep }: BenchOptions): Promise<string[]> {
  const size = quick ? SIZES.quick : SIZES.full
  const problems: string[] = []

  log(`${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.versions.node}`)
  // Servers of the bench begin with the template, as installed ones do.
  await makeTemplate(import.meta.dirname)
  problems.push(...(await exchanges(quick, postgres, keep)))
  if (only === 'exchanges') return problems
  const starts = await measureStarts(size.starts, size.written)
  await showStarts(starts, problems)
  const answers = await measureAnswers(size.files)
  log(
    `guide, ${answers.files} files: indexed in ${answers.indexSeconds.toFixed(1)} s, an answer in ${answers.p50.toFixed(1)} ms (p99 ${answers.p99.toFixed(1)} ms)`,
  )
  problems.push(...answerProblems(answers))
  keep('guide', {
    columns: [`${answers.files.toLocaleString('en')} files`],
    rows: [
      { name: 'put into the index, s of the processor', cells: [rounded(answers.indexSeconds)] },
      { name: 'an answer, ms of the processor', cells: [rounded(answers.p50)] },
      { name: 'the slowest of a hundred, ms', cells: [rounded(answers.p99)] },
    ],
  })
  const measured: Measured[] = []

  const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'))
  try {
    const embedded = await openPglite(folder)
    try {
      measured.push(await lists('PGlite', embedded, size.pglite, size.rounds, problems))
    } finally {
      await embedded.close()
    }
    const what = `${size.pglite.conversations.toLocaleString('en')} conversations`
    const full = await measureFullStarts(folder, size.starts, size.written, what)
    await showStarts(full, problems)
    keep('starts', {
      columns: ['seconds', 'budget'],
      rows: [...starts, ...full].map(({ name, seconds, budget }) => ({
        name,
        cells: [rounded(seconds), budget],
      })),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }

  if (!postgres) {
    const notRun = 'PostgreSQL: not run, since there is no server and none could be started'
    log(notRun)
    if (process.env.CI === 'true') problems.push(notRun)
    return problems
  }
  const { database, drop } = await newDatabase(postgres.url)
  try {
    measured.unshift(
      await lists(
        `PostgreSQL ${postgres.version.split(' ')[0]}`,
        database,
        size.postgres,
        size.rounds,
        problems,
      ),
    )
  } finally {
    await drop()
  }
  const isSearch = (name: string) => /^(semantic )?search/.test(name)
  keepLists(keep, 'lists', measured, (name) => !isSearch(name))
  keepLists(keep, 'searches', measured, isSearch)
  return problems
}

/** What was measured on one store, beside its plain page. */
type Measured = { store: string; figures: readonly Figure[] }

/** A row for each list, and two columns for each store. */
function keepLists(
  keep: Keep,
  table: string,
  measured: readonly Measured[],
  has: (name: string) => boolean,
): void {
  const names = new Set(measured.flatMap(({ figures }) => figures.map(({ name }) => name)))
  keep(table, {
    columns: measured.flatMap(({ store }) => [`${store}: ms`, 'times a plain page']),
    rows: [...names].filter(has).map((name) => ({
      name,
      cells: measured.flatMap(({ figures }) => {
        const figure = figures.find((one) => one.name === name)
        return figure ? [rounded(figure.ms), rounded(figure.ratio)] : [null, null]
      }),
    })),
  })
}

async function exchanges(quick: boolean, postgres: BenchOptions['postgres'], keep: Keep): Promise<string[]> {
  const ours = postgres && (await newDatabase(postgres.url))
  const stores: ExchangesOptions['stores'] = [
    { kind: 'pglite', url: '', open: newPglite },
    ...(postgres && ours
      ? [
          {
            kind: 'postgres' as const,
            url: ours.url,
            async open() {
              const { database, drop } = await newDatabase(postgres.url)
              return { ...database, close: drop }
            },
          },
        ]
      : []),
  ]
  try {
    return await benchExchanges({ quick, stores, log, keep })
  } finally {
    await ours?.drop()
  }
}

/** An embedded database in a folder of its own, which goes with it. */
async function newPglite(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'))
  const database = await openPglite(folder, { template: await makeTemplate(import.meta.dirname) })
  return {
    ...database,
    async close() {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function lists(
  name: string,
  database: Database,
  size: Size,
  rounds: number,
  problems: string[],
): Promise<Measured> {
  log(`\n${name}: ${size.conversations.toLocaleString('en')} conversations`)
  await migrate(database, SCHEMAS)
  const begun = performance.now()
  await seed(database, size, NOW, log)
  log(`  seeded in ${Math.round((performance.now() - begun) / 1000)} s`)
  // Rather more than half of all are in one project and environment.
  const page = Math.max(1, Math.min(PAGE, Math.floor(size.conversations / 2 / FAR)))
  const options: ListOptions = {
    now: NOW,
    page,
    far: Math.min(FAR, Math.floor(size.conversations / 2 / page)),
  }

  const all = await apiLists(database, options)
  const plans = await plansOf(database, async (over) => [
    ...(await apiLists(over, options)),
    ...sweepLists(over, NOW),
  ])
  for (const { list, sql, scans, readWhole } of plans) {
    if (process.env.FOYER_BENCH_PLANS) log(`  plan of ${list}: ${scans.join(', ')}`)
    if (readWhole.length > 0)
      problems.push(`${name}: ${list} reads all of ${readWhole.join(', ')}: ${sql.replace(/\s+/g, ' ')}`)
  }
  log(
    `  ${plans.length} plans, ${plans.filter(({ readWhole }) => readWhole.length > 0).length} without an index`,
  )
  const figures = await measure(database, all, { page, rounds })
  show(figures, page)

  const vectors = await database.query("SELECT 1 FROM pg_extension WHERE extname = 'vector'")
  if (vectors.length === 0 && size.conversations > 50_000) {
    if (await refusesSemantic(database, NOW))
      log('  semantic search over all of it: refused, there is no pgvector')
    else problems.push(`${name}: semantic search over everything is not refused, and there is no pgvector`)
  }
  return { store: `${name}, ${size.conversations.toLocaleString('en')}`, figures }
}

function show(figures: readonly Figure[], page: number): void {
  log(`\n  | Pages of ${page} | Median ms | Ratio |\n  | :-- | --: | --: |`)
  for (const { name, ms, ratio } of figures)
    log(`  | ${name} | ${ms.toFixed(ms < 10 ? 2 : 1)} | ${ratio.toFixed(ratio < 10 ? 1 : 0)} |`)
}

async function showStarts(starts: readonly Start[], problems: string[]): Promise<void> {
  log('\n  | PGlite, from the start of the process | Seconds | Budget |\n  | :-- | --: | --: |')
  for (const { name, seconds, budget } of starts) {
    log(`  | ${name} | ${seconds.toFixed(2)} | ${budget} |`)
    if (seconds > budget) problems.push(`${name} takes ${seconds.toFixed(2)} s, its budget is ${budget} s`)
  }
  // Whoever finds a start slow sees here whether it was the machine.
  log(`  | nothing but Node | ${(await measureNode()).toFixed(2)} | |`)
}

async function newDatabase(
  server: string,
): Promise<{ database: Database; url: string; drop: () => Promise<void> }> {
  const name = `foyer_bench_${randomUUID().replaceAll('-', '')}`
  const administer = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await administer(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = openPostgres(url.href)
  return {
    database,
    url: url.href,
    async drop() {
      await database.close()
      await administer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}
