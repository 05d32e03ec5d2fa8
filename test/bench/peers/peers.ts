// Measures Foyer beside its peers and the floor, all in one Chromium, in turns: A B C A B C. Prints the table and the goals. What was
// measured is kept in a file after each step, so that a run that was broken off can go on.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Keep, Row as PublishedRow } from '../table.ts'
import { type Chromium, startChromium } from './chromium.ts'
import { EMPTY_FRAME, ENTRANTS, type Entrant, FLOOR, FOYER, type Measure } from './contestants.ts'
import { startDouble } from './double.ts'
import { createFigures, type Kept, type Row } from './figures.ts'
import { goalsOf, ROWS, SLOW_LINE } from './goals.ts'
import {
  LIMIT_MS,
  measureBytes,
  measureMessages,
  measureMounts,
  measurePress,
  measureStart,
  measureStream,
  type Stage,
} from './measures.ts'
import { INSTALLED, startSites, versionOf } from './sites.ts'
import { answerOf } from './words.ts'

export type PeersOptions = {
  quick: boolean
  /** Names of contestants; undefined: all. */
  only?: readonly string[] | undefined
  /** Goes on with the run before, where that had the same contestants. */
  goesOn?: boolean
  /** Of the repository. */
  root: string
  chromium: string
  log(line: string): void
  keep: Keep
}

type Task = {
  needs: Measure
  rows: readonly Row[]
  /** Measured in the first round alone. */
  once?: boolean
  /** Of Foyer and the floor alone in a quick run. */
  long?: boolean
  /** Of Foyer and the floor alone in every run. */
  own?: boolean
  /** The name of a row of the same with less: who did not come to its end there is not asked for more. */
  after?: string | undefined
  /** One figure for each row; undefined: it did not come to its end. */
  run(stage: Stage, entrant: Entrant): Promise<readonly (number | undefined)[]>
}

const ROUNDS = { full: 3, quick: 1 }
const LENGTHS = [10_000, 20_000, 40_000]
const COUNTS = [100, 1_000, 10_000]
const KB = 1_024
const MB = 1_024 * 1_024
/** A contestant that takes so long for one measurement is measured once. */
const SLOW_MS = 10_000
/** Nothing of a contestant takes longer, however it hangs. */
const STUCK_MS = 3 * LIMIT_MS
/** After so long no further round begins. */
const LONGEST_MS = 20 * 60_000

const words = (count: number) => count.toLocaleString('en')

