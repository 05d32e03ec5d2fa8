// Answers /metrics on a port of its own, so that nobody who reaches the public port reads them.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen, open } from '../listener.ts'
import type { Metrics } from './metrics.ts'

/**
 * Every browser sends at least the last of these, and Prometheus none: a page whose name leads to this machine (DNS rebinding) reads no
 * metrics. Such a page sends the first two only where it is secure.
 */
const OF_BROWSERS = ['origin', 'sec-fetch-site', 'accept-language']

/** Resolves to a function that closes the port. */
export async function serveMetrics(
  port: number,
  host: string | undefined,
  metrics: Metrics,
): Promise<() => void> {
  const servers = await listen(port, host, { setting: 'FOYER_METRICS_PORT' })
  for (const server of servers) server.on('request', (request, response) => void answer(request, response))
  open(servers)

  async function answer(
    { url, method, headers: sent }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (method !== 'GET' || url?.split('?')[0] !== '/metrics')
      return void response.writeHead(404).end('Metrics are at /metrics.\n')
    if (OF_BROWSERS.some((name) => sent[name] !== undefined))
      return void response
        .writeHead(403)
        .end('Metrics are for programs such as Prometheus, not for browsers.\n')
    const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }
    response.writeHead(200, headers).end(await metrics.text())
  }

  return () => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  }
}
