// Answers what the agent did in a conversation: the newest value of each of its metrics.

import type { Runtime } from '../../src/runtime/index.ts'
import type { DemoEndpoint } from './endpoint.ts'

/** The path is the id of a conversation; an unknown one has no metrics. */
export const metricsEndpoint =
  (runtime: Runtime): DemoEndpoint =>
  async ({ method, path: [id = ''] }) => {
    if (method !== 'GET') return undefined
    const metrics = Object.entries((await runtime.metrics(id)) ?? {})
    return Response.json(
      Object.fromEntries(metrics.map(([name, values]) => [name, [values].flat().at(-1) ?? ''])),
      { headers: { 'Cache-Control': 'no-store' } },
    )
  }
