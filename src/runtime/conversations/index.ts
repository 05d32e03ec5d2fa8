export { concurrencyRoutes } from './list/concurrency-routes.ts'
export { createCursors } from './list/cursor.ts'
export { findConversation } from './list/list-store.ts'
export {
  type UnansweredFilter,
  type UnansweredQuestion,
  unansweredQuestions,
} from './list/questions-store.ts'
export { conversationRoutes } from './list/routes.ts'
export { type ConversationCounts, countConversations } from './list/status-store.ts'
export { type ConversationsErasing, eraseConversations } from './log/erase-store.ts'
export {
  type Channel,
  countOpenConversations,
  insertConversation,
  type NewConversation,
} from './log/opening-store.ts'
export { loggedText, plainText } from './log/plain-text.ts'
export { variantFor } from './log/variant.ts'
export {
  type ConversationWriter,
  createConversationWriter,
  type Speaker,
  type Understanding,
} from './log/writer-store.ts'
export { conversationsSchema } from './schema.ts'
export { createIndexer, type Indexer } from './search/indexer.ts'
export { createEmbedder, type Embedder } from './semantic/embedder.ts'
export type { Embeddings } from './semantic/embeddings.ts'
export { type EndpointOptions, endpointEmbeddings } from './semantic/endpoint-embeddings.ts'
export { offlineEmbeddings } from './semantic/offline-embeddings.ts'
export { createVectorStore } from './semantic/vector-store.ts'
export { createSearchUpkeep, type SearchUpkeep } from './upkeep.ts'
