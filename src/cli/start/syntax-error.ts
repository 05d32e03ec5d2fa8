// Finds the line of a syntax error in a module of the operator's.

import { spawnSync } from 'node:child_process'

const PLACE = /^(?:file:\/\/|\/|[A-Za-z]:\\)[^\n]{1,500}:\d+(?=\r?\n)/
const LONGEST_MS = 5_000

/**
 * Such as ` (/srv/agent.mjs:2)`; empty where it is no syntax error, or nobody says where it is. The error of an ES module does not say it: Node
 * is asked to check the file.
 */
export function placeOfSyntaxError(error: unknown, file: string): string {
  if (!(error instanceof SyntaxError)) return ''
  const [place] = PLACE.exec(error.stack ?? '') ?? PLACE.exec(checked(file)) ?? []
  return place === undefined ? '' : ` (${place.replace(/^file:\/\//, '')})`
}

/** What Node prints of a file: first the place of a mistake. */
function checked(file: string): string {
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: LONGEST_MS })
  return stderr ?? ''
}
