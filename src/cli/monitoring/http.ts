// Measures HTTP requests by their route. Only known routes have a name: what visitors write in an address is no label.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { BFF_PATHS, hasForm, type Meter, ROUTES } from '../../api/index.ts'

const PATHS = [...ROUTES.map(({ path }) => path), '/openapi.json', '/live', '/ready', ...BFF_PATHS]

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])

export const routeOf = (path: string): string => PATHS.find((form) => hasForm(form, path)) ?? 'other'

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
