// Opens the port on each requested address, and asks clients to wait until the server is ready.

import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { DEFAULT_HEADER_PREFIX, refusal } from '../api/index.ts'
import { answerClientError, refusedRequest } from '../runtime/index.ts'
import { StartError } from './start-error.ts'

/** Limits of a request, in milliseconds: 25 s, and up to 5 s until the next check ends a late request. */
export const REQUEST_LIMITS = {
  headersTimeout: 25_000,
  requestTimeout: 25_000,
  connectionsCheckingInterval: 5_000,
}

export type ListenOptions = {
  limits?: ServerOptions
  /** The setting of the port. */
  setting?: 'PORT' | 'FOYER_METRICS_PORT'
  headerPrefix?: string
}

/**
 * Without a host: on the loopback addresses only. Until `open` every request but /live is answered with 503. What Node cannot read is
 * answered for as long as the port is open.
 */
export async function listen(
  port: number,
  host: string | undefined,
  options: ListenOptions = {},
): Promise<readonly Server[]> {
  const server = await listenOn(port, host ?? '127.0.0.1', options)
  if (host !== undefined) return [server]
  // `localhost` may mean either loopback address, so listen on the second too if the machine has it.
  const twin = await listenOn(port, '::1', options).catch(() => undefined)
  return twin ? [server, twin] : [server]
}

function listenOn(
  port: number,
  host: string,
  { limits = REQUEST_LIMITS, setting = 'PORT', headerPrefix = DEFAULT_HEADER_PREFIX }: ListenOptions,
): Promise<Server> {
  // A request without a Host header goes on to whoever answers requests.
  const server = createServer({ ...limits, requireHostHeader: false })
  const refuseRequest = refusing(headerPrefix)
  refusals.set(server, refuseRequest)
  // Without a listener for upgrades, Node treats the request for a socket as any other.
  server.on('request', refuseRequest)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error, socket) => answerClientError(error, socket, headerPrefix))
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new StartError(reason(error))))
    server.listen(port, host, () => resolve(server))
  })

  function reason({ code }: NodeJS.ErrnoException): string {
    if (code === 'EADDRINUSE')
      return `Port ${port} is taken. Stop what uses it, or choose another: ${setting}=${port + 1} npm start`
    if (code === 'EACCES')
      return `Port ${port} may not be used by this user. Choose one above 1023: ${setting}=4700 npm start`
    return `The address ${host}:${port} cannot be used (${code}). Set HOST and ${setting} to one of this machine.`
  }
}

/** A process that starts is alive: whoever watches it must not end it for being slow. */
const LIVE = JSON.stringify({ status: 'live' })
const LIVE_HEADERS = {
  'Content-Type': 'application/json',
  'Content-Length': String(LIVE.length),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}
const STARTING = { code: 'STARTING', text: 'The server is starting. Try again in a moment.', wait: 1 }

/** What refuses requests at each server that has not been opened. */
const refusals = new WeakMap<Server, RequestListener>()

const refusing =
  (headerPrefix: string): RequestListener =>
  (request, response) => {
    if (request.url === '/live') return void response.writeHead(200, LIVE_HEADERS).end(LIVE)
    const { headers, body } = refusal(STARTING, refusedRequest(request, headerPrefix))
    response.writeHead(503, headers).end(body)
  }

/** Stops refusing requests: the caller has added its own listeners. */
export function open(servers: readonly Server[]): void {
  for (const server of servers) server.off('request', refusals.get(server) ?? (() => {}))
}
