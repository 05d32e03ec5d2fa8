import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import { BUGS } from './bugs.ts'

it('anchors', () => {
  for (const { id, edits } of BUGS)
    for (const { file, find } of edits) {
      const n = readFileSync(`src/${file}`, 'utf8').split(find).length - 1
      if (n !== 1) console.log(id, file, n, JSON.stringify(find))
    }
})
