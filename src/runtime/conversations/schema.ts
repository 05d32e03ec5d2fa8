// Creates the tables of the log of conversations and its indexes.

import type { Schema } from '../database/index.ts'

/** The log of conversations. Everything that belongs to a conversation is erased with its row. */
export const conversationsSchema: Schema = {
  noun: 'conversations',
  required: 2,
  steps: [
    `
    CREATE TABLE foyer.conversation (
      id text PRIMARY KEY,
      account_id text NOT NULL,
      project_id text NOT NULL,
      variant_id text NOT NULL DEFAULT '',
      variant_name text NOT NULL DEFAULT '',
      environment text NOT NULL,
      channel text NOT NULL CHECK (channel IN ('WEBCHAT', 'VOICE-SIP', 'SMS', 'RCS')),
      -- The user's number and the agent's; empty in a chat.
      from_number text NOT NULL DEFAULT '',
      to_number text NOT NULL DEFAULT '',
      rcs_sender text NOT NULL DEFAULT '',
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
      -- The dialogue state, which is also the agent's memory.
      state jsonb NOT NULL DEFAULT '{}',
      -- True while the search index, or the vector, lacks the newest words.
      unindexed boolean NOT NULL DEFAULT false,
      unembedded boolean NOT NULL DEFAULT false
    ) WITH (fillfactor = 80);
    CREATE INDEX conversation_time ON foyer.conversation (project_id, environment, started_at DESC, id);
    CREATE INDEX conversation_channel ON foyer.conversation (project_id, environment, channel, started_at DESC, id);
    CREATE INDEX conversation_variant ON foyer.conversation (project_id, environment, variant_id, started_at DESC, id);
    CREATE INDEX conversation_variant_name ON foyer.conversation (project_id, environment, variant_name, started_at DESC, id);
    CREATE INDEX conversation_open ON foyer.conversation (project_id, environment, started_at DESC, id) WHERE ended_at IS NULL;
    CREATE INDEX conversation_span ON foyer.conversation USING gist (tstzrange(started_at, ended_at, '[]'));
    CREATE INDEX conversation_ended ON foyer.conversation (ended_at);
    CREATE INDEX conversation_from ON foyer.conversation (from_number, to_number) WHERE from_number <> '';
    CREATE INDEX conversation_to ON foyer.conversation (to_number) WHERE to_number <> '';
    CREATE INDEX conversation_unindexed ON foyer.conversation (started_at) WHERE unindexed;
    CREATE INDEX conversation_unembedded ON foyer.conversation (started_at) WHERE unembedded;
    -- Two numbers have at most one open conversation by SMS or RCS.
    CREATE UNIQUE INDEX conversation_numbers ON foyer.conversation (from_number, to_number)
      WHERE ended_at IS NULL AND channel IN ('SMS', 'RCS');
    CREATE TABLE foyer.turn (
      conversation_id text NOT NULL REFERENCES foyer.conversation ON DELETE CASCADE,
      position integer NOT NULL,
      -- The sequence of the input; 0 where the turn has none.
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
    ) WITH (fillfactor = 80);
    -- The full-text index. A job writes it.
    CREATE TABLE foyer.transcript (
      conversation_id text PRIMARY KEY REFERENCES foyer.conversation ON DELETE CASCADE,
      config text NOT NULL,
      words tsvector NOT NULL
    );
    CREATE INDEX transcript_words ON foyer.transcript USING gin (words);
    -- The vectors of semantic search. A job writes them.
    CREATE TABLE foyer.embedding (
      conversation_id text PRIMARY KEY REFERENCES foyer.conversation ON DELETE CASCADE,
      model text NOT NULL,
      numbers real[] NOT NULL
    );
    CREATE INDEX embedding_model ON foyer.embedding (model);
    `,
    `
    -- The process that makes the vector of an unembedded conversation. Attempts that the endpoint refused, and when the next is due.
    ALTER TABLE foyer.conversation ADD COLUMN embedding_owner text,
      ADD COLUMN embedding_attempts integer NOT NULL DEFAULT 0, ADD COLUMN embedding_due timestamptz;
    `,
    `
    -- Lexemes for the day on which a conversation of a project and environment began, and for the 16 days around it. No text has them, since they
    -- begin with a space.
    CREATE FUNCTION foyer.transcript_days(text, text, timestamptz) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
      SELECT array_to_tsvector(ARRAY[' ' || $1 || ' ' || $2 || ' d' || day, ' ' || $1 || ' ' || $2 || ' p' || (day >> 4)])
      FROM (SELECT floor(extract(epoch FROM $3) / 86400)::integer AS day) AS start $$;
    -- A trigger adds them, so that transcripts which a process of an earlier build writes have them too. A job adds them to older transcripts.
    ALTER TABLE foyer.transcript ADD COLUMN dated boolean NOT NULL DEFAULT false;
    CREATE FUNCTION foyer.date_transcript() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.dated := true; NEW.words := NEW.words || (SELECT foyer.transcript_days(project_id, environment, started_at) FROM foyer.conversation WHERE id = NEW.conversation_id); RETURN NEW; END $$;
    CREATE TRIGGER transcript_dated BEFORE INSERT OR UPDATE ON foyer.transcript FOR EACH ROW EXECUTE FUNCTION foyer.date_transcript();
    `,
  ],
}
