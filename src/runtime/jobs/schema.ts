// Creates the tables of processes and rates.

import type { Schema } from '../database/index.ts'

/** Processes that run jobs, and rates that limit requests. */
export const jobsSchema: Schema = {
  noun: 'jobs',
  required: 1,
  steps: [
    `
    -- A live process updates its row every few seconds. Jobs name their owner by its id.
    CREATE TABLE foyer.process (
      id text PRIMARY KEY,
      seen_at timestamptz NOT NULL
    );
    -- Requests of one kind in the current window of time.
    CREATE TABLE foyer.rate (
      key text PRIMARY KEY,
      window_start timestamptz NOT NULL,
      count integer NOT NULL
    );
    CREATE INDEX rate_window ON foyer.rate (window_start);
    `,
  ],
}
