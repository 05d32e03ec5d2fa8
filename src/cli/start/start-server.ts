// Starts the server for a program, which gets nothing of its settings.

import { openServer } from './open-server.ts'
import type { Server, ServerOptions } from './server.ts'

/** Resolves once the server answers. Rejects with one sentence for each problem that the operator has to fix. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const { origin, runtime, close } = await openServer(options)
  return { origin, runtime, close }
}
