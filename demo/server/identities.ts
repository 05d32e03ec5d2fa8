// Defines the demo's identities. All its names and keys are public.

import type { ConnectorOptions, ProjectOptions, RuntimeOptions } from '../../src/runtime/index.ts'

/** The number that the demo's phones write to. */
export const demoNumber = '+15005550006'

export const demoConnector: ConnectorOptions = {
  id: 'CON-demo0001',
  token: 'demo-connector',
  host: 'localhost',
  accountId: 'ws-demo0001',
  projectId: 'PROJECT-demo0001',
  environment: 'sandbox',
  outboundCalling: true,
}

export const demoProject: ProjectOptions = {
  id: 'PROJECT-demo0001',
  slug: 'front-desk',
  accountId: 'ws-demo0001',
  accountSlug: 'demo',
  senders: [
    { environment: 'sandbox', kind: 'sms', address: demoNumber },
    { environment: 'sandbox', kind: 'rcs', address: 'MG-demo0001' },
  ],
  // People who try the demo ask for a person first, and open the desk afterwards.
  desk: { refuse: false },
}

export const demoApiKeys: NonNullable<RuntimeOptions['keys']> = [
  { id: 'KEY-demo0001', name: 'demo', accountId: 'ws-demo0001', secret: 'demo-api-key' },
  {
    id: 'KEY-demo0002',
    name: 'demo calls',
    kind: 'calling',
    accountId: 'ws-demo0001',
    connectorId: 'CON-demo0001',
    secret: 'demo-calling',
  },
]

export const demoKeys = {
  account: 'ws-demo0001 (demo)',
  project: 'PROJECT-demo0001 (front-desk)',
  'API key': 'demo-api-key',
  'connector token': demoConnector.token,
  'connector ID': demoConnector.id,
  'registered host': demoConnector.host,
  'calling token': 'demo-calling',
  'sender number': demoNumber,
  'RCS sender': 'MG-demo0001',
}
