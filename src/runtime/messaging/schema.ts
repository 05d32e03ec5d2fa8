// Creates the tables of deliveries and consent.

import type { Schema } from '../database/index.ts'

/** Messages on their way to phones, and the consent of users. */
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
  ],
}
