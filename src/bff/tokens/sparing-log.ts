// Logs a line that is repeated at most once a minute: visitors ask again and again while a service does not answer.

const PAUSE_MS = 60_000

export function createSparingLog(log: (line: string) => void, now: () => number): (line: string) => void {
  let last: { line: string; at: number } | undefined
  return (line) => {
    if (last?.line === line && Math.abs(now() - last.at) < PAUSE_MS) return
    last = { line, at: now() }
    log(line)
  }
}
