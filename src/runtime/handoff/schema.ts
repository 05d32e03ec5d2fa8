// Creates the tables of handoffs.

import type { Schema } from '../database/index.ts'

/** Handoffs: what the agent stored, and times in the queue. The mode of the session says whether it waits. */
export const handoffSchema: Schema = {
  noun: 'handoff',
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
  ],
}
