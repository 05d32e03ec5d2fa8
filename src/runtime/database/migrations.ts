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
  `,
  // Conversations of every channel. The record is the root: what hangs on it is erased with it.
  `
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
  CREATE TABLE foyer.rate (
    key text PRIMARY KEY,
    window_start timestamptz NOT NULL,
    count integer NOT NULL
  );
  CREATE TABLE foyer.conversation (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    project_id text NOT NULL,
    variant_id text NOT NULL DEFAULT '',
    variant_name text NOT NULL DEFAULT '',
    environment text NOT NULL,
    channel text NOT NULL,
    from_number text NOT NULL DEFAULT '',
    to_number text NOT NULL DEFAULT '',
    language text NOT NULL DEFAULT '',
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    num_turns integer NOT NULL DEFAULT 0,
    num_silences integer NOT NULL DEFAULT 0,
    num_ood integer NOT NULL DEFAULT 0,
    latency_sum double precision NOT NULL DEFAULT 0,
    latency_count integer NOT NULL DEFAULT 0,
    handoff boolean NOT NULL DEFAULT false,
    handoff_reason text NOT NULL DEFAULT '',
    handoff_destination text NOT NULL DEFAULT '',
    agent_left_at timestamptz,
    metrics jsonb NOT NULL DEFAULT '{}',
    state jsonb NOT NULL DEFAULT '{}',
    embedded_turns integer NOT NULL DEFAULT 0
  );
  CREATE INDEX conversation_time ON foyer.conversation (project_id, environment, started_at DESC, id);
  CREATE INDEX conversation_channel ON foyer.conversation (project_id, environment, channel, started_at DESC, id);
  CREATE INDEX conversation_variant ON foyer.conversation (project_id, environment, variant_id, started_at DESC, id);
  CREATE INDEX conversation_variant_name ON foyer.conversation (project_id, environment, variant_name, started_at DESC, id);
  CREATE INDEX conversation_open ON foyer.conversation (project_id, environment, started_at DESC, id) WHERE ended_at IS NULL;
  CREATE INDEX conversation_span ON foyer.conversation USING gist (tstzrange(started_at, ended_at, '[]'));
  CREATE INDEX conversation_ended ON foyer.conversation (ended_at);
  CREATE INDEX conversation_from ON foyer.conversation (from_number) WHERE from_number <> '';
  CREATE INDEX conversation_to ON foyer.conversation (to_number) WHERE to_number <> '';
  CREATE INDEX conversation_embed ON foyer.conversation (started_at) WHERE embedded_turns < num_turns;
  CREATE TABLE foyer.turn (
    conversation_id text NOT NULL REFERENCES foyer.conversation ON DELETE CASCADE,
    position integer NOT NULL,
    cause integer NOT NULL,
    user_input text NOT NULL DEFAULT '',
    user_input_dtmf text NOT NULL DEFAULT '',
    user_input_at timestamptz NOT NULL,
    agent_response text NOT NULL DEFAULT '',
    agent_response_at timestamptz,
    latency double precision NOT NULL DEFAULT 0,
    translated_user_input text NOT NULL DEFAULT '',
    english_agent_response text NOT NULL DEFAULT '',
    intents jsonb NOT NULL DEFAULT '[]',
    entities jsonb NOT NULL DEFAULT '[]',
    is_ood boolean NOT NULL DEFAULT false,
    is_silence boolean NOT NULL DEFAULT false,
    PRIMARY KEY (conversation_id, position)
  );
  CREATE INDEX turn_cause ON foyer.turn (conversation_id, cause);
  CREATE TABLE foyer.transcript (
    conversation_id text PRIMARY KEY REFERENCES foyer.conversation ON DELETE CASCADE,
    config text NOT NULL,
    words tsvector NOT NULL
  );
  CREATE INDEX transcript_words ON foyer.transcript USING gin (words);
  CREATE TABLE foyer.embedding (
    conversation_id text PRIMARY KEY REFERENCES foyer.conversation ON DELETE CASCADE,
    model text NOT NULL,
    numbers real[] NOT NULL
  );
  CREATE INDEX embedding_model ON foyer.embedding (model);
  CREATE TABLE foyer.handoff (
    conversation_id text PRIMARY KEY REFERENCES foyer.conversation ON DELETE CASCADE,
    project_id text NOT NULL,
    shared_id text,
    data jsonb NOT NULL,
    queue_name text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL,
    state text NOT NULL CHECK (state IN ('away', 'waiting', 'taken', 'done')),
    queued_at timestamptz,
    taken_at timestamptz,
    desk_agent jsonb,
    told_position integer
  );
  CREATE INDEX handoff_shared ON foyer.handoff (project_id, shared_id, created_at DESC) WHERE shared_id IS NOT NULL;
  CREATE INDEX handoff_waiting ON foyer.handoff (queued_at) WHERE state IN ('waiting', 'taken');
  CREATE INDEX handoff_taken ON foyer.handoff (taken_at) WHERE taken_at IS NOT NULL;
  INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, ended_at)
    SELECT s.id, c.account_id, c.project_id, c.environment, 'WEBCHAT', s.created_at, s.over_at
    FROM foyer.session AS s JOIN foyer.connector AS c ON c.id = s.connector_id;
  ALTER TABLE foyer.connector ADD COLUMN outbound_calling boolean NOT NULL DEFAULT false;
  ALTER TABLE foyer.session DROP CONSTRAINT session_mode_check;
  ALTER TABLE foyer.session
    ALTER COLUMN connector_id DROP NOT NULL,
    ADD CONSTRAINT session_mode_check CHECK (mode IN ('agent', 'handoff', 'live', 'queued', 'desk')),
    ADD COLUMN channel text NOT NULL DEFAULT 'WEBCHAT',
    ADD COLUMN user_number text NOT NULL DEFAULT '',
    ADD COLUMN agent_number text NOT NULL DEFAULT '',
    ADD COLUMN rcs_sender text NOT NULL DEFAULT '',
    ADD COLUMN engaged boolean NOT NULL DEFAULT false,
    ADD COLUMN attributes jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN live_agent jsonb,
    ADD COLUMN warned_at timestamptz,
    ADD CONSTRAINT session_conversation FOREIGN KEY (id) REFERENCES foyer.conversation ON DELETE CASCADE;
  CREATE INDEX session_free ON foyer.session (id) WHERE state = 'active' AND turn_owner IS NULL;
  CREATE INDEX session_voice ON foyer.session (created_at) WHERE state = 'active' AND channel = 'VOICE-SIP';
  CREATE INDEX session_numbers ON foyer.session (user_number, agent_number) WHERE user_number <> '';
  CREATE UNIQUE INDEX session_text ON foyer.session (user_number, agent_number)
    WHERE state = 'active' AND channel IN ('SMS', 'RCS');
  CREATE TABLE foyer.consent (
    user_number text NOT NULL,
    agent_number text NOT NULL,
    opted_out boolean NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (user_number, agent_number)
  );
  CREATE TABLE foyer.delivery (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    session_id text NOT NULL REFERENCES foyer.session ON DELETE CASCADE,
    message jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    owner text
  );
  CREATE INDEX delivery_session ON foyer.delivery (session_id, position);
  CREATE INDEX delivery_due ON foyer.delivery (due_at);
  CREATE TABLE foyer.call (
    sid text PRIMARY KEY,
    conversation_id text REFERENCES foyer.conversation ON DELETE CASCADE,
    account_id text NOT NULL,
    project_id text NOT NULL,
    connector_id text NOT NULL,
    environment text NOT NULL,
    to_number text NOT NULL,
    from_number text NOT NULL DEFAULT '',
    metadata jsonb NOT NULL,
    encryption text NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'calling', 'success', 'failure')),
    reason text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL,
    ended_at timestamptz,
    owner text
  );
  CREATE INDEX call_queue ON foyer.call (created_at) WHERE status = 'queued';
  CREATE INDEX call_busy ON foyer.call (account_id) WHERE status = 'calling';
  CREATE INDEX call_ended ON foyer.call (ended_at) WHERE ended_at IS NOT NULL;
  CREATE INDEX call_to ON foyer.call (to_number);
  CREATE INDEX call_conversation ON foyer.call (conversation_id);
  `,
]

/** Brings the schema up to date. Several processes may start at once: one of them does it, the others wait. */
export async function migrate(database: Database): Promise<void> {
  // IF NOT EXISTS does not wait for another who is just making it: an advisory lock does.
  await database.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('foyer.migration'))")
    await tx.query('CREATE SCHEMA IF NOT EXISTS foyer')
    await tx.query('CREATE TABLE IF NOT EXISTS foyer.migration (step integer PRIMARY KEY)')
  })
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