const TASKS: readonly Task[] = [
  {
    needs: 'panel',
    once: true,
    rows: [{ name: ROWS.bytes, digits: 0, unit: '', published: 'in the README too' }],
    async run(stage, entrant) {
      return [(await measureBytes(stage, entrant)) / KB]
    },
  },
  ...[1, 4].map((throttle): Task => {
    const slower = throttle === 1 ? '' : `, ${throttle} times slower`
    return {
      needs: 'panel',
      rows: [
        { name: `launcher: main thread${slower}`, published: 'in the docs' },
        { name: `launcher: script of it${slower}` },
        { name: `panel: main thread${slower}`, published: 'in the docs' },
        { name: `panel: script of it${slower}` },
        { name: `panel on the screen after the click${slower}`, published: 'in the docs' },
        ...(throttle === 1
          ? [
              {
                name: 'heap with the panel open, MB',
                digits: 1,
                ...({ unit: '', published: 'in the docs' } as const),
              },
            ]
          : []),
      ],
      async run(stage, entrant) {
        const { launcher, panel, shown, heap } = await measureStart(stage, entrant, throttle)
        const button = entrant.cannot.launcher ? [Number.NaN, Number.NaN] : [launcher.main, launcher.script]
        return [...button, panel.main, panel.script, shown, ...(throttle === 1 ? [heap / MB] : [])]
      },
    }
  }),
  ...[1, 4].map(
    (throttle): Task => ({
      needs: 'press',
      rows: [{ name: ROWS.press(throttle), published: 'in the README too' }],
      run: async (stage, entrant) => [await measurePress(stage, entrant, throttle)],
    }),
  ),
  {
    needs: 'press',
    own: true,
    rows: [{ name: ROWS.slowPress }],
    run: async (stage, entrant) => [await measurePress(stage, entrant, 1, SLOW_LINE)],
  },
  ...LENGTHS.map(
    (length, index): Task => ({
      needs: 'stream',
      long: length > 10_000,
      after: index === 0 ? undefined : ROWS.stream(LENGTHS[index - 1] ?? 0),
      rows: [
        {
          name: ROWS.stream(length),
          published: length === 10_000 ? 'in the README too' : 'in the docs',
        },
      ],
      run: async (stage, entrant) => [
        (await measureStream(stage, entrant, { text: answerOf(length) }))?.main,
      ],
    }),
  ),
  ...LENGTHS.map(
    (length, index): Task => ({
      needs: 'stream',
      once: length > 10_000,
      long: length > 10_000,
      own: length > 20_000,
      after: index === 0 ? undefined : ROWS.gap(LENGTHS[index - 1] ?? 0),
      rows: [
        {
          name: `${words(length)} at 200 chunks/s, 4 times slower: main thread`,
          published: 'in the docs',
        },
        { name: ROWS.long(length), digits: 0, unit: '', published: 'in the docs' },
        { name: ROWS.gap(length), digits: 0, published: 'in the docs' },
      ],
      async run(stage, entrant) {
        const answer = { text: answerOf(length), chunksPerSecond: 200 }
        const figures = await measureStream(stage, entrant, answer, 4)
        return [figures?.main, figures?.longTasks, figures?.gap]
      },
    }),
  ),
  ...COUNTS.map(
    (count, index): Task => ({
      needs: 'messages',
      long: count > 1_000,
      once: count > 1_000,
      after: index === 0 ? undefined : ROWS.shown(COUNTS[index - 1] ?? 0),
      rows: [
        { name: ROWS.shown(count), published: count === 1_000 ? 'in the README too' : 'in the docs' },
        { name: `${words(count)} messages: main thread until all is drawn` },
        { name: ROWS.append(count), published: count === 1_000 ? 'in the README too' : 'in the docs' },
        { name: `scrolling through ${words(count)}: main thread` },
        { name: `scrolling through ${words(count)}: longest gap`, digits: 0 },
        { name: `heap with ${words(count)}, MB`, digits: 1, unit: '', published: 'in the docs' },
      ],
      async run(stage, entrant) {
        const figures = await measureMessages(stage, entrant, count)
        if (!figures) return []
        const { shown, opening, append, scroll, scrollGap, heap } = figures
        return [shown, opening, append, scroll, scrollGap, heap / MB]
      },
    }),
  ),
  {
    needs: 'mounts',
    rows: [
      { name: '100 mounts: main thread', published: 'in the docs' },
      { name: '100 mounts: heap kept, KB', digits: 0 },
    ],
    async run(stage, entrant) {
      const { main, kept } = await measureMounts(stage, entrant)
      return [main, kept / KB]
    },
  },
]

const chosen = (only: PeersOptions['only']) =>
  ENTRANTS.filter(({ name }) => only === undefined || only.includes(name))
const isOwn = (entrant: Entrant) => [FOYER, FLOOR, EMPTY_FRAME].includes(entrant)

/** Whether one of these contestants is made of packages that the repository itself does not have. */
export const needsPeers = (only: PeersOptions['only']): boolean =>
  chosen(only).some((entrant) => !isOwn(entrant))

/** What is kept of a run. `steps`: those that are done. */
type Run = { names: readonly string[]; quick: boolean; begun: string; steps: string[]; figures: Kept }

