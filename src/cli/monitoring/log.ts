// Writes the server's log to standard error: lines of text, or one JSON object for each line.

import type { LogLevel } from '../../api/index.ts'

/** `fields`: what a line says, for programs. Only the JSON has them. */
export type ServerLog = (
  line: string,
  level?: LogLevel,
  fields?: Readonly<Record<string, string | number>>,
) => void

export type LogOptions = {
  json: boolean
  write?: (line: string) => void
  now?: () => Date
}

/** Longer lines are cut: no request may fill the log. */
const MOST_CHARACTERS = 2_000

/** Every character that ends a line somewhere, and every other control character: a line must not look like two. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu

export function createLog({
  json,
  write = (line) => void process.stderr.write(line),
  now = () => new Date(),
}: LogOptions): ServerLog {
  return (line, level = 'error', fields = {}) => {
    const message = oneLine(line)
    const record = { time: now().toISOString(), level, message, ...mapValues(fields) }
    write(`${json ? JSON.stringify(record) : message}\n`)
  }
}

function oneLine(text: string): string {
  const line = text.slice(0, MOST_CHARACTERS + 1).replace(CONTROL, ' ')
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line
}

const mapValues = (fields: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value) : value]),
  )
