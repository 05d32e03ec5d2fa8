// The table of limits and times in docs/architecture.md says what the code says.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const ROW = /^\| [^|]+ \| `([^`]+)`(?: ms)? \| `(\w+)` \| `([\w./-]+)` \|$/gm

it('each limit and time has the value, the name and the home that the architecture names', () => {
  const rows = [...readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(ROW)]
  expect(rows.length).toBeGreaterThan(12)
  const wrong = rows.flatMap(([row, value = '', name = '', home = '']) => {
    const source = readFileSync(join(root, 'src', home), 'utf8')
    const [, real] = new RegExp(`const ${name} = (.*?)( as const)?$`, 'm').exec(source) ?? []
    return real === value ? [] : [`${row}: ${real}`]
  })
  expect(wrong).toEqual([])
})
