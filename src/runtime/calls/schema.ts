// Creates the tables of outbound calls.

import type { Schema } from '../database/index.ts'

/** Outbound calls. A status changes along queued → calling → success or failure, or queued → failure. */
export const callsSchema: Schema = {
  noun: 'calls',
  required: 1,
  steps: [
    `
    CREATE TABLE foyer.call (
      sid text PRIMARY KEY,
      -- Null until the call is placed.
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
  ],
}
