// Measures Foyer beside its peers and the floor, all in one Chromium, in turns: A B C A B C. Prints the table and the goals.

import { loadavg } from 'node:os'
import { type Chromium, startChromium } from './chromium.ts'
import { ENTRANTS, type Entrant, FLOOR, FOYER, type Measure } from './contestants.ts'
import { startDouble } from './double.ts'
import { createFigures, type Row } from './figures.ts'
import { goalsOf, ROWS } from './goals.ts'
import {
  measureBytes,
  measureMessages,
  measureMounts,
  measureStart,
  measureStream,
  type Stage,
} from './measures.ts'
import { startSites, versionOf } from './sites.ts'
import { answerOf } from './words.ts'

export type PeersOptions = {
  quick: boolean
  /** Names of contestants; undefined: all. */
  only?: readonly string[] | undefined
  /** Of the repository. */
  root: string
  chromium: string
  log(line: string): void
}

type Found = [Row, number | undefined][]
type Task = {
  needs: Measure
  /** Measured in the first round alone. */
  once?: boolean
  /** Of Foyer and the floor alone in a quick run. */
  long?: boolean
  run(stage: Stage, entrant: Entrant): Promise<Found>
}

const ROUNDS = { full: 3, quick: 1 }
const LENGTHS = [10_000, 20_000, 40_000]
const COUNTS = [100, 1_000, 10_000]
const KB = 1_000
const MB = 1_000_000
/** A contestant that takes so long for one measurement is measured once. */
const SLOW_MS = 25_000

const words = (count: number) => count.toLocaleString('en')

const TASKS: readonly Task[] = [
  ...[1, 4].map(
    (throttle): Task => ({
      needs: 'panel',
      async run(stage, entrant) {
        const { launcher, panel, shown, heap } = await measureStart(stage, entrant, throttle)
        const slower = throttle === 1 ? '' : `, ${throttle} times slower`
        return [
          ...(entrant.cannot.launcher
            ? []
            : ([
                [{ name: `launcher: main thread${slower}` }, launcher.main],
                [{ name: `launcher: script of it${slower}` }, launcher.script],
              ] as Found)),
          [{ name: `panel: main thread${slower}` }, panel.main],
          [{ name: `panel: script of it${slower}` }, panel.script],
          [{ name: throttle === 1 ? 'panel on the screen after the click' : ROWS.shown4 }, shown],
          ...(heap > 0 ? ([[{ name: 'heap with the panel open, MB', digits: 1 }, heap / MB]] as Found) : []),
        ]
      },
    }),
  ),
  ...LENGTHS.map(
    (length): Task => ({
      needs: 'stream',
      long: length > 10_000,
      async run(stage, entrant) {
        const figures = await measureStream(stage, entrant, { text: answerOf(length) })
        return [[{ name: ROWS.stream(length) }, figures?.main]]
      },
    }),
  ),
  ...LENGTHS.map(
    (length): Task => ({
      needs: 'stream',
      once: length > 10_000,
      long: length > 10_000,
      async run(stage, entrant) {
        const answer = { text: answerOf(length), chunksPerSecond: 200 }
        const figures = await measureStream(stage, entrant, answer, 4)
        return [
          [{ name: `${words(length)} at 200 chunks/s, 4 times slower: main thread` }, figures?.main],
          [{ name: ROWS.long(length), digits: 0 }, figures?.longTasks],
          [{ name: ROWS.gap(length), digits: 0 }, figures?.gap],
        ]
      },
    }),
  ),
  ...COUNTS.map(
    (count): Task => ({
      needs: 'messages',
      long: count > 1_000,
      async run(stage, entrant) {
        const figures = await measureMessages(stage, entrant, count)
        return [
          [{ name: ROWS.shown(count) }, figures?.shown],
          [{ name: `${words(count)} messages: main thread until all is drawn` }, figures?.opening],
          [{ name: ROWS.append(count) }, figures?.append],
          [{ name: `scrolling through ${words(count)}: main thread` }, figures?.scroll],
          [{ name: `scrolling through ${words(count)}: longest gap`, digits: 0 }, figures?.scrollGap],
          [{ name: `heap with ${words(count)}, MB`, digits: 1 }, figures && figures.heap / MB],
        ]
      },
    }),
  ),
  {
    needs: 'mounts',
    async run(stage, entrant) {
      const { main, kept } = await measureMounts(stage, entrant)
      return [
        [{ name: '100 mounts: main thread' }, main],
        [{ name: '100 mounts: heap kept, KB', digits: 0 }, kept / KB],
      ]
    },
  },
]

const chosen = (only: PeersOptions['only']) =>
  ENTRANTS.filter(({ name }) => only === undefined || only.includes(name))

/** Whether one of these contestants is made of packages that the repository itself does not have. */
export const needsPeers = (only: PeersOptions['only']): boolean =>
  chosen(only).some((entrant) => entrant !== FOYER && entrant !== FLOOR)

/** Returns the goals that are missed, in words. */
export async function benchPeers({ quick, only, root, chromium, log }: PeersOptions): Promise<string[]> {
  const entrants = chosen(only)
  const figures = createFigures()
  const double = await startDouble()
  const sites = await startSites(root, double.origin, entrants)
  const problems: string[] = []
  /** Tasks that took a contestant too long to be repeated. */
  const slow = new Set<string>()
  let browser: Chromium = await startChromium(chromium)
  const before = loadavg()[0] ?? 0
  try {
    for (const entrant of entrants) {
      if (entrant.cannot.panel) continue
      const { bytes, refused } = await measureBytes({ chromium: browser, double, sites }, entrant)
      figures.add({ name: ROWS.bytes, digits: 0 }, entrant.name, bytes / KB)
      if (refused.length > 0)
        log(`${entrant.name} asks for ${refused.join(', ')}; nothing beyond loopback answers`)
    }
    for (let round = 0; round < (quick ? ROUNDS.quick : ROUNDS.full); round++)
      for (const [index, task] of TASKS.entries())
        for (const entrant of entrants) {
          const key = `${index}/${entrant.name}`
          if (entrant.cannot[task.needs] || slow.has(key) || (round > 0 && task.once)) continue
          if (quick && task.long && entrant !== FOYER && entrant !== FLOOR) continue
          const begun = Date.now()
          try {
            const found = await task.run({ chromium: browser, double, sites }, entrant)
            for (const [row, value] of found) figures.add(row, entrant.name, value)
          } catch (error) {
            problems.push(`${entrant.name}: ${error instanceof Error ? error.message : error}`)
            // What a contestant broke does not weigh on the next.
            await browser.close()
            browser = await startChromium(chromium)
          }
          if (Date.now() - begun > SLOW_MS) slow.add(key)
        }
  } finally {
    await browser.close()
    sites.close()
    double.close()
  }

  log(
    `\nOurs beside peers, milliseconds where nothing else is said; medians of ${quick ? ROUNDS.quick : ROUNDS.full} rounds, ± half of their range; load of the machine ${before.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}\n`,
  )
  log(entrants.map((one) => `${one.name} ${versionOf(root, one.package)}`).join(', '))
  log('')
  for (const line of figures.table(entrants.map(({ name }) => name))) log(line)
  log('\n| Goal | Measured | |\n| :-- | :-- | :-- |')
  for (const { goal, measured, met } of goalsOf(figures)) {
    log(`| ${goal} | ${measured} | ${met ? 'met' : 'not met'} |`)
    if (!met) problems.push(`goal not met: ${goal}: ${measured}`)
  }
  return problems
}
