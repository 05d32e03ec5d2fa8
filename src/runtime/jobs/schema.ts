// Creates the tables of processes, leases and rates.

import type { Schema } from '../database/index.ts'

/** Processes that run jobs, the leases of sweeps, and rates that limit requests. */
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
    `
    -- Which process runs a sweep that no other may run. The lease ends with the row of its process.
    CREATE TABLE foyer.lease (
      name text PRIMARY KEY,
      process_id text NOT NULL REFERENCES foyer.process ON DELETE CASCADE
    );
    CREATE INDEX lease_process ON foyer.lease (process_id);
    `,
    `
    -- Which build a process is of. Null: an earlier one, which did not say so.
    ALTER TABLE foyer.process ADD COLUMN build text;
    `,
  ],
}
