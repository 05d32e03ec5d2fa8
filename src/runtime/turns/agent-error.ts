// Says of an exception in an agent what it was and where in the agent's own files it was thrown.

import { fileURLToPath } from 'node:url'
import { type Redaction, shortReason } from '../redact.ts'

/** The file, line and column of a stack's line, which stand at its end, with or without parentheses. */
const PLACE = /^\s+at (?:.*\()?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*:\d+:\d+)\)?$/
const LONGEST_PLACE = 300

/** What an agent threw. The message has the place, and nothing of what the visitor wrote. */
export class AgentError extends Error {
  override name = 'AgentError'

  /** `said`: the visitor's words, which the agent's own message may repeat. */
  constructor(error: unknown, { redact, said }: { redact: Redaction; said: string }) {
    const own = error instanceof Error ? error.message || error.name : 'unknown error'
    const message = shortReason(redact, own, [said])
    const place = error instanceof Error ? placeOf(error) : undefined
    super(place === undefined ? message : `${message} (${place})`, { cause: error })
  }
}

/** The first place of an error outside of Node and of packages. */
function placeOf({ stack = '', message }: Error): string | undefined {
  const lines = String(stack)
    .replace(message, () => '')
    .split('\n', 100)
  const place = lines
    .map((line) => PLACE.exec(line.slice(0, 2 * LONGEST_PLACE))?.[1])
    .find((each) => each !== undefined && !/[\\/]node_modules[\\/]/.test(each))
  return place?.startsWith('file:') ? pathOf(place).slice(-LONGEST_PLACE) : place?.slice(-LONGEST_PLACE)
}

function pathOf(place: string): string {
  try {
    return fileURLToPath(place)
  } catch {
    return place
  }
}
