// The schema, step by step. A step that was published is never edited; a new one is added below it.

import type { Database } from './database.ts'

const STEPS: readonly string[] = [
  `
  CREATE TABLE foyer.setting (
    key text PRIMARY KEY,
    value text NOT NULL
  );
  CREATE TABLE foyer.process (
    id text PRIMARY KEY,
    seen_at timestamptz NOT NULL
  );
  CREATE TABLE foyer.connector (
    id text PRIMARY KEY,
    token_hash text NOT NULL UNIQUE,
    host text NOT NULL,
    allow_subdomains boolean NOT NULL,
    account_id text NOT NULL,
    project_id text NOT NULL,
    environment text NOT NULL
  );
  CREATE TABLE foyer.session (
    id text PRIMARY KEY,
    connector_id text NOT NULL REFERENCES foyer.connector,
    token_id text NOT NULL,
    platform text NOT NULL,
    streaming boolean NOT NULL,
    state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'expired', 'ended')),
    mode text NOT NULL DEFAULT 'agent' CHECK (mode IN ('agent', 'handoff', 'live')),
    created_at timestamptz NOT NULL,
    active_at timestamptz NOT NULL,
    over_at timestamptz,
    warned boolean NOT NULL DEFAULT false,
    joined boolean NOT NULL DEFAULT false,
    next_sequence integer NOT NULL DEFAULT 1,
    answered integer NOT NULL DEFAULT 0,
    turn_owner text,
    turn_cause integer,
    turn_shown boolean NOT NULL DEFAULT false,
    memory jsonb NOT NULL DEFAULT '{}'
  );
  CREATE INDEX session_idle ON foyer.session (active_at) WHERE state = 'active' AND mode = 'agent';
  CREATE INDEX session_turn ON foyer.session (turn_owner) WHERE turn_owner IS NOT NULL;
  CREATE TABLE foyer.event (
    session_id text NOT NULL REFERENCES foyer.session ON DELETE CASCADE,
    sequence integer NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    payload jsonb NOT NULL,
    custom jsonb,
    client_id text,
    message_id text,
    first_sequence integer,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (session_id, sequence)
  );
  CREATE UNIQUE INDEX event_client ON foyer.event (session_id, client_id) WHERE client_id IS NOT NULL;
  CREATE TABLE foyer.socket (
    id text PRIMARY KEY,
    session_id text NOT NULL REFERENCES foyer.session ON DELETE CASCADE,
    process_id text NOT NULL REFERENCES foyer.process ON DELETE CASCADE
  );
  CREATE INDEX socket_session ON foyer.socket (session_id);
  CREATE INDEX socket_process ON foyer.socket (process_id);
  `,
  `
  CREATE TABLE foyer.passage (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    collection text NOT NULL,
    position integer NOT NULL,
    file text NOT NULL,
    heading text NOT NULL,
    body text NOT NULL,
    words tsvector GENERATED ALWAYS AS (
      setweight(to_tsvector('english', heading), 'A') || setweight(to_tsvector('simple', heading), 'A') ||
      setweight(to_tsvector('english', body), 'C') || setweight(to_tsvector('simple', body), 'D')
    ) STORED
  );
  CREATE INDEX passage_place ON foyer.passage (collection, position);
  CREATE INDEX passage_words ON foyer.passage USING gin (words);
  `,
]

/** Brings the schema up to date. Several processes may start at once: one of them does it, the others wait. */
export async function migrate(database: Database): Promise<void> {
  await database.script(
    'CREATE SCHEMA IF NOT EXISTS foyer; CREATE TABLE IF NOT EXISTS foyer.migration (step integer PRIMARY KEY)',
  )
  for (let step = 1; step <= STEPS.length; step++) {
    await database.transaction(async (tx) => {
      await tx.query('LOCK TABLE foyer.migration IN EXCLUSIVE MODE')
      const done = await tx.query('SELECT 1 FROM foyer.migration WHERE step = $1', [step])
      if (done.length > 0) return
      for (const statement of (STEPS[step - 1] ?? '').split(/;\s*\n/))
        if (statement.trim()) await tx.query(statement)
      await tx.query('INSERT INTO foyer.migration (step) VALUES ($1)', [step])
    })
  }
}
