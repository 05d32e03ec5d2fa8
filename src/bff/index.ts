export { type Asset, type Bff, type BffConnector, type BffOptions, createBff } from './bff.ts'
export { folderAssets } from './node.ts'
export { type BffSettings, readBffSettings, readOrigins, readSecrets, SettingsError } from './settings.ts'
