export { authoriseKey, authoriseProject } from './authorise.ts'
export {
  type Connector,
  connectorOf,
  findConnector,
  listConnectors,
  saveConnector,
} from './connector-store.ts'
export {
  type ApiKey,
  findKey,
  type KeyKind,
  listKeys,
  markKeyRevoked,
  PERMISSIONS,
  type Permission,
  saveKey,
} from './key-store.ts'
export {
  findAccount,
  findProject,
  findSender,
  listProjects,
  lockProjects,
  type Project,
  type ProjectSettings,
  projectOf,
  type Sender,
  saveProject,
  saveSender,
  sendersOf,
  switchTranscripts,
} from './project-store.ts'
export { type ConnectorRevoked, revokeConnector } from './revoke.ts'
export { accessTokenRoutes, chatRefusal } from './routes.ts'
export { accountsSchema } from './schema.ts'
export { keptSecret } from './secret-store.ts'
export { type AccessTokens, createAccessTokens } from './tokens.ts'
