// Defines the options of the commands that create projects, connectors and keys.

import type { KeyKind, Permission, ProjectSettings } from '../accounts/index.ts'

/** A connector: the credential with which a site gets access tokens. */
export type ConnectorOptions = {
  id: string
  /** Secret. Stored as a hash. */
  token: string
  /** The domain, origin or app namespace that X-Host must hold. */
  host: string
  allowSubdomains?: boolean
  accountId: string
  projectId: string
  environment: string
  /** Whether its calling tokens may start calls. */
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
  /** Default: a generated ID. */
  id?: string | undefined
  slug: string
  /** Default: the account that has the slug, or a new one. */
  accountId?: string | undefined
  /** Default: the slug of the account. */
  accountSlug?: string | undefined
}

export type KeyOptions = {
  /** Default: a generated ID. */
  id?: string
  /** Default `runtime`. */
  kind?: KeyKind
  name?: string
  accountId: string
  /** Default: all projects of the account. */
  projectId?: string
  /** The connector of a calling token. */
  connectorId?: string
  /** Default: all permissions. */
  permissions?: readonly Permission[]
  /** Default: the region of the runtime. */
  region?: string
}

/** A command that cannot be carried out. Its message gives the reason and the next step. */
export class CommandError extends Error {
  override name = 'CommandError'
}
