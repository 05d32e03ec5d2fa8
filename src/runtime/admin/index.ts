export { type Commands, createCommands } from './admin.ts'
export type { AdminEvents } from './context.ts'
export { CommandError, type ConnectorOptions, type KeyOptions, type ProjectOptions } from './options.ts'
