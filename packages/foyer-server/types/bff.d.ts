type LogLevel = 'error' | 'warn' | 'info'

type Log = (line: string, level?: LogLevel) => void

type VisitorAddressOptions = {
  trusted: readonly string[]
  log?: Log
}

type VisitorAddress = (
  peer: string | undefined,
  forwarded: string | readonly string[] | null | undefined,
) => string

declare function createVisitorAddress({ trusted, log }: VisitorAddressOptions): VisitorAddress

type CountRequest = (
  key: string,
  seconds: number,
) => Promise<{
  count: number
  wait: number
}>

type Asset = {
  body: Uint8Array<ArrayBuffer>
  type: string
  immutable: boolean
  maxAge?: number | undefined
  gzip?: (() => Uint8Array<ArrayBuffer>) | undefined
  brotli?: Uint8Array<ArrayBuffer> | undefined
}

type Assets = (name: string) => Asset | undefined | Promise<Asset | undefined>

type BffConnector = {
  connectorToken: string
  connectorHost: string
  chatUrl?: string | undefined
  region?: string | undefined
  enabled?: boolean | undefined
  origins?: readonly string[] | undefined
  unframedOrigins?: readonly string[] | undefined
  imageOrigins?: readonly string[] | undefined
  expose?: 'none' | 'messages' | 'wire' | undefined
  chunkJoin?: 'none' | 'space' | undefined
  answers?: 'ai' | 'automatic' | undefined
  consent?: 'required' | 'page' | undefined
  page?: boolean | undefined
  limits?:
    | {
        address?: number | undefined
        connector?: number | undefined
      }
    | undefined
  fetch?:
    | ((
        url: URL,
        init: RequestInit,
        visitor: {
          address: string
        },
      ) => Promise<Response>)
    | undefined
}

type Shared = {
  cookieSecrets: readonly string[]
  assets?: Assets
  now?: () => number

  publicOrigin?: string | undefined
  limits?: {
    store?: CountRequest | undefined
  }
  log?: Log
}

type BffOptions = BffConnector & Shared

type BffConnectors = Readonly<Record<string, BffConnector>>

type SitesBffOptions = Shared & {
  connectors: BffConnectors | (() => BffConnectors)
}

type Bff = {
  fetch(request: Request, visitor: Visitor): Promise<Response>
}

type Visitor = {
  address: string
  body?: unknown
}

declare const createBff: (options: BffOptions) => Bff

type ConnectorSecrets = {
  env: Readonly<Record<string, string | undefined>>
  readFile?: ((path: string) => string) | undefined
}

declare function readConnectors(text: string, secrets: ConnectorSecrets): BffConnectors

type SharedBffSettings = {
  publicOrigin: string | undefined
  cookieSecrets: string[]
  trustedProxies: string[]
}

type BffSettings = SharedBffSettings & {
  connectorToken: string
  connectorHost: string
  chatUrl: string | undefined
  origins: string[]
  unframedOrigins: string[]
  imageOrigins: string[] | undefined
  chunkJoin: 'none' | 'space'
  consent: 'required' | 'page'
  page: boolean
}

declare class SettingsError extends Error {
  name: string
}
type Environment = Readonly<Record<string, string | undefined>>

declare function readBffSettings(env: Environment): BffSettings

declare const readSharedBffSettings: (env: Environment) => SharedBffSettings

declare function createSitesBff(options: SitesBffOptions): Bff

declare function folderAssets(folder: string | URL): Assets
export {
  type Asset,
  type Assets,
  type Bff,
  type BffConnector,
  type BffConnectors,
  type BffOptions,
  type BffSettings,
  type ConnectorSecrets,
  type CountRequest,
  SettingsError,
  type SharedBffSettings,
  type SitesBffOptions,
  type Visitor,
  type VisitorAddress,
  type VisitorAddressOptions,
  createBff,
  createSitesBff,
  createVisitorAddress,
  folderAssets,
  readBffSettings,
  readConnectors,
  readSharedBffSettings,
}
