export { createLog, type ServerLog } from './log.ts'
export { createProbes } from './probes.ts'
