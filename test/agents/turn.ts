// A turn for an agent that no runtime runs.

import type { Turn } from '../../src/runtime/index.ts'

/** Without a text the visitor joins. */
export const turnOf = (text: string, more: Partial<Turn> = {}): Turn => ({
  trigger: text === '' ? 'join' : 'message',
  text,
  sessionId: 's',
  channel: 'WEBCHAT',
  language: undefined,
  userNumber: '',
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
