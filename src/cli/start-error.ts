// What keeps Foyer from starting, or a command from being carried out.

import { SettingsError } from '../bff/index.ts'
import { CommandError, DataFolderError } from '../runtime/index.ts'

/** Something the person who starts it has to change. Shown as one sentence. */
export class StartError extends Error {
  override name = 'StartError'
}

const KNOWN = [StartError, SettingsError, DataFolderError, CommandError]

/** What is printed of an error: its one sentence where somebody can do something about it, else all of it. */
export const printable = (error: unknown): unknown =>
  error instanceof Error && KNOWN.some((kind) => error instanceof kind) ? error.message : error
