export type {
  InboundMessage,
  MessageCarrier,
  Receipt,
  SendOutcome,
  TextMessage,
} from './carrier.ts'
export { type Keyword, keywordOf } from './keywords.ts'
export { CarrierError, createMessaging, type Messaging } from './messaging.ts'
export { messagingRoutes } from './routes.ts'
export { messagingSchema } from './schema.ts'
export { countDeliveries, eraseConsent } from './store.ts'
