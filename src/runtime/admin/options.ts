// What the operator says of projects, connectors and keys.

import type { KeyKind, Permission, ProjectSettings } from '../accounts/index.ts'

/** A connector: what a site shows to get access tokens. */
export type ConnectorOptions = {
  id: string
  /** Secret. Stored as a hash. */
  token: string
  /** Domain, origin or app namespace that must come as X-Host. */
  host: string
  allowSubdomains?: boolean
  accountId: string
  projectId: string
  environment: string
  /** Whether its calling tokens may call. */
  outboundCalling?: boolean
}

/** A project, which the API document also calls the agent. */
export type ProjectOptions = {
  /** `PROJECT-` and 8 characters. */
  id: string
  slug: string
  /** `ws-` and 8 characters. */
  accountId: string
  accountSlug: string
  /** Whether the API shows transcripts. Default true. */
  transcripts?: boolean
  /** Sender numbers and RCS senders by environment. */
  senders?: readonly { environment: string; kind: 'sms' | 'rcs'; address: string }[]
} & ProjectSettings

/** A project that a command creates. */
export type NewProject = {
  /** Default: generated. */
  id?: string | undefined
  slug: string
  /** Default: the account that has the slug, or a new one. */
  accountId?: string | undefined
  /** Default: that of the account. */
  accountSlug?: string | undefined
}

export type KeyOptions = {
  /** Default: generated. */
  id?: string
  /** Default `runtime`. */
  kind?: KeyKind
  name?: string
  accountId: string
  /** Default: all projects of the account. */
  projectId?: string
  /** Whose calling token it is. */
  connectorId?: string
  /** Default: all. */
  permissions?: readonly Permission[]
  /** Default: that of the runtime. */
  region?: string
}

/** A command that cannot be carried out. Its message says why, and what to do. */
export class CommandError extends Error {
  override name = 'CommandError'
}
