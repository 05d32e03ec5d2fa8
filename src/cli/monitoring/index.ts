export { logAccess } from './access-log.ts'
export { createLog, type ServerLog } from './log.ts'
export { startMonitoring } from './monitoring.ts'
export { createProbes, type Probes } from './probes.ts'
