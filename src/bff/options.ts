// Defines the options of createBff.

import type { Log } from '../api/index.ts'
import type { Assets } from './assets.ts'

export type BffConnector = {
  /** Secret. Sent to the service only. */
  connectorToken: string
  /** The host registered with the token; sent as X-Host. */
  connectorHost: string
  /** Base address of the chat API, for the BFF and the browser. Default: the BFF's own origin. */
  chatUrl?: string | undefined
}

export type BffOptions = BffConnector & {
  /** Further connectors, by the public name in their address. */
  connectors?: Readonly<Record<string, BffConnector>>
  /** Origins that may embed the frame. */
  origins?: readonly string[]
  /** Origins whose scripts may read access tokens (widgets without a frame). */
  unframedOrigins?: readonly string[]
  /** Origins whose images the panel loads without asking. Default: the chat hosts and this BFF. */
  imageOrigins?: readonly string[] | undefined
  /** The first secret seals cookies; every secret opens them. */
  cookieSecrets: readonly string[]
  /** What the page around the frame learns about messages. `wire` is for development tools on the same machine. */
  expose?: 'none' | 'messages' | 'wire'
  /** Separator between the chunks of an answer if neither has whitespace there. Default: `none`. */
  chunkJoin?: 'none' | 'space'
  /** Who answers: `ai`, and visitors are told so; `automatic`, an agent without a model. Default `ai`. */
  answers?: 'ai' | 'automatic'
  /** `required`: the widget asks visitors before it stores or contacts anything, whatever the page says. Default: `page`. */
  consent?: 'required' | 'page'
  /** The widget's files. Default: the files in the package, on hosts with a file system. */
  assets?: Assets
  /** Sends requests to the service. Default: the global fetch. `visitor`: the visitor whom the request is for. */
  fetch?: (url: URL, init: RequestInit, visitor: { address: string }) => Promise<Response>
  /** Milliseconds since 1970. */
  now?: () => number
  /**
   * The origin under which browsers know this BFF. Default: the origin of the request (wrong behind a proxy that
   * terminates TLS).
   */
  publicOrigin?: string | undefined
  /** Token requests a minute: by one address (a /64 of IPv6), and by one connector. Default: 60 and 6000. */
  limits?: { address?: number; connector?: number }
  log?: Log
}

export type Bff = {
  /** Answers one request. `address`: the address of the client, which the host of this handler knows. */
  fetch(request: Request, context: { address: string }): Promise<Response>
}
