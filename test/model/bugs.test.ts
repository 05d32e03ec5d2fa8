// Proves that the model test has teeth: each seeded bug, patched into a copy of the engine, breaks some schedule.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
import { isLong } from '../long.ts'
import type { Engine } from './browser.ts'
import { BUGS, type Bug } from './bugs.ts'
import { tell } from './counts.ts'
import { KEPT } from './kept.ts'
import { KINDS } from './oracle.ts'
import { runSchedule } from './run.ts'
import { read, schedules } from './schedules.ts'

const sound: Engine = { createChat, shareTabs }
const root = resolve(import.meta.dirname, '../..')
/** Of these alone, by their ids with commas between them. */
const only = process.env.FOYER_TEST_BUG?.split(',')
const chosen = BUGS.filter((bug) => (only ? only.includes(bug.id) : isLong || bug.quick))
/** The same for every run: a bug is found or it is not. */
const SEED = 20_261_121
const MOST = Number(process.env.FOYER_TEST_BUG_SCHEDULES ?? (isLong ? 3_000 : 300))

const copies = join(root, 'dist', `bugs-${process.pid}`)
beforeAll(() => mkdirSync(copies, { recursive: true }))
afterAll(() => rmSync(copies, { recursive: true, force: true }))

/** The engine with the bug in it. */
async function seeded({ id, edits }: Bug): Promise<Engine> {
  const copy = join(copies, id)
  for (const folder of ['chat', 'protocol'])
    cpSync(join(root, 'src', folder), join(copy, folder), { recursive: true })
  for (const { file, find, put } of edits) {
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(find)) throw new Error(`${id}: "${find}" does not stand in ${file}`)
    writeFileSync(
      path,
      text.replace(find, () => put),
    )
  }
  return import(join(copy, 'chat/index.ts'))
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
    Object.keys(KINDS).filter((kind) => !BUGS.some(({ only, quick }) => only === kind && quick)),
  ).toEqual([])
})

let found = 0
it.each(chosen)('$id: $what is found', { timeout: 3_600_000 }, async (bug) => {
  const engine = await seeded(bug)
  let ran = 0
  const random = fc.sample(schedules('several'), { numRuns: MOST, seed: SEED })
  for (const given of [...KEPT.map(({ schedule }) => read(schedule)), ...random]) {
    ran++
    const { breaches } = await runSchedule(engine, given)
    if (breaches.length === 0 || (bug.only && breaches.some(({ kind }) => kind !== bug.only))) continue
    // It is this bug that breaks it, and nothing else.
    if ((await runSchedule(sound, given)).breaches.length > 0) continue
    found++
    if (process.env.FOYER_TEST_TELL)
      console.log(`${bug.id} after ${ran}: ${breaches[0]?.kind} ${breaches[0]?.what}`)
    return
  }
  expect.fail(`not found in ${MOST} schedules`)
})

// Behind the schedules in the closing line.
afterAll(() => tell(`~${found} of ${chosen.length} seeded bugs found`))
