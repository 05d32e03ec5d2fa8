export { concurrencyRoutes, messageRefusal } from './concurrency-routes.ts'
export { createCursors } from './cursor.ts'
export { createEmbedder, type Embedder } from './embedder.ts'
export type { Embeddings } from './embeddings.ts'
export { type EndpointOptions, endpointEmbeddings } from './endpoint-embeddings.ts'
export { type ConversationsErasing, eraseConversations } from './erase-store.ts'
export { createIndexer, type Indexer } from './indexer.ts'
export { findConversation } from './list-store.ts'
export { offlineEmbeddings } from './offline-embeddings.ts'
export { type Channel, insertConversation, type NewConversation } from './opening-store.ts'
export { loggedText, plainText } from './plain-text.ts'
export { conversationRoutes, conversationsRefusal } from './routes.ts'
export { conversationsSchema } from './schema.ts'
export { type ConversationCounts, countConversations } from './status-store.ts'
export { variantFor } from './variant.ts'
export { createVectorStore } from './vector-store.ts'
export {
  type ConversationWriter,
  createConversationWriter,
  type Speaker,
  type Understanding,
} from './writer-store.ts'
