// Opens the port on each requested address.

import { createServer, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { StartError } from './start-error.ts'

/** Limits of a request, in milliseconds: 25 s, and up to 5 s until the next check ends a late request. */
export const REQUEST_LIMITS = {
  headersTimeout: 25_000,
  requestTimeout: 25_000,
  connectionsCheckingInterval: 5_000,
}

/**
 * Without a host: on the loopback addresses only. Until `open` the server rejects connections as if it did not listen,
 * so that clients retry instead of waiting.
 */
export async function listen(
  port: number,
  host: string | undefined,
  limits: ServerOptions = REQUEST_LIMITS,
): Promise<readonly Server[]> {
  const server = await listenOn(port, host ?? '127.0.0.1', limits)
  if (host !== undefined) return [server]
  // `localhost` may mean either loopback address, so listen on the second too if the machine has it.
  const twin = await listenOn(port, '::1', limits).catch(() => undefined)
  return twin ? [server, twin] : [server]
}

function listenOn(port: number, host: string, limits: ServerOptions): Promise<Server> {
  const server = createServer(limits)
  server.on('connection', refuseConnection)
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new StartError(reason(error))))
    server.listen(port, host, () => resolve(server))
  })

  function reason({ code }: NodeJS.ErrnoException): string {
    if (code === 'EADDRINUSE')
      return `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start`
    if (code === 'EACCES')
      return `Port ${port} may not be used by this user. Choose one above 1023: PORT=4700 npm start`
    return `The address ${host}:${port} cannot be used (${code}). Set HOST and PORT to one of this machine.`
  }
}

const refuseConnection = (socket: Socket): void => void socket.destroy()

/** Starts answering requests. */
export function open(servers: readonly Server[]): void {
  for (const server of servers) server.off('connection', refuseConnection)
}
