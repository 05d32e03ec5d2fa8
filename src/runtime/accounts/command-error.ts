// The error of the operator's commands.

/** A command that cannot be carried out. Its message gives the reason and the next step. */
export class CommandError extends Error {
  override name = 'CommandError'
}
