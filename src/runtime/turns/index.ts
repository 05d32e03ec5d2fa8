export type { Agent, AgentEvent, DeskState, Turn } from './agent.ts'
export type { HandedOff } from './handed-off.ts'
export { createTurns, type Turns } from './turns.ts'
