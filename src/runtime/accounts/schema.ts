// Creates the tables of projects, connectors, senders, keys and secrets.

import type { Schema } from '../database/index.ts'

/** Projects of accounts, their senders, and the credentials that give access to them. */
export const accountsSchema: Schema = {
  noun: 'accounts',
  required: 1,
  steps: [
    `
    -- Secrets that are generated once, such as the key that signs access tokens.
    CREATE TABLE foyer.setting (
      key text PRIMARY KEY,
      value text NOT NULL
    );
    CREATE TABLE foyer.project (
      id text PRIMARY KEY,
      slug text NOT NULL,
      account_id text NOT NULL,
      account_slug text NOT NULL,
      transcripts boolean NOT NULL DEFAULT true,
      settings jsonb NOT NULL DEFAULT '{}',
      UNIQUE (account_id, slug)
    );
    CREATE INDEX project_slug ON foyer.project (account_slug, slug);
    CREATE TABLE foyer.connector (
      id text PRIMARY KEY,
      token_hash text NOT NULL UNIQUE,
      host text NOT NULL,
      allow_subdomains boolean NOT NULL,
      account_id text NOT NULL,
      project_id text NOT NULL,
      environment text NOT NULL,
      outbound_calling boolean NOT NULL DEFAULT false
    );
    -- Numbers and RCS senders: a project sends messages from them and receives messages at them.
    CREATE TABLE foyer.sender (
      project_id text NOT NULL REFERENCES foyer.project ON DELETE CASCADE,
      environment text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('sms', 'rcs')),
      address text NOT NULL,
      PRIMARY KEY (project_id, environment, kind, address)
    );
    CREATE INDEX sender_address ON foyer.sender (address);
    CREATE TABLE foyer.api_key (
      id text PRIMARY KEY,
      hash text NOT NULL UNIQUE,
      kind text NOT NULL CHECK (kind IN ('runtime', 'build', 'calling')),
      name text NOT NULL,
      region text NOT NULL,
      account_id text NOT NULL,
      project_id text,
      connector_id text,
      permissions jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      revoked_at timestamptz
    );
    `,
  ],
}
