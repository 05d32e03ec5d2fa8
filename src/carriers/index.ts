export {
  createSimulatedCarrier,
  type Device,
  type PhoneMessage,
  type SimulatedCarrier,
  type Written,
} from './simulated.ts'
