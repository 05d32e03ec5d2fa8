// A turn for an agent that no runtime runs.

import type { Turn } from '../../src/runtime/index.ts'

/** Without a text the visitor joins. */
export const turnOf = (text: string, more: Partial<Turn> = {}): Turn => ({
  id: 't',
  accountId: 'ws-1',
  projectId: 'PROJECT-1',
  connectorId: 'CON-1',
  environment: 'sandbox',
  trigger: text === '' ? 'join' : 'message',
  text,
  decision: undefined,
  sessionId: 's',
  channel: 'WEBCHAT',
  language: undefined,
  userNumber: '',
  platform: 'web',
  page: undefined,
  custom: {},
  attributes: {},
  variant: undefined,
  history: [],
  memory: {},
  desk: undefined,
  signal: new AbortController().signal,
  sleep: async () => {},
  addUsage: async () => 0,
  ...more,
})
