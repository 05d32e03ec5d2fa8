// Creates the table of the files of the widget's builds.

import type { Schema } from '../database/index.ts'

/** Files of the widget, which do not change under their names. Only processes write them, at their start. */
export const filesSchema: Schema = {
  noun: 'files',
  steps: [
    `
    CREATE TABLE foyer.build_file (
      name text PRIMARY KEY,
      type text NOT NULL,
      body bytea NOT NULL,
      -- When a process last said that its build has this file.
      seen_at timestamptz NOT NULL
    );
    `,
  ],
}
