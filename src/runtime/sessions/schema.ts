// Creates the tables of sessions, events and open sockets.

import type { Schema } from '../database/index.ts'

/** Sessions, their events and their open sockets. Channel, numbers, end and dialogue state are in the conversation. */
export const sessionsSchema: Schema = {
  noun: 'sessions',
  required: 6,
  steps: [
    `
    -- A session has the id of its conversation.
    CREATE TABLE foyer.session (
      id text PRIMARY KEY REFERENCES foyer.conversation ON DELETE CASCADE,
      family text NOT NULL CHECK (family IN ('chat', 'messaging', 'voice')),
      -- Null: a phone wrote first, without a connector.
      connector_id text REFERENCES foyer.connector,
      mode text NOT NULL DEFAULT 'agent' CHECK (mode IN ('agent', 'handoff', 'live', 'queued', 'desk')),
      live_agent jsonb,
      joined boolean NOT NULL DEFAULT false,
      -- Null while inactivity does not count: in a call, with a live agent, after the end.
      idle_since timestamptz,
      warned_at timestamptz,
      next_sequence integer NOT NULL DEFAULT 1,
      -- The sequence of the last input, and the sequence up to which inputs are answered.
      last_input integer NOT NULL DEFAULT 0,
      answered integer NOT NULL DEFAULT 0,
      -- The running turn; owner null: none runs.
      turn_owner text,
      turn_cause integer,
      turn_shown boolean NOT NULL DEFAULT false,
      -- Chat: the jti of the access token (the token itself is stored nowhere); empty once it was revoked.
      token_id text,
      platform text,
      streaming boolean NOT NULL DEFAULT false,
      -- Messaging: whether the user has written.
      engaged boolean NOT NULL DEFAULT false,
      -- Messaging and voice: data of the carrier beside the text.
      attributes jsonb NOT NULL DEFAULT '{}',
      CHECK ((family = 'chat') = (token_id IS NOT NULL)),
      CHECK ((turn_owner IS NULL) = (turn_cause IS NULL))
    ) WITH (fillfactor = 80);
    CREATE INDEX session_idle ON foyer.session (family, idle_since) WHERE idle_since IS NOT NULL;
    CREATE INDEX session_turn ON foyer.session (turn_owner) WHERE turn_owner IS NOT NULL;
    CREATE INDEX session_unanswered ON foyer.session (id) WHERE turn_owner IS NULL AND last_input > answered;
    CREATE INDEX session_handoff ON foyer.session (mode) WHERE mode IN ('queued', 'desk');
    CREATE INDEX session_connector ON foyer.session (connector_id);
    CREATE TABLE foyer.event (
      session_id text NOT NULL REFERENCES foyer.session ON DELETE CASCADE,
      sequence integer NOT NULL,
      id text NOT NULL,
      type text NOT NULL,
      payload jsonb NOT NULL,
      custom jsonb,
      -- The id that the sender gave it: the same event is stored once.
      client_id text,
      message_id text,
      -- Of a whole message that was sent in chunks: the sequence of its first chunk.
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
    -- Of a chat that is not with the agent: since when it has no socket.
    ALTER TABLE foyer.session ADD COLUMN gone_since timestamptz;
    CREATE INDEX session_away ON foyer.session (gone_since) WHERE family = 'chat' AND mode <> 'agent';
    `,
    `
    -- Says how long a text is without decompressing it. Null in events of earlier builds: filling it would rewrite the table.
    ALTER TABLE foyer.event ADD COLUMN text_bytes integer;
    `,
    // Empty, to keep the numbers of the steps: it changed a column that no released build had.
    '',
    `
    -- An agent simulates no live agent any more: conversations with one are the agent's.
    UPDATE foyer.session SET mode = 'agent', live_agent = NULL, idle_since = now() WHERE mode IN ('handoff', 'live');
    ALTER TABLE foyer.session DROP CONSTRAINT session_mode_check;
    ALTER TABLE foyer.session ADD CHECK (mode IN ('agent', 'queued', 'desk'));
    -- What is written while a conversation waits for a live agent is answered once the agent has it again.
    DROP INDEX foyer.session_unanswered;
    CREATE INDEX session_unanswered ON foyer.session (id)
      WHERE turn_owner IS NULL AND last_input > answered AND mode = 'agent';
    `,
    `
    -- Whole messages by their ids: the user may rate any of them.
    CREATE INDEX event_answer ON foyer.event (session_id, message_id)
      WHERE type IN ('EVENT_TYPE_POLY_AGENT_MESSAGE', 'EVENT_TYPE_LIVE_AGENT_MESSAGE');
    `,
    `
    -- Whether the client is silent for longer than heartbeats may be missing. Its process records it while the chat is not with the agent.
    ALTER TABLE foyer.socket ADD COLUMN away boolean NOT NULL DEFAULT false;
    `,
    `
    -- How often a turn was claimed: a run that stood still does not write into a turn that its own process claimed again.
    ALTER TABLE foyer.session ADD COLUMN turn_claims integer NOT NULL DEFAULT 0;
    -- How often the running turn was written: shows whether a transaction is stored whose connection broke.
    ALTER TABLE foyer.session ADD COLUMN turn_writes integer NOT NULL DEFAULT 0;
    `,
    `
    -- Up to which end the events of sessions are removed: sessions that ended earlier are not looked at again.
    CREATE TABLE foyer.event_removal (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      ended_until timestamptz NOT NULL
    );
    `,
    `
    -- Since when the client is silent, once that is long enough for a handshake to take its place. Its process records it.
    ALTER TABLE foyer.socket ADD COLUMN silent_since timestamptz;
    `,
    `
    -- Whether the user of a phone was told that a machine answers.
    ALTER TABLE foyer.session ADD COLUMN disclosed boolean NOT NULL DEFAULT false;
    `,
    `
    -- Chat: where the visitor opened it, as {url, title}. Null: the client did not say.
    ALTER TABLE foyer.session ADD COLUMN page jsonb;
    `,
    `
    -- The question that the user has to decide: its message, its agent's name for it, and the words of the choices. Null: none is open.
    ALTER TABLE foyer.session ADD COLUMN confirm jsonb;
    -- A question is decided once.
    CREATE UNIQUE INDEX event_decision ON foyer.event (session_id, message_id)
      WHERE type = 'EVENT_TYPE_USER_DECISION';
    `,
  ],
}
