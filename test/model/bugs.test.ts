// Proves that the model test has teeth: each seeded bug, patched into a copy of the engine, breaks some schedule.

import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'
import { createChat, shareTabs } from '../../src/chat/index.ts'
import { isLong } from '../long.ts'
import type { Engine } from './browser.ts'
import { BUGS, type Bug, FOUND_BY } from './bugs.ts'
import { tell } from './counts.ts'
import { KEPT } from './kept.ts'
import { KINDS } from './oracle.ts'
import { runSchedule, type Schedule } from './run.ts'
import { read, schedules } from './schedules.ts'

const sound: Engine = { createChat, shareTabs }
const root = resolve(import.meta.dirname, '../..')
/** Of these alone, by their ids with commas between them. */
const only = process.env.FOYER_TEST_BUG?.split(',')
// One for each kind of breach in `npm test`.
const chosen = BUGS.filter((bug) => (only ? only.includes(bug.id) : isLong || bug.only !== undefined))
/** The same for every run: a bug is found or it is not. */
const SEED = 20_261_121
const MOST = Number(process.env.FOYER_TEST_BUG_SCHEDULES ?? (isLong ? 3_000 : 300))

const copies = join(root, 'dist', `bugs-${process.pid}`)
afterAll(() => rmSync(copies, { recursive: true, force: true }))

/** The engine with the bug in it, in one file. */
async function seeded({ id, edits }: Bug): Promise<Engine> {
  const patched = new Set<string>()
  const folder = join(copies, id)
  await bundle(folder, ['src/chat/index'], root, [
    {
      name: 'seeded',
      enforce: 'pre',
      transform(code, path) {
        let text = code
        for (const { file, find, put } of edits.filter(({ file }) => path === join(root, 'src', file))) {
          if (!text.includes(find)) throw new Error(`${id}: "${find}" does not stand in ${file}`)
          text = text.replace(find, () => put)
          patched.add(file)
        }
        return text
      },
    },
  ])
  expect([...patched].sort()).toEqual([...new Set(edits.map(({ file }) => file))].sort())
  return import(join(folder, 'index.js'))
}

it('every patch applies', () => {
  const wrong = BUGS.flatMap(({ id, edits }) =>
    edits.filter(({ file, find }) => timesIn(file, find) !== 1).map(({ find }) => `${id}: ${find}`),
  )
  expect(wrong).toEqual([])
})
const timesIn = (file: string, find: string) =>
  readFileSync(join(root, 'src', file), 'utf8').split(find).length - 1

it('each kind of breach has a bug that no other check finds', () => {
  expect(
    Object.keys(KINDS).filter((kind) => !BUGS.some(({ id, only }) => only === kind && id in FOUND_BY)),
  ).toEqual([])
})

/** The schedules by their numbers: the one that is known to find the bug, then all: those that were kept, and random ones. */
function* tried(id: string): Generator<[number, Schedule]> {
  const all = (random: number) => [
    ...KEPT.map(({ schedule }) => read(schedule)),
    ...fc.sample(schedules('several'), { numRuns: random, seed: SEED }),
  ]
  const known = FOUND_BY[id]
  const first = known && all(known)[known - 1]
  if (first) yield [known, first]
  for (const [index, given] of all(MOST).entries()) yield [index + 1, given]
}

let found = 0
it.each(chosen)('$id: $what is found', { timeout: 3_600_000 }, async (bug) => {
  const engine = await seeded(bug)
  for (const [number, given] of tried(bug.id)) {
    const { breaches } = await runSchedule(engine, given)
    if (breaches.length === 0 || (bug.only && breaches.some(({ kind }) => kind !== bug.only))) continue
    // It is this bug that breaks it, and nothing else.
    if ((await runSchedule(sound, given)).breaches.length > 0) continue
    found++
    if (process.env.FOYER_TEST_TELL)
      console.log(`${bug.id} by ${number}: ${breaches[0]?.kind} ${breaches[0]?.what}`)
    return
  }
  expect.fail(`not found in ${MOST} schedules`)
})

// Behind the schedules in the closing line.
afterAll(() => tell(`~${found} of ${chosen.length} seeded bugs found`))
