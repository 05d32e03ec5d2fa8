// The lines between the processes of a cluster and their database, in a process of their own: what they carry must not slow the test
// down. `line.js <database url> <count>` says their URLs, and is told which of them hang or break.

import { type DatabaseLine, openDatabaseLine } from '../process/database-line.ts'

export type LineOrder = { index: number; do: 'hang' | 'flow' | 'break' }

const [database = '', count = '1'] = process.argv.slice(2)
const lines: DatabaseLine[] = []
for (let index = 0; index < Number(count); index++) lines.push(await openDatabaseLine(database))
process.on('message', ({ index, do: what }: LineOrder) => lines[index]?.[what]())
process.on('disconnect', () => process.exit(0))
process.send?.(lines.map(({ url }) => url))
