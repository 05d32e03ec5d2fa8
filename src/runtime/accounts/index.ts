export { authoriseKey, authoriseProject } from './access/authorise.ts'
export { type AccessClaims, type AccessTokens, createAccessTokens } from './access/tokens.ts'
export { CommandError } from './command-error.ts'
export { type Connector, connectorOf } from './connector-store.ts'
export {
  type ConnectorCommands,
  type ConnectorOptions,
  type ConnectorRevoked,
  createConnectors,
} from './connectors.ts'
export { findKey, PERMISSIONS } from './key-store.ts'
export { createKeys, type KeyCommands, type KeyOptions } from './keys.ts'
export {
  DEFAULT_DESK_SETTINGS,
  type DisclosureSetting,
  findSender,
  type Project,
  projectOf,
  type Sender,
  sendersOf,
} from './project-store.ts'
export { createProjects, type ProjectCommands, type ProjectOptions } from './projects.ts'
export { accessTokenRoutes } from './routes.ts'
export { accountsSchema } from './schema.ts'
export { keptSecret } from './secret-store.ts'
