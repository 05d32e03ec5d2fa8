// Measures HTTP requests by their route. Only known routes have a name: what visitors write in an address is no label.

import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  accessTokenRoute,
  callRoute,
  callStatusRoute,
  concurrencyRoute,
  conversationsRoute,
  handoffRoute,
  type Meter,
  sessionRoute,
  sessionStatusRoute,
  smsRoute,
} from '../../api/index.ts'

const ROUTES = [
  ...[
    accessTokenRoute,
    sessionRoute,
    sessionStatusRoute,
    conversationsRoute,
    concurrencyRoute,
    handoffRoute,
  ].map(pathOf),
  ...[smsRoute, callRoute, callStatusRoute].map(pathOf),
  ...['/openapi.json', '/live', '/ready', '/foyer.js', '/foyer/frame', '/foyer/compat.js', '/foyer/health'],
  ...['/foyer/config', '/foyer/config.js', '/foyer/access-token', '/foyer/assets/{file}'],
  ...['/foyer/{connector}/access-token', '/foyer/{connector}/config', '/foyer/{connector}/config.js'],
].map((path) => ({ path, form: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`) }))

function pathOf({ path }: { path: string }): string {
  return path
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])

export const routeOf = (path: string): string => ROUTES.find(({ form }) => form.test(path))?.path ?? 'other'

/** Measures one request until its answer is sent, or its connection is gone. */
export function measureRequest(meter: Meter, request: IncomingMessage, response: ServerResponse): void {
  const began = performance.now()
  const { method = '', url = '/' } = request
  const route = routeOf(url.split('?')[0] ?? '')
  response.on('close', () => {
    const status = response.writableFinished ? String(response.statusCode) : 'cut'
    const labels = { method: METHODS.has(method) ? method : 'other', route, status }
    meter.time('foyer_http_seconds', (performance.now() - began) / 1_000, labels)
    if (response.statusCode === 429) meter.count('foyer_limited_total', 1, { limit: route })
  })
}
