// Defines the error that stops the build of a site.

/** A problem that the caller has to fix. Its message is one sentence. */
export class DocsError extends Error {
  override name = 'DocsError'
}
