// Says which process does what, where several share a database. The row of a noun (a turn, delivery, call or vector) is the only record of
// work: it names its owner, and whoever writes a result checks under its lock that it still is the owner.
//
//   heartbeat ─▶ foyer.process ── silent for 15 s ─▶ its row is removed ─▶ its leases and all that it owns are free
//   isDue     ─▶ one statement a second: has any sweep anything to do?
//   lease     ─▶ sweeps that one process runs for all: idle chats, queue, calls, retention and search
//   runner    ─▶ claim a row that is due and has no living owner ─▶ run ─▶ the row says what became of it

export { createDue } from './due-store.ts'
export { createHeartbeat, DEFAULT_LIVENESS, type LivenessSettings } from './heartbeat.ts'
export { createLeases } from './leases.ts'
export { countProcesses, removeProcess } from './process-store.ts'
export { limitRate } from './rate-limit.ts'
export { addUsage, countRequest, forgetRates } from './rate-store.ts'
export { createRunner, type Runner } from './runner.ts'
export { jobsSchema } from './schema.ts'
