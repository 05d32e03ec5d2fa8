// Starts the demo, on this machine only, if the command line names a folder, an agent or a carrier and no setting configures a site.

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

/**
 * The environment of the start, with the settings that options stand for: that of `npm start` if the command line names what is to be tried and
 * no setting configures a site.
 */
export function environmentFor(
  env: Environment,
  { folder, settings }: { folder?: string | undefined; settings: Environment },
): Environment {
  const given = { ...env, ...settings }
  const isTried = folder !== undefined || Object.keys(settings).length > 0
  if (!isTried || OF_A_SITE.some((name) => env[name] !== undefined)) return given
  return { ...given, FOYER_DEMO: '1', FOYER_DEMO_BY: 'start' }
}
