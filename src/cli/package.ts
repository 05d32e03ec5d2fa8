// The names of the package entry foyer-server. docs/create-runtime.md lists them.

export type { Server, ServerOptions } from './start/server.ts'
export { startServer } from './start/start-server.ts'
