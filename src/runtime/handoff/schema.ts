// Creates the tables of handoffs.

import type { Schema } from '../database/index.ts'

/** Handoffs: what the agent stored, and times in the queue. Live agents, their notes and their replies. The mode of the session says whether it waits. */
export const handoffSchema: Schema = {
  noun: 'handoff',
  required: 3,
  steps: [
    `
    CREATE TABLE foyer.handoff (
      conversation_id text PRIMARY KEY REFERENCES foyer.session ON DELETE CASCADE,
      project_id text NOT NULL,
      -- The integrator's own identifier.
      shared_id text,
      data jsonb NOT NULL,
      queue_name text NOT NULL DEFAULT '',
      created_at timestamptz NOT NULL,
      queued_at timestamptz,
      taken_at timestamptz,
      -- The place in the queue that the user was last told.
      told_position integer
    );
    CREATE INDEX handoff_shared ON foyer.handoff (project_id, shared_id, created_at DESC) WHERE shared_id IS NOT NULL;
    CREATE INDEX handoff_taken ON foyer.handoff (taken_at) WHERE taken_at IS NOT NULL;
    `,
    `
    -- Whether a user who wrote while waiting was told that the message is kept.
    ALTER TABLE foyer.handoff ADD COLUMN told_waiting boolean NOT NULL DEFAULT false;
    -- What live agents write for each other. No user ever gets it.
    CREATE TABLE foyer.note (
      id text PRIMARY KEY,
      conversation_id text NOT NULL REFERENCES foyer.session ON DELETE CASCADE,
      agent_id text NOT NULL,
      agent_name text NOT NULL,
      words text NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX note_conversation ON foyer.note (conversation_id, created_at);
    -- Answers that live agents have ready, by the name that they type.
    CREATE TABLE foyer.canned_reply (
      name text PRIMARY KEY,
      words text NOT NULL
    );
    `,
    `
    -- Estimated waits are those of one project.
    DROP INDEX foyer.handoff_taken;
    CREATE INDEX handoff_taken ON foyer.handoff (project_id, taken_at) WHERE taken_at IS NOT NULL;
    -- Canned replies belong to a project. Those that all projects shared become replies of each.
    ALTER TABLE foyer.canned_reply DROP CONSTRAINT canned_reply_pkey;
    ALTER TABLE foyer.canned_reply ADD COLUMN project_id text NOT NULL DEFAULT '';
    INSERT INTO foyer.canned_reply (project_id, name, words)
      SELECT p.id, r.name, r.words FROM foyer.canned_reply AS r CROSS JOIN foyer.project AS p;
    DELETE FROM foyer.canned_reply WHERE project_id = '';
    ALTER TABLE foyer.canned_reply ALTER COLUMN project_id DROP DEFAULT;
    ALTER TABLE foyer.canned_reply ADD PRIMARY KEY (project_id, name);
    `,
    `
    -- Who is at the desk: the last sign of life, and whether this live agent takes nothing new.
    CREATE TABLE foyer.live_agent (
      project_id text NOT NULL REFERENCES foyer.project ON DELETE CASCADE,
      id text NOT NULL,
      name text NOT NULL,
      away boolean NOT NULL DEFAULT false,
      beat_at timestamptz NOT NULL,
      PRIMARY KEY (project_id, id)
    );
    -- The order in the queue, where it is not that of the waits; since when the user waits for the live agent's answer; and why the last live
    -- agent has the conversation no more.
    ALTER TABLE foyer.handoff ADD COLUMN ranked_at timestamptz, ADD COLUMN waits_since timestamptz, ADD COLUMN lost text;
    `,
  ],
}
