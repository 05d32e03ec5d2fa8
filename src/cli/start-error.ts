// Defines the error that stops a start or a command.

import { SettingsError } from '../bff/index.ts'
import { DocsError } from '../docs/index.ts'
import { CarrierError, CommandError, DataFolderError } from '../runtime/index.ts'

/** A problem that the operator has to fix. Its message is one sentence. */
export class StartError extends Error {
  override name = 'StartError'
}

const KNOWN = [StartError, SettingsError, DataFolderError, CommandError, CarrierError, DocsError]

/** Whether the message of an error is one sentence for the operator, who can fix it. */
export const isExplained = (error: unknown): error is Error =>
  error instanceof Error && KNOWN.some((kind) => error instanceof kind)

/** The text to print for an error: one sentence if the operator can fix it, otherwise the whole error. */
export const printable = (error: unknown): unknown => (isExplained(error) ? error.message : error)
