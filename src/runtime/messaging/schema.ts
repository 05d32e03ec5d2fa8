// Creates the tables of deliveries and consent.

import type { Schema } from '../database/index.ts'

/** Messages to phones, on their way and after it, and the consent of users. */
export const messagingSchema: Schema = {
  noun: 'messaging',
  required: 1,
  steps: [
    `
    -- A user has opted out of messages from a number, or in again.
    CREATE TABLE foyer.consent (
      user_number text NOT NULL,
      agent_number text NOT NULL,
      opted_out boolean NOT NULL,
      changed_at timestamptz NOT NULL,
      PRIMARY KEY (user_number, agent_number)
    );
    -- An outbound message until the carrier has accepted it.
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
    `,
    `
    -- An outbound message until its conversation is erased: receipts come at any time.
    CREATE TABLE foyer.outbound (
      id text PRIMARY KEY,
      session_id text NOT NULL REFERENCES foyer.session ON DELETE CASCADE,
      -- The last one that counted; null: none came.
      receipt text CHECK (receipt IN ('delivered', 'failed'))
    );
    CREATE INDEX outbound_session ON foyer.outbound (session_id);
    `,
  ],
}
