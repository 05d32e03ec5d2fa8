// Starts the demo, on this machine only, if the command line names a folder and no setting configures a site.

import type { Environment } from './settings-table.ts'

/** A setting of this list means that the operator runs a real site. */
const OF_A_SITE = [
  'FOYER_DEMO',
  'FOYER_CONNECTOR_TOKEN',
  'FOYER_CONNECTOR_HOST',
  'FOYER_CONNECTORS',
  'FOYER_CHAT_URL',
  'FOYER_PUBLIC_ORIGIN',
  'FOYER_ORIGINS',
  'FOYER_UNFRAMED_ORIGINS',
  'FOYER_COOKIE_SECRET',
  'FOYER_DATABASE_URL',
  'HOST',
]

/** The environment of the start: that of `npm start` if the command line gives only a folder. */
export function environmentFor(env: Environment, folder: string | undefined): Environment {
  if (folder === undefined || OF_A_SITE.some((name) => env[name] !== undefined)) return env
  return { ...env, FOYER_DEMO: '1', FOYER_DEMO_BY: 'start' }
}
