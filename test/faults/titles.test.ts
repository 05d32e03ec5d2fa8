// How the matrix knows a test: by what its source says.

import { describe, expect, it } from 'vitest'
import { titlesIn } from './titles.ts'

describe('a test', () => {
  const named = titlesIn(
    'made/up.test.ts',
    `
    const ROWS: [string, number][] = [['one', 1], ['two', 2]]
    it('stands alone', () => {})
    it(\`has \${count} parts\`, () => {}, 60_000)
    it('is ' + 'built', () => {})
    it.each([404, 500])('with %s', () => {})
    it.each(some([1, 2] as const, 2))('at times with %s', () => {})
    describe.each(KINDS)('in %s', (kind) => {
      describe('a group', () => {
        it.skipIf(kind === 'memory')('runs at times', async () => { await other.it('never named') })
        it.each(ROWS)('of %s', () => {})
        it.skip('is skipped', () => {})
        it.todo('is to do')
      })
    })
    describe.skip('a skipped group', () => { test('is skipped with it', () => {}) })
  `,
  )

  it('is known by its file, its groups and its title, as written in the source', () => {
    expect(named.map(({ name }) => name)).toEqual([
      'made/up.test.ts › stands alone',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written
      'made/up.test.ts › has ${count} parts',
      'made/up.test.ts › with %s',
      'made/up.test.ts › at times with %s',
      'made/up.test.ts › in %s › a group › runs at times',
      'made/up.test.ts › in %s › a group › of %s',
      'made/up.test.ts › in %s › a group › is skipped',
      'made/up.test.ts › in %s › a group › is to do',
      'made/up.test.ts › a skipped group › is skipped with it',
    ])
  })

  it('has the rows of its table, and the reader knows whether it is skipped', () => {
    expect(named.filter(({ skipped }) => skipped).map(({ name }) => name.split(' › ').at(-1))).toEqual([
      'is skipped',
      'is to do',
      'is skipped with it',
    ])
    expect(named.flatMap(({ cases }) => cases)).toEqual(['404', '500', '1', '2', 'one', 'two'])
  })
})
