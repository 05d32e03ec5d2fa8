export { type CallSettings, type Calls, createCalls, DEFAULT_CALL_SETTINGS } from './calls.ts'
export type {
  CallCarrier,
  CallLeg,
  CallOutcome,
  PhoneCall,
} from './carrier.ts'
export { callRoutes } from './routes.ts'
export { callsSchema } from './schema.ts'
export { countQueuedCalls, eraseCallsTo } from './store.ts'
