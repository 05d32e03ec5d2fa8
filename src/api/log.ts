// Defines how the rooms of the server write to its log.

/** How grave a line of the log is. */
export type LogLevel = 'error' | 'warn' | 'info'

/** Writes a line. Most lines say what failed, so a line without a level is an error. */
export type Log = (line: string, level?: LogLevel) => void

/** Where nobody gave a log: what fails has to be read somewhere. */
export const consoleLog: Log = (line, level = 'error') => console[level](line)

/** Writes that something failed, and why. */
export type LogFailure = (what: string, error: unknown) => void
