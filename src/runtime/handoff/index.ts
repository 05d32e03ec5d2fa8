export { createDesk, type Desk, type DeskEntry, type DeskLine } from './desk.ts'
export { createHandoffQueue, type HandoffQueue } from './queue.ts'
export { handoffRoutes } from './routes.ts'
export { handoffSchema } from './schema.ts'
