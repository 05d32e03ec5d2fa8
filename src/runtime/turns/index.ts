export type { Agent, AgentEvent, Turn } from './agent.ts'
export type { HandedOff } from './handed-off.ts'
export { createTurns, type Turns } from './turns.ts'
