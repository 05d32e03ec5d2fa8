// Defines the options of a BFF: what it has once, and what each connector has of its own.

import type { Log } from '../api/index.ts'
import type { CountRequest } from './tokens/limits.ts'
import type { Assets } from './widget/assets.ts'

/** A connector: its secret, the pages that may use it, and how its chat behaves. Nothing of it reaches another connector. */
export type BffConnector = {
  /** Secret. Sent to the service only. */
  connectorToken: string
  /** The host registered with the token; sent as X-Host. */
  connectorHost: string
  /** Base address of the chat API, for the BFF and the browser. Default: the BFF's own origin. */
  chatUrl?: string | undefined
  /** Fills `{region}` in `chatUrl`, such as `euw-1`. */
  region?: string | undefined
  /** False: the chat is switched off. No chat begins; one that a visitor has goes on. Default: true. */
  enabled?: boolean | undefined
  /** Origins that may embed the frame. Default: none but the BFF's own. */
  origins?: readonly string[] | undefined
  /** Origins whose scripts may read access tokens (widgets without a frame). Default: none but the BFF's own. */
  unframedOrigins?: readonly string[] | undefined
  /** Origins whose images the panel loads without asking. Default: the chat host and this BFF. */
  imageOrigins?: readonly string[] | undefined
  /** What the page around the frame learns about messages. Default: `none`. `wire` is for development tools on the same machine. */
  expose?: 'none' | 'messages' | 'wire' | undefined
  /** Separator between the chunks of an answer if neither has whitespace there. Default: `none`. */
  chunkJoin?: 'none' | 'space' | undefined
  /** Who answers: `ai`, and visitors are told so; `automatic`, an agent without a model. Default `ai`. */
  answers?: 'ai' | 'automatic' | undefined
  /** `required`: the widget asks visitors before it stores or contacts anything, whatever the page says. Default: `page`. */
  consent?: 'required' | 'page' | undefined
  /** True: the widget tells the service on which page of the site a chat begins: its address without query and fragment, and its title. Default: false. */
  page?: boolean | undefined
  /** Token requests a minute: by one address (a /64 of IPv6), and by the whole connector. Default: 60 and 6000. */
  limits?: { address?: number | undefined; connector?: number | undefined } | undefined
  /** Sends requests to the service. Default: the global fetch. `visitor`: the visitor whom the request is for. */
  fetch?: ((url: URL, init: RequestInit, visitor: { address: string }) => Promise<Response>) | undefined
}

/** What a BFF has once, however many connectors it has. */
type Shared = {
  /** The first secret seals cookies; every secret opens them. */
  cookieSecrets: readonly string[]
  /** The widget's files. Default: the files in the package, on hosts with a file system. */
  assets?: Assets
  /** The time in milliseconds since 1970. Default: that of the system. */
  now?: () => number
  /**
   * The origin under which browsers know this BFF. Default: the origin of the request (wrong behind a proxy that
   * terminates TLS).
   */
  publicOrigin?: string | undefined
  /** `store`: counts token requests for several processes. Default: this process alone. */
  limits?: { store?: CountRequest | undefined }
  /** Takes each line of the log. Default: the console. */
  log?: Log
}

/** The options of `createBff`: those of its one connector, and those of the BFF. */
export type BffOptions = BffConnector & Shared

/** Connectors by their public names: letters, digits, hyphens and underscores. The one that pages need not name has the name ''. */
export type BffConnectors = Readonly<Record<string, BffConnector>>

/** The options of `createSitesBff`. */
export type SitesBffOptions = Shared & {
  /** A function is asked at every request: another object than before replaces all settings, if it can be used. */
  connectors: BffConnectors | (() => BffConnectors)
}

/** A BFF, for a server that hands requests to it. */
export type Bff = {
  /** Answers one request. Resolves to 404 for an address that is not of the BFF. */
  fetch(request: Request, visitor: Visitor): Promise<Response>
}

/** What the server around a BFF knows of a request. */
export type Visitor = {
  /** The address of the client. */
  address: string
  /** What a body parser of that server has made of the body, if it may have read it: an object, text or bytes. Used where nothing else is left. */
  body?: unknown
}
