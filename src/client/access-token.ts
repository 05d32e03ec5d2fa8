// Requests access tokens: for chat.accessToken of the client, and for the BFF.

import { type AccessToken, accessTokenRoute } from '../api/index.ts'
import { chatEndpoint } from '../protocol/index.ts'
import * as answers from './answers.ts'
import { createTransport, type Exchange, type TransportOptions } from './transport.ts'

export type ConnectorCredentials = {
  /** Base address of the chat API. */
  chatUrl: string
  /** The connector token. Secret. */
  connectorToken: string
  /** The host registered with the token. */
  host: string
}

const LARGEST_ANSWER = 64 * 1024
const ADVICE = 'Check connectorToken and host: the host must be the one registered with the token.'

/** The request that exchanges a connector token for an access token. */
export const accessTokenExchange = (connector: ConnectorCredentials): Exchange<AccessToken> => ({
  family: 'chat',
  method: 'POST',
  url: chatEndpoint(connector.chatUrl, accessTokenRoute.path),
  route: accessTokenRoute.path,
  headers: { 'x-token': connector.connectorToken, 'x-host': connector.host },
  body: {},
  success: { status: 200, schema: answers.AccessToken, largest: LARGEST_ANSWER },
  effect: 'harmless',
  advice: { unauthorized: ADVICE, forbidden: ADVICE, unreachable: 'Check chatUrl and region.' },
})

/** Requests an access token outside a client. Rejects with a ChatFailure. */
export const requestAccessToken = (
  connector: ConnectorCredentials,
  transport: TransportOptions,
): Promise<AccessToken> => createTransport(transport).send(accessTokenExchange(connector), undefined)
