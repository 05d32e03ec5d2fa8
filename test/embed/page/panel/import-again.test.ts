// A part that could not be loaded is asked for by another address, because a browser may remember the first one.

import { expect, it } from 'vitest'
import { importAgain } from '../../../../src/embed/page/panel/import-again.ts'

const PART = new URL('../../../../src/embed/page/host/theme.ts', import.meta.url).pathname

it('a file is imported by the address that the error names, each time by a new one', async () => {
  const parts = new Set<unknown>()
  for (const words of ['error loading', 'Failed to fetch'])
    for (let round = 0; round < 2; round++) {
      const part = await importAgain<{ themeOf: unknown }>(async () => {
        throw new TypeError(`${words} dynamically imported module: ${PART}`)
      })
      expect(part.themeOf).toBeInstanceOf(Function)
      parts.add(part.themeOf)
    }
  expect(parts.size).toBe(4)
})

it('a file is asked for once more where the error names none', async () => {
  let times = 0
  const load = async () => {
    if (++times === 1) throw new TypeError('Importing a module script failed.')
    return times
  }
  expect(await importAgain(load)).toBe(2)
})

it('a file is not asked for again where it came, and fails where it cannot be had twice', async () => {
  let times = 0
  expect(await importAgain(async () => ++times)).toBe(1)
  await expect(
    importAgain(async () => {
      times++
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(times).toBe(3)
})
