export { logAccess } from './access-log.ts'
export { createLog, type ServerLog } from './log.ts'
export { type Monitoring, startMonitoring } from './monitoring.ts'
export { createProbes } from './probes.ts'
