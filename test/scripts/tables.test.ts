// The generated half of the reference pages: settings, commands, metrics, the HTTP API and the wire.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { flawsOfTables } from '../../scripts/tables.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('the pages say what the tables and types of the source say', () => {
  expect(flawsOfTables()).toEqual([])
})

it.each([
  ['docs/settings.md', '| 4700 |'],
  ['docs/commands.md', '### keys revoke'],
  ['docs/metrics.md', '| `foyer_ready` |'],
  ['docs/api.md', 'POST /v1/outbound-sms'],
  ['docs/wire.md', '| `EVENT_TYPE_HEARTBEAT` |'],
])('%s with another fact is found', (changed, fact) => {
  expect(read(changed)).toContain(fact)
  const flaws = flawsOfTables((path) => read(path).replaceAll(path === changed ? fact : '\0', 'another'))
  expect(flaws).toEqual([`${changed}: differs from the source. Run npm run check -- --write`])
})

it('a page without its mark is found', () => {
  const flaws = flawsOfTables((path) => (path === 'docs/wire.md' ? '# The wire' : read(path)))
  expect(flaws).toEqual(['docs/wire.md: has no mark <!-- generated -->'])
})