/** Returns the goals that are missed and what failed, in words. */
export async function benchPeers(options: PeersOptions): Promise<string[]> {
  const { quick, only, root, chromium, log, keep } = options
  const names = chosen(only).map(({ name }) => name)
  const file = join(root, INSTALLED, 'run.json')
  const last: Run | undefined =
    options.goesOn && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  const isSame = last?.quick === quick && last.names.join() === names.join()
  const run = isSame
    ? last
    : {
        names,
        quick,
        begun: new Date().toISOString(),
        steps: [],
        figures: { values: [], late: [], failed: [] },
      }
  const figures = createFigures(
    TASKS.flatMap(({ rows }) => rows),
    run.figures,
  )
  const double = await startDouble()
  const sites = await startSites(root, double.origin, chosen(only))
  const problems: string[] = []
  const entrants = chosen(only).filter((entrant) => !sites.broken.has(entrant.name))
  for (const [name, reason] of sites.broken) {
    problems.push(`${name}: its page could not be built: ${reason}`)
    for (const { rows, needs } of TASKS)
      if (!ENTRANTS.find((one) => one.name === name)?.cannot[needs]) figures.fail(rows, name)
  }
  /** Tasks that took a contestant too long to be repeated. */
  const slow = new Set<string>()
  let browser: Chromium = await startChromium(chromium)
  const before = loadavg()[0] ?? 0
  const begun = Date.now()
  const rounds = quick ? ROUNDS.quick : ROUNDS.full
  try {
    for (let round = 0; round < rounds && (round === 0 || Date.now() - begun < LONGEST_MS); round++)
      for (const [index, task] of TASKS.entries())
        for (const entrant of entrants) {
          const { name } = entrant
          const key = `${index}/${name}`
          const step = `${round}/${key}`
          const [{ name: row }] = task.rows as [Row]
          if (entrant.cannot[task.needs] || slow.has(key) || (round > 0 && task.once)) continue
          if ((task.own || (quick && task.long)) && !isOwn(entrant)) continue
          if (run.steps.includes(step) || figures.isFailed(row, name)) continue
          if (task.after !== undefined && figures.isLate(task.after, name)) {
            figures.add(task.rows, name, [])
            continue
          }
          const since = Date.now()
          try {
            figures.add(
              task.rows,
              name,
              await inTime(task.run({ chromium: browser, double, sites }, entrant)),
            )
          } catch (error) {
            problems.push(`${name}: ${row}: ${error instanceof Error ? error.message : error}`)
            figures.fail(task.rows, name)
            // What a contestant broke does not weigh on the next.
            await browser.close()
            browser = await startChromium(chromium)
          }
          const took = Date.now() - since
          if (took > SLOW_MS) slow.add(key)
          run.steps.push(step)
          writeFileSync(file, JSON.stringify(run))
          const minutes = ((Date.now() - begun) / 60_000).toFixed(1)
          log(
            `${minutes} min, round ${round + 1} of ${rounds}: ${name}: ${row}: ${(took / 1000).toFixed(1)} s`,
          )
        }
  } finally {
    await browser.close()
    sites.close()
    double.close()
  }

  log(
    `\nOurs beside peers, ${run.begun.slice(0, 10)}, milliseconds where nothing else is said; medians of ${rounds} rounds, ± half of their range; load of the machine ${before.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}\n`,
  )
  log(
    chosen(only)
      .map((one) => `${one.name} ${versionOf(root, one.package)}`)
      .join(', '),
  )
  log('')
  for (const line of figures.table(names)) log(line)
  const shown = chosen(only).filter((one) => one !== EMPTY_FRAME)
  const versions = shown.map((one) => (isOwn(one) ? one.name : `${one.name} ${versionOf(root, one.package)}`))
  /** Whether a figure stands beside those of Foyer and the floor, which stand first. */
  const hasPeer = ({ cells }: PublishedRow) => cells.slice(2).some((cell) => cell !== null)
  const rows = figures.published(shown.map(({ name }) => name))
  keep('peers', { columns: versions, rows: rows.filter(hasPeer) })
  keep('floor', {
    columns: versions.slice(0, 2),
    rows: rows.filter((row) => !hasPeer(row)).map((row) => ({ ...row, cells: row.cells.slice(0, 2) })),
  })
  log('\n| Goal | Measured | |\n| :-- | :-- | :-- |')
  for (const { goal, measured, met } of goalsOf(figures)) {
    log(`| ${goal} | ${measured} | ${met ? 'met' : 'not met'} |`)
    if (!met) problems.push(`goal not met: ${goal}: ${measured}`)
  }
  return problems
}

/** A page that hangs is given up. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${STUCK_MS / 1000} s`)), STUCK_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // Once it is given up, it fails with its browser.
    work.catch(() => {})
  }
}
