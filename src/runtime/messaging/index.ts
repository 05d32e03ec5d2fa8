export {
  type InboundMessage,
  type MessageCarrier,
  noMessageCarrier,
  type SendOutcome,
  type TextMessage,
} from './carrier.ts'
export { createMessaging, type Messaging } from './messaging.ts'
export { messagingRoutes } from './routes.ts'
export { messagingSchema } from './schema.ts'
export { countDeliveries, eraseConsent } from './store.ts'
