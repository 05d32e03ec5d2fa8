export type { Agent, AgentEvent, AgentFor, DeskState, Served, Turn } from './agent.ts'
export { AGENT, isAgent, misspeltInAgent } from './agents.ts'
export type { HandedOff } from './handed-off.ts'
export { createTurns, type Turns } from './turns.ts'
