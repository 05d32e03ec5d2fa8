// Makes the parts that the requests of one family share: address, credential, and what to check after a failure.

import { chatEndpoint } from '../protocol/index.ts'
import type { Family } from './client-error.ts'
import type { ClientSettings } from './client-options.ts'

export function createExchanges(need: ClientSettings['need']) {
  return {
    /** Makes a request of the runtime: conversations, concurrency, handoff, calls or SMS. */
    runtimeExchange: (family: Family, path: string, credential: 'apiKey' | 'authToken', header: string) => ({
      family,
      url: chatEndpoint(need('apiUrl'), path),
      headers: { [header]: need(credential) },
      advice: {
        unauthorized: `Check ${credential}, and that it is for the region of apiUrl.`,
        forbidden: `Check that ${credential} is for this account, project and region, and has the permission.`,
        unreachable: 'Check apiUrl and region.',
      },
    }),

    /** Makes a request of chat other than for an access token. `unauthorized`: what to check after a 401 or 403. */
    chatExchange: (path: string, headers: Record<string, string>, unauthorized: string) => ({
      family: 'chat' as const,
      method: 'POST' as const,
      url: chatEndpoint(need('chatUrl'), path),
      headers,
      advice: { unauthorized, forbidden: unauthorized, unreachable: 'Check chatUrl and region.' },
    }),
  }
}
