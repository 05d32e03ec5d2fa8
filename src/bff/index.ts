export { createVisitorAddress, type VisitorAddress, type VisitorAddressOptions } from '../api/index.ts'
export { createBff } from './bff.ts'
export { type ConnectorSecrets, readConnectors } from './connectors-file.ts'
export type { Bff, BffConnector, BffConnectors, BffOptions, SitesBffOptions, Visitor } from './options.ts'
export {
  type BffSettings,
  readBffSettings,
  readSharedBffSettings,
  SettingsError,
  type SharedBffSettings,
} from './settings.ts'
export { createSitesBff } from './sites.ts'
export type { CountRequest } from './tokens/limits.ts'
export type { Asset, Assets } from './widget/assets.ts'
export { folderAssets } from './widget/node.ts'
