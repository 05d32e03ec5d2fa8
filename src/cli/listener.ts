// Opens the port on each requested address, and asks clients to wait until the server is ready.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { StartError } from './start-error.ts'

/** Limits of a request, in milliseconds: 25 s, and up to 5 s until the next check ends a late request. */
export const REQUEST_LIMITS = {
  headersTimeout: 25_000,
  requestTimeout: 25_000,
  connectionsCheckingInterval: 5_000,
}

/** Without a host: on the loopback addresses only. Until `open` every request but /live is answered with 503. */
export async function listen(
  port: number,
  host: string | undefined,
  limits: ServerOptions = REQUEST_LIMITS,
  setting: 'PORT' | 'FOYER_METRICS_PORT' = 'PORT',
): Promise<readonly Server[]> {
  const server = await listenOn(port, host ?? '127.0.0.1', limits, setting)
  if (host !== undefined) return [server]
  // `localhost` may mean either loopback address, so listen on the second too if the machine has it.
  const twin = await listenOn(port, '::1', limits, setting).catch(() => undefined)
  return twin ? [server, twin] : [server]
}

function listenOn(port: number, host: string, limits: ServerOptions, setting: string): Promise<Server> {
  const server = createServer(limits)
  // Without a listener for upgrades, Node treats the request for a socket as any other.
  server.on('request', refuseRequest)
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

const STARTING = JSON.stringify({ error: 'The server is starting. Try again in a moment.' })
const STARTING_HEADERS = {
  'Content-Type': 'application/json',
  'Content-Length': String(STARTING.length),
  'Retry-After': '1',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** A process that starts is alive: whoever watches it must not end it for being slow. */
const LIVE = JSON.stringify({ status: 'live' })
const { 'Retry-After': _, ...LIVE_HEADERS } = { ...STARTING_HEADERS, 'Content-Length': String(LIVE.length) }

const refuseRequest = ({ url }: IncomingMessage, response: ServerResponse): void =>
  void (url === '/live'
    ? response.writeHead(200, LIVE_HEADERS).end(LIVE)
    : response.writeHead(503, STARTING_HEADERS).end(STARTING))

/** Stops refusing requests: the caller has added its own listeners. */
export function open(servers: readonly Server[]): void {
  for (const server of servers) server.off('request', refuseRequest)
}
