// Lets somebody try Foyer with one command: a folder and nothing configured is the demo, on this machine only.

import type { Environment } from './settings-table.ts'

/** Whoever sets one of these runs a site of their own. */
const OF_A_SITE = [
  'FOYER_DEMO',
  'FOYER_CONNECTOR_TOKEN',
  'FOYER_CONNECTOR_HOST',
  'FOYER_CHAT_URL',
  'FOYER_PUBLIC_ORIGIN',
  'FOYER_ORIGINS',
  'FOYER_UNFRAMED_ORIGINS',
  'FOYER_COOKIE_SECRET',
  'FOYER_DATABASE_URL',
  'HOST',
]

/** The environment to start with: that of `npm start` where a folder is all that is given. */
export function environmentFor(env: Environment, folder: string | undefined): Environment {
  if (folder === undefined || OF_A_SITE.some((name) => env[name] !== undefined)) return env
  return { ...env, FOYER_DEMO: '1', FOYER_DEMO_BY: 'start' }
}
