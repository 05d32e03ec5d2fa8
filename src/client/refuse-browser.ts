// Refuses to start in a browser: a client holds secrets.

export function refuseBrowser(): void {
  const scope = globalThis as { window?: unknown; document?: unknown; process?: { versions?: unknown } }
  const isPage = scope.window !== undefined && scope.document !== undefined
  const isWorker = 'WorkerGlobalScope' in scope && scope.process?.versions === undefined
  if (isPage || isWorker)
    throw new Error(
      'createClient does not start in a browser: every visitor of the page could read its keys. ' +
        'Call it on a server; a page gets its access token from the BFF.',
    )
}
